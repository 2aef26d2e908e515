"""Redundancy filters: seconds on 7,129 genes, growth with the number of features, and plain loops beside them.

Prints; asserts nothing. The peer is optional: scikit-feature, where it is installed and runs.

python benchmarks/redundancy.py
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from sklearn.metrics import mutual_info_score

from fewer.methods.redundancy.cfs import CFS
from fewer.methods.redundancy.consistency import Consistency
from fewer.methods.redundancy.fcbf import FCBF
from fewer.methods.redundancy.rbf import RBF

SHARED = Path(__file__).parents[1] / ".." / "shared" / "data"


def timed(work: Callable[[], object], repeats: int = 3) -> float:
    """Seconds of the fastest of several runs."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def factors(n_rows: int, n_features: int, levels: int = 5, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Noisy copies of hidden factors, ten of each, the first five of which make the class."""
    rng = np.random.default_rng(seed)
    hidden = rng.integers(0, levels, (n_rows, n_features // 10), dtype=np.uint8)
    X = np.ascontiguousarray(hidden[:, rng.integers(0, hidden.shape[1], n_features)])
    for j in range(n_features):
        noisy = rng.random(n_rows) < 0.5
        X[noisy, j] = rng.integers(0, levels, int(noisy.sum()))
    return X, (hidden[:, :5].sum(axis=1) > 5 * (levels - 1) / 2).astype(int)


def genes() -> None:
    path = SHARED / "leukemia_golub.npz"
    if not path.exists():
        print("leukemia_golub.npz is absent")
        return
    stored = np.load(path)
    X, y = stored["X"], stored["y"]
    print("leukemia, 72 x 7,129, three sigma levels, one thread (wanted: FCBF and RBF under 1 s)")
    for method in (FCBF, RBF, CFS, Consistency):
        selector = method(discretizer="sigma", n_jobs=1)
        selector.fit(X, y)
        seconds = timed(lambda s=selector: s.fit(X, y), 5)
        found = selector.selection_
        print(
            f"  {method.__name__:12} {seconds:8.3f} s   {len(found):4} kept   {found.trace.evaluations:9,} evaluations"
        )


def growth() -> None:
    n_rows = 10_000
    print(f"growth with the number p of features, {n_rows:,} rows, 5 levels, one thread")
    print(f"  {'data':18} {'method':6} {'p':>6} {'seconds':>8} {'kept':>5} {'pairs':>10} {'of all':>7} {'us/pair':>8}")
    rng = np.random.default_rng(0)
    for data in ("factors", "unrelated to y"):
        for p in (1_000, 2_000, 5_000, 10_000):
            if data == "factors":
                X, y = factors(n_rows, p)
            else:
                X, y = rng.integers(0, 5, (n_rows, p), dtype=np.uint8), rng.integers(0, 3, n_rows)
            for method in (FCBF, RBF):
                # Without any relation to the class nothing is redundant to RBF: all pairs are looked at.
                if method is RBF and data != "factors" and p > 2_000:
                    continue
                selector = method(discretizer=None, n_jobs=1)
                seconds = timed(lambda s=selector, X=X, y=y: s.fit(X, y), 2)
                found = selector.selection_
                pairs = found.trace.evaluations
                share = pairs / (p * (p - 1) / 2)
                print(
                    f"  {data:18} {method.__name__:6} {p:6,} {seconds:8.3f} {len(found):5} {pairs:10,} {share:7.2%} "
                    f"{seconds / pairs * 1e6:8.1f}"
                )


def uncertainty(a: np.ndarray, b: np.ndarray) -> float:
    """2 I(a; b) / (H(a) + H(b)), I(a; a) being H(a)."""
    both = mutual_info_score(a, a) + mutual_info_score(b, b)
    return 2 * mutual_info_score(a, b) / both if both > 0 else 0.0


def fcbf_by_loops(X: np.ndarray, y: np.ndarray) -> list[int]:
    relevance = np.array([uncertainty(column, y) for column in X.T])
    left, kept = np.argsort(-relevance, kind="stable").tolist(), []
    while left:
        kept.append(left.pop(0))
        left = [q for q in left if uncertainty(X[:, kept[-1]], X[:, q]) < relevance[q] - 1e-12]
    return kept


def peers() -> None:
    X, y = factors(1_000, 1_000)
    selector = FCBF(discretizer=None, n_jobs=1)
    ours = timed(lambda: selector.fit(X, y), 5)
    kept = selector.selection_.indices.tolist()
    print("FCBF, 1,000 x 1,000, 5 levels, one thread")
    print(f"  {'fewer':32} {ours:9.4f} s   {len(kept)} kept")
    beside: dict[str, Callable[[], list[int]]] = {"loops over mutual_info_score": lambda: fcbf_by_loops(X, y)}
    try:
        from skfeature.function.information_theoretical_based.FCBF import fcbf

        beside["scikit-feature"] = lambda: [int(j) for j in np.asarray(fcbf(X, y)).ravel()]
    except ImportError:
        print("  scikit-feature is not installed")
    for name, work in beside.items():
        start = time.perf_counter()
        try:
            theirs = work()
        except Exception as error:
            print(f"  {name:32} fails: {type(error).__name__}: {error}")
            continue
        seconds = time.perf_counter() - start
        print(f"  {name:32} {seconds:9.4f} s   {len(theirs)} kept, same: {theirs == kept}   {seconds / ours:8.0f}x")


def main() -> None:
    genes()
    growth()
    peers()


if __name__ == "__main__":
    main()

"""The Relief family on genotypes (three levels), beside its peers, in one run. Prints ratios; asserts nothing.

    python benchmarks/genotypes.py [--wide]

Peers are optional: scikit-rebate (skrebate) and fast-select are used where they can be imported, at sizes that they
manage. --wide adds 2,350 rows x 230,000 columns, of which users of scikit-rebate report 32 hours on 64 processors.

Beside the time on the clock stands that of the processor, which a busy machine does not lengthen.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable

import numpy as np

from fewer.core.kernels import level_planes
from fewer.methods.relief.relieff import ReliefF
from fewer.methods.relief.surf import MultiSURF

OURS = {"MultiSURF": MultiSURF, "ReliefF": lambda **given: ReliefF(n_neighbors=10, **given)}
REBATE_AT_MOST = 300 * 500


def genotypes(n: int, d: int) -> tuple[np.ndarray, np.ndarray]:
    """Columns of 0, 1 and 2 as whole numbers of 8 bits; two of them make the class together."""
    rng = np.random.default_rng(0)
    X = np.empty((n, d), np.int8)
    for first in range(0, d, 4096):
        X[:, first : first + 4096] = rng.binomial(2, 0.4, (n, min(4096, d - first)))
    return X, ((X[:, 0] > 0) ^ (X[:, 1] > 0)).astype(int)


def seconds(work: Callable[[], object], repeats: int = 3) -> tuple[float, float]:
    """Return the shortest time of several runs, on the clock and of the processor."""
    times = []
    for _ in range(repeats):
        start, cpu = time.perf_counter(), time.process_time()
        work()
        times.append((time.perf_counter() - start, time.process_time() - cpu))
    return min(t[0] for t in times), min(t[1] for t in times)


def fast_select(name: str, X: np.ndarray, y: np.ndarray, ours: dict[int, tuple[float, float]]) -> None:
    try:
        import fast_select as peer
    except ImportError:
        print("    fast-select is not installed")
        return
    given = {"n_neighbors": 10} if name == "ReliefF" else {}
    # It tells levels from numbers by how many there are.
    numbers = X.astype(np.float64)
    for threads, own in ours.items():
        made = getattr(peer, name)(n_features_to_select=10, backend="cpu", n_jobs=threads, **given)
        made.fit(numbers[:50, :50], y[:50])
        taken = seconds(lambda made=made: made.fit(numbers, y), 2)
        print(f"    fast-select {taken[0]:.3f} s on {threads} thread(s), / ours: {ratios(taken, own)} (wanted: 20x)")


def scikit_rebate(name: str, X: np.ndarray, y: np.ndarray, ours: tuple[float, float]) -> None:
    try:
        import skrebate
    except ImportError:
        print("    scikit-rebate is not installed")
        return
    made = skrebate.ReliefF(n_neighbors=10) if name == "ReliefF" else skrebate.MultiSURF()
    numbers = X.astype(np.float64)
    taken = seconds(lambda: made.fit(numbers.copy(), y), 1)
    print(f"    scikit-rebate {taken[0]:.1f} s on one thread, / ours: {ratios(taken, ours)}")


def ratios(theirs: tuple[float, float], ours: tuple[float, float]) -> str:
    return f"{theirs[0] / ours[0]:,.0f}x, by processor time {theirs[1] / ours[1]:,.0f}x"


def beside_peers(n: int, d: int) -> None:
    X, y = genotypes(n, d)
    for kind, given in (("levels", {"categorical_features": np.arange(d)}), ("numbers", {})):
        for name, make in OURS.items():
            make(n_jobs=1, **given).fit(X, y)
            ours = {t: seconds(lambda t=t, make=make: make(n_jobs=t, **given).fit(X, y)) for t in (1, 2)}
            shown = [f"{wall:.3f} s ({cpu:.3f} of the processor)" for wall, cpu in ours.values()]
            print(f"  {n:,} x {d:,} {kind}: {name} {shown[0]} on one thread, {shown[1]} on two")
            if kind == "levels":
                fast_select(name, X, y, ours)
                if n * d <= REBATE_AT_MOST:
                    scikit_rebate(name, X, y, ours[1])


def growth() -> None:
    """The cost at three sizes each of n and d; picoseconds per pair of rows and feature should stay the same."""
    print("MultiSURF, levels: seconds of the processor (and picoseconds per pair of rows and feature) on one thread")
    for n, d in ((500, 4_000), (1_000, 4_000), (2_000, 4_000), (1_000, 1_000), (1_000, 16_000)):
        X, y = genotypes(n, d)
        taken = seconds(lambda X=X, y=y: MultiSURF(n_jobs=1, categorical_features=np.arange(X.shape[1])).fit(X, y), 2)
        print(f"  {n:6,} x {d:6,}: {taken[1]:.3f} ({2e12 * taken[1] / n**2 / d:.1f})")


def roofline() -> None:
    """The distances of a tile beside the fastest that words can be counted when nothing is fetched."""
    rng = np.random.default_rng(0)
    ends = np.array([0, 64, 128])
    small = rng.integers(0, 2**63, (16, 128), dtype=np.uint64)
    large = rng.integers(0, 2**63, (1_000, 128), dtype=np.uint64)
    rates = []
    for rows, times in ((small, 400), (large, 1)):
        out = np.empty((len(rows), len(rows)))

        def work(rows: np.ndarray = rows, times: int = times, out: np.ndarray = out) -> None:
            for _ in range(times):
                level_planes.differing_tile(rows, rows, ends, out)

        rates.append(times * len(rows) ** 2 * 64 / seconds(work, 5)[1])
    print(f"popcounts per second, one thread: {rates[0] / 1e9:.1f} G in cache; 1,000 rows x 4,096 features "
          f"{rates[1] / 1e9:.1f} G, a fraction of {rates[1] / rates[0]:.0%}")  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--wide", action="store_true")
    wide = parser.parse_args().wide
    warnings.filterwarnings("ignore")
    beside_peers(300, 500)
    beside_peers(1_000, 2_000)
    growth()
    roofline()
    for n, d in [(2_350, 20_000), *([(2_350, 230_000)] if wide else [])]:
        X, y = genotypes(n, d)
        for kind, given in (("numbers", {}), ("levels", {"categorical_features": np.arange(d)})):
            taken = seconds(lambda X=X, y=y, given=given: MultiSURF(n_jobs=2, **given).fit(X, y), 1)
            print(f"  {n:,} x {d:,} {kind}: MultiSURF {taken[0]:.1f} s on two threads, {taken[1]:.1f} of the processor")


if __name__ == "__main__":
    main()

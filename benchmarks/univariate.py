"""Univariate scores beside scikit-learn's, in one run, on one thread each. Prints ratios; asserts nothing.

python benchmarks/univariate.py
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from scipy.stats import chatterjeexi
from sklearn.feature_selection import chi2, f_classif, f_regression, mutual_info_classif, mutual_info_regression
from threadpoolctl import threadpool_limits

import fewer
from fewer.core.discretize.named import fit_mixtures

SHARED = Path(__file__).parents[1] / ".." / "shared" / "data"


def best_time(work: Callable[[], object], repeats: int = 5) -> float:
    """Seconds of the fastest of several runs, after one run that compiles."""
    work()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def row(name: str, ours: float, peer: str, theirs: float, wanted: str) -> None:
    print(f"{name:44} {ours * 1e3:9.1f} ms   {peer:34} {theirs * 1e3:9.1f} ms   {theirs / ours:7.1f}x   {wanted}")


def scores_of_codes() -> None:
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 5, (10_000, 2_000))
    y = rng.integers(0, 3, 10_000)
    mutual = best_time(lambda: mutual_info_classif(codes, y, discrete_features=True), repeats=1)
    for dtype in (np.uint8, np.int64, np.float64):
        X = codes.astype(dtype)
        theirs = best_time(lambda X=X: chi2(X, y))
        for name in ("InformationGain", "GiniGain", "Chi2"):
            selector = fewer.get(name)(10, discretizer=None, n_jobs=1)
            ours = best_time(lambda s=selector, X=X: s.fit(X, y))
            label = f"{name}, 5 levels, {np.dtype(dtype).name}"
            if dtype is np.int64:
                row(label, ours, "mutual_info_classif", mutual, "wanted: 50x")
            row(label, ours, "chi2", theirs, "wanted: 4x")


def scores_of_numbers() -> None:
    rng = np.random.default_rng(0)
    X, y, t = rng.normal(size=(10_000, 2_000)), rng.integers(0, 3, 10_000), rng.normal(size=10_000)
    selector = fewer.FTest(10, n_jobs=1)
    row("FTest", best_time(lambda: selector.fit(X, y)), "f_classif", best_time(lambda: f_classif(X, y)), "wanted: 2x")
    ours = best_time(lambda: fewer.Pearson(10, n_jobs=1).fit(X, t))
    row("Pearson", ours, "f_regression", best_time(lambda: f_regression(X, t)), "wanted: 2x")
    quantile = best_time(lambda: fewer.InformationGain(10, n_jobs=1).fit(X, y), repeats=2)
    print(f"{'InformationGain, 10 quantile levels, float64':44} {quantile * 1e3:9.1f} ms")
    for name in ("KruskalWallis", "Spearman", "Kendall"):
        target = y if name == "KruskalWallis" else t
        seconds = best_time(lambda n=name, u=target: fewer.get(n)(10, n_jobs=1).fit(X[:, :200], u), repeats=2)
        print(f"{name + ', 200 features':44} {seconds * 1e3:9.1f} ms")


def small_counts() -> None:
    """Exact p-values: margins that many features have in common, margins of their own, and two by two."""
    rng = np.random.default_rng(0)
    y = (np.arange(72) < 25).astype(int)
    kinds = {
        "72 x 7,129 numbers": rng.normal(size=(72, 7129)),
        "72 x 500 counts": rng.poisson(4.0, (72, 500)).astype(float),
        "72 x 7,129 zeros and ones": (rng.random((72, 7129)) < 0.1).astype(float),
    }
    for words, X in kinds.items():
        for name in ("InformationGain", "RankSum"):
            seconds = best_time(lambda n=name, X=X: fewer.get(n)(10, n_jobs=1).fit(X, y), repeats=2)
            print(f"{name + ', small counts, ' + words:44} {seconds * 1e3:9.1f} ms")


def small_filters() -> None:
    """Scores that see any form of dependence, 10,000 x 500. The peers see a tenth of the columns, times ten."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(10_000, 500))
    y = X[:, 0] + X[:, 1] ** 2 + rng.normal(size=10_000)
    classes, few = np.digitize(y, [0.0, 1.5]), X[:, :50]

    def compare(name: str, target: np.ndarray, peer: str, theirs: Callable[[], object], wanted: str) -> None:
        ours = best_time(lambda: fewer.get(name)(10, n_jobs=1).fit(X, target), repeats=2)
        row(f"{name}, 500 features", ours, peer, 10 * best_time(theirs, repeats=1), wanted)

    compare("ChatterjeeXi", y, "chatterjeexi", lambda: [chatterjeexi(x, y) for x in few.T], "wanted: 10x")
    near = "NeighborMutualInformation"
    compare(near, y, "mutual_info_regression", lambda: mutual_info_regression(few, y), "wanted: 10x")
    compare(near, classes, "mutual_info_classif", lambda: mutual_info_classif(few, classes), "wanted: 10x")
    try:
        import dcor
    except ImportError:
        print("DistanceCorrelation: dcor is not installed")
    else:
        for how in ("avl", "mergesort"):
            words = f"dcor.distance_correlation, {how}"
            work = [lambda x=x, how=how: dcor.distance_correlation(x, y, method=how) for x in few.T]
            compare("DistanceCorrelation", y, words, lambda work=work: [one() for one in work], "wanted: 2x")
    seconds = best_time(lambda: fewer.HSIC(5, n_jobs=1).fit(X[:2_000, :20], y[:2_000]), repeats=1)
    print(f"{'HSIC with p-values, 2,000 x 20':44} {seconds * 1e3:9.1f} ms")


def mixtures() -> None:
    path = SHARED / "leukemia_golub.npz"
    X = np.load(path)["X"].astype(float) if path.exists() else np.random.default_rng(0).normal(size=(72, 7129))
    from fewer.core.runners.threads import ThreadRunner

    with ThreadRunner(1) as run:
        seconds = best_time(lambda: fit_mixtures(X, run), repeats=2)
    print(f"{'mixture EM, 72 x 7,129':44} {seconds * 1e3:9.1f} ms   wanted: under 2,000 ms")


STREAM = """
import sys, fewer
table = fewer.open_table(sys.argv[1], target="y", batch_rows=20_000)
fewer.InformationGain(5).fit(table)
# Not ru_maxrss, which a child inherits from its parent.
print(next(int(line.split()[1]) // 1024 for line in open("/proc/self/status") if line.startswith("VmHWM")))
"""


def streamed_memory() -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    rng = np.random.default_rng(0)
    with tempfile.TemporaryDirectory() as folder:
        for rows in (100_000, 1_000_000):
            path = Path(folder) / f"{rows}.parquet"
            with pq.ParquetWriter(
                path, pa.schema([(f"f{j}", pa.float64()) for j in range(20)] + [("y", pa.int64())])
            ) as w:
                for _ in range(rows // 50_000):
                    columns = [pa.array(rng.normal(size=50_000)) for _ in range(20)]
                    w.write_table(pa.table([*columns, pa.array(rng.integers(0, 2, 50_000))], schema=w.schema))
            start = time.perf_counter()
            out = subprocess.run([sys.executable, "-c", STREAM, str(path)], capture_output=True, text=True, check=True)
            seconds = time.perf_counter() - start
            print(f"streamed InformationGain, {rows:>9,} x 20 rows: peak {int(out.stdout):5} MB, {seconds:.1f} s")


def main() -> None:
    with threadpool_limits(1):
        scores_of_codes()
        scores_of_numbers()
        small_counts()
        small_filters()
        mixtures()
    streamed_memory()


if __name__ == "__main__":
    main()

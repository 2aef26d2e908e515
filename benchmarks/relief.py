"""The Relief family beside its peers, in one run. Prints ratios and the roofline; asserts nothing.

    python benchmarks/relief.py [--full]

These are rows of numbers. Genotypes, which have three levels, are in genotypes.py, and rows on a cluster in
relief_cluster.py; `make bench` runs all three.

Peers are optional: scikit-rebate (skrebate) and fast-select are used where they can be imported. scikit-rebate takes
minutes on 3,000 rows x 1,000 features; without --full it works on a fifth of the rows, and its time is scaled by 5,
which flatters it: it makes one call per row and feature, and the calls of MultiSURF grow with the rows, too.

Beside the time on the clock stands that of the processor, which a busy machine does not lengthen.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
import warnings
from collections.abc import Callable

import numpy as np

from fewer.core.kernels import distances
from fewer.methods.relief.relieff import ReliefF
from fewer.methods.relief.surf import SURF, MultiSURF, MultiSURFStar

N_ROWS, N_FEATURES, K = 3_000, 1_000, 10
SHARE = 5
OURS = {"ReliefF": lambda **kw: ReliefF(n_neighbors=K, **kw), "MultiSURF": MultiSURF}


def planted(n: int, d: int) -> tuple[np.ndarray, np.ndarray]:
    """Normal numbers, two of which make the class together."""
    X = np.random.default_rng(0).normal(size=(n, d))
    return X, (X[:, 0] * X[:, 1] + X[:, 2] > 0).astype(int)


def seconds(work: Callable[[], object], repeats: int = 5) -> tuple[float, float]:
    """Return the shortest time of several runs, on the clock and of the processor."""
    work()
    times = []
    for _ in range(repeats):
        start, cpu = time.perf_counter(), time.process_time()
        work()
        times.append((time.perf_counter() - start, time.process_time() - cpu))
    return min(t[0] for t in times), min(t[1] for t in times)


def once(work: Callable[[], object]) -> tuple[float, object]:
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


Times = dict[int, tuple[float, float]]


def scikit_rebate(name: str, X: np.ndarray, y: np.ndarray, ours: Times, full: bool) -> None:
    try:
        import skrebate
    except ImportError:
        print("    scikit-rebate is not installed")
        return
    some = slice(None) if full else slice(0, len(X) // SHARE)
    made = skrebate.ReliefF(n_neighbors=K) if name == "ReliefF" else skrebate.MultiSURF()
    cpu = time.process_time()
    # It scales its input in place.
    wall, fitted = once(lambda: made.fit(X[some].copy(), y[some]))
    cpu = time.process_time() - cpu
    gap = np.abs(fitted.feature_importances_ - OURS[name]().fit(X[some], y[some]).scores_).max()
    how = "" if full else f" (scaled from {len(X) // SHARE} rows, {wall:.1f} s)"
    wall, cpu = (wall, cpu) if full else (wall * SHARE, cpu * SHARE)
    print(f"    scikit-rebate {wall:.1f} s{how}, largest difference of scores {gap:.1e} (wanted: 1e-6)")
    print(f"      scikit-rebate / ours, one thread: {ratios((wall, cpu), ours[1])} (wanted: 100x)")


def fast_select(name: str, X: np.ndarray, y: np.ndarray, ours: Times) -> None:
    try:
        import fast_select
    except ImportError:
        print("    fast-select is not installed")
        return
    given = {"n_neighbors": K} if name == "ReliefF" else {}
    for threads, own in ours.items():

        def fit(threads: int = threads) -> object:
            made = getattr(fast_select, name)(n_features_to_select=10, backend="cpu", n_jobs=threads, **given)
            return made.fit(X, y)

        taken = seconds(fit, 4)
        print(f"    fast-select {taken[0]:.3f} s on {threads} thread(s), / ours: {ratios(taken, own)} (wanted: 4x)")


def ratios(theirs: tuple[float, float], ours: tuple[float, float]) -> str:
    return f"{theirs[0] / ours[0]:,.1f}x, by processor time {theirs[1] / ours[1]:,.1f}x"


def peak_rate() -> float:
    """Return the fastest a tile of distances goes when nothing has to be fetched, in pairs of numbers per second."""
    rows = np.random.default_rng(0).random((32, 512), dtype=np.float32)
    sums, out = rows.sum(axis=1, dtype=float), np.empty((32, 32))
    one = np.float32(1)

    def work() -> None:
        for _ in range(200):
            distances.l1_tile(rows, rows, sums, sums, one, 0.0, out)

    return 200 * 32 * 32 * 512 / seconds(work)[1]


def clock() -> float | None:
    """Return the clock rate in Hz as this machine tells it."""
    try:
        with open("/proc/cpuinfo", encoding="ascii") as lines:
            return max(float(line.split(":")[1]) * 1e6 for line in lines if line.startswith("cpu MHz"))
    except (OSError, ValueError):
        return None


def roofline(name: str, taken: float) -> None:
    """Compare the time of a fit with that of its distances alone, at the rate of a tile in cache and of the lanes."""
    pairs = N_ROWS * (N_ROWS - 1) // 2 * N_FEATURES
    rate, hertz = peak_rate(), clock()
    print(f"    {name}: {pairs / taken / 1e9:.1f} G pairs of rows and feature per second on one thread, all included;")
    print(f"    tiles in cache reach {rate / 1e9:.1f} G, a fraction of {pairs / taken / rate:.0%}", end="")
    if hertz is not None:
        # One comparison and one multiply-add per pair, 16 float32 lanes, both started in every cycle.
        ideal = 16 * hertz
        print(
            f"; 16 lanes at {hertz / 1e9:.2f} GHz: {ideal / 1e9:.1f} G, a fraction of {pairs / taken / ideal:.0%}",
            end="",
        )
    print()


def wide_memory() -> None:
    """Peak memory beyond the input for 20,000 rows x 500 features."""
    script = """
import numpy as np
from fewer.methods.relief.relief import Relief
from fewer.methods.relief.relieff import ReliefF
from fewer.methods.relief.surf import SURF, MultiSURF, MultiSURFStar, SURFStar
peak = lambda: next(int(l.split()[1]) * 1024 for l in open("/proc/self/status") if l.startswith("VmHWM"))
rng = np.random.default_rng(0)
X = rng.normal(size=(20_000, 500)); y = rng.integers(0, 2, 20_000)
{name}(n_jobs=2).fit(X[:300].copy(), y[:300])
before = peak(); {name}(n_jobs=2).fit(X, y); print((peak() - before) / 2**20)
"""
    for name in ("ReliefF", "MultiSURF"):
        words = [sys.executable, "-c", script.replace("{name}", name)]
        out = subprocess.run(words, capture_output=True, text=True, check=True)
        print(f"{name}, 20,000 rows x 500 features: {float(out.stdout):.0f} MB beyond the input (wanted: < 200)")


def growth() -> None:
    """The cost at four sizes each of n and d; picoseconds per pair of numbers should stay the same."""
    print("seconds of the processor (and picoseconds per pair of rows and feature) on one thread")
    for sizes in (
        [(1_000, 500), (2_000, 500), (4_000, 500), (8_000, 500)],
        [(1_500, d) for d in (50, 200, 800, 3_200)],
    ):
        for n, d in sizes:
            X, y = planted(n, d)
            words = []
            for name, make in {**OURS, "SURF": SURF, "MultiSURFStar": MultiSURFStar}.items():
                taken = seconds(lambda make=make, X=X, y=y: make(n_jobs=1).fit(X, y), 2)[1]
                words.append(f"{name} {taken:.3f} ({2e12 * taken / n**2 / d:.0f})")
            print(f"  {n:6,} x {d:5,}: " + ", ".join(words))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--full", action="store_true")
    full = parser.parse_args().full
    warnings.filterwarnings("ignore")
    X, y = planted(N_ROWS, N_FEATURES)
    print(f"{N_ROWS:,} x {N_FEATURES:,} numbers, two classes")
    for name, make in OURS.items():
        ours = {t: seconds(lambda t=t, make=make: make(n_jobs=t).fit(X, y)) for t in (1, 2)}
        shown = [f"{wall:.3f} s ({cpu:.3f} of the processor)" for wall, cpu in ours.values()]
        print(f"  {name:9} {shown[0]} on one thread, {shown[1]} on two")
        fast_select(name, X, y, ours)
        scikit_rebate(name, X, y, ours, full)
        roofline(name, ours[1][1])
    growth()
    wide_memory()


if __name__ == "__main__":
    main()

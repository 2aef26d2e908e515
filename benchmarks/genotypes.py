"""The Relief family on genotypes (three levels), beside its peers, in one run. Prints ratios; asserts nothing.

    python benchmarks/genotypes.py [--wide | --only-wide]

Peers are optional: scikit-rebate (skrebate) and fast-select are used where they can be imported, at sizes that they
manage. --wide adds 2,350 rows x 230,000 columns, of which users of scikit-rebate report 32 hours on 64 processors;
logs/genotypes.txt is what such a run has printed.

Beside the time on the clock stands that of the processor, which a busy machine does not lengthen.
"""

from __future__ import annotations

import argparse
import resource
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


def missing() -> None:
    """Values that are missing, beside the same rows without bits."""
    from fewer.core.neighbours import row_space

    print("1,000 x 2,000 with missing values: seconds of the processor on one thread, with bits and without")
    bits = row_space.few_valued
    for fraction in (0.0, 0.01, 0.05, 0.2):
        X, y = genotypes(1_000, 2_000)
        numbers = X.astype(np.float32)
        numbers[np.random.default_rng(1).random(X.shape) < fraction] = np.nan
        for name, make in OURS.items():
            given = {"n_jobs": 1, "categorical_features": np.arange(2_000)}
            make(**given).fit(numbers, y)
            taken = seconds(lambda make=make, given=given, Z=numbers, y=y: make(**given).fit(Z, y), 2)[1]
            row_space.few_valued = lambda *_: []
            plain = seconds(lambda make=make, given=given, Z=numbers, y=y: make(**given).fit(Z, y), 1)[1]
            row_space.few_valued = bits
            print(f"  {fraction:4.0%} missing: {name} {taken:.3f} and {plain:.3f}, {plain / taken:.1f}x")


def counting_rate() -> float:
    """Popcounts a second on one thread in the nearest cache, the most that there can be."""
    rows = np.random.default_rng(0).integers(0, 2**63, (16, 128), dtype=np.uint64)
    ends, out = np.array([0, 64, 128]), np.empty((16, 16))

    def work() -> None:
        for _ in range(400):
            level_planes.differing_tile(rows, rows, ends, out)

    return 400 * 16**2 * 64 / seconds(work, 5)[1]


def whole(n: int, d: int) -> None:
    """One fit on two threads, the fraction of it that the popcounts alone would take, and the memory."""
    X, y = genotypes(n, d)
    rate = counting_rate()
    # Words of 64 features of each pair once, and words of 64 rows of every row, for all levels of a feature but one.
    counts = {"levels": n * n / 2 * d / 64 + n * 2 * n / 64 * d, "numbers": n * n / 2 * d / 32 + n * 2 * n / 64 * d}
    for kind, given in (("levels", {"categorical_features": np.arange(d)}), ("numbers", {})):
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        wall, cpu = seconds(lambda X=X, y=y, given=given: MultiSURF(n_jobs=2, **given).fit(X, y), 1)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        print(
            f"  {n:,} x {d:,} {kind}: MultiSURF {wall:.1f} s on two threads, {cpu:.1f} of the processor; popcounts at "
            f"their fastest ({rate / 1e9:.1f} G a second) are {counts[kind] / rate / cpu:.0%} of it; most memory "
            f"{peak / 2**20:.2f} GiB ({before / 2**20:.2f} before), of which X {X.nbytes / 2**30:.2f}",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--wide", action="store_true")
    parser.add_argument("--only-wide", action="store_true")
    asked = parser.parse_args()
    warnings.filterwarnings("ignore")
    if not asked.only_wide:
        beside_peers(300, 500)
        beside_peers(1_000, 2_000)
        growth()
        missing()
    whole(2_350, 20_000)
    if asked.wide or asked.only_wide:
        whole(2_350, 230_000)


if __name__ == "__main__":
    main()

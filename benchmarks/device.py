"""Headlines on one NVIDIA GPU, beside the processor where it answers in reasonable time, in one run.

    python benchmarks/device.py [centres relief peer counts file] [--data FOLDER] [--rows 64000000] [--quick]

Prints the time of the whole call and that of the kernels apart. Needs the extra fewer[cuda]; fast-select is the peer
where it can be imported. Without words all parts are run. FOLDER holds leukemia_golub.npz; random data of that size are
used without it. --quick takes small sizes, to see that all of it runs. Asserts that device and processor select the
same.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

import fewer
from fewer.core.kernels.device import cuda_compiling
from fewer.core.neighbours.device_marks import DeviceSpace, device_parts
from fewer.core.neighbours.row_space import range_space
from fewer.core.runners.device import DeviceRunner
from fewer.core.runners.device_counts import planes_of
from fewer.core.runners.threads import ThreadRunner
from fewer.core.summaries.counts import PairCounts, TargetCounts
from fewer.core.views.blocks import CodesBlock
from fewer.methods.information.mrmr import MRMR
from fewer.methods.rank_order.rank_elimination import RankOrderElimination
from fewer.methods.relief._device_radius import device_sums
from fewer.methods.relief.relieff import ReliefF
from fewer.methods.relief.surf import MultiSURF

FEATURES, LEVELS, KEPT = 631, 5, 50


def timed(words: str, work: Callable[[], Any], repeats: int = 1) -> tuple[Any, float]:
    """Run work, synchronised, and print the shortest time."""
    from numba import cuda

    times = []
    for _ in range(repeats):
        cuda.synchronize()
        begin = time.perf_counter()
        found = work()
        cuda.synchronize()
        times.append(time.perf_counter() - begin)
    print(f"  {words}: {min(times):.3f} s", flush=True)
    return found, min(times)


def codes(n: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Codes of five levels; some features depend on two classes and on each other."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    rows = np.empty((n, FEATURES), np.uint8)
    step = 2**20
    for top in range(0, n, step):
        some = rng.integers(0, 256, (min(step, n - top), FEATURES), np.uint8) % LEVELS
        for j in range(120):
            moved = rng.random(len(some)) < 0.3 / (1 + j)
            some[moved, j] = np.minimum(some[moved, j], 2) + 2 * y[top : top + step][moved]
        rows[top : top + step] = some
    return rows, y


def counts(n: int) -> None:
    print(f"mRMR, {KEPT} of {FEATURES} features of {LEVELS} levels, {n:,} rows in memory as uint8")
    (rows, y), _ = timed("rows made", lambda: codes(min(n, 2**21)))
    rows, y = timed("repeated to all rows", lambda: (repeated(rows, n), repeated(y, n)))[0]
    block = CodesBlock(rows, np.full(FEATURES, LEVELS, np.int64), y)
    with DeviceRunner() as run:
        run.fold(PairCounts(0, 2), [CodesBlock(rows[:1000], block.n_levels, y[:1000])])
        timed("copy to the device, as planes of bits", lambda: planes_of(run.memory, block))
        timed("counts with the classes", lambda: run.fold(TargetCounts(2), [block]), 3)
        found, _ = timed("counts with an anchor and the classes", lambda: run.fold(PairCounts(7, 2), [block]), 3)
        timed("counts with an anchor", lambda: run.fold(PairCounts(7), [block]), 3)
        assert int(found.table.sum()) == n * FEATURES
    with fewer.use("cuda"):
        selector, _ = timed(
            "MRMR.fit, from the array to the selection", lambda: MRMR(KEPT, discretizer=None).fit(rows, y)
        )
    some = slice(0, min(n, 2**20))
    with fewer.use("cuda"):
        there = MRMR(KEPT, discretizer=None).fit(rows[some], y[some]).selection_
    here = MRMR(KEPT, discretizer=None, n_jobs=-1).fit(rows[some], y[some]).selection_
    assert there.indices.tolist() == here.indices.tolist()
    print(
        f"  the first rows: the same {KEPT} features on the processor; first of all: {selector.selection_.indices[:5]}"
    )


def repeated(some: np.ndarray, n: int) -> np.ndarray:
    """Return an array again and again up to n rows; many threads get the memory in a fraction of the time."""
    out = np.empty((n, *some.shape[1:]), some.dtype)

    def fill(top: int) -> None:
        out[top : top + len(some)] = some[: n - top]

    with ThreadPoolExecutor() as pool:
        list(pool.map(fill, range(0, n, len(some))))
    return out


def counts_of_a_file(n: int) -> None:
    """The same from a Parquet file, streamed."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows, y = codes(n)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.parquet"
        columns = {f"x{j}": rows[:, j] for j in range(FEATURES)}
        pq.write_table(pa.table({**columns, "y": y}), path, row_group_size=2**16)
        print(f"mRMR, {KEPT} of {FEATURES}, {n:,} rows, Parquet of {path.stat().st_size / 2**20:,.0f} MiB, streamed")
        table = fewer.open_table(path, target="y")
        with fewer.use("cuda"):
            there, _ = timed("from the file, device", lambda: MRMR(KEPT, discretizer=None).fit(table).selection_)
        here, _ = timed(
            "from the file, processor", lambda: MRMR(KEPT, discretizer=None, n_jobs=-1).fit(table).selection_
        )
        assert there.indices.tolist() == here.indices.tolist()


def genotypes(n: int, d: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    X = (rng.integers(0, 256, (n, d), np.uint8) % 3).astype(np.int8)
    return X, ((X[:, 0] > 0) ^ (X[:, 1] > 0)).astype(int)


def relief(n: int, d: int) -> None:
    print(f"MultiSURF and ReliefF, {n:,} x {d:,} genotypes")
    X, y = genotypes(n, d)
    with DeviceRunner() as run:
        view = made_view(X, y, run)
        space, _ = timed("rows in memory to the device", lambda: range_space(view))
        parts, shares = device_parts(run, space), np.bincount(y) / len(y)
        small = range_space(made_view(X[:64, :256], y[:64], run))
        device_sums(run, small, device_parts(run, small), y[:64], shares, None, False)
        there, up = timed("numbers to bits", lambda: DeviceSpace(run, space, parts, y, 2))
        distance, one = timed("distances", lambda: there.distances(0, n), 3)
        marks, two = timed("marks", lambda: there.within(distance, 0, there.limits(distance, 0)[0], False), 3)
        _, three = timed("weights", lambda: there.differences(marks, np.ones((2, n)), 0), 3)
        near, four = timed("marks of the 10 nearest (ReliefF)", lambda: there.nearest(distance, 0, 10), 3)
        print(
            f"  MultiSURF without reading: {up + one + two + three:.3f} s, of these kernels {one + two + three:.3f} s"
        )
    for method in (MultiSURF, ReliefF):
        with fewer.use("cuda"):
            method(10).fit(X[:100, :200], y[:100])
            timed(f"{method.__name__}.fit, from the array to the selection", lambda: method(10).fit(X, y))


def made_view(X: np.ndarray, y: np.ndarray, run: Any) -> Any:
    """Return a view of rows in memory."""
    selector = MultiSURF(10)
    return selector._read(X, y, None, run, selector.check())


def beside_peer(n: int, d: int) -> None:
    print(f"beside fast-select on the device, {n:,} x {d:,} genotypes")
    try:
        import fast_select as peer
    except ImportError:
        print("  fast-select is not installed")
        return
    X, y = genotypes(n, d)
    numbers = X.astype(np.float64)
    for method, given in ((MultiSURF, {}), (ReliefF, {"n_neighbors": 10})):
        name = method.__name__
        theirs = getattr(peer, name)(n_features_to_select=10, backend="gpu", **given)
        theirs.fit(numbers[:200, :200], y[:200])
        with fewer.use("cuda"):
            method(10).fit(X[:200, :200], y[:200])
            _, ours = timed(f"{name}, fewer", lambda: method(10, **given).fit(X, y), 2)
        _, other = timed(f"{name}, fast-select", lambda: theirs.fit(numbers, y), 2)
        print(f"  {name}: fast-select / fewer {other / ours:.1f}x (wanted: 5x)")


def centres(folder: Path, quick: bool) -> None:
    file, rng = folder / "leukemia_golub.npz", np.random.default_rng(0)
    if file.exists():
        z = np.load(file)
        X, y = z["X"].astype(float), z["y"].astype(int)
    else:
        X, y = rng.normal(size=(72, 7129)) + 2 * rng.normal(size=7129), np.repeat([0, 1], [47, 25])
    X = X[:, :500] if quick else X
    print(f"elimination by class centres, {X.shape[0]} x {X.shape[1]:,} {'leukaemia' if file.exists() else 'random'}")
    made = RankOrderElimination(10, criterion="cdv")
    with fewer.use("cuda"):
        RankOrderElimination(10, criterion="cdv").fit(X[:, :300], y)
        there = eliminated(X, y, DeviceRunner(), "device")
        timed("fit on the device, with the divergence of every step", lambda: made.fit(X, y).selection_)
    threads = min(8, os.cpu_count() or 1)
    here = eliminated(X, y, ThreadRunner(threads), f"processor, {threads} threads")
    assert there.order.tolist() == here.order.tolist()
    assert np.array_equal(there.trace.values, here.trace.values)
    print("  the same order and values on both")


def eliminated(X: np.ndarray, y: np.ndarray, run: Any, words: str) -> Any:
    """Time the elimination alone, from rows in memory to the last feature."""
    from fewer.core.search.elimination import backward_elimination
    from fewer.core.views.row_ranks import ranks_view

    selector = RankOrderElimination(10, criterion="cdv")
    with run:
        view = ranks_view(selector._read(X, y, None, run, selector.check()))
        return timed(f"elimination, {words}", lambda: backward_elimination(view, selector.check().criterion))[0]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("parts", nargs="*", help="which parts to run, in this order")
    parser.add_argument("--data", type=Path, default=Path())
    parser.add_argument("--rows", type=int, default=64_000_000)
    parser.add_argument("--quick", action="store_true")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    print(f"{cuda_compiling.device_name()}, {cuda_compiling.free_bytes() / 2**30:.0f} GiB free")
    quick = given.quick
    parts: dict[str, Callable[[], None]] = {
        "centres": lambda: centres(given.data, quick),
        "relief": lambda: relief(*((300, 2000) if quick else (2350, 230_000))),
        "peer": lambda: beside_peer(*((300, 2000) if quick else (2350, 100_000))),
        "counts": lambda: counts(50_000 if quick else given.rows),
        "file": lambda: counts_of_a_file(20_000 if quick else 1_000_000),
    }
    for name in given.parts or parts:
        parts[name]()


if __name__ == "__main__":
    main()

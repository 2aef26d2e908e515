"""What a Dask cluster moves, against the cost model of docs/scale.md, and how it scales from one process to two.

    python benchmarks/cluster.py             # three sizes, then one and two processes
    python benchmarks/cluster.py --quick     # small, to see that all of it runs

Bytes are those that workers count when they send data, to each other and at last to the client, and those of the
summary that the client gets in every round. The model knows rows, features, levels, classes and row blocks, and nothing
of the run. Asserts that every summary is within 20 % of the model, that no round moves more than the model allows, and
that the selections are those of rows in memory.
"""

from __future__ import annotations

import argparse
import pickle
import sys
import time
import warnings
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

# Another file here is called as a library is that Dask looks for.
sys.path = [place for place in sys.path if Path(place or ".").resolve() != Path(__file__).resolve().parent]

import numpy as np  # noqa: E402

import fewer  # noqa: E402
from fewer.core.runners.cluster import DaskRunner  # noqa: E402
from fewer.core.summaries.quantiles import ITEM_BYTES, MOST_KEPT, SKETCH_BYTES, TABLES  # noqa: E402

LEVELS, CLASSES, KEPT, BLOCKS, FOLDS = 10, 2, 5, 8, 5
METHODS = ("FTest", "InformationGain", "MRMR", "JMI", "CMIM", "RankOrderElimination", "DefaultRecipe")
SIZES = ((10_000, 25), (20_000, 50), (20_000, 100))
QUICK = ((4_000, 20), (4_000, 40), (8_000, 40))
# Within which fraction of the model a summary must be, and bytes that every message has beside its numbers.
WITHIN, AROUND = 0.2, 1024


@dataclass
class Rounds:
    """Names and sizes of the summaries that the client was given, one per round, and what moved between workers.

    Attributes
    ----------
    client : dask.distributed.Client, optional
        Asked for the bytes that its workers sent to each other.
    between : list of int
        Their bytes in every round.
    """

    client: Any = None
    sizes: list[tuple[str, int]] = field(default_factory=list)
    between: list[int] = field(default_factory=list)

    def __enter__(self) -> Rounds:
        from distributed import futures_of, wait

        self._own = own = DaskRunner._folded

        def noted(run: DaskRunner, summary: Any, blocks: Any) -> Any:
            if self.client is not None:
                # What makes the blocks, of rows and of their target, is no part of the round.
                wait(futures_of(blocks))
            before = moved(self.client)
            result = own(run, summary, blocks)
            self.between.append(moved(self.client) - before)
            self.sizes.append((type(summary).__name__, len(pickle.dumps(result, protocol=5))))
            return result

        DaskRunner._folded = noted  # type: ignore[method-assign]
        return self

    def __exit__(self, *_: object) -> None:
        DaskRunner._folded = self._own  # type: ignore[method-assign]


def rows(n: int, d: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Two classes that three features tell apart, one of them nearly twice."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    X[:, 9] = X[:, 0] + 0.1 * rng.normal(size=n)
    return X, (X[:, 0] + X[:, 3] + X[:, 5] + rng.normal(size=n) > 0).astype(int)


def sketch_bytes(n: int, d: int, bins: int = LEVELS) -> float:
    """Return the bytes per feature of a table of quantiles: values with bounds of their ranks."""
    room = SKETCH_BYTES // (TABLES * ITEM_BYTES * d)
    most, kept = max(16 * bins, min(MOST_KEPT, room)), float(n)
    while kept > most:
        # Where two tables together are too large, every second value is left out.
        kept /= 2
    return ITEM_BYTES * kept


def model(n: int, d: int) -> dict[str, float]:
    """Return the bytes of every summary, as docs/scale.md has them."""
    counts = 8 * LEVELS * CLASSES + 8
    return {
        # Rows, means and squares by class, measured from an origin; and the range and the missing values.
        "Both": d * (16 * CLASSES + 8 + 24),
        "RankedValues": d * sketch_bytes(n, d),
        "TargetCounts": d * counts,
        "PairCounts": d * (8 * LEVELS * LEVELS + 8),
        "PairCounts with classes": d * (8 * LEVELS * LEVELS * CLASSES + 8),
        "OrderCounts": d * 4 * d,
        "CountsPerFold": d * FOLDS * counts,
        "ProductsPerFold": d * FOLDS * 8 * d,
    }


def modelled(method: str, n: int, d: int) -> list[tuple[str, float]]:
    """Return the rounds of a method that choose five features, with the bytes of each; of the recipe its largest."""
    sizes = model(n, d)
    steps = {"MRMR": "PairCounts", "JMI": "PairCounts with classes", "CMIM": "PairCounts with classes"}
    levels = ["RankedValues", "TargetCounts"]
    names = {
        "FTest": ["Both"],
        "InformationGain": levels,
        "RankOrderElimination": ["OrderCounts"],
        "DefaultRecipe": ["RankedValues", "CountsPerFold", "ProductsPerFold"],
    }.get(method, [*levels, *[steps.get(method, "")] * KEPT])
    return [(name, sizes[name]) for name in names]


def check_rounds(method: str, n: int, d: int, found: list[tuple[str, int]]) -> float:
    """Return bytes per those of the model; assert that no summary is further than 20 % from it, nor any unexpected.

    Sketches of quantiles are followed by a short round if values were left out. The last step of a search asks at most
    for how features go together, which is the table without classes.
    """
    wanted = modelled(method, n, d)
    large = [(name, size) for name, size in found if size > 200 * d + AROUND or name in ("Both", "OrderCounts")]
    second = [one for one in found if one[0] == "RankedValues"][1:]
    assert len(second) <= 1, (method, found)
    steps = [size for name, size in found if name == "PairCounts"]
    most = [size for name, size in wanted if name.startswith("PairCounts")]
    assert len(steps) <= len(most), (method, found)
    for (name, size), modelled_size in zip([one for one in found if one[0] == "PairCounts"], most):
        least = model(n, d)["PairCounts"]
        assert (1 - WITHIN) * least <= size <= (1 + WITHIN) * modelled_size + AROUND, (method, name, size)
    for name, modelled_size in wanted:
        if name.startswith("PairCounts"):
            continue
        sizes = [size for other, size in found if other == name][:1]
        assert sizes, (method, name, found)
        assert abs(sizes[0] - modelled_size) <= WITHIN * modelled_size + AROUND, (method, name, sizes, modelled_size)
    total = sum(size for _, size in large)
    return total / sum(size for name, size in wanted)


def moved(client: Any) -> int:
    """Return the bytes that workers have sent to each other so far."""
    if client is None:
        return 0
    sent = client.run(lambda dask_worker: sum(one["compressed"] for one in dask_worker.transfer_outgoing_log))
    return sum(sent.values())


def selector(method: str) -> Any:
    """Return a method that keeps five features; the recipe decides itself."""
    return fewer.get(method)(**({} if method == "DefaultRecipe" else {"n_features_to_select": KEPT}))


def communication(sizes: tuple[tuple[int, int], ...]) -> None:
    """Print and check what moves, for every method and size, with two processes."""
    import dask.array as da
    from distributed import Client, LocalCluster

    print(
        f"{BLOCKS} row blocks on two processes, {KEPT} features kept; bytes of all rounds: those of the summaries, per"
    )
    print(
        "those of the model; those that workers sent, per row blocks times summaries; and those sent before any round"
    )
    head = "method                 rows  features  rounds   to the client  model  sent by workers  per most"
    print(f"{head}      reading", flush=True)
    with LocalCluster(2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        for n, d in sizes:
            X, y = rows(n, d)
            held = client.persist([da.from_array(X, chunks=(n // BLOCKS, d)), da.from_array(y, chunks=n // BLOCKS)])
            for method in METHODS:
                here = selector(method).fit(X, y).selection_
                before = moved(client)
                with fewer.use(client), Rounds(client) as seen:
                    there = selector(method).fit(*held).selection_
                between, to_client = sum(seen.between), sum(size for _, size in seen.sizes)
                reading = moved(client) - before - between
                assert there.indices.tolist() == here.indices.tolist(), method
                share = check_rounds(method, n, d, seen.sizes)
                # Every summary of a block is sent at most once, to be merged, and the last one to the client.
                allowed = [BLOCKS * ((1 + WITHIN) * size + AROUND) for _, size in seen.sizes]
                assert all(one <= most for one, most in zip(seen.between, allowed)), (method, seen)
                words = f"{method:20} {n:>8,} {d:>9,} {len(seen.sizes):>7} {to_client:>15,} {share:>6.2f}"
                print(f"{words} {between:>17,} {between / (BLOCKS * to_client):>8.2f} {reading:>12,}", flush=True)


def scaling(n: int, d: int) -> None:
    """Print the seconds of one and of two processes, the rows being there already."""
    import dask.array as da
    from distributed import Client, LocalCluster

    print(f"\n{n:,} rows, {d} features, {BLOCKS} row blocks: seconds by one process and by two, best of three")
    X, y = rows(n, d)
    times: dict[str, list[float]] = {method: [] for method in ("FTest", "InformationGain", "MRMR")}
    for processes in (1, 2):
        with (
            LocalCluster(processes, threads_per_worker=1, dashboard_address=None) as cluster,
            Client(cluster) as client,
        ):
            held = client.persist([da.from_array(X, chunks=(n // BLOCKS, d)), da.from_array(y, chunks=n // BLOCKS)])
            for method, seconds in times.items():
                with fewer.use(client):
                    selector(method).fit(*held)
                    best = np.inf
                    for _ in range(3):
                        begin = time.perf_counter()
                        selector(method).fit(*held)
                        best = min(best, time.perf_counter() - begin)
                seconds.append(best)
    for method, (one, two) in times.items():
        print(f"{method:20} {one:>7.2f} {two:>7.2f}   {one / two:.2f} times as fast", flush=True)


def main() -> None:
    """Run all of it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--part", choices=["communication", "scaling"])
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    if given.part != "scaling":
        communication(QUICK if given.quick else SIZES)
    if given.part != "communication":
        scaling(*((20_000, 20) if given.quick else (600_000, 40)))


if __name__ == "__main__":
    main()

"""The Relief family on a cluster of one and two processes: bytes that workers send, beside the model.

    python benchmarks/relief_cluster.py

The rows are genotypes in a Dask array of float64; logs/relief_cluster.txt is what such a run has printed. It asserts
nothing.
"""

from __future__ import annotations

import sys
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np

import fewer

SIZES = ((400, 1_000), (800, 1_000), (800, 2_000))
# SURF and SURFStar need the mean distance of all pairs first.
ROUNDS = {"MultiSURF": 1, "ReliefF": 1, "SURF": 2}


def sent_by_workers(client: Any) -> int:
    """Return how many bytes workers have sent so far, to each other and to the client."""
    return sum(client.run(lambda dask_worker: dask_worker.transfer_outgoing_bytes_total).values())


def on_cluster(workers: int, genotypes: Any) -> None:
    import dask.array as da
    from distributed import Client, LocalCluster

    with (
        LocalCluster(n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None) as local,
        Client(local, set_as_default=False) as client,
    ):
        for n, d in SIZES:
            X, y = genotypes(n, d)
            rows = client.persist(da.from_array(X.astype(np.float64), chunks=(n // 8, d)))
            labels = client.persist(da.from_array(y, chunks=n // 8))
            for name, rounds in ROUNDS.items():
                made = getattr(fewer, name)(10)
                expected = made.fit(X, y).selection_
                with fewer.use(client):
                    made.fit(rows, labels)
                    sent, start = sent_by_workers(client), time.perf_counter()
                    found = made.fit(rows, labels).selection_
                    wall = time.perf_counter() - start
                sent, model = sent_by_workers(client) - sent, rounds * (workers - 1) * n * d + 8 * d * workers
                same = bool(np.array_equal(found.indices, expected.indices))
                apart = np.abs(found.scores - expected.scores).max()
                print(
                    f"  {workers} process(es), {n:,} x {d:,}: {name} {wall:.2f} s, {sent / 1e6:.2f} MB sent by workers "
                    f"(model {model / 1e6:.2f}), same selection: {same}, scores apart by {apart:.0e}",
                    flush=True,
                )


def main() -> None:
    warnings.filterwarnings("ignore")
    from genotypes import genotypes

    # Dask, here and on the workers, would take the benchmark sparse.py for the package of that name.
    sys.path[:] = [place for place in sys.path if Path(place).resolve() != Path(__file__).resolve().parent]
    for workers in (1, 2):
        on_cluster(workers, genotypes)


if __name__ == "__main__":
    main()

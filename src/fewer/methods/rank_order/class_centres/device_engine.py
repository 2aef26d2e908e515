"""Elimination by class centres on a CUDA device: rounds of removals, of which only the result comes back."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np

from fewer.core.kernels.device.repeated_launches import repeat
from fewer.core.runners.device import DeviceRunner, out_of_memory
from fewer.core.runners.device_counts import grid_of
from fewer.core.summaries.pair_orders import PairOrders, narrowest

# The fraction of features that leave in one round, after which the tables are cut.
ROUND = 0.1
# More classes have too many pairs for the registers of a thread.
MOST_CLASSES = 6


class DeviceCentres:
    """The centres of the classes on the device, and which features leave next.

    Parameters
    ----------
    counts : PairOrders
        How often one feature comes before another.
    """

    def __init__(self, counts: PairOrders) -> None:
        from fewer.core.kernels.device import centre_choice, centre_ranks, centre_sweeps, centre_tables
        from fewer.core.kernels.device.cuda_compiling import cuda

        self.cuda, self.tables, self.ranks = cuda, centre_tables, centre_ranks
        self.sweeps, self.choice = centre_sweeps, centre_choice
        present = np.flatnonzero(counts.rows)
        n, rows = counts.before.shape[1], counts.rows[present]
        dtype = table_type(rows)
        self.numbers, self.n_classes = np.arange(n), len(present)
        shape = (len(present), n, n)
        self.table, self.most = cuda.device_array(shape, dtype), cuda.device_array(shape, dtype)
        before = cuda.to_device(np.ascontiguousarray(counts.before[present]))
        centre_tables.first_tables[grid_of(n, n, len(present))](before, self.table)
        tiles, side = -(-n // centre_tables.WIDE), centre_tables.SIDE
        centre_tables.most_gains[(tiles, tiles, len(present)), (side, side)](self.table, self.most)
        keys = np.stack([_keys(counts.before[c]) for c in present])
        self.keys, self.reach = cuda.to_device(keys.astype(np.int32)), cuda.to_device((2 * rows).astype(np.int32))
        ranks = np.array([_ranks(of_class) for of_class in keys])
        pairs = list(combinations(range(self.n_classes), 2))
        self.target = cuda.to_device(np.array([((ranks[a] - ranks[b]) ** 2).sum() for a, b in pairs], np.int64))
        self.n_pairs = len(pairs)
        self.gone: list[int] = []
        self.queue: list[tuple[int, float]] = []

    def next(self) -> tuple[int, float] | None:
        """Return the feature that leaves next and the change of the distances; None where the device must stop."""
        if not self.queue:
            try:
                found = self.round()
            except Exception as error:
                if not out_of_memory(error):
                    raise
                found = None
            if found is None:
                return None
            lengths = np.sqrt((found[1].astype(float) ** 2).sum(axis=1)) / 4.0
            self.queue = list(zip(found[0].tolist(), lengths.tolist()))[::-1]
        return self.queue[-1]

    def leave(self) -> None:
        """Take that feature away."""
        self.queue.pop()

    def round(self) -> tuple[np.ndarray, np.ndarray] | None:
        """Return the features that leave next, and by how much their distances differ from the first ones.

        None where so many features are near each other that the processor is asked instead. A round that found no room
        counts as not begun.
        """
        cuda, ranks, n = self.cuda, self.ranks, len(self.numbers)
        steps = max(1, int(ROUND * n)) if n > 64 else n
        rank, n_near = (cuda.device_array((self.n_classes, n), np.int32) for _ in range(2))
        near, gaps = (cuda.device_array((self.n_classes, n, ranks.MOST_NEAR), np.int32) for _ in range(2))
        totals = cuda.to_device(np.zeros((self.n_pairs, n), np.int64))
        removed, away = cuda.device_array(steps, np.int32), cuda.device_array((steps, self.n_pairs), np.int64)
        full, done = cuda.to_device(np.zeros(1, np.int32)), cuda.to_device(np.zeros(1, np.int32))
        one, stream = grid_of(n), cuda.stream()
        upper, lower = (cuda.device_array(one[0], np.uint64) for _ in range(2))
        which, gone = cuda.device_array(one[0], np.int32), cuda.device_array(1, np.int32)
        count = ranks.count_ranks[(-(-n // ranks.FEATURES), self.n_classes), ranks.FEATURES * ranks.PARTS, stream]
        parts = -(-n // self.sweeps.FEATURES_AT_ONCE)
        sweep = self.sweeps.sweeper(self.n_classes)[(*one[0], parts), one[1], stream]
        best = self.choice.best_of_blocks[(*one, stream)]
        choose = self.choice.best_of_all[1, one[1], stream]
        take = self.choice.take_away[(*one, stream)]

        def step() -> None:
            count(self.most, self.keys, self.reach, rank, near, gaps, n_near, full)
            sweep(self.table, self.keys, rank, near, gaps, n_near, totals)
            best(totals, self.target, self.keys, upper, lower, which)
            choose(totals, self.target, upper, lower, which, gone, removed, away, done)
            take(self.table, gone, self.keys, totals)

        cuda.synchronize()
        repeat(step, steps, stream)
        if full.copy_to_host()[0]:
            return None
        left = removed.copy_to_host()
        found = self.numbers[left], away.copy_to_host()
        self._cut(np.setdiff1d(np.arange(n), left))
        self.gone += found[0].tolist()
        return found

    def _cut(self, kept: np.ndarray) -> None:
        """Leave the gone features out of all tables."""
        self.numbers = self.numbers[kept]
        if not len(kept):
            return
        shape = (self.n_classes, len(kept), len(kept))
        table, most = (self.cuda.device_array(shape, self.table.dtype) for _ in range(2))
        where = self.cuda.to_device(kept)
        cut = self.tables.cut_tables[grid_of(len(kept), len(kept), self.n_classes)]
        cut(self.table, self.most, where, table, most)
        self.table, self.most = table, most
        self.keys = self.cuda.to_device(np.ascontiguousarray(self.keys.copy_to_host()[:, kept]))


def centres_on_device(run: Any, counts: PairOrders) -> DeviceCentres | None:
    """Return the centres on the device of a runner; None where it has none, or the processor must do."""
    device = getattr(run, "device", run)
    classes, n = int(np.count_nonzero(counts.rows)), counts.before.shape[1]
    if not isinstance(device, DeviceRunner) or not 2 <= classes <= MOST_CLASSES or n < 2:
        return None
    # Two tables, and what is left of both after features are gone.
    needed = counts.before.nbytes + 4 * classes * n * n * table_type(counts.rows).itemsize
    if 2 * int(counts.rows.max()) * n >= 2**30 or needed > device.memory.most:
        return None
    device.memory.clear()
    return device.attempt(lambda: DeviceCentres(counts))


def table_type(rows: np.ndarray) -> np.dtype:
    """Return the type of numbers up to twice the rows of a class, which the gains of two features differ by at most."""
    return np.dtype(narrowest(2 * int(rows.max()), signed=True))


def _keys(before: np.ndarray) -> np.ndarray:
    """Return twice the rank sums, less the same number for all features."""
    return before.sum(axis=0, dtype=np.int64) - before.sum(axis=1, dtype=np.int64)


def _ranks(keys: np.ndarray) -> np.ndarray:
    """Return lower less higher keys."""
    ordered, n = np.sort(keys), len(keys)
    return np.searchsorted(ordered, keys, "left") - (n - np.searchsorted(ordered, keys, "right"))

"""The nearest candidates of every query, and panels of distances; never a matrix of all rows by all rows.

Everything here works on a range of queries against all candidates, so that ranges run on threads side by side and their
results add up or are put one after another. The results do not depend on how the queries are cut.

- `nearest` finds, for queries start to stop, the k nearest candidates of every slot, where a table says which slot a
  candidate takes for a query: its class, hit or miss, class above or below, or one slot for all.
- `panel` returns the distances of queries start to stop from all candidates, for methods that need more than the k
  nearest (a mean distance, a radius); `sharpen` makes those near a limit exact.
- `nearest_on` does the first for all queries on a runner.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from fewer.core.kernels import tiles
from fewer.core.neighbours.tiled_rows import TiledRows

# Candidates of a tile; with the queries of a range their rows stay in the second-level cache.
CANDIDATES_AT_ONCE = 128
QUERIES_AT_ONCE = 128
# More candidates than asked for are kept by inexact distances, to be put in order by exact ones.
SPARE = 4
# Lists of up to so many are sorted at any time; longer ones have room for twice as many and some more, and are cut.
SORTED = 64
ROOM = 64


@dataclass(frozen=True, eq=False)
class Neighbours:
    """Candidates of every query and slot, nearest first, of equal distances the lower number first.

    ``index`` and ``distance`` have shape (n_queries, n_slots, k), or as many as there are candidates, if fewer. Where
    a slot has fewer candidates, index is -1 and distance infinite.
    """

    index: np.ndarray
    distance: np.ndarray


@dataclass(frozen=True, eq=False)
class Slots:
    """Which candidates a query is compared with, and in which list each of them stands.

    Attributes
    ----------
    group : ndarray of int of shape (n_candidates,)
        Number of the group (the class, as a rule) of each candidate.
    kind : ndarray of int of shape (n_queries,)
        Number of the kind (the class, as a rule) of each query.
    table : ndarray of int of shape (n_kinds, n_groups)
        The slot of a candidate of a group for a query of a kind; -1 leaves it out.
    """

    group: np.ndarray
    kind: np.ndarray
    table: np.ndarray

    @property
    def n_slots(self) -> int:
        """Number of lists per query."""
        return int(self.table.max(initial=0)) + 1

    @classmethod
    def one(cls, n_queries: int, n_candidates: int) -> Slots:
        """All candidates in one list."""
        return cls(np.zeros(n_candidates, np.int64), np.zeros(n_queries, np.int64), np.zeros((1, 1), np.int64))

    @classmethod
    def by_class(cls, y: np.ndarray, n_classes: int) -> Slots:
        """One list per class; queries and candidates are the same rows."""
        y = np.ascontiguousarray(y, np.int64)
        return cls(y, y, np.tile(np.arange(n_classes), (n_classes, 1)))

    @classmethod
    def hits_and_misses(cls, y: np.ndarray, n_classes: int) -> Slots:
        """Rows of the own class in list 0, of all others in list 1; queries and candidates are the same rows."""
        y = np.ascontiguousarray(y, np.int64)
        return cls(y, y, 1 - np.eye(n_classes, dtype=np.int64))

    @classmethod
    def above_and_below(cls, y: np.ndarray, n_classes: int) -> Slots:
        """Rows of the own class in list 0, of higher ones in 1, of lower ones in 2."""
        y = np.ascontiguousarray(y, np.int64)
        classes = np.arange(n_classes)
        return cls(y, y, np.sign(classes[None, :] - classes[:, None]) % 3)

    def of(self, query: int) -> np.ndarray:
        """Return the slot of every candidate for one query."""
        return self.table[self.kind[query]][self.group]


def nearest(
    queries: TiledRows,
    candidates: TiledRows,
    k: int,
    start: int,
    stop: int,
    slots: Slots | None = None,
    own: Any = None,
    ordered: bool = True,
) -> Neighbours:
    """Find the k nearest candidates in every slot, for a range of queries.

    Parameters
    ----------
    queries, candidates : TiledRows
        The rows; both made by the same scaling. They may be the same object, then no row is its own neighbour.
    k : int
        Number of neighbours in every slot.
    start, stop : int
        The range of queries.
    slots : Slots, optional
        Lists of every query; all candidates in one list if not given.
    own : ndarray of int of shape (n_queries,), optional
        The candidate that is the query itself and is left out, -1 for none.
    ordered : bool, default=True
        Whether the neighbours must stand in order and have exact distances; otherwise it is enough that they are the
        right ones, which is cheaper.
    """
    slots = Slots.one(queries.n_rows, candidates.n_rows) if slots is None else slots
    own = _own(queries, candidates, start, stop) if own is None else own[start:stop]
    inexact = candidates.error > 0.0
    size = max(1, min(k + SPARE if inexact else k, candidates.n_rows))
    distance, index, farthest = _nearest_by_tiles(queries, candidates, size, start, stop, slots, own)
    if not inexact:
        return Neighbours(index, distance) if size <= SORTED else _ordered(index, distance, k)
    some = index >= 0
    if not ordered:
        some &= _unclear(distance, k, candidates.error)
    rows = np.broadcast_to(np.arange(start, stop)[:, None, None], index.shape)[some]
    distance[some] = candidates.exact(queries, rows, index[some])
    found = _ordered(index, distance, k)
    _mend(found, farthest, queries, candidates, k, start, slots, own)
    return found


def _nearest_by_tiles(
    queries: TiledRows, candidates: TiledRows, size: int, start: int, stop: int, slots: Slots, own: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return distances and numbers of the nearest by the distances of tiles, and how far the others are at least."""
    room = size if size <= SORTED else min(2 * size + ROOM, max(size, candidates.n_rows) + 1)
    shape = (stop - start, slots.n_slots, room)
    counts, limits = np.zeros(shape[:2], np.int64), np.full(shape[:2], np.inf)
    distance, index = np.empty(shape), np.empty(shape, np.int64)
    kind, table, group = slots.kind[start:stop], slots.table, slots.group
    for first in range(0, candidates.n_rows, CANDIDATES_AT_ONCE):
        tile = candidates.tile(queries, start, stop, first, min(first + CANDIDATES_AT_ONCE, candidates.n_rows))
        tiles.keep_nearest(tile, first, own, table, kind, group, size, counts, limits, distance, index)
    if room > size:
        tiles.cut_lists(size, counts, limits, distance, index)
    distance, index = distance[:, :, :size].copy(), index[:, :, :size].copy()
    empty = np.arange(size) >= counts[:, :, None]
    distance[empty], index[empty] = np.inf, -1
    return distance, index, limits


def _unclear(distance: np.ndarray, k: int, error: float) -> np.ndarray:
    """Return which entries of the lists may or may not belong to the k nearest, by inexact distances.

    Clear are those that are nearer than the (k + 1)-th by more than twice the error, and those farther than the k-th
    by as much.
    """
    if distance.shape[2] <= k:
        return np.zeros(distance.shape, bool)
    nearest = np.partition(distance, (k - 1, k), axis=2)
    inner, outer = nearest[:, :, k : k + 1] - 2.0 * error, nearest[:, :, k - 1 : k] + 2.0 * error
    return (distance >= inner) & (distance <= outer)


def nearest_on(run: Any, queries: TiledRows, candidates: TiledRows, k: int, slots: Slots | None = None) -> Neighbours:
    """Find the neighbours of all queries on the threads of a runner."""
    work = partial(_nearest_range, queries, candidates, k, slots)
    parts = run.scan(work, queries.n_rows, QUERIES_AT_ONCE)
    return Neighbours(np.concatenate([p.index for p in parts]), np.concatenate([p.distance for p in parts]))


def _nearest_range(
    queries: TiledRows, candidates: TiledRows, k: int, slots: Slots | None, start: int, stop: int
) -> Neighbours:
    return nearest(queries, candidates, k, start, stop, slots)


def panel(queries: TiledRows, candidates: TiledRows, start: int, stop: int) -> np.ndarray:
    """Return the distances of a range of queries from all candidates, off by at most ``candidates.error``."""
    out = np.empty((stop - start, candidates.n_rows))
    for first in range(0, candidates.n_rows, CANDIDATES_AT_ONCE):
        last = min(first + CANDIDATES_AT_ONCE, candidates.n_rows)
        out[:, first:last] = candidates.tile(queries, start, stop, first, last)
    return out


def sharpen(distance: np.ndarray, limit: np.ndarray, queries: TiledRows, candidates: TiledRows, start: int) -> None:
    """Make the distances of a panel exact where they might lie on either side of a limit.

    ``limit`` holds one number per query, or per query and candidate. It should be a distance or rounded like one.
    """
    if candidates.error == 0.0:
        return
    limit = limit[:, None] if limit.ndim == 1 else limit
    room = 1024
    while True:
        rows, others = np.empty(room, np.int64), np.empty(room, np.int64)
        n = tiles.doubtful_pairs(distance, limit, candidates.error, rows, others)
        if n <= room:
            break
        room = n
    distance[rows[:n], others[:n]] = candidates.exact(queries, rows[:n] + start, others[:n])


def _own(queries: TiledRows, candidates: TiledRows, start: int, stop: int) -> np.ndarray:
    return np.arange(start, stop) if queries is candidates else np.full(stop - start, -1)


def _ordered(index: np.ndarray, distance: np.ndarray, k: int) -> Neighbours:
    """Sort by distance and number, and cut at k."""
    by_number = np.argsort(index, axis=2)
    index, distance = np.take_along_axis(index, by_number, 2), np.take_along_axis(distance, by_number, 2)
    order = np.argsort(distance, axis=2, kind="stable")[:, :, :k]
    return Neighbours(np.take_along_axis(index, order, 2), np.take_along_axis(distance, order, 2))


def _mend(
    found: Neighbours,
    farthest: np.ndarray,
    queries: TiledRows,
    candidates: TiledRows,
    k: int,
    start: int,
    slots: Slots,
    own: np.ndarray,
) -> None:
    """Search again, exactly, where a candidate that was not kept might be nearer than the last neighbour."""
    # Where nothing was left out, nothing can be nearer.
    doubtful = np.isfinite(farthest) & (found.distance[:, :, -1] >= farthest - candidates.error)
    everyone = np.arange(candidates.n_rows)
    for i in np.flatnonzero(doubtful.any(axis=1)).tolist():
        exact = candidates.exact(queries, np.full(candidates.n_rows, start + i), everyone)
        slot = slots.of(start + i)
        if own[i] >= 0:
            slot = np.where(everyone == own[i], -1, slot)
        for s in np.flatnonzero(doubtful[i]):
            among = np.flatnonzero(slot == s)
            best = among[np.argsort(exact[among], kind="stable")[:k]]
            found.index[i, s, : len(best)], found.distance[i, s, : len(best)] = best, exact[best]

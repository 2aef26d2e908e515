"""The k nearest rows of every row by squared Euclidean distance; never a matrix of all rows by all rows.

Bounds of distances come from products of blocks of rows, each block of pairs once. What might be among the nearest by
its bounds is measured again exactly, so that the result depends neither on the number of threads nor on the processor.
"""

from __future__ import annotations

from contextlib import nullcontext
from threading import Lock
from typing import Any

import numpy as np

from fewer.core.kernels import row_bounds
from fewer.core.neighbours.row_points import RowPoints

BLOCK = 512
# Places in the list of a row beyond twice the number that is asked for.
ROOM = 64
PAIRS_AT_ONCE = 2**14


def nearest_rows(run: Any, points: RowPoints, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Find the nearest other rows of every row; of equally far ones those with lower numbers.

    Parameters
    ----------
    run : Runner
        Its threads do the work.
    points : RowPoints
        The rows.
    k : int
        Number of neighbours; all others if there are fewer.

    Returns
    -------
    index : ndarray of int of shape (n_rows, min(k, n_rows - 1))
        Nearest first.
    distance : ndarray of the same shape
        Squared distances.
    """
    n = points.n_rows
    k = min(k, n - 1)
    if k < 1:
        return np.zeros((n, 0), np.int64), np.zeros((n, 0))
    first = _first_of_equals(points)
    alone = np.flatnonzero(first == np.arange(n))
    if len(alone) == n:
        return _search(run, points, k)
    return _among_copies(run, points, first, alone, k)


def _first_of_equals(points: RowPoints) -> np.ndarray:
    """Return for every row the first row that is equal to it."""
    n = points.n_rows
    first, keys = np.arange(n), points.keys()
    order = np.argsort(keys, kind="stable")
    same = np.flatnonzero(keys[order[1:]] == keys[order[:-1]])
    leaders: list[int] = []
    last = -2
    for at in same.tolist():
        if at != last + 1:
            leaders = [int(order[at])]
        last, row = at, int(order[at + 1])
        away = points.exact(np.full(len(leaders), row), np.array(leaders))
        if (away == 0).any():
            first[row] = leaders[int(np.argmax(away == 0))]
        else:
            leaders.append(row)
    return first


def _among_copies(
    run: Any, points: RowPoints, first: np.ndarray, alone: np.ndarray, k: int
) -> tuple[np.ndarray, np.ndarray]:
    """Find the neighbours of rows some of which are equal: those of different rows, then all copies of these."""
    n = points.n_rows
    index, distance = _search(run, points.take(alone), min(k, len(alone) - 1))
    index = alone[index]
    place = np.empty(n, np.int64)
    place[alone] = np.arange(len(alone))
    copies = np.argsort(place[first], kind="stable")
    begin = np.searchsorted(place[first][copies], np.arange(len(alone) + 1))
    found, far = np.empty((n, k), np.int64), np.empty((n, k))
    for u, leader in enumerate(alone.tolist()):
        near = np.concatenate([[leader], index[u]]).astype(np.int64)
        away = np.concatenate([[0.0], distance[u]])
        # One more than k of each are enough, the row itself being one.
        members = [copies[begin[p] : min(begin[p + 1], begin[p] + k + 1)] for p in place[near]]
        rows, away = np.concatenate(members), np.repeat(away, [len(m) for m in members])
        order = np.lexsort((rows, away))
        rows, away = rows[order], away[order]
        for i in copies[begin[u] : begin[u + 1]].tolist():
            others = np.flatnonzero(rows != i)[:k]
            found[i], far[i] = rows[others], away[others]
    return found, far


def _search(run: Any, points: RowPoints, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Find the neighbours of rows that are all different, or nearly all."""
    n = points.n_rows
    if k < 1:
        return np.zeros((n, 0), np.int64), np.zeros((n, 0))
    lists = _Lists(points, k)
    run.scan(lists.offer, n, BLOCK)
    lists.finish()
    parts = run.scan(lists.nearest, n, BLOCK)
    return np.concatenate([p[0] for p in parts]), np.concatenate([p[1] for p in parts])


class _Lists:
    """The possible neighbours of every row, by bounds."""

    def __init__(self, points: RowPoints, k: int) -> None:
        n = points.n_rows
        size = min(2 * k + ROOM, n + 1)
        self.points, self.k = points, k
        self.counts, self.limits = np.zeros(n, np.int64), np.full(n, np.inf)
        self.lower, self.upper = np.empty((n, size)), np.empty((n, size))
        self.index = np.empty((n, size), np.int64)
        self.locks = [Lock() for _ in range(0, n, BLOCK)]

    def offer(self, start: int, stop: int) -> None:
        """Look at all pairs of a block of rows with itself and the rows behind it."""
        points, n, scratch = self.points, self.points.n_rows, np.empty(self.lower.shape[1])
        for first in range(start, n, BLOCK):
            products = points.products(start, stop, first, min(first + BLOCK, n))
            second = nullcontext() if first == start else self.locks[first // BLOCK]
            with self.locks[start // BLOCK], second:
                row_bounds.offer_tile(
                    products, start, first, points.norms, points.slack, points.floor, self.k,
                    self.counts, self.limits, self.lower, self.upper, self.index, scratch,
                )  # fmt: skip

    def finish(self) -> None:
        """Drop what is too far for sure."""
        scratch = np.empty(self.lower.shape[1])
        row_bounds.cut_lists(self.k, self.counts, self.limits, self.lower, self.upper, self.index, scratch)

    def nearest(self, start: int, stop: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the nearest of the candidates of a range of rows, by exact distances."""
        index, distance = np.empty((stop - start, self.k), np.int64), np.empty((stop - start, self.k))
        clear = self.counts[start:stop] >= 0
        counts = np.where(clear, self.counts[start:stop], 0)
        some = np.arange(self.index.shape[1]) < counts[:, None]
        rows, others = np.nonzero(some)[0], self.index[start:stop][some]
        away = self._exact(rows + start, others)
        # By row, then by distance, then by number: the first k of each row.
        order = np.lexsort((others, away, rows))
        begin = np.concatenate([[0], np.cumsum(counts)])[:-1]
        first_k = order[(begin[clear][:, None] + np.arange(self.k))]
        index[clear], distance[clear] = others[first_k], away[first_k]
        everyone = np.arange(self.points.n_rows)
        for i in np.flatnonzero(~clear).tolist():
            away = self._exact(np.full(len(everyone), start + i), everyone)
            order = np.lexsort((away, everyone == start + i))[: self.k]
            index[i], distance[i] = order, away[order]
        return index, distance

    def _exact(self, rows: np.ndarray, others: np.ndarray) -> np.ndarray:
        out = np.empty(len(rows))
        for top in range(0, len(rows), PAIRS_AT_ONCE):
            some = slice(top, top + PAIRS_AT_ONCE)
            out[some] = self.points.exact(rows[some], others[some])
        return out

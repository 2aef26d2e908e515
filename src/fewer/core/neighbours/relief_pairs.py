"""Pairs of near rows with what a difference of each adds to a weight by ReliefF or RReliefF.

The weight of any column, also of one that took no part in the distance, is the weighted sum of its differences over
one fixed list of pairs; so cuts of a feature and features made of others are compared on equal terms.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fewer.core.neighbours.relief_weights import NOTHING
from fewer.core.neighbours.row_space import range_space
from fewer.core.neighbours.spaces import Space
from fewer.core.neighbours.topk import QUERIES_AT_ONCE, Slots, nearest
from fewer.core.views.view import View

# Pairs of near rows that are kept in memory: 16 bytes each, and as much again per thread.
MOST_PAIRS = 2**22


@dataclass(frozen=True, eq=False)
class ReliefPairs:
    """Rows and their neighbours, pair by pair.

    Attributes
    ----------
    space : Space
        The rows.
    rows : ndarray of int
        The rows that asked for neighbours, ascending.
    first, second : ndarray of int32 of shape (n_pairs,)
        A row and one of its neighbours; the pairs of a row stand together.
    weights : ndarray of shape (n_pairs,)
        What a difference of 1 between the two adds to the weight of a feature.
    """

    space: Space
    rows: np.ndarray
    first: np.ndarray
    second: np.ndarray
    weights: np.ndarray

    @property
    def lists(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Rows, neighbours and weights of all pairs."""
        return self.first, self.second, self.weights

    def of_features(self) -> np.ndarray:
        """Return the weight of every feature of the space: that of ReliefF, or of RReliefF."""
        starts = np.searchsorted(self.first, np.append(self.rows, self.space.n_rows))
        return self.space.add_pairs(self.space, self.rows, starts, self.second.astype(np.int64), self.weights)

    def of_levels(self, column: np.ndarray) -> float:
        """Return the weight of a column of levels; a pair with a missing one does not count."""
        a, b = column[self.first], column[self.second]
        return float(self.weights[(a != b) & (a == a) & (b == b)].sum())

    def of_numbers(self, column: np.ndarray) -> float:
        """Return the weight of a column of finite numbers, by its range; a pair with a missing one does not count."""
        low, high = np.nanmin(column), np.nanmax(column)
        if not high > low:
            return 0.0
        # Scaled first: the range of huge numbers would overflow.
        size = max(abs(low), abs(high))
        scaled = (column / size - low / size) / (high / size - low / size)
        gap = np.abs(scaled[self.first] - scaled[self.second])
        return float(self.weights @ np.where(np.isnan(gap), 0.0, gap))

    def of_cuts(self, places: np.ndarray, n_places: int) -> np.ndarray:
        """Return what the cut behind each of all places but the last weighs: the sum of the pairs that it separates.

        Parameters
        ----------
        places : ndarray of int of shape (n_rows,)
            Place of every row among the values of a feature, -1 if its value is missing.
        n_places : int
            Number of different values.
        """
        a, b = places[self.first], places[self.second]
        known = (a >= 0) & (b >= 0)
        a, b, weights = a[known], b[known], self.weights[known]
        steps = np.bincount(np.minimum(a, b), weights, n_places) - np.bincount(np.maximum(a, b), weights, n_places)
        return np.cumsum(steps)[:-1]


def asking_rows(view: View, k: int, n_samples: int | None, random_state: Any) -> np.ndarray:
    """Return the rows that look for neighbours: a random choice, all if they make no more than 4 million pairs."""
    per_row = min(k, view.n_rows) * max(1, view.n_classes)
    wanted = max(1, MOST_PAIRS // per_row) if n_samples is None else n_samples
    if wanted >= view.n_rows:
        return np.arange(view.n_rows)
    return np.sort(np.random.default_rng(random_state).choice(view.n_rows, wanted, replace=False))


def relief_pairs(
    view: View, k: int, rows: np.ndarray | None = None, ramp: tuple[float, float] | None = None
) -> ReliefPairs:
    """Return rows and their k nearest of every class, or of all rows if the target is numeric, with their weights.

    Parameters
    ----------
    view : View
        Dense rows in memory, of classes or of numbers.
    k : int
        Neighbours per list; all there are if fewer.
    rows : ndarray of int, optional
        The rows that look for neighbours, ascending; all if not given.
    ramp : tuple of two floats, optional
        As in `range_space`.
    """
    block, classes, n_groups = view.whole(), view.n_classes > 0, max(1, view.n_classes)
    rows = np.arange(view.n_rows) if rows is None else rows
    group = block.y.astype(np.int64) if classes else np.zeros(block.n_rows, np.int64)
    space = range_space(view, ramp)
    slots = Slots(group, group[rows], np.tile(np.arange(n_groups), (n_groups, 1)))
    queries = space.take(rows)

    def work(start: int, stop: int) -> np.ndarray:
        return nearest(queries, space, k, start, stop, slots, rows).index.astype(np.int32)

    near = np.concatenate(view.run.scan(work, len(rows), QUERIES_AT_ONCE))
    weight = _class_weights(near, group, rows) if classes else _number_weights(near, block.y, rows)
    known = near >= 0
    first = np.broadcast_to(rows[:, None, None], near.shape)[known].astype(np.int32)
    return ReliefPairs(space, rows, first, near[known], np.broadcast_to(weight, near.shape)[known])


def _class_weights(near: np.ndarray, group: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return the factors of ReliefF: misses by p_y / (1 - p_own), hits by -1, each over rows and neighbours."""
    share = np.bincount(group, minlength=near.shape[1]) / len(group)
    own = group[rows]
    factor = share[None, :] / np.maximum(1.0 - share[own], np.finfo(float).tiny)[:, None]
    factor[np.arange(len(rows)), own] = -1.0
    # A class with fewer rows than neighbours are asked for counts what it has.
    return (factor / np.maximum((near >= 0).sum(axis=2), 1) / len(rows))[:, :, None]


def _number_weights(near: np.ndarray, y: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return the factors of RReliefF (Alg. 9.3.2): d / N_dY - (1 - d) / (m - N_dY), each over neighbours."""
    width = y.max() - y.min()
    d = np.abs(y[rows][:, None, None] - y[near]) / (width if width > 0 else 1.0)
    n_near = np.maximum((near >= 0).sum(axis=2, keepdims=True), 1)
    changed, m = float(np.sum(np.where(near >= 0, d, 0.0) / n_near)), len(rows)
    same = m - changed
    more = d / changed if changed > NOTHING * m else np.zeros_like(d)
    return (more - ((1.0 - d) / same if same > NOTHING * m else 0.0)) / n_near

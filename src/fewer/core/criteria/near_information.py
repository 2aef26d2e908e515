"""Mutual information of numbers by nearest rows: with classes, with numbers, and of pairs with either."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from scipy.special import digamma

from fewer.core.kernels import near_counts
from fewer.core.measures import information_gain
from fewer.core.views.unit_columns import scan_columns, stable_order, unit_columns
from fewer.core.views.view import View

NO_ROWS = np.empty(0, np.int64)
# Strips hold this number times the root of the number of rows.
STRIP = 3.0


class NearInformation:
    """Information in nats of the columns of dense rows by the k nearest rows, never below 0.

    Kraskov, Stoegbauer and Grassberger 2004 (algorithm 1) for numbers, Ross 2014 for classes; equal rows as in Gao and
    others 2017.

    Parameters
    ----------
    view : View
        All rows of numbers, in memory; columns may be nominal for `relevance` only.
    n_neighbors : int
        k.
    """

    def __init__(self, view: View, n_neighbors: int) -> None:
        block = view.whole()
        self.view, self.k, self.run, X, y = view, n_neighbors, view.run, block.X, np.asarray(block.y)
        self.every, self.by_class = X, view.classes is not None
        if self.by_class:
            # A row that is alone in its class has no neighbour there.
            kept = np.flatnonzero(np.bincount(y)[y] > 1)
            X, y = X[kept], np.unique(y[kept], return_inverse=True)[1].astype(np.int64)
        order = np.argsort(y, kind="stable")
        self.X, self.y, self.n = np.ascontiguousarray(X[order]), y[order], len(y)
        self.sizes = np.bincount(self.y) if self.by_class else NO_ROWS
        self.psi = np.concatenate([[0.0], digamma(np.arange(1, max(view.n_rows, 1) + 1))])
        self.numbers: np.ndarray = np.zeros(self.n)
        self.spread = 0.0
        if not self.by_class:
            self.numbers, self.spread = _unit(self.y)

    def relevance(self) -> np.ndarray:
        """Return I(f; y) of every column."""
        if self.n < 2:
            return np.zeros(self.view.n_features)
        numbers = partial(self._with_numbers, self.numbers, self.spread)
        out = scan_columns(self.X, self.run, self._with_classes if self.by_class else numbers)
        for j in np.flatnonzero(self.view.nominal):
            out[j] = self._of_levels(self.X[:, j].astype(np.int64))
        return out

    def redundancy_with(self, j: int) -> np.ndarray:
        """Return I(f; s) of every column with column ``j``; what it has with itself means nothing."""
        # The target plays no part, so that rows which are alone in their class count, too.
        if len(self.every) < 2:
            return np.zeros(self.view.n_features)
        order = np.argsort(self.every[:, j], kind="stable")
        return scan_columns(self.every[order], self.run, partial(self._with_numbers, *_unit(self.every[order, j])))

    def joint_with(self, j: int) -> np.ndarray:
        """Return I(f, s; y) of every column together with column ``j``."""
        if self.n < 2:
            return np.zeros(self.view.n_features)
        # Rows are sorted by y, so that their number is the place of y.
        places = np.argsort(self.X[:, j], kind="stable")
        work = partial(self._of_pair, places, *_unit(self.X[places, j]))
        return scan_columns(self.X[places], self.run, work)

    def _with_classes(self, column: np.ndarray, spread: float) -> float:
        return self._by_label(column, self.y, self.sizes) if spread > 0.0 else 0.0

    def _by_label(self, numbers: np.ndarray, labels: np.ndarray, sizes: np.ndarray) -> float:
        """Return Ross's estimate; each label has two rows."""
        order, times = stable_order(numbers), self._times()
        near_counts.count_classes(numbers[order], labels[order], sizes, self.k, times)
        return self._estimate(times, len(numbers))

    def _with_numbers(self, other: np.ndarray, other_spread: float, column: np.ndarray, spread: float) -> float:
        """Return the estimate of Kraskov and others; rows are sorted by the other column."""
        if not (spread > 0.0 and other_spread > 0.0):
            return 0.0
        by_column, ranks, rows, strips = self._strips(column)
        scales = np.array([1.0 / spread, 1.0 / other_spread, 0.0])
        n, times = len(column), self._times()
        k, zeros = min(self.k, n - 1), np.zeros(n, np.int64)
        a, b, ordered = column[rows], other[rows], column[by_column]
        near_counts.count_numbers(a, b, ranks[rows], rows, ordered, other, zeros, *strips, scales, k, times)
        return self._estimate(times, n)

    def _of_pair(
        self, places: np.ndarray, second: np.ndarray, second_spread: float, column: np.ndarray, spread: float
    ) -> float:
        """Return the estimate for a column and a second one, by which rows are sorted, together."""
        if not self.by_class and not self.spread > 0.0:
            return 0.0
        _, _, rows, strips = self._strips(column)
        spreads, times = np.array([spread, second_spread, self.spread]), self._times()
        # A constant adds no distance.
        scales = np.divide(1.0, spreads, out=np.zeros(3), where=spreads > 0.0)
        at = places[rows]
        classes = self.y[at] if self.by_class else np.zeros(self.n, np.int64)
        k = self.k if self.by_class else min(self.k, self.n - 1)
        a, b, c = column[rows], second[rows], self.numbers[at]
        near_counts.count_pairs(a, b, c, at, self.numbers, classes, self.sizes, *strips, scales, k, times)
        return self._estimate(times, self.n)

    def _estimate(self, times: np.ndarray, n_rows: int) -> float:
        return max(0.0, float(self.psi[n_rows] + times @ self.psi / n_rows))

    def _times(self) -> np.ndarray:
        return np.zeros(len(self.psi), np.int64)

    def _strips(self, column: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, tuple[Any, ...]]:
        """Return what sorts a column, its ranks, the rows in strips of it, and what the strips are."""
        n = len(column)
        width = max(8, int(STRIP * np.sqrt(n)))
        low, high = np.empty((2, -(-n // width)))
        ranks, rows = np.empty((2, n), np.int64)
        by_column = stable_order(column)
        near_counts.in_strips(column, by_column, width, ranks, rows, low, high)
        return by_column, ranks, rows, (low, high, width)

    def _of_levels(self, levels: np.ndarray) -> float:
        """Return the information of a nominal column: counts with classes, Ross's estimate with numbers."""
        if self.by_class:
            table = np.zeros((levels.max() + 1, len(self.sizes)), np.int64)
            np.add.at(table, (levels, self.y), 1)
            return float(information_gain(table[table.any(axis=1)]))
        kept = np.flatnonzero(np.bincount(levels)[levels] > 1)
        if not (self.spread > 0.0 and len(kept)):
            return 0.0
        labels = np.unique(levels[kept], return_inverse=True)[1].astype(np.int64)
        order = np.argsort(labels, kind="stable")
        return self._by_label(self.numbers[kept][order], labels[order], np.bincount(labels))


def _unit(column: np.ndarray) -> tuple[np.ndarray, float]:
    columns, spread = unit_columns(column[:, None])
    return columns[0], float(spread[0])

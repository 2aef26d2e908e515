"""The nearest of known rows to new ones, where every feature counts by its range and a weight."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fewer.core.kernels.weighted_rows import weighted_tile
from fewer.core.neighbours.mixed_spaces import LEAST_WIDTH, mean_differences
from fewer.core.neighbours.row_space import column_ranges
from fewer.core.neighbours.spaces import GRID, NumberSpace, number_space
from fewer.core.neighbours.topk import nearest_on
from fewer.core.views.view import View

QUERIES = 64
# Of every feature the known values of every class, sorted.
Known = dict[int, list[np.ndarray]]


@dataclass(frozen=True, eq=False)
class MixedRows:
    """Known rows. Features of weight 0 are left out, others have weights of at most 1.

    Attributes
    ----------
    used : ndarray of int
        The features with a weight.
    weights : ndarray of shape (n_used,)
        Their weights.
    low, factor : ndarray of shape (n_used,)
        ``(X - low) * factor`` lies in [0, 1] for numbers, and is the number of a level from 1 on, 0 for an unknown one.
    top : ndarray of shape (n_used,)
        To which numbers are cut: 1, or infinity for levels.
    begin, slope : ndarray of shape (n_used,)
        Where the ramp of a feature begins, and how steep it is.
    values : ndarray of shape (n_rows, n_used)
        The rows, numbers scaled to [0, 1].
    label : ndarray of int of shape (n_rows,)
        The class of each row, whose values a missing one is thought to take.
    squared : bool
        Whether differences are squared.
    numbers : NumberSpace, optional
        The rows where they are complete numbers without a ramp.
    """

    used: np.ndarray
    weights: np.ndarray
    low: np.ndarray
    factor: np.ndarray
    top: np.ndarray
    begin: np.ndarray
    slope: np.ndarray
    values: np.ndarray
    label: np.ndarray
    squared: bool
    numbers: NumberSpace | None = None

    def nearest(self, X: np.ndarray, k: int, run: Any) -> tuple[np.ndarray, np.ndarray]:
        """Return distances and numbers of the k nearest known rows, nearest first, of equal ones the lower number.

        Parameters
        ----------
        X : ndarray of shape (n_new, n_features)
            New rows. Numbers beyond the known range count as its ends, unknown levels differ from all known ones.
        k : int
            At most as many as there are known rows.
        run : Runner
            Its threads do the work.
        """
        rows = self._scaled(np.asarray(X, dtype=np.float64)[:, self.used])
        if self.numbers is not None and not np.isnan(rows).any():
            found = nearest_on(run, self.numbers.of(rows), self.numbers, k)
            return found.distance[:, 0], found.index[:, 0]
        known = {f: self._known(f) for f in range(self.values.shape[1])}
        tables = self._tables(known)

        def work(start: int, stop: int) -> tuple[np.ndarray, np.ndarray]:
            distance = self._distances(rows[start:stop], known, tables)
            order = _first(distance, k)
            return np.take_along_axis(distance, order, 1), order

        parts = run.scan(work, len(rows), QUERIES)
        return np.concatenate([p[0] for p in parts]), np.concatenate([p[1] for p in parts])

    def _scaled(self, X: np.ndarray) -> np.ndarray:
        with np.errstate(over="ignore"):
            return np.clip((X - self.low) * self.factor, 0.0, self.top)

    def _distances(self, rows: np.ndarray, known: Known, tables: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
        """Return the distances of new rows from all known ones, rounded so that equal ones are equal."""
        mine = np.zeros((int(self.label.max()) + 1, *rows.shape))
        for f in np.flatnonzero(np.isnan(self.values).any(axis=0)).tolist():
            for c, values in enumerate(known[f]):
                mine[c, :, f] = self._mean(values, rows[:, f], f)
        out = np.empty((len(rows), len(self.values)))
        ramp = self.begin, self.slope
        weighted_tile(rows, self.values, *ramp, self.weights, self.squared, self.label, mine, *tables, out)
        return np.floor(out * GRID + 0.5) / GRID

    def _tables(self, known: Known) -> tuple[np.ndarray, np.ndarray]:
        """Return mean differences from all known values: of every row's value, and of those of its class."""
        theirs = np.zeros(self.values.shape)
        both = np.zeros((int(self.label.max()) + 1, self.values.shape[1]))
        for f in range(self.values.shape[1]):
            column = self.values[:, f]
            every = np.sort(column[~np.isnan(column)])
            theirs[:, f] = self._mean(every, column, f)
            for c, values in enumerate(known[f]):
                both[c, f] = self._mean(every, values, f).mean() if len(values) else 0.0
        return np.nan_to_num(theirs), both

    def _known(self, f: int) -> list[np.ndarray]:
        """Return the known values of a feature in every class, sorted; of all rows where a class has none."""
        column, n_classes = self.values[:, f], int(self.label.max()) + 1
        here = ~np.isnan(column)
        each = [np.sort(column[here & (self.label == c)]) for c in range(n_classes)]
        return [one if len(one) else np.sort(column[here]) for one in each]

    def _mean(self, known: np.ndarray, values: np.ndarray, f: int) -> np.ndarray:
        if not len(known):
            return np.zeros(len(values))
        return np.nan_to_num(mean_differences(known, values, self.begin[f], 1.0 / self.slope[f]))


def _first(distance: np.ndarray, k: int) -> np.ndarray:
    """Return the columns of the k smallest entries of every row, smallest first, of equal ones the lower column."""
    last = np.partition(distance, k - 1, axis=1)[:, k - 1]
    order = np.empty((len(distance), k), np.int64)
    for i, row in enumerate(distance):
        near = np.flatnonzero(row <= last[i])
        order[i] = near[np.argsort(row[near], kind="stable")[:k]]
    return order


def weighted_rows(
    view: View, weights: np.ndarray, ramp: tuple[float, float] | None = None, *, squared: bool = False
) -> MixedRows:
    """Return the rows of a view with weights of features, at least one of them above 0.

    Differences are those of `range_space`; a missing value of a known row takes the mean over the values of its class,
    one of a new row, whose class nobody knows, that over all known values.
    """
    block, (low, _, factor) = view.whole(), column_ranges(view)
    used = np.flatnonzero(weights > 0)
    levels = view.nominal[used]
    begin, span = (0.0, 1.0) if ramp is None else (ramp[0], max(ramp[1] - ramp[0], LEAST_WIDTH))
    X = np.ascontiguousarray(block.X[:, used], dtype=np.float64)
    rows = MixedRows(
        used,
        weights[used] / weights[used].max(),
        np.where(levels, -1.0, low[used]),
        np.where(levels, 1.0, factor[used]),
        np.where(levels, np.inf, 1.0),
        np.where(levels, 0.0, begin),
        1.0 / np.where(levels, 1.0, span),
        X,
        block.y.astype(np.int64) if view.n_classes else np.zeros(view.n_rows, np.int64),
        squared,
    )
    rows, space = replace(rows, values=rows._scaled(X)), None
    if ramp is None and not levels.any() and not np.isnan(X).any():
        counted = np.sqrt(rows.weights) if squared else rows.weights
        space = number_space(rows.values, np.zeros(len(used)), counted, squared=squared)
    return replace(rows, numbers=space)

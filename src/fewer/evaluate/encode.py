"""Columns of a fold as any estimator can take them; all that is learned of them is of training rows."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from fewer.evaluate.data import Data

# A nominal column with more levels than this is told by means of the target, because one column per level would be
# thousands; that many rows of the overall mean are added to every level, so that rare levels say little.
MOST_LEVELS, PRIOR_ROWS = 20, 5.0
# Training rows get the means of other training rows, in so many parts; their own target would give itself away.
N_PARTS = 5
# Encoded columns are kept for the next subset up to so many cells.
MOST_KEPT_CELLS = 4_000_000

Pair = tuple[np.ndarray, np.ndarray]


@dataclass(eq=False)
class FoldColumns:
    """The training and test rows of one fold, its nominal columns encoded once, whatever subsets they are in."""

    data: Data
    train: np.ndarray
    test: np.ndarray
    _kept: dict[int, Pair] = field(default_factory=dict)
    _cells: int = 0

    def of(self, columns: np.ndarray) -> Pair:
        """Return training and test rows of some features.

        Nominal features of few levels become one column per level, those of many levels the smoothed mean of the target
        at their level (for classes one column per class, of two classes one), missing numbers the median.
        """
        nominal = self.data.nominal[columns]
        if not nominal.any() and not self.data.missing:
            return self._taken(self.train, columns), self._taken(self.test, columns)
        plain = columns[~nominal]
        numbers = iter(_filled(self._taken(self.train, plain), self._taken(self.test, plain)))
        parts = [self._encoded(int(j)) if is_nominal else next(numbers) for j, is_nominal in zip(columns, nominal)]
        return np.hstack([known for known, _ in parts]), np.hstack([new for _, new in parts])

    def _taken(self, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
        if self.data.sparse:
            return np.asarray(self.data.X[:, columns][rows].toarray(), dtype=float)
        return np.asarray(self.data.X[np.ix_(rows, columns)], dtype=float)

    def _encoded(self, j: int) -> Pair:
        if j in self._kept:
            return self._kept[j]
        known, new = (self._taken(rows, np.array([j]))[:, 0] for rows in (self.train, self.test))
        levels = np.unique(known[~np.isnan(known)])
        if len(levels) <= MOST_LEVELS:
            made = tuple((column[:, None] == levels).astype(float) for column in (known, new))
        else:
            weight = None if self.data.weight is None else self.data.weight[self.train]
            made = target_means(known, new, levels, self.data.y[self.train], self.data.task, weight)
        cells = made[0].size + made[1].size
        if self._cells + cells <= MOST_KEPT_CELLS:
            self._kept[j], self._cells = (made[0], made[1]), self._cells + cells
        return made[0], made[1]


def width(data: Data) -> int:
    """Return how many columns all features become at most."""
    out = int((~data.nominal).sum())
    per_target = 1 if data.n_classes <= 2 else data.n_classes
    for j in np.flatnonzero(data.nominal):
        n_levels = len(data.view.labels[int(j)])
        out += n_levels if n_levels <= MOST_LEVELS else per_target
    return out


def target_means(
    known: np.ndarray, new: np.ndarray, levels: np.ndarray, y: np.ndarray, task: str, weight: np.ndarray | None
) -> Pair:
    """Return the mean target of the levels of training and test rows, pulled to the mean of all.

    Parameters
    ----------
    known, new : ndarray
        Level numbers of training and test rows; NaN where missing, which is a level, too.
    levels : ndarray
        The levels of the training rows, ascending; others get the mean of all.
    y : ndarray
        The target of the training rows.
    task : {"classification", "regression"}
        What it is for.
    weight : ndarray, optional
        How much each training row counts.
    """
    n, n_codes = len(known), len(levels) + 2
    weight = np.ones(n) if weight is None else np.asarray(weight, dtype=float)
    targets = _indicators(y) if task == "classification" else np.asarray(y, dtype=float)[:, None]
    codes, new_codes = _codes(known, levels), _codes(new, levels)
    # Dealt out in an order that has nothing to do with that of the rows.
    part = np.random.default_rng(n).permutation(n) % N_PARTS
    cell = part * n_codes + codes
    rows = np.bincount(cell, weight, N_PARTS * n_codes).reshape(N_PARTS, n_codes)
    others = rows.sum(axis=0) - rows
    out, new_out = [], []
    for column in targets.T:
        sums = np.bincount(cell, weight * column, N_PARTS * n_codes).reshape(N_PARTS, n_codes)
        prior = sums.sum() / rows.sum()
        means = (sums.sum(axis=0) - sums + PRIOR_ROWS * prior) / (others + PRIOR_ROWS)
        out.append(means[part, codes])
        whole = (sums.sum(axis=0) + PRIOR_ROWS * prior) / (rows.sum(axis=0) + PRIOR_ROWS)
        new_out.append(whole[new_codes])
    return np.column_stack(out), np.column_stack(new_out)


def _indicators(y: np.ndarray) -> np.ndarray:
    """Return one column per class; of two classes the second says all."""
    classes = np.unique(y)
    columns = (y[:, None] == classes).astype(float)
    return columns[:, 1:] if len(classes) == 2 else columns


def _codes(column: np.ndarray, levels: np.ndarray) -> np.ndarray:
    """Return places among the levels; missing values and unknown levels have the two places behind."""
    place = np.minimum(np.searchsorted(levels, column), len(levels) - 1)
    out = np.where(levels[place] == column, place, len(levels) + 1)
    return np.where(np.isnan(column), len(levels), out)


def _filled(known: np.ndarray, new: np.ndarray) -> list[Pair]:
    """Return columns of numbers with the median of the training rows where values are missing."""
    out = []
    for j in range(known.shape[1]):
        pair = known[:, [j]], new[:, [j]]
        if np.isnan(pair[0]).any() or np.isnan(pair[1]).any():
            present = pair[0][~np.isnan(pair[0])]
            middle = float(np.median(present)) if len(present) else 0.0
            pair = np.where(np.isnan(pair[0]), middle, pair[0]), np.where(np.isnan(pair[1]), middle, pair[1])
        out.append(pair)
    return out

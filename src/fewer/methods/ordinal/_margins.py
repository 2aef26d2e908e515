"""Rows in the form that margins above and below are measured in."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from fewer.core.kernels import dominance as kernels
from fewer.core.kernels.distances import l1_tile, squared_tile
from fewer.core.records.errors import InputError
from fewer.core.views.view import View
from fewer.methods.ordinal._order import view_directions

# Candidates of a tile of distances.
ROWS_AT_ONCE = 256
# Distances are rounded to multiples of its inverse, so that what is tied on paper is tied here.
GRID = 2.0**30


@dataclass(frozen=True, eq=False)
class TurnedRows:
    """Rows whose numeric columns lie in [0, 1] and rise with the class; nominal columns of level numbers come last.

    Attributes
    ----------
    X : ndarray of float64, shape (n_rows, n_features)
        The rows.
    y : ndarray of int64
        Class numbers in the order of the classes.
    columns : ndarray of int64
        Which feature each column is.
    n_numeric : int
        Number of numeric columns.
    directed : ndarray of int64
        Columns that have a direction, and so take part in comparing rows.
    varies : ndarray of bool, shape (n_features,)
        Which features are not constant.
    numbers, sums : ndarray of float64
        The numeric columns, and their sum in every row.
    """

    X: np.ndarray
    y: np.ndarray
    columns: np.ndarray
    n_numeric: int
    directed: np.ndarray
    varies: np.ndarray
    numbers: np.ndarray
    sums: np.ndarray

    @classmethod
    def of(cls, name: str, view: View, monotone: Any) -> TurnedRows:
        """Scale and turn the columns of a view: diff is then |a - b| for numbers and [a != b] for levels (eq. 2, 3)."""
        block, directions = view.whole(), view_directions(name, monotone, view)
        if np.bincount(block.y).max() < 2:
            raise InputError(
                f"{name} compares rows with others of their class, but each of the {view.n_classes} classes has only "
                "one row; give at least one class two rows."
            )
        columns, n_numeric = np.argsort(view.nominal, kind="stable"), int((~view.nominal).sum())
        X, varies = np.empty((view.n_rows, view.n_features)), np.empty(view.n_features, bool)
        for k, j in enumerate(columns):
            column = block.X[:, j].astype(np.float64)
            low, high = float(column.min()), float(column.max())
            varies[j] = high > low
            X[:, k] = _scaled(column, low, high, directions[j]) if k < n_numeric else column
        directed = np.flatnonzero(directions[columns] != 0).astype(np.int64)
        numbers = X if n_numeric == view.n_features else np.ascontiguousarray(X[:, :n_numeric])
        return cls(X, block.y, columns, n_numeric, directed, varies, numbers, numbers.sum(axis=1))

    def distances(self, queries: np.ndarray, squared: bool) -> np.ndarray:
        """Return the sums over features of diff, or of its square, of some rows to all rows."""
        left, left_sums = self.numbers[queries], self.sums[queries]
        out, part = np.empty((len(queries), len(self.X))), np.empty((len(queries), ROWS_AT_ONCE))
        for first in range(0, len(self.X), ROWS_AT_ONCE):
            right = self.numbers[first : first + ROWS_AT_ONCE]
            tile = part if len(right) == ROWS_AT_ONCE else np.empty((len(queries), len(right)))
            if squared:
                squared_tile(left, right, GRID, tile)
            else:
                l1_tile(left, right, left_sums, self.sums[first : first + ROWS_AT_ONCE], 1.0, GRID, tile)
            out[:, first : first + len(right)] = tile
        if self.n_numeric < self.X.shape[1]:
            kernels.add_unequal(self.X, self.n_numeric, queries, out)
        return out

    def per_feature(self, values: np.ndarray) -> np.ndarray:
        """Return values per column as values per feature."""
        out = np.empty_like(values)
        out[self.columns] = values
        return out


def _scaled(column: np.ndarray, low: float, high: float, direction: int) -> np.ndarray:
    """Return a column moved to [0, 1], turned around where it falls with the class."""
    if high <= low:
        return np.zeros(len(column))
    if math.isinf(high - low):
        column, low, high = column / 2, low / 2, high / 2
    return (high - column if direction < 0 else column - low) / (high - low)

"""Rows that are exact copies of others, where that is no chance: they tell nothing new, and belong in one fold."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

import numpy as np

from fewer.core.views.view import View

# Fraction of the rows that are copies, from which on they are looked into.
LEAST = 0.01
# Equal rows are no chance if a column of numbers has more different values than one in so many rows has; or, of rows
# that are there many times, if two columns of fractions have one value of their own in so many of the different rows.
ROWS_PER_VALUE, OWN_VALUES, LEAST_ROWS = 4, 0.9, 20


@dataclass(frozen=True, eq=False)
class RowCopies:
    """Which rows are the same.

    Attributes
    ----------
    groups : ndarray of int of shape (n_rows,)
        Equal rows have the same number.
    n_copies : int
        How many rows are copies of an earlier one.
    """

    groups: np.ndarray
    n_copies: int

    @property
    def words(self) -> str:
        """What is said of them."""
        n = self.n_copies
        what = "row is an exact copy of another" if n == 1 else "rows are exact copies of others"
        return f"{n:,} {what}: copies stay in the same fold and count as one where their targets agree."


def row_copies(data: View) -> RowCopies | None:
    """Return which rows of a view in memory are copies of others in all features; None if that is natural, or rare.

    Rows of few levels are equal by nature: so are ratings, or categories. Those of numbers are not, if at least one
    column has many different values. One column alone says too little. The target has no part in it: rows that differ
    in it alone belong in one fold as well.
    """
    if not data.run.in_memory or data.n_features < 2 or data.n_rows < 2 or data.kind not in ("dense", "sparse"):
        return None
    groups = _equal_rows(data)
    if groups is None or not _by_no_chance(data, groups):
        return None
    return RowCopies(groups, data.n_rows - int(groups.max()) - 1)


def _equal_rows(data: View) -> np.ndarray | None:
    """Return a number for every row, the same of equal ones; None if less than one in a hundred is a copy."""
    X, few = data.whole().X, LEAST * data.n_rows
    if data.kind == "sparse":
        # Each row is added up in the order of the columns, so that equal rows have equal sums to the last digit.
        values = X.copy()
        values.data = np.nan_to_num(np.asarray(values.data, dtype=np.float64), nan=np.pi)
        lots = np.random.default_rng(0).random((X.shape[1], 2))
        keys = np.column_stack([values @ lots[:, 0], values @ lots[:, 1]])
        return _numbered(keys, few)
    # Rows that differ in some column are no copies; a few columns of many values rule out most.
    telling = list(islice((j for j in np.flatnonzero(~data.nominal) if _many_values(X[:, j])), 4))
    if not telling:
        return None
    alike = np.arange(data.n_rows)
    for j in telling:
        _, number, times = np.unique(X[alike, j], return_inverse=True, return_counts=True, equal_nan=True)
        alike = alike[times[number.reshape(-1)] > 1]
        if len(alike) < few:
            return None
    inside = _numbered(X[alike], few)
    if inside is None:
        return None
    groups = np.full(data.n_rows, -1, dtype=np.int64)
    groups[alike] = inside
    alone = groups < 0
    groups[alone] = inside.max() + 1 + np.arange(np.count_nonzero(alone))
    return np.unique(groups, return_inverse=True)[1].reshape(-1)


def _many_values(column: np.ndarray) -> bool:
    """Return whether a column may have many different values: fractions, or whole numbers of a wide range."""
    column = column[~np.isnan(column)]
    if not len(column):
        return False
    wide = (float(column.max()) - float(column.min()) + 1.0) * ROWS_PER_VALUE > len(column)
    return wide or bool((column != np.trunc(column)).any())


def _numbered(rows: np.ndarray, few: float) -> np.ndarray | None:
    """Return a number for every row, the same of rows with the same bytes; None if fewer are copies."""
    # Adding 0 makes one of the two zeros of floating point, and one kind of NaN is enough.
    plain = np.ascontiguousarray(np.where(np.isnan(rows), np.nan, rows) + 0.0)
    different, numbers = np.unique(plain.view(f"V{plain.strides[0]}").reshape(-1), return_inverse=True)
    return None if len(rows) - len(different) < max(few, 1.0) else numbers.reshape(-1)


def _by_no_chance(data: View, groups: np.ndarray) -> bool:
    """Return whether some columns have so many values that rows are not equal by chance."""
    X, n = data.whole().X, data.n_rows
    first = np.unique(groups, return_index=True)[1]
    own = 0
    for j in np.flatnonzero(~data.nominal):
        column = X[:, [j]].toarray()[:, 0] if data.kind == "sparse" else X[:, j]
        values = np.unique(column[first])
        values = values[~np.isnan(values)]
        if len(values) * ROWS_PER_VALUE > n:
            return True
        fractions = bool((values != np.trunc(values)).any())
        own += fractions and len(first) >= LEAST_ROWS and len(values) >= OWN_VALUES * len(first)
        if own == 2:
            return True
    return False

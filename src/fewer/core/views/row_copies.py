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
# Pairs of equal rows that chance makes may be so many of those that are there; a column in which no two rows are equal
# may have a tenth of such a pair.
BY_CHANCE, UNSEEN = 0.01, 0.1
# What chance makes is estimated from so many columns and rows.
COLUMNS, ROWS = 64, 20_000


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
    column has many different values, and if chance makes far fewer pairs of equal rows. Rows that are alike in what is
    missing or usual alone, as zeros are, count as different. One column alone says too little. The target has no part
    in it: rows that differ in it alone belong in one fold as well.
    """
    if not data.run.in_memory or data.n_features < 2 or data.n_rows < 2 or data.kind not in ("dense", "sparse"):
        return None
    groups = _equal_rows(data)
    if groups is None or not _many_different(data, groups):
        return None
    groups = _telling(_some_columns(data), groups)
    n_copies = data.n_rows - int(groups.max()) - 1
    return RowCopies(groups, n_copies) if n_copies >= max(LEAST * data.n_rows, 1.0) else None


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


def _many_different(data: View, groups: np.ndarray) -> bool:
    """Return whether some columns have so many values that equal rows are to be looked into."""
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


def _some_columns(data: View) -> np.ndarray:
    """Return columns that chance is estimated from: all, or some; of sparse ones those with the most values."""
    X = data.whole().X
    if data.kind == "sparse":
        filled = np.bincount(X.tocsc().nonzero()[1], minlength=X.shape[1])
        return X[:, np.sort(np.argsort(-filled, kind="stable")[:COLUMNS])].toarray()
    some = np.unique(np.linspace(0, X.shape[1] - 1, min(COLUMNS, X.shape[1])).astype(np.int64))
    return X[:, some]


def _telling(X: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """Return the groups without those that are equal by nature; all rows alone if chance makes as many pairs.

    A copy has values that are neither missing nor the most frequent of their column: in two columns, or in one where
    nearly all of them are different.
    """
    _, first, times = np.unique(groups, return_index=True, return_counts=True)
    usual, strong = np.empty((len(first), X.shape[1]), dtype=bool), np.zeros(X.shape[1], dtype=bool)
    for j, column in enumerate(X[first].T):
        values, counts = np.unique(column[~np.isnan(column)], return_counts=True)
        usual[:, j] = np.isnan(column) | (column == (values[np.argmax(counts)] if len(values) else 0.0))
        here = int(np.count_nonzero(~usual[:, j]))
        strong[j] = here >= LEAST_ROWS and len(values) - 1 >= OWN_VALUES * here
    tells = ~usual @ np.where(strong, 2, 1) >= 2
    alone = np.arange(len(groups))
    pairs = float((times * (times - 1.0) / 2.0)[tells].sum())
    # Of copies one row is there to estimate from, of rows that are alike by nature all.
    rows = np.flatnonzero(~tells[groups] | np.isin(alone, first))
    picked = np.sort(np.random.default_rng(0).permutation(rows)[:ROWS])
    n = float(len(groups))
    if n * (n - 1.0) / 2.0 * _chance(X[picked], usual[groups[picked]], strong) > BY_CHANCE * pairs:
        return alone
    return np.unique(np.where(tells[groups], first[groups], alone), return_inverse=True)[1].reshape(-1)


def _chance(X: np.ndarray, usual: np.ndarray, strong: np.ndarray) -> float:
    """Return the probability that two rows are equal by chance in what tells.

    If columns are independent, it is the product of the sums of squared frequencies, less pairs that are alike in usual
    values, or in all but one. Columns are not always: rows that are equal in all columns but one would be as often
    equal in this one, too, as any two are. The larger one of both is taken.
    """
    n, d = X.shape
    lots = np.random.default_rng(0).integers(0, 2**63, (2, n), dtype=np.uint64)
    keys, weight = np.zeros((n, d), dtype=np.uint64), ~usual @ np.where(strong, 2, 1)
    equal, plain = np.ones(d), np.ones(d)
    for j in range(d):
        values, number, counts = np.unique(X[:, j], return_inverse=True, return_counts=True)
        number = number.reshape(-1)
        keys[:, j] = lots[0, number] * np.uint64(2 * j + 1) + lots[1, number]
        here = np.bincount(number[usual[:, j]], minlength=len(values)).astype(float)
        equal[j] = _pairs(counts) + UNSEEN / (n * (n - 1.0) / 2.0) if n > 1 else 1.0
        plain[j] = min(_pairs(here, n), equal[j])
    others = np.array([np.prod(np.delete(plain, j)) for j in np.flatnonzero(~strong)])
    by_product = np.prod(equal) - np.prod(plain) - float(((equal - plain)[~strong] * others).sum())
    whole, by_near = keys.sum(axis=1), 0.0
    for j in range(d):
        rest = (whole - keys[:, j])[weight - ~usual[:, j] * (1 + strong[j]) >= 2]
        near = _pairs(np.unique(rest, return_counts=True)[1], n)
        by_near = max(by_near, near * equal[j])
    return max(float(by_product), by_near, 0.0)


def _pairs(counts: np.ndarray, n: float | None = None) -> float:
    """Return the fraction of all pairs of rows that are pairs of equal ones."""
    n = float(counts.sum()) if n is None else n
    return float((counts * (counts - 1.0)).sum() / (n * (n - 1.0))) if n > 1 else 0.0

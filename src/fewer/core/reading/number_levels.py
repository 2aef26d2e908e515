"""Nominal columns of an array of numbers as levels, many columns at once."""

from __future__ import annotations

from typing import Any

import numpy as np

COLUMNS_AT_ONCE = 1024
# Whole numbers in a wider range are looked at column by column.
WIDEST = 64
# Up to so many it is faster to compare with each than to count all.
FEW = 8


class NumberLevels:
    """Level numbers and labels of nominal columns of whole numbers in a small range; missing ones are NaN.

    Levels and labels are those of `frames.encode_labels`, to which the other columns are left.

    Attributes
    ----------
    found : ndarray of bool of shape (n_features,)
        Which columns are read.
    labels : dict of int to ndarray
        Their level labels.
    numbers : ndarray of shape (n_rows, n_features)
        Level numbers in those columns, the numbers as they are in others: small whole numbers as given, else float64.
    """

    def __init__(self, X: np.ndarray, nominal: np.ndarray) -> None:
        small = X.dtype.kind in "iu" and X.dtype.itemsize <= 2
        self.found, self.labels = np.zeros(len(nominal), bool), dict[int, np.ndarray]()
        self.numbers = np.empty(X.shape, X.dtype if small else np.float64)
        self._known: dict[Any, np.ndarray] = {}
        for first in range(0, X.shape[1], COLUMNS_AT_ONCE):
            some = slice(first, first + COLUMNS_AT_ONCE)
            self._read(X[:, some], nominal[some], first)

    def _read(self, X: np.ndarray, nominal: np.ndarray, first: int) -> None:
        """Read neighbouring columns."""
        self.numbers[:, first : first + X.shape[1]] = X
        which = np.flatnonzero(nominal)
        if not len(which):
            return
        columns = X if len(which) == X.shape[1] else X[:, which]
        low, high = np.fmin.reduce(columns, axis=0), np.fmax.reduce(columns, axis=0)
        with np.errstate(invalid="ignore", over="ignore"):
            # In float64, which holds a range of whole numbers of any type, or says that it is wide.
            suited = high.astype(np.float64) - low.astype(np.float64) < WIDEST
            if X.dtype.kind == "f":
                whole = (np.rint(columns) == columns) | np.isnan(columns)
                suited &= (np.abs(low) < 2.0**24) & whole.all(axis=0)
        if not suited.all():
            which, columns, low, high = which[suited], columns[:, suited], low[suited], high[suited]
        if not len(which):
            return
        codes = columns - low
        present = _present(codes, int((high - low).max()))
        # As one number per column, which is below 2^64: few columns differ in it and in the lowest number.
        bits = (present.astype(np.uint64) << np.arange(len(present), dtype=np.uint64)[:, None]).sum(axis=0)
        groups, of_column = _alike(low, bits)
        made = [self._labels((low[at].item(), int(bits[at])), low[at], present, at) for at in groups.tolist()]
        self.labels.update(zip((first + which).tolist(), (made[group] for group in of_column.tolist())))
        self.found[first + which] = True
        # Levels between which a number is absent move together.
        places = np.cumsum(present, axis=0) - 1
        moved = (present[:-1] < present[1:]).any(axis=0)
        for at in np.flatnonzero(moved).tolist():
            here = ~np.isnan(codes[:, at])
            codes[here, at] = places[codes[here, at].astype(np.int64), at]
        self.numbers[:, _range(first + which)] = codes

    def _labels(self, key: Any, low: Any, present: np.ndarray, at: int) -> np.ndarray:
        """Return the labels of the levels that are present; equal columns share them."""
        if key not in self._known:
            # Plus 0: of the two zeros the one without a sign.
            levels = np.flatnonzero(present[:, at]).tolist()
            self._known[key] = np.array([str((low + low.dtype.type(a) + low.dtype.type(0)).item()) for a in levels])
        return self._known[key]


def _alike(low: np.ndarray, bits: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return a column of every group that agrees in both numbers, and the group of every column."""
    order = np.lexsort((low, bits))
    begins = np.ones(len(order), bool)
    begins[1:] = (low[order][1:] != low[order][:-1]) | (bits[order][1:] != bits[order][:-1])
    of_column = np.empty(len(order), np.int64)
    of_column[order] = np.cumsum(begins) - 1
    return order[begins], of_column


def _range(columns: np.ndarray) -> Any:
    """Return columns side by side as a slice, which is faster."""
    side_by_side = len(columns) == columns[-1] - columns[0] + 1
    return slice(columns[0], columns[-1] + 1) if side_by_side else columns


def _present(codes: np.ndarray, largest: int) -> np.ndarray:
    """Return which codes from 0 to the largest come in every column, (n_codes, n_columns)."""
    if largest < FEW:
        return np.array([(codes == a).any(axis=0) for a in range(largest + 1)])
    here = ~np.isnan(codes)
    numbers = np.where(here, codes, 0).astype(np.int64) + (largest + 1) * np.arange(codes.shape[1])
    counts = np.bincount(numbers[here], minlength=(largest + 1) * codes.shape[1])
    return counts.reshape(codes.shape[1], largest + 1).T > 0


def number_levels(X: Any, nominal: np.ndarray) -> NumberLevels | None:
    """Return the nominal columns of an array of numbers as levels; None if X is no such array."""
    suited = isinstance(X, np.ndarray) and X.dtype.kind in "iuf" and X.ndim == 2 and len(X) and nominal.any()
    return NumberLevels(X, nominal) if suited else None

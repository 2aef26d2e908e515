"""Rows as points that centres are compared with: numbers, dense or sparse, and levels of nominal columns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse

from fewer.core.kernels.centres import distances_to, distances_to_sparse
from fewer.core.views.view import View

# Numbers of one block of rows, half a megabyte: what a processor core keeps near.
BLOCK = 1 << 16
# Columns are moved to their means where these are larger than so many spreads.
FAR = 100.0
# Beyond this, and below its inverse, all numbers are divided by a power of two, so that squares stay finite.
LARGE = 1e60


@dataclass(frozen=True, eq=False)
class Frame:
    """How columns become coordinates.

    Attributes
    ----------
    nominal : ndarray of bool, shape (n_features,)
        Which columns hold level numbers.
    levels : tuple of ndarray of int
        Level numbers of each of them, in the order in which they appear; of equally frequent levels the first is the
        mode, whatever levels are called.
    shift : ndarray of shape (n_numeric,)
        What is subtracted from the others.
    unit : float
        A power of two by which they are then divided.
    varying : ndarray of bool, shape (n_features,)
        Which columns have more than one value; others tell nothing and get no weight.
    """

    nominal: np.ndarray
    levels: tuple[np.ndarray, ...]
    shift: np.ndarray
    unit: float
    varying: np.ndarray

    @classmethod
    def of(cls, X: Any, nominal: np.ndarray) -> Frame:
        """Learn from all rows."""
        low, high = _ends(X)
        shift = np.zeros(len(low)) if scipy.sparse.issparse(X) else _far_means(low, high)
        numeric = ~nominal
        shift[nominal] = 0.0
        reach = np.maximum(abs(low - shift), abs(high - shift))[numeric].max(initial=0.0)
        extreme = reach > LARGE or 0 < reach < 1 / LARGE
        unit = float(2.0 ** np.floor(np.log2(reach))) if extreme else 1.0
        levels = tuple(_in_order(X[:, j]) for j in np.flatnonzero(nominal))
        return cls(nominal, levels, shift[numeric], unit, high > low)

    @property
    def mismatch(self) -> float:
        """What two different levels are apart, in the unit of the numbers."""
        return float(np.clip(1.0 / self.unit, 1e-150, 1e150)) ** 2

    @property
    def per_unit(self) -> float:
        """What objectives are multiplied by to be in the units of the data; infinite where that is too large."""
        with np.errstate(over="ignore", under="ignore"):
            return float(np.float64(self.unit) * np.float64(self.unit))

    def place(self, X: Any) -> Points:
        """Return rows as points; level -1 is one that `fit` has not seen."""
        if scipy.sparse.issparse(X):
            X = scipy.sparse.csr_array(X, dtype=np.float64, copy=False)
            if self.shift.any():
                X = X.toarray()
            else:
                scaled = X / self.unit if self.unit != 1.0 else X
                return Points(self, scipy.sparse.csr_array(scaled), np.zeros((X.shape[0], 0), np.int64))
        X = np.asarray(X, dtype=np.float64)
        codes = np.ascontiguousarray(X[:, self.nominal], dtype=np.int64)
        numbers = X if not self.nominal.any() else X[:, ~self.nominal]
        if self.shift.any():
            numbers = numbers - self.shift
        if self.unit != 1.0:
            numbers = numbers / self.unit
        return Points(self, np.ascontiguousarray(numbers), codes)


def _in_order(column: np.ndarray) -> np.ndarray:
    """Return the levels of a column in the order in which they appear."""
    values, first = np.unique(column, return_index=True)
    return values[np.argsort(first)].astype(np.int64)


def _ends(X: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return the smallest and the largest number of every column."""
    if not scipy.sparse.issparse(X):
        return X.min(axis=0), X.max(axis=0)
    low, high = (np.asarray(side.todense()).ravel() for side in (X.min(axis=0), X.max(axis=0)))
    return low, high


def _far_means(low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Return the middle of columns that lie far from 0 beside their spread, a constant one where it is, else 0."""
    # Of halves: the ends of the numbers there are have no difference.
    half = high / 2 - low / 2
    middle = np.where(low == high, low, low + half)
    return np.where(abs(middle) / (2 * FAR) > half, middle, 0.0)


def _near_one(X: Any, numeric: np.ndarray) -> Any:
    """Return rows whose numeric columns of extreme size are divided by powers of two, each by its own."""
    reach = np.where(numeric, np.max(np.abs(_ends(X)), axis=0), 0.0)
    extreme = (reach > LARGE) | ((reach > 0) & (reach < 1 / LARGE))
    if not extreme.any():
        return X
    units = np.ones(len(reach))
    units[extreme] = 2.0 ** np.floor(np.log2(reach[extreme]))
    return scipy.sparse.csr_array(X / units) if scipy.sparse.issparse(X) else X / units


@dataclass(frozen=True, eq=False)
class Points:
    """Rows of coordinates.

    Attributes
    ----------
    frame : Frame
        How they came about.
    numbers : ndarray or csr_array of shape (n_rows, n_numeric)
        Numeric columns.
    codes : ndarray of int, shape (n_rows, n_nominal)
        Levels of the nominal columns.
    """

    frame: Frame
    numbers: Any
    codes: np.ndarray

    def __len__(self) -> int:
        return int(self.numbers.shape[0])

    @property
    def sparse(self) -> bool:
        """Whether the numbers are sparse."""
        return scipy.sparse.issparse(self.numbers)

    @property
    def n_features(self) -> int:
        """Number of columns of both kinds."""
        return len(self.frame.nominal)

    def blocks(self) -> Iterator[slice]:
        """Yield ranges of rows that fit near a processor core."""
        step = max(64, BLOCK // max(1, self.numbers.shape[1])) if not self.sparse else BLOCK
        for start in range(0, len(self), step):
            yield slice(start, min(start + step, len(self)))

    @cached_property
    def squares(self) -> Any:
        """The squares of sparse numbers, which every choice of nearest centres needs."""
        X = self.numbers
        return scipy.sparse.csr_array((X.data * X.data, X.indices, X.indptr), shape=X.shape)

    @cached_property
    def lengths(self) -> np.ndarray:
        """The squares of every row, added up."""
        X = self.numbers
        return np.asarray(self.squares.sum(axis=1)).ravel() if self.sparse else np.einsum("ij,ij->i", X, X)

    @cached_property
    def mean_squares(self) -> np.ndarray:
        """The mean square of every numeric column."""
        X = self.numbers
        total = np.asarray(self.squares.sum(axis=0)).ravel() if self.sparse else np.einsum("ij,ij->j", X, X)
        return np.asarray(total / len(self))

    def parts(self, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the weights of numeric and of nominal columns, these in the unit of the numbers."""
        weights = np.atleast_2d(weights)
        numeric = np.ascontiguousarray(weights[:, ~self.frame.nominal])
        return numeric, np.ascontiguousarray(weights[:, self.frame.nominal]) * self.frame.mismatch

    def row(self, i: int) -> tuple[np.ndarray, np.ndarray]:
        """Return numbers and levels of one row."""
        numbers = self.numbers[[i]].toarray()[0] if self.sparse else self.numbers[i]
        return np.array(numbers, dtype=np.float64), self.codes[i].copy()

    def equal_shares(self) -> np.ndarray:
        """Return weights, equal for the features that vary, with sum 1."""
        varying = self.frame.varying
        return varying / max(1, int(varying.sum()))

    def rows(self, subset: np.ndarray) -> Points:
        """Return some of the rows; columns that have one value there do not vary."""
        numbers, codes, nominal = self.numbers[subset], self.codes[subset], self.frame.nominal
        varying = self.frame.varying.copy()
        low, high = _ends(numbers)
        varying[~nominal] &= high > low
        varying[nominal] &= codes.max(axis=0, initial=-1) > codes.min(axis=0, initial=np.iinfo(np.int64).max)
        return Points(replace(self.frame, varying=varying), numbers, codes)

    def divided(self, scales: np.ndarray) -> Points:
        """Return the same rows with every numeric column divided by its scale."""
        numbers = self.numbers / scales if not self.sparse else self.numbers @ scipy.sparse.diags_array(1.0 / scales)
        return Points(self.frame, scipy.sparse.csr_array(numbers) if self.sparse else numbers, self.codes)

    def from_row(self, i: int, weights: np.ndarray) -> np.ndarray:
        """Return the distance of all rows to one of them."""
        numeric, levels = self.parts(weights)
        centre, mode = self.row(i)
        out = np.empty(len(self))
        if self.sparse:
            X = self.numbers
            distances_to_sparse(X.indptr, X.indices, X.data, centre, numeric[0], out)
        else:
            distances_to(self.numbers, self.codes, centre, mode, numeric[0], levels[0], out)
        return out


def read_points(data: View, any_scale: bool = False) -> Points:
    """Return all rows of a view as points, on request with columns of very different sizes brought near to 1."""
    X = data.whole().X
    X = X if scipy.sparse.issparse(X) else np.ascontiguousarray(X, dtype=np.float64)
    nominal = np.asarray(data.nominal)
    X = _near_one(X, ~nominal) if any_scale else X
    return Frame.of(X, nominal).place(X)

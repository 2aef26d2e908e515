"""Rows as points, dense or sparse: cheap bounds of their squared distances, and exact ones of single pairs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy.sparse

from fewer.core.kernels import row_bounds

# Sums of so many float32 products are added in float64.
CHUNK = 4096
ROWS_AT_ONCE = 256
# The origin is the median of so many rows, which a few far ones do not move.
CENTRE_ROWS = 15
# Rows so many times as long as the middle one have no bounds; they are looked at one by one.
FAR = 2.0**40
# Sparse rows, whose products are float64, may be longer.
HUGE = 2.0**1000
# Equal on paper is equal here: exact distances are rounded to 41 binary places.
SPLIT = 2.0**12 + 1.0
# What rounding may add to either norm; the bounds must hold for rounded distances.
ROUNDED = 2.0**-40


class RowPoints(ABC):
    """Rows with squared Euclidean distances.

    Attributes
    ----------
    n_rows : int
        Number of rows.
    norms : ndarray of shape (n_rows,)
        Squared lengths of the rows seen from an origin in their midst, in units of 1 / ``factor``; infinite for rows
        that are too far away.
    slack, floor : float
        Norms less twice the products are off by at most ``slack`` times the sum of both norms, and ``floor``.
    factor : float
        A power of two that brings the rows to a size whose squares are in range.
    """

    n_rows: int
    norms: np.ndarray
    slack: float
    floor: float
    factor: float

    @abstractmethod
    def products(self, start: int, stop: int, first: int, last: int) -> np.ndarray:
        """Return the products of the rows ``start:stop`` with the rows ``first:last``, as bounds need them."""

    @abstractmethod
    def _squares(self, rows: np.ndarray, others: np.ndarray, out: np.ndarray) -> None:
        """Write the exact squared distances of pairs, in units of 1 / ``factor``."""

    @abstractmethod
    def take(self, rows: np.ndarray) -> RowPoints:
        """Return some of the rows, in the same units."""

    @abstractmethod
    def keys(self) -> np.ndarray:
        """Return one number per row; equal rows have, as a rule, equal ones."""

    def exact(self, rows: np.ndarray, others: np.ndarray) -> np.ndarray:
        """Return the squared distance of every pair, in the units of the data and rounded a little."""
        out = np.empty(len(rows))
        self._squares(np.ascontiguousarray(rows, np.int64), np.ascontiguousarray(others, np.int64), out)
        with np.errstate(over="ignore", invalid="ignore"):
            large = out * SPLIT
            rounded = large - (large - out)
            out = np.where(np.isfinite(rounded), rounded, out)
            return out / self.factor / self.factor


@dataclass(frozen=True, eq=False)
class DensePoints(RowPoints):
    """Rows of an array; ``near`` holds them as float32, from an origin in their midst."""

    X: np.ndarray
    near: np.ndarray
    norms: np.ndarray
    slack: float
    floor: float
    factor: float

    @property
    def n_rows(self) -> int:  # type: ignore[override]
        """Number of rows."""
        return len(self.X)

    def products(self, start: int, stop: int, first: int, last: int) -> np.ndarray:
        """Return products in float32, longer sums in float64."""
        left, right = self.near[start:stop], self.near[first:last]
        if left.shape[1] <= CHUNK:
            return left @ right.T
        out = np.zeros((len(left), len(right)))
        for begin in range(0, left.shape[1], CHUNK):
            some = slice(begin, begin + CHUNK)
            out += left[:, some] @ right[:, some].T
        return out

    def _squares(self, rows: np.ndarray, others: np.ndarray, out: np.ndarray) -> None:
        row_bounds.dense_squares(self.X, rows, others, self.factor, out)

    def take(self, rows: np.ndarray) -> DensePoints:
        """Return some of the rows, in the same units."""
        return replace(self, X=self.X[rows], near=self.near[rows], norms=self.norms[rows])

    def keys(self) -> np.ndarray:
        """Return the rows times fixed numbers."""
        return self.near @ np.cos(np.arange(1.0, self.near.shape[1] + 1.0)).astype(np.float32)


@dataclass(frozen=True, eq=False)
class SparsePoints(RowPoints):
    """Rows of a sparse matrix; ``near`` is the same with full columns seen from their middle."""

    X: Any
    near: Any
    norms: np.ndarray
    slack: float
    floor: float
    factor: float

    @property
    def n_rows(self) -> int:  # type: ignore[override]
        """Number of rows."""
        return int(self.X.shape[0])

    def products(self, start: int, stop: int, first: int, last: int) -> np.ndarray:
        """Return products in float64."""
        return (self.near[start:stop] @ self.near[first:last].T).toarray()

    def _squares(self, rows: np.ndarray, others: np.ndarray, out: np.ndarray) -> None:
        X = self.X
        row_bounds.sparse_squares(X.data, X.indices, X.indptr, rows, others, self.factor, out)

    def take(self, rows: np.ndarray) -> SparsePoints:
        """Return some of the rows, in the same units."""
        return replace(self, X=self.X[rows], near=self.near[rows], norms=self.norms[rows])

    def keys(self) -> np.ndarray:
        """Return the rows times fixed numbers."""
        return self.near @ np.cos(np.arange(1.0, self.near.shape[1] + 1.0))


def as_points(X: Any) -> RowPoints:
    """Return the rows of an array or sparse matrix as points.

    Parameters
    ----------
    X : ndarray or sparse matrix of shape (n_rows, n_features)
        Finite numbers.
    """
    return _sparse(X) if scipy.sparse.issparse(X) else _dense(np.asarray(X))


def _dense(X: np.ndarray) -> DensePoints:
    X = np.ascontiguousarray(X, dtype=np.float64)
    n = len(X)
    some = np.unique(np.linspace(0, n - 1, min(n, CENTRE_ROWS)).astype(np.int64))
    centre = np.median(X[some], axis=0)
    near, norms = np.empty(X.shape, np.float32), np.empty(n)
    factor = _power(np.median([np.abs(X[i] - centre).max(initial=0.0) for i in some]))
    for top in range(0, n, ROWS_AT_ONCE):
        rows = slice(top, top + ROWS_AT_ONCE)
        block = X[rows] - centre
        block *= factor
        with np.errstate(over="ignore"):
            norms[rows] = np.einsum("ij,ij->i", block, block)
        block[norms[rows] > FAR**2] = 0.0
        near[rows] = block
    norms[norms > FAR**2] = np.inf
    d = X.shape[1]
    slack = (min(d, CHUNK) + 16) * 2.0**-24 + ROUNDED
    return DensePoints(X, near, norms, slack, max(d, 1) * 2.0**-120, factor)


def _sparse(X: Any) -> SparsePoints:
    X = scipy.sparse.csr_array(X, dtype=np.float64, copy=True)
    X.sum_duplicates()
    X.sort_indices()
    n = X.shape[0]
    size = np.zeros(n)
    near = _centred(X)
    np.maximum.at(size, np.repeat(np.arange(n), np.diff(near.indptr)), np.abs(near.data))
    factor = _power(float(np.median(size[size > 0])) if (size > 0).any() else 0.0)
    with np.errstate(over="ignore"):
        near.data *= factor
        norms = np.asarray(near.multiply(near).sum(axis=1)).ravel()
    # Products of two such rows would overflow, too, and infinity less infinity is no bound.
    norms[~(norms < HUGE)] = np.inf
    near.data[np.repeat(np.isinf(norms), np.diff(near.indptr))] = 0.0
    longest = int(np.diff(near.indptr).max(initial=0))
    return SparsePoints(X, near, norms, (longest + 16) * 2.0**-53 + ROUNDED, max(longest, 1) * 2.0**-900, factor)


def _centred(X: Any) -> Any:
    """Return the matrix with the middle of its full columns subtracted, which changes no distance."""
    stored = np.bincount(X.indices, minlength=X.shape[1])
    full = np.flatnonzero(stored == X.shape[0])
    near = X.copy()
    if not len(full) or X.shape[0] == 0:
        return near
    middle = np.zeros(X.shape[1])
    middle[full] = np.median(X[:, full].toarray(), axis=0) if len(full) * X.shape[0] <= 2**24 else X[[0]][:, full].data
    near.data -= middle[near.indices]
    return near


def _power(size: float) -> float:
    """Return the power of two that brings a size to about 1."""
    return float(np.ldexp(1.0, -int(np.frexp(size)[1]))) if size > 0 else 1.0

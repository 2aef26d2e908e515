"""Spaces: rows between which distances are measured."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fewer.core.kernels import differences, distances
from fewer.core.neighbours.tiled_rows import TiledRows

# Distances that differ by less than this fraction of the largest difference of one feature are equal, so that what is
# tied on paper is tied here, whatever the order of the sums.
GRID = 2.0**30
# Up to here all distances are taken in float64: narrow rows gain little by float32, and tie often.
FEW_FEATURES = 64
# Values with at most this many binary places have exact sums in float32 over a chunk.
BINARY_PLACES = 2.0**12
ROUNDING = 2.0**-24
LANES = 16
ROWS_AT_ONCE = 512


class Space(TiledRows):
    """Rows with a distance, and the differences of single features that it is made of.

    Exact distances are multiples of 1 / ``grid``.
    """

    grid: float

    @abstractmethod
    def take(self, rows: np.ndarray) -> Space:
        """Return chosen rows as queries."""

    @abstractmethod
    def add_pairs(
        self, queries: Any, rows: np.ndarray, starts: np.ndarray, others: np.ndarray, weights: np.ndarray
    ) -> np.ndarray:
        """Return, per feature, the weighted sum of differences of chosen pairs.

        The own rows ``others[starts[k]:starts[k + 1]]`` are compared with the row ``rows[k]`` of ``queries``.
        """

    @abstractmethod
    def add_tile(self, queries: Any, start: int, stop: int, first: int, weights: np.ndarray) -> np.ndarray:
        """Return, per feature, the sum of ``weights[i, j]`` times the difference of rows start + i and first + j."""

    def mean_distance(self) -> float | None:
        """Return the mean distance of all pairs of own rows, where a shorter way than all tiles is known."""
        return None

    def on_grid(self, distance: np.ndarray) -> np.ndarray:
        """Return distances rounded like exact ones."""
        return np.floor(distance * self.grid + 0.5) / self.grid


@dataclass(frozen=True, eq=False)
class NumberSpace(Space):
    """Rows of complete numbers, with the sum of absolute or of squared differences as distance.

    Attributes
    ----------
    X : ndarray of shape (n_rows, n_features)
        The numbers as given, float64 or float32.
    low, factor : ndarray of shape (n_features,)
        A difference counts ``factor`` times; low is the smallest number.
    squared : bool
        Whether differences are squared.
    scaled : ndarray of shape (n_rows, n_features rounded up)
        ``(X - low) * factor``, float32, or float64 if there are few features; columns of zeros fill up the vectors.
    sums : ndarray of shape (n_rows,)
        Row sums of ``scaled``.
    error : float
        How far the distances of a tile may be off.
    grid : float
        Distances are multiples of 1 / grid.
    """

    X: np.ndarray
    low: np.ndarray
    factor: np.ndarray
    squared: bool
    scaled: np.ndarray
    sums: np.ndarray
    error: float
    grid: float

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.X)

    @property
    def n_features(self) -> int:
        """Number of features."""
        return int(self.X.shape[1])

    def of(self, X: np.ndarray) -> NumberSpace:
        """Return other rows, scaled in the same way."""
        X = as_numbers(X)
        scaled, sums, plain = _scale(X, self.low, self.factor, self.scaled.dtype)
        error, grid = _precision(scaled, self.squared, plain, self.n_features)
        return replace(self, X=X, scaled=scaled, sums=sums, error=max(error, self.error), grid=min(grid, self.grid))

    def take(self, rows: np.ndarray) -> NumberSpace:
        """Return chosen rows as queries."""
        return replace(self, X=self.X[rows], scaled=self.scaled[rows], sums=self.sums[rows])

    def tile(self, queries: NumberSpace, start: int, stop: int, first: int, last: int) -> np.ndarray:
        """Return the distances of a tile of pairs."""
        left, right = queries.scaled[start:stop], self.scaled[first:last]
        grid = 0.0 if left.dtype == np.float32 else self.grid
        out = np.empty((stop - start, last - first))
        if self.squared:
            distances.squared_tile(left, right, grid, out)
        else:
            one = left.dtype.type(1)
            distances.l1_tile(left, right, queries.sums[start:stop], self.sums[first:last], one, grid, out)
        return out

    def exact(self, queries: NumberSpace, rows: np.ndarray, others: np.ndarray) -> np.ndarray:
        """Return the distance of every pair in float64."""
        out = np.empty(len(rows))
        function = distances.exact_squared if self.squared else distances.exact_l1
        function(queries.X, self.X, self.factor, rows, others, self.grid, out)
        return out

    def add_pairs(
        self, queries: NumberSpace, rows: np.ndarray, starts: np.ndarray, others: np.ndarray, weights: np.ndarray
    ) -> np.ndarray:
        """Return the weighted sums of differences of chosen pairs."""
        out = np.zeros(self.n_features)
        if self.squared:
            differences.add_squared_pairs(queries.X, self.X, self.factor, rows, starts, others, weights, out)
            return out
        differences.add_l1_pairs(queries.X, self.X, rows, starts, others, weights, out)
        return out * self.factor

    def add_tile(self, queries: NumberSpace, start: int, stop: int, first: int, weights: np.ndarray) -> np.ndarray:
        """Return the weighted sums of differences of a tile."""
        left, right = queries.scaled[start:stop], self.scaled[first : first + weights.shape[1]]
        out = np.zeros(left.shape[1])
        differences.add_l1_tile(left, right, weights, out)
        return out[: self.n_features]

    def mean_distance(self) -> float | None:
        """Return the mean distance of all pairs from sorted columns: the i-th smallest of n counts 2 i - n + 1 times.

        (i from 0; n (n - 1) / 2 pairs.)
        """
        if self.squared:
            return None
        n, total = self.n_rows, 0.0
        times = 2.0 * np.arange(n) - (n - 1)
        step = max(1, 2**20 // n)
        for first in range(0, self.n_features, step):
            some = slice(first, first + step)
            # From the smallest number: the sum would lose differences that are small beside the numbers.
            above = np.ascontiguousarray(self.X[:, some].T, dtype=np.float64) - self.low[some, None]
            columns = np.sort(above * self.factor[some, None], axis=1)
            total += float((columns @ times).sum())
        return total / (n * (n - 1) / 2)


def number_space(
    X: np.ndarray, low: np.ndarray | None = None, factor: np.ndarray | None = None, *, squared: bool = False
) -> NumberSpace:
    """Return rows of complete numbers as a space.

    Parameters
    ----------
    X : ndarray of shape (n_rows, n_features)
        Finite numbers.
    low : ndarray of shape (n_features,), optional
        The smallest number of every feature; found if not given.
    factor : ndarray of shape (n_features,), optional
        What a difference is multiplied by before it is squared or added, at least 0; 1 if not given.
    squared : bool, default=False
        Whether the distance is the sum of squared differences instead of absolute ones.
    """
    X = as_numbers(X)
    low = X.min(axis=0).astype(np.float64) if low is None else np.asarray(low, np.float64)
    factor = np.ones(X.shape[1]) if factor is None else np.asarray(factor, np.float64)
    few = X.shape[1] <= FEW_FEATURES
    scaled, sums, plain = _scale(X, low, factor, np.dtype(np.float64 if few else np.float32))
    error, grid = _precision(scaled, squared, plain, X.shape[1])
    return NumberSpace(X, low, factor, squared, scaled, sums, error, grid)


def as_numbers(X: np.ndarray) -> np.ndarray:
    """Return the numbers in a type that the kernels read: whole numbers of up to 16 bits as float32, others float64."""
    if X.dtype in (np.float64, np.float32):
        return np.ascontiguousarray(X)
    narrow = X.dtype.kind in "iub" and X.dtype.itemsize <= 2
    return np.ascontiguousarray(X, dtype=np.float32 if narrow else np.float64)


def _scale(X: np.ndarray, low: np.ndarray, factor: np.ndarray, dtype: np.dtype) -> tuple[np.ndarray, np.ndarray, bool]:
    """Return the scaled rows, filled up with zeros, their sums, and whether all are whole multiples of 1 / 4096."""
    n, p = X.shape
    scaled, sums, plain = np.zeros((n, -(-p // LANES) * LANES), dtype), np.empty(n), True
    for top in range(0, n, ROWS_AT_ONCE):
        rows = slice(top, top + ROWS_AT_ONCE)
        block = (X[rows] - low) * factor
        scaled[rows, :p] = block
        sums[rows] = scaled[rows].sum(axis=1, dtype=np.float64)
        if plain:
            block *= BINARY_PLACES
            plain = bool((block == np.rint(block)).all())
    return scaled, sums, plain


def _precision(scaled: np.ndarray, squared: bool, plain: bool, n_features: int) -> tuple[float, float]:
    """Return how far the distances of a tile may be off, and the grid of exact distances."""
    size = float(max(scaled.max(initial=0.0), -scaled.min(initial=0.0), 2.0**-100))
    # Numbers are in [0, size] as a rule; other rows, scaled in the same way, may lie on either side of it.
    largest = 4.0 * size**2 if squared else 2.0 * size
    grid = GRID / 2.0 ** np.ceil(np.log2(size**2 if squared else size))
    if scaled.dtype == np.float64 or (plain and not squared and size <= 1.0):
        return 0.0, grid
    # Rounded values, then sums of a chunk: in the worst order the k-th addition is of k times the largest term.
    n_chunks = -(-n_features // distances.CHUNK)
    in_chunk = min(n_features, distances.CHUNK)
    rounded = 2.0 * ROUNDING * largest * n_features
    return rounded + ROUNDING * largest * in_chunk * (in_chunk + 1) / 2 * n_chunks + 2.0 / grid, grid

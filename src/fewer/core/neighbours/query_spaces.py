"""Spaces whose metric belongs to the query: weights of features, or a quadratic form, at every point another one.

Both serve the searches of `topk`. `near_sets` finds many neighbours of a query at once, in no order of distance.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fewer.core.kernels import neighbourhoods, query_metrics
from fewer.core.neighbours.tiled_rows import TiledRows

# Distances of one block of queries, 32 MiB.
MOST_DISTANCES = 1 << 22
QUERIES_AT_ONCE = 128
# Up to here products are float64: close neighbours in few dimensions lie far nearer than rows do on average.
FEW_FEATURES = 16
# Beyond, products of all pairs of features take more room than they save time.
MANY_FEATURES = 256
CANDIDATES_AT_ONCE = 128


@dataclass(frozen=True, eq=False)
class WeightedRows(TiledRows):
    """Rows with the sum of squared differences as distance, the features weighted by the query.

    Attributes
    ----------
    X : ndarray of shape (n_rows, n_features)
        The rows, float64.
    weights : ndarray of shape (n_rows, n_features), optional
        Weights that the rows bring as queries, not negative; candidates have none.
    """

    X: np.ndarray
    weights: np.ndarray | None = None
    error: float = 0.0

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.X)

    @property
    def n_features(self) -> int:
        """Number of features."""
        return int(self.X.shape[1])

    def take(self, rows: np.ndarray) -> WeightedRows:
        """Return chosen rows as queries."""
        return replace(self, X=self.X[rows], weights=None if self.weights is None else self.weights[rows])

    def tile(self, queries: Any, start: int, stop: int, first: int, last: int) -> np.ndarray:
        """Return the distances of a tile of pairs, exact."""
        out = np.empty((stop - start, last - first))
        query_metrics.weighted_tile(queries.X[start:stop], self.X[first:last], queries.weights[start:stop], out)
        return out

    def exact(self, queries: Any, rows: np.ndarray, others: np.ndarray) -> np.ndarray:
        """Return the distance of every pair."""
        out = np.empty(len(rows))
        query_metrics.weighted_pairs(queries.X, self.X, queries.weights, rows, others, out)
        return out


@dataclass(frozen=True, eq=False)
class FormRows(TiledRows):
    """Rows with a quadratic form of the difference as distance, d = (x - q)' S (x - q) with S of the query q.

    A form is linear in 1, x and the products of pairs of features: tiles are one product of matrices, in which each
    pair of features counts once, float32 where there are many features. `exact` sums the form itself.

    Attributes
    ----------
    X : ndarray of shape (n_rows, n_features)
        The rows, float64, from an origin in their midst.
    forms : ndarray of shape (n_rows, n_features, n_features), optional
        Symmetric forms that the rows bring as queries; candidates have none.
    error : float
        How far the distances of a tile may be off, for the queries for which `reached_by` was called.
    """

    X: np.ndarray
    forms: np.ndarray | None = None
    factors: np.ndarray | None = None
    error: float = 0.0

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.X)

    @property
    def n_features(self) -> int:
        """Number of features."""
        return int(self.X.shape[1])

    @property
    def _dtype(self) -> Any:
        return np.float64 if self.n_features <= FEW_FEATURES else np.float32

    def queries(self, Q: np.ndarray, forms: np.ndarray) -> FormRows:
        """Return queries with their forms, as tiles read them."""
        if self.n_features > MANY_FEATURES:
            return FormRows(Q, forms)
        factors = np.empty((len(Q), n_products(self.n_features)), self._dtype)
        query_metrics.coefficients(Q, forms, factors)
        return FormRows(Q, forms, factors)

    def reached_by(self, queries: FormRows) -> FormRows:
        """Return the same rows, with the error of their tiles for these queries: that of sums in the worst order."""
        if queries.factors is None or queries.forms is None:
            return replace(self, error=0.0)
        sizes = np.sqrt(np.einsum("ijk,ijk->i", queries.forms, queries.forms))
        farthest = np.sqrt(np.einsum("ij,ij->i", self.X, self.X).max()) + np.linalg.norm(queries.X, axis=1)
        rounding = np.finfo(self._dtype).eps * (n_products(self.n_features) + 4)
        return replace(self, error=float((rounding * sizes * farthest**2).max(initial=0.0)))

    def take(self, rows: np.ndarray) -> FormRows:
        """Return chosen rows as queries."""
        forms = None if self.forms is None else self.forms[rows]
        return FormRows(self.X[rows], forms, None if self.factors is None else self.factors[rows])

    def tile(self, queries: Any, start: int, stop: int, first: int, last: int) -> np.ndarray:
        """Return the distances of a tile of pairs."""
        rows = self.X[first:last]
        if queries.factors is None:
            pairs = np.indices((stop - start, last - first)).reshape(2, -1)
            return self.exact(queries, pairs[0] + start, pairs[1] + first).reshape(stop - start, last - first)
        made = np.empty((len(rows), queries.factors.shape[1]), queries.factors.dtype)
        query_metrics.products(rows, made)
        return (queries.factors[start:stop] @ made.T).astype(np.float64)

    def exact(self, queries: Any, rows: np.ndarray, others: np.ndarray) -> np.ndarray:
        """Return the distance of every pair in float64."""
        out = np.empty(len(rows))
        query_metrics.form_pairs(queries.X, self.X, queries.forms, rows, others, out)
        return out


def n_products(n_features: int) -> int:
    """Return how many numbers a quadratic function of so many features has."""
    return 1 + n_features + n_features * (n_features + 1) // 2


def near_sets(queries: WeightedRows, candidates: WeightedRows, k: int) -> Iterator[tuple[int, np.ndarray, np.ndarray]]:
    """Find the k nearest candidates of every query, block by block; of equally far ones the lower numbers.

    Yields the number of the first query of a block, the numbers of the candidates (n_queries, k) in rising order, and
    their distances.
    """
    k = min(k, candidates.n_rows)
    step = max(1, min(QUERIES_AT_ONCE, MOST_DISTANCES // candidates.n_rows))
    for start in range(0, queries.n_rows, step):
        stop = min(start + step, queries.n_rows)
        away = np.empty((stop - start, candidates.n_rows))
        for first in range(0, candidates.n_rows, CANDIDATES_AT_ONCE):
            last = min(first + CANDIDATES_AT_ONCE, candidates.n_rows)
            away[:, first:last] = candidates.tile(queries, start, stop, first, last)
        index = np.empty((stop - start, k), np.int64)
        neighbourhoods.smallest_of_rows(away, k, index)
        yield start, index, np.take_along_axis(away, index, axis=1)

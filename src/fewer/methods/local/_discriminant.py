"""Scatter within and between classes around a query, and the metric that follows from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.linalg import blas, lapack

from fewer.core.kernels import query_metrics
from fewer.core.neighbours.query_spaces import FormRows, WeightedRows, near_sets
from fewer.core.neighbours.topk import nearest

# Room for the forms of one block of queries, 32 MiB.
MOST_NUMBERS = 1 << 22


class Room(NamedTuple):
    """Scratch for the neighbours of one query, used again for the next."""

    roots: np.ndarray
    scaled: np.ndarray
    of_class: np.ndarray


@dataclass(frozen=True, eq=False)
class LocalScatter:
    """Weighted scatter of training rows around queries.

    Attributes
    ----------
    points : ndarray of shape (n_rows, n_features)
        The training rows.
    codes : ndarray of int of shape (n_rows,)
        Their classes.
    n_classes, n_around : int
        Number of classes, and of neighbours that are looked at.
    """

    points: np.ndarray
    codes: np.ndarray
    n_classes: int
    n_around: int

    def centres(self, rows: np.ndarray, distance: np.ndarray, room: Room) -> tuple[np.ndarray, np.ndarray]:
        """Return the centres of classes as rows, times the roots of their weights, and the same from the common centre.

        B is the sum of v v' over the second ones. Tricube weights (1 - (d / h)^3)^3 of the neighbours, h the largest
        distance; all count alike where that leaves nothing.
        """
        query_metrics.tricube_rows(self.points, self.codes, rows, distance, *room)
        sums = room.of_class @ room.scaled
        shares = np.einsum("ij,ij->i", room.of_class, room.of_class)
        there = shares > 0
        size = np.sqrt(shares[there])[:, None]
        own = sums[there] / size
        return own, own - size * sums.sum(axis=0)

    def within(self, own: np.ndarray, room: Room) -> np.ndarray:
        """Return W of the neighbours that `centres` saw last; only its lower half is filled."""
        # Half of the product: the other is its mirror. A transposed array is what the routine calls one by columns.
        halves = blas.dsyrk(1.0, room.scaled.T, lower=1)
        return blas.dsyrk(-1.0, own.T, beta=1.0, c=halves, lower=1, overwrite_c=1)

    def _room(self) -> Room:
        shape = (self.n_around, self.points.shape[1])
        return Room(np.empty(self.n_around), np.empty(shape), np.empty((self.n_classes, self.n_around)))

    def sets(self, queries: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
        """Return the nearest rows of every query, by Euclidean distance, and their squared distances."""
        there = WeightedRows(queries, np.ones(queries.shape))
        found = []
        for _, index, distance in near_sets(there, WeightedRows(self.points), self.n_around):
            found += list(zip(index, distance))
        return found

    def forms(self, queries: np.ndarray, epsilon: float, shrinkage: float, max_iter: int) -> np.ndarray:
        """Return the metric of every query, (n_queries, n_features, n_features)."""
        found, room = self.sets(queries), self._room()
        out = np.empty((len(queries), queries.shape[1], queries.shape[1]))
        for step in range(max_iter):
            for i, (rows, distance) in enumerate(found):
                own, apart = self.centres(rows, distance, room)
                metric(self.within(own, room), apart, epsilon, shrinkage, out[i])
            if step + 1 < max_iter:
                distances, index = nearest_by_forms(self.points, queries, out, self.n_around)
                found = list(zip(index, distances))
        return out

    def mean_between(self) -> np.ndarray:
        """Return the mean of B over all training rows."""
        total, room = np.zeros((self.points.shape[1],) * 2), self._room()
        step = max(1, MOST_NUMBERS // max(1, len(self.points)))
        for start in range(0, len(self.points), step):
            for found in self.sets(self.points[start : start + step]):
                apart = self.centres(*found, room)[1]
                total += apart.T @ apart
        return total / len(self.points)


def metric(within: np.ndarray, apart: np.ndarray, epsilon: float, shrinkage: float, out: np.ndarray) -> None:
    """Write W^-1/2 (W^-1/2 B W^-1/2 + epsilon I) W^-1/2, which is W^-1 B W^-1 + epsilon W^-1: no roots are needed.

    Only the lower half of W is read.
    """
    inverse = inverted(shrunk(within, shrinkage))
    turned = apart @ inverse
    np.matmul(turned.T, turned, out=out)
    inverse *= epsilon
    out += inverse


def shrunk(within: np.ndarray, shrinkage: float) -> np.ndarray:
    """Draw a matrix towards the mean of its diagonal, in place; the identity stands for nothing."""
    diagonal = np.einsum("ii->i", within)
    size = float(diagonal.sum()) / len(within)
    if not size > 0:
        return np.eye(len(within))
    within *= 1.0 - shrinkage
    diagonal += shrinkage * size
    return within


def inverted(matrix: np.ndarray) -> np.ndarray:
    """Return the inverse of a symmetric matrix without negative eigenvalues, of which the lower half is given.

    Of a singular one the pseudo-inverse.
    """
    factor, failed = lapack.dpotrf(matrix, lower=1)
    if not failed:
        # The smallest step of the factor tells rounding from what is there.
        steps = factor.diagonal()
        if steps.min() > 1e-7 * steps.max():
            # Only the lower half is filled; above it are zeros.
            half = lapack.dpotri(factor, lower=1, overwrite_c=1)[0]
            return _mirrored(half)
    return np.linalg.pinv(_mirrored(np.tril(matrix)), rcond=1e-12, hermitian=True)


def _mirrored(half: np.ndarray) -> np.ndarray:
    """Return the whole of a symmetric matrix whose upper half is 0."""
    out = half + half.T
    np.einsum("ii->i", out)[:] *= 0.5
    return out


def nearest_by_forms(
    points: np.ndarray, queries: np.ndarray, forms: np.ndarray, k: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return squared distances and numbers of the k nearest rows of queries by their forms, nearest first."""
    rows = FormRows(points)
    there = rows.queries(queries, forms)
    found = nearest(there, rows.reached_by(there), k, 0, len(queries))
    return found.distance[:, 0], found.index[:, 0]

"""Scatter within and between classes around a query, and the metric that follows from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.linalg import lapack

from fewer.core.kernels import query_metrics
from fewer.core.neighbours.query_spaces import FormRows, WeightedRows, near_sets
from fewer.core.neighbours.topk import nearest

# Room for the forms of one block of queries, 32 MiB.
MOST_NUMBERS = 1 << 22


class Room(NamedTuple):
    """Scratch for the neighbours of one query, used again for the next."""

    roots: np.ndarray
    scaled: np.ndarray
    shares: np.ndarray
    sums: np.ndarray


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

    def around(self, rows: np.ndarray, distance: np.ndarray, room: Room) -> tuple[np.ndarray, np.ndarray]:
        """Return W, and the centres of classes as columns v of which B is the sum of v v'.

        Tricube weights (1 - (d / h)^3)^3 of the neighbours, h the largest distance; all count alike where that leaves
        nothing.
        """
        query_metrics.tricube_rows(
            self.points, self.codes, rows, distance, room.roots, room.scaled, room.shares, room.sums
        )
        there = room.shares > 0
        size = np.sqrt(room.shares[there])[:, None]
        inner = room.sums[there] / size
        within = room.scaled.T @ room.scaled - inner.T @ inner
        return within, (inner - size * room.sums.sum(axis=0)).T

    def _room(self) -> Room:
        shape = (self.n_around, self.points.shape[1])
        shares, sums = np.empty(self.n_classes), np.empty((self.n_classes, shape[1]))
        return Room(np.empty(self.n_around), np.empty(shape), shares, sums)

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
                out[i] = metric(*self.around(rows, distance, room), epsilon, shrinkage)
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
                centres = self.around(*found, room)[1]
                total += centres @ centres.T
        return total / len(self.points)


def metric(within: np.ndarray, centres: np.ndarray, epsilon: float, shrinkage: float) -> np.ndarray:
    """Return W^-1/2 (W^-1/2 B W^-1/2 + epsilon I) W^-1/2, which is W^-1 B W^-1 + epsilon W^-1: no roots are needed."""
    inverse = inverted(shrunk(within, shrinkage))
    turned = inverse @ centres
    return epsilon * inverse + turned @ turned.T


def shrunk(within: np.ndarray, shrinkage: float) -> np.ndarray:
    """Return a matrix drawn towards the mean of its diagonal; the identity in place of nothing."""
    size = float(np.trace(within)) / len(within)
    if not size > 0:
        return np.eye(len(within))
    out = (1.0 - shrinkage) * within
    out.flat[:: len(out) + 1] += shrinkage * size
    return out


def inverted(matrix: np.ndarray) -> np.ndarray:
    """Return the inverse of a symmetric matrix without negative eigenvalues; the pseudo-inverse of a singular one."""
    factor, failed = lapack.dpotrf(matrix, lower=1)
    if not failed:
        # The smallest step of the factor tells rounding from what is there.
        steps = np.diagonal(factor)
        if steps.min() > 1e-7 * steps.max():
            # Only the lower half is filled; above it are zeros.
            half = lapack.dpotri(factor, lower=1)[0]
            out = half + half.T
            out.flat[:: len(out) + 1] *= 0.5
            return out
    return np.linalg.pinv(matrix, rcond=1e-12, hermitian=True)


def nearest_by_forms(
    points: np.ndarray, queries: np.ndarray, forms: np.ndarray, k: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return squared distances and numbers of the k nearest rows of queries by their forms, nearest first."""
    rows = FormRows(points)
    there = rows.queries(queries, forms)
    found = nearest(there, rows.reached_by(there), k, 0, len(queries))
    return found.distance[:, 0], found.index[:, 0]

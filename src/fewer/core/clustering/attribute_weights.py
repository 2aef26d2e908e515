"""Weights of columns for every row, from the rows that are near under the weights (COSA)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse
from scipy.sparse.csgraph import connected_components

from fewer.core.kernels.attribute_distances import soft_distances


def mean_gap(column: np.ndarray) -> float:
    """Return the mean absolute difference between two different values of a column, by sorting.

    Examples
    --------
    >>> mean_gap(np.array([0.0, 3.0, 1.0]))
    2.0
    """
    n = len(column)
    if n < 2:
        return 0.0
    ordered = np.sort(column)
    # Between neighbours k and k + 1 lie (k + 1) (n - k - 1) pairs.
    k = np.arange(n - 1.0)
    return float((np.diff(ordered) * (k + 1) * (n - k - 1)).sum() * 2.0 / (n * (n - 1.0)))


def log_softmax(spread: np.ndarray, scale: float) -> np.ndarray:
    """Return the logarithms of weights proportional to exp(-spread / scale) in every row."""
    with np.errstate(over="ignore", under="ignore"):
        exponent = -(spread - spread.min(axis=1, keepdims=True)) / scale
        return exponent - np.log(np.exp(exponent).sum(axis=1, keepdims=True))


@dataclass(frozen=True, eq=False)
class RowWeights:
    """Weights (n_rows, n_columns), the distances of all pairs they give, and how far the weights moved each time."""

    weights: np.ndarray
    distances: np.ndarray
    moves: list[float]
    eta: float


def tree_labels(tree: np.ndarray, n_clusters: int) -> np.ndarray:
    """Return so many clusters of a linkage, numbered by their first rows; rows at distance 0 stay together.

    Of joins at equal heights the last ones are undone, so that there are not fewer clusters than were asked for.

    Examples
    --------
    >>> tree_labels(np.array([[0, 1, 1.0, 2], [2, 3, 1.0, 3]]), 2).tolist()
    [0, 0, 1]
    """
    n = len(tree) + 1
    kept = max(n - n_clusters, int((tree[:, 2] <= 0).sum()))
    joined, into = tree[:kept, :2].astype(np.int64).T.ravel(), np.tile(np.arange(n, n + kept), 2)
    graph = scipy.sparse.coo_array((np.ones(2 * kept), (joined, into)), shape=(n + kept, n + kept))
    groups = connected_components(graph, directed=False)[1][:n]
    _, first, which = np.unique(groups, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[which.ravel()]


def row_weights(X: np.ndarray, scale: float, n_neighbors: int, max_iter: int, tol: float) -> RowWeights:
    """Alternate distances, near rows and weights until the weights stay.

    No more than the distances of all pairs is kept: n (n - 1) / 2 numbers.
    """
    n, d = X.shape
    logs = np.full((n, d), -np.log(d))
    distances = np.empty(n * (n - 1) // 2)
    eta, moves = scale, []
    for _ in range(max_iter):
        soft_distances(X, np.exp(logs), logs, eta, distances)
        spread = _spread(X, distances, n_neighbors)
        new = log_softmax(spread, scale)
        moves.append(float(np.abs(np.exp(new) - np.exp(logs)).max()))
        logs = new
        if moves[-1] <= tol:
            break
        eta += 0.1 * scale
    soft_distances(X, np.exp(logs), logs, eta, distances)
    return RowWeights(np.exp(logs), distances, moves, eta)


def _spread(X: np.ndarray, distances: np.ndarray, n_neighbors: int) -> np.ndarray:
    """Return the mean absolute difference of every row to its nearest rows, in every column."""
    n = len(X)
    out, row = np.zeros(X.shape), np.empty(n)
    # Pair (i, j > i) stands at starts[i] + j.
    starts = np.arange(n) * (2 * n - np.arange(n) - 1) // 2 - np.arange(n) - 1
    for i in range(n):
        row[:i] = distances[starts[:i] + i]
        row[i] = np.inf
        row[i + 1 :] = distances[starts[i] + i + 1 : starts[i] + n]
        near = _nearest(row, n_neighbors)
        if len(near):
            out[i] = np.abs(X[near] - X[i]).mean(axis=0)
    return out


def _nearest(away: np.ndarray, count: int) -> np.ndarray:
    """Return the places of the smallest numbers, ascending; of equal ones the first are taken."""
    if not 0 < count < len(away):
        return np.arange(len(away))[:count]
    line = np.partition(away, count - 1)[count - 1]
    near = away < line
    near[np.flatnonzero(away == line)[: count - int(near.sum())]] = True
    return np.flatnonzero(near)

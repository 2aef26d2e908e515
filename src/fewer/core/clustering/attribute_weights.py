"""Weights of columns for every row, from the rows that are near under the weights (COSA)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

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
        near = np.argsort(row, kind="stable")[:n_neighbors]
        if len(near):
            out[i] = np.abs(X[near] - X[i]).mean(axis=0)
    return out

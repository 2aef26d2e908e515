"""C-modified least squares: one weight per column for every class against the rest."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import scipy.sparse

from fewer.core.kernels.modified_squares import modified_squares_pass

# Passes over which the loss goes from least squares to the squared hinge, c_k = max(0, 1 - k / 50).
CONTINUATION = 50


class SquaresMachine(NamedTuple):
    """Weights of the columns and of the constant, one row per class, one alone for two classes."""

    weights: np.ndarray
    constants: np.ndarray
    n_passes: int


def fit_machines(
    X: Any,
    y: np.ndarray,
    n_classes: int,
    l2: float,
    max_iter: int,
    tol: float,
    start: np.ndarray | None = None,
) -> SquaresMachine:
    """Return the weights that minimise mean(phi(y w'x)) + l2 |w|^2, phi(z) = (1 - z)^2 below 1, with a constant column.

    Parameters
    ----------
    X : array or sparse matrix
        The columns.
    y : ndarray of int
        Class numbers.
    n_classes : int
        Number of classes; for two the second is 1 and the first -1, otherwise each is 1 against the rest.
    l2, max_iter, tol
        Penalty, most passes, and the change of a weight, beside the largest one, below which it is enough.
    start : ndarray of shape (n_machines, n_columns + 1), optional
        Weights to begin with, without a continuation from least squares.
    """
    n = X.shape[0]
    ones = np.ones((n, 1))
    columns = scipy.sparse.csc_array(scipy.sparse.hstack([scipy.sparse.csc_array(X, dtype=np.float64), ones]))
    columns.sum_duplicates()
    values, rows, starts = columns.data, columns.indices.astype(np.int64), columns.indptr.astype(np.int64)
    squares = np.asarray(columns.multiply(columns).sum(axis=0)).ravel()
    targets = [1] if n_classes == 2 else range(n_classes)
    found, most = [], 0
    for number, c in enumerate(targets):
        signs = np.where(y == c, 1.0, -1.0)
        weights = np.zeros(columns.shape[1]) if start is None else start[number].copy()
        margins = (columns @ weights) * signs
        first = 1 if start is None else CONTINUATION
        for done in range(first, first + max_iter):
            modified = max(0.0, 1.0 - done / CONTINUATION)
            change = modified_squares_pass(values, rows, starts, signs, squares, l2 * n, modified, weights, margins)
            if modified == 0.0 and change <= tol * max(np.abs(weights).max(), 1e-300):
                break
        found.append(weights)
        most = max(most, done - first + 1)
    stacked = np.array(found)
    return SquaresMachine(stacked[:, :-1], stacked[:, -1], most)

"""C-modified least squares: one weight per column for every class against the rest."""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple

import numpy as np
import scipy.linalg
import scipy.sparse
from scipy.sparse.linalg import LinearOperator, cg
from sklearn.exceptions import ConvergenceWarning

from fewer.core.records.errors import InputError

# Largest system of equations that is solved by elimination; larger ones by conjugate gradients.
LARGEST_DENSE = 1000
# Relative residual at which conjugate gradients end, near the minimum; it is larger in the first steps.
BEST_ACCURACY = 1e-8
# Values whose squares can be added up.
LARGEST_VALUE = 1e140
# Smallest part of a step that is tried.
SMALLEST_STEP = 2.0**-30


class SquaresMachine(NamedTuple):
    """Weights of the columns and of the constant, one row per class, one alone for two classes."""

    weights: np.ndarray
    constants: np.ndarray
    n_steps: int


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
        Penalty, most steps, and the change of a weight, beside the largest one, below which it is enough.
    start : ndarray of shape (n_machines, n_columns + 1), optional
        Weights to begin with; zeros by default, from which the first step leads to least squares.
    """
    n, columns = X.shape[0], _with_constant(X)
    targets = [1] if n_classes == 2 else range(n_classes)
    found, most = [], 0
    for number, c in enumerate(targets):
        signs = np.where(y == c, 1.0, -1.0)
        first = np.zeros(columns.shape[1]) if start is None else start[number]
        weights, steps = _minimum(columns, signs, l2 * n, max_iter, tol, first)
        found.append(weights)
        most = max(most, steps)
    stacked = np.array(found)
    return SquaresMachine(stacked[:, :-1], stacked[:, -1], most)


def _with_constant(X: Any) -> Any:
    """Return the columns and one of ones; raise if their squares are too large for numbers."""
    ones, sparse = np.ones((X.shape[0], 1)), scipy.sparse.issparse(X)
    columns = (
        scipy.sparse.csr_array(scipy.sparse.hstack([X, ones]), dtype=np.float64) if sparse else np.hstack([X, ones])
    )
    largest = float(abs(columns).max())
    if not largest < LARGEST_VALUE:
        raise InputError(
            f"CMLS got {largest:.3g} as largest value, but squares of values of {LARGEST_VALUE:.0e} and more cannot be "
            "added up; divide the columns by their largest values."
        )
    return columns


def _minimum(
    X: Any, signs: np.ndarray, penalty: float, max_iter: int, tol: float, weights: np.ndarray
) -> tuple[np.ndarray, int]:
    """Return the weights at rest and the number of Newton steps.

    Between two changes of the rows inside the margin the loss is a square: a whole step is the least squares solution
    of these rows, and where it leaves them the same it is the minimum.
    """
    margins = signs * (X @ weights)
    for done in range(1, max_iter + 1):
        inside = margins < 1.0
        accuracy = max(BEST_ACCURACY, 0.01**done)
        step = _least_squares(X[inside], signs[inside], penalty, weights, accuracy) - weights
        along = signs * (X @ step)
        part = _part(margins, along, weights, step, penalty)
        weights, margins = weights + part * step, margins + part * along
        same = part == 1.0 and np.array_equal(inside, margins < 1.0)
        rests = np.abs(part * step).max() <= tol * max(np.abs(weights).max(), 1e-300)
        if (same or rests) and (accuracy == BEST_ACCURACY or not _is_large(X[inside])):
            return weights, done
    warnings.warn(
        f"CMLS has not come to rest after max_iter={max_iter} steps, but its weights are those of the minimum only "
        "then; pass a larger max_iter or l2.",
        ConvergenceWarning,
        stacklevel=2,
    )
    return weights, max_iter


def _part(margins: np.ndarray, along: np.ndarray, weights: np.ndarray, step: np.ndarray, penalty: float) -> float:
    """Return 1, 1/2, 1/4, ..., the first part of a step that lowers the loss enough (Armijo)."""

    def loss(part: float) -> float:
        lack = np.maximum(1.0 - margins - part * along, 0.0)
        moved = weights + part * step
        return float(lack @ lack + penalty * (moved @ moved))

    here = loss(0.0)
    slope = 2.0 * float(penalty * (weights @ step) - np.maximum(1.0 - margins, 0.0) @ along)
    part = 1.0
    while part > SMALLEST_STEP and loss(part) > here + 1e-4 * part * slope + 1e-14 * here:
        part /= 2
    return part


def _is_large(X: Any) -> bool:
    return min(X.shape) > LARGEST_DENSE


def _least_squares(X: Any, signs: np.ndarray, penalty: float, weights: np.ndarray, accuracy: float) -> np.ndarray:
    """Return the minimum of |X w - signs|^2 + penalty |w|^2 from the smaller of two systems of equations."""
    n, d = X.shape
    if not n:
        return np.zeros(d)
    if _is_large(X):
        return _by_gradients(X, signs, penalty, weights, accuracy)
    try:
        if n <= d:
            return X.T @ _solved(X @ X.T, penalty, signs)
        return _solved(X.T @ X, penalty, X.T @ signs)
    except np.linalg.LinAlgError:
        # Columns of very different size: slower, but the condition is not squared.
        ridge = np.vstack([_dense(X), np.sqrt(penalty) * np.eye(d)])
        return scipy.linalg.lstsq(ridge, np.append(signs, np.zeros(d)))[0]


def _solved(products: Any, penalty: float, right: np.ndarray) -> np.ndarray:
    left = _dense(products)
    left[np.diag_indices_from(left)] += penalty
    return scipy.linalg.cho_solve(scipy.linalg.cho_factor(left, overwrite_a=True), right)


def _dense(table: Any) -> np.ndarray:
    return np.asarray(table.toarray() if scipy.sparse.issparse(table) else table)


def _by_gradients(X: Any, signs: np.ndarray, penalty: float, weights: np.ndarray, accuracy: float) -> np.ndarray:
    """Return the same by conjugate gradients, with columns made comparable, from the present weights on."""
    d, across = X.shape[1], X.T.tocsr() if scipy.sparse.issparse(X) else X.T
    squares = penalty + np.asarray((X * X).sum(axis=0)).ravel()
    product = LinearOperator((d, d), matvec=lambda w: penalty * w + across @ (X @ w), dtype=np.float64)
    scale = LinearOperator((d, d), matvec=lambda w: w / squares, dtype=np.float64)
    return cg(product, across @ signs, x0=weights, rtol=accuracy, maxiter=10 * d, M=scale)[0]

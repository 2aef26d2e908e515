"""Coordinate descent for a linear model of two classes under a hinge with a rounded corner."""

from __future__ import annotations

import numpy as np

from fewer.core.kernels._jit import kernel


@kernel
def _slope(margin, delta):
    """Return the slope of the huberized hinge: 0 beyond margin 1, -1 below 1 - delta, a line between."""
    if margin > 1.0:
        return 0.0
    if margin <= 1.0 - delta:
        return -1.0
    return (margin - 1.0) / delta


@kernel
def _sweep(columns, y, l1, l2, delta, beta, margins, all_columns):
    """Move every coefficient once, or those that are not 0; return the largest change, in units of margins squared."""
    largest = 0.0
    for j in range(columns.shape[0]):
        if not all_columns and beta[j] == 0.0:
            continue
        column = columns[j]
        slope, square = 0.0, 0.0
        for i in range(column.shape[0]):
            slope += _slope(margins[i], delta) * y[i] * column[i]
            square += column[i] * column[i]
        if square == 0.0:
            continue
        # The second derivative of the loss is at most 1 / delta per row.
        bound = square / delta
        at = bound * beta[j] - slope
        new = 0.0
        if at > l1:
            new = (at - l1) / (bound + l2)
        elif at < -l1:
            new = (at + l1) / (bound + l2)
        move = new - beta[j]
        if move != 0.0:
            beta[j] = new
            for i in range(column.shape[0]):
                margins[i] += y[i] * column[i] * move
            largest = max(largest, square * move * move)
    return largest


@kernel
def _move_intercept(y, delta, margins):
    """Move the intercept by one step of the same kind; return the step."""
    slope = 0.0
    for i in range(y.shape[0]):
        slope += _slope(margins[i], delta) * y[i]
    step = -slope * delta / y.shape[0]
    for i in range(y.shape[0]):
        margins[i] += y[i] * step
    return step


@kernel
def huberized_descent(columns, y, l1, l2, delta, beta, intercept, tol, max_iter):
    """Minimise ``sum_i phi(y_i f_i) + l1 |beta|_1 + l2 / 2 |beta|^2`` from given coefficients, which are changed.

    Parameters
    ----------
    columns : ndarray of shape (p, n)
        The features, one after another.
    y : ndarray of shape (n,)
        Classes -1 and 1.
    l1, l2, delta : float
        Penalties, and the width of the rounded corner of the hinge.
    beta : ndarray of shape (p,)
        Coefficients to begin with.
    intercept : float
        Intercept to begin with.
    tol : float
        Largest change of margins, squared and summed over rows, at which to end.
    max_iter : int
        Most sweeps.

    Returns
    -------
    tuple of float and int
        The intercept and the number of sweeps.
    """
    margins = np.empty(y.shape[0])
    for i in range(y.shape[0]):
        margins[i] = intercept
    for j in range(columns.shape[0]):
        if beta[j] != 0.0:
            for i in range(y.shape[0]):
                margins[i] += columns[j, i] * beta[j]
    for i in range(y.shape[0]):
        margins[i] *= y[i]
    all_columns = True
    for sweep in range(max_iter):
        largest = _sweep(columns, y, l1, l2, delta, beta, margins, all_columns)
        step = _move_intercept(y, delta, margins)
        intercept += step
        largest = max(largest, step * step * y.shape[0])
        if largest <= tol:
            if all_columns:
                return intercept, sweep + 1
            all_columns = True
        else:
            all_columns = False
    return intercept, max_iter

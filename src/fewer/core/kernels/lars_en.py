"""Steps of least angle regression: who joins next, who leaves, and a triangular factor that follows."""

from __future__ import annotations

import numpy as np

from fewer.core.kernels._jit import kernel

# Candidates whose steps agree to so many digits join in the order of their numbers.
NEARLY = 1.0 - 1e-12
# A slope that differs from that of the active features by less is theirs, but for rounding.
LEVEL = 1e-10


@kernel
def next_join(c, a, top, free, barred):
    """Return after which step a free column reaches the common correlation, and its number; infinity and -1 for none.

    Columns have the correlations c, which fall by a per unit of the step, while those of the active ones fall from top
    by 1. A column may not join with the sign that barred holds for it, 0 for none: it has just left with that sign. Of
    columns that join at the same time the lower number wins.
    """
    best, which = np.inf, -1
    for j in range(c.shape[0]):
        if not free[j]:
            continue
        for sign in (1.0, -1.0):
            slope = 1.0 - sign * a[j]
            if slope <= LEVEL or barred[j] == sign:
                continue
            step = max(top - sign * c[j], 0.0) / slope
            if step < best * NEARLY:
                best, which = step, j
    return best, which


@kernel
def first_zero(beta, direction, signs):
    """Return after which step an active coefficient is 0 again, and its place; infinity and -1 for none.

    A coefficient that is 0 already and would get the wrong sign is 0 at once.
    """
    best, which = np.inf, -1
    for k in range(beta.shape[0]):
        if direction[k] * signs[k] >= 0.0:
            continue
        step = max(-beta[k] / direction[k], 0.0)
        if step < best:
            best, which = step, k
    return best, which


@kernel
def factor_append(factor, n, products, square):
    """Add a row to the triangular factor of a matrix of n rows; return the square of its new diagonal element.

    Products are those of the new column with the n others, square is that with itself. Nothing counts that was written
    if the result is not clearly positive.
    """
    left = square
    for i in range(n):
        value = products[i]
        for k in range(i):
            value -= factor[i, k] * factor[n, k]
        value /= factor[i, i]
        factor[n, i] = value
        left -= value * value
    factor[n, n] = np.sqrt(max(left, 0.0))
    return left


@kernel
def factor_delete(factor, n, place):
    """Take one row and column of a matrix of n rows out of its triangular factor, by plane rotations."""
    for i in range(place, n - 1):
        for k in range(i + 2):
            factor[i, k] = factor[i + 1, k]
    for k in range(place, n - 1):
        x, y = factor[k, k], factor[k, k + 1]
        size = np.hypot(x, y)
        cosine, sine = x / size, y / size
        factor[k, k], factor[k, k + 1] = size, 0.0
        for i in range(k + 1, n - 1):
            x, y = factor[i, k], factor[i, k + 1]
            factor[i, k] = cosine * x + sine * y
            factor[i, k + 1] = cosine * y - sine * x


@kernel
def factor_solve(factor, n, right):
    """Return the solution of a system of n equations, given the triangular factor of its matrix."""
    out = right.copy()
    for i in range(n):
        value = out[i]
        for k in range(i):
            value -= factor[i, k] * out[k]
        out[i] = value / factor[i, i]
    for i in range(n - 1, -1, -1):
        out[i] /= factor[i, i]
        for k in range(i):
            out[k] -= factor[i, k] * out[i]
    return out

"""A machine that loses a feature: with a linear kernel its matrix loses x x', and its solution follows in n² steps."""

from __future__ import annotations

import numpy as np

from fewer.core.kernels._jit import fast_kernel, kernel
from fewer.core.kernels.svm_dual import gradient

# The part of a direction that one feature may carry; beyond, what is left of the matrix has no inverse worth a step.
MOST = 1.0 - 1e-6


@fast_kernel
def lose_products(K, x):
    """Take x_h x_k from every entry of a matrix."""
    for h in range(x.shape[0]):
        row, scale = K[h], x[h]
        for k in range(x.shape[0]):
            row[k] -= scale * x[k]


@fast_kernel
def _times(matrix, vector, out):
    """Write the product of a symmetric matrix and a vector."""
    out[:] = 0.0
    for s in range(vector.shape[0]):
        row, scale = matrix[s], vector[s]
        for t in range(vector.shape[0]):
            out[t] += scale * row[t]


@fast_kernel
def _lose_inverse(inverse, x):
    """Make the inverse of A that of A - x x' (Sherman and Morrison); return whether there is one."""
    u = np.empty(x.shape[0])
    _times(inverse, x, u)
    part = 0.0
    for t in range(x.shape[0]):
        part += x[t] * u[t]
    if not part < MOST:
        return False
    for s in range(x.shape[0]):
        row, scale = inverse[s], u[s] / (1.0 - part)
        for t in range(x.shape[0]):
            row[t] += scale * u[t]
    return True


@kernel
def follow(K, x, at, sign, cost, upper, a, free, inverse):
    """Move the free entries of ``a`` to their optimum after K has lost x x'; return whether that was possible.

    ``inverse`` is that of K before, of the rows of the free entries, and is brought up to date. Where an entry would
    leave its bounds, ``a`` stays as it is. The rest is as in `svm_dual.solve`, which is to be called afterwards: it
    computes the gradient again, and returns at once if the solution is one.
    """
    rows = at[free]
    if rows.shape[0] < 2 or not _lose_inverse(inverse, x[rows]):
        return False
    f, m = np.empty(K.shape[0]), free.shape[0]
    gradient(K, at, sign, a, f)
    # K move + b = r, with the sum of the moves 0.
    move, ones = np.empty(m), np.empty(m)
    _times(inverse, -f[rows] - cost[free], move)
    _times(inverse, np.ones(m), ones)
    total = ones.sum()
    if total == 0.0:
        return False
    move -= ones * (move.sum() / total)
    move -= move.sum() / m
    for t in range(m):
        new = a[free[t]] + sign[free[t]] * move[t]
        if not 0.0 < new < upper[free[t]]:
            return False
    for t in range(m):
        a[free[t]] += sign[free[t]] * move[t]
    return True

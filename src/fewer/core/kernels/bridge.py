"""Coordinate descent for sums of squares with the penalty sum |b|^q."""

from __future__ import annotations

import numpy as np

from fewer.core.kernels._jit import fast_kernel, kernel

# Iterations of the scalar equation: halving alone would need 60 for all digits.
MOST_HALVINGS = 100


@kernel
def shrunk(z, penalty, q):
    """Return the b that minimises (b - z)² + penalty |b|^q."""
    size = abs(z)
    if size == 0.0 or penalty == 0.0:
        return z
    if q == 1.0:
        return np.sign(z) * max(size - penalty / 2.0, 0.0)
    if q == 2.0:
        return z / (1.0 + penalty)
    low = 0.0
    if q < 1.0:
        # Below low the slope still rises; at the threshold the minimum jumps from 0 to low (τ of the catalogue).
        low = (penalty * (1.0 - q)) ** (1.0 / (2.0 - q))
        if size <= (2.0 - q) / (2.0 * (1.0 - q)) * low:
            return 0.0
    high = size
    b = size
    for _ in range(MOST_HALVINGS):
        slope = 2.0 * (b - size) + penalty * q * b ** (q - 1.0)
        if slope > 0.0:
            high = b
        else:
            low = b
        curved = 2.0 + penalty * q * (q - 1.0) * b ** (q - 2.0)
        newton = b - slope / curved
        # Newton's step, unless it leaves what is known to hold the root.
        then = newton if curved > 0.0 and low < newton < high else 0.5 * (low + high)
        if abs(then - b) <= 1e-15 * size:
            return np.sign(z) * then
        b = then
    return np.sign(z) * b


@fast_kernel
def _product(x, r):
    total = 0.0
    for i in range(x.shape[0]):
        total += x[i] * r[i]
    return total


@fast_kernel
def _add(r, amount, x):
    for i in range(x.shape[0]):
        r[i] += amount * x[i]


@kernel
def _sweep(rows, residual, beta, penalty, q, only_active):
    """Visit columns once; return the largest change of a coefficient."""
    most = 0.0
    for j in range(rows.shape[0]):
        if only_active and beta[j] == 0.0:
            continue
        x = rows[j]
        old = beta[j]
        new = shrunk(old + _product(x, residual), penalty, q)
        if new != old:
            _add(residual, old - new, x)
            beta[j] = new
            most = max(most, abs(new - old))
    return most


@kernel
def descend(rows, residual, beta, penalty, q, tol, max_iter):
    """Change beta, and the residual with it, until no coefficient changes by more than tol; return the sweeps.

    Rows hold columns of length 1. After a sweep over all columns those with coefficients are visited until they stay.
    """
    done = 0
    while done < max_iter:
        done += 1
        if _sweep(rows, residual, beta, penalty, q, False) <= tol:
            break
        while done < max_iter:
            done += 1
            if _sweep(rows, residual, beta, penalty, q, True) <= tol:
                break
    return done

"""Ascent of the margin under a weighted Euclidean norm, one row after the other."""

from __future__ import annotations

import numpy as np

from fewer.core.kernels._jit import fast_kernel, kernel

# How many columns are added before asking whether a row can still be nearest.
PIECE = 128


@fast_kernel
def _distance_below(x, z, squares, bound):
    """Return the weighted squared distance of two rows, or infinity once it reaches the bound."""
    total = 0.0
    for first in range(0, x.shape[0], PIECE):
        # Slices: with places that start at first the compiler finds no SIMD loop, which takes seven times as long.
        a, b, w = x[first : first + PIECE], z[first : first + PIECE], squares[first : first + PIECE]
        part = 0.0
        for j in range(a.shape[0]):
            part += w[j] * (a[j] - b[j]) * (a[j] - b[j])
        total += part
        if total >= bound:
            return np.inf
    return total


@kernel
def _nearest(X, y, i, squares):
    """Return the nearest hit and miss of row i and their squared distances; the first of equally near rows."""
    hit, miss = -1, -1
    to_hit, to_miss = np.inf, np.inf
    for k in range(X.shape[0]):
        if k == i:
            continue
        if y[k] == y[i]:
            d = _distance_below(X[i], X[k], squares, to_hit)
            if d < to_hit:
                hit, to_hit = k, d
        else:
            d = _distance_below(X[i], X[k], squares, to_miss)
            if d < to_miss:
                miss, to_miss = k, d
    return hit, miss, to_hit, to_miss


@kernel
def climb(X, y, order, weights):
    """Change weights by one step per row of order: w += ½ (z_m² / |z_m|_w - z_h² / |z_h|_w) w.

    z_m and z_h are the differences from the nearest miss and hit under the current weights. Rows without a hit make no
    step; a term with distance zero is left out.
    """
    squares = np.empty(weights.shape[0])
    for t in range(order.shape[0]):
        i = order[t]
        for j in range(weights.shape[0]):
            squares[j] = weights[j] * weights[j]
        hit, miss, to_hit, to_miss = _nearest(X, y, i, squares)
        if hit < 0 or miss < 0:
            continue
        per_hit = 0.5 / np.sqrt(to_hit) if to_hit > 0.0 else 0.0
        per_miss = 0.5 / np.sqrt(to_miss) if to_miss > 0.0 else 0.0
        x, h, m = X[i], X[hit], X[miss]
        for j in range(weights.shape[0]):
            from_hit, from_miss = x[j] - h[j], x[j] - m[j]
            weights[j] += (per_miss * from_miss * from_miss - per_hit * from_hit * from_hit) * weights[j]

"""Distances between two sets of rows, tile by tile: sixteen pairs at a time stay in registers."""

from __future__ import annotations

import numpy as np

from fewer.core.kernels._jit import fast_kernel, kernel

# Features summed in the type of the rows before the sum moves on to float64: bounds the rounding error, and keeps
# the rows of a tile in cache.
CHUNK = 512


@fast_kernel
def l1_tile(left, right, left_sums, right_sums, one, grid, out):
    """Write the sums of absolute differences of all rows of ``left`` and ``right`` into the float64 tile ``out``.

    Uses |a - b| = 2 max(a, b) - a - b, so that a feature costs one comparison and one multiply-add, which modern
    processors start in the same cycle; ``one`` is 1 in the type of the rows, unknown to the compiler. ``left_sums``
    and ``right_sums`` are the sums of the rows. With ``grid`` above 0, results are rounded to multiples of 1 / grid.
    """
    m, t, p = left.shape[0], right.shape[0], left.shape[1]
    for i in range(m):
        for j in range(t):
            out[i, j] = -left_sums[i] - right_sums[j]
    for start in range(0, p, CHUNK):
        stop = min(start + CHUNK, p)
        for i in range(0, m, 4):
            # A short last group repeats its last row, and writes the same numbers again.
            i1, i2, i3 = min(i + 1, m - 1), min(i + 2, m - 1), min(i + 3, m - 1)
            a0, a1, a2, a3 = left[i, start:stop], left[i1, start:stop], left[i2, start:stop], left[i3, start:stop]
            for j in range(0, t, 4):
                j1, j2, j3 = min(j + 1, t - 1), min(j + 2, t - 1), min(j + 3, t - 1)
                b0, b1 = right[j, start:stop], right[j1, start:stop]
                b2, b3 = right[j2, start:stop], right[j3, start:stop]
                s00 = s01 = s02 = s03 = s10 = s11 = s12 = s13 = one - one
                s20 = s21 = s22 = s23 = s30 = s31 = s32 = s33 = one - one
                for f in range(stop - start):
                    x, y, z, w = a0[f], a1[f], a2[f], a3[f]
                    b, c, d, e = b0[f], b1[f], b2[f], b3[f]
                    s00 += one * (x if x > b else b)
                    s01 += one * (x if x > c else c)
                    s02 += one * (x if x > d else d)
                    s03 += one * (x if x > e else e)
                    s10 += one * (y if y > b else b)
                    s11 += one * (y if y > c else c)
                    s12 += one * (y if y > d else d)
                    s13 += one * (y if y > e else e)
                    s20 += one * (z if z > b else b)
                    s21 += one * (z if z > c else c)
                    s22 += one * (z if z > d else d)
                    s23 += one * (z if z > e else e)
                    s30 += one * (w if w > b else b)
                    s31 += one * (w if w > c else c)
                    s32 += one * (w if w > d else d)
                    s33 += one * (w if w > e else e)
                last = t - j
                _add(out[i], j, last, 2.0, s00, s01, s02, s03)
                if i + 1 < m:
                    _add(out[i1], j, last, 2.0, s10, s11, s12, s13)
                if i + 2 < m:
                    _add(out[i2], j, last, 2.0, s20, s21, s22, s23)
                if i + 3 < m:
                    _add(out[i3], j, last, 2.0, s30, s31, s32, s33)
    _snap(out, grid)


@fast_kernel
def squared_tile(left, right, grid, out):
    """Write the sums of squared differences of all rows of ``left`` and ``right`` into the float64 tile ``out``."""
    m, t, p = left.shape[0], right.shape[0], left.shape[1]
    out[:, :] = 0.0
    zero = left.dtype.type(0)
    for start in range(0, p, CHUNK):
        stop = min(start + CHUNK, p)
        for i in range(0, m, 2):
            i1 = min(i + 1, m - 1)
            a0, a1 = left[i, start:stop], left[i1, start:stop]
            for j in range(0, t, 4):
                j1, j2, j3 = min(j + 1, t - 1), min(j + 2, t - 1), min(j + 3, t - 1)
                b0, b1 = right[j, start:stop], right[j1, start:stop]
                b2, b3 = right[j2, start:stop], right[j3, start:stop]
                s00 = s01 = s02 = s03 = s10 = s11 = s12 = s13 = zero
                for f in range(stop - start):
                    x, y = a0[f], a1[f]
                    b, c, d, e = b0[f], b1[f], b2[f], b3[f]
                    s00 += (x - b) * (x - b)
                    s01 += (x - c) * (x - c)
                    s02 += (x - d) * (x - d)
                    s03 += (x - e) * (x - e)
                    s10 += (y - b) * (y - b)
                    s11 += (y - c) * (y - c)
                    s12 += (y - d) * (y - d)
                    s13 += (y - e) * (y - e)
                _add(out[i], j, t - j, 1.0, s00, s01, s02, s03)
                if i + 1 < m:
                    _add(out[i1], j, t - j, 1.0, s10, s11, s12, s13)
    _snap(out, grid)


@fast_kernel
def _add(row, j, n, factor, s0, s1, s2, s3):
    """Add up to four sums to a row from place j on."""
    row[j] += factor * s0
    if n > 1:
        row[j + 1] += factor * s1
    if n > 2:
        row[j + 2] += factor * s2
    if n > 3:
        row[j + 3] += factor * s3


@kernel
def _snap(out, grid):
    """Round to multiples of 1 / grid, unless grid is 0."""
    if grid > 0.0:
        for i in range(out.shape[0]):
            for j in range(out.shape[1]):
                out[i, j] = np.floor(out[i, j] * grid + 0.5) / grid


@fast_kernel
def exact_l1(left, right, factor, rows, others, grid, out):
    """Write the float64 distance of each pair of a row of ``left`` and one of ``right``; features count ``factor``."""
    for k in range(rows.shape[0]):
        a, b = left[rows[k]], right[others[k]]
        total = 0.0
        for f in range(a.shape[0]):
            total += factor[f] * abs(np.float64(a[f]) - np.float64(b[f]))
        out[k] = np.floor(total * grid + 0.5) / grid


@fast_kernel
def exact_squared(left, right, factor, rows, others, grid, out):
    """Like `exact_l1` with squared differences."""
    for k in range(rows.shape[0]):
        a, b = left[rows[k]], right[others[k]]
        total = 0.0
        for f in range(a.shape[0]):
            x = factor[f] * (np.float64(a[f]) - np.float64(b[f]))
            total += x * x
        out[k] = np.floor(total * grid + 0.5) / grid

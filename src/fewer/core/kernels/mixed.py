"""Differences of single features that are nominal, cut off by a ramp, or missing.

One formula serves all: the difference of two values is (|x - y| - a) * b, cut to [0, 1]. Numbers scaled to [0, 1] have
a = 0 and b = 1; a ramp has its own a and b; level numbers have a = 0 and b = 1, too, for different ones are at least 1
apart. Kernels take ``squared`` as None or as True: its type decides, when they are compiled, whether differences are
squared, so that nothing is asked inside their loops.
"""

from __future__ import annotations

import numpy as np

from fewer.core.kernels._jit import fast_kernel

# Features summed in the type of the rows before the sum moves on to float64.
CHUNK = 512


@fast_kernel
def add_ramp_tile(left, right, a, b, squared, out):
    """Add to out[i, j] the sum of differences of complete features between rows i and j."""
    m, t, p = left.shape[0], right.shape[0], left.shape[1]
    zero, one = left.dtype.type(0), left.dtype.type(1)
    for start in range(0, p, CHUNK):
        stop = min(start + CHUNK, p)
        low, slope = a[start:stop], b[start:stop]
        for i in range(m):
            x = left[i, start:stop]
            for j in range(0, t, 4):
                # A short last group repeats its last row.
                j1, j2, j3 = min(j + 1, t - 1), min(j + 2, t - 1), min(j + 3, t - 1)
                y0, y1 = right[j, start:stop], right[j1, start:stop]
                y2, y3 = right[j2, start:stop], right[j3, start:stop]
                s0 = s1 = s2 = s3 = zero
                for f in range(stop - start):
                    v, c, d = x[f], low[f], slope[f]
                    d0, d1 = (abs(v - y0[f]) - c) * d, (abs(v - y1[f]) - c) * d
                    d2, d3 = (abs(v - y2[f]) - c) * d, (abs(v - y3[f]) - c) * d
                    d0, d1 = d0 if d0 > zero else zero, d1 if d1 > zero else zero
                    d2, d3 = d2 if d2 > zero else zero, d3 if d3 > zero else zero
                    s0 += _power(d0 if d0 < one else one, squared)
                    s1 += _power(d1 if d1 < one else one, squared)
                    s2 += _power(d2 if d2 < one else one, squared)
                    s3 += _power(d3 if d3 < one else one, squared)
                out[i, j] += s0
                if j + 1 < t:
                    out[i, j1] += s1
                if j + 2 < t:
                    out[i, j2] += s2
                if j + 3 < t:
                    out[i, j3] += s3


@fast_kernel
def _power(d, squared):
    """Return a difference, or its square unless ``squared`` is None."""
    return d if squared is None else d * d


@fast_kernel
def _incomplete(x, y, expected_x, expected_y, both, a, b):
    """Return the difference of two values of which any may be missing (NaN)."""
    d = (abs(x - y) - a) * b
    d = d if d > 0.0 else 0.0
    d = d if d < 1.0 else 1.0
    if_y = expected_x if y != y else d
    if_x = both if y != y else expected_y
    return if_x if x != x else if_y


@fast_kernel
def add_missing_tile(
    left, right, start, first, left_label, right_label, left_expected, right_expected, both, a, b, squared, out
):
    """Add to out[i, j] the sum of differences of incomplete features between rows start + i and first + j.

    ``left_expected[c, i, f]`` is the mean difference of the value of row i from those of class c, ``both[c, d, f]``
    the mean difference of values of the classes c and d.
    """
    for i in range(out.shape[0]):
        x, c = left[start + i], left_label[start + i]
        for j in range(out.shape[1]):
            y, d = right[first + j], right_label[first + j]
            mine, others, none = left_expected[d, start + i], right_expected[c, first + j], both[c, d]
            total = 0.0
            for f in range(x.shape[0]):
                total += _power(_incomplete(x[f], y[f], mine[f], others[f], none[f], a[f], b[f]), squared)
            out[i, j] += total


@fast_kernel
def add_ramp_pairs(left, right, a, b, squared, rows, starts, others, weights, out):
    """Add to out[f] the weighted differences of complete features of chosen pairs, as in `add_l1_pairs`."""
    for k in range(rows.shape[0]):
        x = left[rows[k]]
        for at in range(starts[k], starts[k + 1]):
            y, w = right[others[at]], weights[at]
            for f in range(out.shape[0]):
                d = (abs(np.float64(x[f]) - np.float64(y[f])) - np.float64(a[f])) * np.float64(b[f])
                d = d if d > 0.0 else 0.0
                out[f] += w * _power(d if d < 1.0 else 1.0, squared)


@fast_kernel
def add_missing_pairs(
    left, right, left_label, right_label, left_expected, right_expected, both, a, b, squared, rows, starts, others,
    weights, out,
):  # fmt: skip
    """Add to out[f] the weighted differences of incomplete features of chosen pairs, as in `add_l1_pairs`."""
    for k in range(rows.shape[0]):
        i = rows[k]
        x, c = left[i], left_label[i]
        for at in range(starts[k], starts[k + 1]):
            j, w = others[at], weights[at]
            y, d = right[j], right_label[j]
            mine, theirs, none = left_expected[d, i], right_expected[c, j], both[c, d]
            for f in range(out.shape[0]):
                gap = _incomplete(x[f], y[f], mine[f], theirs[f], none[f], a[f], b[f])
                out[f] += w * _power(gap, squared)

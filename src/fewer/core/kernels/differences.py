"""Weighted sums of the differences between rows, feature by feature."""

from __future__ import annotations

import numpy as np

from fewer.core.kernels._jit import fast_kernel

# Features whose sums stay in the nearest cache while pairs pass by.
CHUNK = 1024
# Candidates and features of a tile that stay in the second-level cache; rows whose sums run in the type of the rows.
GROUP = 128
LANES = 1024
ROWS = 8


@fast_kernel
def add_l1_pairs(left, right, rows, starts, others, weights, out):
    """Add to ``out[f]`` the sum of weight * |left[row, f] - right[other, f]|, in float64.

    The others of rows[k] and their weights are those from starts[k] to starts[k + 1].
    """
    for begin in range(0, out.shape[0], CHUNK):
        end = min(begin + CHUNK, out.shape[0])
        sums = out[begin:end]
        for k in range(rows.shape[0]):
            a = left[rows[k], begin:end]
            at = starts[k]
            while at < starts[k + 1]:
                # Two at a time halve the traffic of the sums.
                more = at + 1 < starts[k + 1]
                b, c = right[others[at], begin:end], right[others[at + more], begin:end]
                v, w = weights[at], weights[at + more] * more
                for f in range(sums.shape[0]):
                    x = np.float64(a[f])
                    sums[f] += v * abs(x - np.float64(b[f])) + w * abs(x - np.float64(c[f]))
                at += 2


@fast_kernel
def add_squared_pairs(left, right, factor, rows, starts, others, weights, out):
    """Like `add_l1_pairs` with the squares of differences that count factor[f] times."""
    for k in range(rows.shape[0]):
        a = left[rows[k]]
        for at in range(starts[k], starts[k + 1]):
            b, w = right[others[at]], weights[at]
            for f in range(out.shape[0]):
                # Scaled before it is squared, which neither overflows nor vanishes then.
                x = factor[f] * (np.float64(a[f]) - np.float64(b[f]))
                out[f] += w * x * x


@fast_kernel
def add_l1_tile(left, right, weights, out):
    """Add to ``out[f]`` the sum of weights[i, j] * |left[i, f] - right[j, f]| over a tile of pairs.

    Sums of a few rows run in the type of the rows, and then move on to float64.
    """
    chosen, sums = np.empty(GROUP + 1, np.int64), np.zeros(LANES, left.dtype)
    for begin in range(0, left.shape[1], LANES):
        end = min(begin + LANES, left.shape[1])
        part, total = sums[: end - begin], out[begin:end]
        for first in range(0, right.shape[0], GROUP):
            last = min(first + GROUP, right.shape[0])
            for top in range(0, left.shape[0], ROWS):
                for i in range(top, min(top + ROWS, left.shape[0])):
                    # The list is filled without branches, because no processor could guess them.
                    w, n = weights[i], 0
                    for j in range(first, last):
                        chosen[n] = j
                        n += w[j] != 0.0
                    _add_l1_row(left[i, begin:end], right, begin, end, w, chosen, n, part)
                for f in range(part.shape[0]):
                    total[f] += part[f]
                    part[f] = 0


@fast_kernel
def _add_l1_row(a, right, begin, end, w, chosen, n, part):
    """Add the weighted differences of one row to n chosen ones, four at a time."""
    for k in range(0, n, 4):
        # A short last group repeats its last row with weight 0.
        j0, j1 = chosen[k], chosen[min(k + 1, n - 1)]
        j2, j3 = chosen[min(k + 2, n - 1)], chosen[min(k + 3, n - 1)]
        v0, v1 = a.dtype.type(w[j0]), a.dtype.type(w[j1] * (k + 1 < n))
        v2, v3 = a.dtype.type(w[j2] * (k + 2 < n)), a.dtype.type(w[j3] * (k + 3 < n))
        b0, b1 = right[j0, begin:end], right[j1, begin:end]
        b2, b3 = right[j2, begin:end], right[j3, begin:end]
        for f in range(part.shape[0]):
            x = a[f]
            part[f] += v0 * abs(x - b0[f]) + v1 * abs(x - b1[f]) + v2 * abs(x - b2[f]) + v3 * abs(x - b3[f])

"""Steps of the ranks of a target from row to row, in the order of a feature."""

from __future__ import annotations

import numpy as np

from fewer.core.kernels._jit import kernel


@kernel
def _pair_sum(values, start, stop):
    """Return the sum of b - a over all pairs a < b of sorted values."""
    total, n = np.int64(0), stop - start
    for k in range(n):
        total += (2 * k - n + 1) * values[start + k]
    return total


@kernel
def _cross_sum(values, start, middle, stop):
    """Return the sum of |a - b| over all pairs of two sorted stretches."""
    below = np.int64(0)
    total = np.int64(0)
    for k in range(middle, stop):
        total += values[k]
    above, n_above, k = total, stop - middle, middle
    out = np.int64(0)
    for i in range(start, middle):
        a = values[i]
        while k < stop and values[k] <= a:
            below += values[k]
            above -= values[k]
            n_above -= 1
            k += 1
        out += a * (stop - middle - n_above) - below + above - a * n_above
    return out


@kernel
def expected_steps(column, order, ranks, values):
    """Return the sum of |r(i+1) - r(i)| in the order of a column, its mean over all orders of rows with equal values.

    ranks are whole numbers; values is room for as many.
    """
    n = column.shape[0]
    for i in range(n):
        values[i] = ranks[order[i]]
    total = 0.0
    first, start = 0, 0
    while start < n:
        stop = start + 1
        while stop < n and column[order[stop]] == column[order[start]]:
            stop += 1
        if stop - start > 1:
            values[start:stop] = np.sort(values[start:stop])
            total += 2.0 * np.float64(_pair_sum(values, start, stop)) / (stop - start)
        if start > 0:
            if stop - first == 2:
                total += abs(values[start] - values[first])
            else:
                pairs = np.float64(start - first) * np.float64(stop - start)
                total += np.float64(_cross_sum(values, first, start, stop)) / pairs
        first, start = start, stop
    return total

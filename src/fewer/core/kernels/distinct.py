"""The different values of columns, as long as they are few."""

from __future__ import annotations

import numpy as np

from fewer.core.kernels._jit import kernel

# Columns looked at together, so that a cache line of X serves them all, and rows between two looks whether any of
# them still has few values.
COLUMNS = 32
ROWS = 64


@kernel
def _added(x, values, n):
    """Put x among the n ascending values unless it is there; return how many there are, one too many if full."""
    place, left = 0, n
    while left > 0:
        half = (left + 1) >> 1
        place += half * (values[place + half - 1] < x)
        left -= half
    if place < n and values[place] == x:
        return n
    if n < values.shape[0]:
        for k in range(n, place, -1):
            values[k] = values[k - 1]
        # -0.0 + 0.0 = 0.0: which of two equal zeros came first must not matter.
        values[place] = x + 0.0
    return n + 1


@kernel
def dense_distinct(X, weight, extent, start, stop, values, number, low, high):
    """Fill values[j - start] with the different values of feature j in ascending order, as long as they fit.

    number[j - start] is how many there are, or one more than fit. With extent, low and high are widened to all values,
    else columns with too many are left unread. Missing values and rows of weight 0 are left out; an empty weight
    stands for ones.
    """
    n, most, weighted = X.shape[0], values.shape[1], weight.shape[0] > 0
    for left in range(start, stop, COLUMNS):
        right = min(left + COLUMNS, stop)
        for top in range(0, n, ROWS):
            open_columns = 0
            for j in range(left, right):
                many = number[j - start] > most
                open_columns += not many
                if many and not extent:
                    continue
                for i in range(top, min(top + ROWS, n)):
                    x = np.float64(X[i, j])
                    if x != x or (weighted and weight[i] == 0.0):
                        continue
                    if number[j - start] <= most:
                        number[j - start] = _added(x, values[j - start], number[j - start])
                    low[j - start] = x if x < low[j - start] else low[j - start]
                    high[j - start] = x if x > high[j - start] else high[j - start]
            if open_columns == 0 and not extent:
                break


@kernel
def sparse_distinct(indptr, indices, data, weight, n_positive, start, stop, values, number, low, high):
    """Like dense_distinct for CSC columns, all of them read; n_positive is the number of rows of positive weight."""
    most, weighted = values.shape[1], weight.shape[0] > 0
    for j in range(start, stop):
        here, stored, n = values[j - start], 0, 0
        for k in range(indptr[j], indptr[j + 1]):
            if weighted and weight[indices[k]] == 0.0:
                continue
            stored += 1
            x = np.float64(data[k])
            if x != x:
                continue
            if n <= most:
                n = _added(x, here, n)
            low[j - start] = min(low[j - start], x)
            high[j - start] = max(high[j - start], x)
        if stored < n_positive:
            if n <= most:
                n = _added(0.0, here, n)
            low[j - start] = min(low[j - start], 0.0)
            high[j - start] = max(high[j - start], 0.0)
        number[j - start] = n


@kernel
def merge_distinct(values, number, other, n_other):
    """Add the different values of other rows to those of each feature."""
    most = values.shape[1]
    for j in range(values.shape[0]):
        if n_other[j] > most:
            number[j] = most + 1
        for k in range(min(n_other[j], most)):
            if number[j] <= most:
                number[j] = _added(other[j, k], values[j], number[j])

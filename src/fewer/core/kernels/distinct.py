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
def dense_distinct(X, start, stop, values, number):
    """Fill values[j - start] with the different values of feature j in ascending order, as long as they fit.

    number[j - start] is how many there are, or one more than fit; then the column is left unread. Missing values are
    left out.
    """
    n, most = X.shape[0], values.shape[1]
    for left in range(start, stop, COLUMNS):
        right = min(left + COLUMNS, stop)
        for top in range(0, n, ROWS):
            open_columns = 0
            for j in range(left, right):
                if number[j - start] > most:
                    continue
                open_columns += 1
                for i in range(top, min(top + ROWS, n)):
                    x = np.float64(X[i, j])
                    if x == x and number[j - start] <= most:
                        number[j - start] = _added(x, values[j - start], number[j - start])
            if open_columns == 0:
                break

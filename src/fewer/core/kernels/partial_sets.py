"""Partial correlations of one pair of columns given one list of others after another."""

from __future__ import annotations

import numpy as np

from fewer.core.kernels._jit import kernel


@kernel
def first_independent(shared, x, target, sets, determined, limits, enough, out):
    """Fill out[s] = (product, squares left of x and target, rank) of sets up to the first that separates; say how many.

    shared is a square of correlations, 0 on the diagonal where a column is constant and about 1 elsewhere; x and target
    are lines of it, of which that of x is not read beyond the diagonal. A line of sets names lines in the order in
    which equal ones are taken, less than 0 for none. A set of rank r separates if the partial correlation is at most
    limits[r], or if it leaves nothing of one of the pair and enough[r] is true.
    """
    width = sets.shape[1]
    table = np.empty((width + 1, width + 2))
    left = np.empty(width + 2)
    slope = np.empty(width + 2)
    for s in range(sets.shape[0]):
        size = _gather(shared, x, target, sets[s], table, left)
        rank = _take_out(table, left, slope, size, determined)
        out[s, 0] = table[size, 0]
        out[s, 1] = left[0]
        out[s, 2] = left[size + 1]
        out[s, 3] = rank
        if left[0] > determined and left[size + 1] > determined:
            separates = abs(table[size, 0]) / np.sqrt(left[0] * left[size + 1]) <= limits[rank]
        else:
            separates = enough[rank]
        if separates:
            return s + 1
    return sets.shape[0]


@kernel
def _gather(shared, x, target, members, table, left):
    """Copy the correlations of some columns and the target with x and each other; return how many columns."""
    size = 0
    while size < members.shape[0] and members[size] >= 0:
        size += 1
    for a in range(size + 1):
        line = members[a] if a < size else target
        table[a, 0] = shared[line, x]
        for b in range(size):
            table[a, b + 1] = shared[line, members[b]]
        table[a, size + 1] = shared[line, target]
    left[0] = 1.0 if shared[x, x] > 0.0 else 0.0
    for b in range(size + 1):
        left[b + 1] = 1.0 if table[b, b + 1] > 0.0 else 0.0
    return size


@kernel
def _take_out(table, left, slope, size, determined):
    """Take the columns out of all others, always the one that has most left, the first of equals; return the rank."""
    taken = np.zeros(size, np.uint8)
    for rank in range(size):
        best = -1
        for k in range(size):
            if taken[k] == 0 and (best < 0 or left[k + 1] > left[best + 1]):
                best = k
        if left[best + 1] <= determined:
            return rank
        taken[best] = 1
        root = np.sqrt(left[best + 1])
        for b in range(size + 2):
            slope[b] = table[best, b] / root
        for a in range(size + 1):
            for b in range(size + 2):
                table[a, b] -= slope[a + 1] * slope[b]
        for b in range(size + 2):
            left[b] -= slope[b] * slope[b]
    return size

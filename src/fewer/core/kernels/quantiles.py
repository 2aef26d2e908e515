"""Order statistics by counting: exact, and the counts of row blocks add up."""

from __future__ import annotations

import numpy as np

from fewer.core.kernels._jit import kernel

# Columns copied together, so that a cache line of X is read once, and rows per copy: long enough that the counts of
# a feature, once in the cache, are used many times.
COLUMNS = 8
ROWS = 8192
PIECE = 64
MAGNITUDE = np.uint64(0x7FFFFFFFFFFFFFFF)
MIDDLE = np.uint64(0x8000000000000000)


@kernel
def to_key(x):
    """Return a uint64 that orders like x; -0.0 and 0.0 get the same one."""
    bits = np.float64(x).view(np.uint64)
    magnitude = bits & MAGNITUDE
    return MIDDLE + magnitude if bits == magnitude else MIDDLE - magnitude


@kernel
def from_key(key):
    """Return the value that to_key made the key of; 0.0 for both zeros."""
    if key >= MIDDLE:
        return np.uint64(key - MIDDLE).view(np.float64)
    return -np.uint64(MIDDLE - key).view(np.float64)


@kernel
def keys_of(values, out):
    """Fill out with the keys of values."""
    for i in range(values.shape[0]):
        out[i] = to_key(values[i])


@kernel
def values_of(keys, out):
    """Fill out with the values of keys."""
    for i in range(keys.shape[0]):
        out[i] = from_key(keys[i])


@kernel
def _count(x, amount, first, last, low, high, shift, base, counts, least, most):
    """Add amount to the part of the bracket first..last that holds x, if one does."""
    key = to_key(x)
    below, left = first, last - first
    while left > 0:
        half = (left + 1) >> 1
        below += half * (low[below + half - 1] <= key)
        left -= half
    s = below - 1
    if s >= first and key <= high[s]:
        counts[s - base, np.int64((key - low[s]) >> shift[s])] += amount
        least[s - base] = min(least[s - base], key)
        most[s - base] = max(most[s - base], key)


@kernel
def count_dense(X, weight, offsets, low, high, shift, start, stop, counts, least, most):
    """Count the values of features start..stop of C-contiguous X in the parts of their key brackets.

    Brackets offsets[j]..offsets[j + 1] of feature j are disjoint and ascend; part p of bracket s holds the keys with
    (key - low[s]) >> shift[s] == p. least and most are the smallest and largest key met in a bracket. Missing
    values and rows of weight 0 are left out.
    """
    n, base = X.shape[0], offsets[start]
    values = np.empty((COLUMNS, min(n, ROWS)))
    for left in range(start, stop, COLUMNS):
        right = min(left + COLUMNS, stop)
        for top in range(0, n, ROWS):
            length = min(ROWS, n - top)
            for piece in range(0, length, PIECE):
                for j in range(left, right):
                    for i in range(piece, min(piece + PIECE, length) if offsets[j] < offsets[j + 1] else piece):
                        values[j - left, i] = X[top + i, j]
            for j in range(left, right):
                first, last = offsets[j], offsets[j + 1]
                for i in range(length if first < last else 0):
                    x, amount = values[j - left, i], weight[top + i]
                    if x == x and amount > 0:
                        _count(x, amount, first, last, low, high, shift, base, counts, least, most)


@kernel
def count_sparse(
    indptr, indices, data, n_rows, weight, total, offsets, low, high, shift, start, stop, counts, least, most
):
    """Like count_dense for CSC columns; total is the weight of all rows, what is not stored is zero."""
    base = offsets[start]
    for j in range(start, stop):
        first, last = offsets[j], offsets[j + 1]
        if first == last:
            continue
        rest = total
        stored = 0
        for k in range(indptr[j], indptr[j + 1]):
            x = data[k]
            amount = weight[indices[k]]
            rest -= amount
            stored += 1
            if x == x and amount > 0:
                _count(x, amount, first, last, low, high, shift, base, counts, least, most)
        if stored < n_rows and rest > 0:
            _count(0.0, rest, first, last, low, high, shift, base, counts, least, most)


@kernel
def narrow(counts, least, most, slot, need, shift, low, high, below):
    """Shrink the bracket of every wanted order statistic to the part in which the running count reaches need.

    Entry t is sought in bracket slot[t] of the counts; low[t], high[t] and below[t] (the count before the bracket) are
    replaced.
    """
    one = np.uint64(1)
    for t in range(slot.shape[0]):
        row = counts[slot[t]]
        step = shift[slot[t]]
        part, last = 0, 0
        # Rounding of weights may leave the sum short of what is needed: then the last part that holds anything.
        for p in range(row.shape[0]):
            if row[p] > 0:
                last = p
        while part < last and below[t] + row[part] < need[t]:
            below[t] += row[part]
            part += 1
        start = low[t] + (np.uint64(part) << step)
        # The last part may end beyond the largest key: its end is not computed.
        if high[t] - start >> step > 0:
            high[t] = start + ((one << step) - one)
        low[t] = max(start, least[slot[t]])
        high[t] = min(high[t], most[slot[t]])

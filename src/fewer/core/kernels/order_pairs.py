"""Pairs of features inside rows: which stands before which, what that is worth, and how rows differ in it."""

from __future__ import annotations

import numpy as np

from fewer.core.kernels._jit import fast_kernel, kernel
from fewer.core.kernels.bits import popcount


@fast_kernel
def add_before(rows, groups, weight, start, stop, out):
    """Add weight[r] to out[groups[r], i, j] where rows[r, i] < rows[r, j], for i from start to stop."""
    n_rows, n = rows.shape
    for i in range(start, stop):
        for r in range(n_rows):
            row, target, w, value = rows[r], out[groups[r], i], weight[r], rows[r, i]
            for j in range(n):
                target[j] += w if value < row[j] else 0.0


@fast_kernel
def sum_before(rows, start, stop, weights, out):
    """Fill out[r, c] = sum of weights[c, i, j] over all pairs with rows[r, i] < rows[r, j], for rows start..stop."""
    n = rows.shape[1]
    out[start:stop] = 0.0
    for c in range(weights.shape[0]):
        for i in range(n):
            values = weights[c, i]
            for r in range(start, stop):
                row, value, total = rows[r], rows[r, i], 0.0
                for j in range(n):
                    total += values[j] if value < row[j] else 0.0
                out[r, c] += total


@kernel
def append_bits(words, place, bits, count):
    """Write the low ``count`` bits (at most 64) from bit number ``place`` on; return the place after them."""
    if count == 0:
        return place
    shift = np.uint64(place & 63)
    words[place >> 6] |= bits << shift
    if (place & 63) + count > 64:
        words[(place >> 6) + 1] |= bits >> (np.uint64(64) - shift)
    return place + count


@kernel
def append_larger(row, value, first, words, place):
    """Write one bit per feature from ``first`` on, set where it is larger than value; return the next place."""
    n = row.shape[0]
    j = first
    while j + 64 <= n:
        # Always 64 turns, so that the loop runs in SIMD lanes.
        some, bits = row[j : j + 64], np.uint64(0)
        for b in range(64):
            bits |= np.uint64(value < some[b]) << np.uint64(b)
        place = append_bits(words, place, bits, 64)
        j += 64
    bits = np.uint64(0)
    for b in range(n - j):
        bits |= np.uint64(value < row[j + b]) << np.uint64(b)
    return append_bits(words, place, bits, n - j)


@kernel
def pack_orders(rows, mirrored, first, last, both, start, stop, words):
    """Set one bit per pair i < j, first <= i < last, where rows[r, i] < rows[r, j]; with both, also one where >.

    For rows start..stop. mirrored is -rows; words (n_rows, n_words) starts at 0 and has room for all bits.
    """
    for r in range(start, stop):
        place = 0
        for i in range(first, last):
            place = append_larger(rows[r], rows[r, i], i + 1, words[r], place)
            if both:
                place = append_larger(mirrored[r], mirrored[r, i], i + 1, words[r], place)


@kernel
def add_differing_bits(left, right, start, stop, out):
    """Add to out[a, b] the number of bits in which left[a] and right[b] differ, for rows start..stop of left."""
    n_words = left.shape[1]
    for a in range(start, stop):
        one = left[a]
        for b in range(right.shape[0]):
            other = right[b]
            total = np.uint64(0)
            for w in range(n_words):
                total += popcount(one[w] ^ other[w])
            out[a, b] += np.int64(total)

"""Conditional information of many features by counting cells; sums of whole numbers, so that ties are exact."""

from __future__ import annotations

import numpy as np

from fewer.core.kernels._jit import kernel

GOLDEN = 0x9E3779B97F4A7C15


@kernel
def additive_logs(scale, out):
    """Fill out[x] with scale * ln x in whole numbers: rounded for primes, summed over the prime factors of others.

    So out[a * b] = out[a] + out[b] holds exactly, and with it every identity between logarithms of whole numbers.
    """
    n = out.shape[0]
    # Counts have 31 bits.
    factor = np.zeros(n, np.int32)
    for x in range(2, n):
        if factor[x] > 0:
            out[x] = out[factor[x]] + out[x // factor[x]]
            continue
        out[x] = np.int64(np.rint(np.log(x) * scale))
        for multiple in range(x * x, n, x):
            if factor[multiple] == 0:
                factor[multiple] = x


@kernel
def _cross(ids, n_ids, column, n_levels, slots, numbers, used, out):
    """Number the distinct pairs (ids[i], column[i]) by first appearance into out; return how many there are.

    numbers is a table of a power of two of cells, at least twice the rows, all -1, and left so. Pairs have a cell of
    their own where the table is large enough, and are hashed otherwise.
    """
    size = numbers.shape[0]
    found = 0
    if n_ids * n_levels <= size:
        for i in range(ids.shape[0]):
            cell = ids[i] * n_levels + column[i]
            if numbers[cell] < 0:
                numbers[cell] = found
                used[found] = cell
                found += 1
            out[i] = numbers[cell]
    else:
        mask = np.uint64(size - 1)
        for i in range(ids.shape[0]):
            key = np.uint64(ids[i] * n_levels + column[i])
            # As in hashing.number_keys: a multiplication spreads neighbouring keys, its high bits are the good ones.
            cell = np.int64(((key * np.uint64(GOLDEN)) >> np.uint64(20)) & mask)
            while numbers[cell] >= 0 and slots[cell] != key:
                cell = (cell + 1) & (size - 1)
            if numbers[cell] < 0:
                numbers[cell] = found
                slots[cell] = key
                used[found] = cell
                found += 1
            out[i] = numbers[cell]
    for g in range(found):
        numbers[used[g]] = -1
    return found


@kernel
def _sum_logs(ids, n_ids, growth, counts):
    """Return the sum of T(n_g) over the groups of ids, T(x) = growth[0] + .. + growth[x - 1]; counts is left at 0."""
    total = 0
    for i in range(ids.shape[0]):
        total += growth[counts[ids[i]]]
        counts[ids[i]] += 1
    counts[:n_ids] = 0
    return total


@kernel
def conditional_information(columns, n_levels, y, n_classes, growth, features, given, out):
    """Fill out[q] = N I(f; y | M), f = features[q], M = the columns given[q] without -1, in the units of growth.

    columns (d, N) are codes feature by feature. N I(f; y | M) = sum T(n_mfc) - sum T(n_mf) - sum T(n_mc) + sum T(n_m)
    with T(x) = x ln x and growth[x] = T(x + 1) - T(x).
    """
    n = y.shape[0]
    size = 16
    while size < 2 * n:
        size *= 2
    numbers, slots = np.full(size, -1, np.int64), np.empty(size, np.uint64)
    used, counts = np.empty(n, np.int64), np.zeros(max(n, 1), np.int64)
    group, other = np.empty(n, np.int64), np.empty(n, np.int64)
    for q in range(features.shape[0]):
        f = features[q]
        group[:] = 0
        n_groups = 1
        for m in given[q]:
            if m >= 0:
                n_groups = _cross(group, n_groups, columns[m], n_levels[m], slots, numbers, used, other)
                group, other = other, group
        total = _sum_logs(group, n_groups, growth, counts)
        n_cells = _cross(group, n_groups, y, n_classes, slots, numbers, used, other)
        total -= _sum_logs(other, n_cells, growth, counts)
        n_groups = _cross(group, n_groups, columns[f], n_levels[f], slots, numbers, used, other)
        total -= _sum_logs(other, n_groups, growth, counts)
        n_cells = _cross(other, n_groups, y, n_classes, slots, numbers, used, group)
        total += _sum_logs(group, n_cells, growth, counts)
        out[q] = total


@kernel
def table_terms(table, offsets, terms, out):
    """Fill out[j] with the sum of terms[x] over the counts x of the rows offsets[j] to offsets[j + 1] of table."""
    for j in range(out.shape[0]):
        total = 0
        for level in range(offsets[j], offsets[j + 1]):
            for count in table[level]:
                total += terms[count]
        out[j] = total

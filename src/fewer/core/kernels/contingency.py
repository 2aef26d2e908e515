"""Counting loops: how often levels of features meet levels of another variable."""

from __future__ import annotations

import numpy as np

from fewer.core.kernels._jit import kernel

# Counters of one byte overflow after 255 rows; they are emptied into wide ones before that.
BYTE_ROWS = 255
LANES = 2048


@kernel
def count_lanes(rows, order, bounds, n_levels, start, stop, out):
    """Fill out[c, a, j] = #{i in group c: rows[i, start + j] == a}; group c is order[bounds[c]:bounds[c + 1]].

    For few levels: SIMD lanes are features, a counter is one byte, every level but the last costs one comparison. The
    cost does not depend on the number of groups, so the levels of a second feature times the classes may be the groups.
    """
    width = stop - start
    last = n_levels - 1
    byte = np.zeros((n_levels, LANES), np.uint8)
    for left in range(0, width, LANES):
        lanes = min(LANES, width - left)
        first = start + left
        for c in range(bounds.shape[0] - 1):
            for begin in range(bounds[c], bounds[c + 1], BYTE_ROWS):
                end = min(begin + BYTE_ROWS, bounds[c + 1])
                byte[:, :lanes] = 0
                for k in range(begin, end):
                    row = rows[order[k], first : first + lanes]
                    for a in range(last):
                        counter = byte[a]
                        level = np.uint8(a)
                        for j in range(lanes):
                            counter[j] += np.uint8(row[j] == level)
                for a in range(last):
                    wide = out[c, a, left : left + lanes]
                    narrow = byte[a]
                    for j in range(lanes):
                        wide[j] += narrow[j]
            # What no other level took belongs to the last one.
            rest = out[c, last, left : left + lanes]
            for j in range(lanes):
                rest[j] += bounds[c + 1] - bounds[c]
            for a in range(last):
                taken = out[c, a, left : left + lanes]
                for j in range(lanes):
                    rest[j] -= taken[j]


@kernel
def count_rows(rows, other, offsets, start, stop, out):
    """Add 1 to out[offsets[j] - offsets[start] + rows[i, j], other[i]] for features start..stop, along the rows."""
    base = offsets[start]
    for i in range(rows.shape[0]):
        c = other[i]
        for j in range(start, stop):
            out[offsets[j] - base + rows[i, j], c] += 1


@kernel
def count_rows_weighted(rows, other, weight, offsets, start, stop, out):
    """Like count_rows, but every row adds its weight."""
    base = offsets[start]
    for i in range(rows.shape[0]):
        c = other[i]
        w = weight[i]
        for j in range(start, stop):
            out[offsets[j] - base + rows[i, j], c] += w


@kernel
def count_columns(columns, other, offsets, start, stop, out):
    """Add 1 to out[offsets[j] - offsets[start] + columns[j, i], other[i]] for features start..stop, by columns."""
    base = offsets[start]
    n = other.shape[0]
    for j in range(start, stop):
        shift = offsets[j] - base
        column = columns[j]
        for i in range(n):
            out[shift + column[i], other[i]] += 1


@kernel
def count_sparse(indptr, indices, data, zero_code, other, weight, totals, n_rows, offsets, start, stop, out):
    """Count stored codes of CSC columns; the rows that store nothing hold zero_code[j] and are found by subtraction.

    totals[c] is the weight of all rows with other == c and n_rows[c] the number of those with a positive weight.
    Whole-number weights keep the counts whole; of others the round-off of an empty cell must not count as a row.
    """
    base = offsets[start]
    left, left_rows = totals.copy(), n_rows.copy()
    for j in range(start, stop):
        shift = offsets[j] - base
        left[:] = totals
        left_rows[:] = n_rows
        for k in range(indptr[j], indptr[j + 1]):
            i = indices[k]
            if weight[i] > 0:
                left[other[i]] -= weight[i]
                left_rows[other[i]] -= 1
                out[shift + data[k], other[i]] += weight[i]
        for c in range(totals.shape[0]):
            if left_rows[c] > 0:
                out[shift + zero_code[j], c] += max(left[c], 0)


@kernel
def group_rows(keys, n_groups, order, bounds):
    """Counting sort: order lists the rows by key, rows of key c are order[bounds[c]:bounds[c + 1]], in row order."""
    for c in range(n_groups + 1):
        bounds[c] = 0
    for i in range(keys.shape[0]):
        bounds[keys[i] + 1] += 1
    for c in range(n_groups):
        bounds[c + 1] += bounds[c]
    place = bounds[:n_groups].copy()
    for i in range(keys.shape[0]):
        c = keys[i]
        order[place[c]] = i
        place[c] += 1


@kernel
def level_sums(rows, y, weight, shift, offsets, start, stop, out):
    """Add (w, w d, w d^2) with d = y[i] - shift to out[level of feature j in row i], features start..stop."""
    base = offsets[start]
    for i in range(rows.shape[0]):
        w = weight[i]
        d = y[i] - shift
        for j in range(start, stop):
            cell = offsets[j] - base + rows[i, j]
            out[cell, 0] += w
            out[cell, 1] += w * d
            out[cell, 2] += w * d * d


@kernel
def level_sums_sparse(indptr, indices, data, zero_code, y, weight, shift, totals, offsets, start, stop, out):
    """Like level_sums for CSC codes; totals = (sum w, sum w d, sum w d^2) of all rows."""
    base = offsets[start]
    for j in range(start, stop):
        zero = offsets[j] - base + zero_code[j]
        for q in range(3):
            out[zero, q] += totals[q]
        for k in range(indptr[j], indptr[j + 1]):
            i = indices[k]
            w = weight[i]
            d = y[i] - shift
            cell = offsets[j] - base + data[k]
            out[zero, 0] -= w
            out[zero, 1] -= w * d
            out[zero, 2] -= w * d * d
            out[cell, 0] += w
            out[cell, 1] += w * d
            out[cell, 2] += w * d * d

"""Rows of few-valued columns as bits, where some values are missing: what a missing value adds to distances and sums.

A code below ``known`` is a level; a missing value of a row of class c has the code known + c. ``means[f, c, u]`` is the
mean difference of the code u from the known levels of class c: what a pair differs by whose one value is missing.
"""

from __future__ import annotations

import numpy as np

from fewer.core.kernels._jit import kernel
from fewer.core.kernels.level_planes import add_up, count_marked


@kernel
def count_levels(codes, label, out):
    """Add to out[f, c, a] how many rows of class c have the level a in feature f; larger codes count nowhere."""
    known = out.shape[2]
    for f in range(codes.shape[0]):
        column, counts = codes[f], out[f]
        for i in range(column.shape[0]):
            if column[i] < known:
                counts[label[i], column[i]] += 1


@kernel
def add_gaps(ends, gaps, label, start, stop, codes, first, last, known, means, both, out):
    """Add to out[i, j] what rows j differ from row i by in the features that row i misses.

    Bits hold a missing value as level 0, so that what they have counted is taken away. Features that both rows miss are
    added only if ``both``, so that calls with the sides exchanged add them once.
    """
    table = np.empty(means.shape[2])
    for i in range(start, stop):
        row, c = out[i - start], label[i]
        for at in range(ends[i], ends[i + 1]):
            f = gaps[at]
            mean, column = means[f, c], codes[f, first:last]
            table[0] = mean[0]
            for u in range(1, known):
                table[u] = mean[u] - 1.0
            for u in range(known, table.shape[0]):
                table[u] = mean[u] if both else 0.0
            for j in range(column.shape[0]):
                row[j] += table[column[j]]


@kernel
def add_gap_pairs(
    left, left_label, left_ends, left_gaps, right, label, ends, gaps, known, means, rows, starts, others, weights, out
):
    """Add to out[f] what chosen pairs differ by in features that a row misses, less what different codes count."""
    for k in range(rows.shape[0]):
        i = rows[k]
        x, c = left[i], left_label[i]
        for at in range(starts[k], starts[k + 1]):
            j, w = others[at], weights[at]
            y = right[j]
            for g in range(left_ends[i], left_ends[i + 1]):
                f = left_gaps[g]
                out[f] += w * (means[f, c, y[f]] - np.float64(x[f] != y[f]))
            for g in range(ends[j], ends[j + 1]):
                f = gaps[g]
                if x[f] < known:
                    out[f] += w * (means[f, label[j], x[f]] - 1.0)


@kernel
def add_likeness(codes, first, levels, planes, starts, known, means, masks, values, ends, out):
    """Add to out[f] what the marked rows count, times one less the difference from the row they were marked for.

    As `level_planes.add_agreements`, with a plane of the missing values behind those of the levels.
    """
    n, n_classes, n_codes = masks.shape[1], values.shape[0], means.shape[2]
    count, marked, same = np.empty(n, np.uint64), np.empty((n_classes, n), np.uint64), np.empty(n)
    rest, all_ones = np.empty(n, np.uint64), np.full(masks.shape[0], ~np.uint64(0))
    alike = np.empty(n_codes)
    for c in range(n_classes):
        count_marked(all_ones, masks, ends[c], ends[c + 1], marked[c])
    for f in range(codes.shape[0]):
        column, mean = codes[f, first : first + n], means[f]
        n_labels = mean.shape[0]
        same[:] = 0.0
        for c in range(n_classes):
            value, own = values[c], c if n_labels > 1 else 0
            rest[:] = marked[c]
            for a in range(levels[f] + 1):
                if a < levels[f]:
                    count_marked(planes[starts[f] + a], masks, ends[c], ends[c + 1], count)
                    for i in range(n):
                        rest[i] -= count[i]
                    for u in range(known):
                        alike[u] = np.float64(u == a)
                    for u in range(known, n_codes):
                        alike[u] = 1.0 - mean[u - known, a]
                else:
                    count[:] = rest
                    for u in range(n_codes):
                        alike[u] = 1.0 - mean[own, u]
                for i in range(n):
                    same[i] += value[i] * np.float64(count[i]) * alike[column[i]]
        out[f] += add_up(same)

"""Distances under a metric that every query brings with it: weights of features, or a quadratic form."""

from __future__ import annotations

import numpy as np

from fewer.core.kernels._jit import fast_kernel, kernel

# Equal on paper is equal here: distances are rounded to 41 binary places.
SPLIT = 2.0**12 + 1.0


@kernel
def _shorten(row):
    """Round to 41 binary places; what would overflow stays as it is."""
    for j in range(row.shape[0]):
        large = row[j] * SPLIT
        if large < np.inf:
            row[j] = large - (large - row[j])


@fast_kernel
def _weighted_row(left, right, weight, out):
    """Write the sums of weighted squared differences of one row from all others, four others at a time."""
    t, p = right.shape[0], right.shape[1]
    for j in range(0, t, 4):
        j1, j2, j3 = min(j + 1, t - 1), min(j + 2, t - 1), min(j + 3, t - 1)
        b0, b1, b2, b3 = right[j], right[j1], right[j2], right[j3]
        s0 = s1 = s2 = s3 = 0.0
        for f in range(p):
            x, w = left[f], weight[f]
            s0 += w * ((x - b0[f]) * (x - b0[f]))
            s1 += w * ((x - b1[f]) * (x - b1[f]))
            s2 += w * ((x - b2[f]) * (x - b2[f]))
            s3 += w * ((x - b3[f]) * (x - b3[f]))
        out[j] = s0
        out[j1] = s1 if j + 1 < t else out[j1]
        out[j2] = s2 if j + 2 < t else out[j2]
        out[j3] = s3 if j + 3 < t else out[j3]


@kernel
def weighted_tile(left, right, weights, out):
    """Write the sums of squared differences of all rows, the features weighted as the left row says."""
    for i in range(left.shape[0]):
        _weighted_row(left[i], right, weights[i], out[i])
        _shorten(out[i])


@fast_kernel
def _one_weighted(a, b, weight):
    total = 0.0
    for f in range(a.shape[0]):
        total += weight[f] * ((a[f] - b[f]) * (a[f] - b[f]))
    return total


@kernel
def weighted_pairs(left, right, weights, rows, others, out):
    """Write the weighted distance of each pair of a row of ``left`` and one of ``right``."""
    for k in range(rows.shape[0]):
        out[k] = _one_weighted(left[rows[k]], right[others[k]], weights[rows[k]])
    _shorten(out)


@fast_kernel
def _form(away, form):
    """Return the value of a quadratic form."""
    total = 0.0
    for f in range(away.shape[0]):
        line, part = form[f], 0.0
        for g in range(away.shape[0]):
            part += line[g] * away[g]
        total += away[f] * part
    return total


@kernel
def form_pairs(left, right, forms, rows, others, out):
    """Write the quadratic form, that of the left row, of the difference of each pair; never less than 0."""
    away = np.empty(left.shape[1])
    for k in range(rows.shape[0]):
        a, b = left[rows[k]], right[others[k]]
        for f in range(away.shape[0]):
            away[f] = b[f] - a[f]
        out[k] = max(0.0, _form(away, forms[rows[k]]))
    _shorten(out)


@kernel
def products(rows, out):
    """Write 1, the numbers of a row and all their products, each pair once, for every row."""
    p = rows.shape[1]
    for i in range(rows.shape[0]):
        row, line = rows[i], out[i]
        line[0] = 1.0
        at = 1
        for f in range(p):
            line[at + f] = row[f]
        at += p
        for f in range(p):
            x = row[f]
            for g in range(f, p):
                line[at + g - f] = x * row[g]
            at += p - f


@kernel
def coefficients(rows, forms, out):
    """Write by what `products` of a point are multiplied to give the quadratic form of its difference from a row."""
    p = rows.shape[1]
    for i in range(rows.shape[0]):
        row, form, line = rows[i], forms[i], out[i]
        whole, at = 0.0, 1 + p
        for f in range(p):
            part = 0.0
            for g in range(p):
                part += form[f, g] * row[g]
            whole += row[f] * part
            line[1 + f] = -2.0 * part
            line[at] = form[f, f]
            for g in range(f + 1, p):
                line[at + g - f] = 2.0 * form[f, g]
            at += p - f
        line[0] = whole


@kernel
def _tricube(distance, roots):
    """Write the roots of tricube weights that sum to 1, by squared distances; all alike where that leaves nothing."""
    farthest, total = np.sqrt(distance.max()), 0.0
    for k in range(roots.shape[0]):
        part = np.sqrt(distance[k]) / farthest if farthest > 0.0 else 0.0
        left = 1.0 - part * part * part
        roots[k] = left * left * left
        total += roots[k]
    for k in range(roots.shape[0]):
        roots[k] = np.sqrt(roots[k] / total if total > 0.0 else 1.0 / roots.shape[0])


@kernel
def tricube_rows(others, codes, which, distance, roots, scaled, of_class):
    """Write the differences of some of the other rows from one of them, times the roots of their tricube weights.

    ``of_class`` becomes those roots, one line per class, 0 for the rows of others.
    """
    _tricube(distance, roots)
    # The nearest: what all have in common would cost digits.
    row = others[which[np.argmin(distance)]]
    of_class[:, :] = 0.0
    for k in range(which.shape[0]):
        other, root, line = others[which[k]], roots[k], scaled[k]
        of_class[codes[which[k]], k] = root
        for f in range(row.shape[0]):
            line[f] = root * (other[f] - row[f])

"""Weighted distances between new rows and known ones, of which any value may be missing."""

from __future__ import annotations

from fewer.core.kernels._jit import fast_kernel


@fast_kernel
def weighted_tile(left, right, a, b, weights, squared, label, left_expected, right_expected, both, out):
    """Fill out[i, j] with the weighted sum of differences (|x - y| - a) * b, cut to [0, 1], of new and known rows.

    A missing value (NaN) of a known row j takes left_expected[label[j], i], that of a new row right_expected[j], and
    two missing ones both[label[j]]. With ``squared`` differences are squared before they are weighted.
    """
    for i in range(left.shape[0]):
        x = left[i]
        for j in range(right.shape[0]):
            y, c = right[j], label[j]
            mine, theirs, none = left_expected[c, i], right_expected[j], both[c]
            total = 0.0
            for f in range(x.shape[0]):
                d = (abs(x[f] - y[f]) - a[f]) * b[f]
                d = d if d > 0.0 else 0.0
                d = d if d < 1.0 else 1.0
                if_y = mine[f] if y[f] != y[f] else d
                if_x = none[f] if y[f] != y[f] else theirs[f]
                d = if_x if x[f] != x[f] else if_y
                total += weights[f] * (d * d if squared else d)
            out[i, j] = total

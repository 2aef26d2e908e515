"""How many rows the most frequent class of their group gets right, when groups are cut by one more feature."""

from __future__ import annotations

import numpy as np

from fewer.core.kernels._jit import kernel


@kernel
def rows_right(columns, n_levels, rows, bounds, classes, weight, n_classes, first, last, out):
    """Fill out[j - first] = sum over groups g and levels a of feature j of max_c W(g, a, c), features first..last.

    columns[j - first, i] is the level of feature j in row i. Group g has the rows rows[bounds[g]:bounds[g + 1]], beside
    which classes and weight stand. W adds up weights. Every row costs the same, however many groups and levels there
    are: only cells that a group has touched are emptied.
    """
    most = 1
    for j in range(first, last):
        most = max(most, n_levels[j])
    table = np.zeros((most, n_classes), weight.dtype)
    best = np.zeros(most, weight.dtype)
    for j in range(first, last):
        column = columns[j - first]
        right = weight[0] * 0
        for g in range(bounds.shape[0] - 1):
            for k in range(bounds[g], bounds[g + 1]):
                a, c = column[rows[k]], classes[k]
                table[a, c] += weight[k]
                best[a] = max(best[a], table[a, c])
            for k in range(bounds[g], bounds[g + 1]):
                a = column[rows[k]]
                right += best[a]
                best[a] = 0
                table[a, classes[k]] = 0
        out[j - first] = right

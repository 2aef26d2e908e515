"""Means, squared deviations and products with a target per group of rows, missing values left out."""

from __future__ import annotations

import numpy as np

from fewer.core.kernels._jit import kernel


@kernel
def group_moments(X, group, y, weight, scale, start, stop, total, mean, m2, mean_y, m2_y, product):
    """Fill, per group and feature start..stop of C-contiguous X, the moments of x * scale and of y where x is there.

    Two rounds, sums and then deviations from the mean, so that an offset cancels nothing. Without targets (an empty y)
    the last three are left as they are.
    """
    n_rows, with_y = X.shape[0], y.shape[0] > 0
    origin = np.zeros(stop - start)
    for j in range(start, stop):
        for i in range(n_rows):
            if X[i, j] == X[i, j]:
                origin[j - start] = X[i, j] * scale[j]
                break
    for i in range(n_rows):
        g, w = group[i], weight[i]
        for j in range(start, stop):
            x = X[i, j] * scale[j]
            if x == x:
                total[g, j - start] += w
                mean[g, j - start] += w * (x - origin[j - start])
                if with_y:
                    mean_y[g, j - start] += w * y[i]
    for g in range(total.shape[0]):
        for j in range(stop - start):
            if total[g, j] > 0.0:
                mean[g, j] = mean[g, j] / total[g, j] + origin[j]
                if with_y:
                    mean_y[g, j] /= total[g, j]
    for i in range(n_rows):
        g, w = group[i], weight[i]
        for j in range(start, stop):
            x = X[i, j] * scale[j]
            if x == x:
                d = x - mean[g, j - start]
                m2[g, j - start] += w * d * d
                if with_y:
                    e = y[i] - mean_y[g, j - start]
                    m2_y[g, j - start] += w * e * e
                    product[g, j - start] += w * d * e


@kernel
def group_moments_sparse(
    indptr, indices, data, group, y, weight, of_groups, y_sums, scale, start, stop, total, mean, m2, mean_y, m2_y,
    product,
):  # fmt: skip
    """Fill the same for CSC columns; ``of_groups`` and ``y_sums`` hold the weight and the sums of y and y * y of all
    rows of each group, of which those that a column does not store have the value 0.
    """
    n_groups, with_y = of_groups.shape[0], y.shape[0] > 0
    zeros, zeros_y, zeros_yy = np.zeros(n_groups), np.zeros(n_groups), np.zeros(n_groups)
    for j in range(start, stop):
        for g in range(n_groups):
            zeros[g], zeros_y[g], zeros_yy[g] = of_groups[g], y_sums[g, 0], y_sums[g, 1]
        for k in range(indptr[j], indptr[j + 1]):
            i = indices[k]
            g, w, x = group[i], weight[i], data[k] * scale[j]
            zeros[g] -= w
            if with_y:
                zeros_y[g] -= w * y[i]
                zeros_yy[g] -= w * y[i] * y[i]
            if x == x:
                total[g, j - start] += w
                mean[g, j - start] += w * x
                if with_y:
                    mean_y[g, j - start] += w * y[i]
        for g in range(n_groups):
            # Weights are multiples of one unit, whose sums and differences are exact.
            total[g, j - start] += zeros[g]
            if total[g, j - start] > 0.0:
                mean[g, j - start] /= total[g, j - start]
                if with_y:
                    mean_y[g, j - start] = (mean_y[g, j - start] + zeros_y[g]) / total[g, j - start]
            m = mean[g, j - start]
            m2[g, j - start] = zeros[g] * m * m
            if with_y:
                e = mean_y[g, j - start]
                if zeros[g] > 0.0:
                    m2_y[g, j - start] = zeros_yy[g] - 2.0 * e * zeros_y[g] + zeros[g] * e * e
                    product[g, j - start] = -m * (zeros_y[g] - zeros[g] * e)
        for k in range(indptr[j], indptr[j + 1]):
            i = indices[k]
            g, w, x = group[i], weight[i], data[k] * scale[j]
            if x == x:
                d = x - mean[g, j - start]
                m2[g, j - start] += w * d * d
                if with_y:
                    e = y[i] - mean_y[g, j - start]
                    m2_y[g, j - start] += w * e * e
                    product[g, j - start] += w * d * e

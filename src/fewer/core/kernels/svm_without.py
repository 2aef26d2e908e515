"""Sums of kernel values as they would be without each feature, with the weights of the rows held."""

from __future__ import annotations

import numpy as np

from fewer.core.kernels._jit import fast_kernel


@fast_kernel
def polynomial_without(inner, features, means, left, right, gamma, coef0, degree, out):
    """Write Σ left_h right_k (γ (x_h'x_k - x_hi x_ki + m_i²) + c)^degree for every feature i.

    ``inner`` holds the products x_h'x_k, ``features`` one row per feature, m_i stands in for the feature.
    """
    n = inner.shape[0]
    for i in range(features.shape[0]):
        x, square, total = features[i], means[i] * means[i], 0.0
        for h in range(n):
            if left[h] == 0.0 and right[h] == 0.0:
                continue
            row, part = inner[h], 0.0
            for k in range(n):
                base = gamma * (row[k] - x[h] * x[k] + square) + coef0
                power = base
                for _ in range(degree - 1):
                    power *= base
                part += right[k] * power
            total += left[h] * part
        out[i] = total


@fast_kernel
def gaussian_without(apart, features, left, right, gamma, out):
    """Write Σ left_h right_k exp(-γ (|x_h - x_k|² - (x_hi - x_ki)²)) for every feature i.

    ``apart`` holds the squared distances, ``features`` one row per feature.
    """
    n = apart.shape[0]
    diagonal = 0.0
    for h in range(n):
        diagonal += left[h] * right[h]
    for i in range(features.shape[0]):
        x, total = features[i], diagonal
        for h in range(n):
            row = apart[h]
            for k in range(h):
                weight = left[h] * right[k] + left[k] * right[h]
                if weight != 0.0:
                    # Rounding of a distance that one feature makes up alone.
                    rest = max(row[k] - (x[h] - x[k]) * (x[h] - x[k]), 0.0)
                    total += weight * np.exp(-gamma * rest)
        out[i] = total

"""Gaussian kernels of one column: the median distance of two rows, and sums beside the centred kernel of a target."""

from __future__ import annotations

import numpy as np

from fewer.core.kernels._jit import kernel


@kernel
def _count_up_to(x, most):
    """Return how many pairs of sorted values differ by at most ``most``."""
    total, left = np.int64(0), 0
    for right in range(x.shape[0]):
        while left < right and x[right] - x[left] > most:
            left += 1
        total += right - left
    return total


@kernel
def _next_above(x, bound):
    """Return the smallest difference of two sorted values that is above a bound, which some difference is."""
    best, right = np.inf, 0
    for left in range(x.shape[0]):
        right = max(right, left)
        while right < x.shape[0] and x[right] - x[left] <= bound:
            right += 1
        if right == x.shape[0]:
            break
        best = min(best, x[right] - x[left])
    return best


@kernel
def median_difference(x):
    """Return the median of the differences of all pairs of sorted values, of which there are two or more."""
    n = x.shape[0]
    pairs = np.int64(n) * (n - 1) // 2
    lower, low, high = (pairs + 1) // 2, 0.0, x[n - 1] - x[0]
    first = 0.0
    if _count_up_to(x, 0.0) < lower:
        # Halves first: the median may be any number of digits below the range.
        while _count_up_to(x, 0.5 * high) >= lower:
            high *= 0.5
        low = 0.5 * high
        middle = 0.5 * (low + high)
        while low < middle < high:
            if _count_up_to(x, middle) >= lower:
                high = middle
            else:
                low = middle
            middle = 0.5 * (low + high)
        first = _next_above(x, low)
    if pairs % 2 == 1 or _count_up_to(x, first) > lower:
        return first
    return 0.5 * (first + _next_above(x, first))


@kernel
def fill_gaussian(x, scale, out, sums):
    """Fill out[i, j] = exp(-((x(i) - x(j)) scale)^2) for i < j and sums[i] over all j but i."""
    n = x.shape[0]
    sums[:] = 0.0
    for i in range(n):
        total, row = 0.0, out[i]
        for j in range(i + 1, n):
            gap = (x[i] - x[j]) * scale
            value = np.exp(-gap * gap)
            row[j] = value
            sums[j] += value
            total += value
        sums[i] += total


@kernel
def centred_products(upper, target):
    """Return the sum over i < j of a kernel times the centred kernel of the target."""
    total, n = 0.0, target.shape[0]
    for i in range(n):
        for j in range(i + 1, n):
            total += upper[i, j] * target[i, j]
    return total


@kernel
def permuted_products(upper, target, order):
    """Return the same sum with the rows of the target in another order."""
    total, n = 0.0, target.shape[0]
    for i in range(n):
        row = target[order[i]]
        for j in range(i + 1, n):
            total += upper[i, j] * row[order[j]]
    return total


@kernel
def centred_squares(upper, means, mean):
    """Return the sum over i < j of the squares of a kernel that is centred by its means."""
    total, n = 0.0, means.shape[0]
    for i in range(n):
        for j in range(i + 1, n):
            value = upper[i, j] - means[i] - means[j] + mean
            total += value * value
    return total

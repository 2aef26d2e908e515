"""Sums of products of distances between all rows, in n log n steps."""

from __future__ import annotations

import numpy as np

from fewer.core.kernels._jit import kernel


@kernel
def distance_sums(x, out):
    """Fill out[i] = sum over j of |x(i) - x(j)| for sorted x; return their sum."""
    n, whole, before, total = x.shape[0], 0.0, 0.0, 0.0
    for i in range(n):
        whole += x[i]
    for i in range(n):
        out[i] = x[i] * (2 * i + 1 - n) + whole - 2.0 * before - x[i]
        before += x[i]
        total += out[i]
    return total


@kernel
def distance_product(x, y, room):
    """Return the sum over all i, j of |x(i) - x(j)| |y(i) - y(j)| for sorted x (Chaudhuri and Hu 2019).

    Over all pairs (x(j) - x(i)) (y(j) - y(i)) has a closed form; what has the wrong sign, pairs of falling y, is found
    while y is sorted by merging, and counted off twice. room is (4, n).
    """
    n = x.shape[0]
    sum_x, sum_y, sum_xy = 0.0, 0.0, 0.0
    for i in range(n):
        room[0, i], room[1, i] = x[i], y[i]
        sum_x += x[i]
        sum_y += y[i]
        sum_xy += x[i] * y[i]
    falling, width, here = 0.0, 1, 0
    while width < n:
        xs, ys, to_x, to_y = room[here], room[here + 1], room[2 - here], room[3 - here]
        for left in range(0, n, 2 * width):
            middle, right = min(left + width, n), min(left + 2 * width, n)
            falling += _merged(xs, ys, left, middle, right, to_x, to_y)
        here, width = 2 - here, 2 * width
    return 2.0 * (n * sum_xy - sum_x * sum_y - 2.0 * falling)


@kernel
def _merged(xs, ys, left, middle, right, to_x, to_y):
    """Merge two stretches by y; return the sum of products of differences over pairs with a larger y on the left."""
    count, of_x, of_y, of_xy = middle - left, 0.0, 0.0, 0.0
    for i in range(left, middle):
        of_x += xs[i]
        of_y += ys[i]
        of_xy += xs[i] * ys[i]
    total, i, j = 0.0, left, middle
    for k in range(left, right):
        if j >= right or (i < middle and ys[i] <= ys[j]):
            to_x[k], to_y[k] = xs[i], ys[i]
            count -= 1
            of_x -= xs[i]
            of_y -= ys[i]
            of_xy -= xs[i] * ys[i]
            i += 1
        else:
            to_x[k], to_y[k] = xs[j], ys[j]
            if count > 0:
                total += count * xs[j] * ys[j] - xs[j] * of_y - ys[j] * of_x + of_xy
            j += 1
    return total


@kernel
def distance_within(x, classes, n_classes):
    """Return the sum over all i, j of the same class of |x(i) - x(j)|, for sorted x."""
    count, sums = np.zeros(n_classes), np.zeros(n_classes)
    total = 0.0
    for i in range(x.shape[0]):
        c = classes[i]
        total += count[c] * x[i] - sums[c]
        count[c] += 1.0
        sums[c] += x[i]
    return 2.0 * total

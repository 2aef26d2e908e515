"""Ranks within columns, ties and concordance."""

from __future__ import annotations

import numpy as np

from fewer.core.kernels._jit import kernel


@kernel
def average_ranks(column, order, ranks):
    """Fill ranks (1-based, ties share their mean) of a column whose sorted order is given; return sum of t^3 - t."""
    n = column.shape[0]
    ties = 0.0
    i = 0
    while i < n:
        k = i + 1
        while k < n and column[order[k]] == column[order[i]]:
            k += 1
        mean_rank = 0.5 * (i + k + 1)
        for q in range(i, k):
            ranks[order[q]] = mean_rank
        t = np.float64(k - i)
        ties += t * t * t - t
        i = k
    return ties


@kernel
def count_swaps(values, scratch):
    """Sort values in place (merge sort); return how many pairs stood in strictly falling order."""
    n = values.shape[0]
    swaps = 0
    width = 1
    while width < n:
        for left in range(0, n, 2 * width):
            middle = min(left + width, n)
            right = min(left + 2 * width, n)
            i = left
            j = middle
            k = left
            while i < middle and j < right:
                if values[j] < values[i]:
                    swaps += middle - i
                    scratch[k] = values[j]
                    j += 1
                else:
                    scratch[k] = values[i]
                    i += 1
                k += 1
            while i < middle:
                scratch[k] = values[i]
                i += 1
                k += 1
            while j < right:
                scratch[k] = values[j]
                j += 1
                k += 1
        for k in range(n):
            values[k] = scratch[k]
        width *= 2
    return swaps


@kernel
def kendall_pairs(column, order, y_ranks, work, scratch, out):
    """Fill out = (concordant minus discordant pairs, sum t(t-1)/2 over ties of x, sum t(t-1)(t-2) over ties of x).

    order sorts the column and, where it is tied, y (a stable sort of rows already sorted by y).
    """
    n = column.shape[0]
    x_pairs = 0.0
    x_triples = 0.0
    joint = 0.0
    i = 0
    while i < n:
        k = i + 1
        while k < n and column[order[k]] == column[order[i]]:
            k += 1
        t = np.float64(k - i)
        x_pairs += t * (t - 1.0) / 2.0
        x_triples += t * (t - 1.0) * (t - 2.0)
        q = i
        while q < k:
            r = q + 1
            while r < k and y_ranks[order[r]] == y_ranks[order[q]]:
                r += 1
            s = np.float64(r - q)
            joint += s * (s - 1.0) / 2.0
            q = r
        i = k
    for i in range(n):
        work[i] = y_ranks[order[i]]
    discordant = np.float64(count_swaps(work, scratch))
    # After the sort equal y values stand together, so the ties of y are counted in the same loop.
    y_pairs = 0.0
    i = 0
    while i < n:
        k = i + 1
        while k < n and work[k] == work[i]:
            k += 1
        t = np.float64(k - i)
        y_pairs += t * (t - 1.0) / 2.0
        i = k
    pairs = n * (n - 1.0) / 2.0
    out[0] = pairs - x_pairs - y_pairs + joint - 2.0 * discordant
    out[1] = x_pairs
    out[2] = x_triples

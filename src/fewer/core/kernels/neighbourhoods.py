"""Parts of a neighbourhood: its k nearest points, and how well features tell classes there.

The k smallest of many numbers that are not negative are found by counting them in buckets of their binary places.
"""

from __future__ import annotations

import numpy as np

from fewer.core.kernels._jit import kernel

# Buckets per power of two, and for how many powers below the largest number; smaller ones share the first bucket.
SHIFT = 45
OCTAVES = 12
BUCKETS = (OCTAVES << (52 - SHIFT)) + 1
# Equal on paper is equal here: distances are rounded to 41 binary places.
SPLIT = 2.0**12 + 1.0


@kernel
def short(value):
    """Return a number rounded to 41 binary places."""
    large = value * SPLIT
    return large - (large - value) if large < np.inf else value


@kernel
def limit_of(values, k, counts, some):
    """Return the k-th smallest of the values, and how many of those that equal it are among the first k.

    ``values`` is contiguous and holds no negative number; ``counts`` has room for BUCKETS, ``some`` for all values.
    """
    n = values.shape[0]
    if k >= n:
        return np.inf, n
    bits = values.view(np.int64)
    high = bits[0]
    for j in range(n):
        high = max(high, bits[j])
    # The binary places of numbers that are not negative rise with them.
    low = (high >> SHIFT) - (BUCKETS - 1)
    counts[:] = 0
    for j in range(n):
        counts[max(0, (bits[j] >> SHIFT) - low)] += 1
    below, bucket = 0, 0
    while below + counts[bucket] < k:
        below += counts[bucket]
        bucket += 1
    m = 0
    for j in range(n):
        some[m] = values[j]
        m += 1 if max(0, (bits[j] >> SHIFT) - low) == bucket else 0
    inside = np.sort(some[:m])
    limit = inside[k - below - 1]
    taken = k - below
    for q in range(m):
        taken -= 1 if inside[q] < limit else 0
    return limit, taken


@kernel
def smallest_of_rows(panel, k, index):
    """Write the places of the k smallest numbers of every row, in rising order of places; of equal ones the first."""
    n = panel.shape[1]
    counts, some, chosen = np.empty(BUCKETS, np.int64), np.empty(n + 1), np.empty(n + 1, np.int64)
    for i in range(panel.shape[0]):
        row = panel[i]
        limit, equal = limit_of(row, k, counts, some)
        m = 0
        for j in range(n):
            chosen[m] = j
            m += 1 if row[j] <= limit else 0
        at = 0
        for q in range(m):
            j = chosen[q]
            if row[j] == limit:
                equal -= 1
                if equal < 0:
                    continue
            index[i, at] = j
            at += 1


@kernel
def chi_table(X, y, n_classes, rows, near, wide, n_along, floor, out):
    """Write r_i(z), eq. 11.12, for all features i of the training rows z.

    ``near[q]`` and ``wide[q]`` are the rows of N1(z) and N2(z) for z = rows[q]. A fraction of classes along a feature
    below ``floor`` divides as the floor does; classes of which both have none are skipped.
    """
    k1, k2 = near.shape[1], wide.shape[1]
    counts, some, gap = np.empty(BUCKETS, np.int64), np.empty(k2 + 1), np.empty(k2)
    here, along, last = np.zeros(n_classes), np.zeros(n_classes), np.zeros(n_classes)
    for q in range(rows.shape[0]):
        z = X[rows[q]]
        here[:] = 0.0
        for k in range(k1):
            here[y[near[q, k]]] += 1.0
        for i in range(X.shape[1]):
            for k in range(k2):
                gap[k] = short(abs(X[wide[q, k], i] - z[i]))
            limit, equal = limit_of(gap, n_along, counts, some)
            along[:], last[:], n_last = 0.0, 0.0, 0.0
            for k in range(k2):
                if gap[k] < limit:
                    along[y[wide[q, k]]] += 1.0
                elif gap[k] == limit:
                    last[y[wide[q, k]]] += 1.0
                    n_last += 1.0
            # The farthest may be more than there are places left: they share these, whatever their order.
            if n_last > 0.0:
                for j in range(n_classes):
                    along[j] += last[j] * equal / n_last
            total = 0.0
            for j in range(n_classes):
                if here[j] > 0.0 or along[j] > 0.0:
                    p = along[j] / n_along
                    total += (here[j] / k1 - p) ** 2 / max(p, floor)
            out[q, i] = total


@kernel
def mean_rows(table, index, out):
    """Write the mean of some rows of a table, those of ``index[q]``, for every q."""
    k = index.shape[1]
    for q in range(index.shape[0]):
        line = out[q]
        line[:] = 0.0
        for r in range(k):
            row = table[index[q, r]]
            for i in range(row.shape[0]):
                line[i] += row[i]
        for i in range(line.shape[0]):
            line[i] /= k

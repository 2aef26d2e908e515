"""Parts of a neighbourhood: its k nearest points, how well features tell classes there, and peels of it.

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
def _short(value):
    """Return a number rounded to 41 binary places."""
    large = value * SPLIT
    return large - (large - value) if large < np.inf else value


@kernel
def _limit_of(values, k, counts, some):
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
        limit, equal = _limit_of(row, k, counts, some)
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
    here, along = np.zeros(n_classes), np.zeros(n_classes)
    for q in range(rows.shape[0]):
        z = X[rows[q]]
        here[:] = 0.0
        for k in range(k1):
            here[y[near[q, k]]] += 1.0
        for i in range(X.shape[1]):
            for k in range(k2):
                gap[k] = _short(abs(X[wide[q, k], i] - z[i]))
            limit, equal = _limit_of(gap, n_along, counts, some)
            along[:] = 0.0
            for k in range(k2):
                if gap[k] < limit:
                    along[y[wide[q, k]]] += 1.0
                elif gap[k] == limit and equal > 0:
                    along[y[wide[q, k]]] += 1.0
                    equal -= 1
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


@kernel
def _gains(query, X, y, region, m, n_along, of_class, gap, counts, some, gains):
    """Write I_i^2, eq. 11.5 summed over classes, in common units; returns the largest.

    The class fractions of the region are compared with those of the n_along points that are nearest along feature i.
    """
    along, best = np.zeros(of_class.shape[0]), 0.0
    for i in range(X.shape[1]):
        for r in range(m):
            gap[r] = _short(abs(X[region[r], i] - query[i]))
        limit, equal = _limit_of(gap[:m], n_along, counts, some)
        along[:] = 0.0
        for r in range(m):
            if gap[r] < limit:
                along[y[region[r]]] += 1.0
            elif gap[r] == limit and equal > 0:
                along[y[region[r]]] += 1.0
                equal -= 1
        total = 0.0
        for j in range(along.shape[0]):
            # Whole numbers: what is equal on paper is equal.
            total += (of_class[j] * n_along - along[j] * m) ** 2
        gains[i] = total
        best = max(best, total)
    return best


@kernel
def _shares(gains, best, sharpness, shares):
    """Write by what each feature counts in the next peel, r_i^2 sharpened; returns the strongest feature, -1 if none.

    An infinite sharpness leaves the first of the strongest; without any gain all count alike.
    """
    n, first = gains.shape[0], -1
    if best > 0.0:
        for i in range(n - 1, -1, -1):
            first = i if gains[i] == best else first
    if first < 0:
        shares[:] = 1.0 / n
        return first
    if sharpness == np.inf:
        shares[:] = 0.0
        shares[first] = 1.0
        return first
    total = 0.0
    for i in range(n):
        shares[i] = (gains[i] / best) ** sharpness
        total += shares[i]
    for i in range(n):
        shares[i] /= total
    return first


@kernel
def _distances(query, X, region, m, shares, alone, gap):
    """Write the distances of the points of a region; where a feature counts alone, nothing is squared."""
    for r in range(m):
        if alone >= 0:
            gap[r] = _short(abs(X[region[r], alone] - query[alone]))
            continue
        row, total = X[region[r]], 0.0
        for i in range(query.shape[0]):
            total += shares[i] * ((row[i] - query[i]) * (row[i] - query[i]))
        gap[r] = _short(total)


@kernel
def _keep(region, m, k, gap, counts, some):
    """Leave the k nearest points in the region, in rising order; of equally far ones the first."""
    limit, equal = _limit_of(gap[:m], k, counts, some)
    at = 0
    for r in range(m):
        if gap[r] == limit:
            equal -= 1
        if gap[r] < limit or (gap[r] == limit and equal >= 0):
            region[at], gap[at] = region[r], gap[r]
            at += 1
    return at


@kernel
def peel(queries, X, y, n_classes, k, keep, window, least, sharpness, index, distance, weights, features, sizes):
    """Peel the region of every query until k points are left, or all are of one class.

    ``keep`` is the fraction of points that a peel leaves, ``window`` the fraction, at least ``least`` points, among
    which a feature is looked at. ``weights`` become the mean of the shares of all peels; of what is left, the k nearest
    by these are written to ``index`` and ``distance`` (squared), nearest first. ``features`` and ``sizes`` tell of
    every peel its strongest feature, -1 for none, and how many points it left, 0 where there was none.
    """
    n, p = X.shape
    counts, some, gap = np.empty(BUCKETS, np.int64), np.empty(n + 1), np.empty(n)
    gains, shares, region, of_class = np.empty(p), np.empty(p), np.empty(n, np.int64), np.zeros(n_classes)
    for q in range(queries.shape[0]):
        query, m, step = queries[q], n, 0
        for r in range(n):
            region[r] = r
        weights[q, :], features[q, :], sizes[q, :] = 0.0, -1, 0
        while m > k:
            of_class[:] = 0.0
            for r in range(m):
                of_class[y[region[r]]] += 1.0
            if of_class.max() == m:
                break
            n_along = min(m, max(least, int(window * m)))
            best = _gains(query, X, y, region, m, n_along, of_class, gap, counts, some, gains)
            first = _shares(gains, best, sharpness, shares)
            _distances(query, X, region, m, shares, first if sharpness == np.inf else -1, gap)
            m = _keep(region, m, max(k, int(keep * m)), gap, counts, some)
            for i in range(p):
                weights[q, i] += shares[i]
            features[q, step], sizes[q, step] = first, m
            step += 1
        for i in range(p):
            weights[q, i] = weights[q, i] / step if step else 1.0 / p
        _distances(query, X, region, m, weights[q], -1, gap)
        m = _keep(region, m, k, gap, counts, some)
        order = np.argsort(gap[:m], kind="mergesort")
        for r in range(m):
            index[q, r], distance[q, r] = region[order[r]], gap[order[r]]

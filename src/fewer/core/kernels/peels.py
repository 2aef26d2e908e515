"""Peels of the region of a query: what is far along the features that tell the classes there is cut away.

The points nearest along a feature are found by walking from the query outwards, through the points in the order of that
feature. Points that were cut away are walked over, until half of an order is gone; then it is written anew.
"""

from __future__ import annotations

import numpy as np

from fewer.core.kernels._jit import kernel
from fewer.core.kernels.neighbourhoods import BUCKETS, limit_of, short


@kernel
def _first_not_below(order, column, z):
    """Return how many points of an order are below z."""
    low, high = 0, order.shape[0]
    while low < high:
        half = (low + high) // 2
        if column[order[half]] < z:
            low = half + 1
        else:
            high = half
    return low


@kernel
def _next_in(order, at, step, inside):
    """Return the place of the next point of the region, from a place on in steps of 1 or -1."""
    while 0 <= at < order.shape[0] and not inside[order[at]]:
        at += step
    return at


@kernel
def _walk(order, column, z, y, inside, n_along, nearer, last):
    """Count the classes of the n_along points that are nearest to z; returns how many are left for the farthest.

    ``nearer`` counts those before the farthest, ``last`` all that are equally far, which may be more than are left.
    """
    nearer[:], last[:] = 0.0, 0.0
    n, found, limit, left = order.shape[0], 0, -1.0, n_along
    up = _first_not_below(order, column, z)
    down = _next_in(order, up - 1, -1, inside)
    up = _next_in(order, up, 1, inside)
    while True:
        below = short(z - column[order[down]]) if down >= 0 else np.inf
        above = short(column[order[up]] - z) if up < n else np.inf
        gap = min(below, above)
        if gap == np.inf or (found >= n_along and gap > limit):
            return left
        if gap > limit:
            for j in range(last.shape[0]):
                nearer[j] += last[j]
                last[j] = 0.0
            limit, left = gap, n_along - found
        if below <= above:
            last[y[order[down]]] += 1.0
            down = _next_in(order, down - 1, -1, inside)
        else:
            last[y[order[up]]] += 1.0
            up = _next_in(order, up + 1, 1, inside)
        found += 1


@kernel
def _gains(query, columns, y, orders, length, inside, m, n_along, of_class, gains):
    """Write I_i^2, eq. 11.5 summed over classes, in common units; returns the largest.

    The class fractions of the region are compared with those of the n_along points that are nearest along feature i.
    Of points that are equally far each has the same part of the places that are left, whatever their order.
    """
    n_classes, best = of_class.shape[0], 0.0
    nearer, last = np.zeros(n_classes), np.zeros(n_classes)
    for i in range(columns.shape[0]):
        left = _walk(orders[i, :length], columns[i], query[i], y, inside, n_along, nearer, last)
        n_last, total = last.sum(), 0.0
        for j in range(n_classes):
            # Whole numbers: what is equal on paper is equal.
            along = nearer[j] * n_last + last[j] * left
            total += ((of_class[j] * n_along * n_last - along * m) / n_last) ** 2
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
def _distances(query, columns, region, m, shares, alone, gap):
    """Write the distances of the points of a region; where a feature counts alone, nothing is squared."""
    if alone >= 0:
        column, z = columns[alone], query[alone]
        for r in range(m):
            gap[r] = short(abs(column[region[r]] - z))
        return
    gap[:m] = 0.0
    for i in range(columns.shape[0]):
        column, z, share = columns[i], query[i], shares[i]
        if share > 0.0:
            for r in range(m):
                gap[r] += share * ((column[region[r]] - z) * (column[region[r]] - z))
    for r in range(m):
        gap[r] = short(gap[r])


@kernel
def _keep(query, columns, region, m, k, gap, second, inside, counts, some):
    """Leave the k nearest points in the region, in rising order.

    Of those that are equally far the nearest by all features stay, then the first: a feature of few values cuts away
    none for its place in the data.
    """
    limit, equal = limit_of(gap[:m], k, counts, some)
    tied = np.empty(m, np.int64)
    n_tied = 0
    for r in range(m):
        tied[n_tied] = region[r]
        n_tied += 1 if gap[r] == limit else 0
    next_limit, next_equal = np.inf, n_tied
    if n_tied > equal:
        _distances(query, columns, tied, n_tied, np.ones(columns.shape[0]), -1, second)
        next_limit, next_equal = limit_of(second[:n_tied], equal, counts, some)
    at, t = 0, 0
    for r in range(m):
        stays = gap[r] < limit
        if gap[r] == limit:
            away = second[t] if n_tied > equal else 0.0
            t += 1
            stays = away < next_limit
            if away == next_limit:
                next_equal -= 1
                stays = next_equal >= 0
        inside[region[r]] = stays
        if stays:
            region[at], gap[at] = region[r], gap[r]
            at += 1
    return at


@kernel
def _without(orders, length, inside, held):
    """Write the orders of the points that are left to ``held``; returns how many these are."""
    at = 0
    for i in range(orders.shape[0]):
        at = 0
        for r in range(length):
            point = orders[i, r]
            if inside[point]:
                held[i, at] = point
                at += 1
    return at


@kernel
def peel(queries, columns, y, orders, n_classes, k, keep, window, least, sharpness, index, distance, weights, features,
         sizes):  # fmt: skip
    """Peel the region of every query until k points are left, or all are of one class.

    ``columns`` are the features of the points, ``orders`` the points in rising order of each. ``keep`` is the fraction
    of points that a peel leaves, ``window`` the fraction, at least ``least`` points, among which a feature is looked
    at. ``weights`` become the mean of the shares of all peels; of what is left, the k nearest by these are written to
    ``index`` and ``distance`` (squared), nearest first. ``features`` and ``sizes`` tell of every peel its strongest
    feature, -1 for none, and how many points it left, 0 where there was none.
    """
    p, n = columns.shape
    counts, some, gap, second = np.empty(BUCKETS, np.int64), np.empty(n + 1), np.empty(n), np.empty(n)
    gains, shares, region, of_class = np.empty(p), np.empty(p), np.empty(n, np.int64), np.zeros(n_classes)
    held, inside = np.empty((p, n // 2 + 1), orders.dtype), np.empty(n, np.bool_)
    for q in range(queries.shape[0]):
        query, m, step, length, walked = queries[q], n, 0, n, orders
        inside[:] = True
        for r in range(n):
            region[r] = r
        weights[q, :], features[q, :], sizes[q, :] = 0.0, -1, 0
        while m > k:
            of_class[:] = 0.0
            for r in range(m):
                of_class[y[region[r]]] += 1.0
            if of_class.max() == m:
                break
            if m <= length // 2:
                length = _without(walked, length, inside, held)
                walked = held
            n_along = min(m, max(least, int(window * m)))
            best = _gains(query, columns, y, walked, length, inside, m, n_along, of_class, gains)
            first = _shares(gains, best, sharpness, shares)
            _distances(query, columns, region, m, shares, first if sharpness == np.inf else -1, gap)
            m = _keep(query, columns, region, m, max(k, int(keep * m)), gap, second, inside, counts, some)
            for i in range(p):
                weights[q, i] += shares[i]
            features[q, step], sizes[q, step] = first, m
            step += 1
        for i in range(p):
            weights[q, i] = weights[q, i] / step if step else 1.0 / p
        _distances(query, columns, region, m, weights[q], -1, gap)
        m = _keep(query, columns, region, m, k, gap, second, inside, counts, some)
        order = np.argsort(gap[:m], kind="mergesort")
        for r in range(m):
            index[q, r], distance[q, r] = region[order[r]], gap[order[r]]

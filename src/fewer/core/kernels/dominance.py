"""Nearest hits and misses above and below a row, and the margins made of them.

Rows hold n_numeric columns scaled to [0, 1] and turned so that they rise with the class, then nominal level numbers.
"""

from __future__ import annotations

import numpy as np

from fewer.core.kernels._jit import fast_kernel, kernel


@kernel
def add_unequal(X, n_numeric, queries, out):
    """Add to out[q, j] the number of nominal columns in which row queries[q] and row j differ."""
    for q in range(queries.shape[0]):
        i = queries[q]
        for j in range(X.shape[0]):
            for f in range(n_numeric, X.shape[1]):
                out[q, j] += X[i, f] != X[j, f]


@fast_kernel
def weighted_distances(X, n_numeric, i, squared_weights, out):
    """Fill out with the sum over features of w^2 diff^2 of row i and every row."""
    n, p = X.shape
    for j in range(n):
        total = 0.0
        for f in range(n_numeric):
            total += squared_weights[f] * (X[i, f] - X[j, f]) ** 2
        for f in range(n_numeric, p):
            total += squared_weights[f] * (X[i, f] != X[j, f])
        out[j] = total


@kernel
def dominates(X, upper, lower, directed):
    """Return whether a row is at least as large as another in every directed column."""
    for f in directed:
        if X[upper, f] < X[lower, f]:
            return False
    return True


@kernel
def insert(distance, row, side, distances, rows, found):
    """Put a row into the sorted list of the nearest of one side; of equal distances the first that came stays ahead."""
    k = distances.shape[1]
    size = found[side]
    if size == k and distance >= distances[side, k - 1]:
        return
    at = size if size < k else k - 1
    while at > 0 and distances[side, at - 1] > distance:
        distances[side, at] = distances[side, at - 1]
        rows[side, at] = rows[side, at - 1]
        at -= 1
    distances[side, at] = distance
    rows[side, at] = row
    if size < k:
        found[side] = size + 1


@kernel
def find_nearest(X, y, i, directed, dominance, to_row, distances, rows, found):
    """Fill lists: 0, 1 misses below and above; 2, 3 hits below and above, by dominance if any, else the nearest."""
    found[:] = 0
    for j in range(X.shape[0]):
        if j == i:
            continue
        if y[j] < y[i]:
            insert(to_row[j], j, 0, distances, rows, found)
        elif y[j] > y[i]:
            insert(to_row[j], j, 1, distances, rows, found)
        else:
            insert(to_row[j], j, 4, distances, rows, found)
            if dominance:
                if dominates(X, i, j, directed):
                    insert(to_row[j], j, 2, distances, rows, found)
                if dominates(X, j, i, directed):
                    insert(to_row[j], j, 3, distances, rows, found)
    for side in (2, 3):
        if found[side] == 0:
            found[side] = found[4]
            distances[side] = distances[4]
            rows[side] = rows[4]


@kernel
def add_mean_diff(X, n_numeric, i, rows, size, sign, total):
    """Add to total[f] the mean diff of row i to some rows, times a sign."""
    share = sign / size
    for q in range(size):
        j = rows[q]
        for f in range(n_numeric):
            total[f] += share * abs(X[i, f] - X[j, f])
        for f in range(n_numeric, X.shape[1]):
            total[f] += share * (X[i, f] != X[j, f])


@kernel
def ordinal_relief(X, y, n_numeric, directed, dominance, k, queries, tile, total):
    """Add to total, per feature, mean diff to misses minus to hits, below and above every queried row (eq. 10).

    tile[q] holds the distances of the q-th queried row to all rows.
    """
    distances = np.empty((5, k))
    rows = np.empty((5, k), np.int64)
    found = np.zeros(5, np.int64)
    for q in range(queries.shape[0]):
        i = queries[q]
        find_nearest(X, y, i, directed, dominance, tile[q], distances, rows, found)
        for side in (0, 1):
            if found[side] > 0 and found[side + 2] > 0:
                add_mean_diff(X, n_numeric, i, rows[side], found[side], 1.0, total)
                add_mean_diff(X, n_numeric, i, rows[side + 2], found[side + 2], -1.0, total)


@kernel
def add_gradient(X, n_numeric, i, j, distance, sign, weights, delta):
    """Add to delta half the gradient of the weighted distance of two rows, sign diff^2 w / |x - z|_w (eq. 12)."""
    if distance <= 0.0:
        return
    factor = sign * 0.5 / np.sqrt(distance)
    for f in range(X.shape[1]):
        if f < n_numeric:
            away = (X[i, f] - X[j, f]) ** 2
        else:
            away = 1.0 if X[i, f] != X[j, f] else 0.0
        delta[f] += factor * away * weights[f]


@kernel
def ordinal_simba(X, y, n_numeric, directed, dominance, queries, weights):
    """Change the weights by one step of gradient ascent per queried row (Algorithm 5)."""
    n, p = X.shape
    to_row = np.empty(n)
    squared = np.empty(p)
    delta = np.empty(p)
    distances = np.empty((5, 1))
    rows = np.empty((5, 1), np.int64)
    found = np.zeros(5, np.int64)
    for i in queries:
        for f in range(p):
            squared[f] = weights[f] * weights[f]
        weighted_distances(X, n_numeric, i, squared, to_row)
        find_nearest(X, y, i, directed, dominance, to_row, distances, rows, found)
        delta[:] = 0.0
        for side in (0, 1):
            if found[side] > 0 and found[side + 2] > 0:
                add_gradient(X, n_numeric, i, rows[side, 0], distances[side, 0], 1.0, weights, delta)
                add_gradient(X, n_numeric, i, rows[side + 2, 0], distances[side + 2, 0], -1.0, weights, delta)
        for f in range(p):
            weights[f] += delta[f]


@kernel
def ordinal_margins(X, y, n_numeric, directed, dominance, weights, start, stop):
    """Return the sum over rows start to stop of the margins below and above, (|x - NM|_w - |x - NH|_w) / 2 (eq. 11)."""
    n = X.shape[0]
    to_row = np.empty(n)
    squared = weights * weights
    distances = np.empty((5, 1))
    rows = np.empty((5, 1), np.int64)
    found = np.zeros(5, np.int64)
    total = 0.0
    for i in range(start, stop):
        weighted_distances(X, n_numeric, i, squared, to_row)
        find_nearest(X, y, i, directed, dominance, to_row, distances, rows, found)
        for side in (0, 1):
            if found[side] > 0 and found[side + 2] > 0:
                total += 0.5 * (np.sqrt(distances[side, 0]) - np.sqrt(distances[side + 2, 0]))
    return total

"""Distances to hits and misses in tiles, and what margin methods make of them.

Weights enter a distance as factors of the columns: |w a - w b| = w |a - b| for w >= 0. All distances here are plain
ones of columns that were multiplied before, so that columns of weight 0 can simply be left out.
"""

from __future__ import annotations

import numpy as np

from fewer.core.kernels._jit import fast_kernel, kernel

# A tile of rows against rows, and a stretch of columns: 64 rows of 512 numbers stay in the second-level cache.
TILE = 64
LANES = 512
# Exponents of a tile that differ by less can share one shift without underflow.
SPAN = 500.0


@fast_kernel
def _add_distances(Z, start, stop, left, right, first, last, squared, tile):
    """Add to tile the distances of rows start..stop from rows left..right over columns first..last."""
    for i in range(start, stop):
        x = Z[i, first:last]
        for k in range(left, right, 4):
            # The last group repeats its last row, which saves a second loop.
            k1, k2, k3 = min(k + 1, right - 1), min(k + 2, right - 1), min(k + 3, right - 1)
            a, b, c, d = Z[k, first:last], Z[k1, first:last], Z[k2, first:last], Z[k3, first:last]
            sum_a, sum_b, sum_c, sum_d = 0.0, 0.0, 0.0, 0.0
            if squared:
                for j in range(x.shape[0]):
                    da, db, dc, dd = x[j] - a[j], x[j] - b[j], x[j] - c[j], x[j] - d[j]
                    sum_a += da * da
                    sum_b += db * db
                    sum_c += dc * dc
                    sum_d += dd * dd
            else:
                for j in range(x.shape[0]):
                    sum_a += abs(x[j] - a[j])
                    sum_b += abs(x[j] - b[j])
                    sum_c += abs(x[j] - c[j])
                    sum_d += abs(x[j] - d[j])
            tile[i - start, k - left] += sum_a
            if k + 1 < right:
                tile[i - start, k + 1 - left] += sum_b
            if k + 2 < right:
                tile[i - start, k + 2 - left] += sum_c
            if k + 3 < right:
                tile[i - start, k + 3 - left] += sum_d


@kernel
def distances(Z, start, stop, left, right, squared, tile):
    """Fill tile[i - start, k - left] with the L1 (or squared Euclidean) distance of rows i and k of Z."""
    tile[: stop - start, : right - left] = 0.0
    for first in range(0, Z.shape[1], LANES):
        _add_distances(Z, start, stop, left, right, first, min(first + LANES, Z.shape[1]), squared, tile)


@kernel
def nearest_hits_and_misses(Z, y, squared, start, stop, neighbour, distance):
    """Fill the nearest row of the same class (column 0) and of the others (1) of rows start..stop, and how far it is.

    Of equally near rows the first counts; -1 and infinity stand for none.
    """
    neighbour[:] = -1
    distance[:] = np.inf
    tile = np.empty((TILE, TILE))
    for top in range(start, stop, TILE):
        bottom = min(top + TILE, stop)
        for left in range(0, Z.shape[0], TILE):
            right = min(left + TILE, Z.shape[0])
            distances(Z, top, bottom, left, right, squared, tile)
            for i in range(top, bottom):
                for k in range(left, right):
                    g = 0 if y[i] == y[k] else 1
                    if i != k and tile[i - top, k - left] < distance[i - start, g]:
                        distance[i - start, g] = tile[i - top, k - left]
                        neighbour[i - start, g] = k


@kernel
def _extent(tile, n, m):
    """Return the smallest and the largest value of the first n rows and m columns."""
    low, high = tile[0, 0], tile[0, 0]
    for i in range(n):
        for k in range(m):
            low, high = min(low, tile[i, k]), max(high, tile[i, k])
    return low, high


@kernel
def _join(shift, total, i, g, low, amount, width):
    """Add amount * exp(-low / width) to the sum total * exp(-shift / width) of row i and class g."""
    if low < shift[i, g]:
        total[i, g] = total[i, g] * np.exp((low - shift[i, g]) / width) + amount
        shift[i, g] = low
    elif amount > 0.0:
        total[i, g] += amount * np.exp((shift[i, g] - low) / width)


@kernel
def _join_tile(tile, y, start, stop, left, right, low, width, shift, total, mine, theirs):
    """Join a tile that can share one shift: one exponential serves row i and row k."""
    mine[:] = 0.0
    theirs[:] = 0.0
    for i in range(start, stop):
        for k in range(left, right):
            e = np.exp((low - tile[i - start, k - left]) / width)
            mine[i - start, y[k]] += e
            theirs[k - left, y[i]] += e
    for g in range(mine.shape[1]):
        for i in range(start, stop):
            if mine[i - start, g] > 0.0:
                _join(shift, total, i - start, g, low, mine[i - start, g], width)
        for k in range(left, right):
            if theirs[k - left, g] > 0.0:
                _join(shift, total, k - start, g, low, theirs[k - left, g], width)


@kernel
def class_log_sums(Z, y, width, start, stop, out):
    """Fill out[i - start, c] = log of the sum of exp(-d(i, k) / width) over rows k of class c.

    Of the pairs of rows only those with the first in start..stop and the second not before it are looked at, from
    both sides: results of all stretches of at most TILE rows add up to the sums over k != i. -inf stands for an empty
    sum.
    """
    n, n_classes = Z.shape[0], out.shape[1]
    shift, total = np.full(out.shape, np.inf), np.zeros(out.shape)
    tile, mine, theirs = np.empty((TILE, TILE)), np.empty((TILE, n_classes)), np.empty((TILE, n_classes))
    for left in range(start, n, TILE):
        right = min(left + TILE, n)
        distances(Z, start, stop, left, right, False, tile)
        low, high = _extent(tile, stop - start, right - left)
        if left > start and high - low <= SPAN * width:
            _join_tile(tile, y, start, stop, left, right, low, width, shift, total, mine, theirs)
            continue
        for i in range(start, stop):
            for k in range(max(left, i + 1), right):
                d = tile[i - start, k - left]
                _join(shift, total, i - start, y[k], d, 1.0, width)
                _join(shift, total, k - start, y[i], d, 1.0, width)
    for i in range(out.shape[0]):
        for g in range(n_classes):
            out[i, g] = np.log(total[i, g]) - shift[i, g] / width if total[i, g] > 0.0 else -np.inf


@kernel
def _pair_weights(tile, y, log_scale, start, stop, left, right, width, mine, theirs):
    """Replace distances by the weights of the pairs, seen from both rows: positive for misses, negative for hits."""
    low, high = _extent(tile, stop - start, right - left)
    shared = high - low <= SPAN * width
    if shared:
        for g in range(log_scale.shape[1]):
            for i in range(start, stop):
                mine[i - start, g] = np.exp(log_scale[i, g] - low / width)
            for k in range(left, right):
                theirs[k - left, g] = np.exp(log_scale[k, g] - low / width)
    for i in range(start, stop):
        for k in range(left, right):
            d = tile[i - start, k - left]
            if k <= i:
                s = 0.0
            elif shared:
                s = np.exp((low - d) / width) * (mine[i - start, y[k]] + theirs[k - left, y[i]])
            else:
                s = np.exp(log_scale[i, y[k]] - d / width) + np.exp(log_scale[k, y[i]] - d / width)
            tile[i - start, k - left] = -s if y[i] == y[k] else s


# Not a fast kernel: every column must add in the same order, so that equal columns get equal sums.
@kernel
def _add_four(x, a, b, c, d, sa, sb, sc, sd, out):
    """Add the weighted absolute differences of a row from four others; lanes are columns."""
    for j in range(out.shape[0]):
        out[j] += sa * abs(x[j] - a[j]) + sb * abs(x[j] - b[j]) + sc * abs(x[j] - c[j]) + sd * abs(x[j] - d[j])


@kernel
def _add_differences(X, start, stop, left, right, tile, out):
    """Add tile[i, k] |X[i] - X[k]| over all pairs of a tile to out."""
    for first in range(0, X.shape[1], LANES):
        last = min(first + LANES, X.shape[1])
        into = out[first:last]
        for i in range(start, stop):
            x = X[i, first:last]
            for k in range(left, right, 4):
                k1, k2, k3 = min(k + 1, right - 1), min(k + 2, right - 1), min(k + 3, right - 1)
                row = tile[i - start]
                sa = row[k - left]
                sb = row[k + 1 - left] if k + 1 < right else 0.0
                sc = row[k + 2 - left] if k + 2 < right else 0.0
                sd = row[k + 3 - left] if k + 3 < right else 0.0
                if sa != 0.0 or sb != 0.0 or sc != 0.0 or sd != 0.0:
                    _add_four(
                        x, X[k, first:last], X[k1, first:last], X[k2, first:last], X[k3, first:last],
                        sa, sb, sc, sd, into,
                    )  # fmt: skip


@kernel
def weighted_differences(X, Z, y, log_scale, width, start, stop, out):
    """Fill out[j] with the part of rows start..stop in the sum over pairs of s(i, k) |X[i, j] - X[k, j]|.

    s(i, k) = exp(log_scale[i, y[k]] - d(i, k) / width), negative for rows of one class; d is the L1 distance of rows
    of Z. As in class_log_sums, pairs are looked at from both sides, by the first of their rows.
    """
    out[:] = 0.0
    n, n_classes = Z.shape[0], log_scale.shape[1]
    tile, mine, theirs = np.empty((TILE, TILE)), np.empty((TILE, n_classes)), np.empty((TILE, n_classes))
    for left in range(start, n, TILE):
        right = min(left + TILE, n)
        distances(Z, start, stop, left, right, False, tile)
        _pair_weights(tile, y, log_scale, start, stop, left, right, width, mine, theirs)
        _add_differences(X, start, stop, left, right, tile, out)


@fast_kernel
def row_distances(X, weights, i, start, stop, out):
    """Fill out[k - start] with the weighted L1 distance of row i from rows start..stop."""
    x = X[i]
    for k in range(start, stop):
        z = X[k]
        total = 0.0
        for j in range(x.shape[0]):
            total += weights[j] * abs(x[j] - z[j])
        out[k - start] = total


@kernel
def row_differences(X, i, start, stop, scale, out):
    """Fill out[j] with the sum of scale[k - start] |X[i, j] - X[k, j]| over rows k in start..stop."""
    out[:] = 0.0
    _add_differences(X, i, i + 1, start, stop, scale.reshape(1, -1), out)

"""Squared distances bounded by products of rows, lists of possible nearest rows, and sums over the edges of a graph."""

from __future__ import annotations

import numpy as np

from fewer.core.kernels._jit import fast_kernel, kernel

# Pairs that are looked at at once, of which few or none are near.
SEGMENT = 32


@kernel
def _kth_smallest(values, n, k):
    """Return the k-th smallest of the first n values, which change their places."""
    left, right = 0, n - 1
    while left < right:
        pivot = values[(left + right) // 2]
        i, j = left, right
        while i <= j:
            while values[i] < pivot:
                i += 1
            while values[j] > pivot:
                j -= 1
            if i <= j:
                values[i], values[j] = values[j], values[i]
                i += 1
                j -= 1
        if k - 1 <= j:
            right = j
        elif k - 1 >= i:
            left = i
        else:
            break
    return values[k - 1]


@kernel
def _cut(row, k, counts, limits, lower, upper, index, scratch):
    """Drop the candidates of a row that are farther than k others for sure; -1 candidates if the list stays full."""
    n = counts[row]
    if n < k:
        return
    scratch[:n] = upper[row, :n]
    limit, m = _kth_smallest(scratch, n, k), 0
    limits[row] = limit
    for c in range(n):
        if lower[row, c] <= limit:
            lower[row, m], upper[row, m], index[row, m] = lower[row, c], upper[row, c], index[row, c]
            m += 1
    counts[row] = -1 if m == lower.shape[1] else m


@kernel
def _offer(row, other, low, high, k, counts, limits, lower, upper, index, scratch):
    """Put a candidate into the list of a row."""
    n = counts[row]
    if n < 0:
        return
    lower[row, n], upper[row, n], index[row, n] = low, high, other
    counts[row] = n + 1
    # Often, so that limits are soon narrow and few candidates are taken.
    if n + 1 == lower.shape[1] or (n + 1) % (2 * k + 6) == 0:
        _cut(row, k, counts, limits, lower, upper, index, scratch)


@kernel
def _any_near(products, own, bounds, limit, limits):
    """Return how many pairs of a row with others may be near by the limit of either; no branch depends on a pair."""
    n = 0
    for b in range(products.shape[0]):
        low = own + bounds[b] - 2.0 * products[b]
        n += (low <= limit) | (low <= limits[b])
    return n


@kernel
def offer_tile(products, start, first, norms, slack, floor, k, counts, limits, lower, upper, index, scratch):
    """Offer the pairs of a tile to the lists of both rows; a tile on the diagonal holds every pair twice.

    The squared distance of rows i and j is within ``slack * (norms[i] + norms[j]) + floor`` of that by products. Rows
    of infinite norm are offered to nobody. Lists that cannot be cut have -1 candidates.
    """
    width = products.shape[1]
    bounds = norms[first : first + width] * (1.0 - slack)
    for a in range(products.shape[0]):
        i = start + a
        own = norms[i] * (1.0 - slack) - floor
        for begin in range(0, width, SEGMENT):
            end = min(begin + SEGMENT, width)
            others = slice(first + begin, first + end)
            if not _any_near(products[a, begin:end], own, bounds[begin:end], limits[i], limits[others]):
                continue
            for b in range(max(begin, a + 1) if start == first else begin, end):
                j = first + b
                low = own + bounds[b] - 2.0 * products[a, b]
                high = low + 2.0 * (slack * (norms[i] + norms[j]) + floor)
                if low <= limits[i]:
                    _offer(i, j, low, high, k, counts, limits, lower, upper, index, scratch)
                if low <= limits[j]:
                    _offer(j, i, low, high, k, counts, limits, lower, upper, index, scratch)


@kernel
def cut_lists(k, counts, limits, lower, upper, index, scratch):
    """Cut all lists; those with fewer than k candidates are said to be unclear, -1."""
    for row in range(counts.shape[0]):
        if counts[row] >= k:
            _cut(row, k, counts, limits, lower, upper, index, scratch)
        elif counts[row] >= 0:
            counts[row] = -1


@kernel
def dense_squares(X, rows, others, factor, out):
    """Write the squared distance of every pair of rows, differences multiplied by ``factor``.

    Every eighth square goes to the same sum, as in `sparse_squares`, so that both write the same bits.
    """
    d = X.shape[1]
    whole = d - d % 8
    for p in range(rows.shape[0]):
        left, right = X[rows[p]], X[others[p]]
        s0 = s1 = s2 = s3 = s4 = s5 = s6 = s7 = 0.0
        for f in range(0, whole, 8):
            s0 += ((left[f] - right[f]) * factor) ** 2
            s1 += ((left[f + 1] - right[f + 1]) * factor) ** 2
            s2 += ((left[f + 2] - right[f + 2]) * factor) ** 2
            s3 += ((left[f + 3] - right[f + 3]) * factor) ** 2
            s4 += ((left[f + 4] - right[f + 4]) * factor) ** 2
            s5 += ((left[f + 5] - right[f + 5]) * factor) ** 2
            s6 += ((left[f + 6] - right[f + 6]) * factor) ** 2
            s7 += ((left[f + 7] - right[f + 7]) * factor) ** 2
        sums = np.array([s0, s1, s2, s3, s4, s5, s6, s7])
        for f in range(whole, d):
            sums[f - whole] += ((left[f] - right[f]) * factor) ** 2
        out[p] = _total(sums)


@kernel
def _total(sums):
    """Return the total of eight sums, in a fixed order."""
    return ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]))


@kernel
def sparse_squares(data, columns, starts, rows, others, factor, out):
    """Write the squared distance of every pair of sparse rows with ascending columns."""
    sums = np.zeros(8)
    for p in range(rows.shape[0]):
        a, a_end = starts[rows[p]], starts[rows[p] + 1]
        b, b_end = starts[others[p]], starts[others[p] + 1]
        sums[:] = 0.0
        while a < a_end or b < b_end:
            if b == b_end or (a < a_end and columns[a] < columns[b]):
                step, column = data[a], columns[a]
                a += 1
            elif a == a_end or columns[b] < columns[a]:
                step, column = data[b], columns[b]
                b += 1
            else:
                step, column = data[a] - data[b], columns[a]
                a += 1
                b += 1
            step *= factor
            sums[column % 8] += step * step
        out[p] = _total(sums)


@fast_kernel
def add_edge_squares(X, begin, end, first, second, weight, factor, out):
    """Add weighted squared differences over all edges, for the columns begin to end."""
    for e in range(first.shape[0]):
        left, right, w = X[first[e]], X[second[e]], weight[e]
        for f in range(begin, end):
            step = (left[f] - right[f]) * factor[f]
            out[f] += w * step * step


@kernel
def add_columns(X, begin, end, share, base, low, high, mean):
    """Write the range of the columns begin to end over rows with a share, and add up their means from a base."""
    for i in range(X.shape[0]):
        row, w = X[i], share[i]
        if w > 0.0:
            for f in range(begin, end):
                low[f] = min(low[f], row[f])
                high[f] = max(high[f], row[f])
                mean[f] += w * (row[f] - base[f])


@fast_kernel
def add_centred_squares(X, begin, end, centre, degree, factor, out):
    """Add the squared deviations from the centre, weighted by rows, for the columns begin to end."""
    for i in range(X.shape[0]):
        row, w = X[i], degree[i]
        for f in range(begin, end):
            step = (row[f] - centre[f]) * factor[f]
            out[f] += w * step * step


@kernel
def sparse_edge_squares(data, rows, starts, begin, end, first, neighbours, weight, factor, values, out):
    """Add weighted squared differences over all edges, for columns begin to end of a matrix by columns.

    Row i has the neighbours ``neighbours[first[i]:first[i + 1]]``, so that every edge stands there twice. ``values`` is
    a row of zeros and is left so.
    """
    for f in range(begin, end):
        for e in range(starts[f], starts[f + 1]):
            values[rows[e]] = data[e] * factor[f]
        total = 0.0
        for e in range(starts[f], starts[f + 1]):
            mine = values[rows[e]]
            if mine == 0.0:
                continue
            for m in range(first[rows[e]], first[rows[e] + 1]):
                other = values[neighbours[m]]
                # From the side of a zero the edge is not seen.
                total += weight[m] * (mine - other) ** 2 * (1.0 if other == 0.0 else 0.5)
        for e in range(starts[f], starts[f + 1]):
            values[rows[e]] = 0.0
        out[f] = total

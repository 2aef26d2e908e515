"""Values with bounds of their ranks: exact where all values are kept, and the bounds of row blocks add up."""

from __future__ import annotations

import numpy as np

from fewer.core.kernels._jit import kernel

# Parts of the range of a column of which is known where a search among brackets begins.
CELLS = 2048


@kernel
def _pruned(values, upto, below, n, low, high, most):
    """Keep of n ascending items the largest of each gap and at most about ``most`` of those inside the brackets.

    Items inside are left out where little weight lies between their neighbours. Returns how many are kept, and
    whether any inside was left out.
    """
    inside, weight, last = 0, 0.0, 0.0
    s, kept = 0, 0
    for i in range(n):
        while s < low.shape[0] and values[i] > high[s]:
            s += 1
        if s < low.shape[0] and values[i] >= low[s]:
            inside += 1
            weight += upto[i] - last
        elif i + 1 < n and (s == low.shape[0] or values[i + 1] < low[s]):
            # Not the last of its gap.
            continue
        last = upto[i]
        values[kept], upto[kept], below[kept] = values[i], upto[i], below[i]
        kept += 1
    if inside <= most:
        return kept, False
    step, n, kept, s, last = 2.0 * weight / most, kept, 0, 0, 0.0
    for i in range(n):
        while s < low.shape[0] and values[i] > high[s]:
            s += 1
        gap = s == low.shape[0] or values[i] < low[s]
        if gap or i == 0 or i == n - 1 or upto[i + 1] - last > step:
            last = upto[i]
            values[kept], upto[kept], below[kept] = values[i], upto[i], below[i]
            kept += 1
    return kept, True


@kernel
def _ranked(column, weight, low, high, most, values, upto, below):
    """Fill in the different values of an ascending column, missing ones last, with the weight up to and below each."""
    n, s, total, i = 0, 0, 0.0, 0
    gap, of_last = low.shape[0] + 1, -1
    while i < column.shape[0] and column[i] == column[i]:
        x, before = column[i], total
        while i < column.shape[0] and column[i] == x:
            total += weight[i] if weight.shape[0] else 1.0
            i += 1
        if total == before:
            continue
        while s < low.shape[0] and x > high[s]:
            s += 1
        gap = -1 if s < low.shape[0] and x >= low[s] else s
        # Of a gap between brackets only the largest value is kept.
        if gap < 0 or gap != of_last:
            n += 1
        of_last = gap
        # -0.0 + 0.0 = 0.0: which of two equal zeros came first must not matter.
        values[n - 1], upto[n - 1], below[n - 1] = x + 0.0, total, before
    return _pruned(values, upto, below, n, low, high, most)


@kernel
def _differences(column):
    """Return how many values an ascending column has, missing ones last, and how many different ones."""
    n = column.shape[0]
    while n > 0 and column[n - 1] != column[n - 1]:
        n -= 1
    different = min(n, 1)
    for i in range(1, n):
        different += column[i] != column[i - 1]
    return n, different


@kernel
def _stepped(column, n, number, values, upto, below):
    """Fill in about ``number`` of n ascending values at equal steps, the ends among them; returns how many."""
    kept, end = 0, 0
    for k in range(number):
        i = k * (n - 1) // (number - 1)
        # Equal values count once.
        if i < end:
            continue
        x, first = column[i], i
        while first > end and column[first - 1] == x:
            first -= 1
        end = i + 1
        while end < n and column[end] == x:
            end += 1
        values[kept], upto[kept], below[kept] = x + 0.0, end, first
        kept += 1
    return kept


@kernel
def rank_columns(
    columns, weight, starts, low, high, brackets, most, few, offsets, values, upto, below, pruned
):  # fmt: skip
    """Rank the values of columns that stand one after another, ascending with missing ones last.

    An empty weight stands for ones. Brackets brackets[f]..brackets[f + 1] of feature f, low[s] to high[s], are disjoint
    and ascend: values inside them are kept, as far as they are few, and of the values between two of them the largest.
    Entries offsets[f]..offsets[f + 1] of values, upto (weight of the values up to each) and below (weight of the
    smaller ones) belong to feature f. If few > 1, columns without brackets and weights keep about ``few`` values at
    equal steps where they have more than ``most`` different ones. Returns how many there are.
    """
    end = 0
    for f in range(starts.shape[0] - 1):
        own, here = slice(brackets[f], brackets[f + 1]), slice(starts[f], starts[f + 1])
        if few > 1:
            n, different = _differences(columns[here])
            if different > most:
                end += _stepped(columns[here], n, few, values[end:], upto[end:], below[end:])
                offsets[f + 1], pruned[f] = end, True
                continue
        amounts = weight[here] if weight.shape[0] else weight
        n, pruned[f] = _ranked(columns[here], amounts, low[own], high[own], most, values[end:], upto[end:], below[end:])
        end += n
        offsets[f + 1] = end
    return end


@kernel
def _cell(x, begin, scale):
    """Return the cell of a value: 0 below the first bracket, from 1 on between the first and the last, then beyond."""
    return np.uint16(min(max((x - begin) * scale + 1.0, 0.0), CELLS + 1.0))


@kernel
def _prepare_cells(low, high, begin, scale, starts, sure):
    """Fill in for every cell at which bracket a search begins, and whether no bracket reaches into the cell."""
    s = 0
    sure[:] = scale > 0.0
    sure[CELLS + 2] = False
    for cell in range(CELLS + 2):
        # What ends in an earlier cell ends below all values of this one, as rounding keeps their order.
        while s < low.shape[0] and scale > 0.0 and _cell(high[s], begin, scale) < cell:
            s += 1
        starts[cell] = s
        if s < low.shape[0] and scale > 0.0 and _cell(low[s], begin, scale) <= cell:
            sure[cell] = False
    starts[CELLS + 2] = 0


@kernel
def _find_cells(column, begin, scale, cells):
    """Fill in the cells of a column; the last, of which nothing is known, for missing values or without a scale."""
    if scale == 0.0:
        cells[:] = CELLS + 2
        return
    for i in range(column.shape[0]):
        x = column[i]
        cell = _cell(x if x == x else begin, begin, scale)
        cells[i] = cell if x == x else np.uint16(CELLS + 2)


@kernel
def take_inside(columns, weight, low, high, brackets, values, amounts, feature):
    """Copy the values inside the brackets, and of each gap between them the largest with the weight of all in it.

    An empty weight stands for ones, feature gets the number of the column of each value. Returns how many there are.
    """
    n, starts, sure = 0, np.empty(CELLS + 3, np.int64), np.empty(CELLS + 3, np.bool_)
    counts, tops = np.empty(CELLS + 3, np.int64), np.empty(CELLS + 3)
    cells = np.empty(columns.shape[1], np.uint16)
    for f in range(columns.shape[0]):
        first, last = brackets[f], brackets[f + 1]
        gaps, largest = np.zeros(last - first + 1), np.full(last - first + 1, -np.inf)
        begin = low[first] if last > first else 0.0
        scale = (CELLS - 1) / (high[last - 1] - begin) if last > first else 0.0
        # Where the range is a point or not finite, every search begins at the first bracket.
        scale = scale if 0.0 < scale < np.inf else 0.0
        _prepare_cells(low[first:last], high[first:last], begin, scale, starts, sure)
        if weight.shape[0]:
            sure[:] = False
        counts[:] = 0
        tops[:] = -np.inf
        _find_cells(columns[f], begin, scale, cells)
        for i in range(columns.shape[1]):
            x, cell = columns[f, i], cells[i]
            # Most values lie in cells that no bracket reaches: they are counted by cell.
            if sure[cell]:
                counts[cell] += 1
                if x > tops[cell]:
                    tops[cell] = x
                continue
            amount = weight[i] if weight.shape[0] else 1.0
            if x != x or amount == 0.0:
                continue
            s = first + starts[cell]
            while s < last and high[s] < x:
                s += 1
            if s < last and x >= low[s]:
                values[n], amounts[n], feature[n] = x, amount, f
                n += 1
            else:
                gaps[s - first] += amount
                if x > largest[s - first]:
                    largest[s - first] = x
        for cell in range(CELLS + 2):
            s = starts[cell]
            gaps[s] += counts[cell]
            largest[s] = max(largest[s], tops[cell])
        for s in range(last - first + 1):
            if gaps[s] > 0.0:
                values[n], amounts[n], feature[n] = largest[s], gaps[s], f
                n += 1
    return n


@kernel
def _merged(v, u, w, x, y, z, values, upto, below):
    """Merge ascending values with their bounds, v with upto u and below w, and x with y and z; returns how many.

    Of a value that one of them does not have, its smaller ones and its larger ones tell the bounds there.
    """
    i, j, n = 0, 0, 0
    left, right = 0.0, 0.0
    # Without a branch that depends on the values: nobody could foresee it.
    while i < v.shape[0] and j < x.shape[0]:
        a, b = v[i], x[j]
        one, other = a <= b, b <= a
        left = u[i] if one else left
        right = y[j] if other else right
        values[n], upto[n], below[n] = a if one else b, left + right, w[i] + z[j]
        i += one
        j += other
        n += 1
    total = y[x.shape[0] - 1] if x.shape[0] else 0.0
    while i < v.shape[0]:
        values[n], upto[n], below[n] = v[i], u[i] + total, w[i] + total
        i, n = i + 1, n + 1
    total = u[v.shape[0] - 1] if v.shape[0] else 0.0
    while j < x.shape[0]:
        values[n], upto[n], below[n] = x[j], total + y[j], total + z[j]
        j, n = j + 1, n + 1
    return n


@kernel
def merge_ranked(
    offsets, values, upto, below, others, other_values, other_upto, other_below, low, high, brackets, most,
    out_offsets, out_values, out_upto, out_below, pruned,
):  # fmt: skip
    """Merge the ranked values of two row blocks, feature by feature; marks in pruned where values were left out."""
    end = 0
    for f in range(offsets.shape[0] - 1):
        a, b = slice(offsets[f], offsets[f + 1]), slice(others[f], others[f + 1])
        n = end + _merged(
            values[a], upto[a], below[a], other_values[b], other_upto[b], other_below[b],
            out_values[end:], out_upto[end:], out_below[end:],
        )  # fmt: skip
        own, new = slice(brackets[f], brackets[f + 1]), slice(end, n)
        kept, less = _pruned(out_values[new], out_upto[new], out_below[new], n - end, low[own], high[own], most)
        end += kept
        pruned[f] = pruned[f] or less
        out_offsets[f + 1] = end


@kernel
def edges_of(offsets, values, upto, need, few, edges, high):
    """Fill in the edges of equal frequency of each feature whose quantiles are all among its items.

    edges[f, k] is the first value up to which need[f, k] lies; where several meet, the first of them is the value
    before it. Features with at most few values have all of them as edges.
    """
    bins = need.shape[1] + 1
    for f in range(offsets.shape[0] - 1):
        v, u = values[offsets[f] : offsets[f + 1]], upto[offsets[f] : offsets[f + 1]]
        if len(v) == 0:
            continue
        high[f] = v[-1]
        if len(v) <= few:
            for k in range(bins - 1):
                edges[f, k] = v[min(k, len(v) - 1)]
            continue
        at, last = 0, -1
        places = np.empty(bins, np.int64)
        for k in range(bins - 1):
            while at < len(v) - 1 and u[at] < need[f, k]:
                at += 1
            places[k] = at
        places[bins - 1] = len(v) - 1
        for k in range(bins - 1):
            heavy = places[k] == places[k + 1] and places[k] != last and places[k] > 0
            last = places[k]
            edges[f, k] = v[places[k] - 1] if heavy else v[places[k]]


@kernel
def brackets_of(offsets, values, upto, below, need, low, high, brackets):
    """Fill in the disjoint brackets in which the quantiles of each feature lie; returns how many there are."""
    n = 0
    for f in range(offsets.shape[0] - 1):
        own = slice(offsets[f], offsets[f + 1])
        v, u, b = values[own], upto[own], below[own]
        first, left, right = n, 0, 0
        for k in range(need.shape[1]):
            while left < len(v) - 1 and b[left + 1] < need[f, k]:
                left += 1
            while right < len(v) - 1 and u[right] < need[f, k]:
                right += 1
            if n > first and v[left] <= high[n - 1]:
                high[n - 1] = max(high[n - 1], v[right])
            else:
                low[n], high[n] = v[left], max(v[left], v[right])
                n += 1
        brackets[f + 1] = n
    return n


@kernel
def largest_below(X, feature, bound, start, stop, out):
    """Fill in the largest value of column feature[t] of X below bound[t], for t from start to stop."""
    for t in range(start, stop):
        best = -np.inf
        for i in range(X.shape[0]):
            x = np.float64(X[i, feature[t]])
            best = x if best < x < bound[t] else best
        out[t] = best + 0.0

"""Sets of items that many rows have together: join, look up, count by bit planes, cover.

A set is a row of ascending item numbers; sets are sorted. An item is a bin of a column (a unit of a grid), or a column.
"""

from __future__ import annotations

import numpy as np

from fewer.core.kernels._jit import kernel
from fewer.core.kernels.bits import popcount


@kernel
def _place(sets, wanted):
    """Return where a set stands among sorted ones, -1 if it is not there."""
    low, high = 0, sets.shape[0]
    while low < high:
        middle = (low + high) >> 1
        before = False
        for p in range(wanted.shape[0]):
            if sets[middle, p] != wanted[p]:
                before = sets[middle, p] < wanted[p]
                break
        if before:
            low = middle + 1
        else:
            high = middle
    if low == sets.shape[0]:
        return -1
    for p in range(wanted.shape[0]):
        if sets[low, p] != wanted[p]:
            return -1
    return low


@kernel
def join_sets(sets, column, first, out):
    """Fill out (room, k + 1) with joins of sets (n, k) from number first on; return how many, and where to go on.

    Two sets that differ in their last item, of different columns, are joined if all sets of k items in the join are
    there. There is room for the joins of one set: room is at least n.
    """
    n, k = sets.shape
    found = 0
    face = np.empty(k, sets.dtype)
    for i in range(first, n):
        end = i + 1
        while end < n:
            same = True
            for p in range(k - 1):
                same = same and sets[end, p] == sets[i, p]
            if not same:
                break
            end += 1
        if found + end - i - 1 > out.shape[0]:
            return found, i
        for j in range(i + 1, end):
            if column[sets[j, k - 1]] == column[sets[i, k - 1]]:
                continue
            into = out[found]
            into[:k] = sets[i]
            into[k] = sets[j, k - 1]
            whole = True
            # Without one of the last two items it is one of the parents.
            for left_out in range(k - 1):
                for p in range(k):
                    face[p] = into[p] if p < left_out else into[p + 1]
                if _place(sets, face) < 0:
                    whole = False
                    break
            if whole:
                found += 1
    return found, n


@kernel
def next_cells(units, beside, p, out):
    """Fill out[u] with the unit that differs from unit u by item beside[item] at place p, -1 for none."""
    wanted = np.empty(units.shape[1], units.dtype)
    for u in range(units.shape[0]):
        other = beside[units[u, p]]
        out[u] = -1
        if other >= 0:
            wanted[:] = units[u]
            wanted[p] = other
            out[u] = _place(units, wanted)


@kernel
def count_units(planes, units, common, out):
    """Fill out[u] with the rows of all items of unit u; common (words) holds the rows of all items but the last."""
    k = units.shape[1]
    for u in range(units.shape[0]):
        same = u > 0
        for p in range(k - 1):
            same = same and units[u, p] == units[u - 1, p]
        if not same:
            common[:] = ~np.uint64(0)
            for p in range(k - 1):
                plane = planes[units[u, p]]
                for w in range(common.shape[0]):
                    common[w] &= plane[w]
        last = planes[units[u, k - 1]]
        total = np.uint64(0)
        for w in range(common.shape[0]):
            total += popcount(common[w] & last[w])
        out[u] = np.int64(total)


@kernel
def cover_units(planes, units, into):
    """Set the bits of the rows that lie in some of the units."""
    for u in range(units.shape[0]):
        for w in range(into.shape[0]):
            word = ~np.uint64(0)
            for p in range(units.shape[1]):
                word &= planes[units[u, p], w]
            into[w] |= word

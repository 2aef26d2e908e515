"""One pair of columns within the strata of one list of other columns after another."""

from __future__ import annotations

import numpy as np

from fewer.core.kernels._jit import kernel


@kernel
def first_independent(columns, levels, x, target, sets, counted, terms, scale, limits, out):
    """Fill out[s] = (G, degrees of freedom) of set s, and stop after the first with G <= limits[dof]; return how many.

    columns (n_columns, n_rows) holds codes; x and target are lines of it. A line of sets names columns, -1 for none;
    sets that are not counted are passed over. The sums are whole numbers: terms[x] = scale * x ln x.
    """
    n_rows = columns.shape[1]
    n_target = levels[target]
    n_pair = levels[x] * n_target
    pair = np.zeros(n_rows, np.int32)
    _number(pair, columns[x], levels[x])
    _number(pair, columns[target], n_target)
    tables = np.zeros((4, _most_cells(levels, sets, counted, n_pair)), np.int32)
    place = np.empty(n_rows, np.int32)
    of_target = np.zeros(n_target, np.int64)
    # The strata of all columns of a set but the last; sets that share them often follow each other.
    before = np.zeros(n_rows, np.int32)
    known = np.full(sets.shape[1], -2, sets.dtype)
    n_before = 1
    for s in range(sets.shape[0]):
        if not counted[s]:
            continue
        size = 0
        while size < sets.shape[1] and sets[s, size] >= 0:
            size += 1
        if _differs(known, sets[s], size - 1):
            n_before = 1
            before[:] = 0
            for k in range(size - 1):
                n_before *= levels[sets[s, k]]
                _number(before, columns[sets[s, k]], levels[sets[s, k]])
        n_last = 1
        if size > 0:
            n_last = levels[sets[s, size - 1]]
            last = columns[sets[s, size - 1]]
            for i in range(n_rows):
                place[i] = np.int32(before[i] * n_last + last[i]) * n_pair + pair[i]
        else:
            place[:] = pair
        cells = n_before * n_last * n_pair
        _count(place, tables, cells)
        sums, dof = _likelihood_ratio(tables[0], n_before * n_last, n_pair // n_target, n_target, terms, of_target)
        tables[:, :cells] = 0
        out[s, 0] = 2.0 * max(sums, 0) / scale if dof > 0 else 0.0
        out[s, 1] = dof
        if out[s, 0] <= limits[dof]:
            return s + 1
    return sets.shape[0]


@kernel
def _number(numbers, column, n):
    """Number the combinations of those before with the n levels of a further column."""
    for i in range(numbers.shape[0]):
        numbers[i] = numbers[i] * n + column[i]


@kernel
def _most_cells(levels, sets, counted, n_pair):
    """Return the cells of the largest table that is counted."""
    most = n_pair
    for s in range(sets.shape[0]):
        if counted[s]:
            cells = n_pair
            for k in range(sets.shape[1]):
                if sets[s, k] >= 0:
                    cells *= levels[sets[s, k]]
            most = max(most, cells)
    return most


@kernel
def _differs(known, members, size):
    """Return whether the first columns of a set are others than those known, and make them known."""
    differs = False
    for k in range(known.shape[0]):
        wanted = members[k] if k < size else -1
        if known[k] != wanted:
            differs = True
            known[k] = wanted
    return differs


@kernel
def _count(place, tables, cells):
    """Add the rows of every place to the first table.

    Four tables in turn, because neighbouring rows often fall into one cell, and a counter waits for itself.
    """
    table, one, two, three = tables[0], tables[1], tables[2], tables[3]
    even = place.shape[0] - place.shape[0] % 4
    for i in range(0, even, 4):
        table[place[i]] += 1
        one[place[i + 1]] += 1
        two[place[i + 2]] += 1
        three[place[i + 3]] += 1
    for i in range(even, place.shape[0]):
        table[place[i]] += 1
    for c in range(cells):
        table[c] += one[c] + two[c] + three[c]


@kernel
def _likelihood_ratio(table, n_strata, n_levels, n_target, terms, of_target):
    """Return the sum of terms of all cells and strata less those of both margins, and the degrees of freedom."""
    sums, dof = np.int64(0), np.int64(0)
    for z in range(n_strata):
        base = z * n_levels * n_target
        of_target[:] = 0
        rows, here = np.int64(0), np.int64(0)
        for a in range(n_levels):
            of_level = np.int64(0)
            for c in range(n_target):
                count = np.int64(table[base + a * n_target + c])
                sums += terms[count]
                of_level += count
                of_target[c] += count
            sums -= terms[of_level]
            rows += of_level
            if of_level > 0:
                here += 1
        if rows == 0:
            continue
        sums += terms[rows]
        there = np.int64(0)
        for c in range(n_target):
            sums -= terms[of_target[c]]
            if of_target[c] > 0:
                there += 1
        dof += (here - 1) * (there - 1)
    return sums, dof

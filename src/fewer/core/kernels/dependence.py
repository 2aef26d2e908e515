"""How much better the level of one feature is guessed if that of another is known, for all pairs."""

from __future__ import annotations

import numpy as np

from fewer.core.kernels._jit import kernel

# Larger tables are not made; rows are grouped instead.
FEW_CELLS = 2**14


@kernel
def guesses(columns, n_levels, start, stop, out):
    """Write sum_v P(i = v) sum_u P(m = u | i = v)^2 to out[m - start, i], for m from start to stop and all i.

    columns is (n_features, n_rows).
    """
    n = columns.shape[1]
    most = 1
    for j in range(n_levels.shape[0]):
        most = max(most, n_levels[j])
    table, counts = np.zeros(FEW_CELLS, np.int64), np.zeros(most, np.int64)
    order, bounds = np.empty(n, np.int64), np.empty(most + 2, np.int64)
    for m in range(start, stop):
        for i in range(columns.shape[0]):
            if n_levels[m] * n_levels[i] <= FEW_CELLS:
                found = _by_table(columns[m], columns[i], n_levels[m], n_levels[i], table)
            else:
                found = _by_groups(columns[m], columns[i], n_levels[i], order, bounds, counts)
            out[m - start, i] = found / n


@kernel
def _by_table(target, given, n_target, n_given, table):
    """Return sum_v sum_u n_uv^2 / n_v from a table of counts."""
    table[: n_target * n_given] = 0
    for r in range(target.shape[0]):
        table[np.int64(given[r]) * n_target + target[r]] += 1
    total = 0.0
    for v in range(n_given):
        squares, rows = np.int64(0), np.int64(0)
        for u in range(n_target):
            count = table[v * n_target + u]
            squares += count * count
            rows += count
        if rows > 0:
            total += np.float64(squares) / np.float64(rows)
    return total


@kernel
def _by_groups(target, given, n_given, order, bounds, counts):
    """Return the same from rows that are grouped by the given level; counts is 0 before and after."""
    bounds[: n_given + 1] = 0
    for r in range(given.shape[0]):
        bounds[np.int64(given[r]) + 1] += 1
    for v in range(n_given):
        bounds[v + 1] += bounds[v]
    for r in range(given.shape[0]):
        order[bounds[given[r]]] = r
        bounds[given[r]] += 1
    total, first = 0.0, 0
    for v in range(n_given):
        last = bounds[v]
        squares = np.int64(0)
        for k in range(first, last):
            u = target[order[k]]
            # (c + 1)^2 - c^2
            squares += 2 * counts[u] + 1
            counts[u] += 1
        for k in range(first, last):
            counts[target[order[k]]] = 0
        if last > first:
            total += np.float64(squares) / np.float64(last - first)
        first = last
    return total

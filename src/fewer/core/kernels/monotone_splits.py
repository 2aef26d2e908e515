"""Pairs that break monotonicity, rank mutual information, and the cuts of a rank-entropy tree."""

from __future__ import annotations

import numpy as np

from fewer.core.kernels._jit import kernel

# Informations that differ by less are equal on paper; the lower cut is kept.
EQUAL = 1e-12


@kernel
def count_violations(X, y, start, stop, out):
    """Add to out (comparable, violated) the pairs i < j with start <= i < stop; all columns of X should rise with y."""
    n, p = X.shape
    comparable = 0
    violated = 0
    for i in range(start, stop):
        for j in range(i + 1, n):
            above = True
            below = True
            for f in range(p):
                if X[i, f] < X[j, f]:
                    above = False
                elif X[i, f] > X[j, f]:
                    below = False
                if not (above or below):
                    break
            if above or below:
                comparable += 1
                if (above and y[i] < y[j]) or (below and y[i] > y[j]):
                    violated += 1
    out[0] += comparable
    out[1] += violated


@kernel
def add_to(tree, level):
    """Count one more value at a level of a Fenwick tree."""
    at = level + 1
    while at < tree.shape[0]:
        tree[at] += 1
        at += at & -at


@kernel
def count_up_to(tree, level):
    """Return how many values of a Fenwick tree are at this level or below."""
    total = 0
    at = level + 1
    while at > 0:
        total += tree[at]
        at -= at & -at
    return total


@kernel
def feature_violations(column, order, y, n_levels, tree, group):
    """Return the pairs with x_i >= x_j and y_i < y_j; order sorts the column."""
    n = column.shape[0]
    tree[:] = 0
    group[:] = 0
    violated = 0
    i = 0
    while i < n:
        k = i
        while k < n and column[order[k]] == column[order[i]]:
            level = y[order[k]]
            violated += i - count_up_to(tree, level)
            # Equal values with different levels break the order in one of both directions.
            violated += (k - i) - group[level]
            group[level] += 1
            k += 1
        for q in range(i, k):
            add_to(tree, y[order[q]])
            group[y[order[q]]] = 0
        i = k
    return violated


@kernel
def rank_information(column, order, y, up_to, logs, tree):
    """Return the ascending and descending rank mutual information of a column with the levels y.

    order sorts the column, up_to[c] counts the rows at level c or below, logs[i] = ln i.
    """
    n = column.shape[0]
    n_levels = up_to.shape[0]
    tree[:] = 0
    descending = 0.0
    i = 0
    while i < n:
        k = i
        while k < n and column[order[k]] == column[order[i]]:
            add_to(tree, y[order[k]])
            k += 1
        for q in range(i, k):
            level = y[order[q]]
            # Both differences are exactly 0 for a constant column.
            descending += (logs[n] - logs[k]) + (logs[count_up_to(tree, level)] - logs[up_to[level]])
        i = k
    tree[:] = 0
    ascending = 0.0
    i = n
    while i > 0:
        k = i
        while k > 0 and column[order[k - 1]] == column[order[i - 1]]:
            # Levels are counted from the top, so that "at least" is a count of the first levels.
            add_to(tree, n_levels - 1 - y[order[k - 1]])
            k -= 1
        for q in range(k, i):
            level = y[order[q]]
            at_least = n - (up_to[level - 1] if level > 0 else 0)
            both = count_up_to(tree, n_levels - 1 - level)
            ascending += (logs[n] - logs[n - k]) + (logs[both] - logs[at_least])
        i = k
    return ascending / n, descending / n


@kernel
def cut_information(low, total, n_low, n, logs, ascending, descending):
    """Return the rank mutual information of a feature with two values; low counts the classes of its lower part."""
    n_classes = total.shape[0]
    upper = 0.0
    at_least = 0
    high_at_least = 0
    for c in range(n_classes - 1, -1, -1):
        high = total[c] - low[c]
        at_least += total[c]
        high_at_least += high
        if high > 0:
            upper += high * ((logs[n] - logs[n - n_low]) + (logs[high_at_least] - logs[at_least]))
    lower = 0.0
    at_most = 0
    low_at_most = 0
    for c in range(n_classes):
        at_most += total[c]
        low_at_most += low[c]
        if low[c] > 0:
            lower += low[c] * ((logs[n] - logs[n_low]) + (logs[low_at_most] - logs[at_most]))
    return (ascending * upper + descending * lower) / n


@kernel
def best_cuts(columns, rows, y, n_classes, directions, logs, ascending, descending, least, gains, cuts, signs):
    """Fill per feature the largest rank mutual information of a cut of these rows, the cut, and the rising direction.

    columns is (n_features, n_rows); a cut leaves at least ``least`` rows on both sides and lies between two values;
    a feature without such a cut has gain -inf. Direction 0 tries both.
    """
    n = rows.shape[0]
    total = np.zeros(n_classes, np.int64)
    for i in range(n):
        total[y[rows[i]]] += 1
    values = np.empty(n)
    low = np.empty(n_classes, np.int64)
    for j in range(columns.shape[0]):
        for i in range(n):
            values[i] = columns[j, rows[i]]
        order = np.argsort(values)
        gains[j] = -np.inf
        low[:] = 0
        for i in range(n - 1):
            low[y[rows[order[i]]]] += 1
            left = values[order[i]]
            right = values[order[i + 1]]
            if left == right or i + 1 < least or n - i - 1 < least:
                continue
            for sign in (1, -1):
                if sign * directions[j] < 0:
                    continue
                if sign > 0:
                    gain = cut_information(low, total, i + 1, n, logs, ascending, descending)
                else:
                    gain = cut_information(total - low, total, n - i - 1, n, logs, ascending, descending)
                if gain > gains[j] + EQUAL:
                    gains[j] = gain
                    signs[j] = sign
                    middle = 0.5 * left + 0.5 * right
                    cuts[j] = middle if left <= middle < right else left

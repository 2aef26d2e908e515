"""P-values by listing everything that could have happened."""

from __future__ import annotations

import itertools
from math import factorial, log, prod


def statistic_of(kind, table):
    """Sum over the cells, one at a time."""
    rows, columns = [sum(row) for row in table], [sum(column) for column in zip(*table)]
    total, n = 0.0, sum(rows)
    for row, r in zip(table, rows):
        for k, c in zip(row, columns):
            expected = r * c / n
            if kind == "chi2":
                total += (k - expected) ** 2 / expected
            elif kind == "gini":
                total += (k - expected) ** 2 / r
            elif k:
                total += k * log(k / expected)
    return total


def fillings(total, left):
    """All ways to take ``total`` rows from classes with so many left."""
    if len(left) == 1:
        return [(total,)] if total <= left[0] else []
    return [(k, *rest) for k in range(min(total, left[0]) + 1) for rest in fillings(total - k, left[1:])]


def tables_with(rows, columns):
    """All tables with these margins."""
    if len(rows) == 1:
        return [(tuple(columns),)]
    found = []
    for first in fillings(rows[0], columns):
        left = [c - k for c, k in zip(columns, first)]
        found += [(first, *rest) for rest in tables_with(rows[1:], left)]
    return found


def table_pvalue(kind, table):
    """The probability of tables with the same margins and at least the same statistic."""
    rows, columns = [sum(row) for row in table], [sum(column) for column in zip(*table)]
    observed, reached, everything = statistic_of(kind, table) * (1 - 1e-9), 0.0, 0.0
    for other in tables_with(rows, columns):
        chance = 1 / prod(factorial(k) for row in other for k in row)
        everything += chance
        reached += chance * (statistic_of(kind, other) >= observed)
    return reached / everything


def rank_sum_pvalue(ranks, n_chosen):
    """The fraction of all choices whose rank sum is as far from its mean as that of the first rows."""
    middle = n_chosen * sum(ranks) / len(ranks)
    distance = abs(sum(ranks[:n_chosen]) - middle) - 1e-9
    sums = [sum(chosen) for chosen in itertools.combinations(ranks, n_chosen)]
    return sum(abs(s - middle) >= distance for s in sums) / len(sums)


def permutation_pvalue(statistic, x, y):
    """The fraction of all orders of y whose statistic is as large."""
    observed = statistic(x, y) - 1e-9
    found = [statistic(x, order) >= observed for order in itertools.permutations(y)]
    return sum(found) / len(found)

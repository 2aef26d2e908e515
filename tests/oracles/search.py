"""Searches by plain loops over frozensets, and the schedule of randomized elimination by its definition."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb

import numpy as np


def all_subsets(n, low, high):
    return [s for k in range(low, high + 1) for s in combinations(range(n), k)]


def best_subset(value, n, low, high):
    """Return the best subset; of equal ones the smallest, then the one with lower numbers."""
    return min(all_subsets(n, low, high), key=lambda s: (-value(s), len(s), s))


def forward_path(value, n, size):
    """Return the subsets of greedy forward selection; of equal ones the lower number joins."""
    here, path = (), []
    while len(here) < size:
        here = max(
            (tuple(sorted((*here, j))) for j in range(n) if j not in here),
            key=lambda s: (value(s), [-j for j in set(s) - set(here)]),
        )
        path.append(here)
    return path


def backward_path(value, n, size):
    """Return the subsets of greedy backward selection; of equal ones the higher number leaves."""
    here, path = tuple(range(n)), []
    while len(here) > size:
        gone = max(here, key=lambda j: (value(tuple(k for k in here if k != j)), j))
        here = tuple(k for k in here if k != gone)
        path.append(here)
    return path


def floating_forward(value, n, last):
    """Return the best value for each size that sequential floating forward selection records."""
    here, records = (), {0: value(())}
    while len(here) < last:
        here = max((tuple(sorted((*here, j))) for j in range(n) if j not in here), key=lambda s: (value(s), _low(s)))
        records[len(here)] = max(value(here), records.get(len(here), -np.inf))
        while len(here) > 2:
            there = max((tuple(k for k in here if k != j) for j in here[::-1]), key=value)
            if not value(there) > records.get(len(there), -np.inf):
                break
            here = there
            records[len(here)] = value(here)
    return records


def _low(subset):
    return [-j for j in subset]


def schedule(n_variables, n_relevant, price):
    """Return k and cost for each n by the recursion with exact binomials; of equal costs the smallest k."""

    @cache
    def cost(n):
        if n == n_relevant:
            return 0, Fraction(0)
        options = []
        for k in range(1, n - n_relevant + 1):
            p = Fraction(comb(n - n_relevant, k), comb(n, k))
            options.append((Fraction(price(n - k)) / p + cost(n - k)[1], k))
        best = min(options)
        return best[1], best[0]

    return {n: cost(n) for n in range(n_relevant, n_variables + 1)}


def bit_information(bits):
    """Return the mutual information of all pairs of columns, in nats."""
    n = bits.shape[1]
    out = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            for a in (0, 1):
                for b in (0, 1):
                    joint = np.mean((bits[:, i] == a) & (bits[:, j] == b))
                    if joint > 0:
                        out[i, j] += joint * np.log(joint / (np.mean(bits[:, i] == a) * np.mean(bits[:, j] == b)))
    return out


def network_bic(bits, parents):
    """Return the BIC of a Bayesian network over bits, given the parents of each."""
    m, total = len(bits), 0.0
    for j, above in enumerate(parents):
        patterns = [tuple(row) for row in bits[:, list(above)].tolist()]
        for pattern in set(patterns):
            column = bits[[p == pattern for p in patterns], j]
            for v in (False, True):
                count = int((column == v).sum())
                total += count * np.log(count / len(column)) if count else 0.0
        total -= 0.5 * np.log(m) * 2 ** len(above)
    return total

"""Slow truths about blankets: informations as exact fractions, everything computed again at every step."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import fsum, log, prod, sqrt


def power_tower(cells):
    """exp of the sum of n ln n over the counts of the cells, exactly."""
    return prod(n**n for n in Counter(cells).values())


def exact_information(f, y, given=()):
    """exp(N I(f; y | given)) as a fraction: equal informations are equal, and larger ones larger."""
    m = list(zip(*given)) if given else [()] * len(y)
    top = power_tower(zip(m, f, y)) * power_tower(m)
    return Fraction(top, power_tower(zip(m, f)) * power_tower(zip(m, y)))


def information(f, y, given=()):
    """I(f; y | given) in nats, by summing over rows."""
    n = len(y)
    m = list(zip(*given)) if given else [()] * n
    n_m, n_mf, n_mc, n_mfc = Counter(m), Counter(zip(m, f)), Counter(zip(m, y)), Counter(zip(m, f, y))
    cells = zip(m, f, y)
    return fsum(log(n_mfc[a, b, c] * n_m[a] / (n_mf[a, b] * n_mc[a, c])) for a, b, c in cells) / n


def absolute_correlation(a, b):
    """|r|, 0 for a constant; rounded so that copies are equal."""
    mean_a, mean_b = fsum(a) / len(a), fsum(b) / len(b)
    if len(set(a)) == 1 or len(set(b)) == 1:
        return 0.0
    products = fsum((x - mean_a) * (z - mean_b) for x, z in zip(a, b))
    squares = fsum((x - mean_a) ** 2 for x in a) * fsum((z - mean_b) ** 2 for z in b)
    return round(abs(products / sqrt(squares)), 8)


def eliminate(codes, y, similarity, k):
    """Return (feature, exact delta, blanket) in the order of removal; columns are lists, similarity a function."""
    left, removals = list(range(len(codes))), []
    while left:
        found = []
        for i in left:
            others = sorted((j for j in left if j != i), key=lambda j: (-similarity(i, j), j))
            found.append((i, exact_information(codes[i], y, [codes[j] for j in others[:k]]), others[:k]))
        smallest = min(delta for _, delta, _ in found)
        worst = max((one for one in found if one[1] == smallest), key=lambda one: one[0])
        removals.append(worst)
        left.remove(worst[0])
    return removals

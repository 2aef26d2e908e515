"""Orders by definition: loops over rows, pairs of rows and pairs of features."""

from __future__ import annotations

import math
from collections import Counter
from itertools import combinations

import numpy as np


def ranks(row) -> list[float]:
    """Rank of each known value among the known ones, equal values averaged, NaN where unknown."""
    known = [v for v in row if not math.isnan(v)]
    return [
        math.nan if math.isnan(v) else 1 + sum(o < v for o in known) + (sum(o == v for o in known) - 1) / 2 for v in row
    ]


def compare(a, b) -> str:
    if math.isnan(a) or math.isnan(b):
        return "?"
    return "<" if a < b else (">" if a > b else "=")


def pattern(row, subset) -> tuple[str, ...]:
    """The boolean-order row of a subset."""
    return tuple(compare(row[i], row[j]) for i, j in combinations(sorted(subset), 2))


def inversions(first, second) -> list[int]:
    n = len(first)
    return [
        sum({compare(first[i], first[j]), compare(second[i], second[j])} == {"<", ">"} for j in range(n) if j != i)
        for i in range(n)
    ]


def divergence(X, y, subset, reference=None) -> float:
    """Sum over the orders r of the reference features of P(r) KL(P(C | r) || P(C | r restricted to subset))."""
    reference = range(X.shape[1]) if reference is None else reference
    whole = [pattern(row, reference) for row in X]
    part = [pattern(row, subset) for row in X]
    total = 0.0
    for r, count in Counter(whole).items():
        restricted = part[whole.index(r)]
        for c in set(y.tolist()):
            p = sum(w == r and k == c for w, k in zip(whole, y)) / count
            q = sum(w == restricted and k == c for w, k in zip(part, y)) / part.count(restricted)
            total += count / len(y) * (p * math.log(p / q) if p else 0.0)
    return total


def concordance(orders) -> float:
    """Fig. 6, line by line."""
    m, n = len(orders), len(orders[0])
    s = 0
    for i, j in combinations(range(n), 2):
        s += sum({"<": 1, ">": -1}.get(compare(o[i], o[j]), 0) for o in orders) ** 2
    return 2 * s / ((n * n - n) * (m * m - m)) - 1 / (m - 1)


def centre(X) -> list[float]:
    """Ranks of the rank sums; a comparison with something unknown or equal counts half."""
    n = X.shape[1]
    half = {"<": 0.0, "=": 0.5, ">": 1.0, "?": 0.5}
    sums = [sum(1 + sum(half[compare(row[j], row[i])] for i in range(n) if i != j) for row in X) for j in range(n)]
    return ranks(sums)


def spoilers(X, y, left, k) -> int:
    """Total spoiler count of k: pairs of rows of one class, inversions with the features that are left."""
    at = list(left).index(k)
    return sum(
        inversions(X[a, left], X[b, left])[at] for c in np.unique(y) for a, b in combinations(np.flatnonzero(y == c), 2)
    )


def centre_distances(X, y, left) -> list[float]:
    centres = [centre(X[y == c][:, left]) for c in np.unique(y)]
    return [sum((p - q) ** 2 for p, q in zip(a, b)) for a, b in combinations(centres, 2)]


def blanket(X, y, left, k, size) -> list[int]:
    others = [i for i in left if i != k]
    return sorted(others, key=lambda i: (round(divergence(X, y, [i, k]), 9), i))[:size]


def eliminate(X, y, criterion, blanket_size=5) -> list[int]:
    """Remove features until one is left; of equal candidates the highest number."""
    left, removed = list(range(X.shape[1])), []
    first = centre_distances(X, y, left) if criterion == "cdv" else None

    def cost(k):
        rest = [j for j in left if j != k]
        if criterion == "spoilers":
            everything = list(range(X.shape[1]))
            strict = any({compare(r[k], r[j]) for j in everything if j != k} & {"<", ">"} for r in X)
            return -spoilers(X, y, left, k) if strict else -math.inf
        if criterion == "cdv":
            return sum((a - b) ** 2 for a, b in zip(centre_distances(X, y, rest), first))
        if criterion == "kl":
            return round(divergence(X, y, rest), 9)
        members = blanket(X, y, left, k, blanket_size)
        return round(divergence(X, y, members, [*members, k]), 9)

    while len(left) > 1:
        worst = min(left, key=lambda k: (cost(k), -k))
        left.remove(worst)
        removed.append(worst)
    return removed

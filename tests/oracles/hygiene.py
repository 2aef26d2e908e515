"""What a look at one column tells, value by value."""

from __future__ import annotations

import math


def column_facts(values, classes):
    """Return missing, values that are not whole, rises, falls, range, ends and the range of every class."""
    here = [v for v in values if not math.isnan(v)]
    pairs = list(zip(here, here[1:]))
    by_class = {}
    for value, c in zip(values, classes):
        if not math.isnan(value):
            low, high = by_class.get(c, (value, value))
            by_class[c] = (min(low, value), max(high, value))
    return {
        "missing": len(values) - len(here),
        "parts": sum(v != int(v) for v in here),
        "ups": sum(b > a for a, b in pairs),
        "downs": sum(b < a for a, b in pairs),
        "range": (min(here), max(here)) if here else None,
        "ends": (here[0], here[-1]) if here else None,
        "by_class": by_class,
    }


def errors_avoided(levels, classes):
    """Return what part of the errors of a guess is avoided if the other rows of its level predict each row."""
    rows = list(zip(levels, classes))
    guess = max(classes.count(c) for c in set(classes))
    right = 0
    for i, (level, c) in enumerate(rows):
        others = [k for j, (other, k) in enumerate(rows) if other == level and j != i]
        own = others.count(c)
        right += own > 0 and all(own > others.count(k) for k in set(others) - {c})
    return (right - guess) / (len(rows) - guess)


def stability_index(first, second, n_levels):
    """Return the population stability index of two lists of levels with half a row more in each, less that of noise."""
    total, used = 0.0, 0
    for level in range(n_levels):
        p = (first.count(level) + 0.5) / (len(first) + 1)
        q = (second.count(level) + 0.5) / (len(second) + 1)
        if level in first or level in second:
            total += (p - q) * math.log(p / q)
            used += 1
    return total - (used - 1) * (1 / len(first) + 1 / len(second))


def told_of_rows(table):
    """Variance of mean ranks between levels, as a part of that of the same levels dealt along the sorted target."""
    rows = [(c, k) for k, level in enumerate(table) for c, n in enumerate(level) for _ in range(n)]
    rows.sort()
    bins = [c for c, _ in rows]
    rank = {c: sum(i for i, b in enumerate(bins) if b == c) / bins.count(c) for c in set(bins)}
    mean = sum(rank[b] for b in bins) / len(bins)
    of_level = {k: [rank[c] for c, level in rows if level == k] for _, k in rows}

    def between(groups):
        return sum(len(g) * (sum(g) / len(g) - mean) ** 2 for g in groups)

    along, start = [], 0
    for _, group in sorted(of_level.items(), key=lambda one: (round(sum(one[1]) / len(one[1]), 9), one[0])):
        along.append([rank[b] for b in bins[start : start + len(group)]])
        start += len(group)
    best = between(along)
    return between(of_level.values()) / best if best > 1e-9 else 0.0

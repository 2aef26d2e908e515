"""The scores of docs/small_filters.md by plain loops, made from their entries."""

from __future__ import annotations

from itertools import permutations
from math import exp, log

import numpy as np
from scipy.special import digamma


def xi_in_order(ys):
    """Equation (1.2) of Chatterjee for a target in the order of the feature."""
    n = len(ys)
    r = [sum(other <= y for other in ys) for y in ys]
    l = [sum(other >= y for other in ys) for y in ys]
    return 1 - n * sum(abs(r[i + 1] - r[i]) for i in range(n - 1)) / (2 * sum(a * (n - a) for a in l))


def xi(x, y):
    """The mean over all orders in which the feature does not fall."""
    orders = [p for p in permutations(range(len(x))) if all(x[a] <= x[b] for a, b in zip(p, p[1:]))]
    return np.mean([xi_in_order([y[i] for i in p]) for p in orders])


def near_information(columns, y, k, classes):
    """Information of one or two columns and a target by nearest rows, as in the entry."""
    # Differences are divided, not values: those that are equal stay equal.
    if classes:
        y = np.asarray(y)
        kept = [i for i in range(len(y)) if sum(y == y[i]) > 1]
        columns, y = [x[kept] for x in columns], y[kept]
    n = len(y)
    spread = [np.std(x) or 1.0 for x in columns]
    spread_y = 1.0 if classes else np.std(y)
    if n < 2 or (not classes and np.ptp(y) == 0) or all(np.ptp(x) == 0 for x in columns):
        return 0.0
    total = 0.0
    for i in range(n):
        dx = [max(abs(x[i] - x[j]) * (1 / s) for x, s in zip(columns, spread)) for j in range(n)]
        if classes:
            own = [j for j in range(n) if y[j] == y[i] and j != i]
            both = {j: dx[j] for j in own}
        else:
            dy = [abs(y[i] - y[j]) * (1 / spread_y) for j in range(n)]
            both = {j: max(dx[j], dy[j]) for j in range(n) if j != i}
        at = min(k, len(both))
        radius = sorted(both.values())[at - 1]
        if radius == 0:
            at = 1 + sum(d == 0 for d in both.values())
            near_x = sum(d == 0 for d in dx)
            near_y = len(both) + 1 if classes else sum(d == 0 for d in dy)
        else:
            # Nearer by more than rounding.
            near_x = sum(d < radius * (1 - 1e-9) for d in dx)
            near_y = len(both) + 1 if classes else sum(d < radius * (1 - 1e-9) for d in dy)
        total += digamma(at) - digamma(near_x) - digamma(near_y)
    return max(0.0, digamma(n) + total / n)


def target_distance(y, classes):
    y = np.asarray(y)
    return (y[:, None] != y).astype(float) if classes else np.abs(y[:, None] - y)


def distance_correlation(x, y, classes=False):
    """dCor of definition 5 by centred matrices."""

    def centred(d):
        return d - d.mean(axis=0) - d.mean(axis=1)[:, None] + d.mean()

    a, b = centred(target_distance(x, False)), centred(target_distance(y, classes))
    below = np.sqrt((a * a).mean() * (b * b).mean())
    return float(np.sqrt((a * b).mean() / below)) if below > 0 else 0.0


def corrected_correlation(x, y, classes=False):
    """The bias-corrected squared distance correlation by U-centred matrices."""

    def centred(d):
        n = len(d)
        rows = d.sum(axis=0)
        out = d - rows / (n - 2) - rows[:, None] / (n - 2) + d.sum() / ((n - 1) * (n - 2))
        np.fill_diagonal(out, 0.0)
        return out

    a, b = centred(target_distance(x, False)), centred(target_distance(y, classes))
    return (a * b).sum() / np.sqrt((a * a).sum() * (b * b).sum())


def gaussian(x):
    x = np.asarray(x, dtype=float)
    n = len(x)
    sigma = np.median([abs(x[i] - x[j]) for i in range(n) for j in range(i)]) or np.std(x)
    return np.array([[exp(-((a - b) ** 2) / (2 * sigma**2)) for b in x] for a in x]) if sigma else np.ones((n, n))


def hsic(K, L):
    """The trace of the definition, and mean and variance over all permutations, as in the entry."""
    n = len(K)
    H = np.eye(n) - 1 / n
    A, B = H @ K @ H, H @ L @ H
    T, Q, S = np.trace(A), (A * A).sum(), (np.diag(A) ** 2).sum()
    U, R, V = np.trace(B), (B * B).sum(), (np.diag(B) ** 2).sum()
    mean = T * U / (n - 1)
    variance = 2 * ((n - 1) * Q - T**2) * ((n - 1) * R - U**2) / ((n - 1) ** 2 * (n + 1) * (n - 2))
    first = n * (n + 1) * S - (n - 1) * (T**2 + 2 * Q)
    variance += first * (n * (n + 1) * V - (n - 1) * (U**2 + 2 * R)) / ((n + 1) * n * (n - 1) * (n - 2) * (n - 3))
    return np.trace(A @ B) / n**2, mean / n**2, variance / n**4


def divergence(first, second):
    """The sum of (p - q) ln(p / q) over the values of two lists, half a row added to both for each value."""
    levels = sorted(set(first) | set(second), key=str)
    total = 0.0
    for level in levels:
        q = (sum(v == level for v in first) + 0.5) / (len(first) + 0.5 * len(levels))
        p = (sum(v == level for v in second) + 0.5) / (len(second) + 0.5 * len(levels))
        total += (p - q) * log(p / q)
    return total


def cramers_v(x, y):
    """Root of chi-squared over n (the smaller number of levels - 1)."""
    rows, columns = sorted(set(x)), sorted(set(y))
    if min(len(rows), len(columns)) < 2:
        return 0.0
    n, total = len(x), 0.0
    for a in rows:
        for b in columns:
            expected = sum(v == a for v in x) * sum(v == b for v in y) / n
            total += (sum(v == a and w == b for v, w in zip(x, y)) - expected) ** 2 / expected
    return (total / (n * (min(len(rows), len(columns)) - 1))) ** 0.5


def kept_columns(similar, worth, line, stay=()):
    """Which columns the filter keeps, and what stands for the others."""
    kept, stands = [], {}
    for j in sorted(range(len(worth)), key=lambda j: (*(-w for w in worth[j]), j)):
        best = max(kept, key=lambda s: (similar[j][s], -s), default=None)
        if best is not None and similar[j][best] >= line and j not in stay:
            stands[j] = best
        else:
            kept.append(j)
    return kept, stands

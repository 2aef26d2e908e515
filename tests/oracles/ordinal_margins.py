"""O-ReliefF, O-Simba, rank mutual information and broken monotonicity with a loop for every sum."""

from __future__ import annotations

import math

import numpy as np


def plain_diff(a, b, nominal, low, high):
    """Eq. 2 and 3: the difference of two values of one feature."""
    if nominal:
        return float(a != b)
    return 0.0 if high == low else abs(a - b) / (high - low)


def diffs(X, nominal=None):
    """All diffs, of shape (rows, rows, features)."""
    n, p = X.shape
    out = np.zeros((n, n, p))
    for f in range(p):
        for i in range(n):
            for j in range(n):
                is_nominal = nominal is not None and bool(nominal[f])
                out[i, j, f] = plain_diff(X[i, f], X[j, f], is_nominal, X[:, f].min(), X[:, f].max())
    return out


def at_least(X, i, j, directions):
    """Whether row i is at least as large as row j in every directed feature, falling ones turned around."""
    return all(d * X[i, f] >= d * X[j, f] for f, d in enumerate(directions) if d != 0)


def neighbours(X, y, i, distance, directions, hits, k):
    """Lists of rows for both sides, below first: nearest misses, nearest hits; lower row numbers first."""
    near = lambda rows: sorted(rows, key=lambda j: (distance[j], j))[:k]  # noqa: E731
    mine = [j for j in range(len(y)) if y[j] == y[i] and j != i]
    found = []
    for upper in (False, True):
        misses = [j for j in range(len(y)) if (y[j] > y[i] if upper else y[j] < y[i])]
        good = [j for j in mine if (at_least(X, j, i, directions) if upper else at_least(X, i, j, directions))]
        found.append((near(misses), near(good if hits == "dominance" and good else mine)))
    return found


def o_relief(X, y, k, hits="dominance", metric="manhattan", directions=None, nominal=None, rows=None):
    """Algorithm 4 over all rows, or some, with means over the neighbours that there are."""
    n, p = X.shape
    away = diffs(X, nominal)
    directions = [1] * p if directions is None else list(directions)
    if nominal is not None:
        directions = [0 if flag else d for d, flag in zip(directions, nominal)]
    weights, rows = [0.0] * p, range(n) if rows is None else rows
    for i in rows:
        power = 2 if metric == "euclidean" else 1
        # Rounded, so that distances that are equal on paper are equal here.
        distance = [round(sum(v**power for v in away[i, j]), 9) for j in range(n)]
        for misses, own in neighbours(X, y, i, distance, directions, hits, k):
            if misses and own:
                for f in range(p):
                    weights[f] += sum(away[i, j, f] for j in misses) / len(misses) / len(rows)
                    weights[f] -= sum(away[i, j, f] for j in own) / len(own) / len(rows)
    return np.array(weights)


def o_simba(X, y, order, hits="dominance", directions=None, nominal=None):
    """Algorithm 5 for rows in a given order, from weights 1, 0 for constants; not yet squared."""
    n, p = X.shape
    away = diffs(X, nominal)
    directions = [1] * p if directions is None else list(directions)
    w = [0.0 if X[:, f].min() == X[:, f].max() else 1.0 for f in range(p)]
    for i in order:
        norm = [math.sqrt(sum(w[f] ** 2 * away[i, j, f] ** 2 for f in range(p))) for j in range(n)]
        delta = [0.0] * p
        for misses, own in neighbours(X, y, i, norm, directions, hits, 1):
            if misses and own:
                for sign, j in ((1, misses[0]), (-1, own[0])):
                    if norm[j] > 0:
                        for f in range(p):
                            delta[f] += sign * 0.5 * away[i, j, f] ** 2 / norm[j] * w[f]
        w = [a + b for a, b in zip(w, delta)]
    return np.array(w)


def summed_margins(X, y, w, hits="dominance", directions=None):
    """Eq. 11: the sum of the margins below and above."""
    n, p = X.shape
    away = diffs(X)
    directions = [1] * p if directions is None else list(directions)
    total = 0.0
    for i in range(n):
        norm = [math.sqrt(sum(w[f] ** 2 * away[i, j, f] ** 2 for f in range(p))) for j in range(n)]
        for misses, own in neighbours(X, y, i, norm, directions, hits, 1):
            if misses and own:
                total += 0.5 * (norm[misses[0]] - norm[own[0]])
    return total


def rank_information(x, y, side="ascending"):
    """Minus the mean of ln(|A| |B| / (n |A and B|)), A and B the rows at least (at most) as large in x and in y."""
    if side == "both":
        return (rank_information(x, y, "ascending") + rank_information(x, y, "descending")) / 2
    n, total = len(x), 0.0
    for i in range(n):
        reach = (lambda a, b: a >= b) if side == "ascending" else (lambda a, b: a <= b)
        by_x = {j for j in range(n) if reach(x[j], x[i])}
        by_y = {j for j in range(n) if reach(y[j], y[i])}
        total += math.log(len(by_x) * len(by_y) / (n * len(by_x & by_y)))
    return -total / n


def broken_pairs(X, y):
    """Comparable pairs of rows, and those whose classes contradict the comparison."""
    comparable = violated = 0
    for i in range(len(y)):
        for j in range(i):
            up, down = bool((X[i] >= X[j]).all()), bool((X[i] <= X[j]).all())
            comparable += up or down
            violated += (up and y[i] < y[j]) or (down and y[i] > y[j])
    return comparable, violated

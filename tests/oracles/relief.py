"""The Relief family with a loop for every sum, from the definitions of chapter 9 and of the SURF papers."""

from __future__ import annotations

import math

import numpy as np


def plain_diff(a, b, nominal, span, ramp=None):
    """Eq. 9.3 and 9.4: the difference of two values of one feature; ``ramp`` holds two fractions of the span."""
    if nominal:
        return float(a != b)
    if span == 0:
        return 0.0
    if ramp is None:
        return abs(a - b) / span
    t_equal, t_different = ramp[0] * span, ramp[1] * span
    if abs(a - b) <= t_equal:
        return 0.0
    if abs(a - b) > t_different:
        return 1.0
    return (abs(a - b) - t_equal) / (t_different - t_equal)


def known_values(column, y, label):
    """The observed values of a class, of all rows if the class has none or the target is numeric."""
    own = [v for v, c in zip(column, y) if not math.isnan(v) and c == label] if label is not None else []
    return own if own else [v for v in column if not math.isnan(v)]


def expected_diff(column, y, j, k, nominal, span, ramp=None, classes=True):
    """The diff of two rows; a missing value takes all values of its class with their relative frequencies."""
    sides = []
    for row in (j, k):
        if math.isnan(column[row]):
            sides.append(known_values(column, y, y[row] if classes else None))
        else:
            sides.append([column[row]])
    if not sides[0] or not sides[1]:
        return 0.0
    total = 0.0
    for a in sides[0]:
        for b in sides[1]:
            total += plain_diff(a, b, nominal, span, ramp)
    return total / (len(sides[0]) * len(sides[1]))


def diffs(X, y, nominal=None, ramp=None, classes=True):
    """All diffs, of shape (rows, rows, features)."""
    X = np.asarray(X, dtype=float)
    n, p = X.shape
    out = np.zeros((n, n, p))
    for i in range(p):
        column = X[:, i].tolist()
        known = [v for v in column if not math.isnan(v)]
        span = max(known) - min(known) if known else 0.0
        is_nominal = nominal is not None and bool(nominal[i])
        for j in range(n):
            for k in range(n):
                if j != k:
                    out[j, k, i] = expected_diff(column, list(y), j, k, is_nominal, span, ramp, classes)
    return out


def distances(table, r):
    """Sums of diffs; those that differ by round-off alone are equal."""
    return np.round(table[r].sum(axis=1) * 2**30) / 2**30


def weighted_neighbours(distance, candidates, k, sigma=None, ties="first"):
    """Pairs of a row and its weight, weights adding up to 1: the k nearest candidates, by lower row number if equal.

    With ``sigma`` a weight falls with the rank, where equal distances share the first rank of their group. With
    ``ties="average"`` all candidates at the largest distance that is reached share what is left of the k places.
    """
    ordered = sorted(candidates, key=lambda j: (distance[j], j))
    if not ordered:
        return []
    k = min(k, len(ordered))
    last = distance[ordered[k - 1]]
    chosen = []
    for j in ordered:
        rank = 1 + sum(1 for other in ordered if distance[other] < distance[j])
        size = 1.0 if sigma is None else math.exp(-((rank / sigma) ** 2))
        if distance[j] < last:
            chosen.append((j, size))
        elif distance[j] == last and ties == "average":
            before = sum(1 for other in ordered if distance[other] < last)
            group = sum(1 for other in ordered if distance[other] == last)
            chosen.append((j, size * (k - before) / group))
        elif distance[j] == last and len(chosen) < k:
            chosen.append((j, size))
    total = sum(size for _, size in chosen)
    return [(j, size / total) for j, size in chosen]


def shares(y, cost=None, mode=None):
    """Class shares, or those adjusted by a cost matrix (eq. 9.12 and 9.13)."""
    labels = sorted(set(y))
    p = [list(y).count(c) / len(y) for c in labels]
    if mode == "expected":
        eps = [
            sum(p[u] * cost[c][u] for u in range(len(p)) if u != c) / (1 - p[c]) if p[c] < 1 else 0.0
            for c in range(len(p))
        ]
        p = [p[c] * eps[c] / sum(p[u] * eps[u] for u in range(len(p))) for c in range(len(p))]
    if mode == "average":
        alpha = [sum(cost[c][u] for u in range(len(p)) if u != c) / (len(p) - 1) for c in range(len(p))]
        p = [a / sum(alpha) for a in alpha]
    return dict(zip(labels, p))


def relieff(
    X, y, k=10, nominal=None, ramp=None, sigma=None, ties="first", cost=None, mode=None, rows=None, own_hits=False
):
    """Algorithm 9.3.1 and the line that replaces its miss term when errors have costs.

    With ``own_hits`` a row is, behind all others, a candidate for its own hits, as in scikit-rebate.
    """
    y = np.asarray(y).tolist()
    n, p = np.shape(X)
    table, share = diffs(X, y, nominal, ramp), shares(y, cost, mode)
    rows = range(n) if rows is None else rows
    weights = np.zeros(p)
    for r in rows:
        distance = distances(table, r)
        for c in share:
            others = [j for j in range(n) if (j != r or own_hits) and y[j] == c]
            distance[r] = math.inf
            factor = -1.0 if c == y[r] else share[c] / (1 - share[y[r]])
            for j, size in weighted_neighbours(distance, others, k, sigma, ties):
                for i in range(p):
                    weights[i] += factor * size * table[r, j, i] / len(rows)
    return weights


def relief(X, y, nominal=None, ramp=None, ties="first", rows=None, power=1):
    """Algorithm 9.2.1, and with ``power=2`` figure 3.4: squared diffs, neighbours by Euclidean distance."""
    y = np.asarray(y).tolist()
    n, p = np.shape(X)
    table = diffs(X, y, nominal, ramp) ** power
    rows = range(n) if rows is None else rows
    weights = np.zeros(p)
    for r in rows:
        distance = distances(table, r)
        for sign, same in ((-1.0, True), (1.0, False)):
            others = [j for j in range(n) if j != r and (y[j] == y[r]) == same]
            for j, size in weighted_neighbours(distance, others, 1, None, ties):
                for i in range(p):
                    weights[i] += sign * size * table[r, j, i] / len(rows)
    return weights


def rrelieff(X, y, k=10, nominal=None, ramp=None, sigma=None, ties="first", rows=None):
    """Algorithm 9.3.2; a term that would divide by zero is 0."""
    y = np.asarray(y, dtype=float).tolist()
    n, p = np.shape(X)
    table = diffs(X, y, nominal, ramp, classes=False)
    span = max(y) - min(y)
    rows = range(n) if rows is None else rows
    n_dy, n_df, n_both = 0.0, np.zeros(p), np.zeros(p)
    for r in rows:
        distance = distances(table, r)
        for j, size in weighted_neighbours(distance, [j for j in range(n) if j != r], k, sigma, ties):
            d_target = plain_diff(y[r], y[j], False, span)
            n_dy += size * d_target
            for i in range(p):
                n_df[i] += size * table[r, j, i]
                n_both[i] += size * d_target * table[r, j, i]
    weights = np.zeros(p)
    for i in range(p):
        if n_dy > 1e-12:
            weights[i] += n_both[i] / n_dy
        if len(rows) - n_dy > 1e-12 * len(rows):
            weights[i] -= (n_df[i] - n_both[i]) / (len(rows) - n_dy)
    return weights


def hit_and_miss_means(table, y, k, ties="first"):
    """Mean diff of each feature to the k nearest rows of the own class, and to the k nearest of all others."""
    n, _, p = table.shape
    means = {True: np.zeros(p), False: np.zeros(p)}
    seen = {True: 0, False: 0}
    for r in range(n):
        distance = distances(table, r)
        for same in (True, False):
            others = [j for j in range(n) if j != r and (y[j] == y[r]) == same]
            seen[same] += bool(others)
            for j, size in weighted_neighbours(distance, others, k, None, ties):
                means[same] += size * table[r, j]
    return means[True] / max(seen[True], 1), means[False] / max(seen[False], 1)


def relief_ratio(X, y, k=30, nominal=None, ramp=None, ties="first"):
    """Mean diff to the k nearest misses over that to the k nearest hits."""
    y = np.asarray(y).tolist()
    hits, misses = hit_and_miss_means(diffs(X, y, nominal, ramp), y, k, ties)
    return np.array([m / max(h, np.finfo(float).eps) for h, m in zip(hits, misses)])


def gs_relief(X, y, n_steps, k=30):
    """At each step the feature with the largest ratio on what least squares on the chosen ones leaves of all columns.

    Columns have range 1 at the start. What is left is not stretched again.
    """
    y = np.asarray(y).tolist()
    X = np.asarray(X, dtype=float)
    span = X.max(axis=0) - X.min(axis=0)
    X = X / np.where(span > 0, span, 1.0)
    X[:, span == 0] = 0.0
    size = ((X - X.mean(axis=0)) ** 2).sum(axis=0)
    chosen, values = [], []
    for _ in range(n_steps):
        design = np.column_stack([np.ones(len(X)), *(X[:, j] for j in chosen)])
        left = X - design @ np.linalg.lstsq(design, X, rcond=None)[0]
        left[:, (left**2).sum(axis=0) <= 1e-12 * size] = 0.0
        left[:, chosen] = 0.0
        table = np.abs(left[:, None, :] - left[None, :, :])
        hits, misses = hit_and_miss_means(table, y, k)
        ratio = misses / np.maximum(hits, np.finfo(float).eps)
        ratio[chosen] = -1.0
        chosen.append(int(np.argmax(ratio)))
        values.append(float(ratio.max()))
    return chosen, values


def side_means(table, y, r, near):
    """Mean diff of a row to the hits among some rows and, weighted by class fractions, to the misses among them.

    A side without rows is None. Classes without rows among the misses leave their fraction to the others.
    """
    hits = [j for j in near if y[j] == y[r]]
    means = [np.mean([table[r, j] for j in hits], axis=0) if hits else None, None]
    share = shares(y)
    present = [c for c in share if c != y[r] and any(y[j] == c for j in near)]
    if present:
        total = sum(share[c] for c in present)
        means[1] = sum(share[c] / total * np.mean([table[r, j] for j in near if y[j] == c], axis=0) for c in present)
    return means


def surf_family(X, y, name, nominal=None, ramp=None, with_self=False):
    """SURF, SURFStar, MultiSURF, MultiSURFStar: every row within (or beyond) a distance that the data set.

    SURF takes the mean distance of all pairs, MultiSURF that of the pairs of one row, less half their deviation. The
    starred ones also subtract what the far rows say; MultiSURFStar counts how much they agree, not how much they
    differ, which is the same where both hits and misses are far. ``with_self`` counts each row as its own neighbour
    in the mean of SURF.
    """
    y = np.asarray(y).tolist()
    n, p = np.shape(X)
    table = diffs(X, y, nominal, ramp)
    distance = np.array([distances(table, r) for r in range(n)])
    pairs = [distance[i, j] for i in range(n) for j in range(n) if i != j or with_self]
    weights = np.zeros(p)
    for r in range(n):
        others = [j for j in range(n) if j != r]
        own = [distance[r, j] for j in others]
        if name.startswith("Multi"):
            low, high = np.mean(own) - np.std(own) / 2, np.mean(own) + np.std(own) / 2
        else:
            low = high = np.mean(pairs)
        hit, miss = side_means(table, y, r, [j for j in others if distance[r, j] < low])
        for mean, sign in ((hit, -1.0), (miss, 1.0)):
            if mean is not None:
                weights += sign * mean / n
        if name.endswith("Star"):
            hit, miss = side_means(table, y, r, [j for j in others if distance[r, j] > high])
            for mean, sign in ((hit, -1.0), (miss, 1.0)):
                if mean is not None:
                    weights += sign * ((1.0 - mean) if name.startswith("Multi") else -mean) / n
    return weights


def limit_weights(X, y):
    """Eq. 9.16 and, per row, 9.17: how often a feature is in a smallest change that leads to another class."""
    y = list(y)
    n, p = np.shape(X)
    share = shares(y)
    weights = np.zeros(p)
    for r in range(n):
        for c in share:
            if c == y[r]:
                continue
            changes = [[X[j][i] != X[r][i] for i in range(p)] for j in range(n) if y[j] == c]
            fewest = min(sum(change) for change in changes)
            smallest = [change for change in changes if sum(change) == fewest]
            for i in range(p):
                weights[i] += share[c] / (1 - share[y[r]]) * np.mean([change[i] for change in smallest]) / n
    return weights

"""Models by weights of ReliefF with a loop for everything, from sections 9.4.1, 9.7.3, 9.7.4 and 9.7.7 of the book."""

from __future__ import annotations

import itertools
import math

import numpy as np

from oracles.relief import known_values, plain_diff, relieff, rrelieff


def weighted_distance(X, y, row, new, weights, nominal, ramp=None, power=1, classes=True):
    """Weighted sum of differences of a fitted row and a new one, whose class is not known."""
    total = 0.0
    for i in range(X.shape[1]):
        column = X[:, i].tolist()
        known = [v for v in column if not math.isnan(v)]
        span = max(known) - min(known) if known else 0.0
        mine = [column[row]]
        if math.isnan(column[row]):
            mine = known_values(column, list(y), y[row] if classes else None)
        value = new[i]
        if not math.isnan(value) and not nominal[i] and known:
            value = min(max(value, min(known)), max(known))
        theirs = known if math.isnan(value) else [value]
        if mine and theirs:
            gaps = [plain_diff(a, b, nominal[i], span, ramp) for a in mine for b in theirs]
            total += max(weights[i], 0.0) * (sum(gaps) / len(gaps)) ** power
    return total


def nearest_rows(X, y, new, weights, nominal, k, **more):
    """Numbers of the k nearest rows; distances that differ by round-off alone are equal."""
    largest = max(max(weights), 1e-300)
    distances = [weighted_distance(X, y, r, new, weights, nominal, **more) / largest for r in range(len(X))]
    return sorted(range(len(X)), key=lambda r: (round(distances[r] * 2**30), r))[:k]


def weights_of(X, y, k, nominal, classes):
    return relieff(X, y, k, nominal) if classes else rrelieff(X, y, k, nominal)


def near_pairs(X, y, k, nominal, classes):
    """Signed weights of pairs, found by asking what a column that differs in this pair alone would weigh."""
    from oracles.relief import diffs, distances, shares, weighted_neighbours

    n, y = len(X), np.asarray(y).tolist()
    table = diffs(X, y, nominal, classes=classes)
    pairs = []
    for r in range(n):
        far = distances(table, r)
        if classes:
            share = shares(y)
            for c in share:
                factor = -1.0 if c == y[r] else share[c] / (1 - share[y[r]])
                others = [j for j in range(n) if j != r and y[j] == c]
                pairs += [(r, j, factor * size / n) for j, size in weighted_neighbours(far, others, k)]
        else:
            others = [j for j in range(n) if j != r]
            pairs += [(r, j, size) for j, size in weighted_neighbours(far, others, k)]
    if not classes:
        span = max(y) - min(y)
        gap = {(r, j): abs(y[r] - y[j]) / span for r, j, _ in pairs}
        changed = sum(size * gap[r, j] for r, j, size in pairs)
        # A part that would divide by zero is 0.
        up = 1 / changed if changed > 1e-12 else 0.0
        down = 1 / (n - changed) if n - changed > 1e-12 * n else 0.0
        pairs = [(r, j, size * (gap[r, j] * up - (1 - gap[r, j]) * down)) for r, j, size in pairs]
    return pairs


def weight_of(column, pairs, nominal):
    """The weight of any column by fixed pairs; a pair with a missing value does not count."""
    known = [v for v in column if not math.isnan(v)]
    span = max(known) - min(known)
    total = 0.0
    for r, j, size in pairs:
        if not math.isnan(column[r]) and not math.isnan(column[j]):
            total += size * plain_diff(column[r], column[j], nominal, span)
    return total


def grow(X, y, nominal, k, classes, fewest=1, depth=None):
    """Nested tuples (feature, value, first, second); a leaf is the list of its rows' targets."""
    if len(set(y)) == 1 or depth == 0 or len(y) < 2 * fewest:
        return list(y)
    weights = weights_of(X, y, k, nominal, classes)
    pairs = near_pairs(X, y, k, nominal, classes)
    for j in sorted(range(X.shape[1]), key=lambda j: (-round(weights[j], 10), j)):
        if weights[j] <= 1e-12:
            return list(y)
        here = ~np.isnan(X[:, j])
        values = sorted(set(X[here, j]))
        tests = values if nominal[j] else [(a + b) / 2 for a, b in zip(values, values[1:])]
        best = None
        for value in tests:
            side = X[:, j] == value if nominal[j] else X[:, j] <= value
            gain = weight_of(np.where(here, side, np.nan).tolist(), pairs, True)
            # Rows without a value go with the larger part.
            side = side | (~here & (side[here].sum() >= (~side[here]).sum()))
            if min(side.sum(), (~side).sum()) < fewest:
                continue
            if gain > 1e-12 and (best is None or gain > best[0] + 1e-10):
                best = gain, value, side
        if best is not None:
            _, value, side = best
            more = {"classes": classes, "fewest": fewest, "depth": None if depth is None else depth - 1}
            first, second = (grow(X[s], y[s], nominal, k, **more) for s in (side, ~side))
            return j, value, first, second
    return list(y)


def literal_weights(truth, positive, n, asked=None, ties="first", plain=False):
    """Algorithm 9.4.1; with ``plain`` Diff takes the place of Diff_A, and rows of both kinds ask."""
    from oracles.relief import weighted_neighbours

    truth = [[bool(v) for v in row] for row in truth]
    rows = range(len(truth))
    asked = [r for r in rows if positive[r] or plain] if asked is None else asked
    weights = np.zeros(len(truth[0]))
    for r in asked:
        far = [sum(a != b for a, b in zip(truth[r], truth[s])) for s in rows]
        hits = [s for s in rows if s != r and positive[s] == positive[r]]
        misses = [s for s in rows if positive[s] != positive[r]]
        for literal in range(len(weights)):
            for s, size in weighted_neighbours(far, hits, n, None, ties):
                weights[literal] -= size * (truth[r][literal] != truth[s][literal]) / len(asked)
            for s, size in weighted_neighbours(far, misses, n, None, ties):
                gain = truth[r][literal] and not truth[s][literal]
                if plain:
                    gain = truth[r][literal] != truth[s][literal]
                weights[literal] += size * gain / len(asked)
    return weights


def all_constructs(parts, operator, sizes):
    """Every set of parts of distinct features with its column; parts are (feature, column)."""
    join = {"and": np.min, "or": np.max, "sum": np.sum, "product": np.prod}[operator]
    for size in sizes:
        for chosen in itertools.combinations(parts, size):
            if len({feature for feature, _ in chosen}) == size:
                yield tuple(f for f, _ in chosen), join(np.stack([column for _, column in chosen]), axis=0)

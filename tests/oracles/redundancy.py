"""FCBF, RBF, CFS and consistency by plain loops over pairs of columns."""

from __future__ import annotations

from collections import Counter, defaultdict

import numpy as np

from oracles.information import conditional, entropy, joined, mutual

# Values that differ only by round-off are equal.
TIE = 1e-10


def uncertainty(a, b):
    """SU(a, b) = 2 I(a; b) / (H(a) + H(b)), 0 if both are constant."""
    both = entropy(a) + entropy(b)
    return 2 * mutual(a, b) / both if both > TIE else 0.0


def relevances(X, y):
    return np.array([uncertainty(X[:, j], y) for j in range(X.shape[1])])


def by_relevance(scores):
    return sorted(range(len(scores)), key=lambda j: (-round(scores[j], 10), j))


def _walk(order, safe, gone):
    """Keep the first of what is left, let it take away later ones; return the kept and who took away whom."""
    left, kept, taken, pairs = list(order), [], {}, 0
    while left:
        best, later = left[0], left[1:]
        kept.append(best)
        left = []
        for j in later:
            if j in safe:
                left.append(j)
                continue
            pairs += 1
            is_gone, amount = gone(best, j)
            if is_gone:
                taken[j] = (best, amount)
            else:
                left.append(j)
    return kept, taken, pairs


def fcbf(X, y, delta=0.0):
    scores = relevances(X, y)

    def gone(p, q):
        shared = uncertainty(X[:, p], X[:, q])
        return shared >= scores[q] - TIE, shared

    # What tells nothing about the class is irrelevant whatever delta is.
    return _walk([j for j in by_relevance(scores) if scores[j] >= delta - TIE and scores[j] > TIE], (), gone)


def combined(X, y, i, j):
    """CSU(i, j): the uncertainty of the pair of columns and the class."""
    return uncertainty(joined(X[:, i], X[:, j]), y)


def rbf(X, y, seeds=()):
    scores = relevances(X, y)

    def gone(i, j):
        pair = combined(X, y, i, j)
        return scores[i] >= pair - TIE, pair

    order = [*seeds, *(j for j in by_relevance(scores) if j not in seeds and j in varying(X))]
    return _walk(order, seeds, gone)


def gone_by_conditional_information(X, y, i, j):
    """ISU_i >= CSU_ij in its other form: I(F_j; C | F_i) <= ISU_i H(F_j | F_i) / 2 (catalogue, ch. 17)."""
    left = entropy(joined(X[:, i], X[:, j])) - entropy(X[:, i])
    return conditional(X[:, j], y, X[:, i]) <= 0.5 * uncertainty(X[:, i], y) * left + TIE


def merit(X, y, subset):
    k = len(subset)
    if not k:
        return 0.0
    with_class = np.mean([uncertainty(X[:, j], y) for j in subset])
    pairs = [uncertainty(X[:, i], X[:, j]) for a, i in enumerate(subset) for j in subset[:a]]
    return k * with_class / np.sqrt(k + k * (k - 1) * (np.mean(pairs) if pairs else 0.0))


def inconsistency(X, y, subset, weight=None):
    groups = defaultdict(Counter)
    for i in range(len(y)):
        groups[tuple(X[i, list(subset)])][y[i]] += 1 if weight is None else weight[i]
    wrong = sum(sum(g.values()) - max(g.values()) for g in groups.values())
    return wrong / (len(y) if weight is None else sum(weight))


def varying(X):
    return [j for j in range(X.shape[1]) if len(set(X[:, j].tolist())) > 1]


def greedy(value, candidates, enough):
    """Add the feature with the best value of the subset until enough(values) is true; of equal ones the lowest."""
    chosen, values = [], []
    while len(chosen) < len(candidates) and not enough(values):
        rest = [j for j in candidates if j not in chosen]
        scores = np.array([value([*chosen, j]) for j in rest])
        best = int(np.flatnonzero(scores >= scores.max() - TIE)[0])
        chosen.append(rest[best])
        values.append(float(scores[best]))
    return chosen, values


def cfs(X, y, k=None):
    """Choose k features, or as long as the merit rises, which is 0 of none; a constant is never chosen."""
    if k is not None:
        return greedy(lambda s: merit(X, y, s), varying(X), lambda values: len(values) >= k)

    def over(values):
        return bool(values) and values[-1] <= (values[-2] if len(values) > 1 else 0.0) + TIE

    chosen, values = greedy(lambda s: merit(X, y, s), varying(X), over)
    return (chosen[:-1], values[:-1]) if over(values) else (chosen, values)


def consistency(X, y, max_rate=0.0):
    lowest = inconsistency(X, y, range(X.shape[1]))
    if lowest >= inconsistency(X, y, ()) - TIE:
        return [], []
    enough = max(lowest, max_rate) + TIE
    return greedy(lambda s: 1 - inconsistency(X, y, s), varying(X), lambda v: bool(v) and 1 - v[-1] <= enough)


def tables(seed):
    """Random codes of 2 to 5 levels with relevant, repeated, noisy and constant columns."""
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(20, 120)), 14
    levels = rng.integers(2, 6, d)
    y = rng.integers(0, int(rng.integers(2, 5)), n)
    X = np.column_stack([rng.integers(0, L, n) for L in levels])
    X[:, 3] = (y + (rng.random(n) < 0.3)) % levels[3]
    X[:, 7] = (X[:, 3] + (rng.random(n) < 0.2)) % levels[7]
    X[:, 9] = (y + (rng.random(n) < 0.5)) % levels[9]
    X[:, 10] = X[:, 9]
    X[:, 11] = levels[3] - X[:, 3]
    X[:, 12] = 1
    return X, y


def wide(seed=9):
    """More columns than rows, with copies and a constant."""
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 3, (15, 40)), rng.integers(0, 2, 15)
    X[:, 4] = 1
    X[:, 11] = X[:, 12] = X[:, 2]
    X[:, 13] = X[:, 5]
    return X, y


def many_levels(seed=3):
    """Columns of 2 to 300 levels side by side."""
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.integers(0, L, 400) for L in (2, 300, 5, 80, 2, 17, 300, 3)])
    y = (X[:, 2] + X[:, 5] > 10).astype(int)
    X[:, 6] = X[:, 1]
    return X, y


DATA = {f"random {seed}": tables(seed) for seed in range(8)} | {"wide": wide(), "many levels": many_levels()}

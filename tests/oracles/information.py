"""Greedy information filters by plain loops over scikit-learn's mutual_info_score."""

from __future__ import annotations

import numpy as np
from scipy.stats import chi2
from sklearn.metrics import mutual_info_score


def joined(*columns):
    """One column that takes a value per combination."""
    return np.unique(np.column_stack(columns), axis=0, return_inverse=True)[1].ravel()


def mutual(a, b):
    return max(mutual_info_score(a, b), 0.0)


def entropy(a):
    p = np.unique(a, return_counts=True)[1] / len(a)
    return float(-(p * np.log(p)).sum())


def conditional(f, y, s):
    """I(f; y | s) = I(f, s; y) - I(s; y)."""
    return max(mutual(joined(f, s), y) - mutual(s, y), 0.0)


def shared_within(f, s, y):
    """I(f; s | y) = I(f, y; s) - I(y; s)."""
    return max(mutual(joined(f, y), s) - mutual(y, s), 0.0)


def gini(f, y):
    total = 0.0
    for a in np.unique(f):
        inside = y[f == a]
        p = np.unique(inside, return_counts=True)[1] / len(inside)
        total += len(inside) / len(y) * (p**2).sum()
    p = np.unique(y, return_counts=True)[1] / len(y)
    return float(total - (p**2).sum())


def _symmetrical(f, s, y):
    h = entropy(joined(f, s, y))
    return mutual(joined(f, s), y) / h if h > 0 else 0.0


def _pairs_mean(f, S, y, X):
    if len(S) == 1:
        return mutual(joined(f, X[:, S[0]]), y)
    values = [mutual(joined(f, X[:, s], X[:, t]), y) for i, s in enumerate(S) for t in S[:i]]
    return float(np.mean(values))


SCORES = {
    "MIM": lambda f, S, y, X: mutual(f, y),
    "MIFS": lambda f, S, y, X: mutual(f, y) - sum(mutual(f, X[:, s]) for s in S),
    "MRMR": lambda f, S, y, X: mutual(f, y) - np.mean([mutual(f, X[:, s]) for s in S]),
    "CIFE": lambda f, S, y, X: mutual(f, y) - sum(mutual(f, X[:, s]) - shared_within(f, X[:, s], y) for s in S),
    "ICAP": lambda f, S, y, X: (
        mutual(f, y) - sum(max(mutual(f, X[:, s]) - shared_within(f, X[:, s], y), 0.0) for s in S)
    ),
    "JMI": lambda f, S, y, X: np.mean([mutual(joined(f, X[:, s]), y) for s in S]),
    "JMI3": _pairs_mean,
    "CMIM": lambda f, S, y, X: min(mutual(f, y), min(conditional(f, y, X[:, s]) for s in S)),
    "CMIGreedy": lambda f, S, y, X: conditional(f, y, joined(*(X[:, s] for s in S))),
    "DISR": lambda f, S, y, X: np.mean([_symmetrical(f, X[:, s], y) for s in S]),
    "JMIM": lambda f, S, y, X: min(mutual(joined(f, X[:, s]), y) for s in S),
    "NJMIM": lambda f, S, y, X: min(_symmetrical(f, X[:, s], y) for s in S),
    "JIM": lambda f, S, y, X: np.mean([gini(joined(f, X[:, s]), y) for s in S]),
}


def greedy(name, X, y, k, tie=1e-10):
    """Choose k features; return them, the value each joined with, and the scores of all candidates at every step."""
    chosen, values, steps = [], [], []
    for _ in range(k):
        scores = np.full(X.shape[1], -np.inf)
        for j in range(X.shape[1]):
            if j in chosen:
                continue
            f = X[:, j]
            if not chosen:
                scores[j] = gini(f, y) if name == "JIM" else mutual(f, y)
            else:
                scores[j] = SCORES[name](f, chosen, y, X)
        # Scores that differ only by round-off are equal: the lower number wins.
        best = int(np.flatnonzero(scores >= scores.max() - tie)[0])
        chosen.append(best)
        values.append(scores[best])
        steps.append(scores)
    return chosen, values, steps


def reasons(codes, y, kept):
    """Return for every dropped feature its kind, and then relevance and what it needs, or the kept one and the shared.

    Irrelevant: 2 N I(f; y) is below the 5 % point of chi-squared. Redundant to the kept s with the largest I(f; s)
    that is beyond the 1 % point, shared among the kept ones, if it is at least I(f; y), both less what chance gives.
    """
    n, found = len(y), {}
    free = [len(set(x)) - 1 for x in codes.T]
    for j in sorted(set(range(codes.shape[1])) - set(kept)):
        about_y, dof = mutual(codes[:, j], y), free[j] * (len(set(y)) - 1)
        needed = chi2.isf(0.05, max(dof, 1)) / (2 * n)
        if about_y < needed:
            found[j] = ("irrelevant", about_y, needed)
            continue
        shares = {s: mutual(codes[:, j], codes[:, s]) for s in kept}
        sure = [s for s in kept if shares[s] > chi2.isf(0.01 / len(kept), free[j] * free[s]) / (2 * n)]
        best = max(sure, key=shares.get, default=None)
        covered = best is not None and shares[best] - free[j] * free[best] / (2 * n) >= about_y - dof / (2 * n)
        found[j] = ("redundant", best, shares[best]) if covered else ("not reached", None, None)
    return found

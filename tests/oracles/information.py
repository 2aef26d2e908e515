"""Greedy information filters by plain loops over scikit-learn's mutual_info_score."""

from __future__ import annotations

import numpy as np
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

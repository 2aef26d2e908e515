"""Slow truths about classifiers of counts and about searches over settings: plain loops."""

from __future__ import annotations

from collections import Counter
from math import lgamma, log, sqrt

import numpy as np


def poisson_scores(X, y, row, alpha, beta):
    """ln P(k) + ln of the Poisson probabilities of a row, for every class, factorials included."""
    classes, out = sorted(set(y)), []
    for k in classes:
        rows = [X[i] for i in range(len(y)) if y[i] == k]
        total = log(len(rows) / len(y))
        for j, x in enumerate(row):
            mean = (sum(r[j] for r in rows) + alpha) / (len(rows) + 1 / beta)
            total += x * log(mean) - mean - lgamma(x + 1)
        out.append(total)
    return out


def rocchio_cosines(X, y, row, beta, gamma):
    """Prototypes of all classes, and the cosine of a row with each; None for a row of zeros."""
    classes = sorted(set(y))

    def unit(v):
        length = sqrt(sum(x * x for x in v))
        return [x / length if length else 0.0 for x in v]

    prototypes = []
    for k in classes:
        inside = [unit(X[i]) for i in range(len(y)) if y[i] == k]
        outside = [unit(X[i]) for i in range(len(y)) if y[i] != k]
        made = []
        for j in range(len(row)):
            away = sum(d[j] for d in outside) / len(outside) if outside else 0.0
            made.append(beta * sum(d[j] for d in inside) / len(inside) - gamma * away)
        prototypes.append(made)
    if not any(row):
        return prototypes, None
    here = unit(row)
    return prototypes, [sum(a * b for a, b in zip(here, unit(p))) for p in prototypes]


def majority(y):
    """The most frequent class, of equal ones the first."""
    counts = Counter(y)
    return min(counts, key=lambda k: (-counts[k], k))


def tfidf(X):
    """tf ln((M + 1) / (df + 1)) by loops."""
    n, out = len(X), []
    df = [sum(1 for row in X if row[j] > 0) for j in range(len(X[0]))]
    for row in X:
        out.append([tf * log((n + 1) / (df[j] + 1)) for j, tf in enumerate(row)])
    return np.array(out)


def exhaustive(X, y, splits, settings, rank, fit_predict):
    """Errors of every setting over all folds, each fold ranked from its own training rows alone; and the winner."""
    errors = []
    for score, size, params in settings:
        total = 0
        for train, test in splits:
            order = rank(X[train], y[train], score)
            chosen = sorted(order if size == "all" else order[:size])
            said = fit_predict(X[train][:, chosen], y[train], X[test][:, chosen], params)
            total += sum(int(a != b) for a, b in zip(said, y[test]))
        errors.append(total)
    return errors, errors.index(min(errors))

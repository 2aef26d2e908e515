"""Importances as plain loops: permuted copies one after another, strata by hand, eliminations by sorting."""

from __future__ import annotations

import math

import numpy as np
from scipy.stats import t as student
from sklearn.base import clone


def permuted_falls(score, X, units, orders):
    """Return the score of X less that of a copy in which the columns of a unit come from other rows."""
    whole = score(X)
    out = np.empty((len(units), len(orders)))
    for u, unit in enumerate(units):
        for r, order in enumerate(orders):
            copy = [list(row) for row in X]
            for i in range(len(X)):
                for j in unit:
                    copy[i][j] = X[order[i]][j]
            out[u, r] = whole - score(np.array(copy))
    return out


def orders_of_scikit_learn(n_rows, n_repeats, random_state):
    """Return the permutations that `permutation_importance` draws: each one is applied to the one before."""
    seed = np.random.RandomState(random_state).randint(np.iinfo(np.int32).max + 1)
    rng, drawn, now, out = np.random.RandomState(seed), np.arange(n_rows), np.arange(n_rows), []
    for _ in range(n_repeats):
        rng.shuffle(drawn)
        now = now[drawn]
        out.append(now.copy())
    return np.array(out)


def corrected_pvalue(values, n_train, n_test):
    """Return the one-sided p-value of the corrected resampled t-test (Nadeau and Bengio 2003, section 5)."""
    J = len(values)
    mean = sum(values) / J
    variance = sum((v - mean) ** 2 for v in values) / (J - 1)
    if variance == 0:
        return 0.5**J if mean > 0 else 1.0
    return float(student.sf(mean / math.sqrt((1 / J + n_test / n_train) * variance), J - 1))


def dropped_falls(estimator, score, X, y, splits, units):
    """Return by how much the score of each fold falls when a model is fitted without the columns of a unit."""
    out = []
    for train, test in splits:
        whole = score(clone(estimator).fit(X[train], y[train]), X[test], y[test])
        row = []
        for unit in units:
            left = [j for j in range(X.shape[1]) if j not in unit]
            model = clone(estimator).fit(X[np.ix_(train, left)], y[train])
            row.append(whole - score(model, X[np.ix_(test, left)], y[test]))
        out.append(row)
    return np.array(out)


def eliminated(importances_of, n_features, n_kept, block):
    """Return what is left and the blocks that left, by sorting importances that are made again after each block."""
    left, blocks = list(range(n_features)), []
    while len(left) > n_kept:
        found = importances_of(left)
        ranked = sorted(zip(found, left), key=lambda pair: (pair[0], -pair[1]))
        gone = [j for _, j in ranked[: min(block, len(left) - n_kept)]]
        blocks.append(gone)
        left = [j for j in left if j not in gone]
    return left, blocks

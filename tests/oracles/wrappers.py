"""Searches along rankings by plain loops over scikit-learn."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from scipy.stats import ttest_rel
from sklearn.base import clone
from sklearn.model_selection import cross_val_score


def score(estimator, X, y, subset, cv) -> float:
    return float(cross_val_score(estimator, X[:, sorted(subset)], y, cv=cv).mean())


def best_subset(estimator, X, y, cv, sizes) -> tuple[float, tuple[int, ...]]:
    """Score every subset; of equal ones the smallest, then the lowest numbers."""
    best = (-np.inf, ())
    for k in sizes:
        for subset in combinations(range(X.shape[1]), k):
            value = score(estimator, X, y, subset, cv)
            if value > best[0]:
                best = (value, subset)
    return best


def nested_curve(make_ranker, estimator, X, y, splits, sizes, nested=True) -> np.ndarray:
    """Score by fold and size; the ranking is made of the training rows."""
    scores = np.empty((len(splits), len(sizes)))
    whole = make_ranker(sizes[-1]).fit(X, y).selection_.order
    for f, (train, test) in enumerate(splits):
        order = make_ranker(sizes[-1]).fit(X[train], y[train]).selection_.order if nested else whole
        for s, k in enumerate(sizes):
            columns = np.sort(order[:k])
            model = clone(estimator).fit(X[train][:, columns], y[train])
            scores[f, s] = model.score(X[test][:, columns], y[test])
    return scores


def birs(estimator, X, y, cv, alpha) -> list[int]:
    """Figure 8.1 of the book with Student's paired t-test over the folds."""
    alone = [score(estimator, X, y, [j], cv) for j in range(X.shape[1])]
    order = np.argsort(-np.array(alone), kind="stable")
    kept = [int(order[0])]
    folds = cross_val_score(estimator, X[:, kept], y, cv=cv)
    for j in order[1:]:
        new = cross_val_score(estimator, X[:, sorted([*kept, int(j)])], y, cv=cv)
        if new.mean() > folds.mean():
            difference = new - folds
            same = np.ptp(difference) < 1e-12
            if same or ttest_rel(new, folds).pvalue < alpha:
                kept, folds = [*kept, int(j)], new
    return kept

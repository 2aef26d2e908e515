"""A rank-entropy tree by recursion, with rank mutual information from its definition."""

from __future__ import annotations

import numpy as np

from oracles.ordinal_margins import rank_information


def median(classes, upper):
    """The median of a sorted list; of two middle ones the upper or the lower."""
    ordered = sorted(classes)
    return ordered[len(ordered) // 2] if upper else ordered[(len(ordered) - 1) // 2]


def best_cut(X, y, least, side):
    """The cut of the largest information: (information, feature, cut); lower features and cuts first."""
    best = None
    for f in range(X.shape[1]):
        values = sorted(set(X[:, f].tolist()))
        for a, b in zip(values, values[1:]):
            above = X[:, f] > a
            if min(above.sum(), (~above).sum()) < least:
                continue
            information = rank_information(above.astype(int), y, side)
            if best is None or information > best[0] + 1e-12:
                best = (information, f, (a + b) / 2)
    return best


def grow(X, y, least=1, smallest=0.01, max_depth=None, side="ascending", upper=False, depth=0):
    """A leaf is a class, a node (feature, cut, lower part, higher part)."""
    leaf = median(y.tolist(), upper)
    if len(set(y.tolist())) == 1 or depth == max_depth:
        return leaf
    found = best_cut(X, y, least, side)
    if found is None or found[0] < max(smallest, 1e-12):
        return leaf
    _, f, cut = found
    above = X[:, f] > cut
    rest = (least, smallest, max_depth, side)
    low = grow(X[~above], y[~above], *rest, False, depth + 1)
    return f, cut, low, grow(X[above], y[above], *rest, True, depth + 1)


def predict(tree, x):
    """The class of one row."""
    while isinstance(tree, tuple):
        f, cut, low, high = tree
        tree = high if x[f] > cut else low
    return tree


def predictions(tree, X):
    return np.array([predict(tree, x) for x in X])

"""Slow, obvious versions of the summaries: plain loops over rows."""

from __future__ import annotations

import numpy as np


def counts(codes, other, n_levels, n_other, weight=None):
    """Stacked tables of every column of codes (n, d) against other."""
    tables = []
    for j in range(codes.shape[1]):
        table = np.zeros((n_levels[j], n_other), int if weight is None else float)
        for i in range(codes.shape[0]):
            table[int(codes[i, j]), int(other[i])] += 1 if weight is None else weight[i]
        tables.append(table)
    return np.vstack(tables)


def joint(codes, subset, y, n_classes):
    """Sorted distinct combinations and their counts per class."""
    found = {}
    for i in range(codes.shape[0]):
        key = tuple(int(codes[i, j]) for j in subset)
        found.setdefault(key, [0] * n_classes)[int(y[i])] += 1
    keys = sorted(found)
    return np.array(keys), np.array([found[k] for k in keys])


def moments(X, y, n_classes, weight=None):
    """Weight, mean and sum of squared deviations per feature and class."""
    w = np.ones(len(y)) if weight is None else np.asarray(weight, float)
    d = X.shape[1]
    total, mean, m2 = np.zeros(n_classes), np.zeros((d, n_classes)), np.zeros((d, n_classes))
    for c in range(n_classes):
        rows = np.flatnonzero(np.asarray(y) == c)
        total[c] = w[rows].sum()
        if total[c] > 0:
            for j in range(d):
                mean[j, c] = (w[rows] * X[rows, j]).sum() / total[c]
                m2[j, c] = (w[rows] * (X[rows, j] - mean[j, c]) ** 2).sum()
    return total, mean, m2


def products(X, weight=None):
    """Weight, means and centred cross products."""
    w = np.ones(len(X)) if weight is None else np.asarray(weight, float)
    mean = (w[:, None] * X).sum(axis=0) / w.sum()
    d = X.shape[1]
    c = np.zeros((d, d))
    for i in range(d):
        for j in range(d):
            c[i, j] = (w * (X[:, i] - mean[i]) * (X[:, j] - mean[j])).sum()
    return w.sum(), mean, c


def level_moments(codes, y, n_levels, weight=None):
    """Weight, mean and squared deviations of y at every level."""
    w = np.ones(len(y)) if weight is None else np.asarray(weight, float)
    out = []
    for j in range(codes.shape[1]):
        for a in range(n_levels[j]):
            rows = codes[:, j] == a
            total = w[rows].sum()
            mean = (w[rows] * y[rows]).sum() / total if total > 0 else 0.0
            out.append((total, mean, (w[rows] * (y[rows] - mean) ** 2).sum()))
    return np.array(out).T

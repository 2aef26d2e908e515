"""Rankers by orthogonalisation, with a whole least squares problem for every number."""

from __future__ import annotations

from itertools import combinations_with_replacement

import numpy as np


def residual(x, basis):
    """What a least squares fit with a constant leaves of x."""
    design = np.column_stack([np.ones(len(x)), *basis])
    return x - design @ np.linalg.lstsq(design, x, rcond=None)[0]


def squared_correlation(a, b):
    a, b = a - a.mean(), b - b.mean()
    size = (a @ a) * (b @ b)
    return 0.0 if size == 0 else (a @ b) ** 2 / size


def spe_scores(X, targets, degree):
    """Eq. 10: the largest squared correlation of a power with any of the targets."""
    return np.array([max(squared_correlation(x**p, t) for p in range(1, degree + 1) for t in targets) for x in X.T])


def spe_walk(X, order, xi):
    """Algorithm 1 and eq. 14: the features in the basis; for each redundant one its basis and what is left."""
    lengths = {j: np.linalg.norm(residual(X[:, j], [])) for j in order}
    waiting, basis, redundant = list(order), [], {}
    while waiting and len(basis) < xi * len(X):
        basis.append(waiting.pop(0))
        chosen = [X[:, j] for j in basis]
        ratio = {j: np.linalg.norm(residual(X[:, j], chosen)) / lengths[j] for j in waiting}
        delta = 0.5 * (1 + sum(ratio.values())) / (1 + len(ratio))
        for j in [j for j in waiting if ratio[j] < delta]:
            redundant[j] = (tuple(basis), ratio[j] ** 2)
            waiting.remove(j)
    return basis, redundant


def r_squared(X, y, subset):
    left = residual(y, [X[:, j] for j in subset])
    return 1.0 - (left @ left) / ((y - y.mean()) @ (y - y.mean()))


def forward_regression(X, y, n_steps):
    """At each step the feature that raises R^2 most; the order and the gains."""
    chosen, gains = [], []
    for _ in range(n_steps):
        now = r_squared(X, y, chosen)
        gain = [-1.0 if j in chosen else r_squared(X, y, [*chosen, j]) - now for j in range(X.shape[1])]
        chosen.append(int(np.argmax(gain)))
        gains.append(max(gain))
    return chosen, gains


def products(n_features, degree, full):
    """Eq. 9, or all products of features up to a degree, of lower degree first: the features of each column."""
    if full:
        sizes = range(1, degree + 1)
        return [c for size in sizes for c in combinations_with_replacement(range(n_features), size)]
    return [(j,) * power for power in range(1, degree + 1) for j in range(n_features)]


def expanded_regression(X, y, degree, full):
    """Forward regression on the columns made of features; each feature with the column and gain of its joining."""
    factors = products(X.shape[1], degree, full)
    columns = np.column_stack([X[:, list(c)].prod(axis=1) for c in factors])
    order, gains = forward_regression(columns, y, min(len(factors), len(y) - 1))
    joined = {}
    for column, gain in zip(order, gains):
        for j in sorted(set(factors[column])):
            if gain > 1e-9:
                joined.setdefault(j, (factors[column], gain))
    return joined, [gain for gain in gains if gain > 1e-9], order

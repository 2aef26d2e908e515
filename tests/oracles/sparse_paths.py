"""Elastic net, bridge regression and their paths, slow and obvious, on centred columns of length 1."""

from __future__ import annotations

import numpy as np
from scipy.optimize import minimize_scalar
from sklearn.linear_model import ElasticNet, Lasso


def unit_columns(X, y):
    """Centred columns of length 1 (constant ones 0) and the centred target."""
    X, y = np.asarray(X, float), np.asarray(y, float)
    centred = X - X.mean(axis=0)
    centred[:, np.ptp(X, axis=0) == 0] = 0.0
    lengths = np.sqrt((centred**2).sum(axis=0))
    return centred / np.where(lengths > 0, lengths, 1.0), y - y.mean()


def scikit_learn_elastic_net(X, y, l1, l2):
    """The naive elastic net of scikit-learn, by the mapping of the penalties."""
    n = len(X)
    if l2 == 0:
        model = Lasso(alpha=l1 / (2 * n), fit_intercept=False, tol=1e-14, max_iter=200_000)
    else:
        alpha, ratio = l1 / (2 * n) + l2 / n, l1 / (l1 + 2 * l2)
        model = ElasticNet(alpha=alpha, l1_ratio=ratio, fit_intercept=False, tol=1e-14, max_iter=200_000)
    return model.fit(X, y).coef_


def objective(X, y, beta, l1, l2):
    """What the naive elastic net minimises."""
    return np.sum((y - X @ beta) ** 2) + l2 * np.sum(beta**2) + l1 * np.abs(beta).sum()


def stationarity(X, y, beta, l1, l2):
    """By how much the conditions of the minimum of the naive elastic net are violated."""
    slope = 2 * X.T @ (y - X @ beta) - 2 * l2 * beta
    on = beta != 0
    return max(np.abs(slope[on] - l1 * np.sign(beta[on])).max(initial=0.0), (np.abs(slope[~on]) - l1).max(initial=0.0))


def augmented(X, y, l1, l2):
    """The lasso problem on longer data whose solution is that of the elastic net (Lemma 1)."""
    n = X.shape[1]
    longer = np.vstack([X, np.sqrt(l2) * np.eye(n)]) / np.sqrt(1 + l2)
    return longer, np.append(y, np.zeros(n)), l1 / np.sqrt(1 + l2)


def bridge_scalar(z, penalty, q):
    """The minimum of (b - z)² + penalty |b|^q on a fine grid, refined, compared with 0."""
    grid = np.linspace(0, abs(z), 2001)
    values = (grid - abs(z)) ** 2 + penalty * grid**q
    best = int(np.argmin(values))
    low, high = grid[max(best - 1, 0)], grid[min(best + 1, len(grid) - 1)]
    found = minimize_scalar(
        lambda b: (b - abs(z)) ** 2 + penalty * b**q,
        bounds=(low, high),
        method="bounded",
        options={"xatol": 1e-12},
    )
    return float(np.sign(z) * (found.x if found.fun < z**2 else 0.0))


def bridge_objective(X, y, beta, penalty, q):
    """What bridge regression minimises."""
    return np.sum((y - X @ beta) ** 2) + penalty * (np.abs(beta) ** q).sum()

"""Slow, obvious solutions of sparse support vector machines and sparse principal components."""

from __future__ import annotations

import numpy as np
from scipy.optimize import linprog, minimize


def hinge_value(X, y, beta, intercept, l1, l2):
    """(20.16): sum of hinges + l2 |beta|^2 + l1 |beta|_1, row by row."""
    total = 0.0
    for row, sign in zip(X, y):
        total += max(0.0, 1.0 - sign * (intercept + sum(a * b for a, b in zip(row, beta))))
    return total + l2 * sum(b * b for b in beta) + l1 * sum(abs(b) for b in beta)


def doubly_regularized(X, y, l1, l2):
    """The dual of (20.16) by sequential quadratic programming; returns its value and the coefficients it gives."""

    def thresholded(alpha):
        c = (alpha * y) @ X
        return np.sign(c) * np.maximum(np.abs(c) - l1, 0.0)

    def value(alpha):
        over = thresholded(alpha)
        return over @ over / (4 * l2) - alpha.sum()

    def slope(alpha):
        return y * (X @ thresholded(alpha)) / (2 * l2) - 1.0

    few = min((y > 0).sum(), (y < 0).sum())
    start = 0.5 * few / np.where(y > 0, (y > 0).sum(), (y < 0).sum())
    found = minimize(
        value,
        start,
        jac=slope,
        method="SLSQP",
        bounds=[(0, 1)] * len(y),
        constraints={"type": "eq", "fun": lambda a: a @ y, "jac": lambda a: y},
        options={"ftol": 1e-14, "maxiter": 2000},
    )
    return -found.fun, thresholded(found.x) / (2 * l2)


def one_norm_value(X, y, l1):
    """The value of the 1-norm machine by its dual program: the largest sum of prices of rows."""
    signed = (y[:, None] * X).T
    rows, bounds = np.vstack([signed, -signed]), np.full(2 * X.shape[1], l1)
    return -linprog(-np.ones(len(y)), rows, bounds, y[None], [0.0], [(0, 1)] * len(y)).fun


def huberized_value(X, y, beta, intercept, l1, l2, delta):
    """The objective of the huberized machine, row by row; l2 carries a half."""
    total = l1 * np.abs(beta).sum() + l2 / 2 * (beta**2).sum()
    for row, sign in zip(X, y):
        t = sign * (intercept + row @ beta)
        total += 0.0 if t > 1 else (1 - t) ** 2 / (2 * delta) if t > 1 - delta else 1 - t - delta / 2
    return total


def huberized(X, y, l1, l2, delta):
    """The huberized machine by L-BFGS-B on positive and negative parts; returns coefficients and intercept."""
    p = X.shape[1]

    def both(z):
        return z[:p] - z[p : 2 * p], z[-1]

    def value(z):
        beta, intercept = both(z)
        t = y * (intercept + X @ beta)
        loss = np.where(t > 1, 0.0, np.where(t > 1 - delta, (1 - t) ** 2 / (2 * delta), 1 - t - delta / 2))
        slope = y * np.where(t > 1, 0.0, np.where(t > 1 - delta, (t - 1) / delta, -1.0))
        down = slope @ X + l2 * beta
        total = loss.sum() + l1 * z[:-1].sum() + l2 / 2 * beta @ beta
        return total, np.concatenate([down + l1, -down + l1, [slope.sum()]])

    bounds = [(0, None)] * (2 * p) + [(None, None)]
    options = {"ftol": 1e-16, "gtol": 1e-10, "maxiter": 50_000, "maxfun": 100_000}
    return both(minimize(value, np.zeros(2 * p + 1), jac=True, method="L-BFGS-B", bounds=bounds, options=options).x)


def naive_elastic_net(X, response, l1, l2, sweeps=3000):
    """|response - X b|^2 + l2 |b|^2 + l1 |b|_1 by coordinate descent."""
    b = np.zeros(X.shape[1])
    for _ in range(sweeps):
        before = b.copy()
        for j in range(len(b)):
            z = X[:, j] @ (response - X @ b + X[:, j] * b[j])
            b[j] = np.sign(z) * max(abs(z) - l1 / 2, 0.0) / (X[:, j] @ X[:, j] + l2)
        if np.abs(b - before).max() < 1e-13:
            break
    return b


def sparse_components(X, n_components, l1, l2, tol=1e-10, max_iter=500):
    """Sparse principal components by turns, an elastic net of rows for every component."""
    X = X - X.mean(axis=0)
    A = np.linalg.svd(X, full_matrices=False)[2][:n_components].T
    before = np.zeros_like(A)
    for _ in range(max_iter):
        B = np.column_stack([naive_elastic_net(X, X @ A[:, k], l1, l2) for k in range(n_components)])
        unit = B / np.maximum(np.sqrt((B**2).sum(axis=0)), 1e-300)
        if np.abs(unit - before).max() < tol:
            break
        before = unit
        u, _, vt = np.linalg.svd(X.T @ X @ B, full_matrices=False)
        A = u @ vt
    return unit

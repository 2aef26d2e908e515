"""Margin methods by plain loops over rows, pairs and features."""

from __future__ import annotations

import math

import numpy as np


def unit(X):
    """Columns scaled to [0, 1]; constant ones are 0."""
    X = np.asarray(X, dtype=float)
    low, width = X.min(axis=0), np.ptp(X, axis=0)
    return (X - low) / np.where(width > 0, width, 1.0)


def positive_unit(nu):
    """(nu)+ / |(nu)+|, or the first largest one if nothing is positive."""
    plus = [max(v, 0.0) for v in nu]
    length = math.sqrt(sum(v * v for v in plus))
    if length > 0:
        return np.array(plus) / length
    return np.array([float(j == int(np.argmax(nu))) for j in range(len(nu))])


def log_sum(exponents):
    top = max(exponents)
    return top + math.log(sum(math.exp(e - top) for e in exponents))


def row_margin(X, y, n, w, sigma, average):
    """Return pi = gamma (m - h) of row n and gamma; None and NaN without a hit."""
    others = [i for i in range(len(y)) if i != n]
    hits, misses = [i for i in others if y[i] == y[n]], [i for i in others if y[i] != y[n]]
    if not hits:
        return None, math.nan
    exponent = {i: -sum(w[j] * abs(X[n, j] - X[i, j]) for j in range(X.shape[1])) / sigma for i in others}

    def expected_difference(rows):
        whole = log_sum([exponent[i] for i in rows])
        return sum(math.exp(exponent[i] - whole) * np.abs(X[n] - X[i]) for i in rows)

    gamma = math.exp(log_sum([exponent[i] for i in hits]) - log_sum(list(exponent.values())))
    if average:
        share = {c: np.mean(np.asarray(y) == c) for c in set(y)}
        m = sum(
            share[c] / (1 - share[y[n]]) * expected_difference([i for i in misses if y[i] == c])
            for c in set(y) - {y[n]}
        )
    else:
        m = expected_difference(misses)
    return gamma * (m - expected_difference(hits)), gamma


def expected_margins(X, y, w, sigma, average=False):
    """Return nu of eq. 12.4 and gamma of every row."""
    rows = [row_margin(X, y, n, w, sigma, average) for n in range(len(y))]
    return sum(pi for pi, _ in rows if pi is not None), np.array([gamma for _, gamma in rows])


def irelief(X, y, sigma, average=False, tol=1e-5, max_iter=100):
    """Return the weights and the number of iterations of the undamped map, on scaled columns."""
    w = np.full(X.shape[1], 1.0 / X.shape[1])
    for iteration in range(1, max_iter + 1):
        new = positive_unit(expected_margins(X, y, w, sigma, average)[0])
        step = np.linalg.norm(new - w)
        w = new
        if step < tol:
            return w, iteration
    return w, max_iter


def online(X, y, sigma, a, order, average=False):
    """Return nu and weights after learning from rows in a given order."""
    nu, w = np.zeros(X.shape[1]), np.full(X.shape[1], 1.0 / X.shape[1])
    t = 0
    for n in order:
        pi, _ = row_margin(X, y, n, w, sigma, average)
        if pi is None:
            continue
        t += 1
        nu = nu + min(1.0, 1.0 / (a * t)) * (pi - nu)
        if (nu > 0).any():
            w = positive_unit(nu)
    return nu, w


def nearest(X, y, n, w, same, power):
    """Return the first nearest other row of the same class or of the others, None if there is none."""
    rows = [i for i in range(len(y)) if i != n and (y[i] == y[n]) == same]
    distance = {i: sum((abs(w[j]) * abs(X[n, j] - X[i, j])) ** power for j in range(X.shape[1])) for i in rows}
    return min(rows, key=lambda i: (distance[i], i)) if rows else None


def relief_z(X, y):
    """Sum of the differences from the nearest miss less those from the nearest hit, all rows with both."""
    z, ones = np.zeros(X.shape[1]), np.ones(X.shape[1])
    for n in range(len(y)):
        hit, miss = nearest(X, y, n, ones, True, 1), nearest(X, y, n, ones, False, 1)
        if hit is not None and miss is not None:
            z += np.abs(X[n] - X[miss]) - np.abs(X[n] - X[hit])
    return z


def norm(z, w):
    return math.sqrt(sum((w[j] * z[j]) ** 2 for j in range(len(z))))


def simba_climb(X, y, order, w):
    """Return the weights after one step per row of an order."""
    w = np.array(w, dtype=float)
    for n in order:
        hit, miss = nearest(X, y, n, w, True, 2), nearest(X, y, n, w, False, 2)
        if hit is None or miss is None:
            continue
        step = np.zeros(len(w))
        for other, sign in ((miss, 1.0), (hit, -1.0)):
            z = X[n] - X[other]
            if norm(z, w) > 0:
                step += sign * 0.5 * z**2 / norm(z, w) * w
        w = w + step
    return w


def simba_margin(X, y, w):
    """Sum over rows of half the weighted distance from the nearest miss less that from the nearest hit."""
    total = 0.0
    for n in range(len(y)):
        hit, miss = nearest(X, y, n, w, True, 2), nearest(X, y, n, w, False, 2)
        if hit is not None and miss is not None:
            total += 0.5 * (norm(X[n] - X[miss], w) - norm(X[n] - X[hit], w))
    return total

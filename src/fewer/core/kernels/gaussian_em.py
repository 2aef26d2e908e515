"""Mixtures of Gaussians in several dimensions, by expectation and maximisation."""

from __future__ import annotations

import numpy as np

from fewer.core.kernels._jit import kernel

LOG_2_PI = 1.8378770664093453
# A component with less than this many rows keeps its place and its shape.
DEAD = 1e-10


@kernel
def _factor(covariance, diagonal, ridge, inverse):
    """Fill inverse with that of the lower factor of a covariance; return -ln|C| / 2 - sum_a ridge_a (C^-1)_aa / 2.

    What the ridge takes off is the mean of what Gaussian noise of that variance, added to a row, takes off its log
    density. With it the covariance that maximises the likelihood is that of the rows plus the ridge.
    """
    d = covariance.shape[0]
    inverse[:] = 0.0
    height, trace = 0.0, 0.0
    for a in range(d):
        first = a if diagonal else 0
        # Row a of the factor, kept in row a of the inverse until it is turned round.
        for b in range(first, a + 1):
            left = covariance[a, b]
            for c in range(first, b):
                left -= inverse[a, c] * inverse[b, c]
            if b < a:
                inverse[a, b] = left / inverse[b, b]
            else:
                inverse[a, a] = np.sqrt(max(left, ridge[a] * 1e-3))
        height -= np.log(inverse[a, a])
    for a in range(d):
        pivot = 1.0 / inverse[a, a]
        inverse[a, a] = pivot
        if diagonal:
            continue
        for b in range(a):
            total = 0.0
            for c in range(b, a):
                total += inverse[a, c] * inverse[c, b]
            inverse[a, b] = total
        for b in range(a):
            inverse[a, b] *= -pivot
    for a in range(d):
        for b in range(a + 1):
            trace += ridge[b] * inverse[a, b] * inverse[a, b]
    return height - 0.5 * trace


@kernel
def _expect(X, weights, means, inverses, heights, diagonal, memberships):
    """Fill memberships with the probabilities of the components; return the log-likelihood."""
    n, d = X.shape
    k = weights.shape[0]
    likelihood = 0.0
    for i in range(n):
        largest = -np.inf
        for j in range(k):
            distance = 0.0
            for a in range(d):
                z = 0.0
                for b in range(a if diagonal else 0, a + 1):
                    z += inverses[j, a, b] * (X[i, b] - means[j, b])
                distance += z * z
            value = heights[j] - 0.5 * distance + (np.log(weights[j]) if weights[j] > 0.0 else -np.inf)
            memberships[i, j] = value
            largest = max(largest, value)
        total = 0.0
        for j in range(k):
            memberships[i, j] = np.exp(memberships[i, j] - largest)
            total += memberships[i, j]
        for j in range(k):
            memberships[i, j] /= total
        likelihood += largest + np.log(total)
    return likelihood - 0.5 * LOG_2_PI * n * d


@kernel
def maximise(X, memberships, diagonal, ridge, weights, means, covariances):
    """Set weights, means and covariances to those of the softly divided rows, with the ridge on the diagonal."""
    n, d = X.shape
    for j in range(weights.shape[0]):
        weight = 0.0
        for i in range(n):
            weight += memberships[i, j]
        weights[j] = weight / n
        if weight < DEAD:
            continue
        means[j] = 0.0
        for i in range(n):
            for a in range(d):
                means[j, a] += memberships[i, j] * X[i, a]
        means[j] /= weight
        covariances[j] = 0.0
        for i in range(n):
            w = memberships[i, j] / weight
            if w == 0.0:
                continue
            for a in range(d):
                part = w * (X[i, a] - means[j, a])
                for b in range(a if diagonal else 0, a + 1):
                    covariances[j, a, b] += part * (X[i, b] - means[j, b])
        for a in range(d):
            covariances[j, a, a] += ridge[a]
            for b in range(a):
                covariances[j, b, a] = covariances[j, a, b]


@kernel
def expect(X, weights, means, covariances, diagonal, ridge, memberships):
    """Fill memberships; return the log-likelihood, with the ridge that of rows blurred by its noise."""
    k, d = means.shape
    inverses, heights = np.empty((k, d, d)), np.empty(k)
    for j in range(k):
        heights[j] = _factor(covariances[j], diagonal, ridge, inverses[j])
    return _expect(X, weights, means, inverses, heights, diagonal, memberships)


@kernel
def gaussian_em(X, diagonal, ridge, tol, max_iter, weights, means, covariances, memberships, history):
    """Climb from the given components until a row gains less than tol; return the number of iterations.

    history[i] is the log-likelihood, blurred by the ridge, after i iterations.
    """
    n = X.shape[0]
    history[0] = expect(X, weights, means, covariances, diagonal, ridge, memberships)
    for iteration in range(max_iter):
        maximise(X, memberships, diagonal, ridge, weights, means, covariances)
        history[iteration + 1] = expect(X, weights, means, covariances, diagonal, ridge, memberships)
        if history[iteration + 1] - history[iteration] < tol * n:
            return iteration + 1
    return max_iter

"""Projections and metrics of pairs by their definitions: full matrices, generic solvers."""

from __future__ import annotations

import numpy as np
import scipy.linalg
import scipy.optimize


def scatter(X, pairs):
    """Return the sum over pairs of the outer product of their difference with itself."""
    out = np.zeros((X.shape[1], X.shape[1]))
    for i, j in pairs:
        d = X[i] - X[j]
        out += np.outer(d, d)
    return out


def projection_matrix(X, must, cannot, beta=0.5):
    return (1 - beta) * scatter(X, cannot) - beta * scatter(X, must)


def chunklets(n_rows, must):
    """Return the sets of rows that must-links join, of at least two rows."""
    sets = [{i} for i in range(n_rows)]
    for i, j in must:
        a = next(s for s in sets if i in s)
        b = next(s for s in sets if j in s)
        if a is not b:
            sets.remove(b)
            a |= b
    return [sorted(s) for s in sets if len(s) > 1]


def within_covariance(X, must):
    groups = chunklets(len(X), must)
    out = np.zeros((X.shape[1], X.shape[1]))
    for group in groups:
        mean = X[group].mean(axis=0)
        for i in group:
            out += np.outer(X[i] - mean, X[i] - mean)
    return out / sum(map(len, groups))


def diagonal_metric(X, must, cannot, ridge):
    """Return the diagonal A that minimises the sum over must-links less the log of the sum over cannot-links."""
    near = np.array([(X[i] - X[j]) ** 2 for i, j in must])
    apart = np.array([(X[i] - X[j]) ** 2 for i, j in cannot if (X[i] != X[j]).any()])
    bound = near.sum(axis=0) + ridge * near.sum(axis=0).mean()

    def loss(b):
        a = b / bound
        lengths = np.sqrt(apart @ a)
        grad = bound - (apart / (2 * lengths[:, None])).sum(axis=0) / lengths.sum()
        return bound @ a - np.log(lengths.sum()), grad / bound

    d = X.shape[1]
    options = {"maxiter": 20000, "maxfun": 200000, "ftol": 1e-16, "gtol": 1e-12}
    found = scipy.optimize.minimize(
        loss, np.full(d, 0.5 / d), jac=True, method="L-BFGS-B", bounds=[(0, None)] * d, options=options
    )
    return found.x / bound, found.fun


def diagonal_gradient(X, cannot, bound, a):
    """Return how the loss of the diagonal form changes with the weights, in units of their bounds."""
    apart = np.array([(X[i] - X[j]) ** 2 for i, j in cannot if (X[i] != X[j]).any()])
    lengths = np.sqrt(apart @ a)
    return 1 - (apart / (2 * lengths[:, None])).sum(axis=0) / lengths.sum() / bound


def full_lengths(X, must, cannot, A, ridge):
    """Return the sum of lengths of cannot-links under A brought to the bound of the must-links."""
    M = scatter(X, must)
    M += ridge * np.trace(M) / len(M) * np.eye(len(M))
    A = A / np.trace(A @ M)
    return sum(np.sqrt(max((X[i] - X[j]) @ A @ (X[i] - X[j]), 0)) for i, j in cannot)


def full_metric(X, must, cannot, ridge, seed=0, starts=3):
    """Return the best sum of lengths over A = L L^T by a generic solver from several starts."""
    d, rng, best = X.shape[1], np.random.default_rng(seed), 0.0
    for _ in range(starts):
        start = np.eye(d).ravel() + 0.1 * rng.normal(size=d * d)

        def loss(v):
            L = v.reshape(d, d)
            return -full_lengths(X, must, cannot, L @ L.T, ridge)

        best = max(best, -scipy.optimize.minimize(loss, start, method="BFGS", options={"gtol": 1e-9}).fun)
    return best


def generalised_axes(total, within, k):
    """Return the k directions with most total spread against the spread within, by the generalised eigenproblem."""
    values, vectors = scipy.linalg.eig(total, within)
    order = np.argsort(-values.real)[:k]
    return values.real[order], vectors.real[:, order].T

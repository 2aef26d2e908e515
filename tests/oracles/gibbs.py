"""Posteriors of models with switches, by listing all models and integrating over their coefficients."""

from __future__ import annotations

from itertools import product

import numpy as np
from scipy.optimize import minimize
from scipy.special import log_expit, log_ndtr, logsumexp

# Prior variance of the intercept of a model of classes.
WIDE = 100.0


def standard(X):
    """Columns of mean 0 and variance 1; those with one value become 0."""
    spread = X.std(axis=0)
    return (X - X.mean(axis=0)) / np.where(spread > 0, spread, 1.0)


def bernoulli(chances):
    """Log prior of switches that are on with given probabilities (eq. 6.11)."""
    chances = np.asarray(chances, float)
    return lambda z: float(np.log(np.where(z, chances, 1 - chances)).sum())


def uniform_size(z):
    """Log prior of Voting Gibbs: the size uniform on 0..n, then any set of that size."""
    from math import comb

    return -np.log(len(z) + 1) - np.log(comb(len(z), int(z.sum())))


def switches(p):
    return np.array(list(product([False, True], repeat=p)))


def linear_evidence(X, y, slab):
    """Log marginal likelihood up to a constant: flat intercept, density 1/v of the noise variance v, slab v * slab."""
    n, y = len(y), y - y.mean()
    cover = np.eye(n) + slab * X @ X.T
    return -0.5 * np.linalg.slogdet(cover)[1] - 0.5 * (n - 1) * np.log(0.5 * y @ np.linalg.solve(cover, y))


def linear_inclusion(X, y, slab, prior):
    """Posterior probability of every switch, by all 2^p linear models."""
    X, models = standard(X), switches(X.shape[1])
    logs = np.array([linear_evidence(X[:, z], y, slab) + prior(z) for z in models])
    return np.minimum(np.exp(logs - logsumexp(logs)) @ models, 1.0)


def log_joint(coef, X, y, link, slab):
    """Log of likelihood times prior of the intercept and coefficients, several at once, (m, 1 + k)."""
    eta = coef[:, :1] + coef[:, 1:] @ X.T
    signed = np.where(y > 0, eta, -eta)
    likelihood = (log_expit if link == "logistic" else log_ndtr)(signed).sum(axis=1)
    variances = np.r_[WIDE, np.full(X.shape[1], slab)]
    return likelihood - 0.5 * (coef**2 / variances + np.log(2 * np.pi * variances)).sum(axis=1)


def nodes_of(X, y, link, slab, n_nodes):
    """Nodes and log weights that integrate over intercept and coefficients, placed about the mode."""
    k = X.shape[1] + 1

    def lost(c):
        return -log_joint(c[None], X, y, link, slab)[0]

    mode, step = minimize(lost, np.zeros(k), tol=1e-10).x, 1e-4
    eye = step * np.eye(k)
    bent = [
        [lost(mode + a + b) - lost(mode + a - b) - lost(mode - a + b) + lost(mode - a - b) for a in eye] for b in eye
    ]
    root = np.linalg.cholesky(np.linalg.inv(np.array(bent) / (4 * step**2)))
    place, weight = np.polynomial.hermite_e.hermegauss(n_nodes)
    grid = np.array(list(product(place, repeat=k)))
    logs = np.log(np.array(list(product(weight, repeat=k)))).sum(axis=1) + 0.5 * (grid**2).sum(axis=1)
    at = mode + grid @ root.T
    return at, logs + np.linalg.slogdet(root)[1] + log_joint(at, X, y, link, slab)


def class_posterior(X, y, link, slab, prior, new=None, n_nodes=9):
    """Posterior probability of every switch, and the averaged probability of class 1 of new rows (eq. 6.12)."""
    middle, spread = X.mean(axis=0), X.std(axis=0)
    X, models = standard(X), switches(X.shape[1])
    new = np.zeros((0, X.shape[1])) if new is None else (new - middle) / spread
    logs, said = [], []
    for z in models:
        at, weights = nodes_of(X[:, z], y, link, slab, n_nodes)
        logs.append(logsumexp(weights) + prior(z))
        eta = at[:, :1] + at[:, 1:] @ new[:, z].T
        chance = np.exp((log_expit if link == "logistic" else log_ndtr)(eta))
        said.append(np.exp(weights - logsumexp(weights)) @ chance)
    posterior = np.exp(np.array(logs) - logsumexp(logs))
    return posterior @ models, posterior @ np.array(said)


def plain_linear_gibbs(X, y, slab, chance, n_sweeps, seed):
    """The sampler as a plain loop over features in numpy; returns the fraction of sweeps with every switch on."""
    rng = np.random.default_rng(seed)
    X, y = standard(X), y - y.mean()
    n, p = X.shape
    beta, error, hits = np.zeros(p), y.copy(), np.zeros(p)
    variance, odds = y @ y / n, np.log(chance) - np.log1p(-chance)
    for _ in range(n_sweeps):
        for j in range(p):
            column = X[:, j]
            error = error + beta[j] * column
            r, precision = column @ error, column @ column + 1 / slab
            log_odds = odds - 0.5 * np.log(slab * precision) + 0.5 * r * r / (precision * variance)
            inside = rng.random() < 1 / (1 + np.exp(-min(log_odds, 700)))
            beta[j] = r / precision + rng.normal() * np.sqrt(variance / precision) if inside else 0.0
            error = error - beta[j] * column
        used = beta != 0
        hits += used
        variance = 0.5 * (error @ error + beta @ beta / slab) / rng.gamma(0.5 * (n - 1 + used.sum()))
    return hits / n_sweeps

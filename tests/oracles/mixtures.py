"""Mixtures and what follows from them, step by step, one row and one feature at a time."""

from __future__ import annotations

from itertools import product
from math import exp, lgamma, log, pi

import numpy as np
from scipy.stats import multivariate_normal


def gaussian_steps(X, weights, means, covariances, diagonal, ridge, n_steps):
    """Return the parameters and the blurred log-likelihoods of some iterations."""
    n, d = X.shape
    history = []
    for step in range(n_steps + 1):
        parts, total = np.empty((n, len(weights))), 0.0
        for i in range(n):
            values = []
            for weight, mean, covariance in zip(weights, means, covariances):
                lost = 0.5 * np.sum(ridge * np.diag(np.linalg.inv(covariance)))
                density = multivariate_normal(mean, covariance, allow_singular=False).logpdf(X[i]) - lost
                values.append(log(weight) + density)
            largest = max(values)
            whole = sum(exp(v - largest) for v in values)
            parts[i] = [exp(v - largest) / whole for v in values]
            total += largest + log(whole)
        history.append(total)
        if step == n_steps:
            return weights, means, covariances, parts, history
        sizes = parts.sum(axis=0)
        weights = sizes / n
        means = [sum(parts[i, j] * X[i] for i in range(n)) / sizes[j] for j in range(len(sizes))]
        covariances = []
        for j, mean in enumerate(means):
            spread = sum(parts[i, j] * np.outer(X[i] - mean, X[i] - mean) for i in range(n)) / sizes[j]
            covariances.append((np.diag(np.diag(spread)) if diagonal else spread) + ridge * np.eye(d))
    raise AssertionError


def separability(X, parts, weights=None, ridge=0.0):
    """Return trace(S_w^-1 S_b) by its definition; rows may count more or less than once."""
    parts = parts if weights is None else parts * weights[:, None]
    sizes = parts.sum(axis=0)
    share = sizes / len(X)
    means = [parts[:, j] @ X / sizes[j] for j in range(len(sizes))]
    centre = sum(p * m for p, m in zip(share, means))
    within = sum(share[j] * ((X - m).T * parts[:, j]) @ (X - m) / sizes[j] for j, m in enumerate(means))
    between = sum(p * np.outer(m - centre, m - centre) for p, m in zip(share, means))
    return float(np.trace(np.linalg.inv(within + np.diag(np.broadcast_to(ridge, X.shape[1]))) @ between))


def normal(x, mean, variance):
    return exp(-0.5 * (x - mean) ** 2 / variance) / (2 * pi * variance) ** 0.5


def saliency_step(X, model, mml, floor):
    """Return the log-likelihood of a mixture with saliencies, and the next one as a dictionary."""
    n, d = X.shape
    k = len(model.weights)
    w, u, likelihood = np.empty((n, k)), np.empty((n, k, d)), 0.0
    for i in range(n):
        for j in range(k):
            w[i, j] = model.weights[j]
            for f in range(d):
                a = model.saliency[f] * normal(X[i, f], model.means[j, f], model.variances[j, f])
                b = (1 - model.saliency[f]) * normal(X[i, f], model.noise_mean[f], model.noise_variance[f])
                w[i, j] *= a + b
                u[i, j, f] = a / (a + b)
        likelihood += log(w[i].sum())
        w[i] /= w[i].sum()
        u[i] *= w[i][:, None]
    v = w[:, :, None] - u
    means = np.array([[sum(u[:, j, f] * X[:, f]) / sum(u[:, j, f]) for f in range(d)] for j in range(k)])
    variances = np.array(
        [[sum(u[:, j, f] * (X[:, f] - means[j, f]) ** 2) / sum(u[:, j, f]) for f in range(d)] for j in range(k)]
    )
    noise = v.sum(axis=1)
    noise_mean = (noise * X).sum(axis=0) / noise.sum(axis=0)
    noise_variance = (noise * (X - noise_mean) ** 2).sum(axis=0) / noise.sum(axis=0)
    price = 1.0 if mml else 0.0
    rows = np.maximum(w.sum(axis=0) - price * d, 0)
    inside = np.maximum(u.sum(axis=(0, 1)) - price * k, 0)
    outside = np.maximum(v.sum(axis=(0, 1)) - price, 0)
    return likelihood, {
        "weights": rows / rows.sum(),
        "means": means,
        "variances": np.maximum(variances, floor),
        "noise_mean": noise_mean,
        "noise_variance": np.maximum(noise_variance, floor),
        "saliency": inside / (inside + outside),
    }


def product_steps(codes, n_levels, weights, levels, laplace, n_steps):
    """Iterate eq. 5.18 to 5.20 as they are printed, missing levels filled in by the model before."""
    for _ in range(n_steps):
        h = np.empty((len(codes), len(weights)))
        for i, row in enumerate(codes):
            for m in range(len(weights)):
                h[i, m] = weights[m] * np.prod([levels[m][f][x] for f, x in enumerate(row) if x >= 0])
            h[i] /= h[i].sum()
        new = [[np.zeros(v) for v in n_levels] for _ in weights]
        for m in range(len(weights)):
            for f, v in enumerate(n_levels):
                for i, row in enumerate(codes):
                    filled = levels[m][f] if row[f] < 0 else np.eye(v)[row[f]]
                    new[m][f] = new[m][f] + h[i, m] * filled
                new[m][f] = (new[m][f] + laplace) / (h[:, m].sum() + laplace * v)
        weights, levels = h.mean(axis=0), new
    return weights, levels


def urn(counts, prior):
    """Return the log probability of a sequence of draws, each proportional to what was drawn before plus the prior."""
    seen, total = [prior] * len(counts), 0.0
    for kind, count in enumerate(counts):
        for _ in range(int(count)):
            total += log(seen[kind] / sum(seen))
            seen[kind] += 1
    return total


def document_likelihood(X, labels, useful, prior=1.0, split=(1.0, 1.0)):
    """Return the integrated likelihood token by token, document by document."""
    k = max(labels) + 1
    terms = range(len(useful))
    inside = [t for t in terms if useful[t]]
    noise = [t for t in terms if not useful[t]]
    tokens = [sum(row[t] for row in X) for t in terms]
    a, b = split
    t_useful, t_noise = sum(tokens[t] for t in inside), sum(tokens[t] for t in noise)
    out = lgamma(a + b) - lgamma(a) - lgamma(b) + lgamma(a + t_useful) + lgamma(b + t_noise)
    out -= lgamma(a + b + t_useful + t_noise)
    out += urn([tokens[t] for t in noise], prior)
    out += urn([sum(1 for c in labels if c == j) for j in range(k)], prior)
    for j in range(k):
        out += urn([sum(row[t] for row, c in zip(X, labels) if c == j) for t in inside], prior)
    return out


def best_documents(X, max_clusters, prior=1.0):
    """Return the largest integrated likelihood over all divisions of documents and of the terms that occur."""
    best = (-np.inf, None, None)
    occurs = [sum(row[t] for row in X) > 0 for t in range(len(X[0]))]
    for labels in product(range(max_clusters), repeat=len(X)):
        # One name per division: clusters are numbered in the order in which they come.
        firsts = list(dict.fromkeys(labels))
        if firsts != sorted(firsts) or firsts[-1] != len(firsts) - 1:
            continue
        for useful in product(*[(False, True) if there else (False,) for there in occurs]):
            value = document_likelihood(X, labels, useful, prior)
            if value > best[0] + 1e-9:
                best = (value, labels, useful)
    return best

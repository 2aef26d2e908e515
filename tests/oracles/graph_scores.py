"""Graphs of near rows and the scores on them with a loop for every sum, from docs/unsupervised.md."""

from __future__ import annotations

import math

import numpy as np
import scipy.linalg
from sklearn.linear_model import lars_path


def squared_distance(a, b):
    return math.fsum((float(x) - float(y)) ** 2 for x, y in zip(a, b))


def rounded(x):
    """A distance to 41 binary places: those that agree so far are equal."""
    part, power = math.frexp(x)
    return math.ldexp(round(part * 2**41), power - 41)


def nearest(X, k):
    """Numbers of the nearest other rows of every row, of equally far ones the lower."""
    out = []
    for i in range(len(X)):
        away = [(rounded(squared_distance(X[i], X[j])), j) for j in range(len(X)) if j != i]
        out.append([j for _, j in sorted(away)[:k]])
    return out


def weights(X, k, join="either", kind="heat", width=None):
    """The full symmetric matrix of weights."""
    X = np.asarray(X, dtype=float)
    n = len(X)
    if kind == "cosine":
        lengths = [math.sqrt(math.fsum(x * x for x in row)) for row in X]
        X = np.array([row / length if length else row for row, length in zip(X, lengths)])
    near = nearest(X, k)
    away = [squared_distance(X[i], X[j]) for i in range(n) for j in near[i]]
    width = (math.fsum(away) / len(away) if away else 0.0) if width is None else width
    W = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            here, there = j in near[i], i in near[j]
            if i == j or not ((here and there) if join == "both" else (here or there)):
                continue
            square = squared_distance(X[i], X[j])
            if kind == "binary":
                W[i, j] = 1.0
            elif kind == "cosine":
                W[i, j] = max(0.0, sum(X[i] * X[j])) if X[i].any() and X[j].any() else 0.0
            else:
                W[i, j] = math.exp(-square / width) if square > 0 else 1.0
    return W


def laplacian_score(W, f):
    """f~' L f~ / f~' D f~ by double sums; None for 0 / 0."""
    n, D = len(f), W.sum(axis=1)
    joined = [i for i in range(n) if D[i] > 0]
    if len({f[i] for i in joined}) < 2:
        return None
    mean = math.fsum(D[i] * f[i] for i in range(n)) / math.fsum(D)
    g = [f[i] - mean for i in range(n)]
    above = math.fsum(D[i] * g[i] * g[i] for i in range(n)) - math.fsum(
        W[i, j] * g[i] * g[j] for i in range(n) for j in range(n)
    )
    return above / math.fsum(D[i] * g[i] * g[i] for i in range(n))


def spectrum(W):
    """Eigenvalues and vectors of the normalized Laplacian of rows with edges, ascending."""
    D = W.sum(axis=1)
    some = D > 0
    root = np.sqrt(D[some])
    L = np.eye(some.sum()) - W[np.ix_(some, some)] / np.outer(root, root)
    values, vectors = np.linalg.eigh(L)
    wide = np.zeros((len(W), some.sum()))
    wide[some] = vectors
    return values, wide


def spec(W, f, function, n_clusters):
    """The three ranking functions as sums over the spectrum; None for 0 / 0."""
    D = W.sum(axis=1)
    values, vectors = spectrum(W)
    f_hat = np.sqrt(D) * f
    f_hat = f_hat / np.linalg.norm(f_hat)
    first = np.sqrt(D) / np.sqrt(D.sum())
    whole = sum(value * (vector @ f_hat) ** 2 for value, vector in zip(values, vectors.T))
    if function == 1:
        return whole
    if function == 2:
        return whole / (1.0 - (first @ f_hat) ** 2)
    # Whole eigenspace of 0 where the graph falls into more parts.
    zeros = int((values < 1e-9).sum())
    total = 0.0
    for j in range(max(n_clusters, zeros)):
        if j < len(values):
            total += (2.0 - values[j]) * (vectors[:, j] @ f_hat) ** 2
    return total - 2.0 * (first @ f_hat) ** 2


def mcfs(W, X, n_clusters, n_nonzero):
    """Largest coefficients of least angle regressions of generalized eigenvectors of a connected graph."""
    D = np.diag(W.sum(axis=1))
    _, Y = scipy.linalg.eigh(D - W, D)
    X = X - X.mean(axis=0)
    X = X / np.linalg.norm(X, axis=0)
    out = np.zeros(X.shape[1])
    for y in Y[:, 1 : n_clusters + 1].T:
        y = y - y.mean()
        _, _, path = lars_path(X, y / np.linalg.norm(y), method="lar", max_iter=n_nonzero)
        out = np.maximum(out, np.abs(path[:, -1]))
    return out


def weight_variances(counts):
    """Variance of tf.idf weights of rows of length 1."""
    n, d = counts.shape
    W = np.zeros((n, d))
    for j in range(d):
        rows = sum(counts[i, j] > 0 for i in range(n))
        for i in range(n):
            W[i, j] = counts[i, j] * math.log(n / rows) if rows else 0.0
    for i in range(n):
        length = math.sqrt(sum(w * w for w in W[i]))
        W[i] = W[i] / length if length else W[i]
    return W.var(axis=0)

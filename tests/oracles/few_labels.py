"""The score of few labels by its definition: full matrices and loops."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np


def graph_weights(X, k):
    """Return the dense matrix of heat weights between rows that are among each other's k nearest, either way."""
    n = len(X)
    squared = ((X[:, None] - X[None]) ** 2).sum(axis=2)
    near = np.zeros((n, n), bool)
    widths = []
    for i in range(n):
        order = sorted((j for j in range(n) if j != i), key=lambda j, i=i: (squared[i, j], j))[:k]
        near[i, order] = True
        widths += [squared[i, j] for j in order]
    width = np.mean(widths)
    return np.where(near | near.T, np.exp(-squared / width), 0.0)


def laplacian(f, W):
    D = np.diag(W.sum(axis=1))
    one = np.ones(len(f))
    g = f - (f @ D @ one) / (one @ D @ one)
    return (g @ (D - W) @ g) / (g @ D @ g), g


def entropy(values):
    n = len(values)
    return -sum(c / n * math.log(c / n) for c in Counter(values).values())


def nmi(a, b, norm):
    ha, hb = entropy(a), entropy(b)
    shared = ha + hb - entropy(list(zip(a, b)))
    below = max(ha, hb) if norm == "max" else math.sqrt(ha * hb)
    return shared / below if below > 0 else 0.0


def sselect(X, y, known, locality, k, norm="max"):
    """Return the scores, larger is better."""
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    W = graph_weights(X, min(k, len(X) - 1))
    out = []
    for f in X.T:
        score, g = laplacian(f, W)
        if locality == 0:
            g = f - f[known].mean()
        side = np.sign(g[known]).tolist()
        out.append(locality * (2 - score) + (1 - locality) * nmi(side, y[known].tolist(), norm))
    return np.array(out)

"""Local metrics by plain loops, straight from the definitions."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction

import numpy as np


def first_k(keys, k):
    """Return the places of the k smallest, of equal ones the first, in rising order of places."""
    return sorted(sorted(range(len(keys)), key=lambda n: (keys[n], n))[:k])


def rounded(values):
    """Return numbers to 12 digits, so that what is equal on paper is equal."""
    return [float(f"{v:.11e}") for v in values]


def weighted(X, q, w):
    return rounded([sum(w[i] * (row[i] - q[i]) ** 2 for i in range(len(q))) for row in X])


def nearest(X, q, w, k):
    d = weighted(X, q, w)
    return sorted(range(len(X)), key=lambda n: (d[n], n))[:k]


def vote(classes):
    """Return the class with most votes; of equal ones that of the nearest voter."""
    counts = Counter(classes)
    most = max(counts.values())
    return next(c for c in classes if counts[c] == most)


def near_classes(labels, gaps, size, classes):
    """Return the class fractions of the nearest; those that are equally far share the places that are left."""
    limit = sorted(gaps)[size - 1]
    nearer = [c for c, gap in zip(labels, gaps) if gap < limit]
    last = [c for c, gap in zip(labels, gaps) if gap == limit]
    part = Fraction(size - len(nearer), len(last))
    return {j: (nearer.count(j) + part * last.count(j)) / size for j in classes}


def peels(X, y, q, k, peel, window, sharpness):
    """Return the rows that are left, nearest first, the mean shares, and (feature, rows left) of every peel."""
    region, total, trace, p = list(range(len(X))), np.zeros(X.shape[1]), [], X.shape[1]
    classes = sorted(set(y.tolist()))
    while len(region) > k and len({y[n] for n in region}) > 1:
        m = len(region)
        size = min(m, max(10, int(window * m)))
        gains = []
        for i in range(p):
            near = near_classes([y[n] for n in region], rounded(abs(X[n, i] - q[i]) for n in region), size, classes)
            gains.append(sum((Fraction(sum(y[n] == j for n in region), m) - near[j]) ** 2 for j in classes))
        best = max(gains)
        if best == 0:
            share, strongest = np.full(p, 1 / p), -1
        elif sharpness == math.inf:
            strongest = gains.index(best)
            share = np.eye(p)[strongest]
        else:
            strongest = gains.index(best)
            share = np.array([float(g / best) ** sharpness for g in gains])
            share = share / share.sum()
        away = list(zip(weighted(X[region], q, share), weighted(X[region], q, np.ones(p))))
        kept = first_k(away, max(k, int(peel * m)))
        region = [region[r] for r in kept]
        total += share
        trace.append((strongest, len(region)))
    mean = total / len(trace) if trace else np.full(p, 1 / p)
    order = nearest(X[region], q, mean, k)
    return [region[r] for r in order], mean, trace


def chi_relevance(X, y, z, k1, k2, n_along):
    """Return r_i(z), eq. 11.12, of training row z for all features."""
    p, ones = X.shape[1], np.ones(X.shape[1])
    inner, outer = sorted(nearest(X, X[z], ones, k1)), sorted(nearest(X, X[z], ones, k2))
    out = []
    for i in range(p):
        classes = sorted(set(y.tolist()))
        along = near_classes([y[n] for n in outer], rounded(abs(X[n, i] - X[z, i]) for n in outer), n_along, classes)
        total = 0.0
        for j in set(y.tolist()):
            here, there = sum(y[n] == j for n in inner) / k1, float(along[j])
            if here > 0 or there > 0:
                total += (here - there) ** 2 / max(there, 0.5 / min(k1, n_along))
        out.append(total)
    return np.array(out)


def adamenn_weights(X, y, q, k0, k1, k2, n_along, c, repeats=1, power=None):
    p = X.shape[1]
    w = np.full(p, 1 / p)
    for _ in range(repeats):
        mean = np.mean([chi_relevance(X, y, z, k1, k2, n_along) for z in nearest(X, q, w, k0)], axis=0)
        R = mean.max() - mean
        w = np.exp(c * R) if power is None else R**power
        w = w / w.sum() if w.sum() > 0 else np.full(p, 1 / p)
    return w


def root_inverse(W):
    values, vectors = np.linalg.eigh(W)
    return vectors @ np.diag(1 / np.sqrt(values)) @ vectors.T


def scatters(X, y, q, rows, distances):
    """Return W and B of the neighbours, with tricube weights."""
    h = max(distances)
    w = [(1 - (d / h) ** 3) ** 3 if h > 0 else 1.0 for d in distances]
    if sum(w) == 0:
        w = [1.0] * len(w)
    p = X.shape[1]
    W, B, mean = np.zeros((p, p)), np.zeros((p, p)), sum(a * X[n] for a, n in zip(w, rows)) / sum(w)
    for j in set(y[rows].tolist()):
        own = [(a, n) for a, n in zip(w, rows) if y[n] == j]
        size = sum(a for a, _ in own)
        if size == 0:
            continue
        centre = sum(a * X[n] for a, n in own) / size
        B += size / sum(w) * np.outer(centre - mean, centre - mean)
        for a, n in own:
            W += a * np.outer(X[n] - centre, X[n] - centre) / sum(w)
    return W, B


def dann_metric(X, y, q, k_m, epsilon, shrinkage, repeats=1):
    p = X.shape[1]
    S = np.eye(p)
    for _ in range(repeats):
        d = rounded([(x - q) @ S @ (x - q) for x in X])
        rows = sorted(range(len(X)), key=lambda n: (d[n], n))[:k_m]
        W, B = scatters(X, y, q, rows, [math.sqrt(max(0.0, d[n])) for n in rows])
        size = np.trace(W) / p
        W = (1 - shrinkage) * W + shrinkage * size * np.eye(p) if size > 0 else np.eye(p)
        root = root_inverse(W)
        S = root @ (root @ B @ root + epsilon * np.eye(p)) @ root
    return S


def by_form(X, q, S, k):
    d = rounded([(x - q) @ S @ (x - q) for x in X])
    return sorted(range(len(X)), key=lambda n: (d[n], n))[:k]

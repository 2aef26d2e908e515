"""Weighted versions of k-means in plain loops: rows, centres, features, one after the other."""

from __future__ import annotations

import math


def apart(a, b, nominal):
    """Distances of two rows, feature by feature."""
    return [float(x != y) if n else (x - y) ** 2 for x, y, n in zip(a, b, nominal)]


def power(w, beta):
    """A weight to its power; none for a weight of 0."""
    return w**beta if w > 0 else 0.0


def nearest(row, centres, weights, beta, sigma, nominal, equal=1e-11):
    """The first centre whose distance is smallest up to rounding."""
    found = []
    for centre, w in zip(centres, weights):
        ds = apart(row, centre, nominal)
        found.append(sum(power(v, beta) * (d + sigma) for v, d in zip(w, ds)))
    least = min(found)
    return next(c for c, d in enumerate(found) if d <= least + equal * least)


def centre_of(rows, nominal, everything=None):
    """Means, and modes: of equally frequent levels the first to appear in all rows."""
    out = []
    for column, whole, n in zip(zip(*rows), zip(*(everything or rows)), nominal):
        if n:
            out.append(max(dict.fromkeys(whole), key=lambda level: column.count(level)))
        else:
            out.append(sum(column) / len(column))
    return out


def dispersion(rows, centre, nominal):
    """Sum of the distances of rows to a centre, feature by feature."""
    out = [0.0] * len(nominal)
    for row in rows:
        for j, d in enumerate(apart(row, centre, nominal)):
            out[j] += d
    return out


def power_step(D, beta):
    """Eq. 10.8 with its sum written out; 0 where D is 0."""
    if beta == 1:
        positive = [d for d in D if d > 0]
        first = D.index(min(positive))
        return [float(j == first) for j in range(len(D))]
    return [0.0 if d == 0 else 1.0 / sum((d / t) ** (1.0 / (beta - 1.0)) for t in D if t > 0) for d in D]


def held_step(D, beta, before):
    """Weights of which those of no dispersion stay as they were, and the others share the rest."""
    held = [w if d == 0 else 0.0 for d, w in zip(D, before)]
    return [h + w * (1.0 - sum(held)) for h, w in zip(held, power_step(D, beta))]


def entropy_step(D, gamma):
    """Weights in proportion to exp(-D / gamma)."""
    least = min(D)
    parts = [math.exp(-(d - least) / gamma) for d in D]
    return [p / sum(parts) for p in parts]


def within_pairs(rows, weights):
    """Sum over all ordered pairs of rows of their weighted squared distance."""
    return sum(sum(w * (a - b) ** 2 for w, a, b in zip(weights, x, y)) for x in rows for y in rows)


def descend(X, start, kind, parameter, sigma=0.0, nominal=None, max_iter=100):
    """Run a descent with weights of kind "global", "cluster" or "entropy"; return labels, weights, objectives.

    It ends when no row moves, or when nothing falls; what did not fall is taken back. No cluster may become empty, no
    column constant.
    """
    d, k = len(X[0]), len(start)
    nominal = nominal or [False] * d
    centres, weights = [list(s) for s in start], [[1.0 / d] * d for _ in range(k)]
    beta = 1.0 if kind == "entropy" else parameter
    path, before = [], None
    for _ in range(max_iter):
        labels = [nearest(row, centres, weights, beta, sigma, nominal) for row in X]
        if labels == before:
            break
        before = labels
        groups = [[row for row, c in zip(X, labels) if c == l] for l in range(k)]
        assert all(groups)
        last = (centres, weights)
        centres = [centre_of(g, nominal, X) for g in groups]
        D = [[t + sigma * len(g) for t in dispersion(g, c, nominal)] for g, c in zip(groups, centres)]
        if kind == "global":
            weights = [held_step([sum(column) for column in zip(*D)], beta, weights[0])] * k
        elif kind == "cluster":
            weights = [held_step(row, beta, w) for row, w in zip(D, weights)]
        else:
            weights = [entropy_step(row, parameter) for row in D]
        value = sum(power(w, beta) * t for ws, ts in zip(weights, D) for w, t in zip(ws, ts))
        if kind == "entropy":
            value += parameter * sum(w * math.log(w) for ws in weights for w in ws if w > 0)
        if path and value >= path[-1] * (1 - 1e-14):
            centres, weights = last
            break
        path.append(value)
    return [nearest(row, centres, weights, beta, sigma, nominal) for row in X], weights, path


def pair_stress(X, labels):
    """Squared differences of all pairs of two rows, and whether the pair is in different clusters."""
    pairs = [(i, j) for j in range(len(X)) for i in range(j)]
    return [[(a - b) ** 2 for a, b in zip(X[i], X[j])] for i, j in pairs], [
        float(labels[i] != labels[j]) for i, j in pairs
    ]


def macqueen(X, labels, k, max_pass=100):
    """MacQueen's passes with means recomputed from their rows after every move; return labels and sums of squares."""
    labels, path = list(labels), []

    def mean(c):
        return centre_of([x for x, l in zip(X, labels) if l == c], [False] * len(X[0]))

    def squares():
        means = {c: mean(c) for c in set(labels)}
        return sum(sum(apart(x, means[l], [False] * len(x))) for x, l in zip(X, labels))

    for _ in range(max_pass):
        path.append(squares())
        moved = False
        for i, x in enumerate(X):
            if labels.count(labels[i]) == 1:
                continue
            ds = [sum(apart(x, mean(c), [False] * len(x))) for c in range(k)]
            best = ds.index(min(ds))
            if ds[best] * (1 + 1e-12) < ds[labels[i]]:
                labels[i], moved = best, True
        if not moved:
            break
    return labels, path

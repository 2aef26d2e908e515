"""Slow truths of clusterers by direction, of co-clusters and of pairs of rows: loops over rows, columns and groups."""

from __future__ import annotations

import itertools
from math import inf, log, sqrt

import numpy as np


def unit(row):
    length = sqrt(sum(v * v for v in row))
    return [v / length for v in row]


def dot(a, b):
    return sum(p * q for p, q in zip(a, b))


def spherical_sweep(rows, centres, labels):
    """One sweep: the nearest centre of each row (its own, then the first, of equal ones), then directions of sums."""
    new = []
    for row, old in zip(rows, labels):
        near = [dot(row, c) for c in centres]
        best = max(near)
        good = [g for g, s in enumerate(near) if s >= best - 1e-11]
        new.append(old if old in good else good[0])
    moved = []
    for g, centre in enumerate(centres):
        total = [sum(row[j] for row, y in zip(rows, new) if y == g) for j in range(len(centre))]
        moved.append(unit(total) if any(abs(v) > 1e-11 for v in total) else list(centre))
    return new, moved


def spherical(rows, centres, max_iter=100):
    """Sweeps until no label changes; None if a group becomes empty, for which the text has no rule."""
    rows, centres = [unit(r) for r in rows], [unit(c) for c in centres]
    labels = [-1] * len(rows)
    for _ in range(max_iter):
        new, centres = spherical_sweep(rows, centres, labels)
        if len(set(new)) < len(centres):
            return None
        if new == labels:
            break
        labels = new
    return labels, centres, sum(dot(r, centres[y]) for r, y in zip(rows, labels))


def divergence(p, q):
    """KL(p || q) of two lists of probabilities, in nats."""
    if any(a > 0 and b == 0 for a, b in zip(p, q)):
        return inf
    return sum(a * log(a / b) for a, b in zip(p, q) if a > 0)


def approximation(P, rows, columns):
    """q(x, y) = p(x^, y^) p(x|x^) p(y|y^), cell by cell."""
    n, d = P.shape
    q = np.zeros((n, d))
    for i in range(n):
        for j in range(d):
            R, C = rows == rows[i], columns == columns[j]
            block, row, column = P[np.ix_(R, C)].sum(), P[R].sum(), P[:, C].sum()
            if row > 0 and column > 0:
                q[i, j] = block * P[i].sum() / row * P[:, j].sum() / column
    return q


def information_loss(P, rows, columns):
    """KL(p || q) of the whole table."""
    return divergence(P.ravel(), approximation(P, rows, columns).ravel())


def row_step(P, rows, columns, k):
    """The nearest q(Y|x^) of every row, by the whole divergence over single columns; ties stay, else the first."""
    groups = range(int(columns.max()) + 1)
    prototypes = []
    for g in range(k):
        mass = P[rows == g].sum()
        q = np.zeros(P.shape[1])
        for h in groups:
            C = columns == h
            if mass > 0 and P[:, C].sum() > 0:
                q[C] = P[:, C].sum(axis=0) / P[:, C].sum() * P[np.ix_(rows == g, C)].sum() / mass
        prototypes.append(q)
    new = []
    for i, row in enumerate(P):
        far = [divergence(row / row.sum(), q) if q.sum() > 0 else inf for q in prototypes]
        good = [g for g, f in enumerate(far) if f <= min(far) + 1e-11]
        new.append(int(rows[i]) if rows[i] in good else good[0])
    return np.array(new)


def stands_for(Z, rows, columns, basis):
    """What stands for every number in a scheme of Bregman co-clustering under squares, cell by cell."""
    out = np.zeros_like(Z)
    for i, j in itertools.product(*map(range, Z.shape)):
        R, C = rows == rows[i], columns == columns[j]
        block = Z[np.ix_(R, C)].mean()
        if basis == "block":
            out[i, j] = block
        elif basis == "marginals":
            out[i, j] = Z[i].mean() + Z[:, j].mean() - Z[R].mean() - Z[:, C].mean() + block
        else:
            out[i, j] = Z[i, C].mean() + Z[R, j].mean() - block
    return out


def bregman(z, m, name):
    """Divergence of two numbers."""
    if name == "squared":
        return (z - m) ** 2
    if name == "kl":
        return m if z == 0 else inf if m == 0 else z * log(z / m) - z + m
    return z / m - log(z / m) - 1


def bregman_loss(Z, rows, columns, divergence_name, basis):
    hat = stands_for(Z, rows, columns, basis)
    return sum(bregman(float(z), float(m), divergence_name) for z, m in zip(Z.ravel(), hat.ravel()))


def best_two(first, second):
    """The best ordered pair of different groups, by trying all."""
    pairs = [(g, h) for g in range(len(first)) for h in range(len(first)) if g != h]
    return max(first[g] + second[h] for g, h in pairs)


def cut_value(W, side):
    """cut / vol(A) + cut / vol(B) of one cut of a graph."""
    A, B = np.flatnonzero(side), np.flatnonzero(~side)
    cut = sum(W[i, j] for i in A for j in B)
    return cut / W[A].sum() + cut / W[B].sum()


def mutual_information_of_labels(a, b):
    """I and both entropies of two partitions, by loops, in bits."""
    n = len(a)
    entropies = [-sum(z.count(v) / n * log(z.count(v) / n, 2) for v in set(z)) for z in (a, b)]
    both = list(zip(a, b))
    joint = -sum(both.count(v) / n * log(both.count(v) / n, 2) for v in set(both))
    return sum(entropies) - joint, *entropies

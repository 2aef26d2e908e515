"""Slow truths about axes across borders: one row, one segment, one code vector at a time."""

from __future__ import annotations

import numpy as np


def bisected(h, a, b):
    """Return a point with h = 0 between two points of different sides, by halving."""
    low, high = 0.0, 1.0
    side = h(a) > 0
    for _ in range(60):
        middle = (low + high) / 2
        if (h(a + middle * (b - a)) > 0) == side:
            low = middle
        else:
            high = middle
    return a + low * (b - a)


def plain_normal(h, x, step=1e-6):
    g = np.array([(h(x + step * e) - h(x - step * e)) / (2 * step) for e in np.eye(len(x))])
    return g / np.linalg.norm(g)


def one_side(h, rows, others):
    total = np.zeros((rows.shape[1], rows.shape[1]))
    for a in rows:
        b = others[np.argmin([((a - o) ** 2).sum() for o in others])]
        normal = plain_normal(h, bisected(h, a, b))
        total += np.outer(normal, normal)
    return total / len(rows)


def plain_edbfm(h, first, second):
    """Steps 1 to 7 of the sampling algorithm, in loops."""
    right = np.array([x for x in first if h(x) > 0]), np.array([x for x in second if h(x) <= 0])
    return (one_side(h, *right) + one_side(h, right[1], right[0])) / 2


def plain_svmdba(h, rows, r):
    """The rows with the smallest |h|, sides by the sign of h."""
    values = np.array([h(x) for x in rows])
    kept = np.argsort(np.abs(values), kind="stable")[: int(np.ceil(r * len(rows)))]
    first, second = [rows[sorted(k for k in kept if (values[k] > 0) == side)] for side in (True, False)]
    return (one_side(h, first, second) + one_side(h, second, first)) / 2


def bvq_update(t, u, code, labels, costs, rate, window):
    """One iteration of the box of section 6.3 with the sign of the risk gradient; returns the new code."""
    code = code.copy()
    away = [((t - m) ** 2).sum() for m in code]
    i, j = np.argsort(away, kind="stable")[:2]
    mi, mj = code[i].copy(), code[j].copy()
    if labels[i] == labels[j] or not (mi != mj).any():
        return code
    length = np.linalg.norm(mi - mj)
    delta = (((t - mj) ** 2).sum() - ((t - mi) ** 2).sum()) / (2 * length)
    if abs(delta) > window / 2:
        return code
    on_border = t - delta * (mi - mj) / length
    factor = np.clip(rate * (costs[u, labels[j]] - costs[u, labels[i]]) / length, -1, 1)
    code[i] = mi - factor * (mi - on_border)
    code[j] = mj + factor * (mj - on_border)
    return code


def plain_counts(rows, code, labels, window):
    """Eq. 6.6 by the two nearest code vectors of each row."""
    counts = np.zeros((len(code), len(code)))
    for t in rows:
        k, z = np.argsort([((t - m) ** 2).sum() for m in code], kind="stable")[:2]
        away = abs(((t - code[z]) ** 2).sum() - ((t - code[k]) ** 2).sum()) / (2 * np.linalg.norm(code[k] - code[z]))
        if labels[k] != labels[z] and away <= window / 2:
            counts[min(k, z), max(k, z)] += 1
    return counts


def grid_areas(code, labels, box, n, window):
    """Grid points within half a window of the piece of border between their two nearest code vectors, as an area."""
    axes = [np.linspace(low, high, n, endpoint=False) + (high - low) / (2 * n) for low, high in box]
    points = np.stack([g.ravel() for g in np.meshgrid(*axes, indexing="ij")], axis=1)
    cell = np.prod([(high - low) / n for low, high in box])
    return plain_counts(points, code, labels, window) * cell / window

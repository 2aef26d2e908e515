"""Spherical k-means with pairs, on axes of these pairs if asked to, by its steps: full matrices, loops over pairs."""

from __future__ import annotations

import itertools

import numpy as np

from oracles.pair_metrics import chunklets, projection_matrix


def unit(rows):
    lengths = np.linalg.norm(rows, axis=1)
    return np.array([row / length if length > 1e-9 else 0 * row for row, length in zip(rows, lengths)])


def axes_of_pairs(X, must, cannot, most):
    """Return the eigenvectors with the largest positive eigenvalues, as columns."""
    values, vectors = np.linalg.eigh(projection_matrix(unit(X), must, cannot))
    order = [i for i in np.argsort(-values) if values[i] > 1e-10 * abs(values).max()]
    return vectors[:, order[:most]]


def placed(X, axes):
    """Return rows of length 1 on the axes, in length 1 again."""
    return unit(unit(X) @ axes)


def constrained_spherical(rows, centres, must, cannot, sweeps):
    """Return labels of the best sweep, with its objective and centres; None where a cluster becomes empty.

    Rows without a direction, also as the sum of those that belong together, have no cluster, -1.
    """
    groups = chunklets(len(rows), must)
    groups += [[i] for i in range(len(rows)) if not any(i in g for g in groups)]
    groups.sort()
    of = {i: g for g, members in enumerate(groups) for i in members}
    sums = [rows[members].sum(axis=0) for members in groups]
    gone = [g for g, total in enumerate(sums) if np.linalg.norm(total) < 1e-9]
    apart = [(of[i], of[j]) for i, j in cannot if of[i] not in gone and of[j] not in gone]
    found, before = [], None
    for _ in range(sweeps):
        labels = [-1 if g in gone else label for g, label in enumerate(sweep(sums, centres, apart))]
        if len(set(labels) - {-1}) < len(centres):
            return None
        totals = [sum(s for s, y in zip(sums, labels) if y == k) for k in range(len(centres))]
        centres = unit(np.array(totals))
        violated = sum(labels[a] == labels[b] for a, b in apart)
        worth = sum(np.linalg.norm(total) for total in totals)
        found.append((violated, -worth, [labels[of[i]] for i in range(len(rows))], centres))
        if labels == before:
            break
        before = labels
    violated, worth, labels, centres = min(found, key=lambda one: (one[0], round(one[1], 9)))
    return labels, -worth, centres


def sweep(sums, centres, apart):
    """Return the cluster of every group of rows: pairs apart in the order given, then all others."""
    near, k = [[float(s @ c) for c in centres] for s in sums], len(centres)
    place: dict[int, int] = {}

    def free(a):
        taken = {place[q if p == a else p] for p, q in apart if a in (p, q) and (q if p == a else p) in place}
        return [c for c in range(k) if c not in taken] or list(range(k))

    for a, b in apart:
        if a not in place and b not in place:
            two = [(g, h) for g, h in itertools.product(free(a), free(b)) if g != h]
            place[a], place[b] = max(two, key=lambda gh: near[a][gh[0]] + near[b][gh[1]])
        for one in (a, b):
            if one not in place:
                place[one] = max(free(one), key=lambda c, one=one: near[one][c])
    return [place.get(g, int(np.argmax(near[g]))) for g in range(len(sums))]

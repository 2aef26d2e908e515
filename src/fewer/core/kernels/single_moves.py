"""MacQueen's passes: a row moves to a nearer centre, and two means with it."""

from __future__ import annotations

import numpy as np

from fewer.core.kernels._jit import kernel
from fewer.core.kernels.centres import EQUAL, first_least, weighted_apart


@kernel
def _moved(x, i, labels, centres, counts, distances, ones):
    """Move one row if another centre is nearer, and both means with it."""
    old = labels[i]
    if counts[old] == 1:
        return 0
    for c in range(len(centres)):
        distances[c] = weighted_apart(x, centres[c], ones) if counts[c] else np.inf
    best = first_least(distances)
    # A row that would come no nearer stays, or it would move for ever.
    if not distances[best] * (1 + EQUAL) < distances[old]:
        return 0
    for j in range(len(x)):
        centres[best, j] += (x[j] - centres[best, j]) / (counts[best] + 1)
        centres[old, j] -= (x[j] - centres[old, j]) / (counts[old] - 1)
    counts[best] += 1
    counts[old] -= 1
    labels[i] = best
    return 1


@kernel
def move_one_by_one(X, labels, centres, counts):
    """Pass once over the rows; a row nearer to another centre moves, and both means follow at once (MacQueen).

    A row that is alone in its cluster stays.

    Returns
    -------
    n_moved : int
        How many rows moved.
    """
    ones, distances, moved = np.ones(X.shape[1]), np.empty(len(centres)), 0
    for i in range(len(X)):
        moved += _moved(X[i], i, labels, centres, counts, distances, ones)
    return moved


@kernel
def move_one_by_one_sparse(indptr, indices, data, labels, centres, counts):
    """Pass once over sparse rows as over dense ones, each spread out in a row of its own for as long."""
    ones, distances, moved = np.ones(centres.shape[1]), np.empty(len(centres)), 0
    x = np.zeros(centres.shape[1])
    for i in range(len(labels)):
        for at in range(indptr[i], indptr[i + 1]):
            x[indices[at]] = data[at]
        moved += _moved(x, i, labels, centres, counts, distances, ones)
        for at in range(indptr[i], indptr[i + 1]):
            x[indices[at]] = 0.0
    return moved

"""Pairs of rows of which one is known to have its event before the other, and how a column orders them."""

from __future__ import annotations

from fewer.core.kernels._jit import kernel


@kernel
def _add(tree, place):
    """Count one more value at a place (from 1) of a tree of partial counts."""
    while place < tree.shape[0]:
        tree[place] += 1
        place += place & -place


@kernel
def _up_to(tree, place):
    """Return how many values are at most at a place."""
    total = 0
    while place > 0:
        total += tree[place]
        place -= place & -place
    return total


@kernel
def event_pairs(levels, bounds, n_censored, tree, out):
    """Fill out with the pairs of rows in which the earlier event has the larger value, an equal one, and all pairs.

    ``levels`` are values as whole numbers from 1, rows by falling time; rows of one time, from bounds[t] to
    bounds[t + 1], begin with the n_censored[t] without an event, which are known to last longer than the others.
    """
    tree[:] = 0
    larger, equal, pairs, inside = 0, 0, 0, 0
    for t in range(len(n_censored)):
        first = bounds[t] + n_censored[t]
        for r in range(bounds[t], first):
            _add(tree, levels[r])
        inside += first - bounds[t]
        for r in range(first, bounds[t + 1]):
            below = _up_to(tree, levels[r] - 1)
            larger += below
            equal += _up_to(tree, levels[r]) - below
            pairs += inside
        for r in range(first, bounds[t + 1]):
            _add(tree, levels[r])
        inside += bounds[t + 1] - first
    out[0], out[1], out[2] = larger, equal, pairs

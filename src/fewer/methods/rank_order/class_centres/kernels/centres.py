"""Loops for class centres: their order, and their distances without one feature if no neighbours changed places."""

from __future__ import annotations

import numpy as np

from fewer.core.kernels._jit import kernel


@kernel
def resort(keys, order):
    """Sort ``order`` by key, of equal keys by number; fast where it is nearly sorted."""
    for p in range(1, order.shape[0]):
        own = order[p]
        key = keys[own]
        q = p - 1
        while q >= 0 and (keys[order[q]] > key or (keys[order[q]] == key and order[q] > own)):
            order[q + 1] = order[q]
            q -= 1
        order[q + 1] = own


@kernel
def places(keys, order, place, rank, pos, level):
    """Write dense places of keys, those in ``order``, rank = lower less higher keys, and whether another is equal.

    Returns the number of pairs of equal keys, in both directions.
    """
    n, p, at, equal = order.shape[0], 0, 0, 0
    while p < n:
        q = p + 1
        while q < n and keys[order[q]] == keys[order[p]]:
            q += 1
        for k in range(p, q):
            place[order[k]] = at
            rank[order[k]] = p - (n - q)
            pos[order[k]] = k
            level[order[k]] = q > p + 1
        equal += (q - p) * (q - p - 1)
        at += 1
        p = q
    return equal


@kernel
def _count_up_to(tree, place):
    """Return how many inserted items have at most this place (Fenwick tree)."""
    total, at = 0, place + 1
    while at > 0:
        total += tree[at]
        at -= at & -at
    return total


@kernel
def agreement(order, place, other_place, other_rank, tree, out):
    """Write for every k the sum over j of sign(place_j - place_k) * sign(other_j - other_k)."""
    n, p = order.shape[0], 0
    tree[:] = 0
    size = tree.shape[0]
    while p < n:
        q = p
        while q < n and place[order[q]] == place[order[p]]:
            k = order[q]
            low, level = _count_up_to(tree, other_place[k] - 1), _count_up_to(tree, other_place[k])
            out[k] = -other_rank[k] - ((p - level) - low)
            q += 1
        for r in range(p, q):
            at = other_place[order[r]] + 1
            while at < size:
                tree[at] += 1
                at += at & -at
        for r in range(p, q):
            k = order[r]
            low, level = _count_up_to(tree, other_place[k] - 1), _count_up_to(tree, other_place[k])
            out[k] -= (q - level) - low
        p = q


@kernel
def agreement_without(gone, place_a, place_b, out):
    """Take the terms with the feature ``gone`` out of the agreement of all others."""
    a, b = place_a[gone], place_b[gone]
    for k in range(out.shape[0]):
        one = int(place_a[k] < a) - int(place_a[k] > a)
        two = int(place_b[k] < b) - int(place_b[k] > b)
        out[k] -= one * two


@kernel
def agreement_turned(gone, lost, pairs, limits, other_place, out):
    """Bring the agreement up to date with the pairs that change places in one centre when ``gone`` leaves."""
    for p in range(pairs.shape[0]):
        i, j = pairs[p, 0], pairs[p, 1]
        if i == gone or j == gone:
            continue
        left = np.int64(lost[i]) - np.int64(lost[j])
        step = int(left >= limits[p, 0]) + int(left >= limits[p, 1])
        if step != 0:
            step *= int(other_place[j] < other_place[i]) - int(other_place[j] > other_place[i])
            out[i] += step
            out[j] += step


@kernel
def unturned(order_a, place_a, rank_a, order_b, place_b, rank_b, agreed, sums, out):
    """Write four times the distance of two centres without k, for every k, as if no neighbours changed places.

    sum_{j != k} (X_j - s_kj)^2 with X = rank_a - rank_b and s_kj = sign(a_j - a_k) - sign(b_j - b_k);
    ``agreed[k]`` is the sum over j of the product of the two signs.
    """
    n = order_a.shape[0]
    total = everything = 0
    for p in range(n):
        j = order_a[p]
        x = rank_a[j] - rank_b[j]
        total += x * x
        everything += x
        sums[j] = 0
        out[j] = -2 * agreed[j]
    for side in range(2):
        order, place = (order_a, place_a) if side == 0 else (order_b, place_b)
        sign = 1 - 2 * side
        below, p = 0, 0
        while p < n:
            q, level = p, 0
            while q < n and place[order[q]] == place[order[p]]:
                level += rank_a[order[q]] - rank_b[order[q]]
                q += 1
            for r in range(p, q):
                k = order[r]
                sums[k] += sign * (everything - level - 2 * below)
                out[k] += n - (q - p)
            below += level
            p = q
    for p in range(n):
        k = order_a[p]
        x = rank_a[k] - rank_b[k]
        out[k] += total - x * x - 2 * sums[k]

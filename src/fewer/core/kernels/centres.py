"""Loops for class centres when one more feature is left out: which neighbours in a centre change places."""

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
def places(keys, order, place, rank):
    """Write the dense place of every key, and rank = lower less higher keys: the doubled rank less n + 1."""
    n, p, at = order.shape[0], 0, 0
    while p < n:
        q = p + 1
        while q < n and keys[order[q]] == keys[order[p]]:
            q += 1
        for k in range(p, q):
            place[order[k]] = at
            rank[order[k]] = p - (n - q)
        at += 1
        p = q


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
def unflipped(order_a, place_a, rank_a, order_b, place_b, rank_b, tree, sums, out):
    """Write four times the distance of two centres without k, for every k, as if no neighbours changed places.

    sum_{j != k} (X_j - s_kj)^2 with X = rank_a - rank_b and s_kj = sign(a_j - a_k) - sign(b_j - b_k).
    """
    n = order_a.shape[0]
    agreement(order_a, place_a, place_b, rank_b, tree, out)
    total = 0
    for p in range(n):
        j = order_a[p]
        x = rank_a[j] - rank_b[j]
        total += x * x
        sums[j] = 0
        out[j] = -2 * out[j]
    for side in range(2):
        order, place = (order_a, place_a) if side == 0 else (order_b, place_b)
        sign = 1 - 2 * side
        everything = 0
        for p in range(n):
            everything += rank_a[order[p]] - rank_b[order[p]]
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


@kernel
def near_pairs(keys, order, reach, low, high, pairs, gaps):
    """Write the pairs i, j whose keys are near enough to change places, lower key first; return how many there are.

    Nothing more is written once ``pairs`` is full, but counting goes on. No key loses less than ``low`` or more
    than ``high`` when one feature is left out.
    """
    n = 0
    for p in range(order.shape[0]):
        i = order[p]
        for q in range(p + 1, order.shape[0]):
            j = order[q]
            gap = keys[j] - keys[i]
            if gap > reach:
                break
            if gap == 0 or gap <= np.int64(high[j]) - np.int64(low[i]):
                if n < gaps.shape[0]:
                    pairs[n, 0], pairs[n, 1], gaps[n] = i, j, gap
                n += 1
    return n


@kernel
def turning(slab, lowest, highest, pairs, gaps, chosen):
    """Write the numbers of the pairs that change places in some lane; return how many there are.

    ``slab[j, l]`` is what the key of j loses in lane l; ``lowest`` and ``highest`` are its bounds over l. Lists are
    filled without branches, because no processor could guess them.
    """
    n, some, bound = 0, 0, np.empty(1, slab.dtype)
    for p in range(gaps.shape[0]):
        chosen[n] = p
        n += (gaps[p] <= np.int64(highest[pairs[p, 1]]) - np.int64(lowest[pairs[p, 0]])) | (gaps[p] == 0)
    for at in range(n):
        p = chosen[at]
        i, j = pairs[p, 0], pairs[p, 1]
        bound[0] = gaps[p]
        # One narrow type throughout, so that this becomes a SIMD loop of that type.
        top = slab.dtype.type(slab[j, 0] - slab[i, 0])
        for l in range(slab.shape[1]):
            top = max(top, slab.dtype.type(slab[j, l] - slab[i, l]))
        chosen[some] = p
        some += (top >= bound[0]) | (gaps[p] == 0)
    return some


@kernel
def turn(slab, pairs, gaps, chosen, first, diff, change, touched):
    """Add to ``change[j, l]`` what the doubled rank of j gains when feature first + l is left out; mark those j.

    For a chosen pair i, j with difference g of the keys and d = slab[j, l] - slab[i, l] that is
    sign(g - d) - sign(g) for j, and the opposite for i. ``diff`` is scratch of the type of ``slab``.
    """
    lanes, bound = slab.shape[1], np.empty(1, slab.dtype)
    for at in range(chosen.shape[0]):
        p = chosen[at]
        i, j, gap = pairs[p, 0], pairs[p, 1], np.int64(gaps[p])
        bound[0] = gap
        limit = bound[0]
        touched[i] = touched[j] = True
        for l in range(lanes):
            diff[l] = slab[j, l] - slab[i, l]
        if gap == 0:
            for l in range(lanes):
                change[j, l] += int(diff[l] < limit) - int(diff[l] > limit)
            for l in range(lanes):
                change[i, l] -= int(diff[l] < limit) - int(diff[l] > limit)
        else:
            for l in range(lanes):
                change[j, l] -= int(diff[l] >= limit) + int(diff[l] > limit)
            for l in range(lanes):
                change[i, l] += int(diff[l] >= limit) + int(diff[l] > limit)
        # A pair that the left-out feature belongs to is gone, not turned.
        for k in (i, j):
            l = k - first
            if 0 <= l < lanes:
                step = np.sign(gap - np.int64(diff[l])) - np.sign(gap)
                change[j, l] -= step
                change[i, l] += step


@kernel
def flipped_distance(
    order, touched_a, touched_b, change_a, change_b, place_a, place_b, rank_a, rank_b, first, safe, out
):
    """Add to ``out[l]`` what changed places add to four times the distance of two centres without feature first + l.

    That is z (2 (X_j - s) + z) over the touched j, with z the change of the difference of doubled ranks. Sums of
    ``safe`` terms fit 32 bits.
    """
    lanes = change_a.shape[1]
    z, s, part = np.empty(lanes, np.int32), np.empty(lanes, np.int32), np.zeros(lanes, np.int32)
    lanes_a, lanes_b = place_a[first : first + lanes], place_b[first : first + lanes]
    low_a, high_a, low_b, high_b = lanes_a.min(), lanes_a.max(), lanes_b.min(), lanes_b.max()
    terms = 0
    for p in range(order.shape[0]):
        j = order[p]
        if not (touched_a[j] or touched_b[j]):
            continue
        x, mine, other = 2 * (rank_a[j] - rank_b[j]), change_a[j], change_b[j]
        at_a, at_b = place_a[j], place_b[j]
        for l in range(lanes):
            z[l] = mine[l] - other[l]
        for l in range(lanes):
            part[l] += z[l] * (z[l] + x)
        # Where j lies on the same side of all lanes in both centres, s is 0.
        if not ((at_a > high_a and at_b > high_b) or (at_a < low_a and at_b < low_b)):
            for l in range(lanes):
                s[l] = int(at_a > lanes_a[l]) - int(at_a < lanes_a[l])
            for l in range(lanes):
                s[l] -= int(at_b > lanes_b[l]) - int(at_b < lanes_b[l])
            for l in range(lanes):
                part[l] -= 2 * s[l] * z[l]
        terms += 1
        if terms == safe:
            for l in range(lanes):
                out[l] += part[l]
                part[l] = 0
            terms = 0
    for l in range(lanes):
        out[l] += part[l]


@kernel
def clear(touched, change):
    """Set the changes of touched features and their marks back to nothing."""
    for c in range(touched.shape[0]):
        for j in range(touched.shape[1]):
            if touched[c, j]:
                touched[c, j] = False
                change[c, j, :] = 0


@kernel
def cut_slabs(balance, numbers, slabs, lowest, highest):
    """Write slabs[t, j, l] = balance[numbers[t * lanes + l], numbers[j]] and its bounds over l; 0 past the end."""
    n, lanes = numbers.shape[0], slabs.shape[2]
    for t in range(slabs.shape[0]):
        for l in range(lanes):
            k = t * lanes + l
            for j in range(n):
                slabs[t, j, l] = balance[numbers[k], numbers[j]] if k < n else 0
        for j in range(n):
            low = high = slabs[t, j, 0]
            for l in range(lanes):
                low, high = min(low, slabs[t, j, l]), max(high, slabs[t, j, l])
            lowest[t, j], highest[t, j] = low, high

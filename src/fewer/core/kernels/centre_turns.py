"""Loops for class centres when one more feature is left out: which neighbours in a centre change places."""

from __future__ import annotations

import numpy as np

from fewer.core.kernels._jit import JIT_DISABLED, kernel
from fewer.core.kernels._prefetch import prefetch

# Candidates that are looked at together: a constant, so that loops over them are unrolled; few where nothing is.
LANES = 8 if JIT_DISABLED else 256
# How many pairs before their turn memory is asked for.
AHEAD = 4


@kernel
def _bounds(slabs, u, v, top, low):
    """Write the largest and the smallest difference of two features in every slab; return those of all."""
    kind = slabs.dtype.type
    least = most = kind(slabs[0, u, 0] - slabs[0, v, 0])
    for t in range(slabs.shape[0]):
        one, two = slabs[t, u], slabs[t, v]
        high = kind(one[0] - two[0])
        deep = high
        # One narrow type throughout, so that these become SIMD loops of that type.
        for l in range(LANES):
            high = max(high, kind(one[l] - two[l]))
        for l in range(LANES):
            deep = min(deep, kind(one[l] - two[l]))
        top[t], low[t] = high, deep
        most, least = max(most, high), min(least, deep)
    return most, least


@kernel
def near_pairs(keys, order, reach, slabs, row, known, slot_of, filled, tops, lows, most, least, pairs, gaps, slots):
    """List the pairs that change places for some candidate, lower key first; return how many there are.

    What a pair can lose or gain is remembered in ``tops`` and ``lows`` per run of lanes: it does not depend on the
    keys. ``known`` and ``slot_of`` are a hash table from pairs to rows of those; ``filled[0]`` rows are in use.
    Returns -1 when no row is left, and counts on without writing when ``gaps`` is full.
    """
    n, width, mask = 0, slabs.shape[1], known.shape[0] - 1
    for p in range(order.shape[0]):
        i = order[p]
        for q in range(p + 1, order.shape[0]):
            j = order[q]
            gap = keys[j] - keys[i]
            if gap > reach:
                break
            u, v = min(i, j), max(i, j)
            name = np.int64(u) * width + v
            at = (name * 0x9E3779B1 >> 12) & mask
            while known[at] != name and known[at] >= 0:
                at = (at + 1) & mask
            if known[at] < 0:
                if filled[0] == most.shape[0]:
                    return -1
                slot = filled[0]
                filled[0] += 1
                known[at], slot_of[at] = name, slot
                most[slot], least[slot] = _bounds(slabs, row[u], row[v], tops[slot], lows[slot])
            slot = slot_of[at]
            high = np.int64(most[slot]) if i == u else -np.int64(least[slot])
            if high >= gap if gap > 0 else most[slot] > 0 or least[slot] < 0:
                if n < gaps.shape[0]:
                    pairs[n, 0], pairs[n, 1], gaps[n], slots[n] = i, j, gap, slot
                n += 1
    return n


@kernel
def sift(pairs, gaps, slots, tops, lows, ends, chosen):
    """Write for every slab the numbers of the pairs that may change places there; ``ends`` gets where its list ends.

    The list of slab t starts at t * len(gaps).
    """
    n, n_slabs = gaps.shape[0], tops.shape[1]
    for t in range(n_slabs):
        ends[t] = t * n
    for p in range(n):
        top, low, gap, straight = tops[slots[p]], lows[slots[p]], np.int64(gaps[p]), pairs[p, 0] < pairs[p, 1]
        for t in range(n_slabs):
            # Lists are filled without branches, because no processor could guess them.
            chosen[ends[t]] = p
            high = np.int64(top[t]) if straight else -np.int64(low[t])
            ends[t] += (high >= gap) & (gap > 0) | (gap == 0) & ((top[t] > 0) | (low[t] < 0))


@kernel
def _sides(i, j, a, b, place, here, low, high, apart, side):
    """Take s_kj - s_ki off ``apart[0]`` where it is the same in all lanes k; otherwise write its opposite to ``side``.

    Lanes that lie on one side of both features of a pair have s_kj = s_ki, those between them not. Returns whether
    ``side`` was written.
    """
    mixed = False
    for centre in (a, b):
        sign = 1 if centre == b else -1
        one, two = place[centre, i], place[centre, j]
        if min(one, two) < low[centre] and max(one, two) > high[centre]:
            apart[0] += 2 * sign if two > one else -2 * sign
        elif max(one, two) >= low[centre] and min(one, two) <= high[centre]:
            if not mixed:
                for l in range(LANES):
                    side[l] = 0
                mixed = True
            for l in range(LANES):
                k = here[centre, l]
                side[l] += sign * (int(two > k) - int(two < k) - int(one > k) + int(one < k))
    return mixed


@kernel
def turned(
    first, slab, row, place, here, low, high, rank, others, c, pairs, gaps, chosen, change, touched, n_touched, part
):
    """Add to ``part[d, l]`` half of what changed places in centre c add to four times the d-th distance of centres.

    Feature first + l is left out in lane l. ``others[o]`` is the number d of the distance between centres c and o,
    and ``change[d, j, l]`` how much the difference X_j of doubled ranks has changed so far. Where a pair i, j with
    difference g of keys loses t = slab[i, l] - slab[j, l], its step is e = sign(g - t) - sign(g), which adds
    2 e (X_j - X_i - (s_kj - s_ki) + e) to the sum of squares. Returns the number of ``touched`` features.

    Arrays are indexed in full: a view of a row costs more than the loop over it.
    """
    lost, bound = np.empty(LANES, slab.dtype), np.empty(1, slab.dtype)
    step, side, apart = np.empty(LANES, np.int8), np.empty(LANES, np.int8), np.empty(1, np.int32)
    for at in range(chosen.shape[0]):
        p = chosen[at]
        i, j, bound[0] = pairs[p, 0], pairs[p, 1], gaps[p]
        one, two = row[i], row[j]
        if at + AHEAD < chosen.shape[0]:
            later = chosen[at + AHEAD]
            for l in range(0, LANES, 64):
                prefetch(slab, row[pairs[later, 0]], l)
                prefetch(slab, row[pairs[later, 1]], l)
        for l in range(LANES):
            lost[l] = slab[one, l] - slab[two, l]
        if gaps[p] > 0:
            for l in range(LANES):
                step[l] = -int(lost[l] >= bound[0]) - int(lost[l] > bound[0])
        else:
            for l in range(LANES):
                step[l] = int(lost[l] < bound[0]) - int(lost[l] > bound[0])
        # A pair that the left-out feature belongs to is gone, not turned.
        if 0 <= i - first < LANES:
            step[i - first] = 0
        if 0 <= j - first < LANES:
            step[j - first] = 0
        touched[n_touched], touched[n_touched + 1] = i, j
        n_touched += 2
        for o in range(place.shape[0]):
            if o == c:
                continue
            d, a, b = others[o], min(c, o), max(c, o)
            apart[0] = rank[a, j] - rank[b, j] - rank[a, i] + rank[b, i]
            mixed = _sides(i, j, a, b, place, here, low, high, apart, side)
            if not mixed and c < o:
                for l in range(LANES):
                    part[d, l] += step[l] * (apart[0] + change[d, j, l] - change[d, i, l] + step[l])
            elif not mixed:
                for l in range(LANES):
                    part[d, l] -= step[l] * (apart[0] + change[d, j, l] - change[d, i, l] - step[l])
            elif c < o:
                for l in range(LANES):
                    part[d, l] += step[l] * (apart[0] + side[l] + change[d, j, l] - change[d, i, l] + step[l])
            else:
                for l in range(LANES):
                    part[d, l] -= step[l] * (apart[0] + side[l] + change[d, j, l] - change[d, i, l] - step[l])
            # The difference of ranks falls where the second of the two rises.
            up, down = (j, i) if c < o else (i, j)
            for l in range(LANES):
                change[d, up, l] += step[l]
            for l in range(LANES):
                change[d, down, l] -= step[l]
    return n_touched


@kernel
def candidates(
    start, stop, slabs, row, place, rank, others, pairs, gaps, chosen, ends, starts, change, touched, safe, out
):
    """Add to ``out[d, k]`` what changed places add to four times the d-th distance of centres without feature k.

    ``starts`` says where the pairs of each centre begin; ``chosen[starts[c] * n_slabs:]`` holds its lists, which end
    at ``ends[c, t]``. ``change`` is all zero before and after. Sums of ``safe`` steps fit 32 bits.
    """
    n_classes, n_slabs = slabs.shape[0], slabs.shape[1]
    part = np.zeros((change.shape[0], LANES), np.int32)
    here = np.empty((n_classes, LANES), place.dtype)
    low, high = np.empty(n_classes, np.int64), np.empty(n_classes, np.int64)
    for t in range(start, stop):
        first, n_touched = t * LANES, 0
        for c in range(n_classes):
            here[c] = place[c, first : first + LANES]
            low[c], high[c] = here[c].min(), here[c].max()
        for c in range(n_classes):
            mine = slice(starts[c], starts[c + 1])
            n = starts[c + 1] - starts[c]
            lists = chosen[starts[c] * n_slabs : starts[c + 1] * n_slabs]
            at = t * n
            while at < ends[c, t]:
                until = min(at + safe, ends[c, t])
                n_touched = turned(
                    first,
                    slabs[c, t],
                    row[c],
                    place,
                    here,
                    low,
                    high,
                    rank,
                    others[c],
                    c,
                    pairs[mine],
                    gaps[mine],
                    lists[at:until],
                    change,
                    touched,
                    n_touched,
                    part,
                )
                at = until
                for d in range(part.shape[0]):
                    for l in range(LANES):
                        out[d, first + l] += 2 * np.int64(part[d, l])
                        part[d, l] = 0
        for at in range(n_touched):
            for d in range(change.shape[0]):
                change[d, touched[at], :] = 0


@kernel
def cut_slabs(balance, numbers, row, slabs):
    """Write slabs[t, row[j], l] = balance[numbers[j], numbers[t * LANES + l]]; 0 past the end."""
    n = numbers.shape[0]
    for j in range(n):
        source = balance[numbers[j]]
        for t in range(slabs.shape[0]):
            for l in range(LANES):
                k = t * LANES + l
                slabs[t, row[j], l] = source[numbers[k]] if k < n else 0

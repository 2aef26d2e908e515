"""Loops for class centres: their distances where pairs of neighbours change places, for blocks of 64 candidates."""

from __future__ import annotations

import numpy as np

from fewer.core.kernels._jit import kernel
from fewer.methods.rank_order.class_centres.kernels._lanes import (
    LANES,
    add,
    add_within,
    less,
    load,
    lowest,
    plus,
    reached,
    scaled,
    store,
    times,
    widen,
    zeros,
)
from fewer.methods.rank_order.class_centres.kernels._prefetch import prefetch

# How many pairs can be added up in narrow numbers.
BATCH = 30
# What is known about a pair beside another centre, in this order; both its features are there from FIRST on.
LOW, HIGH, START, LENGTH, SIDE, FIRST, OWN_START, OWN_LENGTH, TERMS = (
    np.uint32(at) for at in (0, 1, 2, 3, 4, 5, 7, 8, 9)
)


@kernel
def pair_terms(c, tied, pairs, place, rank, spots, terms):
    """Write what weighs in the distances from the other centres when a pair of neighbours in centre c changes places.

    Candidates have a number in ``spots``. Without ties, ``SIDE`` is to be added for those strictly between the pair in
    the other centre. With ties, the numbers are places, and it is to be added once for those from the lower one on, but
    below the higher one, and once for those above the lower one, up to the higher one; likewise 1 in centre c.
    """
    for o in range(rank.shape[0]):
        for p in range(pairs.shape[0]):
            i, j = pairs[p, 0], pairs[p, 1]
            weight = (rank[c, i] - rank[c, j]) - (rank[o, i] - rank[o, j])
            below, above = (i, j) if place[o, i] <= place[o, j] else (j, i)
            start, length = spots[o, below], spots[o, above] - spots[o, below]
            at = p * TERMS
            terms[o, at + LOW], terms[o, at + HIGH] = weight & 255, weight >> 8
            if tied:
                terms[o, at + START], terms[o, at + LENGTH] = start, length
                terms[o, at + OWN_START], terms[o, at + OWN_LENGTH] = spots[c, i], spots[c, j] - spots[c, i]
            else:
                terms[o, at + START] = start + 1
                terms[o, at + LENGTH] = length - 1 if place[o, below] < place[o, above] else 0
            terms[o, at + SIDE] = (1 if tied else 2) * (-1 if below == i else 1)
            terms[o, at + FIRST], terms[o, at + FIRST + 1] = i, j


@kernel
def _list(bits, which):
    """List the numbers of the bits that are set; return how many there are."""
    n = 0
    for g in range(bits.shape[0]):
        word = bits[g]
        while word != 0:
            which[n] = np.uint32(g * LANES) + np.uint32(lowest(word))
            n += 1
            word &= word - np.uint64(1)
    return n


@kernel
def _weigh(n, which, lines, limits, up, tied, spots, own, here, terms, change, narrow, part, n_later, later, after):
    """Add to ``part`` half of what changed places in one centre add to four times its distance from another one.

    With u places changed by a pair i, j, the sum of squares of Y = rank - other rank grows by 2 u (Y_i - Y_j + u);
    ``change`` holds how much Y has changed so far, or the opposite for ``up`` = 1.
    """
    up, down, begin = np.uint32(FIRST + up), np.uint32(FIRST + 1 - up), 0
    while begin < n:
        end = min(n, begin + BATCH)
        lows, highs, own_spots, other_spots = zeros(narrow), zeros(narrow), load(spots, own), load(spots, here)
        for at in range(begin, end):
            if at < n_later:
                prefetch(after, later[at], 0)
            moved = reached(load(lines, which[at]), limits[which[at], 0], limits[which[at], 1], change)
            p = which[at] * np.uint32(TERMS)
            i, j = terms[p + up], terms[p + down]
            rises, falls = load(change, i), load(change, j)
            store(change, i, add(rises, moved))
            store(change, j, less(falls, moved))
            start, length, side = terms[p + START], terms[p + LENGTH], terms[p + SIDE]
            apart = add_within(add(less(rises, falls), moved), other_spots, start, length, side)
            if tied:
                apart = add_within(apart, other_spots, start + 1, length, side)
                start, length = terms[p + OWN_START], terms[p + OWN_LENGTH]
                apart = add_within(add_within(apart, own_spots, start, length, 1), own_spots, start + 1, length, 1)
            u = widen(moved, narrow)
            lows = add(lows, times(u, plus(widen(apart, narrow), terms[p + LOW])))
            highs = add(highs, scaled(u, terms[p + HIGH]))
        store(narrow, 0, lows)
        store(narrow, 1, highs)
        for l in range(LANES):
            part[l] += np.int64(narrow[0, l]) + 256 * np.int64(narrow[1, l])
        begin = end
    for at in range(n, n_later):
        prefetch(after, later[at], 0)


@kernel
def _clear(n, which, pairs, change):
    """Set what the listed pairs have changed to zero."""
    for at in range(n):
        p = which[at]
        store(change, pairs[p, 0], zeros(change))
        store(change, pairs[p, 1], zeros(change))


@kernel
def candidates(begin, stop, tied, lines, spots, others, pairs, limits, bits, terms, change, narrow, which, listed, out):
    """Add to ``out[d, k]`` what changed places add to four times the d-th distance of centres without feature k."""
    n_classes, part = lines.shape[0], np.empty(LANES, np.int64)
    n_blocks = spots.shape[0] // n_classes
    for c in range(n_classes):
        listed[begin % 2, c] = _list(bits[c, begin], which[begin % 2, c])
    for t in range(begin, stop):
        now, then, first, turn = t % 2, (t + 1) % 2, t * LANES, 0
        for c in range(n_classes):
            listed[then, c] = _list(bits[c, t + 1], which[then, c]) if t + 1 < stop else 0
        for a in range(n_classes):
            for b in range(a + 1, n_classes):
                part[:] = 0
                for up in range(2):
                    c, o = (a, b) if up == 0 else (b, a)
                    # While these are weighed, memory for the next block is on its way.
                    e = min(turn, n_classes - 1)
                    n_later = listed[then, e] if turn < n_classes else 0
                    later, after = which[then, e], lines[e, min(t + 1, stop - 1)]
                    own, here, mine = c * n_blocks + t, o * n_blocks + t, which[now, c]
                    _weigh(
                        listed[now, c],
                        mine,
                        lines[c, t],
                        limits[c],
                        up,
                        tied,
                        spots,
                        own,
                        here,
                        terms[c, o],
                        change,
                        narrow,
                        part,
                        n_later,
                        later,
                        after,
                    )
                    turn += 1
                for l in range(LANES):
                    out[others[a, b], first + l] += 2 * part[l]
                _clear(listed[now, a], which[now, a], pairs[a], change)
                _clear(listed[now, b], which[now, b], pairs[b], change)


@kernel
def _moved(lines, p, k, limits):
    """Return by how many places the pair p moves without feature k."""
    lost = lines[k // LANES, p, k % LANES]
    return int(lost >= limits[p, 0]) + int(lost >= limits[p, 1])


@kernel
def between(c, reach, lines, pairs, limits, order, place, pos, level, others, out):
    """Add to ``out[d, k]`` what the blocks leave out: k between a pair in its own centre, k level with one of a pair.

    ``level`` says which features are level with another one in a centre.
    """
    n_classes, n = order.shape
    for p in range(pairs.shape[0]):
        i, j = pairs[p, 0], pairs[p, 1]
        if limits[p, 0] > reach:
            continue
        for o in range(n_classes):
            some = level[o, i] or level[o, j] or (o == c and pos[o, j] - pos[o, i] > 1)
            if not some or place[o, i] == place[o, j]:
                continue
            below, above = (i, j) if place[o, i] < place[o, j] else (j, i)
            sign, bottom, top = 1 if below == i else -1, place[o, below], place[o, above]
            q = pos[o, below]
            while q > 0 and place[o, order[o, q - 1]] == bottom:
                q -= 1
            while q < n and place[o, order[o, q]] <= top:
                k = order[o, q]
                at_end = place[o, k] == bottom or place[o, k] == top
                if o == c:
                    step = 2 * _moved(lines, p, k, limits) * (1 if at_end else 2)
                    for other in range(n_classes):
                        if other != c:
                            out[others[c, other], k] += step
                elif at_end:
                    used = 2 if pos[o, below] < q < pos[o, above] else 0
                    out[others[c, o], k] -= 2 * sign * (1 - used) * _moved(lines, p, k, limits)
                else:
                    # Nothing to mend before those level with the higher one.
                    q = pos[o, above]
                    while place[o, order[o, q - 1]] == top:
                        q -= 1
                    continue
                q += 1

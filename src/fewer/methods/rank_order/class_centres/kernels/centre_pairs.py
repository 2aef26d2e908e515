"""Loops for class centres: the pairs of neighbours that may change places when one more feature is left out.

Features that are left have numbers, and those that may leave next, the candidates, go in blocks of 64. ``table[i, k]``
is what the key of feature i gains when feature k leaves. A pair i, j with keys that differ by g = key_j - key_i > 0 is
level where it loses table[i, k] - table[j, k] = g, and has changed places where it loses more.
"""

from __future__ import annotations

import numpy as np

from fewer.core.kernels._jit import kernel
from fewer.methods.rank_order.class_centres.kernels._lanes import LANES, at_least, largest, less, load, smallest, store

# What is counted: remembered pairs, the row of losses that is next in turn, steps, pairs found and waiting in this
# step, and the largest number of pairs that one feature is in.
SLOTS, NEXT, STEP, FOUND, WAITING, WIDEST, STATE = 0, 1, 2, 3, 4, 5, 6


@kernel
def first_table(balance, numbers, table):
    """Write table[i, k] = balance[numbers[i], numbers[k]], and 0 past the end."""
    n = numbers.shape[0]
    for i in range(n):
        for k in range(n):
            table[i, k] = balance[numbers[i], numbers[k]]
        table[i, n:] = 0


@kernel
def cut_table(flat, width, kept, new_width):
    """Keep these rows and columns of a table of so many columns, in place; columns past the end are 0."""
    n = kept.shape[0]
    for i in range(n):
        source, target = kept[i] * width, i * new_width
        for k in range(n):
            flat[target + k] = flat[source + kept[k]]
        for k in range(n, new_width):
            flat[target + k] = 0


@kernel
def extremes(table, blocks, high, deep):
    """Write the largest and the smallest number of every block of every row; ``table`` has rows of 64."""
    for i in range(table.shape[0] // blocks):
        for t in range(blocks):
            lanes = load(table, i * blocks + t)
            high[i, t], deep[i, t] = largest(lanes), smallest(lanes)


@kernel
def _may_lose(i, j, wide, high, deep):
    """Return a number that no loss of the pair exceeds, found from the extremes of the blocks."""
    most = 0
    for w in range(wide):
        most = max(most, np.int64(largest(less(load(high, i * wide + w), load(deep, j * wide + w)))))
    return most


@kernel
def _known_at(i, j, n, known):
    """Return where the pair is in the hash table of pairs and their numbers, or the empty place where it belongs."""
    name, mask = np.int64(i) * n + j, known.shape[0] - 1
    at = (name * 0x9E3779B1 >> 12) & mask
    while known[at, 0] != name and known[at, 0] >= 0:
        at = (at + 1) & mask
    return at


@kernel
def _write_losses(i, j, table, blocks, at, lines, top):
    """Write what the pair loses in every block, and the most in each; return the most of all."""
    stride, most = lines.shape[0] // blocks, 0
    for t in range(blocks):
        losses = less(load(table, i * blocks + t), load(table, j * blocks + t))
        store(lines, t * stride + at, losses)
        top[t] = largest(losses)
        most = max(most, np.int64(top[t]))
    # A pair that the left-out feature belongs to is gone, not turned.
    for own in (i, j):
        lines[own // LANES * stride + at, own % LANES] = -1
    return most


@kernel
def _enter(at, i, j, gap, state, pairs, limits, degree):
    """Write a pair where its losses are.

    It moves one place where it loses at least ``limits[at, 0]``, another where it loses ``limits[at, 1]``. One of equal
    keys moves one place at most, and is there in both directions.
    """
    pairs[at, 0], pairs[at, 1] = i, j
    limits[at, 0] = max(gap, 1)
    if gap > 0:
        limits[at, 1] = gap + 1
    degree[i] += 1
    degree[j] += 1
    state[FOUND] += 1
    state[WIDEST] = max(state[WIDEST], degree[i], degree[j])


@kernel
def known_pairs(keys, order, reach, high, deep, known, state, most, line, used, recent, waiting, degree, pairs, limits):
    """Write the pairs that change places for some candidate and have been looked at, lower key first.

    The others that may do so are ``waiting``, because what is there stays while it is needed. Where no pair is, the
    limits are such that nothing reaches them. ``recent`` holds the last neighbours of every feature, the number
    of the pair if there is one, and the most they can lose; ``used`` the pair and the last step of every row of losses;
    ``line`` where the losses of a pair are. More may be waiting than there is room for.
    """
    wide = high.shape[0] // keys.shape[0]
    state[STEP] += 1
    state[FOUND] = state[WAITING] = state[WIDEST] = 0
    limits[:] = reach + 1
    degree[:] = 0
    for p in range(order.shape[0]):
        for q in range(p + 1, order.shape[0]):
            gap = keys[order[q]] - keys[order[p]]
            if gap > reach:
                break
            least, ahead = max(gap, 1), min(q - p, recent.shape[1]) - 1
            for turn in range(2 if gap == 0 else 1):
                i, j = (order[p], order[q]) if turn == 0 else (order[q], order[p])
                if recent[i, ahead, 0] != j:
                    recent[i, ahead, 0], recent[i, ahead, 1] = j, -1
                    recent[i, ahead, 2] = _may_lose(i, j, wide, high, deep)
                if recent[i, ahead, 2] < least:
                    continue
                slot = recent[i, ahead, 1]
                if slot < 0:
                    slot = known[_known_at(i, j, keys.shape[0], known), 1]
                    if slot >= 0:
                        recent[i, ahead, 1], recent[i, ahead, 2] = slot, most[slot]
                        if most[slot] < least:
                            continue
                if slot >= 0 and line[slot] >= 0:
                    used[line[slot], 1] = state[STEP]
                    _enter(line[slot], i, j, gap, state, pairs, limits, degree)
                else:
                    w = state[WAITING]
                    state[WAITING] += 1
                    if w < waiting.shape[0]:
                        waiting[w, 0], waiting[w, 1], waiting[w, 2] = i, j, gap


@kernel
def new_pairs(n, table, blocks, known, state, tops, most, line, lines, used, waiting, degree, pairs, limits):
    """Look at the pairs that wait, and write those that change places; return whether there was room.

    What a pair loses goes to a row of ``lines`` that this step does not use; they are taken in turn. Pairs that are
    left without one are counted all the same.
    """
    for w in range(state[WAITING]):
        i, j, gap = waiting[w]
        at = _known_at(i, j, n, known)
        if known[at, 1] < 0:
            if state[SLOTS] == most.shape[0]:
                return False
            known[at, 0], known[at, 1], line[state[SLOTS]] = np.int64(i) * n + j, state[SLOTS], -1
            state[SLOTS] += 1
        slot = known[at, 1]
        if state[FOUND] >= used.shape[0]:
            # No row is left but the one too many: count how many more are needed.
            most[slot] = _write_losses(i, j, table, blocks, used.shape[0], lines, tops[used.shape[0]])
            state[FOUND] += int(most[slot] >= max(gap, 1))
            continue
        while used[state[NEXT], 1] == state[STEP]:
            state[NEXT] = (state[NEXT] + 1) % used.shape[0]
        at = state[NEXT]
        if used[at, 0] >= 0:
            line[used[at, 0]] = -1
        used[at, 0] = -1
        most[slot] = _write_losses(i, j, table, blocks, at, lines, tops[at])
        if most[slot] >= max(gap, 1):
            line[slot], used[at, 0], used[at, 1] = at, slot, state[STEP]
            _enter(at, i, j, gap, state, pairs, limits, degree)
    return state[FOUND] <= used.shape[0]


@kernel
def _transpose(words):
    """Exchange rows and columns of 64 words of 64 bits."""
    half, mask = 32, np.uint64(0xFFFFFFFF)
    while half > 0:
        shift = np.uint64(half)
        for k in range(LANES):
            if k & half == 0:
                swapped = ((words[k] >> shift) ^ words[k + half]) & mask
                words[k] ^= swapped << shift
                words[k + half] ^= swapped
        half //= 2
        mask ^= mask << np.uint64(half)


@kernel
def sift(limits, tops, bits):
    """Set bit p % 64 of bits[t, p // 64] where the pair p changes places for some candidate of block t."""
    wide, words = bits.shape[0] // LANES, np.empty(LANES, np.uint64)
    for g in range(bits.shape[1]):
        for w in range(wide):
            for l in range(LANES):
                p = g * LANES + l
                words[l] = at_least(load(tops, p * wide + w), limits[p, 0])
            _transpose(words)
            for l in range(LANES):
                bits[w * LANES + l, g] = words[l]


@kernel
def meet(
    keys,
    order,
    reach,
    high,
    deep,
    table,
    blocks,
    known,
    state,
    tops,
    most,
    line,
    lines,
    used,
    recent,
    waiting,
    degree,
    pairs,
    limits,
    bits,
):
    """Find the pairs that change places and the blocks where they do; return whether there was room.

    One call for all of it, because threads that come back from a call wait for each other.
    """
    known_pairs(keys, order, reach, high, deep, known, state, most, line, used, recent, waiting, degree, pairs, limits)
    if state[WAITING] > waiting.shape[0]:
        return False
    n = keys.shape[0]
    if not new_pairs(n, table, blocks, known, state, tops, most, line, lines, used, waiting, degree, pairs, limits):
        return False
    sift(limits, tops.reshape(-1, LANES), bits)
    return True

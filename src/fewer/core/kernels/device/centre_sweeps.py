"""Elimination by class centres on a device: every step looks at every feature that may leave next.

``table[c, i, k]`` is what the key of feature i in the centre of class c gains when feature k leaves. The rank of i
without k (lower less higher keys) is that with k, less the comparison with k, plus what changes among the few features
whose keys are so near that the gains can turn their order. Whole numbers all along, so that no order of adding shows.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numba import cuda, int32, int64, uint64

# Features near one, before and after those are left out that no candidate can turn; beyond that, the processor works.
MOST_WITHIN, MOST_NEAR = 512, 64
FEATURES_AT_ONCE = 32


@cuda.jit
def count_orders(codes, of_class, begins, before):
    """Write before[c, i, j]: rows of class c in which feature i comes before j, both known; rows in order of class."""
    j, i, c = cuda.grid(3)
    if i >= codes.shape[1] or j >= codes.shape[1] or c >= before.shape[0]:
        return
    n = 0
    for at in range(begins[c], begins[c + 1]):
        own = codes[of_class[at], i]
        if own != 0 and own < codes[of_class[at], j]:
            n += 1
    before[c, i, j] = n


@cuda.jit
def first_tables(before, unknown, table, most):
    """Write table[c, i, k] = before[c, i, k] - before[c, k, i]; nothing is known of pairs."""
    k, i, c = cuda.grid(3)
    if i < table.shape[1] and k < table.shape[1] and c < table.shape[0]:
        table[c, i, k] = int32(before[c, i, k]) - int32(before[c, k, i])
        most[c, i, k] = unknown


@cuda.jit
def cut_tables(table, most, kept, new_table, new_most):
    """Keep some features."""
    k, i, c = cuda.grid(3)
    if i < kept.shape[0] and k < kept.shape[0] and c < table.shape[0]:
        new_table[c, i, k] = table[c, kept[i], kept[k]]
        new_most[c, i, k] = most[c, kept[i], kept[k]]


@cuda.jit(device=True)
def _sign(x):
    return int32(x > 0) - int32(x < 0)


@cuda.jit(device=True)
def _may_turn(gap, up, down):
    """Return whether a pair whose keys differ by ``gap`` changes its order, if it gains so much at most either way."""
    if gap > 0:
        return up >= gap
    if gap < 0:
        return down >= -gap
    return up > 0 or down > 0


@cuda.jit
def find_near(table, most, unknown, keys, alive, reach, rank, near, n_near, full):
    """Write rank and near features of every feature; a block for each, in each class."""
    within = cuda.shared.array(MOST_WITHIN, int32)
    counts = cuda.shared.array(4, int32)
    tops = cuda.shared.array(2, int32)
    i, c, thread = cuda.blockIdx.x, cuda.blockIdx.y, cuda.threadIdx.x
    n, own, lower, higher = keys.shape[1], keys[c, i], int32(0), int32(0)
    if thread < 4:
        counts[thread] = 0
    cuda.syncthreads()
    for j in range(thread, n, cuda.blockDim.x):
        if alive[j] != 0 and j != i:
            gap = keys[c, j] - own
            lower += int32(gap < 0)
            higher += int32(gap > 0)
            if abs(gap) <= reach[c]:
                at = cuda.atomic.add(counts, 2, 1)
                if at < MOST_WITHIN:
                    within[at] = j
    cuda.atomic.add(counts, 0, lower)
    cuda.atomic.add(counts, 1, higher)
    cuda.syncthreads()
    for at in range(min(counts[2], MOST_WITHIN)):
        j = within[at]
        up, down = int32(most[c, i, j]), int32(most[c, j, i])
        if up == unknown or down == unknown:
            if thread < 2:
                tops[thread] = 0
            cuda.syncthreads()
            up, down = int32(0), int32(0)
            for k in range(thread, n, cuda.blockDim.x):
                gain = int32(table[c, i, k]) - int32(table[c, j, k])
                up, down = max(up, gain), max(down, -gain)
            cuda.atomic.max(tops, 0, up)
            cuda.atomic.max(tops, 1, down)
            cuda.syncthreads()
            up, down = tops[0], tops[1]
            if thread == 0:
                most[c, i, j] = up
                most[c, j, i] = down
        # Another block may have written in between, the same numbers: all threads must decide alike.
        cuda.syncthreads()
        if thread == 0 and _may_turn(keys[c, j] - own, up, down):
            if counts[3] < MOST_NEAR:
                near[c, i, counts[3]] = j
            counts[3] += 1
    cuda.syncthreads()
    if thread == 0:
        rank[c, i] = counts[0] - counts[1]
        n_near[c, i] = min(counts[3], MOST_NEAR) if alive[i] != 0 else 0
        if alive[i] != 0 and (counts[2] > MOST_WITHIN or counts[3] > MOST_NEAR):
            full[0] = 1


@cache
def sweeper(n_classes):
    """Return the kernel for so many classes."""
    n_pairs = n_classes * (n_classes - 1) // 2

    @cuda.jit
    def sweep(table, keys, alive, rank, near, n_near, totals):
        """Add to totals[d, k] the sum over some features of the squared rank difference in the d-th pair, without k."""
        k = cuda.grid(1)
        n = keys.shape[1]
        if k >= n or alive[k] == 0:
            return
        ranks, sums, mine = (
            cuda.local.array(n_classes, int32),
            cuda.local.array(n_pairs, int64),
            cuda.local.array(n_classes, int32),
        )
        for d in range(n_pairs):
            sums[d] = 0
        for c in range(n_classes):
            mine[c] = keys[c, k]
        first = cuda.blockIdx.y * FEATURES_AT_ONCE
        for i in range(first, min(first + FEATURES_AT_ONCE, n)):
            if alive[i] == 0 or i == k:
                continue
            for c in range(n_classes):
                own = keys[c, i]
                r = rank[c, i] - _sign(own - mine[c])
                some = n_near[c, i]
                if some > 0:
                    gain = int32(table[c, i, k])
                    for s in range(some):
                        j = near[c, i, s]
                        if j != k:
                            gap = own - keys[c, j]
                            r += _sign(gap + gain - int32(table[c, j, k])) - _sign(gap)
                ranks[c] = r
            d = 0
            for a in range(n_classes):
                for b in range(a + 1, n_classes):
                    off = int64(ranks[a] - ranks[b])
                    sums[d] += off * off
                    d += 1
        for d in range(n_pairs):
            cuda.atomic.add(totals, (d, k), sums[d])

    return sweep


@cuda.jit(device=True)
def _square(value):
    """Return the upper and the lower half of the square of a whole number, of 64 bits each."""
    x = uint64(abs(value))
    high, low = x >> uint64(32), x & uint64(0xFFFFFFFF)
    middle = high * low
    bottom = low * low
    lower = bottom + ((middle & uint64(0x7FFFFFFF)) << uint64(33))
    carry = uint64(1) if lower < bottom else uint64(0)
    return high * high + (middle >> uint64(31)) + carry, lower


@cuda.jit
def remove_best(table, totals, target, done, keys, alive, removed, away):
    """Take away the feature without which the distances are nearest to the first ones, of equal ones the last.

    One block. Lengths are compared as squares of 128 bits.
    """
    upper = cuda.shared.array(256, uint64)
    lower = cuda.shared.array(256, uint64)
    which = cuda.shared.array(256, int32)
    thread, n = cuda.threadIdx.x, keys.shape[1]
    best, best_low, best_at = uint64(0xFFFFFFFFFFFFFFFF), uint64(0xFFFFFFFFFFFFFFFF), int32(-1)
    for k in range(thread, n, cuda.blockDim.x):
        if alive[k] == 0:
            continue
        high, low = uint64(0), uint64(0)
        for d in range(totals.shape[0]):
            more, rest = _square(totals[d, k] - target[d])
            low = low + rest
            high = high + more + (uint64(1) if low < rest else uint64(0))
        if high < best or (high == best and low <= best_low):
            best, best_low, best_at = high, low, int32(k)
    upper[thread], lower[thread], which[thread] = best, best_low, best_at
    cuda.syncthreads()
    if thread == 0:
        for t in range(1, cuda.blockDim.x):
            same = upper[t] == upper[0] and lower[t] == lower[0]
            less = upper[t] < upper[0] or (upper[t] == upper[0] and lower[t] < lower[0])
            if which[t] >= 0 and (less or which[0] < 0 or (same and which[t] > which[0])):
                upper[0], lower[0], which[0] = upper[t], lower[t], which[t]
        alive[which[0]] = 0
        removed[done[0]] = which[0]
        for d in range(totals.shape[0]):
            away[done[0], d] = totals[d, which[0]] - target[d]
        done[0] += 1
    cuda.syncthreads()
    gone = which[0]
    for i in range(thread, n, cuda.blockDim.x):
        for c in range(keys.shape[0]):
            # What the others gain is the opposite of what this one would gain by theirs.
            keys[c, i] -= int32(table[c, gone, i])
        for d in range(totals.shape[0]):
            totals[d, i] = 0


def unknown_of(dtype):
    """Return the number that stands for what is not known yet in a table of largest gains, which are never negative."""
    return int(np.iinfo(dtype).min)

"""Joint counts on a device: codes as places of binary numbers, one bit per row, counted by AND and popcount.

A feature of L levels takes ceil(log2 L) planes of bits instead of L: the rows of one level are the AND of its places,
each as it is or inverted. A word holds 32 rows.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numba import cuda, int32, uint32

# Beyond so many levels, or cells of a table, rows are counted one by one.
MOST_LEVELS, MOST_CELLS = 16, 1024
MOST_GROUPS = 128
SHARED_CELLS = MOST_GROUPS * (MOST_LEVELS - 1)


@cuda.jit
def pack_places(rows, starts, first_word, planes):
    """Set bit i % 32 of planes[starts[f] + b, first_word + i // 32] to place b of rows[i, f]."""
    f, w = cuda.grid(2)
    if f >= rows.shape[1] or 32 * w >= rows.shape[0]:
        return
    last = min(32, rows.shape[0] - 32 * w)
    for b in range(starts[f + 1] - starts[f]):
        word = uint32(0)
        for i in range(last):
            word = uint32(word | (((uint32(rows[32 * w + i, f]) >> uint32(b)) & uint32(1)) << uint32(i)))
        planes[starts[f] + b, first_word + w] = word


@cuda.jit
def group_masks(other, first, masks):
    """Set bit i % 32 of masks[i // 32, g] where other[i] == first + g."""
    g, w = cuda.grid(2)
    if g >= masks.shape[1] or w >= masks.shape[0]:
        return
    word = uint32(0)
    for i in range(min(32, other.shape[0] - 32 * w)):
        if other[32 * w + i] == first + g:
            word = uint32(word | (uint32(1) << uint32(i)))
    masks[w, g] = word


@cuda.jit
def every_row(n_rows, masks):
    """Set the bits of all rows in the one column of masks."""
    w = cuda.grid(1)
    if w < masks.shape[0]:
        left = n_rows - 32 * w
        masks[w, 0] = uint32(0xFFFFFFFF) if left >= 32 else uint32((1 << max(left, 0)) - 1)


@cuda.jit
def crossed_masks(planes, first, last, classes, begin, masks):
    """Write the rows of every level of the feature at planes first..last, by class: group level * n_classes + class."""
    g, w = cuda.grid(2)
    if g >= masks.shape[1] or w >= masks.shape[0]:
        return
    level, word = (begin + g) // classes.shape[1], classes[w, (begin + g) % classes.shape[1]]
    for b in range(last - first):
        place = planes[first + b, w]
        word = uint32(word & (place if (level >> b) & 1 else ~place))
    masks[w, g] = word


@cache
def counter(n_levels, n_places):
    """Return the kernel for features of so many levels: its counters are then registers."""
    others = n_levels - 1

    @cuda.jit
    def count(planes, features, starts, masks, words_at_once, out):
        """Add to out[k, a - 1, g] the rows of level a > 0 of features[k] in group g; blocks are (features, words)."""
        shared = cuda.shared.array(SHARED_CELLS, int32)
        n_groups, thread = masks.shape[1], cuda.threadIdx.x
        for at in range(thread, others * n_groups, cuda.blockDim.x):
            shared[at] = 0
        cuda.syncthreads()
        first, phases = starts[features[cuda.blockIdx.x]], cuda.blockDim.x // n_groups
        g, phase = thread % n_groups, thread // n_groups
        begin = cuda.blockIdx.y * words_at_once
        end = min(begin + words_at_once, masks.shape[0])
        found = cuda.local.array(others, int32)
        place = cuda.local.array(n_places, uint32)
        for a in range(others):
            found[a] = 0
        if phase < phases:
            for w in range(begin + phase, end, phases):
                mask = masks[w, g]
                for b in range(n_places):
                    place[b] = planes[first + b, w]
                for a in range(others):
                    word = mask
                    for b in range(n_places):
                        word = uint32(word & (place[b] if ((a + 1) >> b) & 1 else ~place[b]))
                    found[a] += cuda.popc(word)
            for a in range(others):
                cuda.atomic.add(shared, a * n_groups + g, found[a])
        cuda.syncthreads()
        for at in range(thread, others * n_groups, cuda.blockDim.x):
            if shared[at] != 0:
                cuda.atomic.add(out, (cuda.blockIdx.x, at // n_groups, at % n_groups), shared[at])

    return count


@cuda.jit
def count_each(planes, features, starts, offsets, other, out):
    """Add 1 to out[offsets[k] + code, other[i]] for every row of features[k], which may have any number of levels."""
    k, w = cuda.grid(2)
    if k >= features.shape[0] or 32 * w >= other.shape[0]:
        return
    first, last = starts[features[k]], starts[features[k] + 1]
    for i in range(min(32, other.shape[0] - 32 * w)):
        code = 0
        for b in range(last - first):
            code |= int((planes[first + b, w] >> uint32(i)) & uint32(1)) << b
        cuda.atomic.add(out, (offsets[k] + code, other[32 * w + i]), 1)


@cuda.jit
def mask_sizes(masks, words_at_once, out):
    """Add to out[g] the number of rows of group g."""
    g, at = cuda.grid(2)
    if g >= masks.shape[1] or at * words_at_once >= masks.shape[0]:
        return
    n = 0
    for w in range(at * words_at_once, min((at + 1) * words_at_once, masks.shape[0])):
        n += cuda.popc(masks[w, g])
    cuda.atomic.add(out, g, n)


def places_of(n_levels):
    """Return how many places the numbers below each of ``n_levels`` have, at least one."""
    return np.maximum(1, np.ceil(np.log2(np.maximum(n_levels, 2)))).astype(np.int64)

"""Tables of an elimination by class centres on a device: what keys gain, and the most that they gain over others.

``table[c, i, k]`` is what the key of feature i in the centre of class c gains when feature k leaves, ``most[c, i, j]``
the most that i can gain over j, whichever feature leaves. Whole numbers all along, so that no order of adding shows.
"""

from __future__ import annotations

from numba import cuda, int32

from fewer.core.kernels.device.cuda_compiling import SIMULATED

# SIDE x SIDE threads compare WIDE with WIDE features, each thread EACH with EACH, for DEEP leaving ones at a time.
SIDE, EACH, DEEP = (2, 2, 3) if SIMULATED else (16, 4, 16)
WIDE = SIDE * EACH
# One column more, so that neighbouring threads write to different banks.
APART = WIDE + 1


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
def first_tables(before, table):
    """Write table[c, i, k] = before[c, i, k] - before[c, k, i]."""
    k, i, c = cuda.grid(3)
    if i < table.shape[1] and k < table.shape[1] and c < table.shape[0]:
        table[c, i, k] = int32(before[c, i, k]) - int32(before[c, k, i])


@cuda.jit
def most_gains(table, most):
    """Write most[c, i, j] = max(0, max_k table[c, i, k] - table[c, j, k]), as tiles of a product are; both halves."""
    mine = cuda.shared.array((DEEP, APART), int32)
    others = cuda.shared.array((DEEP, APART), int32)
    up = cuda.local.array((EACH, EACH), int32)
    down = cuda.local.array((EACH, EACH), int32)
    c, n = cuda.blockIdx.z, table.shape[1]
    top, left = cuda.blockIdx.y * WIDE, cuda.blockIdx.x * WIDE
    if left > top:
        return
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    for a in range(EACH):
        for b in range(EACH):
            up[a, b] = 0
            down[a, b] = 0
    for begin in range(0, n, DEEP):
        for at in range(y * SIDE + x, WIDE * DEEP, SIDE * SIDE):
            row, column = at // DEEP, at % DEEP
            known = begin + column < n
            mine[column, row] = int32(table[c, top + row, begin + column]) if known and top + row < n else int32(0)
            others[column, row] = int32(table[c, left + row, begin + column]) if known and left + row < n else int32(0)
        cuda.syncthreads()
        for column in range(DEEP):
            for a in range(EACH):
                gain = mine[column, y + SIDE * a]
                for b in range(EACH):
                    more = int32(gain - others[column, x + SIDE * b])
                    up[a, b] = max(up[a, b], more)
                    down[a, b] = min(down[a, b], more)
        cuda.syncthreads()
    for a in range(EACH):
        for b in range(EACH):
            i, j = top + y + SIDE * a, left + x + SIDE * b
            if i < n and j < n:
                most[c, i, j] = up[a, b]
                most[c, j, i] = -down[a, b]


@cuda.jit
def cut_tables(table, most, kept, new_table, new_most):
    """Keep some features."""
    k, i, c = cuda.grid(3)
    if i < kept.shape[0] and k < kept.shape[0] and c < table.shape[0]:
        new_table[c, i, k] = table[c, kept[i], kept[k]]
        new_most[c, i, k] = most[c, kept[i], kept[k]]

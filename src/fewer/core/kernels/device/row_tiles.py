"""Distances between rows on a device, and which rows count for which: bits again, laid words by rows.

Distances are those of `fewer.core.neighbours`, to the last bit: whole numbers of features that differ, or sums that
are rounded to a grid, so that the order of adding does not show.
"""

from __future__ import annotations

import math

from numba import cuda, float64, int32, uint32

from fewer.core.kernels.device.cuda_compiling import product

# A block measures a square of pairs; every thread a square of its own, so that what is loaded serves twice.
SIDE, EACH = 32, 2
HALF = SIDE // EACH
# Lines of shared memory are one longer, so that threads side by side meet different banks.
PADDED, HALF_PADDED = SIDE + 1, HALF + 1
MOST_PLACES = 4


@cuda.jit
def add_differing(planes, bases, n_words, first, factor, out):
    """Add to out[j, q] factor times the number of features in which row j and row first + q differ.

    Place b of the features is in the words bases[b] to bases[b] + n_words of every row; all have as many places as
    there are bases. Blocks are (rows, queries).
    """
    ours = cuda.shared.array((MOST_PLACES, SIDE, PADDED), uint32)
    theirs = cuda.shared.array((MOST_PLACES, SIDE, PADDED), uint32)
    x, y, width = cuda.threadIdx.x, cuda.threadIdx.y, HALF
    left, right = cuda.blockIdx.y * SIDE, cuda.blockIdx.x * SIDE
    n, n_queries, places = out.shape[0], out.shape[1], bases.shape[0]
    a, b, c, d = 0, 0, 0, 0
    for top in range(0, n_words, SIDE):
        for at in range(y * width + x, SIDE * SIDE, width * width):
            row, word = at // SIDE, at % SIDE
            for p in range(places):
                there = top + word < n_words
                ours[p, row, word] = uint32(0)
                theirs[p, row, word] = uint32(0)
                if there and left + row < n_queries:
                    ours[p, row, word] = planes[first + left + row, bases[p] + top + word]
                if there and right + row < n:
                    theirs[p, row, word] = planes[right + row, bases[p] + top + word]
        cuda.syncthreads()
        for w in range(SIDE):
            one, two = ours[0, x, w], ours[0, x + width, w]
            three, four = theirs[0, y, w], theirs[0, y + width, w]
            e, f, g, h = uint32(one ^ three), uint32(one ^ four), uint32(two ^ three), uint32(two ^ four)
            for p in range(1, places):
                one, two = ours[p, x, w], ours[p, x + width, w]
                three, four = theirs[p, y, w], theirs[p, y + width, w]
                e, f = uint32(e | (one ^ three)), uint32(f | (one ^ four))
                g, h = uint32(g | (two ^ three)), uint32(h | (two ^ four))
            a += cuda.popc(e)
            b += cuda.popc(f)
            c += cuda.popc(g)
            d += cuda.popc(h)
        cuda.syncthreads()
    i, j = left + x, right + y
    if i < n_queries and j < n:
        out[j, i] += product(factor, float64(a))
    if i < n_queries and j + width < n:
        out[j + width, i] += product(factor, float64(b))
    if i + width < n_queries and j < n:
        out[j, i + width] += product(factor, float64(c))
    if i + width < n_queries and j + width < n:
        out[j + width, i + width] += product(factor, float64(d))


@cuda.jit
def add_l1(X, factor, grid, first, scale, out):
    """Add to out[j, q] scale times the sum over columns of factor * |X[first + q] - X[j]|, rounded to 1 / grid.

    Blocks are (rows, queries).
    """
    ours = cuda.shared.array((HALF, HALF_PADDED), float64)
    theirs = cuda.shared.array((HALF, HALF_PADDED), float64)
    x, y, width = cuda.threadIdx.x, cuda.threadIdx.y, HALF
    left, right = cuda.blockIdx.y * width, cuda.blockIdx.x * width
    n, n_queries = out.shape
    total = 0.0
    for top in range(0, X.shape[1], width):
        ours[y, x] = 0.0
        theirs[y, x] = 0.0
        # Columns that lie side by side are read side by side.
        if top + x < X.shape[1]:
            if left + y < n_queries:
                ours[y, x] = float(X[first + left + y, top + x])
            if right + y < n:
                theirs[y, x] = float(X[right + y, top + x])
        cuda.syncthreads()
        for k in range(min(width, X.shape[1] - top)):
            total += abs(ours[x, k] - theirs[y, k]) * factor[top + k]
        cuda.syncthreads()
    if left + x < n_queries and right + y < n:
        out[right + y, left + x] += product(scale, math.floor(total * grid + 0.5) / grid)


@cuda.jit
def round_to_grid(grid, out):
    """Round every distance to a multiple of 1 / grid."""
    q, j = cuda.grid(2)
    if j < out.shape[0] and q < out.shape[1]:
        out[j, q] = math.floor(out[j, q] * grid + 0.5) / grid


@cuda.jit
def spread_of_rows(distance, first, mean, deviation):
    """Write mean and standard deviation of the distances of every query from others, added in the order of rows."""
    q = cuda.grid(1)
    if q >= distance.shape[1]:
        return
    n, own, total = distance.shape[0], first + q, 0.0
    for j in range(n):
        if j != own:
            total += distance[j, q]
    mean[q] = total / (n - 1) if n > 1 else 0.0
    squares = 0.0
    for j in range(n):
        if j != own:
            off = distance[j, q] - mean[q]
            squares += product(off, off)
    deviation[q] = math.sqrt(squares / (n - 1)) if n > 1 else 0.0


@cuda.jit
def mark_side(distance, row_at, first, limit, sign, masks):
    """Set bit p % 32 of masks[p // 32, q] if row row_at[p] is nearer than the limit of query q (sign -1: farther)."""
    q, w = cuda.grid(2)
    if q >= masks.shape[1] or w >= masks.shape[0]:
        return
    word, bound = uint32(0), sign * limit[q]
    for l in range(32):
        j = row_at[32 * w + l]
        if j >= 0 and j != first + q and sign * distance[j, q] < bound:
            word = uint32(word | (uint32(1) << uint32(l)))
    masks[w, q] = word


@cuda.jit
def mark_nearest(distance, row_at, ends, own, k, masks):
    """Set the bits of the k nearest rows of every class, of equal distances the lower numbers; masks start at 0.

    The words of class c are ends[c] to ends[c + 1], its rows in ascending order.
    """
    q, c = cuda.grid(2)
    if q >= masks.shape[1] or c >= ends.shape[0] - 1:
        return
    last, last_at = -1.0, -1
    for _ in range(k):
        best, best_at = math.inf, -1
        for p in range(32 * ends[c], 32 * ends[c + 1]):
            j = row_at[p]
            if j < 0 or j == own[q]:
                continue
            here = distance[j, q]
            if here < best and (here > last or (here == last and p > last_at)):
                best, best_at = here, p
        if best_at < 0:
            return
        word = masks[best_at // 32, q]
        masks[best_at // 32, q] = uint32(word | (uint32(1) << uint32(best_at % 32)))
        last, last_at = best, best_at


@cuda.jit
def count_marked(masks, ends, counts):
    """Write how many rows of every class are marked for every query."""
    q, c = cuda.grid(2)
    if q >= masks.shape[1] or c >= ends.shape[0] - 1:
        return
    n = int32(0)
    for w in range(ends[c], ends[c + 1]):
        n += cuda.popc(masks[w, q])
    counts[c, q] = n


@cuda.jit
def column_ranges(X, low, high, others):
    """Write the smallest and the largest number of every column, and how many numbers are neither."""
    f = cuda.grid(1)
    if f >= X.shape[1]:
        return
    least, most, n = X[0, f], X[0, f], 0
    for i in range(X.shape[0]):
        least = min(least, X[i, f])
        most = max(most, X[i, f])
    for i in range(X.shape[0]):
        if X[i, f] != least and X[i, f] != most:
            n += 1
    low[f], high[f], others[f] = least, most, n


@cuda.jit
def pack_steps(X, which, low, n_bits, planes):
    """Set bit b % 32 of planes[i, b // 32] where X[i, which[a]] exceeds its low by more than s: b = s * n + a."""
    w, i = cuda.grid(2)
    if i >= X.shape[0] or w >= planes.shape[1]:
        return
    word, n = uint32(0), which.shape[0]
    step, at = (32 * w) // n, (32 * w) % n
    for l in range(min(32, n_bits - 32 * w)):
        f = which[at]
        if int32(X[i, f]) > low[f] + step:
            word = uint32(word | (uint32(1) << uint32(l)))
        at += 1
        if at == n:
            at, step = 0, step + 1
    planes[i, w] = word

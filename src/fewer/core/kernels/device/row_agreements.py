"""Sums of differences over marked rows on a device: per feature and row one AND and popcount per 32 rows."""

from __future__ import annotations

from functools import cache

from numba import cuda, float64, uint32

from fewer.core.kernels.device.cuda_compiling import THREADS


@cuda.jit
def upright_planes(planes, row_at, first, last, out):
    """Turn bits of rows into bits of columns: bit p % 32 of out[32 * (w - first) + b, p // 32] is that of row_at[p].

    ``planes[i, w]`` holds 32 columns of row i; the words first..last are turned.
    """
    column, word = cuda.grid(2)
    if column >= 32 * (last - first) or word >= out.shape[1]:
        return
    w, b = first + column // 32, uint32(column % 32)
    bits = uint32(0)
    for l in range(32):
        j = row_at[32 * word + l]
        if j >= 0:
            bits = uint32(bits | (((planes[j, w] >> b) & uint32(1)) << uint32(l)))
    out[column, word] = bits


@cache
def agreements(n_places, n_features):
    """Return the kernel for features of so many places, so many of them by one block."""

    @cuda.jit
    def add(upright, stride, places, masks, values, ends, out):
        """Add to out[f] what the marked rows count that have the same level as the row they are marked for.

        Place b of feature f is upright[b * stride + f]; bit places[q] is that of query q. ``masks`` is (words,
        queries), ``values`` (classes, queries), the words of class c are ends[c] to ends[c + 1].
        """
        sums = cuda.shared.array((n_features, THREADS), float64)
        turned = cuda.local.array((n_features, n_places), uint32)
        same = cuda.local.array(n_features, float64)
        found = cuda.local.array(n_features, uint32)
        first, thread = cuda.blockIdx.x * n_features, cuda.threadIdx.x
        last = out.shape[0] - 1
        for f in range(n_features):
            same[f] = 0.0
        for q in range(thread, masks.shape[1], THREADS):
            word, shift = places[q] // 32, uint32(places[q] % 32)
            for f in range(n_features):
                for b in range(n_places):
                    own = upright[b * stride + min(first + f, last), word]
                    turned[f, b] = uint32(0) if (own >> shift) & uint32(1) else uint32(0xFFFFFFFF)
            for c in range(ends.shape[0] - 1):
                for f in range(n_features):
                    found[f] = uint32(0)
                for w in range(ends[c], ends[c + 1]):
                    mask = masks[w, q]
                    for f in range(n_features):
                        both = mask
                        for b in range(n_places):
                            both = uint32(both & (upright[b * stride + min(first + f, last), w] ^ turned[f, b]))
                        found[f] = uint32(found[f] + cuda.popc(both))
                value = values[c, q]
                for f in range(n_features):
                    same[f] += value * float64(found[f])
        for f in range(n_features):
            sums[f, thread] = same[f]
        half = THREADS // 2
        while half > 0:
            cuda.syncthreads()
            if thread < half:
                for f in range(n_features):
                    sums[f, thread] += sums[f, thread + half]
            half //= 2
        if thread == 0:
            for f in range(n_features):
                if first + f <= last:
                    out[first + f] += sums[f, 0]

    return add


@cuda.jit
def add_l1_marked(X, factor, row_at, own, class_of_word, masks, values, at_once, out):
    """Write to out[k, f] the sum of value * factor * |difference| over the marked rows of queries of chunk k."""
    f, k = cuda.grid(2)
    if f >= X.shape[1] or k >= out.shape[0]:
        return
    total = 0.0
    for q in range(k * at_once, min((k + 1) * at_once, masks.shape[1])):
        mine, same = float(X[own[q], f]), 0.0
        for w in range(masks.shape[0]):
            word, some = masks[w, q], 0.0
            if word == 0:
                continue
            for l in range(32):
                if (word >> uint32(l)) & uint32(1):
                    some += abs(float(X[row_at[32 * w + l], f]) - mine)
            same += values[class_of_word[w], q] * some
        total += same
    out[k, f] = total * factor[f]

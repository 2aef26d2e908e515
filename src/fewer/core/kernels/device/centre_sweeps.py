"""Elimination by class centres on a device: every step looks at every feature that may leave next.

The rank of feature i without k (lower less higher keys) is that with k, less the comparison with k, plus what changes
among the few features whose keys are so near that the gains can turn their order.
"""

from __future__ import annotations

from functools import cache

from numba import cuda, int32, int64

from fewer.core.kernels.device.centre_ranks import GONE, sign

FEATURES_AT_ONCE = 32


@cache
def sweeper(n_classes):
    """Return the kernel for so many classes."""
    n_pairs = n_classes * (n_classes - 1) // 2

    @cuda.jit
    def sweep(table, keys, rank, near, gaps, n_near, totals):
        """Add to totals[d, k] the sum over some features of the squared rank difference in the d-th pair, without k."""
        key_of = cuda.shared.array((n_classes, FEATURES_AT_ONCE), int32)
        rank_of = cuda.shared.array((n_classes, FEATURES_AT_ONCE), int32)
        near_of = cuda.shared.array((n_classes, FEATURES_AT_ONCE), int32)
        k, n, thread = cuda.grid(1), keys.shape[1], cuda.threadIdx.x
        first = cuda.blockIdx.y * FEATURES_AT_ONCE
        last = min(first + FEATURES_AT_ONCE, n)
        for at in range(thread, n_classes * FEATURES_AT_ONCE, cuda.blockDim.x):
            c, i = at // FEATURES_AT_ONCE, at % FEATURES_AT_ONCE
            if first + i < last:
                key_of[c, i] = keys[c, first + i]
                rank_of[c, i] = rank[c, first + i]
                near_of[c, i] = n_near[c, first + i]
        cuda.syncthreads()
        if k >= n or keys[0, k] == GONE:
            return
        ranks = cuda.local.array(n_classes, int32)
        mine = cuda.local.array(n_classes, int32)
        sums = cuda.local.array(n_pairs, int64)
        for d in range(n_pairs):
            sums[d] = 0
        for c in range(n_classes):
            mine[c] = keys[c, k]
        for at in range(last - first):
            i = first + at
            if key_of[0, at] == GONE or i == k:
                continue
            for c in range(n_classes):
                with_k = sign(int32(key_of[c, at] - mine[c]))
                r = int32(rank_of[c, at] - with_k)
                some = near_of[c, at]
                if some > 0:
                    gain = int32(table[c, i, k])
                    for s in range(some):
                        j = near[c, i, s]
                        # Of the comparison with k itself, which the rank lacks, nothing had to be taken away.
                        turned = int32(int32(gaps[c, i, s] + gain) - int32(table[c, j, k]))
                        r = int32(r + (with_k if j == k else sign(turned)))
                ranks[c] = r
            d = 0
            for a in range(n_classes):
                for b in range(a + 1, n_classes):
                    off = int64(int32(ranks[a] - ranks[b]))
                    sums[d] += off * off
                    d += 1
        for d in range(n_pairs):
            cuda.atomic.add(totals, (d, k), sums[d])

    return sweep

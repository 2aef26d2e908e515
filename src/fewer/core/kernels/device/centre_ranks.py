"""Ranks of features in the centres of classes on a device, and the few features near each, whose order can turn."""

from __future__ import annotations

from numba import cuda, int32

from fewer.core.kernels.device.cuda_compiling import SIMULATED

# The key of a feature that has left; those of others are smaller than half of it.
GONE = 2**30
# Features of a block, and into how many parts those that each is compared with are cut.
FEATURES, PARTS = (4, 2) if SIMULATED else (32, 8)
# Features within reach of one, and those of them that can change places with it; beyond that, the processor works.
MOST_WITHIN, MOST_NEAR = 256, 64


@cuda.jit(device=True)
def sign(x):
    """Return -1, 0 or 1 by two comparisons."""
    return int32(min(max(int32(x), int32(-1)), int32(1)))


@cuda.jit(device=True)
def _may_turn(gap, up, down):
    """Return whether a pair whose keys differ by ``gap`` changes its order, if it gains so much at most either way."""
    if gap > 0:
        return up >= gap
    if gap < 0:
        return down >= -gap
    return up > 0 or down > 0


@cuda.jit
def count_ranks(most, keys, reach, rank, near, gaps, n_near, full):
    """Write rank, near features, how far their keys are below, and how many they are; blocks are (features, classes).

    The rank (lower less higher keys) lacks the comparisons with the near features, which depend on who leaves.
    """
    within = cuda.shared.array((FEATURES, MOST_WITHIN), int32)
    # Of every feature of the block: its rank, how many are within reach, how many are near.
    net = cuda.shared.array(FEATURES, int32)
    n_within = cuda.shared.array(FEATURES, int32)
    n_found = cuda.shared.array(FEATURES, int32)
    feature, part = cuda.threadIdx.x % FEATURES, cuda.threadIdx.x // FEATURES
    i, c, n = cuda.blockIdx.x * FEATURES + feature, cuda.blockIdx.y, keys.shape[1]
    if part == 0:
        net[feature] = 0
        n_within[feature] = 0
        n_found[feature] = 0
    cuda.syncthreads()
    own, far, ahead = int32(GONE), reach[c], int32(0)
    if i < n:
        own = keys[c, i]
    if own != GONE:
        for j in range(part, n, PARTS):
            other = keys[c, j]
            gap = int32(other - own)
            if other != GONE:
                ahead = int32(ahead - sign(gap))
            if abs(gap) <= far and j != i:
                at = cuda.atomic.add(n_within, feature, 1)
                if at < MOST_WITHIN:
                    within[feature, at] = j
        cuda.atomic.add(net, feature, ahead)
    cuda.syncthreads()
    if own != GONE:
        for at in range(part, min(n_within[feature], MOST_WITHIN), PARTS):
            j = within[feature, at]
            gap = int32(keys[c, j] - own)
            if _may_turn(gap, int32(most[c, i, j]), int32(most[c, j, i])):
                slot = cuda.atomic.add(n_found, feature, 1)
                if slot < MOST_NEAR:
                    near[c, i, slot] = j
                    gaps[c, i, slot] = -gap
                    cuda.atomic.add(net, feature, sign(gap))
    cuda.syncthreads()
    if part == 0 and i < n:
        rank[c, i] = net[feature]
        n_near[c, i] = min(n_found[feature], MOST_NEAR)
        if n_within[feature] > MOST_WITHIN or n_found[feature] > MOST_NEAR:
            full[0] = 1

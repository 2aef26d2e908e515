"""Which feature leaves next in an elimination by class centres on a device, and what the others gain by it."""

from __future__ import annotations

from numba import cuda, int32, uint64

from fewer.core.kernels.device.centre_ranks import GONE

MOST_THREADS = 256
LONGEST = 0xFFFFFFFFFFFFFFFF


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


@cuda.jit(device=True)
def _comes_first(high, low, at, best_high, best_low, best_at):
    """Return whether one feature leaves rather than another: the shorter length, of equal ones the last feature."""
    if at < 0 or best_at < 0:
        return at >= 0
    if high != best_high:
        return high < best_high
    return low < best_low or (low == best_low and at > best_at)


@cuda.jit(device=True)
def _bring_first(highs, lows, features):
    """Bring the feature of a block that leaves first to place 0; the number of threads is a power of two."""
    thread, half = cuda.threadIdx.x, cuda.blockDim.x >> 1
    while half > 0:
        cuda.syncthreads()
        if thread < half:
            of = thread + half
            if _comes_first(highs[of], lows[of], features[of], highs[thread], lows[thread], features[thread]):
                highs[thread] = highs[of]
                lows[thread] = lows[of]
                features[thread] = features[of]
        half >>= 1
    cuda.syncthreads()


@cuda.jit
def best_of_blocks(totals, target, keys, upper, lower, which):
    """Write the feature of every block without which the distances are nearest to the first ones, or -1.

    Lengths are compared as squares of 128 bits.
    """
    highs = cuda.shared.array(MOST_THREADS, uint64)
    lows = cuda.shared.array(MOST_THREADS, uint64)
    features = cuda.shared.array(MOST_THREADS, int32)
    k, thread = cuda.grid(1), cuda.threadIdx.x
    high, low, at = uint64(LONGEST), uint64(LONGEST), int32(-1)
    if k < keys.shape[1] and keys[0, k] != GONE:
        high, low, at = uint64(0), uint64(0), int32(k)
        for d in range(totals.shape[0]):
            more, rest = _square(totals[d, k] - target[d])
            low = low + rest
            high = high + more + (uint64(1) if low < rest else uint64(0))
    highs[thread] = high
    lows[thread] = low
    features[thread] = at
    _bring_first(highs, lows, features)
    if thread == 0:
        upper[cuda.blockIdx.x] = highs[0]
        lower[cuda.blockIdx.x] = lows[0]
        which[cuda.blockIdx.x] = features[0]


@cuda.jit
def best_of_all(totals, target, upper, lower, which, gone, removed, away, done):
    """Choose among the best of the blocks, and write how far the distances are from the first ones without it.

    One block.
    """
    highs = cuda.shared.array(MOST_THREADS, uint64)
    lows = cuda.shared.array(MOST_THREADS, uint64)
    features = cuda.shared.array(MOST_THREADS, int32)
    thread = cuda.threadIdx.x
    highs[thread] = uint64(LONGEST)
    lows[thread] = uint64(LONGEST)
    features[thread] = int32(-1)
    for b in range(thread, which.shape[0], cuda.blockDim.x):
        if _comes_first(upper[b], lower[b], which[b], highs[thread], lows[thread], features[thread]):
            highs[thread] = upper[b]
            lows[thread] = lower[b]
            features[thread] = which[b]
    _bring_first(highs, lows, features)
    if thread == 0:
        best = features[0]
        gone[0] = best
        removed[done[0]] = best
        for d in range(totals.shape[0]):
            away[done[0], d] = totals[d, best] - target[d]
        done[0] += 1


@cuda.jit
def take_away(table, gone, keys, totals):
    """Let that feature leave: the others gain what the table says, and new distances begin with nothing."""
    i = cuda.grid(1)
    if i >= keys.shape[1]:
        return
    for c in range(keys.shape[0]):
        if i == gone[0]:
            keys[c, i] = GONE
        elif keys[c, i] != GONE:
            # What the others gain is the opposite of what this one would gain by theirs.
            keys[c, i] -= int32(table[c, gone[0], i])
    for d in range(totals.shape[0]):
        totals[d, i] = 0

"""Neighbours of rows of ordered levels, and how features and target change from neighbour to row."""

from __future__ import annotations

import numpy as np

from fewer.core.kernels._jit import kernel

# Columns of a tally: the feature rises from neighbour to row (and the target rises, or falls, with it), the feature
# falls (and the target falls, or rises), the feature stays (and the target stays).
ROSE, ROSE_UP, ROSE_DOWN, FELL, FELL_DOWN, FELL_UP, STAYED, STAYED_EQUAL, N_TALLIES = range(9)
# Where a pair is tallied: by the feature, which falls, stays or rises, and by both, where the target does.
BY_FEATURE = np.array([FELL, STAYED, ROSE])
BY_BOTH = np.array([[FELL_DOWN, FELL, FELL_UP], [STAYED, STAYED_EQUAL, STAYED], [ROSE_DOWN, ROSE, ROSE_UP]])


@kernel
def nearest_rows(places, expected, any_missing, rows, rank_weights, counts, found, weights):
    """Find the neighbours of some rows; return how many rows were done before the space was full.

    The distance is the sum of absolute differences of whole-numbered places, so that equal distances are equal
    exactly. A negative place is missing; expected[i, j] stands for the difference of places[i, j] from it.
    rank_weights[r] is the weight of the neighbour of rank r. Neighbours at equal distance all count, and share: each
    has the weight of the first of their ranks, times the fraction of their ranks that have a weight; the weights of a
    row sum to 1. counts[i] receives the number of neighbours of rows[i], found and weights hold them one row after
    another, nearest first.
    """
    n = places.shape[0]
    n_near = min(rank_weights.shape[0], n - 1)
    heap, distance = np.empty(n_near, np.int64), np.empty(n, np.int64)
    used = 0
    for i in range(rows.shape[0]):
        row = rows[i]
        if any_missing:
            _distances_with_missing(places, expected, row, distance)
        else:
            _distances(places, row, distance)
        reach = _reach(distance, row, heap)
        near = 0
        for other in range(n):
            near += distance[other] <= reach
        near -= 1
        if used + near > found.shape[0]:
            return i
        _gather(distance, row, reach, found[used : used + near])
        _share(distance, found[used : used + near], rank_weights, weights[used : used + near])
        counts[i] = near
        used += near
    return rows.shape[0]


@kernel
def _distances(places, row, out):
    """Sum absolute differences; the row is at distance -1 from itself."""
    for other in range(places.shape[0]):
        total = np.int64(0)
        for j in range(places.shape[1]):
            total += abs(np.int64(places[row, j]) - np.int64(places[other, j]))
        out[other] = total
    out[row] = -1


@kernel
def _distances_with_missing(places, expected, row, out):
    """Sum absolute differences, or what is expected of them."""
    for other in range(places.shape[0]):
        total = np.int64(0)
        for j in range(places.shape[1]):
            a, b = np.int64(places[row, j]), np.int64(places[other, j])
            if a < 0:
                total += expected[other, j]
            elif b < 0:
                total += expected[row, j]
            else:
                total += abs(a - b)
        out[other] = total
    out[row] = -1


@kernel
def _reach(distance, row, heap):
    """Return the largest of the smallest distances that fit on the heap, whose largest stands on top."""
    size = 0
    for other in range(distance.shape[0]):
        d = distance[other]
        if other == row:
            continue
        if size < heap.shape[0]:
            at = size
            size += 1
            while at > 0 and heap[(at - 1) // 2] < d:
                heap[at] = heap[(at - 1) // 2]
                at = (at - 1) // 2
            heap[at] = d
        elif d < heap[0]:
            at = 0
            while 2 * at + 1 < size:
                child = 2 * at + 1
                if child + 1 < size and heap[child + 1] > heap[child]:
                    child += 1
                if heap[child] <= d:
                    break
                heap[at] = heap[child]
                at = child
            heap[at] = d
    return heap[0]


@kernel
def _gather(distance, row, reach, out):
    """Write the rows within reach, nearest first; of equal distances the lower number comes first."""
    used = 0
    for other in range(distance.shape[0]):
        if distance[other] <= reach and other != row:
            out[used] = other
            used += 1
    out[:] = out[np.argsort(distance[out], kind="mergesort")]


@kernel
def _share(distance, near, rank_weights, out):
    """Write the weights of neighbours in order of their distance."""
    n_near, total = near.shape[0], 0.0
    begin = 0
    while begin < n_near:
        end = begin + 1
        while end < n_near and distance[near[end]] == distance[near[begin]]:
            end += 1
        inside = min(end, rank_weights.shape[0]) - begin
        weight = rank_weights[begin] * inside / (end - begin)
        out[begin:end] = weight
        total += rank_weights[begin] * inside
        begin = end
    for i in range(n_near):
        out[i] /= total


@kernel
def tally_changes(levels, target, rows, counts, near, weights, offsets, start, stop, out):
    """Add up, per level of the features start to stop at the row, the weights of the neighbours it changed from.

    levels is (n_rows, n_features), negative where missing; such pairs do not count. Level v of feature j has the row
    offsets[j] + v of out.
    """
    at = 0
    for i in range(rows.shape[0]):
        row = rows[i]
        for p in range(at, at + counts[i]):
            other, w = near[p], weights[p]
            change = np.int64(target[row] > target[other]) - np.int64(target[row] < target[other])
            for j in range(start, stop):
                here, there = np.int64(levels[row, j]), np.int64(levels[other, j])
                if here < 0 or there < 0:
                    continue
                # Looked up: which way a feature goes is a coin toss, that branches would lose half of the time.
                move = np.int64(here > there) - np.int64(here < there)
                first, second = BY_FEATURE[move + 1], BY_BOTH[move + 1, change + 1]
                out[offsets[j] + here, first] += w
                out[offsets[j] + here, second] += w if second != first else 0.0
        at += counts[i]

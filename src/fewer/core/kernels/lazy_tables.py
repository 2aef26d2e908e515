"""The best candidate of a minimum criterion, looking at no more tables than needed."""

from __future__ import annotations

import numpy as np

from fewer.core.kernels._jit import kernel
from fewer.core.kernels.bits import popcount

CONDITIONAL, JOINT, NORMALISED = 0, 1, 2


@kernel
def _term(planes, low, high, masks, sizes, begin, end, n_classes, xlogx, unit, total, shift, kind, both):
    """Return the term of one feature with one anchor: I(f;y|s), I(f,s;y), or the latter over H(f,s,y).

    shift is what the sums of the anchor and the classes add; unit turns sums into nats per row.
    """
    sum2, sum3 = 0, 0
    words = planes.shape[1]
    for g in range(begin, end, n_classes):
        both[: high - low] = 0
        for c in range(n_classes):
            mask, rest = masks[g + c], sizes[g + c]
            if rest == 0:
                continue
            for a in range(low, high - 1):
                plane = planes[a]
                ones = np.uint64(0)
                for w in range(words):
                    ones += popcount(plane[w] & mask[w])
                count = np.int64(ones)
                rest -= count
                sum3 += xlogx[count]
                both[a - low] += count
            sum3 += xlogx[rest]
            both[high - 1 - low] += rest
        for a in range(high - low):
            sum2 += xlogx[both[a]]
    information = max(sum3 - sum2 + shift, 0)
    if kind == NORMALISED:
        return information / np.float64(total - sum3) if total > sum3 else 0.0
    return information / unit


@kernel
def _sift(heap, size, place, bounds):
    """Let the feature at one place of a heap sink below those that come first: a better bound, or the lower number."""
    f = heap[place]
    while 2 * place + 1 < size:
        child = 2 * place + 1
        if child + 1 < size:
            a, b = heap[child], heap[child + 1]
            child += bounds[b] > bounds[a] or (bounds[b] == bounds[a] and b < a)
        g = heap[child]
        if bounds[f] > bounds[g] or (bounds[f] == bounds[g] and f < g):
            break
        heap[place] = g
        place = child
    heap[place] = f


@kernel
def make_heap(heap, bounds):
    """Bring features into the order in which `refine_minimum` finds the one with the best bound at once."""
    for place in range(heap.shape[0] // 2 - 1, -1, -1):
        _sift(heap, heap.shape[0], place, bounds)


@kernel
def refine_minimum(
    heap, size, open_to_choice, planes, ends, masks, sizes, starts, n_classes, xlogx, unit, total, shifts, kind,
    bounds, seen, both,
):  # fmt: skip
    """Lower bounds until the best feature that is open to choice is known (Fleuret 2004).

    Feature f has looked at the first seen[f] anchors; bounds[f] is the smallest term so far. Groups
    starts[k]:starts[k + 1] belong to anchor k. Only the feature with the best bound ever looks at one more table, so
    that none is looked at that the choice does not need. Of equal values the lower number wins. heap[:size] holds
    features in the order of `make_heap`; those that are no longer open leave it when they come up. Returns the best,
    the number of tables looked at, and how many features are left in the heap.
    """
    n_anchors = starts.shape[0] - 1
    looked = 0
    while True:
        f = heap[0]
        if not open_to_choice[f]:
            size -= 1
            heap[0] = heap[size]
        elif seen[f] == n_anchors:
            return f, looked, size
        else:
            k = seen[f]
            term = _term(
                planes, ends[f], ends[f + 1], masks, sizes, starts[k], starts[k + 1], n_classes, xlogx, unit, total,
                shifts[k], kind, both,
            )  # fmt: skip
            looked += 1
            seen[f] = k + 1
            bounds[f] = min(bounds[f], term)
        _sift(heap, size, 0, bounds)

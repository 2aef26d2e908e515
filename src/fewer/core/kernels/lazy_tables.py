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
def refine_minimum(
    candidates, planes, ends, masks, sizes, starts, n_classes, xlogx, unit, total, shifts, kind, bounds, seen
):  # fmt: skip
    """Lower the bounds of the candidates, best bound first, until the best candidate is known (Fleuret 2004).

    Feature f has looked at the first seen[f] anchors; bounds[f] is the smallest term so far. Groups
    starts[k]:starts[k + 1] belong to anchor k. Of equal values the lower feature number wins. Returns the number of
    tables looked at.
    """
    n_anchors = starts.shape[0] - 1
    most = 0
    for f in candidates:
        most = max(most, ends[f + 1] - ends[f])
    both = np.zeros(most, np.int64)
    best, value, looked = -1, -np.inf, 0
    for f in candidates:
        if bounds[f] < value:
            break
        while seen[f] < n_anchors and (bounds[f] > value or (bounds[f] == value and f < best)):
            k = seen[f]
            term = _term(
                planes, ends[f], ends[f + 1], masks, sizes, starts[k], starts[k + 1], n_classes, xlogx, unit, total,
                shifts[k], kind, both,
            )  # fmt: skip
            looked += 1
            seen[f] = k + 1
            bounds[f] = min(bounds[f], term)
        if seen[f] == n_anchors and (bounds[f] > value or (bounds[f] == value and f < best)):
            best, value = f, bounds[f]
    return looked

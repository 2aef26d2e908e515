"""Entropy-minimising cut points of one feature with the stopping rule of Fayyad and Irani (1993)."""

from __future__ import annotations

import numpy as np

from fewer.core.kernels._jit import kernel

# Cuts whose entropies differ by less than this fraction of the whole are ties; the leftmost wins.
TIE = 1e-12


@kernel
def mdl_cuts(values, classes, n_classes, xlogx, out):
    """Fill out with the accepted cuts between the ascending values, in any order; return how many there are.

    classes[i] is the class of values[i], xlogx[m] = m ln m for m = 0..n.
    """
    n = values.shape[0]
    boundary = _boundaries(values, classes)
    whole, left, best = np.empty(n_classes, np.int64), np.empty(n_classes, np.int64), np.empty(n_classes, np.int64)
    # Pending pieces are disjoint and not empty, so n places suffice.
    first, last = np.empty(n + 1, np.int64), np.empty(n + 1, np.int64)
    first[0], last[0] = 0, n
    pending, found = 1, 0
    while pending > 0:
        pending -= 1
        begin, end = first[pending], last[pending]
        whole[:] = 0
        for i in range(begin, end):
            whole[classes[i]] += 1
        cut = _best_cut(boundary, classes, begin, end, whole, left, best, xlogx)
        if cut < 0 or not _accepted(whole, best, xlogx):
            continue
        out[found] = _between(values[cut - 1], values[cut])
        found += 1
        first[pending], last[pending] = cut, end
        first[pending + 1], last[pending + 1] = begin, cut
        pending += 2
    return found


@kernel
def _boundaries(values, classes):
    """Mark the places i where a cut between values[i - 1] and values[i] can be best.

    Between equal values there is no cut; between two neighbouring values that belong to one and the same class there
    is never the best one (Fayyad and Irani 1992).
    """
    n = values.shape[0]
    boundary = np.zeros(n, np.bool_)
    # Class of all rows with the previous and with the current value, -1 if they differ.
    previous, current = -1, -1
    begin = 0
    for i in range(n + 1):
        if i < n and i > 0 and values[i] == values[i - 1]:
            if classes[i] != current:
                current = -1
            continue
        if begin > 0:
            boundary[begin] = previous < 0 or previous != current
        if i < n:
            previous = current
            current = classes[i]
            begin = i
    return boundary


@kernel
def _scaled_entropy(counts, total, xlogx):
    """Return total times the entropy of the counts, in nats."""
    value = xlogx[total]
    for c in range(counts.shape[0]):
        value -= xlogx[counts[c]]
    return value


@kernel
def _best_cut(boundary, classes, begin, end, whole, left, best, xlogx):
    """Return the cut of begin..end with the least class entropy, or -1; best gets the counts left of it."""
    n = end - begin
    tie = TIE * xlogx[n]
    cut, least = -1, np.inf
    left[:] = 0
    for i in range(begin + 1, end):
        left[classes[i - 1]] += 1
        if boundary[i]:
            entropy = xlogx[i - begin] + xlogx[end - i]
            for c in range(whole.shape[0]):
                entropy -= xlogx[left[c]] + xlogx[whole[c] - left[c]]
            if entropy < least - tie:
                cut, least = i, entropy
                best[:] = left
    return cut


@kernel
def _accepted(whole, left, xlogx):
    """Return whether the gain of a cut pays for its description (the MDL criterion, all terms times n, in nats).

    n gain > ln(n - 1) + ln(3^k - 2) - (k H(S) - k1 H(S1) - k2 H(S2)), k being the number of classes on each side.
    """
    right = whole - left
    n, n1, n2 = whole.sum(), left.sum(), right.sum()
    k, k1, k2 = (whole > 0).sum(), (left > 0).sum(), (right > 0).sum()
    h, h1, h2 = _scaled_entropy(whole, n, xlogx), _scaled_entropy(left, n1, xlogx), _scaled_entropy(right, n2, xlogx)
    # ln(3^k - 2) without the power, which overflows for many classes.
    choices = k * np.log(3.0) + np.log1p(-2.0 * 3.0 ** (-k))
    price = np.log(n - 1.0) + choices - (k * h / n - k1 * h1 / n1 - k2 * h2 / n2)
    return h - h1 - h2 > price


@kernel
def _between(low, high):
    """Return the middle of two values, and never the upper one, which must stay on the right."""
    middle = 0.5 * low + 0.5 * high
    return middle if middle < high else low

"""Cut points of one feature that keep pairs of rows apart or together."""

from __future__ import annotations

import numpy as np

from fewer.core.kernels._jit import kernel

# Gains that differ by less are equal, and a gain below it is none: weights of pairs sum to at most 2 in size.
TIE = 1e-12


@kernel
def greedy_pair_cuts(first, second, weights, places, n_places, most, lookahead, out):
    """Add the cut that gains most, again and again; return how many cuts are best, which stand first in out.

    Row r has the place places[r] among the n_places different values of the feature, -1 if its value is missing. Cut t
    lies between the places t and t + 1 and gains the weights of the pairs (first[p], second[p]) that it separates and
    no earlier cut does; of equal gains the leftmost is taken. Cuts that gain nothing are taken in the hope of better
    ones, at most lookahead in a row, and given back if none came. At most ``most`` cuts are made.
    """
    low, high, weight = _spans(first, second, weights, places)
    n_pairs = low.shape[0]
    gains, cut = np.empty(n_places, np.float64), np.zeros(n_places, np.bool_)
    quality, best, n_best, n_cuts, in_vain = 0.0, 0.0, 0, 0, 0
    while n_cuts < most and n_cuts < n_places - 1:
        t = _best_cut(low, high, weight, n_pairs, n_places, cut, gains)
        quality += gains[t]
        out[n_cuts] = t
        cut[t] = True
        n_cuts += 1
        if quality > best + TIE:
            best, n_best, in_vain = quality, n_cuts, 0
        else:
            in_vain += 1
            if in_vain >= lookahead:
                break
        n_pairs = _without(low, high, weight, n_pairs, t)
    return n_best


@kernel
def _spans(first, second, weights, places):
    """Return the lower and upper place and the weight of each pair whose places are known and differ."""
    n = 0
    for p in range(first.shape[0]):
        a, b = places[first[p]], places[second[p]]
        n += a >= 0 and b >= 0 and a != b
    low, high, weight = np.empty(n, np.int32), np.empty(n, np.int32), np.empty(n, np.float64)
    n = 0
    for p in range(first.shape[0]):
        a, b = places[first[p]], places[second[p]]
        if a >= 0 and b >= 0 and a != b:
            low[n], high[n], weight[n] = min(a, b), max(a, b), weights[p]
            n += 1
    return low, high, weight


@kernel
def _best_cut(low, high, weight, n_pairs, n_places, cut, gains):
    """Return the place of the new cut with the largest gain; gains receives all of them."""
    gains[:] = 0.0
    for p in range(n_pairs):
        gains[low[p]] += weight[p]
        gains[high[p]] -= weight[p]
    best, t, total = -np.inf, -1, 0.0
    for i in range(n_places - 1):
        total += gains[i]
        gains[i] = total
        if not cut[i] and total > best + TIE:
            best, t = total, i
    return t


@kernel
def _without(low, high, weight, n_pairs, t):
    """Move the pairs that cut t does not separate to the front and return their number."""
    n = 0
    for p in range(n_pairs):
        if t < low[p] or t >= high[p]:
            low[n], high[n], weight[n] = low[p], high[p], weight[p]
            n += 1
    return n

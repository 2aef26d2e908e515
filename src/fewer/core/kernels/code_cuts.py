"""Cut points of one feature that shorten the code of the classes."""

from __future__ import annotations

import numpy as np

from fewer.core.kernels._jit import kernel

# Gains that differ by less, per row, are equal, and a gain below it is none.
TIE = 1e-12


@kernel
def greedy_code_cuts(counts, log_factorial, price, most, lookahead, out):
    """Add the cut that saves most, again and again; return how many cuts are best, which stand first in out.

    counts[v, c] is the number of rows of class c with the v-th value, log_factorial[m] = ln m!. Cut t lies between the
    values t and t + 1, saves the code of its interval less those of the two parts, and costs price. Of equal cuts the
    leftmost is taken. Cuts that save nothing are taken in the hope of better ones, at most lookahead in a row, and
    given back if none came. At most ``most`` cuts are made.
    """
    n_values = counts.shape[0]
    below = np.zeros((n_values + 1, counts.shape[1]), np.int64)
    for v in range(n_values):
        below[v + 1] = below[v] + counts[v]
    tie = TIE * max(1, below[n_values].sum())
    gains, cut = np.empty(n_values, np.float64), np.zeros(n_values, np.bool_)
    _fill_gains(below, log_factorial, 0, n_values, gains)
    quality, best, n_best, n_cuts, in_vain = 0.0, 0.0, 0, 0, 0
    while n_cuts < most and n_cuts < n_values - 1:
        t = _first_best(gains, cut, n_values - 1, tie)
        quality += gains[t] - price
        out[n_cuts] = t
        cut[t] = True
        n_cuts += 1
        if quality > best + tie:
            best, n_best, in_vain = quality, n_cuts, 0
        else:
            in_vain += 1
            if in_vain >= lookahead:
                break
        begin, end = t, t + 1
        while begin > 0 and not cut[begin - 1]:
            begin -= 1
        while end < n_values - 1 and not cut[end]:
            end += 1
        _fill_gains(below, log_factorial, begin, t + 1, gains)
        _fill_gains(below, log_factorial, t + 1, end + 1, gains)
    return n_best


@kernel
def _fill_gains(below, log_factorial, begin, end, gains):
    """Write what each cut of the interval of the values begin to end saves."""
    whole = _code(below, log_factorial, begin, end)
    for t in range(begin, end - 1):
        parts = _code(below, log_factorial, begin, t + 1) + _code(below, log_factorial, t + 1, end)
        gains[t] = whole - parts


@kernel
def _code(below, log_factorial, begin, end):
    """Return the length of the code of the classes of an interval, in nats.

    Of n rows it says how many are of each class, ln C(n + C - 1, C - 1), and which, ln n! / (n_1! ... n_C!).
    """
    n, n_classes, length = 0, below.shape[1], 0.0
    for c in range(n_classes):
        m = below[end, c] - below[begin, c]
        n += m
        length -= log_factorial[m]
    return length + log_factorial[n + n_classes - 1] - log_factorial[n_classes - 1]


@kernel
def _first_best(gains, cut, n_cuts, tie):
    """Return the new cut that saves most."""
    best, t = -np.inf, -1
    for i in range(n_cuts):
        if not cut[i] and gains[i] > best + tie:
            best, t = gains[i], i
    return t

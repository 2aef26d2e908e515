"""Naive Bayes from logarithms of likelihoods that add up over features, fold by fold.

Sums over features have twice the precision (high + low, one number per test row and class), so that they do not depend
on the order in which features joined and left. Test rows are numbered fold after fold, those of fold f are
test[bounds[f]:bounds[f + 1]].
"""

from __future__ import annotations

import numpy as np

from fewer.core.kernels._jit import kernel

# Classes whose sums differ by less, relatively, are equal up to rounding.
SLACK = 1e-12


@kernel
def _put(high, low, v):
    """Return (high + low) + v in twice the precision."""
    s = high + v
    b = s - high
    e = low + ((high - (s - b)) + (v - b))
    r = s + e
    return r, e - (r - s)


@kernel
def _likelihood(mean, var, extra, f, j, n_classes, centre, scale, constant):
    """Fill what is needed of a Gaussian per class: its mean, its variance and -ln(2 pi variance) / 2."""
    for c in range(n_classes):
        centre[c] = mean[f, j, c]
        scale[c] = var[f, j, c] + extra
        constant[c] = -0.5 * np.log(2.0 * np.pi * scale[c])


@kernel
def add_gaussians(columns, features, sign, test, bounds, which, mean, var, extra, high, low):
    """Add sign times the log likelihoods of some features to the sums of the folds in which; extra[f] is smoothing."""
    n_classes = mean.shape[2]
    centre, scale, constant = np.empty(n_classes), np.empty(n_classes), np.empty(n_classes)
    for f in range(bounds.shape[0] - 1):
        if not which[f]:
            continue
        for j in features:
            _likelihood(mean, var, extra[f], f, j, n_classes, centre, scale, constant)
            for i in range(bounds[f], bounds[f + 1]):
                x = columns[j, test[i]]
                for c in range(n_classes):
                    t = constant[c] - 0.5 * (x - centre[c]) ** 2 / scale[c]
                    high[i, c], low[i, c] = _put(high[i, c], low[i, c], sign * t)


@kernel
def _largest_spread(spread, f, members, candidate, sign):
    """Return the largest variance in fold f of the members with (1) or without (-1) the candidate."""
    largest = spread[f, candidate] if sign > 0 else 0.0
    for j in members:
        if (sign >= 0 or j != candidate) and spread[f, j] > largest:
            largest = spread[f, j]
    return largest


@kernel
def _two_largest(row):
    """Return the places of the largest and of the second largest number."""
    first, second = 0, -1
    for c in range(1, row.shape[0]):
        if row[c] > row[first]:
            first, second = c, first
        elif second < 0 or row[c] > row[second]:
            second = c
    return first, second


@kernel
def _gaussians_differ(mean, var, prior, f, members, candidate, sign, a, b):
    """Return whether two classes differ in anything but rounding; if not, their sums are equal to the last bit."""
    if prior[f, a] != prior[f, b]:
        return True
    for j in members:
        if (sign >= 0 or j != candidate) and (mean[f, j, a] != mean[f, j, b] or var[f, j, a] != var[f, j, b]):
            return True
    return sign > 0 and (mean[f, candidate, a] != mean[f, candidate, b] or var[f, candidate, a] != var[f, candidate, b])


@kernel
def gaussian_answers(
    columns, members, candidates, sign, test, bounds, mean, var, spread, smoothing, extra, prior, high, low, out, doubt
):
    """Fill out[s, i, c] = log of prior and likelihood of class c when candidate s joins (sign 1) or leaves (-1).

    The variances are raised by smoothing times the largest variance of the subset. Where a candidate changes that, the
    sums, which hold for extra[f], are made again.
    """
    n_classes = mean.shape[2]
    centre, scale, constant = np.empty(n_classes), np.empty(n_classes), np.empty(n_classes)
    for f in range(bounds.shape[0] - 1):
        top, bottom = bounds[f], bounds[f + 1]
        hi, lo = np.empty((bottom - top, n_classes)), np.empty((bottom - top, n_classes))
        for s in range(candidates.shape[0]):
            j = max(candidates[s], 0)
            more = smoothing * _largest_spread(spread, f, members, j, sign)
            kept = more == extra[f] and more > 0.0
            if kept:
                hi[:], lo[:] = high[top:bottom], low[top:bottom]
            else:
                hi[:], lo[:] = 0.0, 0.0
                for m in members:
                    if sign < 0 and m == j:
                        continue
                    _likelihood(mean, var, more, f, m, n_classes, centre, scale, constant)
                    _add_rows(columns[m], test, top, bottom, 1.0, centre, scale, constant, hi, lo)
            if sign > 0 or (sign < 0 and kept):
                _likelihood(mean, var, more, f, j, n_classes, centre, scale, constant)
                _add_rows(columns[j], test, top, bottom, float(sign), centre, scale, constant, hi, lo)
            for i in range(top, bottom):
                row = out[s, i]
                for c in range(n_classes):
                    row[c] = hi[i - top, c] + (lo[i - top, c] + prior[f, c])
                    if prior[f, c] == -np.inf:
                        row[c] = -np.inf
                a, b = _two_largest(row)
                if b >= 0 and row[a] - row[b] <= SLACK * (1.0 + abs(row[a])) and not doubt[s, f]:
                    doubt[s, f] = _gaussians_differ(mean, var, prior, f, members, j, sign, a, b)


@kernel
def _add_rows(column, test, top, bottom, sign, centre, scale, constant, hi, lo):
    """Add sign times the log likelihoods of one feature to the sums of one fold."""
    for i in range(top, bottom):
        x = column[test[i]]
        for c in range(centre.shape[0]):
            t = constant[c] - 0.5 * (x - centre[c]) ** 2 / scale[c]
            hi[i - top, c], lo[i - top, c] = _put(hi[i - top, c], lo[i - top, c], sign * t)


@kernel
def add_levels(codes, offsets, features, sign, test, bounds, table, high, low):
    """Add sign times the log likelihoods of some features, table[f, offsets[j] + level], to the sums."""
    for f in range(bounds.shape[0] - 1):
        for j in features:
            for i in range(bounds[f], bounds[f + 1]):
                row = table[f, offsets[j] + codes[j, test[i]]]
                for c in range(row.shape[0]):
                    high[i, c], low[i, c] = _put(high[i, c], low[i, c], sign * row[c])


@kernel
def _levels_differ(codes, offsets, table, prior, f, i, members, candidate, sign, a, b):
    """Return whether two classes differ in anything but rounding for row i."""
    if prior[f, a] != prior[f, b]:
        return True
    for j in members:
        row = table[f, offsets[j] + codes[j, i]]
        if (sign >= 0 or j != candidate) and row[a] != row[b]:
            return True
    row = table[f, offsets[candidate] + codes[candidate, i]]
    return sign > 0 and row[a] != row[b]


@kernel
def level_answers(codes, offsets, members, candidates, sign, test, bounds, table, broken, prior, high, low, out, doubt):
    """Fill out[s, i, c] = log of prior and likelihood of class c when candidate s joins (sign 1) or leaves (-1).

    broken[f, j] tells that a test row of fold f has a level of feature j that the estimator does not know.
    """
    n_classes = table.shape[2]
    for f in range(bounds.shape[0] - 1):
        n_broken = 0
        for j in members:
            n_broken += broken[f, j]
        for s in range(candidates.shape[0]):
            j = max(candidates[s], 0)
            if n_broken + sign * broken[f, j] > 0:
                doubt[s, f] = True
            for i in range(bounds[f], bounds[f + 1]):
                row, terms = out[s, i], table[f, offsets[j] + codes[j, test[i]]]
                for c in range(n_classes):
                    hi, lo = _put(high[i, c], low[i, c], sign * terms[c])
                    row[c] = hi + (lo + prior[f, c])
                a, b = _two_largest(row)
                if b >= 0 and row[a] - row[b] <= SLACK * (1.0 + abs(row[a])) and not doubt[s, f]:
                    doubt[s, f] = _levels_differ(codes, offsets, table, prior, f, test[i], members, j, sign, a, b)


@kernel
def count_levels(codes, offsets, classes, weight, train, bounds, out):
    """Fill out[f, offsets[j] + level, class] with the weight of the training rows of fold f."""
    for f in range(bounds.shape[0] - 1):
        for j in range(codes.shape[0]):
            for t in range(bounds[f], bounds[f + 1]):
                i = train[t]
                out[f, offsets[j] + codes[j, i], classes[i]] += weight[i]

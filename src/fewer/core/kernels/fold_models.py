"""Columns as linear models read them, and what naive Bayes says of every row."""

from __future__ import annotations

import numpy as np

from fewer.core.kernels._jit import kernel


@kernel
def present_moments(X, weight, scale, total, mean, m2):
    """Fill weight, mean and squared deviations of the columns of X * scale, missing values left out; in two rounds."""
    for i in range(X.shape[0]):
        for j in range(X.shape[1]):
            if X[i, j] == X[i, j]:
                total[j] += weight[i]
                mean[j] += weight[i] * (X[i, j] * scale[j])
    for j in range(X.shape[1]):
        mean[j] /= total[j] if total[j] > 0.0 else 1.0
    for i in range(X.shape[0]):
        for j in range(X.shape[1]):
            if X[i, j] == X[i, j]:
                d = X[i, j] * scale[j] - mean[j]
                m2[j] += weight[i] * d * d


@kernel
def fill_design(X, source, level, scale, mean, width, out):
    """Fill out[i, e]: column source[e] less its mean in units of its width, 0 where missing; or whether it has a level.

    ``level[e]`` is -1 for numbers. Numbers are multiplied by ``scale`` first.
    """
    for i in range(X.shape[0]):
        for e in range(source.shape[0]):
            x = X[i, source[e]]
            if level[e] < 0:
                out[i, e] = (x * scale[e] - mean[e]) / width[e] if x == x else 0.0
            else:
                out[i, e] = ((1.0 if x == level[e] else 0.0) - mean[e]) / width[e]


@kernel
def linear_hits(told, part, weight, near, hits):
    """Add to hits[s, c] the weight of the rows of class c whose score told[i, s, c] is the highest of all classes.

    Of classes whose scores differ by less than ``near``, relative to their size, the first one is told.
    """
    for i in range(told.shape[0]):
        for s in range(told.shape[1]):
            best = -np.inf
            for c in range(told.shape[2]):
                best = max(best, told[i, s, c])
            line, first = best - near * (1.0 + abs(best)), 0
            while told[i, s, first] < line:
                first += 1
            if first == part[i]:
                hits[s, first] += weight[i]


@kernel
def _scored(codes, log_table, starts, order, start, stop, score):
    """Add to the scores what the levels of features ``start`` to ``stop`` of the order say; return the highest one."""
    for at in range(start, stop):
        line = starts[order[at]] + codes[order[at]]
        for c in range(score.shape[0]):
            score[c] += log_table[line, c]
    best = -np.inf
    for c in range(score.shape[0]):
        best = max(best, score[c])
    return best


@kernel
def bayes_hits(codes, fold, part, weight, log_table, starts, orders, sizes, log_prior, near, hits):
    """Add to hits[f, s, c] the weight of the rows of class c in fold f that the first sizes[s] features tell rightly.

    ``log_table`` (folds, all levels, classes) holds log-probabilities learned without the fold; of classes whose scores
    differ by less than ``near`` the first one is told.
    """
    n_classes = log_prior.shape[1]
    score = np.empty(n_classes)
    for i in range(codes.shape[0]):
        f, at = fold[i], 0
        for c in range(n_classes):
            score[c] = log_prior[f, c]
        for s in range(sizes.shape[0]):
            best = _scored(codes[i], log_table[f], starts, orders[f], at, sizes[s], score)
            at = sizes[s]
            told = 0
            while score[told] < best - near:
                told += 1
            if told == part[i]:
                hits[f, s, part[i]] += weight[i]


@kernel
def bayes_errors(codes, fold, value, weight, log_table, starts, orders, sizes, log_prior, centres, errors):
    """Add to errors[f, s, 0] the squared errors of the mean of the target that the first sizes[s] features tell.

    The target is known by bins: ``centres`` (folds, bins) are its means in them, and the bins have probabilities.
    """
    n_bins = log_prior.shape[1]
    score = np.empty(n_bins)
    for i in range(codes.shape[0]):
        f, at = fold[i], 0
        for c in range(n_bins):
            score[c] = log_prior[f, c]
        for s in range(sizes.shape[0]):
            best = _scored(codes[i], log_table[f], starts, orders[f], at, sizes[s], score)
            at = sizes[s]
            top, bottom = 0.0, 0.0
            for c in range(n_bins):
                p = np.exp(score[c] - best)
                top += p * centres[f, c]
                bottom += p
            d = value[i] - top / bottom
            errors[f, s, 0] += weight[i] * d * d

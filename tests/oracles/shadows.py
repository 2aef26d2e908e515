"""Shadow's decisions and the tests by permutation as the entries of docs/shadows.md tell them, with plain loops."""

from __future__ import annotations

import math
import statistics

import numpy as np


def at_least(hits, n):
    """Return the chance of at least so many heads in n throws of a coin."""
    return sum(math.comb(n, k) for k in range(hits, n + 1)) / 2**n


def at_most(hits, n):
    return sum(math.comb(n, k) for k in range(hits + 1)) / 2**n


def benjamini_hochberg(pvalues, alpha):
    """Return which hypotheses are rejected: up to the last sorted p-value that is at most its part of alpha."""
    order = sorted(range(len(pvalues)), key=lambda i: pvalues[i])
    last = max((k for k, i in enumerate(order, 1) if pvalues[i] <= k / len(pvalues) * alpha), default=0)
    return {i for k, i in enumerate(order, 1) if k <= last}


def shadow(importances_of, n_features, max_rounds, perc=100, alpha=0.05, two_step=True):
    """Return decision, hits, history and lines.

    ``importances_of(round, left)`` gives two lists: of the features that are left, and of the shadows.
    """
    decision, hits, history, lines = ["tentative"] * n_features, [0] * n_features, [], []
    while "tentative" in decision and len(lines) < max_rounds:
        left = [j for j in range(n_features) if decision[j] != "rejected"]
        real, shadows = importances_of(len(lines), left)
        line = percentile(shadows, perc)
        lines.append(line)
        history.append(dict(zip(left, real)))
        for j, value in zip(left, real):
            hits[j] += value > line
        n = len(lines)
        for verdict, tail in (("confirmed", at_least), ("rejected", at_most)):
            p = [tail(hits[j], n) for j in left]
            if two_step:
                first = benjamini_hochberg(p, alpha)
                passed = [j for i, j in enumerate(left) if i in first and p[i] <= alpha / n]
            else:
                passed = [j for i, j in enumerate(left) if p[i] <= alpha / n_features]
            for j in passed:
                if decision[j] == "tentative":
                    decision[j] = verdict
    return decision, hits, history, lines


def percentile(values, perc):
    """Return the percentile, linear between the two nearest of the sorted values."""
    ordered = sorted(values)
    at = (len(ordered) - 1) * perc / 100
    low, high = math.floor(at), math.ceil(at)
    return ordered[low] + (ordered[high] - ordered[low]) * (at - low)


def shadow_ranks(decision, history, lines):
    """Return which tentative features are likely, and the rank of every feature."""
    n_features = len(decision)
    tentative = [j for j in range(n_features) if decision[j] == "tentative"]
    likely = {j for j in tentative if statistics.median([row[j] for row in history]) > statistics.median(lines)}
    others = [j for j in range(n_features) if decision[j] != "confirmed" and j not in likely]
    places = {j: [] for j in others}
    for row in history:
        here = {j: row[j] for j in others if j in row}
        for j in here:
            better, equal = (sum(v > here[j] for v in here.values()), sum(v == here[j] for v in here.values()))
            places[j].append(better + (equal + 1) / 2)
    medians = {j: statistics.median(places[j]) for j in others}
    first = 3 if likely else 2
    ranks = [1.0 if decision[j] == "confirmed" else 2.0 for j in range(n_features)]
    averaged = {
        j: sum(m < medians[j] for m in medians.values()) + (sum(m == medians[j] for m in medians.values()) + 1) / 2
        for j in others
    }
    for j in others:
        ranks[j] = averaged[j] - min(averaged.values()) + first
    return likely, ranks


def null_pvalue(actual, nulls):
    """Return the p-value of an importance among those of permuted targets; ties speak against the feature."""
    return (1 + sum(null >= actual for null in nulls)) / (1 + len(nulls))


def tree_test(differences):
    """Return z and the one-sided p-value of the loss of accuracy of all trees, given as rows."""
    out = []
    for column in np.asarray(differences).T.tolist():
        mean, n = sum(column) / len(column), len(column)
        spread = math.sqrt(sum((d - mean) ** 2 for d in column) / (n - 1))
        z = mean / (spread / math.sqrt(n)) if spread > 0 else 0.0
        out.append((z, 0.5 * math.erfc(z / math.sqrt(2)) if spread > 0 else 1.0))
    return out

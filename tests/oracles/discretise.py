"""Slow and obvious discretizers."""

from __future__ import annotations

from bisect import bisect_left
from fractions import Fraction
from math import ceil, log, log2, pi, sqrt

import numpy as np


def codes(column, edges, states, missing_code):
    edges = list(edges)
    return [missing_code if x != x else int(states[bisect_left(edges, x)]) for x in column]


def equal_frequency_edges(values, bins, weight=None):
    pairs = sorted(
        (float(x) + 0.0, 1 if weight is None else Fraction(float(w)))
        for x, w in zip(values, [1] * len(values) if weight is None else weight)
        if x == x and w > 0
    )
    if not pairs:
        return []
    distinct = sorted({x for x, _ in pairs})
    if len(distinct) <= bins:
        return distinct[:-1]
    total = sum(w for _, w in pairs)
    quantiles = []
    for k in range(1, bins + 1):
        reached = 0
        for x, w in pairs:
            reached += w
            if reached * bins >= k * total:
                quantiles.append(x)
                break
    edges = set(quantiles)
    for x in set(quantiles):
        # A value in which several quantiles meet is a level of its own: what is below it is cut off too.
        if quantiles.count(x) > 1 and x > distinct[0]:
            edges.add(max(other for other in distinct if other < x))
    return sorted(edges - {distinct[-1]})


def equal_width_edges(values, bins):
    values = [x for x in values if x == x]
    if not values:
        return []
    low, high = min(values), max(values)
    return sorted({e for e in (low + k * (high - low) / bins for k in range(1, bins)) if e < high})


def sigma_levels(values, width, ddof):
    """Levels -1, 0, 1 as the book numbers them (ch. 17, section 17.3.2); None for a missing value."""
    present = [x for x in values if x == x]
    mean = sum(present) / len(present)
    sigma = sqrt(sum((x - mean) ** 2 for x in present) / (len(present) - ddof))
    return [
        None if x != x else -1 if x < mean - width * sigma else 1 if x > mean + width * sigma else 0 for x in values
    ]


def entropy(classes):
    """Return the entropy in bits."""
    shares = [classes.count(c) / len(classes) for c in set(classes)]
    return -sum(p * log2(p) for p in shares)


def mdl_edges(values, classes):
    """Fayyad and Irani (1993), section 4: recursion, information in bits."""
    pairs = sorted((x, c) for x, c in zip(values, classes) if x == x)
    values, classes = [x for x, _ in pairs], [c for _, c in pairs]
    n = len(values)
    best, cut = None, None
    for i in range(1, n):
        if values[i] > values[i - 1]:
            parts = (i * entropy(classes[:i]) + (n - i) * entropy(classes[i:])) / n
            if best is None or parts < best - 1e-12 * log2(n):
                best, cut = parts, i
    if cut is None:
        return []
    left, right = classes[:cut], classes[cut:]
    k, k1, k2 = len(set(classes)), len(set(left)), len(set(right))
    delta = log2(3**k - 2) - (k * entropy(classes) - k1 * entropy(left) - k2 * entropy(right))
    if entropy(classes) - best <= (log2(n - 1) + delta) / n:
        return []
    edge = (values[cut - 1] + values[cut]) / 2
    return [*mdl_edges(values[:cut], left), edge, *mdl_edges(values[cut:], right)]


def log_density(x, mean, variance):
    return -0.5 * (log(2 * pi * variance) + (x - mean) ** 2 / variance)


def mixture_likelihood(x, weight, mean, variance):
    parts = np.stack([np.log(w) + log_density(x, m, v) for w, m, v in zip(weight, mean, variance)])
    return float(np.logaddexp(*parts).sum())


def fit_mixture(x, n_iter, floor=1e-3):
    """Two-Gaussian EM from the median and the quartiles, a fixed number of steps, best likelihood (eq. 6.1-6.2)."""
    x = np.sort(x[x == x])
    least = floor * x.var()
    best = (-np.inf, None, None, None)
    for share in (0.5, 0.25, 0.75):
        at = x[ceil(share * len(x)) - 1]
        upper = x > at if at < x[-1] else x >= at
        posterior = np.stack([~upper, upper]).astype(float)
        for step in range(n_iter + 1):
            total = posterior.sum(axis=1)
            weight, mean = total / len(x), posterior @ x / total
            variance = [max(p @ (x - m) ** 2 / t, least) for p, m, t in zip(posterior, mean, total)]
            if step < n_iter:
                parts = np.stack([np.log(w) + log_density(x, m, v) for w, m, v in zip(weight, mean, variance)])
                posterior = np.exp(parts - np.logaddexp(*parts))
        likelihood = mixture_likelihood(x, weight, mean, variance)
        if likelihood > best[0] + 1e-9:
            order = np.argsort(mean, kind="stable")
            best = (likelihood, weight[order], mean[order], np.array(variance)[order])
    return best

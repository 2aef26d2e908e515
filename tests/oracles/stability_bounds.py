"""The bounds of stability selection as the papers print them, and slow searches where they say no formula."""

from __future__ import annotations

import math

import numpy as np


def meinshausen_buhlmann(threshold, q, p):
    """Theorem 1 of Meinshausen and Buhlmann: E[V] <= q^2 / ((2 pi - 1) p)."""
    return 1 / (2 * threshold - 1) * q**2 / p


def unimodal(threshold, q, p, n_pairs):
    """Theorem 2 of Shah and Samworth: C(tau, B) theta q with theta = q / p; None where it does not hold."""
    theta = q / p
    lowest = min(0.5 + theta**2, 0.5 + 1 / (2 * n_pairs) + 3 / 4 * theta**2)
    if theta > 1 / math.sqrt(3) or not lowest < threshold <= 1:
        return None
    if threshold <= 3 / 4:
        c = 1 / (2 * (2 * threshold - 1 - 1 / (2 * n_pairs)))
    else:
        c = 4 * (1 - threshold + 1 / (2 * n_pairs)) / (1 + 1 / n_pairs)
    return c * theta * q


def tail_by_grid(mean, at_least, n, r, n_grid=300):
    """Return the largest tail among weights (a + i)^(1/r) on 0..k with a smaller one at k + 1, for a grid of a."""
    best, target = 0.0, mean * n

    def weights_of(a, k):
        return [(1 + i / a) ** (1 / r) for i in range(k + 1)]

    def right(k):
        """Return a for which the weights on 0..k have the mean, by halving; none is too large if the mean is low."""
        low, high = 1e-9, 1e9
        for _ in range(200):
            middle = math.sqrt(low * high)
            weights = weights_of(middle, k)
            too_far = sum(i * w for i, w in enumerate(weights)) > target * sum(weights)
            low, high = (low, middle) if too_far else (middle, high)
        return low

    for k in range(n):
        # The weight at k + 1 is between 0 and what continues the others.
        for a in np.geomspace(right(k + 1), right(k) if k > 2 * target else 1e9, n_grid).tolist():
            weights = weights_of(a, k)
            total, first = sum(weights), sum(i * w for i, w in enumerate(weights))
            last = (target * total - first) / (k + 1 - target) if k + 1 > target else -1.0
            if -1e-12 <= last <= (1 + (k + 1) / a) ** (1 / r) * (1 + 1e-9):
                weights.append(last)
                best = max(best, sum(weights[at_least:]) / sum(weights))
    return best


def r_concave_weights(rng, n, r):
    """Return random weights f on 0..n with f^r convex, some of them 0 at the end."""
    slopes = np.sort(rng.exponential(size=n) * rng.choice([0.1, 1.0, 10.0]) - rng.choice([0.0, 0.3]))
    convex = 0.05 + rng.exponential() + np.concatenate([[0.0], np.cumsum(slopes)])
    convex = np.maximum(convex - min(convex.min(), 0.0), 0.02)
    # The largest of convex functions is convex; the end is where f is 0.
    weights = convex ** (1 / r)
    weights[int(rng.integers(2, n + 2)) :] = 0.0
    return weights / weights.sum()


def artificial_threshold(real, artificial, steps):
    """Return threshold and estimated fraction of false features, the smallest of them, of equal ones the largest."""
    best = (math.inf, 0.0)
    for t in steps:
        fraction = (1 + sum(f >= t for f in artificial)) / max(1, sum(f >= t for f in real))
        if fraction <= best[0]:
            best = (fraction, t)
    return best[1], best[0]

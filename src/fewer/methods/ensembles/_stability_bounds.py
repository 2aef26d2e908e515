"""Bounds on the number of falsely selected features of stability selection, as published.

``p`` features, of which every half-sample selects ``q`` on average; theta = q / p. A feature is selected if at least
the fraction ``threshold`` of the half-samples selects it. V counts selected features that a half-sample selects with a
probability of at most theta; noise is such if it is selected no more often than by chance.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from scipy.optimize import brentq, minimize_scalar

from fewer.core.records.errors import ParameterError

BOUNDS = ("markov", "unimodal", "r_concave")
# Where the weights of a tail are as good as equal.
FAR = 1e6


def expected_false(threshold: float, q: float, p: int, n_pairs: int, bound: str) -> float:
    """Return the bound on E[V], infinite where it says nothing.

    Parameters
    ----------
    threshold : float
        Fraction of the 2 ``n_pairs`` half-samples.
    q : float
        Features that a half-sample selects.
    p : int
        All features.
    n_pairs : int
        Complementary pairs of half-samples.
    bound : {"markov", "unimodal", "r_concave"}
        Theorem 1 of Meinshausen and Buhlmann, which is also (7) of Shah and Samworth; their Theorem 2; their (8).
    """
    if bound == "r_concave":
        return _r_concave(threshold, q, p, n_pairs)
    found = _unimodal(threshold, q, p, n_pairs) if bound == "unimodal" else np.inf
    # What holds without an assumption holds with one, too.
    return _markov(threshold, q, p) if np.isinf(found) else found


def _markov(threshold: float, q: float, p: int) -> float:
    """q^2 / ((2 tau - 1) p)."""
    return q**2 / ((2 * threshold - 1) * p) if threshold > 0.5 else np.inf


def _unimodal(threshold: float, q: float, p: int, n_pairs: int) -> float:
    """C(tau, B) q^2 / p, Theorem 2 of Shah and Samworth, for theta <= 1 / sqrt(3)."""
    theta, half = q / p, 1 / (2 * n_pairs)
    if theta > 1 / np.sqrt(3) or threshold <= min(0.5 + theta**2, 0.5 + half + 0.75 * theta**2):
        return np.inf
    if threshold <= 0.75:
        # The first case holds from 1/2 + 1/B on.
        return q**2 / p / (2 * (2 * threshold - 1 - half)) if 2 * threshold - 1 > half else np.inf
    return q**2 / p * 4 * (1 - threshold + half) / (1 + 1 / n_pairs)


def _r_concave(threshold: float, q: float, p: int, n_pairs: int) -> float:
    """Return min(D(theta^2, 2 tau - 1, B, -1/2), D(theta, tau, 2 B, -1/4)) p, (8) of Shah and Samworth."""
    theta = q / p
    # Both selected at once at least 2 tau - 1 of the time; rounding must not add a step.
    together, each = (int(np.ceil(np.round(x, 9))) for x in ((2 * threshold - 1) * n_pairs, threshold * 2 * n_pairs))
    tails = largest_tail(theta**2, together, n_pairs, -0.5), largest_tail(theta, each, 2 * n_pairs, -0.25)
    return float(min(1.0, *tails) * p)


def largest_tail(mean: float, at_least: int, n: int, r: float) -> float:
    """Return the largest P(X >= at_least / n) of r-concave X on 0, 1/n, ..., 1 with a mean of at most ``mean``.

    It is reached by weights (a + i)^(1/r) for i = 0, ..., k, and a smaller weight at k + 1 that makes the mean right;
    k and a are searched (appendix of Shah and Samworth).
    """
    target = mean * n
    if at_least <= 0:
        return 1.0
    if at_least > n:
        return 0.0
    # Equal weights on 0 to k have the mean k / 2: smaller k cannot have the mean that is wanted.
    first = int(np.floor(2 * target)) + 1
    if at_least < first:
        return 1.0
    best = 0.0
    upper = FAR
    for k in range(first, n + 1):
        # With weights on 0 to k alone the mean is right at this a; larger k need smaller ones.
        a = _start(k, target, r, upper)
        best = max(best, _tail(a, k - 1, target, at_least, r))
        if k < n:
            lower = _start(k + 1, target, r, a)
            found = minimize_scalar(
                lambda a, k=k: -_tail(a, k, target, at_least, r), bounds=(lower, a), method="bounded"
            )
            best = max(best, -float(found.fun), _tail(lower, k, target, at_least, r))
        upper = a
    return min(best, 1.0)


def _start(k: int, target: float, r: float, upper: float) -> float:
    """Return a, for which the weights (a + i)^(1/r) on 0 to k have their mean at the target."""
    places = np.arange(k + 1)

    def beyond(a: float) -> float:
        weights = (1 + places / a) ** (1 / r)
        return float((places * weights).sum() / weights.sum() - target)

    low = 1e-12
    if beyond(low) > 0:
        return low
    return upper if beyond(upper) < 0 else float(brentq(beyond, low, upper, xtol=1e-14, rtol=1e-12))


def _tail(a: float, k: int, target: float, at_least: int, r: float) -> float:
    """Return the tail of the weights on 0 to k with what is needed at k + 1 for the mean."""
    if at_least > k + 1:
        return 0.0
    places = np.arange(k + 1)
    weights = (1 + places / a) ** (1 / r)
    total = ((k + 1 - places) * weights).sum() / (k + 1 - target)
    return float(1 - weights[:at_least].sum() / total)


@cache
def threshold_for(pfer: float, q: float, p: int, n_pairs: int, bound: str, where: str) -> float:
    """Return the smallest threshold, a number of half-samples by their number, that bounds E[V] by ``pfer``."""
    steps = np.arange(n_pairs + 1, 2 * n_pairs + 1) / (2 * n_pairs)
    # The bounds fall with the threshold.
    low, high = 0, len(steps)
    while low < high:
        middle = (low + high) // 2
        if expected_false(float(steps[middle]), q, p, n_pairs, bound) <= pfer:
            high = middle
        else:
            low = middle + 1
    if low == len(steps):
        least = expected_false(1.0, q, p, n_pairs, bound)
        raise ParameterError(
            f"{where} got pfer={pfer:g}, but with {q:g} of {p} features per half no threshold bounds the expected "
            f"number of false ones below {least:.3g}; give a smaller q or a larger pfer."
        )
    return float(steps[low])


def q_for(pfer: float, p: int, threshold: float = 0.9) -> int:
    """Return the largest q whose bound by Meinshausen and Buhlmann at a threshold is at most ``pfer``; at least 1."""
    # 2 * 0.7 - 1 is a little below 0.4 in binary.
    return int(np.clip(np.floor(np.sqrt((2 * threshold - 1) * p * pfer) + 1e-9), 1, p))

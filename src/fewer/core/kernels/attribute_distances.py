"""Distances between rows in which every row weighs the columns in its own way."""

from __future__ import annotations

import numpy as np

from fewer.core.kernels._jit import kernel

# What has underflowed to 0 is nothing beside a sum above this.
SURE = 1e-280


@kernel
def _soft_least(gaps, log_weights, eta):
    """Return -eta ln sum_l w_l exp(-gaps_l / eta), with the largest term taken out."""
    top = -np.inf
    for j in range(gaps.shape[0]):
        top = max(top, log_weights[j] - gaps[j] / eta)
    total = 0.0
    for j in range(gaps.shape[0]):
        total += np.exp(log_weights[j] - gaps[j] / eta - top)
    return -eta * (top + np.log(total))


@kernel
def _mild(gaps, mine, theirs, least, eta):
    """Return the larger soft distance where exponentials are near 1, and only their differences from it can be told."""
    here, there = 0.0, 0.0
    for a in range(gaps.shape[0]):
        below = np.expm1((least - gaps[a]) / eta)
        here += mine[a] * below
        there += theirs[a] * below
    return least - eta * np.log1p(min(here, there))


@kernel
def soft_distances(X, weights, log_weights, eta, out):
    """Fill out (pairs i < j, row by row) with the larger of the distances by the weights of either row."""
    n, d = X.shape
    gaps = np.empty(d)
    place = 0
    for i in range(n):
        for j in range(i + 1, n):
            least, most = np.inf, 0.0
            for a in range(d):
                gaps[a] = abs(X[i, a] - X[j, a])
                least, most = min(least, gaps[a]), max(most, gaps[a])
            if most - least < 0.5 * eta:
                out[place] = _mild(gaps, weights[i], weights[j], least, eta)
                place += 1
                continue
            # The exponentials are the same for both rows; only their sums differ.
            mine, theirs = 0.0, 0.0
            for a in range(d):
                near = np.exp((least - gaps[a]) / eta)
                mine += weights[i, a] * near
                theirs += weights[j, a] * near
            if min(mine, theirs) > SURE:
                far = least - eta * np.log(min(mine, theirs))
            else:
                far = max(_soft_least(gaps, log_weights[i], eta), _soft_least(gaps, log_weights[j], eta))
            # Rounding must not make a distance negative.
            out[place] = max(0.0, far)
            place += 1

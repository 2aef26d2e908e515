"""Distances between rows in which every row weighs the columns in its own way."""

from __future__ import annotations

import numpy as np

from fewer.core.kernels._jit import kernel


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
def soft_distances(X, log_weights, eta, out):
    """Fill out (pairs i < j, row by row) with the larger of the distances by the weights of either row."""
    n, d = X.shape
    gaps = np.empty(d)
    place = 0
    for i in range(n):
        for j in range(i + 1, n):
            for a in range(d):
                gaps[a] = abs(X[i, a] - X[j, a])
            mine = _soft_least(gaps, log_weights[i], eta)
            # Rounding must not make a distance negative.
            out[place] = max(0.0, mine, _soft_least(gaps, log_weights[j], eta))
            place += 1

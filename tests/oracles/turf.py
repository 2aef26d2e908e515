"""Elimination as a plain loop over whole data sets."""

from __future__ import annotations

import math

import numpy as np


def eliminate(score, X, n_kept, drop):
    """Return the features that stay, best first, the others in the order in which they left, and the last scores."""
    left = list(range(X.shape[1]))
    gone, last = [], [math.nan] * X.shape[1]
    while True:
        for j, s in zip(left, score(X[:, left])):
            last[j] = float(s)
        if len(left) <= n_kept:
            break
        wanted = drop if isinstance(drop, int) else math.floor(drop * len(left) + 1e-9)
        for _ in range(max(1, wanted)):
            if len(left) > n_kept:
                worst = min(left, key=lambda j: (last[j], -j))
                left.remove(worst)
                gone.append(worst)
    return sorted(left, key=lambda j: (-last[j], j)), gone, np.array(last)

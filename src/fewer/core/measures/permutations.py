"""P-values by random permutations of the target: as many as are needed, the same ones for all features."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

# Permutations after which a feature is looked at; more are drawn while fewer than ENOUGH of them reach its statistic.
STAGES, ENOUGH = (999, 9_999, 99_999), 20
# Permuted targets that are held at once, in numbers.
NUMBERS_AT_ONCE = 2**21
# Statistics that differ by less than this fraction are equal.
SAME = 1e-9

Statistics = Callable[[np.ndarray, np.ndarray], np.ndarray]


def permutation_pvalues(
    n_rows: int, observed: np.ndarray, statistics: Statistics, approximate: np.ndarray | None = None
) -> np.ndarray:
    """Return (permutations that reach the statistic + 1) / (permutations + 1), the smallest being 1e-5.

    Parameters
    ----------
    n_rows : int
        How many rows are permuted.
    observed : ndarray of shape (n_features,)
        The statistics, larger is more extreme.
    statistics : callable
        Given numbers of features and orders of the rows, (n_orders, n_rows), returns the statistics with the target in
        these orders, (n_features, n_orders).
    approximate : ndarray of shape (n_features,), optional
        P-values of an approximation, which is believed where it is smaller and no permutation reaches the statistic.
    """
    rng, limits = np.random.default_rng(0), observed - SAME * np.abs(observed)
    out, reached, done = np.ones(len(observed)), np.zeros(len(observed), np.int64), 0
    left = np.arange(len(observed))
    at_once = max(1, NUMBERS_AT_ONCE // max(1, n_rows))
    for stage in STAGES:
        while done < stage:
            n = min(at_once, stage - done)
            orders = rng.permuted(np.tile(np.arange(n_rows), (n, 1)), axis=1)
            reached[left] += (statistics(left, orders) >= limits[left, None]).sum(axis=1)
            done += n
        out[left] = (reached[left] + 1.0) / (stage + 1.0)
        left = left[reached[left] < ENOUGH]
        if not len(left):
            break
    if approximate is not None:
        none = left[reached[left] == 0]
        out[none] = np.minimum(out[none], approximate[none])
    return out

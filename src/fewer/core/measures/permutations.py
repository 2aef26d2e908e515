"""P-values by permutations of the target: all if they are few, else as many random ones as are needed."""

from __future__ import annotations

from collections.abc import Callable
from math import lgamma

import numpy as np
from scipy.special import gammaincc

from fewer.core.kernels.shuffles import first_of_shuffles

# Permutations after which a feature is looked at; more are drawn while fewer than ENOUGH of them reach its statistic.
STAGES, ENOUGH = (999, 9_999, 99_999), 20
# Permuted targets that are held at once, in numbers.
NUMBERS_AT_ONCE = 2**21
# Statistics that differ by less than this fraction are equal.
SAME = 1e-9
# Orders of a target that are all tried: at first, and of features whose statistic few random ones reach.
ORDERS_AT_FIRST, MOST_ORDERS = 2_000, 20_000

Statistics = Callable[[np.ndarray, np.ndarray], np.ndarray]


def permutation_pvalues(
    target: np.ndarray,
    observed: np.ndarray,
    statistics: Statistics,
    approximate: np.ndarray | None = None,
    width: int | None = None,
    most: int = STAGES[-1],
) -> np.ndarray:
    """Return the fraction of permutations that reach the statistic.

    It is that of all of them if the target has at most 2,000 orders, or 20,000 and the fraction is small. Of random
    ones it is (those that reach the statistic + 1) / (their number + 1), the smallest being 1e-5 by default.

    Parameters
    ----------
    target : ndarray of shape (n_rows,)
        What is permuted; equal values may be exchanged.
    observed : ndarray of shape (n_features,)
        The statistics, larger is more extreme; of none 0 or less on average.
    statistics : callable
        Given numbers of features and orders of the rows, (n_orders, width), returns the statistics with the target in
        these orders, (n_features, n_orders).
    approximate : ndarray of shape (n_features,), optional
        P-values of an approximation. Where no permutation reaches the statistic, the larger one of these and of the
        gamma distribution with the mean and variance of what was drawn is believed, if it is less than 1e-5.
    width : int, optional
        How many places of an order matter, of all rows as a rule.
    most : int, default=99999
        The largest number of random permutations: 999, 9,999 or 99,999.
    """
    stages = [stage for stage in STAGES if stage <= most]
    limits, left = observed - SAME * np.abs(observed), np.arange(len(observed))
    width = len(target) if width is None else width
    every = all_orders(target)
    if every is not None and len(every) <= ORDERS_AT_FIRST:
        return _of_all(every[:, :width], left, limits, statistics)
    rng, state, done = np.random.default_rng(0), np.arange(len(target)), 0
    out, reached, sums = np.ones(len(observed)), np.zeros(len(observed), np.int64), np.zeros((2, len(observed)))
    at_once = max(1, NUMBERS_AT_ONCE // max(1, width, len(observed)))
    for stage in stages:
        while done < stage:
            n = min(at_once, stage - done)
            orders = np.empty((n, width), np.int64)
            first_of_shuffles(state, rng.random((n, width)), orders)
            drawn = statistics(left, orders)
            reached[left] += (drawn >= limits[left, None]).sum(axis=1)
            sums[:, left] += drawn.sum(axis=1), (drawn**2).sum(axis=1)
            done += n
        out[left] = (reached[left] + 1.0) / (stage + 1.0)
        left = left[reached[left] < ENOUGH]
        if every is not None or not len(left):
            break
    if every is not None:
        out[left] = _of_all(every[:, :width], left, limits[left], statistics)
    elif approximate is not None:
        none = left[reached[left] == 0]
        mean, square = sums[0, none] / done, sums[1, none] / done
        beyond = np.maximum(approximate[none], _gamma_tails(mean, square, observed[none]))
        out[none] = np.minimum(out[none], beyond)
    return out


def _of_all(orders: np.ndarray, features: np.ndarray, limits: np.ndarray, statistics: Statistics) -> np.ndarray:
    """Return the fraction of all orders that reach the limits."""
    step = max(1, NUMBERS_AT_ONCE // len(orders))
    out = np.empty(len(features))
    for a in range(0, len(features), step):
        found = statistics(features[a : a + step], orders)
        out[a : a + step] = (found >= limits[a : a + step, None]).mean(axis=1)
    return out


def all_orders(target: np.ndarray) -> np.ndarray | None:
    """Return all orders of a target that differ, as places of its values, (n_orders, n_rows); None of too many."""
    _, places, sizes = np.unique(target, return_index=True, return_counts=True)
    if lgamma(len(target) + 1.0) - sum(lgamma(size + 1.0) for size in sizes) > np.log(MOST_ORDERS + 0.5):
        return None
    orders, left = np.empty((1, 0), np.int64), sizes[None, :]
    for _ in range(len(target)):
        row, value = np.nonzero(left)
        orders, left = np.column_stack([orders[row], places[value]]), left[row]
        left[np.arange(len(row)), value] -= 1
    return orders


def _gamma_tails(mean: np.ndarray, square: np.ndarray, observed: np.ndarray) -> np.ndarray:
    """Return the tails of gamma distributions with these moments; 1 where there are none."""
    variance = square - mean**2
    known = (mean > 0.0) & (variance > 1e-12 * square)
    rate = np.divide(mean, variance, out=np.zeros(len(mean)), where=known)
    return np.where(known, gammaincc(np.where(known, mean * rate, 1.0), observed * rate), 1.0)

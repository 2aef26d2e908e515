"""One order out of several: Borda, median, Kemeny and robust rank aggregation.

Ranks are (n_lists, n_features), 1 is best, equal ones share their mean rank, and NaN stands for a feature that a list
does not rank.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.stats

# Up to so many features all lists are beginnings of the search for Kemeny's order, beyond only the best of them.
FEW = 100
# Up to so many lists p-values are exact.
MOST_LISTS = 30


def filled_ranks(ranks: np.ndarray) -> np.ndarray:
    """Return ranks in which features that a list does not rank share the mean of the ranks that are left."""
    ranks = np.array(ranks, dtype=np.float64, ndmin=2)
    p, known = ranks.shape[1], (~np.isnan(ranks)).sum(axis=1)
    return np.where(np.isnan(ranks), ((known + 1 + p) / 2.0)[:, None], ranks)


def borda_points(ranks: np.ndarray, weights: np.ndarray | None = None) -> np.ndarray:
    """Return the fraction of the other features that a feature is ranked before, the mean over all lists."""
    return points(np.average(filled_ranks(ranks), axis=0, weights=weights))


def median_points(ranks: np.ndarray, weights: np.ndarray | None = None) -> np.ndarray:
    """Return the fraction of the other features that a feature is before by the median of its ranks.

    Where a rank and the next one divide the weights in two halves, the median is the mean of the two.
    """
    ranks = filled_ranks(ranks)
    weights = np.ones(len(ranks)) if weights is None else np.asarray(weights, dtype=np.float64)
    order = np.argsort(ranks, axis=0, kind="stable")
    rising, half = np.take_along_axis(ranks, order, axis=0), weights.sum() / 2.0
    sums = np.cumsum(weights[order], axis=0)
    # Sums of weights are compared as numbers that were rounded.
    low = (sums < half * (1 - 1e-12)).sum(axis=0)
    high = np.minimum((sums <= half * (1 + 1e-12)).sum(axis=0), len(ranks) - 1)
    columns = np.arange(ranks.shape[1])
    return points((rising[low, columns] + rising[high, columns]) / 2.0)


def points(ranks: np.ndarray) -> np.ndarray:
    """Return ranks as numbers from 1 for the best to 0 for the last."""
    return (len(ranks) - ranks) / max(len(ranks) - 1, 1)


@dataclass(frozen=True, eq=False)
class Kemeny:
    """An order with little disagreement: weights of pairs that lists put the other way round.

    Attributes
    ----------
    order : ndarray of int
        The features, best first.
    disagreement : float
        Sum over all pairs of the weights of the lists that contradict the order.
    bound : float
        Sum over all pairs of the weights of the minority: no order has less. Equal to `disagreement`: none is better.
    """

    order: np.ndarray
    disagreement: float
    bound: float


def kemeny(ranks: np.ndarray, weights: np.ndarray | None = None) -> Kemeny:
    """Return an order of little disagreement with all lists, found by local search.

    The search begins with the order of Borda's points and with the lists themselves (beyond 100 features with the list
    of least disagreement), and moves single features to where they disagree least until none wants to move; the best
    end is taken. A list that ranks two features alike, or neither of them, contradicts no order of the two.
    """
    ranks = filled_ranks(ranks)
    before = preferences(ranks, weights)
    lists = [np.argsort(row, kind="stable") for row in ranks]
    if ranks.shape[1] > FEW:
        lists = [min(lists, key=lambda order: disagreement(order, before))]
    begin = {
        tuple(order.tolist()): order for order in (np.argsort(-borda_points(ranks, weights), kind="stable"), *lists)
    }
    ends = [settled_order(order, before) for order in begin.values()]
    costs = [disagreement(order, before) for order in ends]
    best = int(np.argmin(costs))
    return Kemeny(ends[best], costs[best], float(np.triu(np.minimum(before, before.T), 1).sum()))


def preferences(ranks: np.ndarray, weights: np.ndarray | None = None) -> np.ndarray:
    """Return the weight of the lists that put feature i before feature j, (n_features, n_features)."""
    weights = np.ones(len(ranks)) if weights is None else weights
    out = np.zeros((ranks.shape[1], ranks.shape[1]))
    for row, weight in zip(ranks, weights):
        out += weight * (row[:, None] < row)
    return out


def disagreement(order: np.ndarray, before: np.ndarray) -> float:
    """Return the weight of all pairs that lists put the other way round."""
    return float(np.tril(before[np.ix_(order, order)], -1).sum())


def settled_order(order: np.ndarray, before: np.ndarray) -> np.ndarray:
    """Return an order in which no single feature wants to be elsewhere."""
    order, least = np.array(order), 1e-9 * max(float(before.max(initial=0.0)), 1e-300)
    after, moved = np.ascontiguousarray(before.T), True
    while moved:
        moved = False
        for x in np.array(order):
            at = int(np.flatnonzero(order == x)[0])
            rest = np.delete(order, at)
            # Before place k, features that x should precede count; from k on, those that should precede x.
            ahead = np.append(0.0, np.cumsum(before[x, rest]))
            behind = np.append(0.0, np.cumsum(after[x, rest]))
            costs = ahead + behind[-1] - behind
            to = int(np.argmin(costs))
            if costs[to] < costs[at] - least:
                order, moved = np.insert(rest, to, x), True
    return order


def robust_ranks(ranks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return rho and its p-value of every feature (Kolde et al. 2012).

    Sorted ranks divided by the number of features are compared with those of random lists: the k-th of n is at most x
    with the probability of a beta distribution with k and n - k + 1. rho is the least of these probabilities. The
    p-value is that of a rho as small or smaller if the n lists are independent and random, by the exact distribution of
    ordered uniform numbers up to 30 lists; beyond, its upper bound n rho. A feature that a list does not rank is last.
    """
    ranks = np.array(ranks, dtype=np.float64, ndmin=2)
    n, p = ranks.shape
    r = np.sort(np.where(np.isnan(ranks), 1.0, ranks / p), axis=0)
    k = np.arange(1, n + 1)[:, None]
    rho = scipy.stats.beta.cdf(r, k, n - k + 1).min(axis=0)
    if n > MOST_LISTS:
        return rho, np.minimum(n * rho, 1.0)
    values, at = np.unique(rho, return_inverse=True)
    return rho, crossing_chance(values, n)[at]


def crossing_chance(rho: np.ndarray, n: int) -> np.ndarray:
    """Return the probability that the least of the n beta probabilities of n uniform numbers is at most rho.

    The number of them up to the k-th bound is a Markov chain; the chances that it reaches k for the first time at the
    k-th bound are added up, all of them positive, so that small ones lose no digits.
    """
    k = np.arange(1, n + 1)
    bounds = scipy.stats.beta.ppf(rho[:, None], k, n - k + 1)
    # With chance state[:, m] there are m numbers up to the last bound, and no bound was reached.
    state, last, out = np.zeros((len(rho), n + 1)), np.zeros(len(rho)), np.zeros(len(rho))
    state[:, 0] = 1.0
    for step in range(n):
        share = np.clip((bounds[:, step] - last) / np.maximum(1.0 - last, 1e-300), 0.0, 1.0)
        moved = np.zeros_like(state)
        for m in range(step + 1):
            more = np.arange(n - m + 1)
            chance = state[:, m, None] * scipy.stats.binom.pmf(more, n - m, share[:, None])
            moved[:, m:] += chance
        out += moved[:, step + 1 :].sum(axis=1)
        moved[:, step + 1 :] = 0.0
        state, last = moved, bounds[:, step]
    return np.minimum(out, 1.0)

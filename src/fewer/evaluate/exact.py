"""P-values of all orders of the methods, or of all signs of the differences, alike probable if nothing differs."""

from __future__ import annotations

from itertools import permutations
from math import factorial, prod

import numpy as np

# More methods have too many orders to try, and more states take longer than a blink.
MOST_METHODS, MOST_STATES = 5, 100_000
# Ranks that are shuffled where orders are too many to try: so many in all, so often, and again if few draws reach.
MOST_SHUFFLED, DRAWS, ENOUGH, NUMBERS_AT_ONCE = 100, (9_999, 99_999), 20, 2**20
# The exact distribution of signed ranks and the normal one hardly differ from here on.
MOST_SIGNS = 50


def agreement_pvalue(ranks: np.ndarray) -> float:
    """Return how probable it is that random orders of the methods agree on all samples.

    Parameters
    ----------
    ranks : ndarray of shape (n_blocks, n_methods)
        Ranks of the methods on every sample; shared places have mean ranks.

    Returns
    -------
    float
        :math:`(1/k!)^{n-1}` without shared places: each sample after the first shows the same order. It is the
        smallest p-value that a test of such ranks can have.

    Examples
    --------
    >>> agreement_pvalue(np.array([[1.0, 2.0], [1.0, 2.0]]))
    0.5
    """
    chances = sorted(prod(map(factorial, np.unique(row, return_counts=True)[1].tolist())) for row in ranks)
    orders = factorial(ranks.shape[1])
    return float(prod(same / orders for same in chances[1:]))


def friedman_pvalue(ranks: np.ndarray) -> float | None:
    """Return the exact p-value of Friedman's statistic, which is also that of Iman and Davenport.

    Parameters
    ----------
    ranks : ndarray of shape (n_blocks, n_methods)
        Ranks of the methods on every sample; shared places have mean ranks.

    Returns
    -------
    float or None
        The probability of rank sums that differ as much or more when the ranks of every sample are shuffled; None if
        there are too many methods or samples to try all orders.
    """
    n, k = ranks.shape
    if k > MOST_METHODS:
        return None
    twice = np.rint(2.0 * ranks).astype(np.int64)
    observed = int((twice.sum(axis=0) ** 2).sum())
    # Sums are kept ascending, as it does not matter which method has which, and compared as digits of one number.
    base = 2 * n * k + 1
    weights = base ** np.arange(k, dtype=np.int64)
    if float(base) ** k > 2.0**62:
        return None
    sums: np.ndarray = np.sort(twice[:1], axis=1)
    chances: np.ndarray = np.ones(1)
    for row in twice[1:]:
        orders = np.array(sorted(set(permutations(row.tolist()))))
        if len(sums) * len(orders) > MOST_STATES:
            return None
        every = np.sort((sums[:, None, :] + orders).reshape(-1, k), axis=1)
        codes, places = np.unique(every @ weights, return_inverse=True)
        chances = np.bincount(places.ravel(), np.repeat(chances / len(orders), len(orders)))
        sums = codes[:, None] // weights % base
    return float(min(1.0, chances[(sums**2).sum(axis=1) >= observed].sum()))


def shuffled_pvalue(ranks: np.ndarray, approximate: float) -> float:
    """Return the p-value of Friedman's statistic by random orders, of 100 ranks at most; else the approximate one.

    Parameters
    ----------
    ranks : ndarray of shape (n_blocks, n_methods)
        Ranks of the methods on every sample; shared places have mean ranks.
    approximate : float
        Believed where it is smaller than the draws can show and none of them reaches the statistic.
    """
    if ranks.size > MOST_SHUFFLED:
        return approximate
    twice, rng, done, reached = np.rint(2.0 * ranks).astype(np.int64), np.random.default_rng(0), 0, 0
    observed = int((twice.sum(axis=0) ** 2).sum())
    for draws in DRAWS:
        while done < draws:
            n = min(draws - done, max(1, NUMBERS_AT_ONCE // ranks.size))
            shuffled = rng.permuted(np.tile(twice, (n, 1, 1)), axis=2)
            reached += int(((shuffled.sum(axis=1) ** 2).sum(axis=1) >= observed).sum())
            done += n
        if reached >= ENOUGH:
            break
    least = (reached + 1.0) / (done + 1.0)
    return least if reached else min(least, approximate)


def signs_pvalue(differences: np.ndarray) -> float:
    """Return how likely fair coins as signs leave the rows of differences without spread, where the observed ones do.

    Examples
    --------
    >>> signs_pvalue(np.full((1, 5), 0.1))
    0.0625
    """
    return float(np.prod([2.0 ** (1 - len(row)) for row in differences if row.any()]))


def signed_rank_pvalue(ranks: np.ndarray, signs: np.ndarray) -> float:
    """Return the exact two-sided p-value of Wilcoxon's signed ranks, with shared ranks and zeros.

    Parameters
    ----------
    ranks : ndarray of shape (n,)
        Ranks of the sizes of the differences; shared places have mean ranks.
    signs : ndarray of shape (n,)
        Their signs. The rank of a zero is split evenly between the signs, so that it decides nothing.

    Returns
    -------
    float
        The probability that the smaller rank sum is as small or smaller when every sign is drawn by a fair coin.

    Examples
    --------
    >>> signed_rank_pvalue(np.full(5, 3.0), np.ones(5))
    0.0625
    """
    twice, up = np.rint(2.0 * ranks[signs != 0]).astype(np.int64), signs[signs != 0] > 0
    chances = np.zeros(int(twice.sum()) + 1)
    chances[0] = 1.0
    for rank in twice:
        chances[rank:] = (chances[rank:] + chances[:-rank]) / 2.0
        chances[:rank] /= 2.0
    smaller = min(int(twice[up].sum()), int(twice[~up].sum()))
    return float(min(1.0, 2.0 * chances[: smaller + 1].sum()))

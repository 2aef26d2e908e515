"""The order in which features are looked at: the relevant ones first, each by what it adds to those before it."""

from __future__ import annotations

import numpy as np

from fewer.core.folds.relevance import Relevance
from fewer.core.stop.significance import adjust

# Fraction of false discoveries among the features that are called relevant.
FALSE_DISCOVERIES = 0.1
# Squared correlations are taken for at most this, so that the information of a copy is finite.
MOST_SHARED = 1.0 - 1e-9


def by_relevance(found: Relevance) -> tuple[np.ndarray, int]:
    """Return the features by relevance, the lower number first of equals, and how many of them are relevant."""
    order = np.argsort(-_even(found.rank), kind="stable")
    relevant = adjust(found.pvalue, "bh") <= FALSE_DISCOVERIES
    # By p-values, that is nearly but not quite in the order of relevance: all of them come first.
    return np.concatenate([order[relevant[order]], order[~relevant[order]]]), int(relevant.sum())


def _even(rank: np.ndarray) -> np.ndarray:
    """Return ranks without their last digits, in which copies may differ by the order of adding."""
    return np.where(np.isfinite(rank), np.round(rank, 9), rank)


def by_gain(information: np.ndarray, shared: np.ndarray, n_relevant: int) -> np.ndarray:
    """Return the places of the first ``n_relevant`` candidates by relevance less redundancy, then the others.

    Each step takes the one with the most information about the target less the mean information that it shares with
    those before it, both as of Gaussian variables (Peng, Long and Ding 2005).

    Parameters
    ----------
    information : ndarray of shape (n_candidates,)
        About the target, in nats, the most relevant candidate first.
    shared : ndarray of shape (n_candidates, n_candidates)
        Squared correlations.
    n_relevant : int
        How many candidates are put into a new order.
    """
    n = min(n_relevant, len(information))
    if n < 2:
        return np.arange(len(information))
    redundancy = -0.5 * np.log1p(-np.minimum(shared[:n, :n], MOST_SHARED))
    left, order, sums = np.ones(n, dtype=bool), [0], np.zeros(n)
    left[0] = False
    for chosen in range(1, n):
        sums += redundancy[order[-1]]
        gain = np.where(left, np.round(information[:n] - sums / chosen, 9), -np.inf)
        order.append(int(np.argmax(gain)))
        left[order[-1]] = False
    return np.concatenate([np.array(order, dtype=np.int64), np.arange(n, len(information))])


def between_features(of_columns: np.ndarray, source: np.ndarray, n_features: int) -> np.ndarray:
    """Return the largest squared correlation between the columns of each two features."""
    starts = np.searchsorted(source, np.arange(n_features))
    squares = of_columns**2
    return np.maximum.reduceat(np.maximum.reduceat(squares, starts, axis=0), starts, axis=1)

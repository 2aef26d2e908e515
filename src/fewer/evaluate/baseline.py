"""Random subsets beside the methods of a comparison: what a choice by lot is worth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fewer.core.base.errors import InputError, ParameterError, closest

if TYPE_CHECKING:
    from fewer.evaluate.comparison import Comparison

# The share of the random subsets that lie inside the band.
INSIDE = 0.9


@dataclass(frozen=True, eq=False)
class RandomBand:
    """Scores of random subsets of every size.

    Attributes
    ----------
    method, estimator, scoring : str
        The baseline, what learned, and how it was scored; larger is better.
    sizes : tuple of int
        Numbers of features, ascending.
    n_subsets : int
        How many random subsets of each size there are.
    scores : ndarray of shape (n_subsets, n_sizes)
        Mean score over the folds of every subset.
    mean, deviation, low, high : ndarray of shape (n_sizes,)
        Mean and standard deviation over the subsets, and the quantiles between which nine tenths of them lie.
    """

    method: str
    estimator: str
    scoring: str
    sizes: tuple[int, ...]
    n_subsets: int
    scores: np.ndarray
    mean: np.ndarray
    deviation: np.ndarray
    low: np.ndarray
    high: np.ndarray


def random_band(c: Comparison, estimator: str | None = None, method: str | None = None) -> RandomBand:
    """Return mean and spread of the scores of random subsets, by size.

    Parameters
    ----------
    c : Comparison
        A comparison with `RandomRanking` among its methods.
    estimator : str, optional
        What learned; by default the first.
    method : str, optional
        The label of the baseline; by default the first one.

    Returns
    -------
    RandomBand

    Notes
    -----
    Every subset is scored on all folds, as the choice of a method is, so that a curve may be held against the band: a
    method above it is better than 95 % of the random subsets. The deviation of a single subset is 0.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> import fewer
    >>> X, y = load_iris(return_X_y=True)
    >>> lot = fewer.RandomRanking(n_subsets=20)
    >>> found = fewer.compare(X, y, [lot, "FTest"], "naive Bayes", [1, 2, 4], cv=5)
    >>> band = random_band(found)
    >>> band.scores.shape, bool((band.mean <= found.curve("FTest").mean + 1e-9).all())
    ((20, 3), True)
    """
    if not c.random:
        raise InputError(
            f"The comparison of {', '.join(c.methods)} has no random subsets; add 'RandomRanking' to its methods."
        )
    method = next(iter(c.random)) if method is None else method
    estimator = c.estimators[0] if estimator is None else estimator
    for name, known in ((method, tuple(c.random)), (estimator, c.estimators)):
        if name not in known:
            raise ParameterError(f"random_band got {name!r}, but has {', '.join(known)}.{closest(name, known)}")
    scores = c.random[method][:, c.estimators.index(estimator)]
    low, high = np.quantile(scores, [(1.0 - INSIDE) / 2.0, (1.0 + INSIDE) / 2.0], axis=0)
    deviation = scores.std(axis=0, ddof=min(1, len(scores) - 1))
    return RandomBand(
        method, estimator, c.scoring, c.sizes, len(scores), scores, scores.mean(axis=0), deviation, low, high
    )

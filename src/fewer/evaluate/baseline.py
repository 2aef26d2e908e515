"""Random subsets beside the methods of a comparison: what a choice by lot is worth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from fewer.core.records.errors import InputError, ParameterError, closest

if TYPE_CHECKING:
    from fewer.evaluate.comparison import Comparison

# The fraction of the random subsets that lie inside the band, and how many it takes to tell that fraction.
INSIDE, MANY = 0.9, 20


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
        Mean and standard deviation over the subsets, and the quantiles between which nine tenths of them lie; subsets
        on which the estimator failed, NaN among the scores, are left out.
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
            raise ParameterError(
                f"random_band got {name!r}, but has {', '.join(known)}; name one of them.{closest(name, known)}"
            )
    scores = c.random[method][:, c.estimators.index(estimator)]
    mean, deviation, low, high = np.transpose([_spread(column[~np.isnan(column)]) for column in scores.T])
    return RandomBand(method, estimator, c.scoring, c.sizes, len(scores), scores, mean, deviation, low, high)


def _spread(scores: np.ndarray) -> tuple[float, ...]:
    """Return mean, standard deviation and the ends of the band of the scores of one size; NaN without any."""
    if not len(scores):
        return (float("nan"),) * 4
    ends = np.quantile(scores, [(1.0 - INSIDE) / 2.0, (1.0 + INSIDE) / 2.0])
    return float(scores.mean()), float(scores.std(ddof=min(1, len(scores) - 1))), *ends.tolist()


def known_mean(scores: Any) -> np.ndarray:
    """Return the mean over the first axis of what is not NaN; NaN where all is."""
    values = np.asarray(scores, dtype=float)
    known = ~np.isnan(values)
    n_known = known.sum(axis=0)
    total = np.where(known, values, 0.0).sum(axis=0)
    return np.divide(total, n_known, out=np.full(total.shape, np.nan), where=n_known > 0)

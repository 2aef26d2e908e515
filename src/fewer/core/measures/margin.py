"""What margin weights mean: their limit on a known concept, and how large chance alone makes them."""

from __future__ import annotations

import math
from numbers import Integral, Real
from typing import Any

import numpy as np

from fewer.core.records.errors import InputError, ParameterError


def relief_threshold(alpha: float, n_samples: int) -> float:
    """Return a weight that an irrelevant feature reaches with at most a given probability, 1 / sqrt(alpha m).

    A weight of Relief is a mean of m differences between -1 and 1, whose deviation is at most 1; by Chebyshev's
    inequality a mean whose expectation is 0 strays farther than this with probability alpha at most (book ch. 9,
    section 9.7.1, 0 < theta <= 1 / sqrt(alpha m)). No weight exceeds 1, so neither does the threshold.

    Parameters
    ----------
    alpha : float
        Accepted probability of keeping an irrelevant feature, above 0 and at most 1.
    n_samples : int
        Number m of rows whose neighbours were looked at.

    Returns
    -------
    float

    Notes
    -----
    The bound is very loose, as it knows nothing of the differences but their range: smaller thresholds are safe in
    practice, and the rule ``"probes:0.05"``, which scores shuffled targets, measures what chance does.

    Examples
    --------
    >>> round(relief_threshold(0.05, 100), 6)
    0.447214

    As a stop rule of any selector whose score is a weight of Relief:

    >>> from fewer.stop import Threshold
    >>> str(Threshold(relief_threshold(0.25, 400)))
    'threshold:0.1'
    """
    if isinstance(alpha, bool) or not isinstance(alpha, Real) or not 0 < float(alpha) <= 1:
        raise ParameterError(
            f"relief_threshold got alpha={alpha!r}, but a probability above 0 and at most 1 is needed; pass for "
            "example alpha=0.05."
        )
    if isinstance(n_samples, bool) or not isinstance(n_samples, Integral) or n_samples < 1:
        raise ParameterError(
            f"relief_threshold got n_samples={n_samples!r}, but a whole number from 1 is needed; pass the number of "
            "rows that were used."
        )
    return min(1.0, 1.0 / math.sqrt(float(alpha) * int(n_samples)))


def relief_limit_weights(X: Any, y: Any) -> np.ndarray:
    r"""Return what the weights of ReliefF come to on a noise-free concept as the rows grow in number.

    A feature is responsible for a change of class if it belongs to a smallest set of value changes that leads there.
    The limit of its weight is the mean over rows of the fraction of such sets that contain it, where the change to
    class u counts :math:`p_u / (1 - p_y)` for a row of class y (book ch. 9, eq. 9.16 and 9.17): a weight is the part of
    the concept that the feature explains.

    Parameters
    ----------
    X : array-like of shape (n_instances, n_features)
        Every instance that can occur, with discrete values of any kind; a repeated row counts as often.
    y : array-like of shape (n_instances,)
        The class of each.

    Returns
    -------
    ndarray of shape (n_features,)

    Notes
    -----
    As printed, eq. 9.17 multiplies by the class fraction once more than Algorithm 9.3.1 does. Here every row counts the
    same, to which the algorithm converges, and which for two classes is eq. 9.16. Hits contribute nothing in the
    limit, because every row has equal ones.

    Examples
    --------
    >>> table = [[0, 0], [0, 1], [1, 0], [1, 1]]
    >>> relief_limit_weights(table, [0, 0, 0, 1]).tolist()
    [0.625, 0.625]
    """
    X, y = np.asarray(X), np.asarray(y)
    if X.ndim != 2 or y.shape != X.shape[:1] or len(y) == 0:
        raise InputError(
            f"relief_limit_weights got X of shape {X.shape} and y of shape {y.shape}, but needs a table and one class "
            "per row; give the enumerated instances and their classes."
        )
    classes, numbers = np.unique(y, return_inverse=True)
    share = np.bincount(numbers) / len(y)
    weights = np.zeros(X.shape[1])
    for row, own in zip(X, numbers):
        for other in range(len(classes)):
            if other != own:
                changed = X[numbers == other] != row
                sizes = changed.sum(axis=1)
                weights += share[other] / (1.0 - share[own]) * changed[sizes == sizes.min()].mean(axis=0)
    return weights / len(y)

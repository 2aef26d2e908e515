"""Relevance alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from fewer.core.estimators.selector import WeightedFit
from fewer.core.views.view import View
from fewer.methods.information._information import TAGS, InformationCriterion, InformationSelector


class MIMCriterion(InformationCriterion):
    """Score I(f; y), whatever is chosen."""

    def add(self, view: View, chosen: Sequence[int]) -> np.ndarray:
        """Return the same scores."""
        return self.relevance


class MIM(WeightedFit, InformationSelector):
    """Choose the features that tell most about the target, each for itself.

    The score is :math:`I(f; y)` in nats. Redundancy is not looked at, so copies of a good feature are chosen, too.

    Parameters
    ----------
    n_features_to_select : int, float, str, Stop or None, default=10
        How many to choose: at most this number, this share, or until a stop rule has enough, such as "threshold:0.01".
    discretizer : {"quantile", "uniform", "mdl", "sigma", "mixture", "relief"}, transformer or None, default="quantile"
        How numeric columns are cut into levels; None says that X holds level numbers already.
    bins : int, default=10
        Number of levels for "quantile" and "uniform", and of a numeric target (numbers with more than 20 values).
    categorical_features : array-like of int, str or bool, default=None
        Nominal columns besides those whose dtype says so.
    n_jobs : int, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    See Also
    --------
    MRMR : Takes off the mean redundancy with the chosen features.

    References
    ----------
    .. [1] G. Brown, A. Pocock, M.-J. Zhao and M. Lujan, "Conditional likelihood maximisation: a unifying framework
       for information theoretic feature selection", JMLR 13, 2012.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> MIM(2).fit(X, y).selection_.indices.tolist()
    [3, 2]
    """

    method_tags = replace(TAGS, cost="n*d")

    def _criterion(self) -> Any:
        return MIMCriterion()

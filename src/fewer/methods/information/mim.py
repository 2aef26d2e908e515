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
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); None keeps all.
    discretizer : {"quantile", "uniform", "mdl", "sigma", "mixture", "relief"}, transformer or None, default="quantile"
        How numeric columns are put into bins; None says that X holds bin numbers already.
    bins : int, default=10
        Number of bins for "quantile" and "uniform". Also of a numeric target, numbers with more than 20 values.
    categorical_features : array-like of int, str or bool, default=None
        Nominal columns besides those whose dtype says so.
    n_jobs : int or None, default=None
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

"""Terms with several chosen features together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from fewer.core.views.view import View
from fewer.methods.information._information import TAGS, InformationCriterion, InformationSelector

IN_MEMORY = replace(TAGS, streams=False, handles_weights=False, weights_count_rows=False, handles_sparse=False)


class JMI3Criterion(InformationCriterion):
    """Score the mean over pairs of chosen s, t of I(f, s, t; y)."""

    def start(self, view: View) -> np.ndarray:
        """Score by relevance while nothing is chosen."""
        relevance = super().start(view)
        self.total, self.pairs = self.sums.running_sum(), 0
        return relevance

    def add(self, view: View, chosen: Sequence[int]) -> np.ndarray:
        """Score every feature now that one more is chosen; with a single one chosen, by I(f, s; y)."""
        for earlier in chosen[:-1]:
            self.total.add(self.sums.with_features([earlier, chosen[-1]]).joint_sum)
            self.pairs += 1
        if not self.pairs:
            return self.sums.with_feature(chosen[-1]).joint
        return self.total.floats() / (self.sums.unit * self.pairs)


class CMICriterion(InformationCriterion):
    """Score I(f; y | all chosen together)."""

    def add(self, view: View, chosen: Sequence[int]) -> np.ndarray:
        """Score every feature now that one more is chosen."""
        if self.sums.tells_all(chosen):
            return np.zeros(view.n_features)
        return self.sums.with_features(chosen).conditional


class JMI3(InformationSelector):
    """Choose features that together with each pair of chosen ones tell most about the target.

    The score is the mean of :math:`I(f, s, t; y)` over the pairs of chosen features. The tables have the product of
    three numbers of levels as cells, so that they need few levels or many rows.

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
    JMI : Single chosen features instead of pairs.

    References
    ----------
    .. [1] K. Sechidis, L. Azzimonti, A. Pocock, G. Corani, J. Weatherall and G. Brown, "Efficient feature selection
       using shrinkage estimators", Machine Learning 108, 2019.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> JMI3(2).fit(X, y).selection_.indices.tolist()
    [3, 2]
    """

    method_tags = replace(IN_MEMORY, cost="n*d*k^2")

    def _criterion(self) -> Any:
        return JMI3Criterion()


class CMIGreedy(InformationSelector):
    """Choose features that tell most about the target given all chosen ones together.

    The score is :math:`I(f; y | S)`, estimated from the table of all chosen features. It falls to 0 as soon as the
    chosen features tell all rows apart, which takes few features; all later scores are 0 and the lower number is
    chosen.

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
    CMIM : Given one chosen feature at a time.

    References
    ----------
    .. [1] G. Brown, A. Pocock, M.-J. Zhao and M. Lujan, "Conditional likelihood maximisation: a unifying framework
       for information theoretic feature selection", JMLR 13, 2012.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> CMIGreedy(2).fit(X, y).selection_.indices.tolist()
    [3, 2]
    """

    method_tags = IN_MEMORY

    def _criterion(self) -> Any:
        return CMICriterion()

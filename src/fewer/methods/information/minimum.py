"""Minima of terms with each chosen feature and the target."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from fewer.core.criteria.lazy_minimum import LazyMinimum, can_be_lazy
from fewer.core.estimators.selector import WeightedFit
from fewer.core.kernels.lazy_tables import CONDITIONAL, JOINT, NORMALISED
from fewer.core.measures.joint_terms import JointTerms
from fewer.core.views.view import View
from fewer.methods.information._information import InformationCriterion, InformationSelector


class MinimumCriterion(InformationCriterion):
    """Score the smallest term over the chosen features, which can only fall as more are chosen.

    With few levels in memory the terms are looked at one by one and only as far as needed (Fleuret 2004); otherwise
    all of them are computed. The result is the same.
    """

    kind: int
    bounded = True
    starts_at_relevance = False

    def start(self, view: View) -> np.ndarray:
        """Score by relevance while nothing is chosen."""
        relevance = super().start(view)
        self.smallest = relevance.copy() if self.starts_at_relevance else np.full(view.n_features, np.inf)
        self.lazy = LazyMinimum(self.sums, self.kind, self.smallest) if can_be_lazy(self.sums) else None
        return relevance

    def add(self, view: View, chosen: Sequence[int]) -> np.ndarray:
        """Score every feature, or bound its score from above, now that one more is chosen."""
        if self.lazy is not None:
            self.lazy.add(chosen[-1])
            return self.smallest
        return np.minimum(self.smallest, self.term(self.sums.with_feature(chosen[-1])), out=self.smallest)

    def refine(self, view: View, chosen: Sequence[int], open_to_choice: np.ndarray) -> tuple[int, float, int]:
        """Look at tables of the candidates as far as needed to know the best one."""
        assert self.lazy is not None
        best, looked = self.lazy.refine(open_to_choice)
        return best, float(self.smallest[best]), looked

    def term(self, terms: JointTerms) -> np.ndarray:
        """Return the term with the feature that joined last."""
        raise NotImplementedError


class CMIMCriterion(MinimumCriterion):
    """Score min(I(f; y), min over chosen s of I(f; y | s))."""

    kind = CONDITIONAL
    starts_at_relevance = True

    def term(self, terms: JointTerms) -> np.ndarray:
        """I(f; y | s)."""
        return terms.conditional


class JMIMCriterion(MinimumCriterion):
    """Score the minimum over chosen s of I(f, s; y)."""

    kind = JOINT

    def term(self, terms: JointTerms) -> np.ndarray:
        """I(f, s; y)."""
        return terms.joint


class NJMIMCriterion(MinimumCriterion):
    """Score the minimum over chosen s of I(f, s; y) / H(f, s, y)."""

    kind = NORMALISED

    def term(self, terms: JointTerms) -> np.ndarray:
        """Symmetrical relevance of the pair."""
        return terms.symmetrical_relevance


class CMIM(WeightedFit, InformationSelector):
    r"""Choose features that tell most about the target given any chosen one.

    The score is :math:`\min(I(f; y), \min_{s \in S} I(f; y | s))`. With few levels in memory only the tables that can
    change the choice are looked at, and a budget of evaluations counts these tables.

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
    CMIGreedy : Given all chosen ones together.

    References
    ----------
    .. [1] F. Fleuret, "Fast binary feature selection with conditional mutual information", JMLR 5, 2004.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> CMIM(2).fit(X, y).selection_.indices.tolist()
    [3, 2]
    """

    def _criterion(self) -> Any:
        return CMIMCriterion()


class JMIM(WeightedFit, InformationSelector):
    r"""Choose features whose weakest pair with a chosen one tells most about the target.

    The score is :math:`\min_{s \in S} I(f, s; y)`.

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
    JMI : Takes the mean instead of the minimum.

    References
    ----------
    .. [1] M. Bennasar, Y. Hicks and R. Setchi, "Feature selection using joint mutual information maximisation", Expert
       Systems with Applications 42(22), 2015.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> JMIM(2).fit(X, y).selection_.indices.tolist()
    [3, 2]
    """

    def _criterion(self) -> Any:
        return JMIMCriterion()


class NJMIM(WeightedFit, InformationSelector):
    r"""Choose features whose weakest pair with a chosen one has most symmetrical relevance.

    The score is :math:`\min_{s \in S} I(f, s; y) / H(f, s, y)`.

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
    JMIM : Does not normalise.

    References
    ----------
    .. [1] M. Bennasar, Y. Hicks and R. Setchi, "Feature selection using joint mutual information maximisation", Expert
       Systems with Applications 42(22), 2015.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> NJMIM(2).fit(X, y).selection_.indices.tolist()
    [3, 2]
    """

    def _criterion(self) -> Any:
        return NJMIMCriterion()

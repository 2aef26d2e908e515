"""Sums of terms with each chosen feature and the target."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from fewer.core.estimators.selector import WeightedFit
from fewer.core.measures.joint_terms import JointTerms
from fewer.core.views.view import View
from fewer.methods.information._information import InformationCriterion, InformationSelector
from fewer.methods.information._neighbors import BinsOrNeighbors, NearJMICriterion

# Ratios are summed in multiples of 1 / STEPS: in whole numbers, because floats add up to other last digits when the
# same ratios come in another order. A step is below 1e-18; ratios above 2**-7 keep all their digits.
STEPS = 2.0**60


class SumCriterion(InformationCriterion):
    """Adds one term per chosen feature, in the unit of the sums, in which ties stay ties."""

    def start(self, view: View) -> np.ndarray:
        """Score by relevance while nothing is chosen."""
        relevance = super().start(view)
        self.total = self.sums.running_sum()
        return relevance

    def add(self, view: View, chosen: Sequence[int]) -> np.ndarray:
        """Score every feature now that one more is chosen."""
        self.total.add(self.term(self.sums.with_feature(chosen[-1])))
        return self.score(len(chosen))

    def term(self, terms: JointTerms) -> np.ndarray:
        """Return what the feature that joined last adds."""
        raise NotImplementedError

    def score(self, n_chosen: int) -> np.ndarray:
        """Return the scores, by default the mean of the terms in nats."""
        return self.total.floats() / (self.sums.unit * n_chosen)


class JMICriterion(SumCriterion):
    """Score the mean over chosen s of I(f, s; y)."""

    def term(self, terms: JointTerms) -> np.ndarray:
        """I(f, s; y)."""
        return terms.joint_sum


class DISRCriterion(SumCriterion):
    """Score the mean over chosen s of I(f, s; y) / H(f, s, y)."""

    def term(self, terms: JointTerms) -> np.ndarray:
        """Symmetrical relevance of the pair, a number from 0 to 1, in whole steps."""
        return np.rint(terms.symmetrical_relevance * STEPS).astype(np.int64)

    def score(self, n_chosen: int) -> np.ndarray:
        """The mean of the ratios."""
        return self.total.floats() / (STEPS * n_chosen)


class CIFECriterion(SumCriterion):
    """Score I(f; y) - sum over chosen s of (I(f; s) - I(f; s | y))."""

    def start(self, view: View) -> np.ndarray:
        """Score by relevance while nothing is chosen; the sum begins with it."""
        relevance = super().start(view)
        self.total.add(self.sums.relevance_sum)
        return relevance

    def term(self, terms: JointTerms) -> np.ndarray:
        """What the pair shares within classes, less what it shares."""
        return terms.class_redundancy_sum - terms.redundancy_sum

    def score(self, n_chosen: int) -> np.ndarray:
        """The sum, of which redundancy was taken off."""
        return self.total.floats() / self.sums.unit


class ICAPCriterion(CIFECriterion):
    """Score I(f; y) - sum over chosen s of max(0, I(f; s) - I(f; s | y))."""

    def term(self, terms: JointTerms) -> np.ndarray:
        """The same, capped: synergy with one feature does not make up for redundancy with another."""
        return np.minimum(super().term(terms), 0)


class JMI(WeightedFit, BinsOrNeighbors):
    """Choose features that together with each chosen one tell most about the target.

    The score is the mean of :math:`I(f, s; y)` over the chosen :math:`s` (Yang and Moody 1999); the mean instead of
    the sum changes no choice.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); None keeps all.
    information : {"bins", "neighbors"}, default="bins"
        How information is found: by counting bins, or by nearest rows, which takes numbers only, in memory.
    n_neighbors : int, default=3
        Number of nearest rows; for "neighbors" only.
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
    JMIM : Takes the minimum instead of the mean.
    JMI3 : Looks at pairs of chosen features.

    References
    ----------
    .. [1] G. Brown, A. Pocock, M.-J. Zhao and M. Lujan, "Conditional likelihood maximisation: a unifying framework
       for information theoretic feature selection", JMLR 13, 2012.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> JMI(2).fit(X, y).selection_.indices.tolist()
    [3, 2]
    """

    def __init__(
        self,
        n_features_to_select: Any = 10,
        *,
        information: str = "bins",
        n_neighbors: int = 3,
        discretizer: Any = "quantile",
        bins: int = 10,
        categorical_features: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        super().__init__(
            n_features_to_select,
            discretizer=discretizer,
            bins=bins,
            categorical_features=categorical_features,
            n_jobs=n_jobs,
            verbose=verbose,
        )
        self.information = information
        self.n_neighbors = n_neighbors

    def _criterion(self) -> Any:
        return NearJMICriterion(self.n_neighbors) if self._near else JMICriterion()


class DISR(WeightedFit, InformationSelector):
    """Choose features by double input symmetrical relevance.

    The score is the mean of :math:`I(f, s; y) / H(f, s, y)` over the chosen :math:`s` (Meyer and Bontempi 2006).

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
    JMI : Does not normalise.
    NJMIM : Takes the minimum.

    References
    ----------
    .. [1] G. Brown, A. Pocock, M.-J. Zhao and M. Lujan, "Conditional likelihood maximisation: a unifying framework
       for information theoretic feature selection", JMLR 13, 2012.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> DISR(2).fit(X, y).selection_.indices.tolist()
    [3, 2]
    """

    def _criterion(self) -> Any:
        return DISRCriterion()


class CIFE(WeightedFit, InformationSelector):
    r"""Choose features by conditional infomax feature extraction.

    The score is :math:`I(f; y) - \sum_{s \in S} [I(f; s) - I(f; s | y)]` (Lin and Tang 2006). The sum grows with
    the number of chosen features; see `JMI` for the mean.

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
    ICAP : Counts redundancy but no synergy.

    References
    ----------
    .. [1] G. Brown, A. Pocock, M.-J. Zhao and M. Lujan, "Conditional likelihood maximisation: a unifying framework
       for information theoretic feature selection", JMLR 13, 2012.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> CIFE(2).fit(X, y).selection_.indices.tolist()
    [3, 2]
    """

    def _criterion(self) -> Any:
        return CIFECriterion()


class ICAP(WeightedFit, InformationSelector):
    r"""Choose features by interaction capping.

    The score is :math:`I(f; y) - \sum_{s \in S} \max[0, I(f; s) - I(f; s | y)]` (Jakulin 2005).

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
    CIFE : Lets synergy make up for redundancy.

    References
    ----------
    .. [1] G. Brown, A. Pocock, M.-J. Zhao and M. Lujan, "Conditional likelihood maximisation: a unifying framework
       for information theoretic feature selection", JMLR 13, 2012.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> ICAP(2).fit(X, y).selection_.indices.tolist()
    [3, 2]
    """

    def _criterion(self) -> Any:
        return ICAPCriterion()

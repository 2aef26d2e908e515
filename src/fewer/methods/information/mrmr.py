"""Relevance minus redundancy."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Real
from typing import Any

import numpy as np

from fewer.core.estimators.selector import WeightedFit
from fewer.core.measures.running_sums import simple_fraction
from fewer.core.records.params import Interval, StrOptions
from fewer.core.views.view import View
from fewer.methods.information._information import InformationCriterion, InformationSelector
from fewer.methods.information._neighbors import SMALLEST, BinsOrNeighbors, NearMRMRCriterion


class MIFSCriterion(InformationCriterion):
    """Score I(f; y) - beta * sum over chosen s of I(f; s).

    With beta = p / q the score is (q I(f; y) - p sum) / q: whole numbers stay whole, in which ties stay ties. A beta
    that is no simple fraction needs none of this. Informations are sums of logarithms of primes taken whole numbers of
    times, so scores of different informations can be equal only if each of these numbers is beta times another one.
    """

    def __init__(self, beta: float) -> None:
        self.beta, self.fraction = beta, simple_fraction(beta)

    def start(self, view: View) -> np.ndarray:
        """Score by relevance while nothing is chosen."""
        relevance = super().start(view)
        self.total = self.sums.running_sum()
        if self.fraction is not None:
            self.total.add(self.sums.relevance_sum, self.fraction.denominator)
        return relevance

    def add(self, view: View, chosen: Sequence[int]) -> np.ndarray:
        """Score every feature now that one more is chosen."""
        shared, unit = self.sums.redundancy_sum_with(chosen[-1]), self.sums.unit
        if self.fraction is None:
            self.total.add(shared)
            return (self.sums.relevance_sum - self.beta * self.total.floats()) / unit
        self.total.add(shared, -self.fraction.numerator)
        return self.total.floats() / (unit * self.fraction.denominator)


class MRMRCriterion(InformationCriterion):
    """Score I(f; y) minus, or over, the mean of I(f; s) over the chosen s."""

    def __init__(self, quotient: bool) -> None:
        self.quotient = quotient

    def start(self, view: View) -> np.ndarray:
        """Score by relevance while nothing is chosen."""
        relevance = super().start(view)
        self.total = self.sums.running_sum()
        return relevance

    def add(self, view: View, chosen: Sequence[int]) -> np.ndarray:
        """Score every feature now that one more is chosen."""
        shared = self.sums.redundancy_sum_with(chosen[-1])
        # Relevance minus the mean is the mean of relevance minus each: whole numbers stay whole, and ties ties.
        self.total.add(shared if self.quotient else self.sums.relevance_sum - shared)
        mean = self.total.floats() / (self.sums.unit * len(chosen))
        return self.relevance / np.maximum(mean, SMALLEST) if self.quotient else mean


class MIFS(WeightedFit, InformationSelector):
    r"""Choose features that tell much about the target and share little with those chosen.

    The score is :math:`I(f; y) - \beta \sum_{s \in S} I(f; s)` (Battiti 1994). The sum grows with the number of
    chosen features; see `MRMR` for the mean.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); None keeps all.
    beta : float, default=1.0
        Weight of the redundancy; 0 gives `MIM`. A number that is written for a simple fraction is taken for it, 0.1 for
        one tenth, so that scores that are equal on paper are equal here.
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
    MRMR : Takes the mean instead of the sum.

    References
    ----------
    .. [1] G. Brown, A. Pocock, M.-J. Zhao and M. Lujan, "Conditional likelihood maximisation: a unifying framework
       for information theoretic feature selection", JMLR 13, 2012.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> MIFS(2).fit(X, y).selection_.indices.tolist()
    [3, 2]
    """

    _parameter_constraints: dict = {
        **InformationSelector._parameter_constraints,
        "beta": [Interval(Real, 0, None, closed="left")],
    }

    def __init__(
        self,
        n_features_to_select: Any = 10,
        *,
        beta: float = 1.0,
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
        self.beta = beta

    def _criterion(self) -> Any:
        return MIFSCriterion(self.beta)


class MRMR(WeightedFit, BinsOrNeighbors):
    r"""Choose features of maximum relevance and minimum redundancy.

    The score is :math:`I(f; y) - \frac{1}{|S|} \sum_{s \in S} I(f; s)`, or the quotient of the two terms.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); None keeps all.
    scheme : {"difference", "quotient"}, default="difference"
        How relevance and redundancy are combined.
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
    JMI : Sums joint information with the target instead of taking off redundancy.
    GaussianMRMR : For continuous features without levels.

    References
    ----------
    .. [1] H. Peng, F. Long and C. Ding, "Feature selection based on mutual information", IEEE TPAMI 27(8), 2005.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> MRMR(2).fit(X, y).selection_.indices.tolist()
    [3, 2]
    """

    _parameter_constraints: dict = {
        **BinsOrNeighbors._parameter_constraints,
        "scheme": [StrOptions({"difference", "quotient"})],
    }

    def __init__(
        self,
        n_features_to_select: Any = 10,
        *,
        scheme: str = "difference",
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
        self.scheme = scheme
        self.information = information
        self.n_neighbors = n_neighbors

    def _criterion(self) -> Any:
        quotient = self.scheme == "quotient"
        return NearMRMRCriterion(self.n_neighbors, quotient) if self._near else MRMRCriterion(quotient)

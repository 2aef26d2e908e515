"""Variance of a numeric target, explained by levels."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from fewer.core.criteria.shapes import RankingCriterion
from fewer.core.estimators.rankers import CodesScore
from fewer.core.estimators.selector import WeightedFit
from fewer.core.measures import variance_reduction, variance_reduction_test
from fewer.core.records.ranking import Ranking
from fewer.core.records.reasons import DOUBT
from fewer.core.summaries.moments import TargetByLevel
from fewer.core.views.spread import check_target
from fewer.core.views.view import View
from fewer.methods.univariate._normal import FEW, tails
from fewer.methods.univariate._tags import CODES


class VarianceReductionCriterion(RankingCriterion):
    r"""Score :math:`s^2 - \sum_j p(j) s_j^2`, the variance between levels (section 9.3 of the book)."""

    requires = ("codes",)
    has_pvalues = True

    def scores(self, view: View) -> Ranking:
        """Score all features by the moments of the target at their levels."""
        levels = view.fold(TargetByLevel())
        check_target(levels)
        smallest = np.minimum.reduceat(np.where(levels.weight > 0, levels.weight, np.inf), levels.offsets[:-1])
        begin = f"{DOUBT} it takes the target for normal, and"
        weight = levels.weight[: levels.offsets[1]]
        share = weight / weight.sum()
        mean = float(share @ levels.mean[: levels.offsets[1]])
        within, between = levels.m2[: levels.offsets[1]].sum() / weight.sum(), levels.mean[: levels.offsets[1]] - mean
        variance = np.full(len(smallest), within + share @ between**2)
        coarse, far = tails(mean, variance, levels.low, levels.high, smallest, float(weight.sum()))
        kinds = (
            (coarse, f"{begin} its values are few or lie at the ends of their range"),
            (far, f"{begin} some of its values lie far out, as with heavy tails"),
            (smallest < FEW, f"{begin} a level has fewer than {FEW} rows"),
        )
        notes = {int(j): words for mask, words in kinds for j in np.flatnonzero(mask)}
        return Ranking(variance_reduction(levels), variance_reduction_test(levels)[-1], notes=notes)


class VarianceReduction(WeightedFit, CodesScore):
    """Keep features whose levels leave least variance of a numeric target.

    The score is the expected fall of the variance (section 9.3 of [1]_), which is the variance between levels; with
    a 0/1 target twice the score is the Gini gain. The p-value is that of the F-test. Features with many levels are
    favoured.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); None keeps all.
    discretizer : {"quantile", "uniform", "mdl", "sigma", "mixture", "relief"}, transformer or None, default="quantile"
        How numeric columns are put into bins; None says that X holds bin numbers already.
    bins : int, default=10
        Number of bins for "quantile" and "uniform".
    categorical_features : array-like of int, str or bool, default=None
        Nominal columns besides those whose dtype says so.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    See Also
    --------
    Pearson : Linear dependence, without levels.

    References
    ----------
    .. [1] M. Robnik-Sikonja and I. Kononenko, "Non-myopic feature quality evaluation with (R)ReliefF",
       ch. 9 of H. Liu and H. Motoda (eds.), "Computational Methods of Feature Selection", 2008.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> X, y = load_diabetes(return_X_y=True)
    >>> VarianceReduction(2).fit(X, y).selection_.indices.tolist()
    [8, 2]
    """

    method_tags = replace(CODES, targets=("numbers", "several numbers"))
    criterion = VarianceReductionCriterion()

"""Tests and areas that see only the order of the values."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from fewer.core.criteria.shapes import RankingCriterion
from fewer.core.estimators.rankers import NumberScore
from fewer.core.measures import auc, kruskal, mann_whitney
from fewer.core.records.ranking import Ranking
from fewer.core.views.column_ranks import class_rank_sums
from fewer.core.views.view import View
from fewer.methods.univariate._small_ranks import class_pvalues, mostly_equal, two_class_pvalues
from fewer.methods.univariate._tags import RANKS

# Among three and more classes one of fewer rows makes the chi-squared approximation doubtful.
SMALL_CLASS = 10


class RankSumCriterion(RankingCriterion):
    """Score |z| of the Wilcoxon rank-sum test of two classes."""

    requires = ("dense",)
    has_pvalues = True

    def scores(self, view: View) -> Ranking:
        """Score all features by the rank sums of the classes."""
        sums, ties, rows = class_rank_sums(view)
        _, z, pvalue = mann_whitney(sums[:, 1], ties, rows[1], rows[0])
        pvalue = two_class_pvalues(view.whole(), ties, sums[:, 1], int(rows[1]), pvalue, view.run)
        return Ranking(np.abs(z), pvalue, {"statistic": z})


class KruskalWallisCriterion(RankingCriterion):
    """Score H, the analysis of variance of ranks."""

    requires = ("dense",)
    has_pvalues = True

    def scores(self, view: View) -> Ranking:
        """Score all features by the rank sums of the classes."""
        (sums, ties, rows), block = class_rank_sums(view), view.whole()
        statistic, pvalue = kruskal(sums, rows, ties)
        if np.count_nonzero(rows) == 2:
            one = int(np.flatnonzero(rows)[1])
            return Ranking(statistic, two_class_pvalues(block, ties, sums[:, one], int(rows[one]), pvalue, view.run))
        smallest = float(rows[rows > 0].min())
        few = mostly_equal(ties, block.n_rows, smallest) | (smallest < SMALL_CLASS)
        return Ranking(statistic, class_pvalues(block.X, block.y, few, pvalue, view.run))


class FeatureAUCCriterion(RankingCriterion):
    """Score max(A, 1 - A), A being the area under the ROC curve of a class against the rest, averaged over classes."""

    requires = ("dense",)
    has_pvalues = False

    def scores(self, view: View) -> Ranking:
        """Score all features by the rank sums of the classes."""
        sums, _, rows = class_rank_sums(view)
        area = np.column_stack([auc(sums[:, c], rows[c], rows.sum() - rows[c]) for c in range(len(rows))])
        if len(rows) == 2:
            return Ranking(np.maximum(area[:, 1], 1.0 - area[:, 1]), None, {"auc": area[:, 1]})
        return Ranking(np.maximum(area, 1.0 - area) @ (rows / rows.sum()))


class RankSum(NumberScore):
    """Keep features whose values are ordered most differently in two classes.

    The score is :math:`|z|` of the two-sided Wilcoxon rank-sum (Mann-Whitney) test with corrections for ties and
    continuity (section 19.4 of [1]_, which keeps the features of least p; p-values underflow, so the order is by
    z). The signed z is in ``selection_.columns["statistic"]``. Where a class, or the values other than the most
    frequent one, have fewer than 20 rows, the p-value is that of all permutations, ties and all (up to 8,192 different
    rank sums; beyond, neighbouring ones are joined). Where the smaller class expects fewer than 5 of these values, it
    is that of up to 99,999 random ones.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); None keeps all.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    See Also
    --------
    KruskalWallis : More than two classes.
    FeatureAUC : The same order of values as an area.

    References
    ----------
    .. [1] D. Chan, S. Bridges and S. Burgess, "An ensemble method for identifying robust features for
       biomarker discovery", ch. 19 of H. Liu and H. Motoda (eds.), "Computational Methods of Feature Selection", 2008.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> RankSum(2).fit(X, y).selection_.indices.tolist()
    [22, 20]
    """

    method_tags = replace(RANKS, binary_only=True)
    criterion = RankSumCriterion()


class KruskalWallis(NumberScore):
    """Keep features whose values are ordered most differently in the classes.

    The score is H, corrected for ties; the p-value is that of the chi-squared approximation. Where rows are few it is
    that of permutations; for two classes see `RankSum`. For more of them rows are few if fewer than 20 have another
    value than the most frequent one, or the smallest class expects fewer than 5 of these (up to 1,000 such rows), or it
    has fewer than 10 rows of at most 2,000. Then all permutations are tried if there are at most 20,000, or if the
    feature has two values, as in `Chi2`; else up to 99,999 random ones, below whose 1e-5 the larger one of the
    approximation and of the gamma distribution with their mean and variance is taken.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); None keeps all.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    See Also
    --------
    RankSum : Two classes.
    FTest : Looks at means instead of ranks.

    References
    ----------
    .. [1] W. H. Kruskal and W. A. Wallis, "Use of ranks in one-criterion variance analysis", 1952.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> KruskalWallis(2).fit(X, y).selection_.indices.tolist()
    [3, 2]
    """

    method_tags = RANKS
    criterion = KruskalWallisCriterion()


class FeatureAUC(NumberScore):
    r"""Keep features that alone separate the classes best, by the area under the ROC curve.

    The score is :math:`\max(A, 1 - A)` for two classes, where :math:`A = U / (n_1 n_0)`, and the mean of that value
    over classes against the rest, weighted by class size, for more. For two classes A of the second class is in
    ``selection_.columns["auc"]``.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary). "threshold:0.7"
        keeps areas from 0.7 on. None keeps all.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    See Also
    --------
    RankSum : The test of the same statistic.

    References
    ----------
    .. [1] T. Fawcett, "An introduction to ROC analysis", Pattern Recognition Letters 27(8), 2006.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> FeatureAUC(2).fit(X, y).selection_.indices.tolist()
    [22, 20]
    """

    method_tags = RANKS
    criterion = FeatureAUCCriterion()

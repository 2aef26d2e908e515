"""Correlation with a numeric or ordered target."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from fewer.core.criteria.shapes import RankingCriterion
from fewer.core.estimators.rankers import NumberScore
from fewer.core.estimators.selector import WeightedFit
from fewer.core.measures import Ties, correlation_pvalue, kendall_test, pearson
from fewer.core.records.ranking import Ranking
from fewer.core.summaries.products import ProductsWithTarget
from fewer.core.views.column_ranks import column_ranks, concordance
from fewer.core.views.spread import check_products
from fewer.core.views.view import View
from fewer.methods.univariate._tags import MOMENTS, RANKS


class PearsonCriterion(RankingCriterion):
    """Score |r|, the size of the linear correlation with the target."""

    requires = ("dense", "sparse")
    has_pvalues = True

    def scores(self, view: View) -> Ranking:
        """Score all features by their products with the target."""
        products = view.fold(ProductsWithTarget())
        check_products(view, products)
        r = pearson(products)
        return Ranking(np.abs(r), correlation_pvalue(r, products.weight), {"correlation": r})


class SpearmanCriterion(RankingCriterion):
    """Score |rho|, the linear correlation of the ranks."""

    requires = ("dense",)
    has_pvalues = True

    def scores(self, view: View) -> Ranking:
        """Score all features by the ranks of their values."""
        block = view.whole()
        y_ranks, _ = column_ranks(block.y[:, None], view.run)
        centred = y_ranks[0] - y_ranks[0].mean()
        spread = float(centred @ centred)

        def correlate(ranks: np.ndarray, _: np.ndarray) -> np.ndarray:
            deviations = ranks - ranks.mean(axis=1, keepdims=True)
            size = np.sqrt(np.einsum("ij,ij->i", deviations, deviations) * spread)
            return np.divide(deviations @ centred, size, out=np.zeros(len(size)), where=size > 0)

        rho = np.clip(np.concatenate(column_ranks(block.X, view.run, correlate)), -1.0, 1.0)
        return Ranking(np.abs(rho), correlation_pvalue(rho, block.n_rows), {"correlation": rho})


class KendallCriterion(RankingCriterion):
    """Score |tau_b|, the balance of concordant and discordant pairs."""

    requires = ("dense",)
    has_pvalues = True

    def scores(self, view: View) -> Ranking:
        """Score all features by the order of their values."""
        block = view.whole()
        pairs, ties_y = concordance(block.X, block.y, view.run)
        ties_x = Ties(pairs[:, 1], pairs[:, 2])
        tau, pvalue = kendall_test(pairs[:, 0], block.n_rows, ties_x, Ties(*map(np.asarray, ties_y)))
        return Ranking(np.abs(tau), pvalue, {"correlation": tau})


class Pearson(WeightedFit, NumberScore):
    r"""Keep features with the largest linear correlation with the target.

    The score is :math:`|\rho|` (section 17.2.3 of [1]_); the signed value is in
    ``selection_.columns["correlation"]``. Two text classes are read as 0 and 1. Zero correlation does not mean
    independence.

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
    Spearman : Correlation of the ranks.

    References
    ----------
    .. [1] L. Yu, "Feature selection for genomic data analysis", ch. 17 of H. Liu and H. Motoda (eds.),
       "Computational Methods of Feature Selection", 2008.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> X, y = load_diabetes(return_X_y=True)
    >>> Pearson(2).fit(X, y).selection_.indices.tolist()
    [2, 8]
    """

    method_tags = replace(MOMENTS, targets=("ordered classes", "numbers"))
    criterion = PearsonCriterion()


class Spearman(NumberScore):
    """Keep features that rise or fall most steadily with the target, by ranks.

    The score is the size of the linear correlation of ranks, ties sharing their mean rank; the signed value is in
    ``selection_.columns["correlation"]``.

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
    Kendall : Counts pairs; less moved by single rows.

    References
    ----------
    .. [1] C. Spearman, "The proof and measurement of association between two things", 1904.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> X, y = load_diabetes(return_X_y=True)
    >>> Spearman(2).fit(X, y).selection_.indices.tolist()
    [8, 2]
    """

    method_tags = replace(RANKS, targets=("ordered classes", "numbers"))
    criterion = SpearmanCriterion()


class Kendall(NumberScore):
    r"""Keep features that order most pairs of rows as the target does.

    The score is the size of :math:`\tau_b`; the signed value is in ``selection_.columns["correlation"]``. The
    p-value is that of the normal approximation with ties.

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
    Spearman : Correlation of the ranks.

    References
    ----------
    .. [1] M. G. Kendall, "Rank Correlation Methods", 4th ed., 1970.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> X, y = load_diabetes(return_X_y=True)
    >>> Kendall(2).fit(X, y).selection_.indices.tolist()
    [8, 2]
    """

    method_tags = replace(RANKS, targets=("ordered classes", "numbers"))
    criterion = KendallCriterion()

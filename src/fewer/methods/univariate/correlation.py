"""Correlation with a numeric or ordered target."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from fewer.core.criteria.shapes import RankingCriterion
from fewer.core.estimators.rankers import NumberScore
from fewer.core.estimators.selector import WeightedFit
from fewer.core.measures import Ties, correlation_pvalue, kendall_test, pearson
from fewer.core.records.ranking import Ranking
from fewer.core.summaries.products import ProductsWithTarget
from fewer.core.summaries.results import TargetProducts
from fewer.core.views.column_ranks import column_ranks, concordance
from fewer.core.views.spread import check_products
from fewer.core.views.view import View
from fewer.methods.univariate._normal import (
    NormalScore,
    doubts,
    fold_with_range,
    normal_reach,
    permuted_pvalues,
    squared_product,
)
from fewer.methods.univariate._small_ranks import (
    concordance_pvalues,
    mostly_equal,
    rank_correlation_pvalues,
    two_class_pvalues,
)
from fewer.methods.univariate._tags import MOMENTS, NUMBERS, RANKS


def _smallest(products: TargetProducts) -> tuple[float, bool]:
    """Return how many rows the tails of the target leave, and whether it has two values: then the smaller class.

    A target with the fraction q of ones has a farthest value at the root of (1 - q) / q standard deviations. One
    without tails leaves all rows: beside normal values any others do no harm.
    """
    n, variance = float(products.weight), products.m2_y / products.weight
    above, below = products.high_y - products.mean_y, products.mean_y - products.low_y
    if not variance > 0.0:
        return n, False
    if variance > (1.0 - 1e-9) * above * below:
        return n * min(above, below) / (above + below), True
    farthest = max(above, below) / np.sqrt(variance)
    return (n if farthest <= normal_reach(n) else n / farthest**2), False


@dataclass(frozen=True)
class PearsonCriterion(RankingCriterion):
    """Score |r|, the size of the linear correlation with the target."""

    permuted: bool = False
    who: str = "Pearson"
    requires = ("dense", "sparse")
    has_pvalues = True
    by_products = True

    def without_pvalues(self) -> PearsonCriterion:
        """Return the correlation without permutations."""
        return PearsonCriterion()

    def scores(self, view: View) -> Ranking:
        """Score all features by their products with the target."""
        products = view.fold(ProductsWithTarget()) if self.permuted else fold_with_range(view, ProductsWithTarget())
        check_products(view, products)
        r = pearson(products)
        if self.permuted:
            return Ranking(np.abs(r), permuted_pvalues(view, self.who, squared_product), {"correlation": r})
        mean = products.mean_x + (0.0 if products.origin_x is None else products.origin_x)
        smallest, two = _smallest(products)
        n_rows, variance = float(products.weight), products.m2_x / products.weight
        notes = doubts(view, smallest, mean, variance, n_rows=n_rows, of_all=not two)
        return Ranking(np.abs(r), correlation_pvalue(r, products.weight), {"correlation": r}, notes=notes)


class SpearmanCriterion(RankingCriterion):
    """Score |rho|, the linear correlation of the ranks."""

    requires = ("dense",)
    has_pvalues = True

    def scores(self, view: View) -> Ranking:
        """Score all features by the ranks of their values."""
        block = view.whole()
        y_ranks, y_ties = column_ranks(block.y[:, None], view.run)
        centred = y_ranks[0] - y_ranks[0].mean()
        spread = float(centred @ centred)

        two = len(np.unique(block.y)) == 2
        chosen = np.flatnonzero(y_ranks[0] > y_ranks[0].min()) if two else np.empty(0, np.int64)

        def correlate(ranks: np.ndarray, ties: np.ndarray) -> tuple[np.ndarray, ...]:
            deviations = ranks - ranks.mean(axis=1, keepdims=True)
            size = np.sqrt(np.einsum("ij,ij->i", deviations, deviations) * spread)
            rho = np.divide(deviations @ centred, size, out=np.zeros(len(size)), where=size > 0)
            return rho, ties, ranks[:, chosen].sum(axis=1)

        parts = column_ranks(block.X, view.run, correlate)
        rho, ties, upper = (np.concatenate([part[i] for part in parts]) for i in range(3))
        rho = np.clip(rho, -1.0, 1.0)
        pvalue = correlation_pvalue(rho, block.n_rows)
        if two:
            pvalue = two_class_pvalues(block, ties, upper, len(chosen), pvalue, view.run)
        else:
            few = mostly_equal(ties, block.n_rows) | mostly_equal(y_ties, block.n_rows)
            pvalue = rank_correlation_pvalues(block.X, y_ranks[0], few, pvalue, view.run)
        return Ranking(np.abs(rho), pvalue, {"correlation": rho})


class KendallCriterion(RankingCriterion):
    """Score |tau_b|, the balance of concordant and discordant pairs."""

    requires = ("dense",)
    has_pvalues = True

    def scores(self, view: View) -> Ranking:
        """Score all features by the order of their values."""
        block = view.whole()
        pairs, ties_y = concordance(block.X, block.y, view.run)
        ties_x = Ties(pairs[:, 1], pairs[:, 2])
        of_y = Ties(*map(np.asarray, ties_y))
        tau, pvalue = kendall_test(pairs[:, 0], block.n_rows, ties_x, of_y)
        return Ranking(np.abs(tau), self._for_few(view, pairs[:, 0], ties_x, of_y, pvalue), {"correlation": tau})

    def _for_few(self, view: View, balance: np.ndarray, ties_x: Ties, ties_y: Ties, pvalue: np.ndarray) -> np.ndarray:
        """Return p-values that hold for few rows, too."""
        block = view.whole()
        _, sizes = np.unique(block.y, return_counts=True)
        if len(sizes) == 2:
            # The balance of two classes is 2 U - n_1 n_0, and so the rank sum in another guise.
            upper = (balance + sizes[0] * sizes[1]) / 2.0 + sizes[1] * (sizes[1] + 1.0) / 2.0
            return two_class_pvalues(block, ties_x.tie_term, upper, int(sizes[1]), pvalue, view.run)
        few = mostly_equal(ties_x.tie_term, block.n_rows) | mostly_equal(ties_y.tie_term, block.n_rows)
        return concordance_pvalues(block.X, block.y, few, pvalue, view.run)


class Pearson(WeightedFit, NormalScore):
    r"""Keep features with the largest linear correlation with the target.

    The score is :math:`|\rho|` (section 17.2.3 of [1]_); the signed value is in
    ``selection_.columns["correlation"]``. Two text classes are read as 0 and 1. Zero correlation does not mean
    independence.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); None keeps all.
    pvalues : {"normal", "permutation"}, default="normal"
        Whether p-values are those of normal data, or of up to 99,999 permutations of the target: true for any data, in
        memory, but never below 1e-5.
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

    method_tags = replace(MOMENTS, targets=NUMBERS)
    criterion = PearsonCriterion()


class Spearman(NumberScore):
    """Keep features that rise or fall most steadily with the target, by ranks.

    The score is the size of the linear correlation of ranks, ties sharing their mean rank; the signed value is in
    ``selection_.columns["correlation"]``. The p-value is that of t with n - 2 degrees of freedom; of all permutations
    where the target or the feature has two values and one of them, or a value other than the most frequent one, has
    fewer than 20 rows, and where there are at most 20,000; of up to 99,999 random ones for fewer than 20 such rows of
    the feature (or of the target, among at most 2,000 rows). Two classes are tested as in `RankSum`.

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

    method_tags = replace(RANKS, targets=NUMBERS)
    criterion = SpearmanCriterion()


class Kendall(NumberScore):
    r"""Keep features that order most pairs of rows as the target does.

    The score is the size of :math:`\tau_b`; the signed value is in ``selection_.columns["correlation"]``. The
    p-value is that of the normal approximation with ties, and of permutations where rows are few, see `Spearman`; few
    rows of a target of more than two values count among at most 200 rows.

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

    method_tags = replace(RANKS, targets=NUMBERS)
    criterion = KendallCriterion()

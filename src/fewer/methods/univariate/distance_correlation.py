"""Correlation of distances, which is 0 only for independence."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import chdtrc

from fewer.core.criteria.shapes import RankingCriterion
from fewer.core.measures.permutations import permutation_pvalues
from fewer.core.records.ranking import Ranking
from fewer.core.records.tags import MethodTags
from fewer.core.views.unit_columns import scan_columns, stable_order, unit_columns
from fewer.core.views.view import View
from fewer.methods.univariate._distances import Distances, TargetDistances, standard
from fewer.methods.univariate._permuted import MOST_PERMUTATIONS, ApproximateScore


@dataclass(frozen=True)
class DistanceCriterion(RankingCriterion):
    """Score dCor, the correlation of distances."""

    permuted: bool = False
    requires = ("dense",)
    has_pvalues = True

    def without_pvalues(self) -> DistanceCriterion:
        """Return the score without permutations."""
        return DistanceCriterion()

    def scores(self, view: View) -> Ranking:
        """Score all features by their distances."""
        target, n = TargetDistances(view), view.n_rows
        X = view.whole().X[target.order]

        def score(column: np.ndarray, deviation: float) -> tuple[float, float]:
            # Rows are sorted by the target, so that a stable order does not depend on the given one.
            rows = stable_order(column)
            x = standard(column, deviation)[rows]
            own = Distances.of(x)
            sums = target.products(x, own, rows)
            return own.correlation(target.own, *sums, False), own.correlation(target.own, *sums, True)

        found, corrected = scan_columns(X, view.run, score).T
        if self.permuted:
            pvalues = self._by_permutations(target, X, found)
        else:
            # Shen, Panda and Vogelstein 2022, valid at levels up to 0.05.
            pvalues = chdtrc(1.0, np.maximum(n * corrected + 1.0, 0.0)) if n > 3 else np.ones(len(found))
        return Ranking(np.sqrt(found), pvalues, {"corrected": corrected})

    def _by_permutations(self, target: TargetDistances, X: np.ndarray, found: np.ndarray) -> np.ndarray:
        def statistics(features: np.ndarray, orders: np.ndarray) -> np.ndarray:
            out = np.empty((len(features), len(orders)))
            for at, j in enumerate(features):
                columns, deviations = unit_columns(X[:, [j]])
                rows = stable_order(columns[0])
                x = standard(columns[0], float(deviations[0]))[rows]
                own = Distances.of(x)
                sums = (target.products(x, own, order[rows]) for order in orders)
                out[at] = [own.correlation(target.own, *one, False) for one in sums]
            return out

        return permutation_pvalues(target.y, found, statistics, most=MOST_PERMUTATIONS)


class DistanceCorrelation(ApproximateScore):
    r"""Keep features whose distances between rows go most with those of the target.

    With distances centred by rows and columns the score is :math:`\mathrm{dCor} = \sqrt{\mathrm{dCov}^2(x, y) /
    \sqrt{\mathrm{dCov}^2(x, x)\, \mathrm{dCov}^2(y, y)}}` (definitions 4 and 5 of [1]_), 0 only for independence as
    rows grow many. The distance of different classes is 1. It takes :math:`n \log n` steps [2]_.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); None keeps all.
    pvalues : {"approximate", "permutation"}, default="approximate"
        Whether p-values are those of a limit distribution, or of permutations of the target: up to 9,999.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    See Also
    --------
    HSIC : The same idea with kernels, for short-range dependence.
    ChatterjeeXi : Asks whether the target is a function of the feature.

    Notes
    -----
    The approximate p-value is that of [3]_, by the bias-corrected squared correlation in
    ``selection_.columns["corrected"]``: it holds at levels up to 0.05 and is on the safe side. Text, booleans and whole
    numbers with at most 20 values are classes, other targets numbers; for two classes this makes no difference.

    References
    ----------
    .. [1] G. J. Szekely, M. L. Rizzo and N. K. Bakirov, "Measuring and testing dependence by correlation of distances",
       Annals of Statistics 35(6), 2007.
    .. [2] A. Chaudhuri and W. Hu, "A fast algorithm for computing distance correlation", Computational Statistics &
       Data Analysis 135, 2019.
    .. [3] C. Shen, S. Panda and J. T. Vogelstein, "The chi-square test of distance correlation", Journal of
       Computational and Graphical Statistics 31(1), 2022.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> X, y = load_diabetes(return_X_y=True)
    >>> DistanceCorrelation(2).fit(X, y).selection_.indices.tolist()
    [8, 2]
    """

    method_tags = MethodTags(
        targets=("classes", "numbers"),
        views=("dense",),
        invariance=("row_order", "scale"),
        cost="n*log(n)*d",
    )
    criterion = DistanceCriterion()

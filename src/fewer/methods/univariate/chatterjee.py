"""How far the target is a function of a feature, whatever its form."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.special import ndtr

from fewer.core.criteria.shapes import RankingCriterion
from fewer.core.kernels.rank_steps import expected_steps
from fewer.core.measures.permutations import permutation_pvalues
from fewer.core.records.ranking import Ranking
from fewer.core.views.unit_columns import TILE_CELLS, stable_order
from fewer.core.views.view import View
from fewer.methods.univariate._permuted import MOST_PERMUTATIONS, ApproximateScore
from fewer.methods.univariate._tags import RANKS


@dataclass(frozen=True, eq=False)
class TargetRanks:
    """The ranks of a target from below and from above: r counts rows with y <= y(i), l those with y >= y(i)."""

    r: np.ndarray
    l: np.ndarray

    @classmethod
    def of(cls, y: np.ndarray) -> TargetRanks:
        """Rank a target."""
        ordered = np.sort(y)
        r = np.searchsorted(ordered, y, side="right").astype(np.int64)
        return cls(r, len(y) - np.searchsorted(ordered, y, side="left").astype(np.int64))

    @property
    def whole(self) -> float:
        """Twice the sum of l (n - l)."""
        return 2.0 * float((self.l.astype(np.float64) * (len(self.l) - self.l)).sum())

    @property
    def deviation(self) -> float:
        """The standard deviation of xi if the feature and the target are independent (theorem 2.2)."""
        n = float(len(self.r))
        u, i = np.sort(self.r).astype(np.float64) / n, np.arange(1, len(self.r) + 1) / n
        weight = 2.0 - 2.0 * i + 1.0 / n
        a, c = (weight * u**2).mean(), (weight * u).mean()
        b = ((np.cumsum(u) / n + (1.0 - i) * u) ** 2).mean()
        d = self.whole / (2.0 * n**3)
        return float(np.sqrt(max(0.0, a - 2.0 * b + c**2) / d**2 / n)) if d > 0 else 0.0


def xi_of(steps: np.ndarray, ranks: TargetRanks) -> np.ndarray:
    """Return xi by equation (1.2), 0 for a constant target."""
    whole = ranks.whole
    return 1.0 - len(ranks.r) * steps / whole if whole > 0 else np.zeros_like(steps)


@dataclass(frozen=True)
class XiCriterion(RankingCriterion):
    """Score xi, the mean over all orders of rows that are equal in the feature."""

    permuted: bool = False
    requires = ("dense",)
    has_pvalues = True

    def without_pvalues(self) -> XiCriterion:
        """Return the score without permutations."""
        return XiCriterion()

    def scores(self, view: View) -> Ranking:
        """Score all features by steps between ranks of the target."""
        block, ranks = view.whole(), TargetRanks.of(np.asarray(view.whole().y))

        def steps(start: int, stop: int) -> list[tuple[float, bool]]:
            room, columns = np.empty(block.n_rows, np.int64), np.ascontiguousarray(block.X[:, start:stop].T)
            orders = map(stable_order, columns)
            return [
                (expected_steps(column, order, ranks.r, room), column[order[0]] == column[order[-1]])
                for column, order in zip(columns, orders)
            ]

        parts = view.run.scan(steps, view.n_features, max(1, TILE_CELLS // max(1, block.n_rows)))
        found, constant = np.array([one for part in parts for one in part]).T
        constant = constant > 0
        xi = np.where(constant, 0.0, xi_of(found, ranks))
        if self.permuted:
            return Ranking(xi, self._by_permutations(view, ranks, xi), constant=constant)
        z = np.divide(xi, ranks.deviation, out=np.zeros(len(xi)), where=ranks.deviation > 0)
        return Ranking(xi, np.where(constant, 1.0, ndtr(-z)), constant=constant)

    def _by_permutations(self, view: View, ranks: TargetRanks, xi: np.ndarray) -> np.ndarray:
        X, room = view.whole().X, np.empty(view.n_rows, np.int64)

        def statistics(features: np.ndarray, orders: np.ndarray) -> np.ndarray:
            out = np.empty((len(features), len(orders)))
            for at, j in enumerate(features):
                column = np.ascontiguousarray(X[:, j])
                by_column = stable_order(column)
                out[at] = [expected_steps(column, by_column, ranks.r[order], room) for order in orders]
            return xi_of(out, ranks)

        return permutation_pvalues(ranks.r, xi, statistics, most=MOST_PERMUTATIONS)


class ChatterjeeXi(ApproximateScore):
    r"""Keep features of which the target is most nearly a function, of any form.

    With rows in the order of the feature, :math:`r_i` the rank of the target and :math:`l_i` its rank from above, the
    score is :math:`\xi = 1 - n \sum |r_{i+1} - r_i| / (2 \sum l_i (n - l_i))` (equation 1.2 of [1]_): near 1 if the
    target is a function of the feature, about 0, or less, if they are independent.

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
    Spearman : Finds steady trends in fewer rows.
    DistanceCorrelation : Symmetric, 0 only for independence.

    Notes
    -----
    [1]_ breaks ties of the feature at random. Here the score is the mean over all ways to break them, which [1]_ names
    as the alternative: it is the same in every run and for every order of rows. It varies less than the limit
    distribution says, so that p-values of features with many ties are too large, never too small; take
    ``pvalues="permutation"`` for them. Take it, too, where the target is the same in all but few rows, such as a class
    of fewer than 50: there the limit distribution is not reached, and p-values are too small. They are one-sided.

    References
    ----------
    .. [1] S. Chatterjee, "A new coefficient of correlation", Journal of the American Statistical Association 116, 2021.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> X, y = load_diabetes(return_X_y=True)
    >>> ChatterjeeXi(2).fit(X, y).selection_.indices.tolist()
    [2, 8]
    """

    method_tags = replace(RANKS, targets=("ordered classes", "numbers"))
    criterion = XiCriterion()

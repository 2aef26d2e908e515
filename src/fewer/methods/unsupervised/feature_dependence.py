"""Features that depend on others: what depends on nothing shows no clusters."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from fewer.core.criteria.shapes import RankingCriterion
from fewer.core.estimators.rankers import CodesScore
from fewer.core.kernels import dependence
from fewer.core.records.ranking import Ranking
from fewer.core.records.tags import ON_CODES
from fewer.core.views.view import View

PAIRS_AT_ONCE = 2**12


class DependenceScore(RankingCriterion):
    """Mean rise of the expected fraction of right guesses of a feature when another is known."""

    requires = ("codes",)

    def scores(self, view: View) -> Ranking:
        """Score all features by all others."""
        block, d = view.whole(), view.n_features
        n_levels = np.asarray(view.n_levels, np.int64)
        columns = np.ascontiguousarray(block.columns)
        occurring = np.array([np.count_nonzero(np.bincount(column)) for column in columns])
        # Levels of constant columns change no guess, not even by rounding.
        blind = np.array([(np.bincount(column).astype(np.float64) ** 2).sum() / view.n_rows**2 for column in columns])

        def work(start: int, stop: int) -> np.ndarray:
            known = np.empty((stop - start, d))
            dependence.guesses(columns, n_levels, start, stop, known)
            rise = np.maximum(known - blind[start:stop, None], 0.0)
            rise[occurring[start:stop] < 2] = 0.0
            rise[:, occurring < 2] = 0.0
            rise[np.arange(stop - start), np.arange(start, stop)] = 0.0
            # Sorted, so that copies of a feature have the same sum to the last bit.
            return np.sort(rise, axis=1).sum(axis=1) / max(d - 1, 1)

        parts = view.run.scan(work, d, max(1, PAIRS_AT_ONCE // d))
        return Ranking(np.concatenate(parts), constant=occurring < 2)


class FeatureDependence(CodesScore):
    r"""Keep features that depend most on the other features, pair by pair.

    The score of feature m of N is :math:`\frac{1}{N - 1} \sum_{i \ne m} \sum_v P(A_i = v) \sum_u [P(A_m = u | A_i =
    v)^2 - P(A_m = u)^2]` [1]_: how much more often its level is guessed if that of another feature is known, in the
    mean over the others; guesses are drawn in proportion to frequency. A feature that depends on no other is irrelevant
    to clusters, which make features depend on each other.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); None keeps all.
    discretizer : {"quantile", "uniform", "mdl", "sigma", "mixture", "relief"}, transformer or None, default="quantile"
        How numeric columns are put into bins; None says that X holds bin numbers already. Here one that needs no
        target.
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
    FeatureClustering : Keeps one of each group of features that go together.

    Notes
    -----
    Each term is the numerator of Goodman and Kruskal's tau. In a sample it is above 0 also for independent features: if
    n rows are shuffled, its mean is :math:`(L_i - 1)(1 - \sum_u P(A_m = u)^2) / (n - 1)`, 0.08 for 100 rows in ten
    equal bins. Features that depend on several others only together, as in an exclusive or, score as if they were
    independent. Copies of a feature raise its score. A missing value is a level of its own.

    References
    ----------
    .. [1] L. Talavera, "Feature selection as a preprocessing step for hierarchical clustering", ICML 1999.
    .. [2] D. H. Fisher, "Knowledge acquisition via incremental conceptual clustering", Machine Learning 2, 1987.

    Examples
    --------
    >>> X = [[0, 0, 0], [0, 0, 1], [1, 1, 0], [1, 1, 1]]
    >>> FeatureDependence(2, discretizer=None).fit(X).scores_.tolist()
    [0.25, 0.25, 0.0]
    """

    method_tags = replace(
        ON_CODES,
        targets=("none",),
        handles_sparse=False,
        handles_weights=False,
        weights_count_rows=False,
        streams=False,
        cost="n*d^2",
    )
    criterion = DependenceScore()

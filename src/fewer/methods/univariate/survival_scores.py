"""Scores of single features for a time until an event that was not seen in every row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fewer.core.criteria.shapes import RankingCriterion
from fewer.core.estimators.rankers import COMMON_CONSTRAINTS, NumberScore
from fewer.core.measures.risk_sets import TIES, RiskSets, median_split, score_test
from fewer.core.records.params import StrOptions
from fewer.core.records.ranking import Ranking
from fewer.core.records.tags import MethodTags
from fewer.core.stop import Stop
from fewer.core.views.event_order import ordered_pairs
from fewer.core.views.view import View

# Numbers alone are times at which the event was seen in every row.
SURVIVAL = MethodTags(
    targets=("survival", "numbers"),
    views=("dense",),
    invariance=("row_order", "scale"),
    cost="n*d",
)
RANKED = MethodTags(
    targets=("survival", "numbers"),
    views=("dense",),
    invariance=("row_order", "scale", "monotone"),
    cost="n*log(n)*d",
)
TILE_CELLS = 2**20


def risk_sets(view: View) -> RiskSets:
    """Return times and events of the rows; numbers alone are times of events."""
    y = view.whole().y
    if y.dtype.names is None:
        return RiskSets(y, np.ones(len(y), dtype=bool))
    return RiskSets(y["time"], y["event"])


@dataclass(frozen=True)
class RiskSetCriterion(RankingCriterion):
    """Score |z| of Cox's score test, of the values or of their split at the median."""

    ties: str = "efron"
    split: bool = False
    requires = ("dense",)
    has_pvalues = True

    def scores(self, view: View) -> Ranking:
        """Score all features by sums over the rows at risk."""
        X, rows = view.whole().X, risk_sets(view)

        def work(start: int, stop: int) -> tuple[np.ndarray, np.ndarray]:
            some = np.asarray(X[:, start:stop], dtype=np.float64)
            return score_test(median_split(some) if self.split else some, rows, self.ties)

        parts = view.run.scan(work, view.n_features, max(1, TILE_CELLS // max(1, view.n_rows)))
        z, pvalues = (np.concatenate([part[k] for part in parts]) for k in range(2))
        return Ranking(np.abs(z), pvalues, {"statistic": z})


class ConcordanceCriterion(RankingCriterion):
    """Score max(C, 1 - C), C being Harrell's index of concordance."""

    requires = ("dense",)
    has_pvalues = False

    def scores(self, view: View) -> Ranking:
        """Score all features by the pairs of rows whose order in time is known."""
        rows = risk_sets(view)
        larger, equal, pairs = ordered_pairs(view.whole().X, rows.time, rows.event, view.run).T
        index = np.divide(larger + equal / 2.0, pairs, out=np.full(len(pairs), 0.5), where=pairs > 0)
        return Ranking(np.maximum(index, 1.0 - index), None, {"concordance": index})


class CoxScore(NumberScore):
    r"""Keep features with the largest score statistic of a proportional hazards model with each alone.

    With :math:`\bar x(t)` and :math:`s^2(t)` the mean and the variance of the feature over the rows at risk at t,
    :math:`z = \sum_i (x_i - \bar x(t_i)) / \sqrt{\sum_i s^2(t_i)}` over the events i [1]_. The score is
    :math:`|z|`; the signed z, positive where large values mean early events, is in ``selection_.columns["statistic"]``.
    The p-value is that of the normal distribution. No model is fitted: z is the slope of the likelihood at no effect.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); None keeps all.
    tied_events : {"efron", "breslow", "hypergeometric"}, default="efron"
        What is done with events at the same time: Efron's or Breslow's way, or the variance of draws without
        replacement, as in `LogRank`. Without such ties all are the same.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    See Also
    --------
    LogRank : Two groups of rows, by the median.
    Concordance : Looks at the order of the values only.

    Notes
    -----
    y is a structured array of events and times, as of scikit-survival, or a frame of two columns, of which one holds 0
    and 1, or times alone if every event was seen. See the page on survival. P-values are too small where few rows stand
    apart from the others, such as fewer than ten ones among zeros.

    References
    ----------
    .. [1] D. R. Cox, "Regression models and life-tables", J. R. Stat. Soc. B 34(2), 1972.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(100, 5))
    >>> time, censored = rng.exponential(np.exp(-X[:, 2])), rng.exponential(2.0, 100)
    >>> y = np.array(list(zip(time <= censored, np.minimum(time, censored))), dtype=[("event", bool), ("time", float)])
    >>> CoxScore(1).fit(X, y).selection_.indices.tolist()
    [2]
    """

    method_tags = SURVIVAL
    criterion = RiskSetCriterion()
    _parameter_constraints: dict = {**COMMON_CONSTRAINTS, "tied_events": [StrOptions(set(TIES))]}

    def __init__(
        self,
        n_features_to_select: int | float | str | Stop | None = 10,
        *,
        tied_events: str = "efron",
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        super().__init__(n_features_to_select, n_jobs=n_jobs, verbose=verbose)
        self.tied_events = tied_events

    def _criterion(self) -> Any:
        return RiskSetCriterion(self.tied_events)


class LogRank(NumberScore):
    r"""Keep features by which two groups of rows differ most in the time until an event.

    Rows above the median of the feature are compared with the others; where none is above, those from it on. So the
    groups of a feature with two values are these. With d events among n rows at risk at a time, of which
    :math:`n_1` are of the group and :math:`d_1` of its events,
    :math:`z = \sum (d_1 - d n_1 / n) / \sqrt{\sum d \frac{n_1}{n} (1 - \frac{n_1}{n}) \frac{n - d}{n - 1}}` [1]_. The
    score is :math:`|z|`; the signed z, positive where large values mean early events, is in
    ``selection_.columns["statistic"]``. The p-value is that of the normal distribution.

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
    CoxScore : The same test of the values themselves.

    Notes
    -----
    y is as for `CoxScore`, and so are p-values of few rows that stand apart. Splits that fit the target best, which
    some papers search for, have no such p-value and are not offered.

    References
    ----------
    .. [1] N. Mantel, "Evaluation of survival data and two new rank order statistics arising in its consideration",
       Cancer Chemotherapy Reports 50, 1966.

    Examples
    --------
    >>> time = [6, 6, 6, 7, 10, 13, 16, 22, 23, 1, 1, 2, 2, 3, 4, 4, 5, 5, 8, 8]
    >>> treated = [[1, 0]] * 9 + [[0, 0]] * 11
    >>> LogRank(1).fit(treated, time).selection_.indices.tolist()
    [0]
    """

    method_tags = RANKED
    criterion = RiskSetCriterion("hypergeometric", True)


class Concordance(NumberScore):
    r"""Keep features that put rows most often into the order of their events.

    A pair counts if one row is known to have its event before the other. C is the fraction of pairs in which that row
    has the larger value, pairs of equal values counted half [1]_. The score is :math:`\max(C, 1 - C)`; C is in
    ``selection_.columns["concordance"]``, above one half where large values mean early events.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary). "threshold:0.6"
        keeps indices from 0.6 on. None keeps all.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    See Also
    --------
    FeatureAUC : The same for classes.
    CoxScore : A test.

    Notes
    -----
    y is as for `CoxScore`. Of two events at the same time neither is before the other, and the pair is left out; a row
    that is observed until a time lasts longer than one with its event then. Without any pair C is one half.

    References
    ----------
    .. [1] F. E. Harrell, R. M. Califf, D. B. Pryor, K. L. Lee and R. A. Rosati, "Evaluating the yield of medical
       tests", JAMA 247(18), 1982.

    Examples
    --------
    >>> X, time = [[3, 1], [2, 2], [1, 2], [0, 1]], [1.0, 2.0, 3.0, 4.0]
    >>> Concordance(1).fit(X, time).selection_.columns["concordance"].tolist()
    [1.0, 0.5]
    """

    method_tags = RANKED
    criterion = ConcordanceCriterion()

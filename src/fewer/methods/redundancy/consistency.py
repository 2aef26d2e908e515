"""Consistency: as few features as tell the classes apart as well as all do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from numbers import Real
from typing import Any, ClassVar

import numpy as np

from fewer.core.criteria.shapes import StepwiseCriterion
from fewer.core.criteria.subset_filters import Agreement
from fewer.core.estimators.parts import Parts
from fewer.core.estimators.selector import WeightedFit
from fewer.core.records.needs import MORE_THAN, Need
from fewer.core.records.params import Interval
from fewer.core.records.reasons import IRRELEVANT, KEPT, REDUNDANT, Reasons
from fewer.core.records.result import Selection
from fewer.core.records.trace import Trace
from fewer.core.search import greedy_forward
from fewer.core.stop import Stop
from fewer.core.summaries.counts import TargetCounts
from fewer.core.views.view import View
from fewer.methods.redundancy._doubt import Doubt
from fewer.methods.redundancy._on_codes import SAME, TAGS, CodesSelector

GAIN = "fraction of rows that it makes consistent beside the kept features"


@dataclass(frozen=True)
class Consistent(Stop):
    """End a search when the inconsistency rate has fallen to a value."""

    rate: float
    in_vain: bool = False

    abilities: ClassVar[tuple[str, ...]] = ("done",)

    def done(self, trace: Trace, n_left: int, *, drops: bool = False) -> bool:
        """Return whether the last step reached the rate, or no step can lower it."""
        return self.in_vain if len(trace) == 0 else trace[-1].value >= 1.0 - self.rate - SAME

    def __str__(self) -> str:
        return f"inconsistency rate {self.rate:g} or less"


class ConsistencyCriterion(StepwiseCriterion, Agreement):
    """Score 1 - the inconsistency rate, as an incremental and as a subset criterion.

    It remembers by which chosen feature every other one lost its last contribution.
    """

    requires = ("codes",)

    def start(self, view: View) -> np.ndarray:
        """Score every feature alone."""
        self.view, self.doubt = view, Doubt(view.whole(), view.n_classes)
        self.hopeless = view.fold(TargetCounts(view.n_classes)).occurring < 2
        self.joined: list[int] = []
        self.gain = np.zeros(view.n_features)
        self.partner, self.lost = np.full(view.n_features, -1, np.int64), np.zeros(view.n_features)
        return self._scores()

    def add(self, view: View, chosen: Sequence[int]) -> np.ndarray:
        """Score every feature now that one more is chosen."""
        self.joined.append(chosen[-1])
        self.doubt.join(chosen[-1])
        before = self.gain
        scores = self._scores()
        over = (before > SAME) & (self.gain <= SAME)
        self.partner[over], self.lost[over] = chosen[-1], before[over]
        self.partner[self.gain > SAME] = -1
        return scores

    def _scores(self) -> np.ndarray:
        doubt = self.doubt
        right = doubt.right_with_each(self.view.run)
        self.gain = (right - doubt.right) / doubt.total
        return right / doubt.total

    def explain(self, reasons: Reasons, kept: np.ndarray) -> Reasons:
        """Tell features that have nothing to add to the kept ones: redundant if they ever had, else irrelevant."""
        if self.joined != kept[: len(self.joined)].tolist():
            self.start(self.view)
        for k in range(len(self.joined), len(kept)):
            self.add(self.view, kept[: k + 1].tolist())
        adds = Need(GAIN, np.where(self.gain <= SAME, 0.0, self.gain), 0.0, how=MORE_THAN)
        kind = reasons.kind.copy()
        idle = (kind != KEPT) & adds.failed
        kind[idle] = np.where(self.partner[idle] >= 0, REDUNDANT, IRRELEVANT)
        related = {int(j): (int(self.partner[j]),) for j in np.flatnonzero(kind == REDUNDANT)}
        amount = {j: float(self.lost[j]) for j in related}
        return replace(reasons, kind=kind, needs=(adds,), related=related, amount=amount)


class Consistency(WeightedFit, CodesSelector):
    r"""Choose features that leave as few rows alike but of different classes as all features do.

    Rows with equal levels of the chosen features are a group. With :math:`n_g` rows, :math:`m_g` of them in the most
    frequent class of the group, the inconsistency rate is :math:`\frac1n \sum_g (n_g - m_g)` [1]_. Features join one by
    one, always the one that lowers the rate most, until it is that of all features together. The score is the fraction
    of consistent rows, 1 minus the rate, that the subset had when the feature joined or would have if it joined now.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=None
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary). None stops as soon
        as the rate is reached.
    max_rate : float, default=None
        Inconsistency rate that is low enough; None takes the rate of all features together, below which no subset
        can get. With ``n_features_to_select`` the search stops at whichever comes first.
    discretizer : {"quantile", "uniform", "mdl", "sigma", "mixture", "relief"}, transformer or None, default="quantile"
        How numeric columns are put into bins; None says that X holds bin numbers already.
    bins : int, default=10
        Number of bins for "quantile" and "uniform". Few bins, as many make any rows consistent.
    categorical_features : array-like of int, str or bool, default=None
        Nominal columns besides those whose dtype says so.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    See Also
    --------
    CFS : Looks at pairs of features only.

    Notes
    -----
    A dropped feature that cannot lower the rate of the kept ones is irrelevant if it could at no step of the search;
    otherwise it is redundant to the feature after which it could no longer, by as much as it still could just before.
    Constant features are never kept, and nothing is if all features together cannot lower the rate.

    References
    ----------
    .. [1] H. Liu and R. Setiono, "A probabilistic approach to feature selection: a filter solution", ICML 1996.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> Consistency(max_rate=0.08, bins=4).fit(X, y).selection_.indices.tolist()
    [2, 3]
    """

    method_tags = replace(TAGS, streams=False)
    _parameter_constraints: dict = {
        **CodesSelector._parameter_constraints,
        "max_rate": [None, Interval(Real, 0, 1, closed="both")],
    }

    def __init__(
        self,
        n_features_to_select: int | float | str | Stop | None = None,
        *,
        max_rate: float | None = None,
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
        self.max_rate = max_rate

    def _criterion(self) -> ConsistencyCriterion:
        return ConsistencyCriterion()

    def _select(self, data: View, parts: Parts) -> Selection:
        view = self._view(data, parts)
        return greedy_forward(view, parts.criterion, self._stop(view, parts.size))

    def _stop(self, view: View, wanted: Stop) -> Stop:
        if self.n_features_to_select is not None and self.max_rate is None:
            return wanted
        lowest = lowest_rate(view)
        none = Doubt(view.whole(), view.n_classes)
        in_vain = lowest >= 1.0 - none.right / none.total - SAME
        reached = Consistent(max(lowest, self.max_rate or 0.0), in_vain)
        return reached if self.n_features_to_select is None else wanted | reached


def lowest_rate(view: View) -> float:
    """Return the inconsistency rate of all features together."""
    doubt = Doubt(view.whole(), view.n_classes)
    for j in range(view.n_features):
        if not len(doubt):
            break
        doubt.join(j)
    return 1.0 - doubt.right / doubt.total

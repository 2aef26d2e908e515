"""Ranking criteria made of one summary and one measure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from fewer.core.criteria.shapes import RankingCriterion
from fewer.core.measures.costs import as_costs
from fewer.core.records.ranking import Ranking
from fewer.core.summaries.counts import TargetCounts
from fewer.core.summaries.moments import ClassMoments
from fewer.core.views.spread import check_moments
from fewer.core.views.view import View
from fewer.core.views.weights import warn_of_light_classes, warn_of_light_weights

Measure = Callable[[Any], Any]
CostMeasure = Callable[[Any, np.ndarray], np.ndarray]


@dataclass(frozen=True)
class CountScore(RankingCriterion):
    """A measure of contingency tables, with the test that gives its p-value."""

    measure: Measure
    test: Measure | None = None
    requires = ("codes",)

    @property
    def has_pvalues(self) -> bool:  # type: ignore[override]
        """Whether a null distribution is known."""
        return self.test is not None

    def scores(self, view: View) -> Ranking:
        """Score all features by their counts with the classes."""
        counts = view.fold(TargetCounts(view.n_classes))
        pvalues = None if self.test is None else self.test(counts)[-1]
        return Ranking(self.measure(counts), pvalues, constant=counts.occurring < 2)


@dataclass(frozen=True, eq=False)
class CostScore(RankingCriterion):
    """A measure of contingency tables that knows what errors cost; no null distribution is known."""

    name: str
    measure: CostMeasure
    cost_matrix: Any
    requires = ("codes",)
    has_pvalues = False

    def scores(self, view: View) -> Ranking:
        """Score all features by their counts with the classes."""
        costs = as_costs(self.name, self.cost_matrix, view.n_classes)
        return Ranking(self.measure(view.fold(TargetCounts(view.n_classes)), costs))


@dataclass(frozen=True)
class MomentScore(RankingCriterion):
    """A statistic of class means and variances; features are ranked by its size.

    ``spread`` says which variances it estimates: one that is "pooled" over the classes, "own" ones of the classes, or
    none.
    """

    statistic: Callable[[Any], tuple[np.ndarray, np.ndarray | None]]
    has_pvalues: bool = True
    signed: bool = False
    spread: str | None = None
    requires = ("dense", "sparse")

    def scores(self, view: View) -> Ranking:
        """Score all features by their moments per class."""
        moments = view.fold(ClassMoments(view.n_classes))
        check_moments(view, moments)
        if self.spread == "pooled":
            warn_of_light_weights(view, float(moments.weight.sum()), int(np.count_nonzero(moments.weight)))
        elif self.spread == "own":
            warn_of_light_classes(view, moments.weight)
        statistic, pvalues = self.statistic(moments)
        columns = {"statistic": statistic} if self.signed else {}
        return Ranking(np.abs(statistic), pvalues, columns)

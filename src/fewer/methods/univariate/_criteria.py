"""Ranking criteria made of one summary and one measure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fewer.core.criteria.shapes import RankingCriterion
from fewer.core.measures.costs import as_costs
from fewer.core.measures.exact_tables import exact_pvalues
from fewer.core.records.ranking import Ranking
from fewer.core.summaries.counts import TargetCounts
from fewer.core.summaries.moments import ClassMoments
from fewer.core.views.spread import check_moments
from fewer.core.views.view import View
from fewer.core.views.weights import warn_of_light_classes, warn_of_light_weights
from fewer.methods.univariate._normal import doubts, fold_with_range, of_all_rows, permuted_pvalues

Measure = Callable[[Any], Any]
CostMeasure = Callable[[Any, np.ndarray], np.ndarray]


@dataclass(frozen=True)
class CountScore(RankingCriterion):
    """A measure of contingency tables, with the test that gives its p-value.

    ``statistic`` names what tables with small counts are ordered by, of `exact_pvalues`; it must order tables with the
    same margins as the measure does.
    """

    measure: Measure
    test: Measure | None = None
    statistic: str | None = None
    requires = ("codes",)

    @property
    def has_pvalues(self) -> bool:  # type: ignore[override]
        """Whether a null distribution is known."""
        return self.test is not None

    def without_pvalues(self) -> CountScore:
        """Return the measure alone."""
        return replace(self, test=None)

    def scores(self, view: View) -> Ranking:
        """Score all features by their counts with the classes."""
        counts = view.fold(TargetCounts(view.n_classes))
        pvalues = None if self.test is None else self.test(counts)[-1]
        if pvalues is not None and self.statistic is not None:
            pvalues = exact_pvalues(counts, pvalues, self.statistic)
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
    none. ``permutable`` is what permutations compare, and ``permuted`` whether ``who`` asks for them; ``untested`` says
    which features have no p-value, and why.
    """

    statistic: Callable[[Any], tuple[np.ndarray, np.ndarray | None]]
    has_pvalues: bool = True
    signed: bool = False
    spread: str | None = None
    permutable: Callable[[np.ndarray, np.ndarray], np.ndarray] | None = None
    permuted: bool = False
    who: str = "A test"
    untested: Callable[[Any], dict[int, str]] | None = None
    requires = ("dense", "sparse")

    def without_pvalues(self) -> MomentScore:
        """Return the statistic without permutations and without words about its p-values."""
        return replace(self, permutable=None)

    def scores(self, view: View) -> Ranking:
        """Score all features by their moments per class."""
        plain = self.permutable is None or self.permuted
        wanted = ClassMoments(view.n_classes)
        moments = view.fold(wanted) if plain else fold_with_range(view, wanted)
        check_moments(view, moments)
        if self.spread == "pooled":
            warn_of_light_weights(view, float(moments.weight.sum()), int(np.count_nonzero(moments.weight)))
        elif self.spread == "own":
            warn_of_light_classes(view, moments.weight)
        statistic, pvalues = self.statistic(moments)
        columns = {"statistic": statistic} if self.signed else {}
        if pvalues is None or self.permutable is None:
            return Ranking(np.abs(statistic), pvalues, columns)
        if self.permuted:
            return Ranking(np.abs(statistic), permuted_pvalues(view, self.who, self.permutable), columns)
        smallest, n_rows = float(moments.weight[moments.weight > 0].min()), float(moments.weight.sum())
        notes = doubts(view, smallest, *of_all_rows(moments), n_rows=n_rows)
        none = {} if self.untested is None else self.untested(moments)
        pvalues = np.where(np.isin(np.arange(len(pvalues)), list(none)), np.nan, pvalues)
        return Ranking(np.abs(statistic), pvalues, columns, notes={**notes, **none})

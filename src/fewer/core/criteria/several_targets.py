"""Scores of features for a target of several columns: those of each column, put together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import scipy.stats

from fewer.core.criteria.shapes import RankingCriterion
from fewer.core.records.errors import InputError
from fewer.core.records.ranking import Ranking
from fewer.core.records.result_table import ResultTable
from fewer.core.records.rounding import steady
from fewer.core.views.view import View

# How the scores of one feature for all targets, (n_targets, n_features), become one.
AGGREGATES: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "mean": lambda scores: scores.mean(axis=0),
    "max": lambda scores: scores.max(axis=0),
    "min": lambda scores: scores.min(axis=0),
    # The best feature of a target has n_features there, the worst 1; equal ones share the mean.
    "rank": lambda scores: np.stack([scipy.stats.rankdata(steady(row)) for row in scores]).mean(axis=0),
}


class OverTargets(RankingCriterion):
    """A criterion of one target, for targets of any number of columns.

    Parameters
    ----------
    criterion : RankingCriterion
        Scores features for one target.
    aggregate : {"mean", "max", "min", "rank"}, default="mean"
        What the scores of all targets become.
    """

    def __init__(self, criterion: Any, aggregate: str = "mean") -> None:
        self.criterion, self.aggregate = criterion, aggregate
        self.requires, self.has_pvalues, self.by_products = (
            criterion.requires, criterion.has_pvalues, criterion.by_products,
        )  # fmt: skip

    def without_pvalues(self) -> OverTargets:
        """Return the scores alone."""
        return OverTargets(self.criterion.without_pvalues(), self.aggregate)

    def scores(self, view: View) -> Ranking:
        """Score all features for each target, and put the scores together."""
        if view.target_names is None:
            return self.criterion.scores(view)
        return combined({name: self.criterion.scores(one) for name, one in single_targets(view)}, self.aggregate)


def single_targets(view: View) -> list[tuple[str, View]]:
    """Return the view with each column of its target alone; a column of one value tells nothing and is left out."""
    y, names = view.whole().y, view.target_names or ()
    if not names:
        raise InputError(
            "Scores of several targets are put together, but y holds one value per row; give a target of several "
            "columns, or leave out aggregate or AcrossTargets."
        )
    told = np.flatnonzero((y != y[:1]).any(axis=0)).tolist()
    if not told and view.target_kind == "several labels":
        raise InputError(
            f"Scores need labels that some rows have and others have not, but all {len(names)} labels of y are in all "
            "rows or in none; check y."
        )
    if not told:
        raise InputError(
            f"Scores need targets that differ between rows, but all {len(names)} columns of y are constant; check y."
        )
    one = view.label if view.target_kind == "several labels" else view.number
    return [(names[k], one(k)) for k in told]


def combined(found: Mapping[str, Ranking], aggregate: str) -> Ranking:
    """Return one ranking for several targets.

    The p-value is the smallest of all targets times their number (Bonferroni): that of no target depending on the
    feature, however targets depend on each other.
    """
    rankings = list(found.values())
    scores = np.array([ranking.scores for ranking in rankings])
    known = [ranking.pvalues for ranking in rankings if ranking.pvalues is not None]
    # NaN, no test, counts as 1.
    pvalues = np.minimum(np.min(np.nan_to_num(known, nan=1.0), axis=0) * len(known), 1.0) if known else None
    constant = rankings[0].constant
    notes: dict[int, str] = {}
    for ranking in reversed(rankings):
        notes |= dict(ranking.notes)
    columns = {f"score of {name}": ranking.scores for name, ranking in found.items()}
    best = [int(ranking.order[0]) for ranking in rankings]
    shown = {
        "target": list(found),
        "best feature": best,
        "its score": [float(r.scores[j]) for r, j in zip(rankings, best)],
        "mean score": scores.mean(axis=1),
    }
    table = ResultTable("Scores by target", shown, "rows", ("best feature",))
    return Ranking(AGGREGATES[aggregate](scores), pvalues, columns, constant, {"targets": table}, notes)

"""Rankings of the same features by several methods or from several samples, and the one ranking made of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fewer.core.criteria.shapes import RankingCriterion
from fewer.core.estimators.whole_methods import list_ranks, ranked, resized
from fewer.core.measures.rank_lists import borda_points, kemeny, median_points, points, robust_ranks
from fewer.core.records.ranking import Ranking
from fewer.core.records.result_table import ResultTable
from fewer.core.runners.fits import FitJournal, run_fits
from fewer.core.runners.threads import ThreadRunner
from fewer.core.views.view import View

# rho as a score: its logarithm, of what a double can hold.
LEAST_RHO = 1e-300


@dataclass(frozen=True, eq=False)
class OneList:
    """Makes one ranking, which depends on its number alone; may be sent to another process."""

    view: View
    selectors: tuple[Any, ...]
    resampling: str | None
    seed: int

    def __call__(self, number: int) -> np.ndarray:
        """Return the ranks of list ``number``: all selectors rank sample 0, then sample 1, and so on."""
        sample, which = divmod(number, len(self.selectors))
        view = self.view if self.resampling is None else self.view.rows(self.rows(sample))
        made = resized(self.selectors[which], view.n_features)
        if made.get_params(deep=False).get("random_state", 0) is None:
            made = made.set_params(random_state=int(np.random.SeedSequence([self.seed, number]).generate_state(1)[0]))
        return list_ranks(made, ranked(made, view))

    def rows(self, sample: int) -> np.ndarray:
        """Return the rows of a sample, of each class as many as it has, or half of them, rounded up."""
        rng, y = np.random.default_rng([self.seed, sample]), self.view.whole().y
        if self.view.n_classes:
            groups = [np.flatnonzero(y == c) for c in range(self.view.n_classes)]
        else:
            groups = [np.arange(self.view.n_rows)]
        if self.resampling == "bootstrap":
            drawn = [rng.choice(rows, len(rows)) for rows in groups]
        else:
            drawn = [rng.choice(rows, (len(rows) + 1) // 2, replace=False) for rows in groups]
        return np.sort(np.concatenate(drawn))


@dataclass(frozen=True, eq=False)
class AggregatedRanks(RankingCriterion):
    """Scores features by their places in several rankings.

    Attributes
    ----------
    selectors : tuple of selectors
        What ranks; None takes three methods that suit the target.
    aggregation : {"borda", "median", "kemeny", "rra"}
        What makes one order of all.
    weights : tuple of float, optional
        What the rankings of each selector count.
    resampling : {"bootstrap", "half"}, optional
        Which samples of the rows are ranked; by default all rows, once.
    n_repeats, seed : int
        Number of samples, and their seed.
    journal : FitJournal, optional
        What earlier runs have done.
    """

    selectors: tuple[Any, ...] | None
    aggregation: str = "borda"
    weights: tuple[float, ...] | None = None
    resampling: str | None = None
    n_repeats: int = 20
    seed: int = 0
    journal: FitJournal | None = None
    defaults: Any = None
    requires = ("dense", "sparse")

    def without_pvalues(self) -> AggregatedRanks:
        """Return the same without a journal, which holds the rankings of one view."""
        return replace(self, journal=None)

    def scores(self, view: View) -> Ranking:
        """Rank the features in all ways and aggregate."""
        selectors = self.defaults(view) if self.selectors is None else self.selectors
        samples = 1 if self.resampling is None else self.n_repeats
        work = OneList(replace(view, run=ThreadRunner(1), _memo={}), selectors, self.resampling, self.seed)
        numbers = range(samples * len(selectors))
        ranks = np.array(run_fits(view.run, work, numbers, what="rankings of the features", journal=self.journal))
        weights = None if self.weights is None else np.tile(np.asarray(self.weights, dtype=float), samples)
        scores, columns, tables = self.aggregated(ranks, weights)
        by_selector = ranks.reshape(samples, len(selectors), -1)
        names = called(selectors)
        shown = {f"rank_by_{name}": _mean(by_selector[:, at]) for at, name in enumerate(names)}
        tables["ranks"] = _table(names, by_selector, scores)
        return Ranking(scores, None, {**columns, **shown}, tables=tables)

    def aggregated(
        self, ranks: np.ndarray, weights: np.ndarray | None
    ) -> tuple[np.ndarray, dict[str, np.ndarray], dict[str, ResultTable]]:
        """Return scores, and what else was found on the way."""
        if self.aggregation == "borda":
            return borda_points(ranks, weights), {}, {}
        if self.aggregation == "median":
            return median_points(ranks, weights), {}, {}
        if self.aggregation == "rra":
            rho, pvalue = robust_ranks(ranks)
            return -np.log(np.maximum(rho, LEAST_RHO)), {"rho": rho, "agreement_pvalue": pvalue}, {}
        found = kemeny(ranks, weights)
        place = np.empty(len(found.order))
        place[found.order] = np.arange(1, len(found.order) + 1)
        columns = {"disagreement": [found.disagreement], "least possible": [found.bound]}
        return points(place), {}, {"kemeny": ResultTable("Pairs that lists put the other way round", columns)}


def called(selectors: Sequence[Any]) -> list[str]:
    """Return the names of selectors, numbered where several are of one kind."""
    names, seen = [type(made).__name__ for made in selectors], Counter[str]()
    out = []
    for name in names:
        seen[name] += 1
        out.append(f"{name}_{seen[name]}" if names.count(name) > 1 else name)
    return out


def _mean(ranks: np.ndarray) -> np.ndarray:
    """Return the mean rank over samples; NaN where a feature was never ranked."""
    known = ~np.isnan(ranks)
    return np.where(known.any(axis=0), np.nansum(ranks, axis=0) / np.maximum(known.sum(axis=0), 1), np.nan)


def _table(names: list[str], ranks: np.ndarray, scores: np.ndarray) -> ResultTable:
    """Return the ranks of all features, best first: by each selector, or least and largest over its samples."""
    order = np.argsort(-scores, kind="stable")
    columns: dict[str, Any] = {"feature": order}
    for at, name in enumerate(names):
        mine = ranks[:, at][:, order]
        if len(mine) == 1:
            columns[name] = mine[0]
            continue
        known = ~np.isnan(mine)
        some = known.any(axis=0)
        columns[f"best by {name}"] = np.where(some, np.where(known, mine, np.inf).min(axis=0), np.nan)
        columns[f"mean by {name}"] = _mean(mine)
        columns[f"worst by {name}"] = np.where(some, np.where(known, mine, -np.inf).max(axis=0), np.nan)
        columns[f"ranked by {name}"] = known.mean(axis=0)
    return ResultTable("Ranks of the features", columns, features=("feature",))

"""The constructors that families share: of codes and of numbers, and the ranking that is cut."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from inspect import getattr_static
from numbers import Integral
from typing import Any

import numpy as np

from fewer.core.criteria.several_targets import OverTargets
from fewer.core.discretize.codes import codes_view, learns_by_summaries, may_learn_from_target, unchanged_by
from fewer.core.estimators.parts import Parts
from fewer.core.estimators.selector import BaseSelector, OwnCriterion
from fewer.core.reading.targets import are_labels
from fewer.core.records.errors import ParameterError
from fewer.core.records.params import Interval
from fewer.core.records.ranking import Ranking
from fewer.core.records.result import Selection
from fewer.core.records.tags import MethodTags
from fewer.core.search import top_ranked
from fewer.core.stop import Stop
from fewer.core.views.knockoffs import knockoffs_of
from fewer.core.views.view import View
from fewer.core.views.weights import warn_of_weighted_pvalues

COMMON_CONSTRAINTS: dict[str, Any] = {
    # as_stop reads it and says in one sentence what is allowed.
    "n_features_to_select": "no_validation",
    "n_jobs": [None, Interval(Integral, 1, None, closed="left"), Interval(Integral, None, -1, closed="right")],
    "verbose": ["verbose"],
}
CODES_CONSTRAINTS: dict[str, Any] = {
    **COMMON_CONSTRAINTS,
    # as_discretizer reads it.
    "discretizer": "no_validation",
    "bins": [Interval(Integral, 2, 65535, closed="both")],
    "categorical_features": ["array-like", None],
}


def tags_of_levels(tags: MethodTags, discretizer: Any) -> MethodTags:
    """Return the tags of a method with this discretizer: what its levels do not change with, and what weights are.

    Only discretizers that learn by summaries look at weights.
    """
    if "codes" not in tags.views:
        return tags
    tags = tags.unchanged_only_by(unchanged_by(discretizer))
    return tags if learns_by_summaries(discretizer) else replace(tags, weights_count_rows=False)


class CodesConstructor(BaseSelector):
    """Takes what a method on codes takes: a size, a discretizer and its levels, nominal columns, threads."""

    _parameter_constraints: dict = CODES_CONSTRAINTS

    def __init__(
        self,
        n_features_to_select: int | float | str | Stop | None = 10,
        *,
        discretizer: Any = "quantile",
        bins: int = 10,
        categorical_features: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.discretizer = discretizer
        self.bins = bins
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _tags_in_use(self) -> MethodTags:
        return tags_of_levels(super()._tags_in_use(), self.discretizer)

    def _streams(self, parts: Parts) -> bool:
        return super()._streams(parts) and learns_by_summaries(parts.discretizer)

    def _reads_batches(self, parts: Parts) -> bool:
        # Codes that are kept in memory serve methods that need all rows at once, too; a ranking has no use for them.
        return self._streams(parts) or (self._asks_again and learns_by_summaries(parts.discretizer))


class ScoreBase(BaseSelector):
    """Ranks features by a criterion that looks at one feature at a time, and cuts the ranking."""

    _asks_again = False
    n_features_to_select: Any

    def _criterion(self) -> Any:
        if isinstance(getattr_static(self, "criterion"), OwnCriterion):
            name = type(self).__name__
            raise ParameterError(f"{name} scores features, but its class has no criterion; give it a RankingCriterion.")
        return self.criterion

    def _offers(self, criterion: Any) -> Iterable[str]:
        tags = self._tags_in_use()
        numbers = tags.needs_target and bool({"dense", "codes"} & set(tags.views))
        has = {
            "probes": tags.needs_target,
            "p-values": criterion.has_pvalues,
            "knockoffs": numbers,
            "fixed knockoffs": numbers and criterion.by_products,
        }
        return self._serves if self._cuts_by_target() else (*self._serves, *(name for name in has if has[name]))

    def _cuts_by_target(self) -> bool:
        """Return whether the levels were chosen to fit the target, after which no null distribution holds."""
        return False

    def _streams(self, parts: Parts) -> bool:
        return super()._streams(parts) and not set(parts.size.needs) & {"probes", "knockoffs", "fixed knockoffs"}

    def _select(self, data: View, parts: Parts) -> Selection:
        if "p-values" in parts.size.needs:
            warn_of_weighted_pvalues(type(self).__name__, data)
        return self._select_in(self._view(data, parts), data, parts)

    def _select_in(self, view: View, data: View, parts: Parts) -> Selection:
        """Select by a view of the data that is made once."""
        criterion = parts.criterion
        if data.target_names is not None:
            criterion = OverTargets(criterion)

        def probes(order: np.ndarray) -> View:
            # Against other weights a feature is put into bins again, as it would be if it were a column of its own.
            return view.reordered(order) if data.whole().weight is None else self._view(data.reordered(order), parts)

        def score() -> Ranking:
            ranking = criterion.scores(view)
            return replace(ranking, pvalues=None) if self._cuts_by_target() else ranking

        def knockoffs(fixed: bool, seed: int) -> tuple[np.ndarray, np.ndarray]:
            labels = fixed and are_labels(data.whole().y)
            more = knockoffs_of(data, fixed, seed, type(self).__name__, labels)
            return halved_scores(criterion, self._view(data.with_columns(more), parts))

        return top_ranked(score, parts.size, lambda wanted: probe_scores(criterion, view, probes, wanted), knockoffs)


def probe_scores(criterion: Any, view: View, probes: Callable[[np.ndarray], View], wanted: int) -> np.ndarray:
    """Return the scores of ``wanted`` shuffles of every feature, which stand beside the features, (wanted, n_features).

    Parameters
    ----------
    criterion : RankingCriterion
        Scores the features of a view.
    view : View
        All rows, in memory, as the criterion reads them.
    probes : callable
        Returns the features with their rows in another order, as the criterion reads them.
    wanted : int
        Number of shuffles of every feature.
    """
    rng, criterion = np.random.default_rng(0), criterion.without_pvalues()
    orders = (np.argsort(rng.permutation(view.n_rows)) for _ in range(wanted))
    found = (criterion.scores(view.with_columns(probes(order))).scores for order in orders)
    return np.stack([scores[view.n_features :] for scores in found])


def halved_scores(criterion: Any, view: View) -> tuple[np.ndarray, np.ndarray]:
    """Return the scores of the first half of the features of a view and of the second, such as knockoffs of them."""
    scores = criterion.without_pvalues().scores(view).scores
    return scores[: view.n_features // 2], scores[view.n_features // 2 :]


class CodesScore(CodesConstructor, ScoreBase):
    """A score of features seen as codes."""

    def _cuts_by_target(self) -> bool:
        return may_learn_from_target(self.discretizer)

    def _view(self, data: View, parts: Parts) -> View:
        return codes_view(data, parts.discretizer)


class NumberScore(ScoreBase):
    """A score of features seen as quantities."""

    _parameter_constraints: dict = COMMON_CONSTRAINTS

    def __init__(
        self,
        n_features_to_select: int | float | str | Stop | None = 10,
        *,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.n_jobs = n_jobs
        self.verbose = verbose

"""The four shapes of a criterion, and the adapters between them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np

from fewer.core.base.errors import RequirementError
from fewer.core.base.ranking import Ranking
from fewer.core.views.view import View


@runtime_checkable
class RankingCriterion(Protocol):
    """Gives every feature one number, whatever else is chosen."""

    @property
    def requires(self) -> tuple[str, ...]:
        """The views it can read."""

    def scores(self, view: View) -> Ranking:
        """Score all features."""


@runtime_checkable
class IncrementalCriterion(Protocol):
    """Scores every feature given those already chosen; keeps its own sums."""

    @property
    def requires(self) -> tuple[str, ...]:
        """The views it can read."""

    def start(self, view: View) -> np.ndarray:
        """Score every feature while nothing is chosen."""

    def add(self, view: View, chosen: Sequence[int]) -> np.ndarray:
        """Score every feature now that ``chosen[-1]`` has joined.

        A criterion whose scores can only fall may return upper bounds instead and offer
        ``refine(view, chosen, candidates) -> (scores, evaluations)``: candidates come best bound first, and the scores
        are exact as far as needed to know the best one, of equal ones the lowest. It says so by ``bounded = True``.
        """


@runtime_checkable
class SubsetCriterion(Protocol):
    """Gives a subset one number. May offer ``add`` and ``remove`` deltas."""

    @property
    def requires(self) -> tuple[str, ...]:
        """The views it can read."""

    def value(self, view: View, subset: Sequence[int]) -> float:
        """Return what the subset is worth; larger is better."""


@runtime_checkable
class WeightsCriterion(Protocol):
    """Learns one weight per feature by optimisation."""

    @property
    def requires(self) -> tuple[str, ...]:
        """The views it can read."""

    def learn(self, view: View) -> np.ndarray:
        """Return the weights; larger is better."""


class LearnedScores:
    """A weights criterion as a ranking criterion."""

    def __init__(self, weights: WeightsCriterion) -> None:
        self.weights = weights
        self.requires = weights.requires

    def scores(self, view: View) -> Ranking:
        """Learn the weights and use them as scores."""
        return Ranking(np.asarray(self.weights.learn(view), dtype=float))


class FixedScores:
    """A ranking criterion as an incremental one: the scores never change."""

    def __init__(self, ranking: RankingCriterion) -> None:
        self.ranking = ranking
        self.requires = ranking.requires

    def start(self, view: View) -> np.ndarray:
        """Score once."""
        self._scores = self.ranking.scores(view).scores
        return self._scores

    def add(self, view: View, chosen: Sequence[int]) -> np.ndarray:
        """Return the same scores."""
        return self._scores


class ReplayedOrder:
    """An incremental criterion as a subset criterion: the sum of the scores that the features had when they joined."""

    def __init__(self, incremental: IncrementalCriterion) -> None:
        self.incremental = incremental
        self.requires = incremental.requires

    def value(self, view: View, subset: Sequence[int]) -> float:
        """Replay the order in which the subset is given."""
        total, scores = 0.0, self.incremental.start(view)
        for k, j in enumerate(subset):
            total += float(scores[j])
            if k + 1 < len(subset):
                scores = self.incremental.add(view, list(subset[: k + 1]))
        return total


def as_ranking(criterion: Any) -> RankingCriterion:
    """Return a criterion as a ranking criterion, or explain why it cannot be one."""
    if hasattr(criterion, "scores"):
        return criterion
    if hasattr(criterion, "learn"):
        return LearnedScores(criterion)
    raise _no_way(criterion, "a ranking", "scores or learn")


def as_incremental(criterion: Any) -> IncrementalCriterion:
    """Return a criterion as an incremental criterion, or explain why it cannot be one."""
    if hasattr(criterion, "start") and hasattr(criterion, "add"):
        return criterion
    if hasattr(criterion, "scores") or hasattr(criterion, "learn"):
        return FixedScores(as_ranking(criterion))
    raise _no_way(criterion, "a stepwise search", "start and add, scores or learn")


def as_subset(criterion: Any) -> SubsetCriterion:
    """Return a criterion as a subset criterion, or explain why it cannot be one."""
    return criterion if hasattr(criterion, "value") else ReplayedOrder(as_incremental(criterion))


def _no_way(criterion: Any, wanted: str, methods: str) -> RequirementError:
    return RequirementError(
        f"{type(criterion).__name__} cannot be used for {wanted}: that needs {methods}, which it does not offer; "
        "choose another search or another criterion."
    )

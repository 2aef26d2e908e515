"""TuRF: score the features that are left, drop the worst of them, and score again."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np

from fewer.core.criteria.shapes import RankingCriterion, as_ranking
from fewer.core.records.params import Interval, whole_from
from fewer.core.records.reasons import NOT_REACHED, Reasons
from fewer.core.records.result import Selection
from fewer.core.records.result_table import ResultTable
from fewer.core.records.trace import Step, Trace
from fewer.core.runners import progress
from fewer.core.search.contract import Problem, Search
from fewer.core.search.interrupts import answer_or_raise
from fewer.core.stop import All, Count, Stop
from fewer.core.views.view import View


@dataclass(frozen=True)
class Turf(Search):
    """Drop the worst features, score the rest again, and so on.

    Parameters
    ----------
    drop : int or float, default=0.1
        How many features leave per round, or which fraction of those that are left.
    """

    drop: int | float = 0.1

    shape: ClassVar[str] = "ranking"
    constraints: ClassVar[dict[str, Any]] = {"drop": [whole_from(1), Interval(Real, 0, 1, closed="neither")]}
    serves: ClassVar[tuple[str, ...]] = ("done",)

    def run(self, problem: Problem) -> Selection:
        """Drop features until the rule has enough."""
        return turf(problem.view, as_ranking(problem.criterion), problem.size, self.drop)


def turf(view: View, criterion: RankingCriterion, stop: Stop, drop: int | float = 0.1) -> Selection:
    """Drop the features with the lowest scores, score the rest again, and so on until the stop rule has enough.

    A score that looks at many features at once, as those of the Relief family do, gets better when noise is gone; that
    is what the repeated scoring is for [1]_. Features rank by how late they left; those that left in the same round,
    and those that stayed, by their last scores. Of equal scores the higher feature number leaves first.

    Parameters
    ----------
    view : View
        The data; every round reads only the columns that are left.
    criterion : RankingCriterion
        Scores the features of a view.
    stop : Stop
        A rule that can end a search. The value of a step is the mean score of the features that are left. `All` drops
        features down to one, so that all are ordered, and keeps them all.
    drop : int or float, default=0.1
        How many features leave per round, or which fraction of those that are left, rounded down; always at least one,
        and never more than the rule allows.

    Returns
    -------
    Selection
        Also when the user interrupts the search: it then keeps the features that are left. ``scores`` are the last
        score of each feature, the column ``round`` says in which round it left (0: it stayed).

    References
    ----------
    .. [1] J. H. Moore and B. C. White, "Tuning ReliefF for genome-wide genetic analysis", EvoBIO, 2007.
    """
    race = _Race(view, view, np.arange(view.n_features), np.full(view.n_features, np.nan))
    until = Count(1) if isinstance(stop, All) else stop
    interrupted = False
    try:
        race.score(criterion, ())
        while race.goes_on(until):
            race.score(criterion, race.drop(_allowed(until, race, _wanted(drop, len(race.left)))))
    except KeyboardInterrupt:
        if not len(race.trace):
            raise
        interrupted = True
        answer_or_raise(f"The elimination was interrupted with {len(race.left)} features left.")
    return race.result(stop, interrupted)


@dataclass
class _Race:
    """The state of an elimination: who is left, the last scores, who left when."""

    data: View
    view: View
    left: np.ndarray
    scores: np.ndarray
    trace: Trace = field(default_factory=Trace)
    removed: list[np.ndarray] = field(default_factory=list)

    def goes_on(self, stop: Stop) -> bool:
        """Return whether another feature should leave."""
        return len(self.left) > 1 and not stop.done(self.trace, len(self.left), drops=True)

    def drop(self, n_leaving: int) -> np.ndarray:
        """Take away the worst features and return them, worst first."""
        # Stable on the reversed numbers: of equal scores the higher number is the worse.
        backward = self.left[::-1]
        leaving = backward[np.argsort(self.scores[backward], kind="stable")][:n_leaving]
        stays = ~np.isin(self.left, leaving)
        self.removed.append(leaving)
        self.left = self.left[stays]
        # In memory the copy of a copy is the smaller work; where rows come by in batches, each change is made again for
        # every batch, and one is enough.
        self.view = (
            self.view.columns(np.flatnonzero(stays)) if self.data.run.in_memory else self.data.columns(self.left)
        )
        return leaving

    def score(self, criterion: RankingCriterion, removed: np.ndarray | tuple[int, ...]) -> None:
        """Score the features that are left and record the step."""
        begin = time.perf_counter()
        self.scores[self.left] = criterion.scores(self.view).scores
        value, gone = float(self.scores[self.left].mean()), tuple(int(j) for j in removed)
        seconds = time.perf_counter() - begin
        self.trace.append(Step(removed=gone, value=value, evaluations=len(self.left), seconds=seconds))
        progress.report("dropping features", len(self.scores) - len(self.left), len(self.scores))

    def result(self, stop: Stop, interrupted: bool) -> Selection:
        """Return the selection: those that are left, or were when the steps ended that the rule lets count."""
        d = len(self.scores)
        stayed = self.left[np.argsort(-self.scores[self.left], kind="stable")]
        order = np.concatenate([stayed, *(leaving[::-1] for leaving in self.removed[::-1])])
        rounds = np.zeros(d)
        for number, leaving in enumerate(self.removed, 1):
            rounds[leaving] = number
        if isinstance(stop, All):
            size = d
        elif interrupted:
            size = len(stayed)
        else:
            size = d - sum(len(step.removed) for step in self.trace.steps[: stop.steps_kept(self.trace)])
        kept = order[:size]
        note = {j: f"left in round {rounds[j]:.0f} of the elimination" for j in order[size:].tolist()}
        rule = "the elimination was interrupted" if interrupted else f"the elimination stopped ({stop})"
        reasons = Reasons.of_kept(d, kept, NOT_REACHED, rule=rule, note=note)
        left = d - np.cumsum([len(step.removed) for step in self.trace])
        columns = {"features left": left, "mean score": self.trace.values, "round": np.arange(len(left))}
        tables = {"rounds": ResultTable("Rounds of the elimination", columns, "curve")}
        return Selection.build(kept, order, reasons, self.scores, self.trace, {"round": rounds}, tables=tables)


def _wanted(drop: int | float, n_left: int) -> int:
    """Return how many of the features that are left should leave next; one stays in any case."""
    wanted = int(drop) if isinstance(drop, Integral) else math.floor(drop * n_left + 1e-9)
    return min(max(1, wanted), n_left - 1)


def _allowed(stop: Stop, race: _Race, wanted: int) -> int:
    """Return how many may leave before a rule that counts features has enough; rules on values wait for the scores."""
    least, most = 1, wanted
    steps, n_left = race.trace.steps, len(race.left)
    while least < most:
        some = (least + most) // 2
        tried = Trace([*steps, Step(removed=tuple(range(some)))])
        if stop.done(tried, n_left - some, drops=True):
            most = some
        else:
            least = some + 1
    return least

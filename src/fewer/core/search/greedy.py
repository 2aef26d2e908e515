"""Greedy forward search: always add the feature with the best score."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from fewer.core.criteria.shapes import StepwiseCriterion, as_stepwise
from fewer.core.records.reasons import NOT_REACHED, Reasons
from fewer.core.records.result import Selection
from fewer.core.records.trace import Step, Trace
from fewer.core.runners import progress
from fewer.core.search.contract import Problem, Search
from fewer.core.search.units import Units
from fewer.core.stop import Stop
from fewer.core.stop.sizes import All
from fewer.core.views.view import View

ASKED = "the search stopped (a callback asked for it)"


@dataclass(frozen=True)
class Greedy(Search):
    """Add the feature with the best score again and again."""

    shape: ClassVar[str] = "stepwise"
    serves: ClassVar[tuple[str, ...]] = ("done",)

    def run(self, problem: Problem) -> Selection:
        """Add features until the rule has enough."""
        return greedy_forward(problem.view, as_stepwise(problem.criterion), problem.size, problem.units)


def greedy_forward(view: View, criterion: StepwiseCriterion, stop: Stop, units: Units | None = None) -> Selection:
    """Add the best feature again and again until the stop rule has enough.

    Of equal scores the lower feature number wins. Where `add` returns upper bounds, `refine` lowers them until the best
    candidate is known; the result is the same. What the criterion calls hopeless is never chosen. With ``units`` those
    that are always in come first, the best feature brings the others of its group, and the rule counts units.
    """
    begin = time.perf_counter()
    scores = np.array(criterion.start(view), dtype=float)
    bounded, first_scores = criterion.bounded, scores.copy()
    open_to_choice = np.ones(view.n_features, bool) if criterion.hopeless is None else ~criterion.hopeless
    joined_with = np.full(view.n_features, np.nan)
    chosen: list[int] = []
    moving = Moving(units)
    trace, asked = Trace(), False

    def goes_on() -> bool:
        left = moving.left(open_to_choice)
        return len(trace) < moving.n_fixed or (left > 0 and not stop.done(trace, left))

    more = goes_on()
    while more:
        fixed = moving.next_fixed()
        if fixed is None:
            best, value, evaluations = _best(view, criterion, chosen, scores, open_to_choice)
        else:
            # Nothing was compared, so that no rule on gains may look at it.
            best, value, evaluations = fixed, np.nan, 0
        members = moving.with_others(best)
        for place, j in enumerate(members):
            if place:
                scores = np.array(criterion.add(view, chosen), dtype=float)
            joined_with[j] = scores[j] if place or fixed is not None else value
            chosen.append(j)
        open_to_choice[members] = False
        now = time.perf_counter()
        # A rule counts units, each of which stands in its own step.
        trace.append(Step(added=(best,), value=value, evaluations=evaluations, seconds=now - begin))
        begin = now
        if progress.report("choosing features", len(chosen), view.n_features):
            asked = True
            break
        more = goes_on()
        if more:
            scores = np.array(criterion.add(view, chosen), dtype=float)
    steps_kept = max(stop.steps_kept(trace), moving.n_fixed)
    kept = np.array([j for step in trace.steps[:steps_kept] for j in moving.with_others(step.added[0])], np.int64)
    # Where `add` gives only bounds, nothing exact is known of the rest: it stays in the order of the first scores.
    rest_scores, last = (scores, scores.copy()) if not bounded else (first_scores, np.full(len(scores), np.nan))
    last[chosen] = joined_with[chosen]
    rule = ASKED if asked else stopped(stop, trace, moving.left(open_to_choice))
    if moving.in_groups:
        trace = Trace([replace(step, added=tuple(moving.with_others(step.added[0]))) for step in trace])
    reasons = Reasons.of_kept(view.n_features, kept, NOT_REACHED, rule=rule)
    # Steps that a rule took back come right after the kept ones, in the order they were chosen.
    return Selection.build(kept, chosen, criterion.explain(reasons, kept), last, trace, then=rest_scores)


class Moving:
    """What moves together with a feature, and what comes first whatever its score."""

    def __init__(self, units: Units | None) -> None:
        self.n_fixed = 0 if units is None else units.n_fixed
        fixed, free = ((), ()) if units is None else (units.fixed, units.groups)
        self._fixed = iter([unit[0] for unit in fixed])
        groups = [group for group in (*fixed, *free) if len(group) > 1]
        self._group = {j: group for group in groups for j in group}
        self.in_groups = bool(groups)

    def next_fixed(self) -> int | None:
        """Return a feature of the next unit that is always in, None when all are."""
        return next(self._fixed, None)

    def with_others(self, feature: int) -> list[int]:
        """Return a feature and the others of its group."""
        return [feature, *(j for j in self._group.get(feature, ()) if j != feature)]

    def left(self, open_to_choice: np.ndarray) -> int:
        """Return how many units may still join."""
        if not self._group:
            return int(np.count_nonzero(open_to_choice))
        return len({self._group.get(j, (j,)) for j in np.flatnonzero(open_to_choice).tolist()})


def stopped(stop: Stop, trace: Trace, n_left: int) -> str:
    """Return in words why a search ended: by its rule, or before, because no feature was left to choose."""
    early = n_left == 0 and not isinstance(stop, All) and not stop.done(trace, 1)
    return f"the search stopped ({stop})" + (" where no feature was left to choose" if early else "")


def ended(found: Selection, stop: Stop, n_left: int) -> str:
    """Return in words why a search that is done ended: because a callback asked for it, or as `stopped` says."""
    return ASKED if found.reasons.rule == ASKED else stopped(stop, found.trace, n_left)


def _best(
    view: View, criterion: StepwiseCriterion, chosen: list[int], scores: np.ndarray, open_to_choice: np.ndarray
) -> tuple[int, float, int]:
    """Return the best candidate, its score and how much was evaluated."""
    if chosen and criterion.lazy:
        return criterion.refine(view, chosen, open_to_choice)
    candidates = np.flatnonzero(open_to_choice)
    best = int(candidates[np.argmax(scores[candidates])])
    return best, float(scores[best]), len(candidates)

"""Greedy forward search: always add the feature with the best score."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fewer.core.criteria.shapes import StepwiseCriterion, as_stepwise
from fewer.core.records.reasons import NOT_REACHED, Reasons
from fewer.core.records.result import Selection
from fewer.core.records.trace import Step, Trace
from fewer.core.runners import progress
from fewer.core.search.contract import Problem, Search
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
        return greedy_forward(problem.view, as_stepwise(problem.criterion), problem.size)


def greedy_forward(view: View, criterion: StepwiseCriterion, stop: Stop) -> Selection:
    """Add the best feature again and again until the stop rule has enough.

    Of equal scores the lower feature number wins. Where `add` returns upper bounds, `refine` lowers them until the best
    candidate is known; the result is the same. What the criterion calls hopeless is never chosen.
    """
    begin = time.perf_counter()
    scores = np.array(criterion.start(view), dtype=float)
    bounded, first_scores = criterion.bounded, scores.copy()
    open_to_choice = np.ones(view.n_features, bool) if criterion.hopeless is None else ~criterion.hopeless
    joined_with = np.full(view.n_features, np.nan)
    chosen: list[int] = []
    ordered: list[np.ndarray] = []
    trace, asked = Trace(), False
    while open_to_choice.any() and not stop.done(trace, int(open_to_choice.sum())):
        best, value, evaluations = _best(view, criterion, chosen, scores, open_to_choice, ordered)
        chosen.append(best)
        open_to_choice[best] = False
        joined_with[best] = value
        now = time.perf_counter()
        trace.append(Step(added=(best,), value=value, evaluations=evaluations, seconds=now - begin))
        begin = now
        if progress.report("choosing features", len(chosen), view.n_features):
            asked = True
            break
        if open_to_choice.any() and not stop.done(trace, int(open_to_choice.sum())):
            scores = np.array(criterion.add(view, chosen), dtype=float)
    kept = np.array(chosen[: stop.steps_kept(trace)], dtype=np.int64)
    # Where `add` gives only bounds, nothing exact is known of the rest: it stays in the order of the first scores.
    rest_scores, last = (scores, scores.copy()) if not bounded else (first_scores, np.full(len(scores), np.nan))
    last[chosen] = joined_with[chosen]
    rule = ASKED if asked else stopped(stop, trace, int(open_to_choice.sum()))
    reasons = Reasons.of_kept(view.n_features, kept, NOT_REACHED, rule=rule)
    # Steps that a rule took back come right after the kept ones, in the order they were chosen.
    return Selection.build(kept, chosen, criterion.explain(reasons, kept), last, trace, then=rest_scores)


def stopped(stop: Stop, trace: Trace, n_left: int) -> str:
    """Return in words why a search ended: by its rule, or before, because no feature was left to choose."""
    early = n_left == 0 and not isinstance(stop, All) and not stop.done(trace, 1)
    return f"the search stopped ({stop})" + (" where no feature was left to choose" if early else "")


def _best(
    view: View,
    criterion: StepwiseCriterion,
    chosen: list[int],
    scores: np.ndarray,
    open_to_choice: np.ndarray,
    ordered: list[np.ndarray],
) -> tuple[int, float, int]:
    """Return the best candidate, its score and how much was evaluated; ``ordered`` keeps the last order of bounds."""
    candidates = np.flatnonzero(open_to_choice)
    evaluations = len(candidates)
    if chosen and criterion.lazy:
        ordered[:] = [ordered[0][open_to_choice[ordered[0]]]] if ordered else [candidates]
        # Few bounds fell since the last step, and a stable sort is fast on what is nearly sorted.
        ordered[0] = ordered[0][np.argsort(-scores[ordered[0]], kind="stable")]
        scores[ordered[0]], evaluations = criterion.refine(view, chosen, ordered[0])
    best = int(candidates[np.argmax(scores[candidates])])
    return best, float(scores[best]), evaluations

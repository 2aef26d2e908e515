"""Greedy forward search: always add the feature with the best score."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from fewer.core.base.reasons import NOT_REACHED, Reasons
from fewer.core.base.result import Selection
from fewer.core.base.trace import Step, Trace
from fewer.core.runners import progress
from fewer.core.search.shapes import IncrementalCriterion
from fewer.core.stop import Stop
from fewer.core.views.view import View


def greedy_forward(view: View, criterion: IncrementalCriterion, stop: Stop) -> Selection:
    """Add the best feature again and again until the stop rule has enough.

    Of equal scores the lower feature number wins. A criterion that returns upper bounds and offers ``refine`` is asked
    for exact scores only of candidates whose bound could still win; the result is the same.
    """
    begin = time.perf_counter()
    scores = np.array(criterion.start(view), dtype=float)
    open_to_choice = np.ones(view.n_features, bool)
    joined_with = np.full(view.n_features, np.nan)
    chosen: list[int] = []
    trace = Trace()
    while open_to_choice.any() and not stop.done(trace, int(open_to_choice.sum())):
        best, value, evaluations = _best(view, criterion, chosen, scores, open_to_choice)
        chosen.append(best)
        open_to_choice[best] = False
        joined_with[best] = value
        now = time.perf_counter()
        trace.append(Step(added=(best,), value=value, evaluations=evaluations, seconds=now - begin))
        begin = now
        progress.report("choosing features", len(chosen), view.n_features)
        if open_to_choice.any() and not stop.done(trace, int(open_to_choice.sum())):
            scores = np.array(criterion.add(view, chosen), dtype=float)
    kept = np.array(chosen[: stop.steps_kept(trace)], dtype=np.int64)
    rest = np.flatnonzero(~np.isin(np.arange(view.n_features), kept))
    last = np.where(np.isnan(joined_with), scores, joined_with)
    order = np.concatenate([kept, rest[np.argsort(-last[rest], kind="stable")]])
    reasons = Reasons.of_kept(view.n_features, kept, NOT_REACHED, rule=f"the search stopped ({stop})")
    return Selection(kept, order, reasons, last, trace)


def _best(
    view: View, criterion: Any, chosen: list[int], scores: np.ndarray, open_to_choice: np.ndarray
) -> tuple[int, float, int]:
    candidates = np.flatnonzero(open_to_choice)
    if not chosen or not hasattr(criterion, "refine"):
        best = int(candidates[np.argmax(scores[candidates])])
        return best, float(scores[best]), len(candidates)
    ordered = candidates[np.argsort(-scores[candidates], kind="stable")]
    best, value, evaluations = -1, -np.inf, 0
    for first in range(0, len(ordered), BATCH):
        batch = ordered[first : first + BATCH]
        if scores[batch[0]] < value:
            break
        batch = batch[scores[batch] >= value]
        scores[batch] = criterion.refine(view, chosen, batch)
        evaluations += len(batch)
        for j in batch[np.argsort(batch)]:
            if scores[j] > value or (scores[j] == value and j < best):
                best, value = int(j), float(scores[j])
    return best, value, evaluations


# Candidates refined together: enough to fill the threads, few enough to profit from a better bound.
BATCH = 64

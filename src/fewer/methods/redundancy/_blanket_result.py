"""From an elimination by blankets to a selection with reasons."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from fewer.core.criteria.g_test import GTest
from fewer.core.measures.count_logs import CountLogs
from fewer.core.records.ranking import Ranking
from fewer.core.records.reasons import IRRELEVANT, KEPT, NOT_REACHED, REDUNDANT, Reasons
from fewer.core.records.result import Selection
from fewer.core.records.trace import Step, Trace
from fewer.core.stop import Cut, Stop
from fewer.core.views.blocks import CodesBlock
from fewer.core.views.spread import check_spread
from fewer.core.views.view import View
from fewer.methods.redundancy._blanket_elimination import BlanketElimination, Similarity, eliminate
from fewer.methods.redundancy._similarity import AbsoluteCorrelation, SharedInformation

# A feature that tells nothing significant about the class is not said to tell the same as another.
SIGNIFICANT = 0.05


@dataclass(frozen=True)
class GivenOrder(Ranking):
    """A ranking whose order is not only that of its scores, which have ties."""

    given: np.ndarray = field(default_factory=lambda: np.empty(0, np.int64))

    @property
    def order(self) -> np.ndarray:
        """Feature numbers, best first."""
        return self.given


def eliminate_by_blankets(data: View, codes: View, features: np.ndarray, blanket: str, k: int) -> BlanketElimination:
    """Eliminate some features of a view, given in ascending order; numbers in the result are those of the view."""
    block = codes.whole()
    if len(features) < codes.n_features:
        block = CodesBlock(np.ascontiguousarray(block.rows[:, features]), block.n_levels[features], block.y)
    similarity: Similarity
    if blanket == "information":
        similarity = SharedInformation(block, CountLogs.up_to(block.n_rows), codes.run)
    else:
        some = data.columns(features)
        similarity = AbsoluteCorrelation(some.whole().X)
        some.check_finite(similarity.length, similarity.mean)
        check_spread(some, similarity.length / np.sqrt(block.n_rows), similarity.varies)
    significant = GTest().pvalues(codes, features).pvalue <= SIGNIFICANT
    found = eliminate(block, codes.n_classes, similarity, k, codes.run, significant)
    named = np.append(features, -1)
    return replace(found, removed=named[found.removed], blankets=named[found.blankets])


def selection_of(
    found: BlanketElimination, information: np.ndarray, stop: Stop, rest: np.ndarray, rule: str = ""
) -> Selection:
    """Cut the reversed order of elimination and say why each feature left.

    Parameters
    ----------
    found : BlanketElimination
        The removals.
    information : ndarray of shape (n_features,)
        What each feature tells about the class alone.
    stop : Stop
        Where to cut.
    rest : ndarray
        Features that took no part, best first; they are not reached.
    rule : str
        Says in words why those took no part.
    """
    scores, delta = np.zeros(len(information)), np.zeros(len(information))
    # The loss that must be tolerated to see a feature go: its own and that of all before it.
    scores[found.removed] = np.maximum.accumulate(found.delta)
    delta[found.removed] = found.delta
    order = np.concatenate([found.removed[::-1], rest])
    cut = stop.cut(GivenOrder(scores, given=order))
    n_kept = int(cut.kept[found.removed].sum())
    kept = order[:n_kept]
    trace = Trace(
        [
            Step(removed=(int(j),), value=float(value), evaluations=int(count), seconds=float(seconds))
            for j, value, count, seconds in zip(found.removed, found.delta, found.evaluations, found.seconds)
        ][: len(found.removed) - n_kept]
    )
    reasons = _reasons(found, scores, n_kept, cut, rule)
    return Selection.build(kept, order, reasons, scores, trace, {"delta": delta, "information": information})


def _reasons(found: BlanketElimination, scores: np.ndarray, n_kept: int, cut: Cut, rule: str) -> Reasons:
    """Features of which the blanket covers most of what they tell alone are redundant to it, by as much.

    Others are irrelevant if the rule draws a line that they miss, and not reached if it only counts features.
    """
    kind = np.full(len(scores), NOT_REACHED, np.uint8)
    kind[found.removed] = KEPT
    related: dict[int, tuple[int, ...]] = {}
    amount: dict[int, float] = {}
    for step in range(len(found.removed) - n_kept):
        j = int(found.removed[step])
        kind[j] = REDUNDANT if found.covered[step] else IRRELEVANT if cut.irrelevant[j] else NOT_REACHED
        if found.covered[step]:
            related[j] = tuple(int(m) for m in found.blankets[step] if m >= 0)
            amount[j] = float(found.own[step] - found.delta[step])
    words = "; ".join(text for text in (cut.rule, rule) if text)
    return Reasons(kind, cut.threshold, words, related, amount, above=cut.above, needs=cut.needs)

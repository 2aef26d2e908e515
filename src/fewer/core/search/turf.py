"""TuRF: score the features that are left, drop the worst of them, and score again."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from typing import Any, ClassVar

import numpy as np

from fewer.core.criteria.shapes import RankingCriterion, as_ranking
from fewer.core.records.params import Interval, whole_from
from fewer.core.records.reasons import NOT_REACHED, Reasons
from fewer.core.records.result import Selection
from fewer.core.records.result_table import ResultTable
from fewer.core.records.rounding import steady
from fewer.core.search.contract import Problem, Search
from fewer.core.search.elimination import Elimination, RankedBlocks, block_size, eliminate, said_interrupted
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
    blocks = RankedBlocks(view, criterion)
    until = Count(1) if isinstance(stop, All) else stop
    found = eliminate(view.n_features, blocks, until, lambda n_left: block_size(drop, n_left))
    said_interrupted(found, stacklevel=3)
    return of_blocks(found, blocks.scores, stop)


def of_blocks(found: Elimination, scores: np.ndarray, stop: Stop) -> Selection:
    """Return the selection: those that are left, or were when the steps ended that the rule lets count.

    Parameters
    ----------
    found : Elimination
        What was removed.
    scores : ndarray of shape (n_features,)
        The last score of every feature.
    stop : Stop
        The rule that was asked for; `All` keeps all features.
    """
    d, rounds = len(scores), found.rounds
    stayed = found.left[np.argsort(-steady(scores[found.left]), kind="stable")]
    order = np.concatenate([stayed, found.removed[::-1]])
    if isinstance(stop, All):
        size = d
    elif found.interrupted:
        size = len(stayed)
    else:
        size = d - sum(len(step.removed) for step in found.trace.steps[: stop.steps_kept(found.trace)])
    kept = order[:size]
    note = {j: f"left in round {rounds[j]} of the elimination" for j in order[size:].tolist()}
    rule = "the elimination was interrupted" if found.interrupted else f"the elimination stopped ({stop})"
    reasons = Reasons.of_kept(d, kept, NOT_REACHED, rule=rule, note=note)
    columns = {"features left": found.sizes, "mean score": found.trace.values, "round": np.arange(len(found.trace))}
    tables = {"rounds": ResultTable("Rounds of the elimination", columns, "curve")}
    return Selection.build(kept, order, reasons, scores, found.trace, {"round": rounds.astype(float)}, tables=tables)

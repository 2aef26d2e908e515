"""Walk down a list of features: each one that is still there is kept and takes away later ones that it covers."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from fewer.core.records.reasons import IRRELEVANT, KEPT, NOT_REACHED, REDUNDANT, Reasons
from fewer.core.records.result import Selection
from fewer.core.records.trace import Step, Trace
from fewer.core.runners import progress
from fewer.core.stop import Stop

# Given a kept feature and the later ones that are left: which of these it takes away, and by how much.
Covers = Callable[[int, np.ndarray], tuple[np.ndarray, np.ndarray]]


@dataclass(frozen=True, eq=False)
class Walk:
    """What a walk did: the kept features, and for every feature which kept one took it away, and by how much."""

    kept: np.ndarray
    remover: np.ndarray
    amount: np.ndarray
    trace: Trace

    def selection(self, scores: np.ndarray, irrelevant: np.ndarray, stop: Stop, **more: object) -> Selection:
        """Return the selection; after the kept features come those not reached, redundant and irrelevant, by score."""
        kind = np.full(len(scores), NOT_REACHED, np.uint8)
        kind[np.isin(self.remover, self.kept)] = REDUNDANT
        kind[irrelevant] = IRRELEVANT
        kind[self.kept] = KEPT
        redundant = np.flatnonzero(kind == REDUNDANT)
        stopped = bool((kind == NOT_REACHED).any())
        reasons = Reasons(
            kind,
            rule=f"the walk down the list stopped ({stop})" if stopped else "the list was walked to its end",
            related={int(j): (int(self.remover[j]),) for j in redundant},
            amount={int(j): float(self.amount[j]) for j in redundant},
            **more,  # type: ignore[arg-type]
        )
        place = np.array([0, 3, 2, 1])[kind]
        return Selection.build(self.kept, np.lexsort((-scores, place)), reasons, scores, self.trace)


def keep_predominant(order: np.ndarray, n_seeds: int, covers: Covers, scores: np.ndarray, stop: Stop) -> Walk:
    """Keep features from the top of a list that no kept feature above them covers.

    Parameters
    ----------
    order : ndarray of int64
        The list, best first.
    n_seeds : int
        The first features of the list, which are never taken away.
    covers : callable
        Says which of the features that are left a kept feature takes away.
    scores : ndarray of shape (n_features,)
        Value of every feature, for the trace.
    stop : Stop
        Ends the walk.
    """
    d = len(scores)
    remover, amount = np.full(d, -1, np.int64), np.zeros(d)
    kept: list[int] = []
    trace, left, begin = Trace(), order, time.perf_counter()
    while len(left) and not stop.done(trace, d - len(kept)):
        best, later = int(left[0]), left[1:]
        kept.append(best)
        safe = max(0, n_seeds - len(kept))
        judged = later[safe:]
        if len(judged):
            gone, by = covers(best, judged)
            remover[judged[gone]], amount[judged[gone]] = best, by[gone]
            left = np.concatenate([later[:safe], judged[~gone]])
        else:
            left = later
        now = time.perf_counter()
        trace.append(Step(added=(best,), value=float(scores[best]), evaluations=len(judged), seconds=now - begin))
        begin = now
        progress.report("evaluating features", d - len(left), d)
    return Walk(np.array(kept[: stop.steps_kept(trace)], np.int64), remover, amount, trace)

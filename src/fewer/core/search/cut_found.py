"""Fewer of what a method has found by itself, where a size says so."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from fewer.core.records.ranking import Ranking
from fewer.core.records.reasons import IRRELEVANT, NOT_REACHED
from fewer.core.records.result import Selection
from fewer.core.stop import All, Stop


def cut_by(selection: Selection, stop: Stop) -> Selection:
    """Return a selection with the strongest of its features only, if the stop rule says so."""
    kept = selection.indices
    if isinstance(stop, All) or not len(kept) or selection.scores is None:
        return selection
    scores = np.nan_to_num(selection.scores, nan=-np.inf, posinf=np.inf)
    # Whoever was not found stands behind all who were.
    outside = ~selection.support
    scores[outside] = scores[kept].min() - 1.0
    cut = stop.cut(Ranking(scores))
    left = [int(j) for j in kept if cut.kept[j]]
    reasons, kind = selection.reasons, selection.reasons.kind.copy()
    gone = [int(j) for j in kept if not cut.kept[j]]
    kind[gone] = [IRRELEVANT if cut.irrelevant[j] else NOT_REACHED for j in gone]
    threshold = np.where(outside, np.nan, cut.threshold)
    rule = "; ".join(words for words in (reasons.rule, cut.rule) if words)
    reasons = replace(reasons, kind=kind, threshold=threshold, above=cut.above, rule=rule)
    return replace(selection, indices=np.array(left, np.int64), reasons=reasons)

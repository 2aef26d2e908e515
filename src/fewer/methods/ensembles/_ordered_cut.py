"""Where a method that finds its own subset, and an order of all features, is cut by a rule of size."""

from __future__ import annotations

import numpy as np

from fewer.core.records.ranking import Ranking
from fewer.core.stop import All, Count, Cut, Fraction, Stop


def ordered_cut(size: Stop, found: np.ndarray, order: np.ndarray, scores: np.ndarray) -> Cut:
    """Return what is kept: what was found, so many in the order, or what a rule makes of the scores.

    Parameters
    ----------
    size : Stop
        The rule; None in the grammar of sizes stands for what was found.
    found : ndarray of bool
        What the method keeps by itself.
    order : ndarray of int
        All features, best first.
    scores : ndarray
        One number per feature.
    """
    if isinstance(size, All):
        return Cut(found)
    if isinstance(size, (Count, Fraction)):
        places = np.empty(len(order))
        places[order] = -np.arange(len(order), dtype=float)
        cut = size.cut(Ranking(places))
        # Places are no numbers that a reader should see as scores.
        return Cut(cut.kept, rule=cut.rule)
    return size.cut(Ranking(scores))

"""Whether a classifier of unknown type is smooth: seen on segments between rows that it classifies differently."""

from __future__ import annotations

from typing import Any

import numpy as np

from fewer.core.borders.contract import Border, Decision
from fewer.core.borders.crossings import crossings
from fewer.core.borders.smooth_classifiers import stepwise_error

MOST_SEGMENTS = 32


def check_smooth(decision: Decision, rows: np.ndarray, model: Any, user: str) -> None:
    """Raise if most crossings of a border are jumps, or places without a gradient; formulas are not looked at.

    Parameters
    ----------
    decision : Decision
        Its decision functions.
    rows : ndarray of shape (n_rows, n_features)
        Rows on which the classifier was fitted.
    model : classifier
        The classifier, for the message.
    user : str
        Who asks, for the message.
    """
    jumps = []
    for i in range(decision.n_classes):
        for j in range(i + 1, decision.n_classes):
            border = decision.pair(i, j)
            if border.analytic:
                continue
            jumps.append(jumping(border, rows))
            if sum(map(len, jumps)) >= MOST_SEGMENTS:
                break
    found = np.concatenate(jumps) if jumps else np.zeros(0, dtype=bool)
    if len(found) and found.mean() > 0.5:
        raise stepwise_error(type(model).__name__, user)


def jumping(border: Border, rows: np.ndarray) -> np.ndarray:
    """Return for some segments between rows of different sides whether h jumps there, or has no gradient."""
    h = border.values(rows)
    above, below = np.flatnonzero(h > 0)[:MOST_SEGMENTS], np.flatnonzero(h < 0)[:MOST_SEGMENTS]
    n = min(len(above), len(below))
    if not n:
        return np.zeros(0, dtype=bool)
    found = crossings(border, rows[above[:n]], rows[below[:n]])
    return found.jumps | ~border.normals(found.points)[1]

"""The nearest point of a border by tangent planes: a few evaluations where the border is smooth around a row."""

from __future__ import annotations

import numpy as np

from fewer.core.borders.contract import Border
from fewer.core.borders.crossings import crossings
from fewer.core.borders.foot_points import FootPoints, foot_points
from fewer.core.borders.opposite_rows import nearest_of

MOST = 60
# From here on steps are halved, so that none goes round in circles.
HALVED_FROM = 20
# A step, beside the distance from the row, and a value of h, beside those of rows, that are nothing.
STILL, NOTHING = 1e-9, 1e-11
LEAST = 1e-100


def tangent_feet(border: Border, rows: np.ndarray, others: np.ndarray, n_starts: int = 2) -> FootPoints:
    """Find the nearest point of the border for every row, as `foot_points` does, in fewer steps as a rule.

    The nearest point of the tangent plane at p, x - (h(p) + h'(p) (x - p)) h'(p) / |h'(p)|^2, is taken for the next p,
    from the row itself and from crossings on the way to rows of the other side. Rows for which no start comes to rest
    on the border are left to `foot_points`.

    Parameters
    ----------
    border : Border
        The border.
    rows : ndarray of shape (n_rows, n_features)
        The rows.
    others : ndarray of shape (n_others, n_features)
        Rows known to lie about on both sides.
    n_starts : int
        Number of rows of the other side that are aimed at.
    """
    if border.plane is not None or not len(rows):
        return foot_points(border, rows, others, n_starts)
    sides = np.sign(border.values(others))
    from_row, starts = _starts(border, rows, others, sides, n_starts)
    scale = float(np.abs(border.values(others)).max(initial=0.0))
    points, resting = _resting(border, rows[from_row], starts, NOTHING * scale)
    way = np.where(resting, np.sqrt(((points - rows[from_row]) ** 2).sum(axis=1)), np.inf)
    best, away = np.full(rows.shape, np.nan), np.full(len(rows), np.inf)
    # The last written stays: the nearest.
    order = np.argsort(-way, kind="stable")
    best[from_row[order]], away[from_row[order]] = points[order], way[order]
    left = np.flatnonzero(~np.isfinite(away))
    if len(left):
        found = foot_points(border, rows[left], others, n_starts)
        best[left], away[left] = found.points, found.distances
    return FootPoints(best, away)


def _starts(
    border: Border, rows: np.ndarray, others: np.ndarray, sides: np.ndarray, n_starts: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return the number of the row and the place of every start."""
    here = np.sign(border.values(rows))
    numbers, begins = [np.arange(len(rows))], [rows]
    for side in (1.0, -1.0):
        mine, aims = np.flatnonzero(here == side), others[sides == -side]
        if len(mine) and len(aims):
            near = nearest_of(rows[mine], aims, n_starts)
            number = np.repeat(mine, near.shape[1])
            found = crossings(border, rows[number], aims[near.ravel()])
            numbers.append(number[found.crossed])
            begins.append(found.points[found.crossed])
    return np.concatenate(numbers), np.concatenate(begins)


def _resting(border: Border, rows: np.ndarray, starts: np.ndarray, nothing: float) -> tuple[np.ndarray, np.ndarray]:
    """Return where the starts come to rest, and which of them do, on the border."""
    points, resting, active = starts.copy(), np.zeros(len(rows), bool), np.arange(len(rows))
    for step in range(MOST):
        if not len(active):
            break
        h, slopes = border.values(points[active]), border.gradients(points[active])
        squares = (slopes**2).sum(axis=1)
        # Far from all rows h is flat, and a step would leave the range of numbers.
        fine = np.isfinite(h) & np.isfinite(squares) & (squares > LEAST)
        active, h, slopes, squares = active[fine], h[fine], slopes[fine], squares[fine]
        away = rows[active] - points[active]
        part = (h + (slopes * away).sum(axis=1)) / squares
        move = away - part[:, None] * slopes
        size = np.sqrt((move**2).sum(axis=1))
        still = (size <= STILL * np.sqrt((away**2).sum(axis=1))) & (np.abs(h) <= nothing)
        resting[active[still]] = True
        go = ~still
        points[active[go]] += move[go] * (1.0 if step < HALVED_FROM else 0.5)
        active = active[go]
    return points, resting

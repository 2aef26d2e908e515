"""The nearest point of a border: from crossings on the way to rows of the other side, slid along the border."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fewer.core.borders.contract import Border
from fewer.core.borders.crossings import crossings
from fewer.core.borders.opposite_rows import nearest_of

MOST = 60
# A slide that comes nearer by less than this fraction ends.
NEARER = 1e-12
# How much farther than a planned point a ray may look for the border.
LONGER = (1.0, 1.1, 1.5, 3.0)


@dataclass(frozen=True)
class FootPoints:
    """Nearest points of a border.

    Attributes
    ----------
    points : ndarray of shape (n_rows, n_features)
        On the border; nan for rows for which none was found.
    distances : ndarray of shape (n_rows,)
        How far they are; inf for rows for which none was found.
    """

    points: np.ndarray
    distances: np.ndarray


def foot_points(border: Border, rows: np.ndarray, others: np.ndarray, n_starts: int = 4) -> FootPoints:
    """Find the nearest point of the border for every row.

    Parameters
    ----------
    border : Border
        The border. That of a plane is found by its formula.
    rows : ndarray of shape (n_rows, n_features)
        The rows.
    others : ndarray of shape (n_others, n_features)
        Rows known to lie about on both sides, such as those of `fit`; the nearest ones on the other side are aimed at.
    n_starts : int
        Number of rows of the other side that are aimed at, besides one start along the gradient. The nearest point
        that any start leads to is kept: of a curved border it need not be the nearest of all.

    Returns
    -------
    FootPoints
    """
    if border.plane is not None:
        return _on_plane(rows, *border.plane)
    best = np.full(rows.shape, np.nan)
    away = np.full(len(rows), np.inf)
    here = border.values(rows)
    best[here == 0], away[here == 0] = rows[here == 0], 0.0
    sides = np.sign(border.values(others))
    for side in (1.0, -1.0):
        mine = np.flatnonzero(np.sign(here) == side)
        aims = others[sides == -side]
        if len(mine):
            _keep_nearer(best, away, mine, *_slide(border, rows[mine], _downhill(border, rows[mine])))
        if len(mine) and len(aims):
            near = nearest_of(rows[mine], aims, n_starts)
            for k in range(near.shape[1]):
                found = crossings(border, rows[mine], aims[near[:, k]])
                _keep_nearer(best, away, mine, *_slide(border, rows[mine], found.points))
    return FootPoints(best, away)


def _on_plane(rows: np.ndarray, w: np.ndarray, b: float) -> FootPoints:
    size = float(np.abs(w).max(initial=0.0))
    if size == 0:
        return FootPoints(np.full(rows.shape, np.nan), np.full(len(rows), np.inf))
    unit = w / size
    length = float(np.sqrt(unit @ unit))
    unit = unit / length
    h = rows @ unit + b / size / length
    return FootPoints(rows - h[:, None] * unit, np.abs(h))


def _keep_nearer(best: np.ndarray, away: np.ndarray, mine: np.ndarray, points: np.ndarray, far: np.ndarray) -> None:
    nearer = far < away[mine]
    best[mine[nearer]], away[mine[nearer]] = points[nearer], far[nearer]


def _downhill(border: Border, rows: np.ndarray) -> np.ndarray:
    """Return points of the border along the gradient, by Newton's step, made longer if needed; nan for none."""
    h, slopes = border.values(rows), border.gradients(rows)
    squares = (slopes**2).sum(axis=1)
    steps = np.divide(-h[:, None] * slopes, squares[:, None], out=np.zeros(rows.shape), where=squares[:, None] > 0)
    return _on_rays(border, rows, rows + steps, (*LONGER, 10.0))


def _on_rays(border: Border, rows: np.ndarray, aims: np.ndarray, longer: tuple[float, ...] = LONGER) -> np.ndarray:
    """Return where rays from rows through other points cross the border first, nan for those that do not."""
    out = np.full(rows.shape, np.nan)
    ways = np.where(np.isfinite(aims), aims - rows, 0.0)
    left = np.flatnonzero((ways != 0).any(axis=1))
    for factor in longer:
        if not len(left):
            break
        found = crossings(border, rows[left], rows[left] + factor * ways[left])
        done = found.crossed & ~found.jumps
        out[left[done]] = found.points[done]
        left = left[~done]
    return out


def _slide(border: Border, rows: np.ndarray, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return points of the border nearer to rows, and how far they are.

    A step goes to the nearest point of the tangent plane, back to the border on the ray from the row, and is
    halved as long as it does not come nearer.
    """
    points = points.copy()
    far = np.sqrt(((points - rows) ** 2).sum(axis=1))
    far[~np.isfinite(far)] = np.inf
    active = np.flatnonzero(np.isfinite(far))
    part = np.ones(len(rows))
    for _ in range(MOST):
        if not len(active):
            break
        normals, has = border.normals(points[active])
        to_row = rows[active] - points[active]
        # Where the tangent plane comes nearest: the row, less its part along the normal.
        aims = rows[active] - (to_row * normals).sum(axis=1, keepdims=True) * normals
        planned = points[active] + part[active, None] * (aims - points[active])
        found = _on_rays(border, rows[active], planned)
        way = np.sqrt(((found - rows[active]) ** 2).sum(axis=1))
        nearer = has & (way < far[active] * (1.0 - NEARER))
        moved = active[nearer]
        points[moved], far[moved] = found[nearer], way[nearer]
        part[moved] = np.minimum(1.0, 2.0 * part[moved])
        part[active[~nearer]] *= 0.5
        active = active[has & (part[active] > 1e-3)]
    return points, far

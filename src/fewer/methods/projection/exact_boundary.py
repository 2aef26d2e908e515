"""The boundary matrix of known densities: integrals over the border, by roots on lines."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from fewer.core.borders.contract import Border, GivenBorder
from fewer.core.borders.crossings import crossings
from fewer.core.records.errors import InputError

# Points of a line are looked at in blocks of so many.
POINTS = 400_000
# Borders of so many further classes within one cell are told apart.
ROUNDS = 6
MOST_FEATURES = 4
# For differences, as a part of the box.
STEP = 1e-6


def edbfm_exact(
    density: Callable[[Any], Any],
    scores: Callable[[Any], Any],
    box: Any,
    n_cells: int | Sequence[int] = 200,
    n_lines: int | Sequence[int] | None = None,
) -> np.ndarray:
    r"""Return :math:`\int_S N N^T p\,dS / \int_S p\,dS` over the border S of given scores (eq. 6.3 of the book, ch. 6).

    Lines along every axis a through the midpoints of a grid cross the border; with :math:`dS = dx_{-a} / |N_a|` and
    :math:`\sum_a N_a^2 = 1` an integral over S is the sum over axes and crossings of the integrand times
    :math:`|N_a|\,dx_{-a}`, in which nothing grows without bound.

    Parameters
    ----------
    density : callable
        p(x) of rows, of all classes together; only its proportions matter.
    scores : callable
        Takes rows, returns (n_rows,) for two classes, above 0 for the first, or (n_rows, n_classes); the border is
        where the largest changes, all pairs of classes under one normalisation.
    box : array-like of shape (n_features, 2)
        Lower and upper end of every feature; what lies outside does not count. At most 4 features.
    n_cells : int or sequence of int, default=200
        Cells along the lines, for every feature; two crossings of one border within a cell are overlooked.
    n_lines : int, sequence of int or None, default=None
        Lines across every feature; None for as many as cells. Where a border ends, the error falls with their number.

    Returns
    -------
    ndarray of shape (n_features, n_features)
        Symmetric, of trace 1.

    Examples
    --------
    >>> disc = edbfm_exact(lambda rows: np.ones(len(rows)), lambda rows: 1 - (rows**2).sum(axis=1), [[-2, 2], [-2, 2]])
    >>> np.diag(disc).round(3).tolist()
    [0.5, 0.5]
    """
    ends = np.asarray(box, dtype=np.float64)
    if ends.ndim != 2 or ends.shape[1] != 2 or not 1 <= len(ends) <= MOST_FEATURES or (ends[:, 0] >= ends[:, 1]).any():
        raise InputError(
            f"edbfm_exact got a box of shape {ends.shape}, but needs a lower and a larger upper end for each of 1 to "
            f"{MOST_FEATURES} features; give [[low, high], ...], and sample borders of more features with edbfm."
        )
    cells = np.broadcast_to(np.asarray(n_cells, dtype=np.int64), (len(ends),))
    across = cells if n_lines is None else np.broadcast_to(np.asarray(n_lines, dtype=np.int64), (len(ends),))
    total = np.zeros((len(ends), len(ends)))
    for axis in range(len(ends)):
        total += _along(axis, density, scores, ends, (cells, across))
    if not np.trace(total) > 0:
        raise InputError(
            "edbfm_exact found no border with density in the box: the largest score is the same everywhere; widen the "
            "box or raise n_cells."
        )
    return total / np.trace(total)


def _along(axis: int, density: Any, scores: Any, ends: np.ndarray, counts: Any) -> np.ndarray:
    """Return the integral of N N^T p |N_a| over the other coordinates of all crossings of lines along one axis."""
    cells, across = counts
    width = (ends[:, 1] - ends[:, 0]) / across
    middles = [low + w * (np.arange(n) + 0.5) for low, w, n in zip(ends[:, 0], width, across)]
    others = [k for k in range(len(ends)) if k != axis]
    grid = np.meshgrid(*[middles[k] for k in others], indexing="ij")
    starts = np.stack([g.ravel() for g in grid], axis=1) if others else np.zeros((1, 0))
    marks = np.linspace(float(ends[axis, 0]), float(ends[axis, 1]), int(cells[axis]) + 1)
    total = np.zeros((len(ends), len(ends)))
    at_once = max(1, POINTS // len(marks))
    for begin in range(0, len(starts), at_once):
        block = starts[begin : begin + at_once]
        lines = np.empty((len(block), len(marks), len(ends)))
        lines[:, :, others] = block[:, None, :]
        lines[:, :, axis] = marks
        total += _crossed(axis, density, scores, lines, STEP * (ends[:, 1] - ends[:, 0]))
    return total * np.prod(width[others])


def _crossed(axis: int, density: Any, scores: Any, lines: np.ndarray, step: np.ndarray) -> np.ndarray:
    """Return the sum of N N^T p |N_a| over all points where the best class changes along lines."""
    best = _of_classes(scores, lines.reshape(-1, lines.shape[2])).argmax(axis=1).reshape(lines.shape[:2])
    line, place = np.nonzero(best[:, 1:] != best[:, :-1])
    begins, ends = lines[line, place], lines[line, place + 1]
    before, after = best[line, place], best[line, place + 1]
    total = np.zeros((lines.shape[2], lines.shape[2]))
    for _ in range(ROUNDS):
        if not len(before):
            break
        found, border = np.empty(begins.shape), _Changing(scores, before, after)
        kept = np.zeros(len(before), dtype=bool)
        for i, j in np.unique(np.stack([before, after], axis=1), axis=0):
            mine = np.flatnonzero((before == i) & (after == j))
            crossing = crossings(border.of(int(i), int(j), step), begins[mine], ends[mine])
            found[mine], kept[mine] = crossing.points, crossing.crossed
        # Where a third class is best, the line crosses two borders, one on either side.
        values = _of_classes(scores, found)
        between = values.argmax(axis=1)
        at = np.arange(len(found))
        third = kept & (values[at, between] > np.maximum(values[at, before], values[at, after]) + 1e-9)
        total += border.squares(axis, density, found, kept & ~third, step)
        begins, ends = np.concatenate([begins[third], found[third]]), np.concatenate([found[third], ends[third]])
        before, after = np.concatenate([before[third], between[third]]), np.concatenate([between[third], after[third]])
    return total


class _Changing:
    """Borders between the best classes before and after points."""

    def __init__(self, scores: Any, before: np.ndarray, after: np.ndarray):
        self.scores, self.before, self.after = scores, before, after

    def of(self, i: int, j: int, step: np.ndarray) -> Border:
        """Return the border between two classes."""

        def h(rows: np.ndarray) -> np.ndarray:
            found = _of_classes(self.scores, rows)
            return found[:, i] - found[:, j]

        return GivenBorder(h, None, step)

    def squares(self, axis: int, density: Any, points: np.ndarray, kept: np.ndarray, step: np.ndarray) -> np.ndarray:
        """Return the sum of N N^T p |N_a| over points."""
        total = np.zeros((points.shape[1], points.shape[1]))
        for i, j in np.unique(np.stack([self.before[kept], self.after[kept]], axis=1), axis=0):
            here = points[kept & (self.before == i) & (self.after == j)]
            normals, _ = self.of(int(i), int(j), step).normals(here)
            amount = np.asarray(density(here), dtype=np.float64) * np.abs(normals[:, axis])
            total += (normals * amount[:, None]).T @ normals
        return total


def _of_classes(scores: Any, rows: np.ndarray) -> np.ndarray:
    found = np.asarray(scores(rows), dtype=np.float64).reshape(len(rows), -1)
    return np.hstack([found, -found]) if found.shape[1] == 1 else found

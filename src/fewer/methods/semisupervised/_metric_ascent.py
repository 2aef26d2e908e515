r"""The metric that draws some pairs apart while others stay near: a concave function on a simplex or a spectrahedron.

Xing et al. maximise :math:`\sum_{cl} \|\delta\|_A` under :math:`\sum_{ml} \|\delta\|_A^2 \le 1`. With
:math:`M = \sum_{ml} \delta \delta^T` and :math:`A = M^{-1/2} B M^{-1/2}` the constraint is :math:`tr(B) \le 1`, so
that each step has an exact projection, and the largest eigenvalue of the gradient bounds what is left to gain.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import scipy.linalg

# Lengths below this fraction of the longest count as so long in the gradient.
SHORTEST = 1e-8

Value = Callable[[np.ndarray], tuple[float, np.ndarray]]
Project = Callable[[np.ndarray], np.ndarray]


class Ascent(NamedTuple):
    """Where the ascent ended: the point, the fraction of its value that may still be gained, and the steps."""

    point: np.ndarray
    gap: float
    n_iter: int


def on_simplex(values: np.ndarray) -> np.ndarray:
    """Return the nearest point whose parts are at least 0 and sum to 1."""
    falling = np.sort(values)[::-1]
    above = (np.cumsum(falling) - 1.0) / np.arange(1, len(values) + 1)
    return np.maximum(values - above[np.count_nonzero(falling > above) - 1], 0.0)


def on_spectrahedron(B: np.ndarray) -> np.ndarray:
    """Return the nearest matrix without negative eigenvalues whose eigenvalues sum to 1."""
    values, vectors = scipy.linalg.eigh(B)
    return (vectors * on_simplex(values)) @ vectors.T


def _top(gradient: np.ndarray) -> float:
    """Return the largest entry of a vector, or the largest eigenvalue of a matrix."""
    return float(gradient.max()) if gradient.ndim == 1 else float(scipy.linalg.eigvalsh(gradient)[-1])


def _gap(here: np.ndarray, height: float, slope: np.ndarray) -> float:
    """Return the fraction of the value that may still be gained."""
    return max(0.0, _top(slope) - float(np.vdot(slope, here))) / height


def ascend(
    value: Value,
    start: np.ndarray,
    project: Project,
    tol: float,
    max_iter: int,
) -> Ascent:
    """Climb a concave function by projected gradients with momentum, until at most a fraction ``tol`` may be gained.

    Parameters
    ----------
    value : callable
        Value and gradient at a point.
    start : ndarray
        Where to begin, inside.
    project : callable
        Returns the nearest allowed point.
    tol : float
        Fraction of the value.
    max_iter : int
        Most steps.
    """
    here, (height, slope) = start, value(start)
    ahead, momentum, step = here, 1.0, 1.0 / max(float(np.abs(slope).max()), 1e-300)
    best_gap = np.inf
    for n_iter in range(1, max_iter + 1):
        best_gap = _gap(here, height, slope)
        if best_gap <= tol:
            return Ascent(here, best_gap, n_iter - 1)
        at, rise = value(ahead)
        while True:
            there = project(ahead + step * rise)
            higher, next_slope = value(there)
            moved = there - ahead
            enough = at + float(np.vdot(rise, moved)) - float(np.vdot(moved, moved)) / (2 * step)
            if higher >= enough - 1e-14 * abs(at) or step < 1e-300:
                break
            step *= 0.5
        if higher < height * (1 - 1e-14):
            # The momentum overshot: begin again from the best point.
            if ahead is here:
                break
            ahead, momentum = here, 1.0
            continue
        faster = (1 + np.sqrt(1 + 4 * momentum * momentum)) / 2
        # The function is defined inside only, so the point ahead is brought back.
        ahead = project(there + (momentum - 1) / faster * (there - here))
        here, height, slope, momentum = there, higher, next_slope, faster
        step *= 1.25
    return Ascent(here, min(best_gap, _gap(here, height, slope)), n_iter)


def multiplied(value: Value, start: np.ndarray, tol: float, steps: int) -> tuple[np.ndarray, int]:
    r"""Return a better start on the simplex: :math:`b_j \leftarrow b_j g_j^2` by the gradient g, summing to 1 again.

    By Jensen's inequality the sum of lengths never falls, and many weights near 0 are found in few steps; also return
    how many were done.
    """
    b = start
    for done in range(steps):
        height, slope = value(b)
        if float(slope.max()) - float(slope @ b) <= tol * height:
            return b, done
        b = b * (slope / slope.max()) ** 2
        b = b / b.sum()
    return b, steps


def diagonal_value(squares: np.ndarray, b: np.ndarray) -> tuple[float, np.ndarray]:
    """Return the sum of the lengths of differences, whose squared parts are given, under weights, and its gradient."""
    lengths = np.sqrt(np.asarray(squares @ b))
    return float(lengths.sum()), np.asarray(_half_inverse(lengths) @ squares)


def full_value(U: np.ndarray, B: np.ndarray) -> tuple[float, np.ndarray]:
    """Return the sum of the lengths of the rows of U under a matrix, and its gradient."""
    lengths = np.sqrt(np.maximum(np.einsum("ij,jk,ik->i", U, B, U, optimize=True), 0.0))
    return float(lengths.sum()), (U.T * _half_inverse(lengths)) @ U


def _half_inverse(lengths: np.ndarray) -> np.ndarray:
    """Return half of one over each length; a difference that has almost vanished is steep, not flat."""
    return 0.5 / np.maximum(lengths, SHORTEST * max(float(lengths.max()), 1e-300))

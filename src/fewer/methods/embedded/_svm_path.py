"""The path of the doubly regularized support vector machine in l1, for a fixed l2 > 0.

For fixed l2 the coefficients are piecewise linear in l1 (Wang, Zhu and Zou 2006). Rows are short of margin 1
(``alpha`` = 1), on it, or beyond it (``alpha`` = 0); columns are active or not. While these sets stay, coefficients and
``alpha`` move along a line, which the equations of the rows on the margin give; a knot is where a set changes. The
walk begins at a point that an interior-point method found, and goes down and up from there. Where it cannot go on, as
at knots in which several sets change at once, points between are solved until lines between them are exact enough.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fewer.methods.embedded._svm_point import SvmPoint, best_intercept, point_of, solve_point

# What counts as 0 beside numbers of size 1.
TINY = 1e-9
# Where the path ends unless an l1 is given, in parts of the l1 at which it begins.
END = 1e-3
# How often a line between two points is halved.
HALVINGS = 10
# Coefficients this small, of columns with unit variance, are none.
ROUNDING = 1e-10


def largest_l1(X: np.ndarray, y: np.ndarray) -> float:
    """Return the l1 from which on all coefficients are 0.

    With equal classes it is ``max_j |sum_i y_i x_ij|``; else the rows of the larger class can be weighted so that the
    largest correlation is as small as possible, a linear program.
    """
    from scipy.optimize import linprog

    minor = y == (1.0 if (y > 0).sum() <= (y < 0).sum() else -1.0)
    if minor.sum() * 2 == len(y):
        return float(np.abs(y @ X).max(initial=0.0))
    n_major, fixed = int((~minor).sum()), y[minor] @ X[minor]
    moving = (y[~minor, None] * X[~minor]).T
    p = len(fixed)
    rows = np.block([[moving, -np.ones((p, 1))], [-moving, -np.ones((p, 1))]])
    found = linprog(
        np.append(np.zeros(n_major), 1.0),
        rows,
        np.concatenate([-fixed, fixed]),
        np.append(np.ones(n_major), 0.0)[None],
        [float(minor.sum())],
        [(0, 1)] * n_major + [(0, None)],
        method="highs",
    )
    return float(found.x[-1])


def svm_path(
    X: np.ndarray, y: np.ndarray, l2: float, least: float | None, max_features: int | None = None, tol: float = 5e-7
) -> list[SvmPoint]:
    """Return the knots of the path, from the l1 at which all coefficients are 0 down to ``least``.

    Parameters
    ----------
    X : ndarray of shape (n, p)
        Centred columns.
    y : ndarray of shape (n,)
        Classes -1 and 1.
    l2 : float
        The quadratic penalty, above 0.
    least : float or None
        The l1 at which to end, 0 or above; None is a thousandth of that at which the path begins.
    max_features : int or None, default=None
        End at the first knot with more active columns than this.
    tol : float, default=5e-7
        Largest dual gap at the knots and half-way between them, for up to 200 rows; more in proportion to the rows.

    Returns
    -------
    list of SvmPoint
        Knots with falling l1. Between two of them coefficients, intercept and alpha go along lines.
    """
    top = largest_l1(X, y)
    least = END * top if least is None else least
    start = _zero(X, y, max(top, least), l2)
    if top <= least or top <= TINY:
        return [start]
    walk = _Walk(X, y, l2, tol * max(1.0, len(y) / 200))
    knots = [start]
    while knots[-1].l1 > least and not _beyond(knots[-1], max_features):
        at = 0.99 * knots[-1].l1
        knots += walk.on_from(knots.pop(), at if at > max(least, 0.01 * top) else least, least, max_features)
    return knots


def worst_gap(X: np.ndarray, y: np.ndarray, l2: float, knots: list[SvmPoint]) -> float:
    """Return the largest dual gap at the knots and half-way between them."""
    walk = _Walk(X, y, l2, 0.0)
    halves = (walk.middle(one, other).gap for one, other in zip(knots, knots[1:]))
    return max([*(knot.gap for knot in knots), *halves])


def _beyond(point: SvmPoint, most: int | None) -> bool:
    return most is not None and int((point.beta != 0).sum()) > most


def _zero(X: np.ndarray, y: np.ndarray, top: float, l2: float) -> SvmPoint:
    """Return the beginning of the path: no coefficients, and the alpha of the point where the first appears."""
    found = solve_point(X, y, top, l2)
    return point_of(X, y, top, l2, np.zeros(X.shape[1]), best_intercept(y, np.zeros(len(y))), found.alpha)


@dataclass(eq=False)
class _Walk:
    X: np.ndarray
    y: np.ndarray
    l2: float
    tol: float

    def on_from(self, last: SvmPoint, at: float, least: float, most: int | None) -> list[SvmPoint]:
        """Return the last knot, or another solution there, those down to ``at``, and then as far as walking gets."""
        begin = self.exact(solve_point(self.X, self.y, at, self.l2, 1e-12))
        back = [*reversed(self.walk(begin, 1.0, last.l1, None)), begin]
        if back[0].l1 < last.l1 or back[0].gap > last.gap + self.tol / 2:
            back = [knot for knot in back if knot.l1 < last.l1]
            back = [last, *self.between(last, back[0]), *back]
        return [*back, *self.walk(begin, -1.0, least, most)]

    def walk(self, point: SvmPoint, sign: float, end: float, most: int | None) -> list[SvmPoint]:
        """Return the knots from a point, without it, up or down to the end; fewer where the way is not found."""
        state = _Active(self.X, self.y, self.l2, point)
        knots: list[SvmPoint] = []
        last, idle = point, 0
        for _ in range(50 * sum(self.X.shape)):
            moved = state.go(sign, end)
            if moved is None:
                break
            idle = idle + 1 if moved <= TINY * max(1.0, state.l1) else 0
            if idle > 2 * len(self.y):
                break
            if idle:
                continue
            knot = state.point()
            if knot.gap > self.tol or self.middle(last, knot).gap > self.tol:
                break
            knots.append(knot)
            last = knot
            if state.l1 == end or _beyond(knot, most):
                break
        return knots

    def middle(self, one: SvmPoint, other: SvmPoint) -> SvmPoint:
        """Return what lies half-way on the line between two points, with its gap."""
        beta, alpha = (one.beta + other.beta) / 2, (one.alpha + other.alpha) / 2
        l1, intercept = (one.l1 + other.l1) / 2, (one.intercept + other.intercept) / 2
        return point_of(self.X, self.y, l1, self.l2, beta, intercept, alpha)

    def between(self, one: SvmPoint, other: SvmPoint, left: int = HALVINGS) -> list[SvmPoint]:
        """Return points between two that make the lines between neighbours exact enough, by halving."""
        if left == 0 or self.middle(one, other).gap <= self.tol:
            return []
        middle = self.exact(solve_point(self.X, self.y, (one.l1 + other.l1) / 2, self.l2, 1e-12))
        return [*self.between(one, middle, left - 1), middle, *self.between(middle, other, left - 1)]

    def exact(self, point: SvmPoint) -> SvmPoint:
        """Return the solution of the equations of its sets, where that is at least as exact."""
        state = _Active(self.X, self.y, self.l2, point)
        found = state.solved()
        if found is not None and found.gap <= max(point.gap, 1e-12):
            return found
        # At least without coefficients that are mere rounding.
        clean = state.point()
        return clean if clean.gap <= self.tol else point


class _Active:
    """Sets of rows and columns, and the line on which a solution moves while they stay."""

    def __init__(self, X: np.ndarray, y: np.ndarray, l2: float, point: SvmPoint) -> None:
        self.X, self.y, self.l2, self.l1 = X, y, l2, point.l1
        self.alpha, self.b, self.beta = point.alpha.copy(), point.intercept, point.beta.copy()
        c = (y * point.alpha) @ X
        short = np.abs(1 - y * (self.b + X @ self.beta))
        # Of two numbers whose product is 0 the larger is the one that is not.
        self.on = np.minimum(self.alpha, 1 - self.alpha) > short
        self.full = ~self.on & (self.alpha > 0.5)
        self.signs = np.sign(c)
        self.active = np.abs(self.beta) > np.maximum(point.l1 - np.abs(c), 0.0)
        self.beta[~self.active] = 0.0

    def point(self) -> SvmPoint:
        """Return where it stands, without coefficients that are mere rounding: where knots coincide, columns may be
        active whose coefficients do not move."""
        beta = np.where(np.abs(self.beta) <= ROUNDING * max(1.0, np.abs(self.beta).max(initial=0.0)), 0.0, self.beta)
        return point_of(self.X, self.y, self.l1, self.l2, beta, self.b, self.alpha.copy())

    def _system(self) -> np.ndarray:
        part = self.X[np.ix_(self.on, self.active)]
        k = len(part)
        matrix = np.zeros((k + 1, k + 1))
        matrix[:k, :k] = part @ part.T / (2 * self.l2)
        matrix[:k, k] = matrix[k, :k] = 1.0
        return matrix

    def solved(self) -> SvmPoint | None:
        """Return the exact solution for its sets, None where it breaks a bound, so that the sets are wrong."""
        if not self.on.any():
            return None
        X, y, columns = self.X, self.y, self.active
        fixed = (y[self.full] @ X[np.ix_(self.full, columns)] - self.signs[columns] * self.l1) / (2 * self.l2)
        right = np.append(y[self.on] - X[np.ix_(self.on, columns)] @ fixed, -y[self.full].sum())
        found = np.linalg.lstsq(self._system(), right, rcond=1e-13)[0]
        alpha = self.full.astype(float)
        alpha[self.on] = y[self.on] * found[:-1]
        if not np.isfinite(found).all() or (alpha < -TINY).any() or (alpha > 1 + TINY).any():
            return None
        c = (y * alpha) @ X
        beta = np.where(columns, (c - self.signs * self.l1) / (2 * self.l2), 0.0)
        if (beta * self.signs < 0).any():
            return None
        return point_of(X, y, self.l1, self.l2, beta, float(found[-1]), np.clip(alpha, 0, 1))

    def go(self, sign: float, end: float) -> float | None:
        """Move to the next knot in l1, upwards or downwards, and change the sets there; None if there is no way."""
        if not self.on.any():
            self._shift()
        y, X, columns = self.y, self.X, self.active
        rows = X[np.ix_(self.on, columns)]
        # 2 l2 d beta_j = sum_i y_i x_ij d alpha_i - s_j d l1, and the margins of rows on 1 stay.
        right = np.append(sign * rows @ self.signs[columns] / (2 * self.l2), 0.0)
        matrix = self._system()
        found = np.linalg.lstsq(matrix, right, rcond=1e-12)[0]
        if np.abs(matrix @ found - right).max() > 1e-7 * (1 + np.abs(right).max()):
            return None
        d_alpha = np.zeros(len(y))
        d_alpha[self.on] = y[self.on] * found[:-1]
        d_c = found[:-1] @ X[self.on]
        d_beta = np.where(columns, (d_c - sign * self.signs) / (2 * self.l2), 0.0)
        margins, d_margins = y * (self.b + X @ self.beta) - 1, y * (found[-1] + X @ d_beta)
        c = (y * self.alpha) @ X
        step, what, which = self._next(sign, d_alpha, d_beta, d_c, c, margins, d_margins)
        if step >= abs(end - self.l1):
            step, what = abs(end - self.l1), "end"
        self.alpha = np.clip(self.alpha + step * d_alpha, 0, 1)
        self.beta, self.b = self.beta + step * d_beta, self.b + step * float(found[-1])
        self.l1 = end if what == "end" else self.l1 + sign * step
        self._change(what, which)
        return step

    def _next(
        self,
        sign: float,
        d_alpha: np.ndarray,
        d_beta: np.ndarray,
        d_c: np.ndarray,
        c: np.ndarray,
        margins: np.ndarray,
        d_margins: np.ndarray,
    ) -> tuple[float, str, int]:
        """Return how far the next knot is, what happens there, and to which row or column."""
        on, off, out = self.on, ~self.on, ~self.active
        kinds = {
            "zero": (on & (d_alpha < -1e-12), self.alpha, -d_alpha),
            "one": (on & (d_alpha > 1e-12), 1 - self.alpha, d_alpha),
            "reached": (off & self.full & (d_margins > 1e-12), -margins, d_margins),
            "fell": (off & ~self.full & (d_margins < -1e-12), margins, -d_margins),
            "left": (self.active & (self.signs * d_beta < -1e-14), self.signs * self.beta, -self.signs * d_beta),
            "above": (out & (d_c - sign > 1e-12), self.l1 - c, d_c - sign),
            "below": (out & (-d_c - sign > 1e-12), self.l1 + c, -d_c - sign),
        }
        best = (np.inf, "end", -1)
        for name, (may, distance, speed) in kinds.items():
            if may.any():
                places = np.flatnonzero(may)
                times = np.maximum(0.0, distance[places]) / speed[places]
                k = int(np.argmin(times))
                if times[k] < best[0]:
                    best = (float(times[k]), name, int(places[k]))
        return best

    def _change(self, what: str, k: int) -> None:
        """Let a row or a column change its set."""
        if what in ("zero", "one"):
            self.on[k], self.full[k] = False, what == "one"
            self.alpha[k] = float(what == "one")
        elif what in ("reached", "fell"):
            self.on[k] = True
        elif what == "left":
            self.active[k], self.beta[k] = False, 0.0
        elif what in ("above", "below"):
            self.active[k], self.signs[k] = True, 1.0 if what == "above" else -1.0

    def _shift(self) -> None:
        """With no row on the margin the intercept is free: move it until the nearest row is there."""
        away = self.y * (1 - self.y * (self.b + self.X @ self.beta))
        k = int(np.argmin(np.abs(away)))
        self.b += float(away[k])
        self.on[k] = True

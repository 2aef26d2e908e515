"""Paths that are solved at a grid of l1, each value from the solution before: the 1-norm and the huberized machine."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.optimize import linprog

from fewer.core.kernels.huberized import huberized_descent
from fewer.methods.embedded._svm_point import SvmPoint, best_intercept, primal

# Coefficients this small, of columns with unit variance, are the rounding of a linear program.
ROUNDING = 1e-9
Solver = Callable[[float, SvmPoint | None], SvmPoint]


def descend(solve: Solver, top: float, least: float, n_points: int, most: int | None) -> list[SvmPoint]:
    """Return solutions at falling l1 until more than ``most`` coefficients are not 0.

    Parameters
    ----------
    solve : callable
        Returns the solution at an l1, given that of a larger one.
    top, least : float
        Where to begin and to end; 0 stands for one more value after a thousandth of the first.
    n_points : int
        Number of values, in equal ratios.
    most : int or None
        Most coefficients. Where one value has fewer and the next has more, values between are tried until the number
        is met, or 20 times; then the next one is kept as well.

    Returns
    -------
    list of SvmPoint
        The last one may have more than ``most`` coefficients.
    """
    grid = np.geomspace(top, least if least > 0 else top / 1000, n_points)
    grid = np.append(grid, 0.0) if least == 0 else np.append(grid[:-1], least)
    points: list[SvmPoint] = []
    for l1 in grid.tolist():
        points.append(solve(l1, points[-1] if points else None))
        if most is not None and _size(points[-1]) > most:
            return _between(solve, points, most)
    return points


def _between(solve: Solver, points: list[SvmPoint], most: int) -> list[SvmPoint]:
    *kept, last = points
    beyond = last
    for _ in range(20):
        if not kept or _size(kept[-1]) == most:
            return [*kept, beyond]
        middle = solve((kept[-1].l1 + beyond.l1) / 2, kept[-1])
        if _size(middle) > most:
            beyond = middle
        else:
            kept.append(middle)
    # So near to where features enter together their coefficients are next to nothing.
    return [*kept, beyond] if beyond is last else [*kept, beyond, last]


def _size(point: SvmPoint) -> int:
    return int((point.beta != 0).sum())


def one_norm_point(X: np.ndarray, y: np.ndarray, l1: float, empty: bool = False) -> SvmPoint:
    """Solve (20.15), the least of ``sum_i [1 - y_i f(x_i)]_+ + l1 |beta|_1``, as a linear program.

    With ``empty`` the solution without coefficients is returned, which is one among others where the first enters.
    Its variables are the positive and the negative parts of the coefficients, the intercept, and how far every row is
    short of margin 1. The dual gap is that of the prices of the rows.
    """
    n, p = X.shape
    signed = y[:, None] * X
    rows = np.hstack([-signed, signed, -y[:, None], -np.eye(n)])
    cost = np.concatenate([np.full(2 * p, l1), [0.0], np.ones(n)])
    found = linprog(cost, rows, -np.ones(n), bounds=[(0, None)] * (2 * p) + [(None, None)] + [(0, None)] * n)
    beta = found.x[:p] - found.x[p : 2 * p]
    beta[empty | (np.abs(beta) <= ROUNDING * max(1.0, np.abs(beta).max(initial=0.0)))] = 0.0
    alpha = np.clip(-found.ineqlin.marginals, 0.0, 1.0)
    intercept = best_intercept(y, X @ beta)
    # Prices scaled into what the dual allows give a bound from below.
    reach = np.abs((alpha * y) @ X).max(initial=0.0)
    bound = alpha.sum() * (1.0 if reach <= l1 or reach == 0 else l1 / reach)
    return SvmPoint(l1, beta, intercept, alpha, primal(X, y, beta, intercept, l1, 0.0) - float(bound))


def separable(X: np.ndarray, y: np.ndarray) -> bool:
    """Return whether a plane has every row of one class on one side and of the other on the other."""
    found = one_norm_point(X, y, 0.0)
    return bool((y * (found.intercept + X @ found.beta) > 0.5).all())


def huberized_loss(margins: np.ndarray, delta: float) -> np.ndarray:
    """Return the huberized hinge: 0 beyond 1, a parabola down to 1 - delta, then a line of slope -1."""
    bent = (1 - margins) ** 2 / (2 * delta)
    return np.where(margins > 1, 0.0, np.where(margins > 1 - delta, bent, 1 - margins - delta / 2))


def huberized_point(
    X: np.ndarray, y: np.ndarray, l1: float, l2: float, delta: float, tol: float, max_iter: int, start: SvmPoint | None
) -> tuple[SvmPoint, int]:
    """Minimise ``sum_i phi(y_i f_i) + l1 |beta|_1 + l2 / 2 |beta|^2``; return the solution and the number of sweeps.

    Coordinate descent finds which columns are active and on which piece of the loss every row is; then the linear
    equations of these sets give the solution, as soon as the sets are right. The dual is ``sum_i (alpha_i -
    delta alpha_i^2 / 2) - sum_j (|c_j| - l1)_+^2 / (2 l2)`` with the same bounds as that of the hinge.
    """
    columns, done = np.ascontiguousarray(X.T), 0
    beta = np.zeros(X.shape[1]) if start is None else start.beta.copy()
    intercept, fine = 0.0 if start is None else start.intercept, 1e-8
    while True:
        intercept, sweeps = huberized_descent(columns, y, l1, l2, delta, beta, intercept, fine, max_iter - done)
        done, fine = done + sweeps, fine / 100
        point = _huberized_gap(X, y, l1, l2, delta, beta, intercept)
        exact = _solved(X, y, l2, delta, point)
        if exact is not None and exact.gap <= min(tol, max(point.gap, 1e-11)):
            return exact, done
        if done >= max_iter or (fine < 1e-22 and point.gap <= tol) or fine < 1e-30:
            return point, done


def _solved(X: np.ndarray, y: np.ndarray, l2: float, delta: float, point: SvmPoint) -> SvmPoint | None:
    """Return what the equations of the sets of a point give, None if the sets are wrong."""
    margins, c = y * (point.intercept + X @ point.beta), (point.alpha * y) @ X
    active = (point.beta != 0) | (np.abs(c) >= point.l1 * (1 - 1e-7))
    bent, signs = (margins > 1 - delta) & (margins <= 1), np.where(point.beta != 0, np.sign(point.beta), np.sign(c))
    if not bent.any():
        return None
    # Rows on the parabola pull by (1 - y f) / delta, rows on the line by 1.
    part = np.column_stack([X[np.ix_(bent, active)], np.ones(bent.sum())])
    line = margins <= 1 - delta
    matrix = part.T @ part / delta + np.diag(np.append(np.full(active.sum(), l2), 0.0))
    right = part.T @ y[bent] / delta + np.append(y[line] @ X[np.ix_(line, active)], y[line].sum())
    right[:-1] -= point.l1 * signs[active]
    found = np.linalg.lstsq(matrix, right, rcond=1e-14)[0]
    beta = np.zeros(len(signs))
    # What is left of a column that just enters is rounding.
    beta[active] = np.where(found[:-1] * signs[active] > ROUNDING, found[:-1], 0.0)
    return _huberized_gap(X, y, point.l1, l2, delta, beta, float(found[-1]))


def _huberized_gap(
    X: np.ndarray, y: np.ndarray, l1: float, l2: float, delta: float, beta: np.ndarray, intercept: float
) -> SvmPoint:
    margins = y * (intercept + X @ beta)
    value = huberized_loss(margins, delta).sum() + l1 * np.abs(beta).sum() + l2 / 2 * beta @ beta
    alpha = np.clip((1 - margins) / delta, 0.0, 1.0)
    up, down = alpha[y > 0].sum(), alpha[y < 0].sum()
    if min(up, down) > 0:
        alpha = np.where(y > 0, alpha * min(1.0, down / up), alpha * min(1.0, up / down))
    over = np.maximum(0.0, np.abs((alpha * y) @ X) - l1)
    bound = (alpha - delta / 2 * alpha**2).sum() - over @ over / (2 * l2)
    return SvmPoint(l1, beta.copy(), intercept, alpha, float(value - bound))


def huberized_top(X: np.ndarray, y: np.ndarray, delta: float) -> float:
    """Return the l1 from which on all coefficients are 0: the largest slope where only the intercept is fitted."""
    intercept, _ = huberized_descent(np.zeros((1, len(y))), y, 1.0, 1.0, delta, np.zeros(1), 0.0, 1e-30, 100_000)
    alpha = np.clip((1 - y * intercept) / delta, 0.0, 1.0)
    slope = float(np.abs((alpha * y) @ X).max(initial=0.0))
    # What rounding leaves of terms that cancel is no slope, whatever the processor makes of it.
    return slope if slope > 1e-13 * float((alpha @ np.abs(X)).max(initial=0.0)) else 0.0

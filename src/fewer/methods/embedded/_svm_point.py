"""One point of the doubly regularized support vector machine: an interior-point method, and how far it is from exact.

The problem is (20.16) of Zou and Hastie: the least of ``sum_i [1 - y_i f(x_i)]_+ + l2 |beta|^2 + l1 |beta|_1`` over
``beta`` and the intercept of ``f(x) = beta_0 + x beta``. Its dual is the largest of ``sum_i alpha_i -
sum_j (|c_j| - l1)_+^2 / (4 l2)`` with ``c_j = sum_i alpha_i y_i x_ij``, ``0 <= alpha_i <= 1`` and
``sum_i alpha_i y_i = 0``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.linalg

# Steps stop short of the border of what is allowed.
SHORT = 0.9995
# Steps in a row without a smaller gap: the first ones of many columns, or the last ones, when rounding is reached.
PATIENCE = 15


@dataclass(frozen=True, eq=False)
class SvmPoint:
    """A solution for one pair of penalties: ``alpha`` is that of the dual, ``gap`` how far primal and dual differ."""

    l1: float
    beta: np.ndarray
    intercept: float
    alpha: np.ndarray
    gap: float


def primal(X: np.ndarray, y: np.ndarray, beta: np.ndarray, intercept: float, l1: float, l2: float) -> float:
    """Return the value of (20.16)."""
    hinge = np.maximum(0.0, 1.0 - y * (intercept + X @ beta)).sum()
    return float(hinge + l2 * beta @ beta + l1 * np.abs(beta).sum())


def dual(X: np.ndarray, y: np.ndarray, alpha: np.ndarray, l1: float, l2: float) -> float:
    """Return the value of the dual."""
    over = np.maximum(0.0, np.abs((alpha * y) @ X) - l1)
    return float(alpha.sum() - over @ over / (4 * l2))


def best_intercept(y: np.ndarray, products: np.ndarray) -> float:
    """Return the middle of the intercepts with the least hinge loss, given ``x_i beta`` of every row.

    The loss is piecewise linear with corners at ``y_i - x_i beta``; its slope there rises by one per row.
    """
    corners = np.sort(y - products)
    # Below all corners every row of class 1 pulls up; the slope is minus their number.
    up = int((y > 0).sum())
    return 0.5 * float(corners[up - 1] + corners[up])


def point_of(
    X: np.ndarray, y: np.ndarray, l1: float, l2: float, beta: np.ndarray, intercept: float, alpha: np.ndarray
) -> SvmPoint:
    """Return a point with its dual gap, the intercept replaced by the best one if that is better."""
    values = [(primal(X, y, beta, b, l1, l2), b) for b in (intercept, best_intercept(y, X @ beta))]
    value, b = values[0] if values[0][0] <= values[1][0] else values[1]
    return SvmPoint(l1, beta, b, alpha, value - dual(X, y, alpha, l1, l2))


def solve_point(X: np.ndarray, y: np.ndarray, l1: float, l2: float, tol: float = 1e-9, max_iter: int = 100) -> SvmPoint:
    """Solve (20.16) by Mehrotra's predictor and corrector.

    Parameters
    ----------
    X : ndarray of shape (n, p)
        Centred columns.
    y : ndarray of shape (n,)
        Classes -1 and 1, both present.
    l1, l2 : float
        Penalties; l2 above 0.
    tol : float, default=1e-9
        The gap, relative to 1 + the value, at which to stop.
    max_iter : int, default=100
        Most steps.

    Returns
    -------
    SvmPoint
        The point with the smallest gap that was met.
    """
    state, best = _Interior(X, y, l1, l2), None
    for _ in range(max_iter):
        found = point_of(X, y, l1, l2, state.beta, state.b, _balanced(state.alpha, y))
        if best is None or found.gap < best.gap:
            best, waited = found, 0
        else:
            waited += 1
        if best.gap <= tol * (1 + abs(primal(X, y, best.beta, best.intercept, l1, l2))) or waited > PATIENCE:
            break
        try:
            # At the very end products of 0 and infinity can arise; the best point stands.
            with np.errstate(all="ignore"):
                state.step()
        except (scipy.linalg.LinAlgError, ValueError):
            break
    assert best is not None
    return best


def _balanced(alpha: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return alpha with equal sums in both classes, the larger one shrunk."""
    up, down = alpha[y > 0].sum(), alpha[y < 0].sum()
    least = min(up, down)
    return np.where(y > 0, alpha * (least / up), alpha * (least / down))


class _Interior:
    """Iterates of the interior-point method; ``beta = u - v``, and all other letters are positive.

    ``r`` and ``xi`` are how far a row is beyond and short of margin 1; ``su`` and ``sv`` the slacks of ``u`` and ``v``.
    """

    def __init__(self, X: np.ndarray, y: np.ndarray, l1: float, l2: float) -> None:
        self.X, self.y, self.l1, self.l2 = X, y, l1, l2
        n, p = X.shape
        few = min((y > 0).sum(), (y < 0).sum())
        self.alpha = 0.5 * np.where(y > 0, few / (y > 0).sum(), few / (y < 0).sum())
        self.b = 0.0
        self.xi, self.r = np.full(n, 1.0), np.full(n, 1.0)
        c = np.abs(X.T @ (y * self.alpha)).max(initial=0.0)
        size = 1.0 / max(1.0, c)
        # With l1 = 0 there is nothing to split: u holds beta itself.
        self.u: np.ndarray = np.zeros(p) if l1 == 0 else np.full(p, size)
        self.v: np.ndarray = self.u.copy()
        self.su, self.sv = np.full(p, l1 + c), np.full(p, l1 + c)

    @property
    def beta(self) -> np.ndarray:
        return self.u - self.v

    def step(self) -> None:
        """Predict without centring, choose the centring by how far that got, then correct."""
        X, y, beta = self.X, self.y, self.beta
        c = X.T @ (y * self.alpha)
        eta = 1 - self.alpha
        w = self.u / self.su + self.v / self.sv if self.l1 > 0 else np.zeros(len(c))
        d = w / (1 + 2 * self.l2 * w) if self.l1 > 0 else np.full(len(c), 0.5 / self.l2)
        t = self.xi / eta + self.r / self.alpha
        solve = _bordered(X, d, t)
        left = {
            "rows": 1 - (y * (self.b + X @ beta) + self.xi - self.r),
            "sum": -(y @ self.alpha),
            "u": self.su - (self.l1 + 2 * self.l2 * beta - c),
            "v": self.sv - (self.l1 - 2 * self.l2 * beta + c),
            "c": c / (2 * self.l2) - beta if self.l1 == 0 else c,
        }
        zero = {"xi": 0.0, "r": 0.0, "u": 0.0, "v": 0.0}
        first = self._direction(solve, left, w, 0.0, zero)
        mu, ahead = self._mu(), self._mu(first, min(1.0, self._length(first)))
        centre = (ahead / mu) ** 3 * mu if mu > 0 else 0.0
        second = {
            "xi": -first["alpha"] * first["xi"],
            "r": first["alpha"] * first["r"],
            "u": first["u"] * first["su"],
            "v": first["v"] * first["sv"],
        }
        move = self._direction(solve, left, w, centre, second)
        along = min(1.0, SHORT * self._length(move))
        for name in ("xi", "r", "u", "v", "su", "sv", "alpha"):
            setattr(self, name, getattr(self, name) + along * move[name])
        self.b += along * move["b"]

    def _direction(self, solve: Any, left: Any, w: np.ndarray, centre: float, second: Any) -> dict[str, Any]:
        """Return the Newton step towards complementary products of ``centre``."""
        X, y, l2 = self.X, self.y, self.l2
        eta = 1 - self.alpha
        k_xi = centre - self.xi * eta - second["xi"]
        k_r = centre - self.r * self.alpha - second["r"]
        if self.l1 > 0:
            k_u = centre - self.u * self.su - second["u"]
            k_v = centre - self.v * self.sv - second["v"]
            q = (k_u + self.u * left["u"]) / self.su - (k_v + self.v * left["v"]) / self.sv
            q, d = q / (1 + 2 * l2 * w), w / (1 + 2 * l2 * w)
        else:
            q, d = left["c"], np.full(len(w), 0.5 / l2)
        a, b = solve(y * (left["rows"] - k_xi / eta + k_r / self.alpha) - X @ q, left["sum"])
        alpha, g = y * a, X.T @ a
        beta = q + d * g
        move = {"alpha": alpha, "b": b, "xi": (k_xi + self.xi * alpha) / eta, "r": (k_r - self.r * alpha) / self.alpha}
        if self.l1 == 0:
            none = np.zeros(len(g))
            return move | {"u": beta, "v": none, "su": none, "sv": none}
        su, sv = -left["u"] + 2 * l2 * beta - g, -left["v"] - 2 * l2 * beta + g
        return move | {"su": su, "sv": sv, "u": (k_u - self.u * su) / self.su, "v": (k_v - self.v * sv) / self.sv}

    def _mu(self, move: Any = None, along: float = 0.0) -> float:
        """Return the mean complementary product, after a step if one is given."""
        names = ("xi", "r", "u", "v", "su", "sv", "alpha")
        at = {name: getattr(self, name) + (0.0 if move is None else along * move[name]) for name in names}
        sums, count = at["xi"] @ (1 - at["alpha"]) + at["r"] @ at["alpha"], 2 * len(at["xi"])
        if self.l1 > 0:
            sums, count = sums + at["u"] @ at["su"] + at["v"] @ at["sv"], count + 2 * len(at["u"])
        return float(sums / count)

    def _length(self, move: Any) -> float:
        """Return how far all letters can go before one is 0: one length, since l2 ties primal and dual together."""
        names = ("xi", "r", "alpha", *(("u", "v", "su", "sv") if self.l1 > 0 else ()))
        pairs = [(getattr(self, name), move[name]) for name in names] + [(1 - self.alpha, -move["alpha"])]
        ratios = (float((at[by < 0] / -by[by < 0]).min()) for at, by in pairs if (by < 0).any())
        return min(ratios, default=float("inf"))


def _bordered(X: np.ndarray, d: np.ndarray, t: np.ndarray) -> Any:
    """Return a solver of ``(X diag(d) X' + diag(t)) a + b = h``, ``sum(a) = s`` for ``(a, b)``.

    Of rows and columns the fewer make the matrix that is factored.
    """
    n, p = X.shape
    half = X * np.sqrt(d)
    if n <= p:
        matrix = half @ half.T
        matrix[np.diag_indices(n)] += t
        factor = scipy.linalg.cho_factor(matrix)

        def inverse(h: np.ndarray) -> np.ndarray:
            return scipy.linalg.cho_solve(factor, h)
    else:
        scaled = half / t[:, None]
        matrix = half.T @ scaled
        matrix[np.diag_indices(p)] += 1.0
        factor = scipy.linalg.cho_factor(matrix)

        def inverse(h: np.ndarray) -> np.ndarray:
            return h / t - scaled @ scipy.linalg.cho_solve(factor, half.T @ (h / t))

    def refined(h: np.ndarray) -> np.ndarray:
        a = inverse(h)
        return a + inverse(h - (half @ (half.T @ a) + t * a))

    ones = refined(np.ones(n))

    def solve(h: np.ndarray, s: float) -> tuple[np.ndarray, float]:
        a = refined(h)
        b = float((a.sum() - s) / ones.sum())
        return a - b * ones, b

    return solve

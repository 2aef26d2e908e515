"""The bound R²W² of a support vector machine as a function of the scales of its features, and its descent."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from fewer.core.kernels.svm_dual import solve
from fewer.methods.embedded._svm_grams import GRAMS

# How well the two dual problems are solved, and in how many steps at most.
GAP, STEPS = 1e-9, 100_000
# The part of the fall that the slope promises which a step must reach, and how often it is halved at most.
ENOUGH, HALVINGS = 1e-4, 30


@dataclass
class Bound:
    """R²W² of rows in classes -1 and 1 under scales of the features (eq. 6 of Weston et al.).

    The margin is that of the kernel K + I / C, with which all rows can be separated; R is the radius of the smallest
    sphere around all rows in the space of that kernel. Both duals start from their last solution.

    Attributes
    ----------
    X, y : ndarray
        Rows and their signs.
    kernel, gamma, coef0, degree, C
        As of the method.
    gap : float
        The largest miss of optimality so far, in units of the largest cost.
    """

    X: np.ndarray
    y: np.ndarray
    kernel: str
    gamma: float
    coef0: float
    degree: int
    C: float
    gap: float = 0.0
    alpha: np.ndarray = field(init=False)
    mu: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        n = len(self.y)
        self.alpha, self.mu = np.zeros(n), np.full(n, 1.0 / n)

    def value(self, scales: np.ndarray) -> tuple[float, np.ndarray]:
        """Return log R²W² and its derivative by the logarithm of every scale.

        Both duals are optimal, so that only the kernel changes with a scale: ∂W² = -Σ α α y y ∂K and
        ∂R² = Σ μ ∂K_kk - Σ μ μ ∂K.
        """
        gram = GRAMS[self.kernel](self.X * scales, self.gamma, self.coef0, self.degree)
        K = gram.matrix + np.eye(len(self.y)) / self.C
        weights, norm = self._margin(K)
        radius = self._radius(K)
        slope = (gram.diagonal_slopes(self.mu) - gram.slopes(self.mu)) / radius - gram.slopes(weights) / norm
        return float(np.log(radius) + np.log(norm)), slope

    def _solved(self, K: np.ndarray, signs: np.ndarray, cost: np.ndarray, a: np.ndarray) -> None:
        free = np.full(len(a), np.inf)
        unit = max(1.0, float(np.abs(cost).max()))
        gap, _ = solve(K, np.arange(len(a)), signs, cost, free, a, GAP * unit, STEPS)
        self.gap = max(self.gap, gap / unit)

    def _margin(self, K: np.ndarray) -> tuple[np.ndarray, float]:
        self._solved(K, self.y, -self.y, self.alpha)
        weights = self.y * self.alpha
        return weights, float(2.0 * self.alpha.sum() - weights @ K @ weights)

    def _radius(self, K: np.ndarray) -> float:
        diagonal = K.diagonal().copy()
        self._solved(K, np.ones(len(diagonal)), -0.5 * diagonal, self.mu)
        return float(self.mu @ diagonal - self.mu @ K @ self.mu)

    def without(self, stays: np.ndarray) -> None:
        """Leave features out."""
        self.X = np.ascontiguousarray(self.X[:, stays])


def descend(bound: Bound, scales: np.ndarray, tol: float, max_iter: int) -> tuple[np.ndarray, list[float]]:
    """Return scales, all positive and with a mean of 1, with a small bound, and log R²W² after every step.

    Scales are multiplied by exp(-step times slope), as much as the bound falls: a step on their logarithms, in which
    they stay positive and keep an order however small they are.
    """
    d = len(scales)
    scales = scales * (d / scales.sum())
    value, slope = bound.value(scales)
    values, length = [value], 1.0
    for _ in range(max_iter):
        # With the mean held, growth of one scale shrinks all others.
        direction = scales / d * slope.sum() - slope
        steep = float(direction @ direction)
        largest = float(np.abs(direction).max())
        if largest < 1e-10:
            break
        length = min(2.0 * length, 2.0 / largest)
        for _ in range(HALVINGS):
            trial = np.log(scales) + length * direction
            trial = np.exp(np.maximum(trial - trial.max(), -300.0))
            trial *= d / trial.sum()
            new, new_slope = bound.value(trial)
            if new <= value - ENOUGH * length * steep:
                break
            length *= 0.5
        else:
            break
        fall, scales, value, slope = value - new, trial, new, new_slope
        values.append(value)
        if fall < tol:
            break
    return scales, values

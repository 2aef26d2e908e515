"""Winnow: multiplicative weights that rows change one after another."""

from __future__ import annotations

from math import exp

import numpy as np

from fewer.core.kernels._jit import kernel

# What `facts` holds: sum of all weights, steps made, mistakes, rows seen, largest sum since it was last taken.
TOTAL, STEPS, MISTAKES, SEEN, PEAK = range(5)
# The sum of the weights is taken again after so many steps, before rounding adds up, and when it has fallen so far.
RENEWED, FALLEN = 256, 1e-3
# Products of weights stay finite between these.
LEAST, MOST = 1e-150, 1e150
# Below this fraction of what it sums, a value is rounding, and 0: weights that rose and fell again are seldom exact.
ROUNDING = 1e-13


@kernel
def _sum(up: np.ndarray, down: np.ndarray) -> float:
    """Return the sum of all weights."""
    total = 0.0
    for j in range(up.shape[0]):
        total += up[j]
    for j in range(down.shape[0]):
        total += down[j]
    return total


@kernel
def _times(weight: float, factor: float) -> float:
    """Return a weight times a factor, between the bounds."""
    return min(max(weight * factor, LEAST), MOST)


@kernel
def _follow(facts: np.ndarray, change: float, up: np.ndarray, down: np.ndarray) -> None:
    """Count a step, and move the sum of the weights with it."""
    before, taken = facts[TOTAL], False
    total = before + change
    if facts[STEPS] % RENEWED == RENEWED - 1 or total < FALLEN * max(before, facts[PEAK]):
        total, taken = _sum(up, down), True
    facts[STEPS] += 1
    facts[TOTAL], facts[PEAK] = total, total if taken else max(before, total, facts[PEAK])


@kernel
def winnow_rows(
    data: np.ndarray,
    indices: np.ndarray,
    indptr: np.ndarray,
    signs: np.ndarray,
    rate: float,
    threshold: float,
    margin: float,
    normalize: bool,
    up: np.ndarray,
    down: np.ndarray,
    facts: np.ndarray,
) -> None:
    """Show rows (CSR) to a Winnow, in their order; ``down`` is empty for the plain one, which has a threshold.

    A balanced one has one more weight in ``up`` and ``down``, of a feature that is 1 in every row. A step is made where
    the row is on the wrong side, or on the right one by no more than ``margin``.
    """
    balanced, bias = down.shape[0] > 0, up.shape[0] - 1
    facts[TOTAL] = _sum(up, down) if facts[STEPS] == 0 else facts[TOTAL]
    for i in range(signs.shape[0]):
        value, size = (up[bias] - down[bias], up[bias] + down[bias]) if balanced else (0.0, 0.0)
        for at in range(indptr[i], indptr[i + 1]):
            j = indices[at]
            value += (up[j] - down[j] if balanced else up[j]) * data[at]
            size += (up[j] + down[j] if balanced else up[j]) * abs(data[at])
        sign, unit = signs[i], 1.0 / facts[TOTAL] if normalize else 1.0
        value, rounding = value * unit - threshold, ROUNDING * (size * unit + threshold)
        if abs(value) <= rounding:
            value = 0.0
        wrong = (value > 0) != (sign > 0)
        facts[SEEN] += 1
        facts[MISTAKES] += wrong
        if not wrong and (margin <= 0 or value * sign > margin + rounding):
            continue
        change = 0.0
        for at in range(indptr[i], indptr[i + 1] + balanced):
            j, x = (bias, 1.0) if at == indptr[i + 1] else (indices[at], data[at])
            factor = exp(rate * sign * x)
            before = up[j]
            up[j] = _times(before, factor)
            change += up[j] - before
            if balanced:
                before = down[j]
                down[j] = _times(before, 1.0 / factor)
                change += down[j] - before
        _follow(facts, change, up, down)


@kernel
def winnow_glm_rows(
    data: np.ndarray,
    indices: np.ndarray,
    indptr: np.ndarray,
    signs: np.ndarray,
    rate: float,
    margin: float,
    normalize: bool,
    weights: np.ndarray,
    theta: np.ndarray,
    facts: np.ndarray,
) -> None:
    """Show rows (CSR) to a logistic model of theta' (w * x), in their order; the last theta is the intercept.

    Weights move where a row is on the wrong side, in the direction in which theta makes them right; theta follows the
    gradient of the likelihood of every row.
    """
    n = weights.shape[0]
    facts[TOTAL] = _sum(weights, weights[:0]) if facts[STEPS] == 0 else facts[TOTAL]
    for i in range(signs.shape[0]):
        unit = n / facts[TOTAL] if normalize else 1.0
        value, sign = theta[n], signs[i]
        for at in range(indptr[i], indptr[i + 1]):
            value += theta[indices[at]] * weights[indices[at]] * unit * data[at]
        wrong = (value > 0) != (sign > 0)
        facts[SEEN] += 1
        facts[MISTAKES] += wrong
        if wrong or (margin > 0 and value * sign <= margin):
            change = 0.0
            for at in range(indptr[i], indptr[i + 1]):
                j = indices[at]
                before = weights[j]
                weights[j] = _times(before, exp(rate * sign * data[at] * np.sign(theta[j])))
                change += weights[j] - before
            _follow(facts, change, weights, weights[:0])
            unit = n / facts[TOTAL] if normalize else 1.0
        # (t - p) of t in {0, 1} is sign / (1 + exp(sign * value)).
        left = rate * sign / (1.0 + exp(min(sign * value, 700.0)))
        for at in range(indptr[i], indptr[i + 1]):
            j = indices[at]
            theta[j] = min(max(theta[j] + left * weights[j] * unit * data[at], -MOST), MOST)
        theta[n] = min(max(theta[n] + left, -MOST), MOST)

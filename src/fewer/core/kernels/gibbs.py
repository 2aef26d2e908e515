"""Gibbs sweeps through models with a spike at zero: one feature after another, in or out, given all others."""

from __future__ import annotations

from math import exp, log, sqrt

import numpy as np

from fewer.core.kernels._jit import kernel
from fewer.core.kernels.latent import LINEAR, LOGISTIC, draw_intercept, draw_latent, likelihood

# Residuals are taken again after so many sweeps, before rounding adds up.
RENEWED = 64


@kernel
def _log_odds(r: float, precision: float, slab: float, odds: float) -> float:
    """Return the log odds that a feature is in, its coefficient integrated out, given all others."""
    return odds - 0.5 * log(slab * precision) + 0.5 * r * r / precision


@kernel
def _chance(x: float) -> float:
    """Return the probability that belongs to log odds."""
    return 1.0 / (1.0 + exp(-x)) if x > -700.0 else 0.0


@kernel
def _drawn_pair(inside: np.ndarray, size: int, rng: np.random.Generator) -> tuple[int, int]:
    """Return a feature that is in and one that is out, at random; there are both."""
    pair, wanted = [0, 0], (int(rng.random() * size), int(rng.random() * (inside.shape[0] - size)))
    seen = [0, 0]
    for j in range(inside.shape[0]):
        side = 0 if inside[j] else 1
        if seen[side] == wanted[side]:
            pair[side] = j
        seen[side] += 1
    return pair[0], pair[1]


@kernel
def _record(
    done: int,
    now: tuple,
    beta: np.ndarray,
    inside: np.ndarray,
    chance: np.ndarray,
    hits: np.ndarray,
    sums: np.ndarray,
    course: np.ndarray,
    draws: np.ndarray,
) -> None:
    """Add a sweep to the sums (hits by batches; chances, coefficients, their squares), the course and the draws.

    ``now`` is the number of features that are in, what is followed beside it, the intercept, and the noise variance.
    """
    n_sweeps, n_draws = course.shape[0], draws.shape[0]
    batch = done * hits.shape[0] // n_sweeps
    for j in range(beta.shape[0]):
        hits[batch, j] += inside[j]
        sums[0, j] += chance[j]
        sums[1, j] += beta[j]
        sums[2, j] += beta[j] * beta[j]
    course[done, 0], course[done, 1] = now[0], now[1]
    at = (done + 1) * n_draws // n_sweeps - 1
    if at >= done * n_draws // n_sweeps:
        draws[at, 0], draws[at, 1] = now[2], now[3]
        draws[at, 2:] = beta


@kernel
def _swap_gram(
    gram: np.ndarray,
    slab: float,
    odds: np.ndarray,
    variance: float,
    size: int,
    rng: np.random.Generator,
    beta: np.ndarray,
    inside: np.ndarray,
    left: np.ndarray,
) -> None:
    """Let a feature take the place of another, so that chains cross between features that stand for each other."""
    i, j = _drawn_pair(inside, size, rng)
    noise, a, b = sqrt(variance), gram[i, i] + 1.0 / slab, gram[j, j] + 1.0 / slab
    r, s = left[i] + gram[i, i] * beta[i], left[j] + gram[i, j] * beta[i]
    gain = _log_odds(s / noise, b, slab, odds[j]) - _log_odds(r / noise, a, slab, odds[i])
    if rng.random() < exp(min(gain, 0.0)):
        value = s / b + rng.standard_normal() * noise / sqrt(b)
        for k in range(beta.shape[0]):
            left[k] += beta[i] * gram[i, k] - value * gram[j, k]
        beta[i], beta[j], inside[i], inside[j] = 0.0, value, 0, 1


@kernel
def gibbs_gram(
    gram: np.ndarray,
    products: np.ndarray,
    square: float,
    n_rows: int,
    slab: float,
    odds: np.ndarray,
    size_odds: np.ndarray,
    burn_in: int,
    n_sweeps: int,
    rng: np.random.Generator,
    order: np.ndarray,
    beta: np.ndarray,
    inside: np.ndarray,
    hits: np.ndarray,
    sums: np.ndarray,
    course: np.ndarray,
    draws: np.ndarray,
) -> None:
    """Sample a linear model by the products of its centred columns with each other and with the target.

    ``odds`` are prior log odds by feature, ``size_odds`` those added for the number of other features that are in.
    Each chain has its own ``order`` of features, so that of two that stand for each other not all take the same one.
    ``hits`` (batches, features), ``sums``, ``course`` (sweeps: size and noise variance) and ``draws`` (intercept, noise
    variance, coefficients) are filled.
    """
    p = beta.shape[0]
    left, chance = np.empty(p), np.empty(p)
    variance, size = square / n_rows, int(inside.sum())
    for sweep in range(burn_in + n_sweeps):
        if sweep % RENEWED == 0:
            left[:] = products
            for j in range(p):
                if beta[j] != 0.0:
                    for k in range(p):
                        left[k] -= beta[j] * gram[j, k]
        for j in order:
            size -= inside[j]
            r, precision = left[j] + gram[j, j] * beta[j], gram[j, j] + 1.0 / slab
            chance[j] = _chance(_log_odds(r / sqrt(variance), precision, slab, odds[j] + size_odds[size]))
            inside[j] = rng.random() < chance[j]
            size += inside[j]
            value = r / precision + rng.standard_normal() * sqrt(variance / precision) if inside[j] else 0.0
            moved = value - beta[j]
            if moved != 0.0:
                for k in range(p):
                    left[k] -= moved * gram[j, k]
                beta[j] = value
        if 0 < size < p:
            _swap_gram(gram, slab, odds, variance, size, rng, beta, inside, left)
        error, length = square, 0.0
        for j in range(p):
            error -= beta[j] * (products[j] + left[j])
            length += beta[j] * beta[j]
        scale = 0.5 * (max(error, 1e-12 * square) + length / slab)
        variance = scale / rng.standard_gamma(0.5 * (n_rows - 1 + size))
        if sweep >= burn_in:
            now = (size, variance, rng.standard_normal() * sqrt(variance / n_rows), variance)
            _record(sweep - burn_in, now, beta, inside, chance, hits, sums, course, draws)


@kernel
def _dots(column: np.ndarray, omega: np.ndarray, error: np.ndarray, weighted: bool) -> tuple[float, float]:
    """Return sums of squares of a column and of its products with errors, in an order that no processor changes."""
    a0, a1, a2, a3, b0, b1, b2, b3 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    n = column.shape[0]
    whole = n - n % 4
    for i in range(0, whole, 4):
        x0, x1, x2, x3 = column[i], column[i + 1], column[i + 2], column[i + 3]
        if weighted:
            x0, x1, x2, x3 = x0 * omega[i], x1 * omega[i + 1], x2 * omega[i + 2], x3 * omega[i + 3]
        a0, a1, b0, b1 = a0 + x0 * column[i], a1 + x1 * column[i + 1], b0 + x0 * error[i], b1 + x1 * error[i + 1]
        a2, a3 = a2 + x2 * column[i + 2], a3 + x3 * column[i + 3]
        b2, b3 = b2 + x2 * error[i + 2], b3 + x3 * error[i + 3]
    for i in range(whole, n):
        x = column[i] * omega[i] if weighted else column[i]
        a0, b0 = a0 + x * column[i], b0 + x * error[i]
    return (a0 + a1) + (a2 + a3), (b0 + b1) + (b2 + b3)


@kernel
def _swap_rows(
    columns: np.ndarray,
    slab: float,
    odds: np.ndarray,
    variance: float,
    size: int,
    rng: np.random.Generator,
    beta: np.ndarray,
    inside: np.ndarray,
    fitted: np.ndarray,
    error: np.ndarray,
    omega: np.ndarray,
    weighted: bool,
) -> None:
    """Let a feature take the place of another, as `_swap_gram` does."""
    i, j = _drawn_pair(inside, size, rng)
    noise, before = sqrt(variance), beta[i]
    error += before * columns[i]
    a, r = _dots(columns[i], omega, error, weighted)
    b, s = _dots(columns[j], omega, error, weighted)
    a, b = a + 1.0 / slab, b + 1.0 / slab
    gain = _log_odds(s / noise, b, slab, odds[j]) - _log_odds(r / noise, a, slab, odds[i])
    if rng.random() < exp(min(gain, 0.0)):
        value = s / b + rng.standard_normal() * noise / sqrt(b)
        beta[i], beta[j], inside[i], inside[j] = 0.0, value, 0, 1
        fitted += value * columns[j] - before * columns[i]
        error -= value * columns[j]
    else:
        error -= before * columns[i]


@kernel
def gibbs_rows(
    columns: np.ndarray,
    y: np.ndarray,
    model: int,
    slab: float,
    odds: np.ndarray,
    size_odds: np.ndarray,
    burn_in: int,
    n_sweeps: int,
    rng: np.random.Generator,
    order: np.ndarray,
    beta: np.ndarray,
    inside: np.ndarray,
    hits: np.ndarray,
    sums: np.ndarray,
    course: np.ndarray,
    draws: np.ndarray,
) -> None:
    """Sample a linear, probit or logistic model by its rows; see `gibbs_gram` for the rest.

    ``columns`` (features, rows) are centred; ``y`` is centred, or 0 and 1. The second column of ``course`` is the noise
    variance, or of classes the log likelihood of the rows.
    """
    p, n = beta.shape[0], y.shape[0]
    fitted, error, omega, chance = np.zeros(n), np.empty(n), np.ones(n), np.empty(p)
    variance, intercept, size = 1.0, 0.0, int(inside.sum())
    square = (y * y).sum()
    if model == LINEAR:
        variance = square / n
    for sweep in range(burn_in + n_sweeps):
        if sweep % RENEWED == 0:
            fitted[:] = intercept
            for j in range(p):
                if beta[j] != 0.0:
                    for i in range(n):
                        fitted[i] += beta[j] * columns[j, i]
            error[:] = y - fitted
        if model != LINEAR:
            draw_latent(model, y, fitted, omega, error, rng)
            intercept = draw_intercept(intercept, fitted, omega, error, rng)
        for j in order:
            size -= inside[j]
            a, b = _dots(columns[j], omega, error, model == LOGISTIC)
            r, precision = b + a * beta[j], a + 1.0 / slab
            chance[j] = _chance(_log_odds(r / sqrt(variance), precision, slab, odds[j] + size_odds[size]))
            inside[j] = rng.random() < chance[j]
            size += inside[j]
            value = r / precision + rng.standard_normal() * sqrt(variance / precision) if inside[j] else 0.0
            moved = value - beta[j]
            if moved != 0.0:
                for i in range(n):
                    fitted[i] += moved * columns[j, i]
                    error[i] -= moved * columns[j, i]
                beta[j] = value
        if 0 < size < p:
            _swap_rows(columns, slab, odds, variance, size, rng, beta, inside, fitted, error, omega, model == LOGISTIC)
        if model == LINEAR:
            scale = 0.5 * (max((error * error).sum(), 1e-12 * square) + (beta * beta).sum() / slab)
            variance = scale / rng.standard_gamma(0.5 * (n - 1 + size))
        if sweep >= burn_in:
            if model == LINEAR:
                now = (size, variance, rng.standard_normal() * sqrt(variance / n), variance)
            else:
                now = (size, likelihood(model, y, fitted), intercept, variance)
            _record(sweep - burn_in, now, beta, inside, chance, hits, sums, course, draws)

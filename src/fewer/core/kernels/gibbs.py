"""Gibbs sweeps through models with a spike at zero: one feature after another, in or out, given all others."""

from __future__ import annotations

from math import erfc, exp, log, pi, sqrt

import numpy as np

from fewer.core.kernels._jit import kernel

LINEAR, PROBIT, LOGISTIC = range(3)
# Residuals are taken again after so many sweeps, before rounding adds up.
RENEWED = 64
# Prior variance of the intercept of a model of classes.
WIDE = 100.0
# Where the two bounds of the density of Polya-Gamma numbers meet.
MEETING = 0.64


@kernel
def _chance(r: float, precision: float, slab: float, odds: float) -> float:
    """Return the probability that a feature is in, its coefficient integrated out, given all others."""
    x = odds - 0.5 * log(slab * precision) + 0.5 * r * r / precision
    return 1.0 / (1.0 + exp(-x)) if x > -700.0 else 0.0


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
            chance[j] = _chance(r / sqrt(variance), precision, slab, odds[j] + size_odds[size])
            inside[j] = rng.random() < chance[j]
            size += inside[j]
            value = r / precision + rng.standard_normal() * sqrt(variance / precision) if inside[j] else 0.0
            moved = value - beta[j]
            if moved != 0.0:
                for k in range(p):
                    left[k] -= moved * gram[j, k]
                beta[j] = value
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
def _above(low: float, rng: np.random.Generator) -> float:
    """Return a standard normal number above a bound, by rejection (Robert 1995)."""
    if low < 0.45:
        while True:
            x = rng.standard_normal()
            if x > low:
                return x
    rate = 0.5 * (low + sqrt(low * low + 4.0))
    while True:
        x = low + rng.standard_exponential() / rate
        if rng.random() <= exp(-0.5 * (x - rate) ** 2):
            return x


@kernel
def _term(n: int, x: float) -> float:
    """Return a term of the alternating series of the density, by the bound that holds at x."""
    k = n + 0.5
    if x > MEETING:
        return pi * k * exp(-0.5 * k * k * pi * pi * x)
    return pi * k * (2.0 / (pi * x)) ** 1.5 * exp(-2.0 * k * k / x)


@kernel
def _inverse_gauss(z: float, rng: np.random.Generator) -> float:
    """Return an inverse Gaussian number of mean 1 / z and shape 1, below the meeting point."""
    if z * MEETING < 1.0:
        while True:
            first, second = rng.standard_exponential(), rng.standard_exponential()
            if first * first <= 2.0 * second / MEETING:
                x = MEETING / (1.0 + MEETING * first) ** 2
                if rng.random() <= exp(-0.5 * z * z * x):
                    return x
    mean = 1.0 / z
    while True:
        y = rng.standard_normal() ** 2
        x = mean + 0.5 * mean * mean * y - 0.5 * mean * sqrt(4.0 * mean * y + (mean * y) ** 2)
        if rng.random() > mean / (mean + x):
            x = mean * mean / x
        if x < MEETING:
            return x


@kernel
def polya_gamma(tilt: float, rng: np.random.Generator) -> float:
    """Return a Polya-Gamma number PG(1, tilt), exactly (Polson, Scott and Windle 2013)."""
    z = 0.5 * abs(tilt)
    rate = 0.125 * pi * pi + 0.5 * z * z
    tail = 0.5 * pi / rate * exp(-rate * MEETING)
    near = 0.5 * erfc(-(MEETING * z - 1.0) / sqrt(2.0 * MEETING)) * exp(-z)
    far = 0.5 * erfc((MEETING * z + 1.0) / sqrt(2.0 * MEETING))
    body = 2.0 * (near + (exp(z) * far if far > 0.0 else 0.0))
    while True:
        if rng.random() * (tail + body) < tail:
            x = MEETING + rng.standard_exponential() / rate
        else:
            x = _inverse_gauss(z, rng)
        s = _term(0, x)
        y, n = rng.random() * s, 0
        while True:
            n += 1
            if n % 2:
                s -= _term(n, x)
                if y <= s:
                    return 0.25 * x
            else:
                s += _term(n, x)
                if y > s:
                    break


@kernel
def _latent(
    model: int, y: np.ndarray, fitted: np.ndarray, omega: np.ndarray, error: np.ndarray, rng: np.random.Generator
) -> None:
    """Draw what makes a model of classes linear: errors about what is fitted, and their precisions."""
    for i in range(y.shape[0]):
        if model == PROBIT:
            error[i] = _above(-fitted[i], rng) if y[i] > 0.5 else -_above(fitted[i], rng)
        else:
            omega[i] = polya_gamma(fitted[i], rng)
            error[i] = (y[i] - 0.5) / omega[i] - fitted[i]


@kernel
def _intercept(
    before: float, fitted: np.ndarray, omega: np.ndarray, error: np.ndarray, rng: np.random.Generator
) -> float:
    """Draw the intercept of a model of classes, and move what is fitted with it."""
    a, b = 1.0 / WIDE, -before / WIDE
    for i in range(omega.shape[0]):
        a, b = a + omega[i], b + omega[i] * error[i]
    moved = b / a + rng.standard_normal() / sqrt(a)
    for i in range(omega.shape[0]):
        fitted[i] += moved
        error[i] -= moved
    return before + moved


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
            _latent(model, y, fitted, omega, error, rng)
            intercept = _intercept(intercept, fitted, omega, error, rng)
        for j in order:
            size -= inside[j]
            a, b = _dots(columns[j], omega, error, model == LOGISTIC)
            r, precision = b + a * beta[j], a + 1.0 / slab
            chance[j] = _chance(r / sqrt(variance), precision, slab, odds[j] + size_odds[size])
            inside[j] = rng.random() < chance[j]
            size += inside[j]
            value = r / precision + rng.standard_normal() * sqrt(variance / precision) if inside[j] else 0.0
            moved = value - beta[j]
            if moved != 0.0:
                for i in range(n):
                    fitted[i] += moved * columns[j, i]
                    error[i] -= moved * columns[j, i]
                beta[j] = value
        if model == LINEAR:
            scale = 0.5 * (max((error * error).sum(), 1e-12 * square) + (beta * beta).sum() / slab)
            variance = scale / rng.standard_gamma(0.5 * (n - 1 + size))
        if sweep >= burn_in:
            if model == LINEAR:
                now = (size, variance, rng.standard_normal() * sqrt(variance / n), variance)
            else:
                now = (size, _likelihood(model, y, fitted), intercept, variance)
            _record(sweep - burn_in, now, beta, inside, chance, hits, sums, course, draws)


@kernel
def _likelihood(model: int, y: np.ndarray, fitted: np.ndarray) -> float:
    """Return the log likelihood of classes."""
    total = 0.0
    for i in range(y.shape[0]):
        x = fitted[i] if y[i] > 0.5 else -fitted[i]
        if model == PROBIT:
            # Far out erfc is 0; there the tail is about exp(-x^2 / 2).
            total += log(0.5 * erfc(-x / sqrt(2.0))) if x > -30.0 else -0.5 * x * x
        else:
            total -= log(1.0 + exp(-x)) if x > -30.0 else -x
    return total

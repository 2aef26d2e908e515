"""Latent numbers that make models of classes linear: truncated normal for probit, Polya-Gamma for logistic."""

from __future__ import annotations

from math import erfc, exp, log, pi, sqrt

import numpy as np

from fewer.core.kernels._jit import kernel

LINEAR, PROBIT, LOGISTIC = range(3)
# Prior variance of the intercept.
WIDE = 100.0
# Where the two bounds of the density of Polya-Gamma numbers meet.
MEETING = 0.64


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
def draw_latent(
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
def draw_intercept(
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
def likelihood(model: int, y: np.ndarray, fitted: np.ndarray) -> float:
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

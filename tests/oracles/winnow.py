"""Winnow, one row and one weight at a time."""

from __future__ import annotations

from math import exp

import numpy as np


def plain(X, signs, eta, threshold, margin=0.0, normalize=False):
    """Weights and mistakes of a plain Winnow: more than the threshold is the positive class."""
    w, mistakes = [1.0] * X.shape[1], 0
    for x, sign in zip(X, signs):
        total = sum(w) if normalize else 1.0
        value = sum(a * b for a, b in zip(w, x)) / total - threshold
        wrong = (value > 0) != (sign > 0)
        mistakes += wrong
        if wrong or (margin > 0 and sign * value <= margin):
            w = [a * exp(eta * sign * b) for a, b in zip(w, x)]
    total = sum(w) if normalize else 1.0
    return np.array(w) / total, mistakes


def balanced(X, signs, eta, margin=0.0, normalize=False):
    """Differences of weights for and against, that of a feature of ones last, and mistakes."""
    X = np.column_stack([X, np.ones(len(X))])
    up = [0.5 / X.shape[1]] * X.shape[1]
    down, mistakes = list(up), 0
    for x, sign in zip(X, signs):
        total = sum(up) + sum(down) if normalize else 1.0
        value = sum((a - b) * c for a, b, c in zip(up, down, x)) / total
        wrong = (value > 0) != (sign > 0)
        mistakes += wrong
        if wrong or (margin > 0 and sign * value <= margin):
            up = [a * exp(eta * sign * c) for a, c in zip(up, x)]
            down = [a * exp(-eta * sign * c) for a, c in zip(down, x)]
    total = sum(up) + sum(down) if normalize else 1.0
    return (np.array(up) - np.array(down)) / total, mistakes


def glm(X, signs, eta, margin=0.0, normalize=False):
    """Coefficients theta * w, that of a feature of ones last, and mistakes: mistakes move w, the likelihood theta."""
    n = X.shape[1]
    w, theta, intercept, mistakes = [1.0] * n, [0.0] * n, 0.0, 0

    def unit():
        return n / sum(w) if normalize else 1.0

    for x, sign in zip(X, signs):
        value = intercept + sum(t * a * unit() * b for t, a, b in zip(theta, w, x))
        wrong = (value > 0) != (sign > 0)
        mistakes += wrong
        if wrong or (margin > 0 and sign * value <= margin):
            w = [a * exp(eta * sign * b * np.sign(t)) for t, a, b in zip(theta, w, x)]
        step, scale = eta * sign / (1 + exp(sign * value)), unit()
        theta = [t + step * a * scale * b for t, a, b in zip(theta, w, x)]
        intercept += step
    return np.array([*(t * a * unit() for t, a in zip(theta, w)), intercept]), mistakes

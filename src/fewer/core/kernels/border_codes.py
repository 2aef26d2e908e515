"""Bayes risk weighted vector quantization: code vectors that rows near a border move one after another."""

from __future__ import annotations

from math import sqrt

import numpy as np

from fewer.core.kernels._jit import kernel


@kernel
def two_nearest(x: np.ndarray, code: np.ndarray) -> tuple[int, int, float, float]:
    """Return the two nearest code vectors and their squared distances; of equally far ones the lower numbers."""
    first, second = -1, -1
    best, next_best = np.inf, np.inf
    for q in range(code.shape[0]):
        away = 0.0
        for j in range(code.shape[1]):
            d = x[j] - code[q, j]
            away += d * d
        if away < best or first < 0:
            second, next_best = first, best
            first, best = q, away
        elif away < next_best or second < 0:
            second, next_best = q, away
    return first, second, best, next_best


@kernel
def bvq_steps(
    X: np.ndarray,
    labels: np.ndarray,
    drawn: np.ndarray,
    code: np.ndarray,
    code_labels: np.ndarray,
    costs: np.ndarray,
    rates: np.ndarray,
    half_window: float,
) -> int:
    """Move code vectors by rows drawn one after another (box of section 6.3); return how many rows moved some.

    m_i and m_j are the two nearest to t; if t is at most half a window off their plane, with t' its projection on the
    plane and s = b(u, l_j) - b(u, l_i), m_i moves by -g s (m_i - t') and m_j by g s (m_j - t'), where g = rate /
    |m_i - m_j|, and the factor g s at most 1: no vector passes the border.
    """
    moved = 0
    d = X.shape[1]
    for k in range(drawn.shape[0]):
        row = drawn[k]
        i, j, near, far = two_nearest(X[row], code)
        if j < 0:
            return moved
        s = costs[labels[row], code_labels[j]] - costs[labels[row], code_labels[i]]
        if s == 0.0 or code_labels[i] == code_labels[j]:
            continue
        apart = 0.0
        for f in range(d):
            apart += (code[i, f] - code[j, f]) ** 2
        if apart <= 0.0:
            continue
        length = sqrt(apart)
        # Signed distance of t from the plane, above 0 on the side of m_i.
        offset = (far - near) / (2.0 * length)
        if not offset <= half_window:
            continue
        step = rates[k] * s / length
        if step > 1.0:
            step = 1.0
        elif step < -1.0:
            step = -1.0
        for f in range(d):
            on_plane = X[row, f] - offset * (code[i, f] - code[j, f]) / length
            to_i, to_j = code[i, f] - on_plane, code[j, f] - on_plane
            code[i, f] -= step * to_i
            code[j, f] += step * to_j
        moved += 1
    return moved


@kernel
def nearest_two(X: np.ndarray, code: np.ndarray, first: np.ndarray, second: np.ndarray, offset: np.ndarray) -> None:
    """Write the two nearest code vectors of every row and its distance from their plane, 0 for equal vectors."""
    for row in range(X.shape[0]):
        i, j, near, far = two_nearest(X[row], code)
        first[row], second[row] = i, j
        offset[row] = 0.0
        if j >= 0:
            apart = 0.0
            for f in range(X.shape[1]):
                apart += (code[i, f] - code[j, f]) ** 2
            if apart > 0.0:
                offset[row] = (far - near) / (2.0 * sqrt(apart))

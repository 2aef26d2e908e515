"""What is equal up to rounding: one rule for scores, differences, ranks and gains."""

from __future__ import annotations

from typing import Any

import numpy as np

# Sums of the same numbers in another order, or .1 + .2 and .3, differ behind the fifteenth digit; what was measured
# differs far before the twelfth.
BITS = 40
TOLERANCE = 2.0**-BITS


def steady(scores: np.ndarray) -> np.ndarray:
    """Return scores to about twelve digits: what is equal on paper is not ordered by rounding, so by order of rows."""
    share, power = np.frexp(np.asarray(scores, dtype=np.float64))
    return np.ldexp(np.rint(share * 2.0**BITS), power - BITS)


def exceeds(value: float, other: float) -> bool:
    """Return whether a number is larger than another by more than rounding; never if one is NaN.

    Examples
    --------
    >>> exceeds(0.1 + 0.2, 0.3), exceeds(0.31, 0.3)
    (False, True)
    """
    if not value > other:
        return False
    return not value - other <= TOLERANCE * max(abs(value), abs(other)) < float("inf")


def differences(first: np.ndarray, second: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return paired differences, 0 where the pair is equal up to rounding, and the rounding that each may hold.

    Examples
    --------
    >>> differences(np.array([0.1 + 0.2, 0.5]), np.array([0.3, 0.25]))[0].tolist()
    [0.0, 0.25]
    """
    apart = np.asarray(first - second, dtype=np.float64)
    noise = TOLERANCE * np.maximum(np.abs(first), np.abs(second))
    return np.where(np.abs(apart) <= noise, 0.0, apart), noise


def joined(values: Any, noise: Any = None) -> np.ndarray:
    """Return values of which those that are equal up to rounding are the same number, so that ties are seen.

    Parameters
    ----------
    values : array-like
        Finite numbers.
    noise : array-like, optional
        The rounding that each may hold; by default that of the number itself.

    Examples
    --------
    >>> joined([0.1 + 0.2, 0.7, 0.3]).tolist()
    [0.3, 0.7, 0.3]
    """
    given = np.asarray(values, dtype=np.float64)
    flat = given.ravel()
    slack = TOLERANCE * np.abs(flat) if noise is None else np.broadcast_to(noise, given.shape).ravel()
    order = np.argsort(flat, kind="stable")
    ordered, loose = flat[order], slack[order]
    starts = np.append(True, np.diff(ordered) > np.maximum(loose[1:], loose[:-1]))[: len(ordered)]
    out = np.empty_like(flat)
    out[order] = ordered[starts][np.cumsum(starts) - 1]
    return out.reshape(given.shape)

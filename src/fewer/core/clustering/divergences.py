"""Bregman divergences of numbers: how far a number is from the mean that stands for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import scipy.special


class Divergence(NamedTuple):
    """A Bregman divergence: the mean of numbers is what they diverge least from, whatever the divergence.

    Attributes
    ----------
    between : callable
        Of numbers and of what stands for them, elementwise.
    domain : {"any", "nonnegative", "positive"}
        The numbers it takes.
    """

    between: Callable[[np.ndarray, np.ndarray], np.ndarray]
    domain: str


def squared(z: np.ndarray, m: np.ndarray) -> np.ndarray:
    """Return (z - m)^2."""
    return (z - m) ** 2


def generalized_kl(z: np.ndarray, m: np.ndarray) -> np.ndarray:
    """Return z ln(z / m) - z + m: m for z = 0, infinity for m = 0 < z.

    Examples
    --------
    >>> generalized_kl(np.array([0.0, 2.0, 1.0]), np.array([3.0, 2.0, 0.0])).tolist()
    [3.0, 0.0, inf]
    """
    z, m = np.broadcast_arrays(z, m)
    empty = m == 0
    # By the relative difference, so that numbers far from 0 and near each other do not cancel.
    x = (z - m) / (m + empty)
    with np.errstate(over="ignore", invalid="ignore"):
        apart = m * (scipy.special.xlog1py(1 + x, x) - x)
    return np.where(empty, np.where(z > 0, np.inf, 0.0), apart)


def itakura_saito(z: np.ndarray, m: np.ndarray) -> np.ndarray:
    """Return z / m - ln(z / m) - 1, of positive numbers."""
    x = (z - m) / m
    return x - np.log1p(x)


DIVERGENCES = {
    "squared": Divergence(squared, "any"),
    "kl": Divergence(generalized_kl, "nonnegative"),
    "itakura_saito": Divergence(itakura_saito, "positive"),
}

"""Sums of squares between and within groups, cleaned of round-off."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from fewer.core.measures._pvalues import f_tail
from fewer.core.summaries.results import LevelMoments, Moments

# Means and deviations below this fraction of the size of the values are round-off, for the values themselves
# are known to half an eps only. Without this floor a constant feature could score infinity.
ROUND_OFF = 8.0 * np.finfo(np.float64).eps
LARGEST = np.finfo(np.float64).max


class Scatter(NamedTuple):
    """Sums of squares per feature, with the number of groups that occur and the weight of all rows."""

    between: np.ndarray
    within: np.ndarray
    groups: np.ndarray
    weight: np.ndarray

    @property
    def explained(self) -> np.ndarray:
        """The fraction of the sum of squares that lies between the groups, eta^2; 0 where nothing varies."""
        odds = signed_ratio(self.between, self.within)
        return np.where(np.isinf(odds), 1.0, odds / (1.0 + np.minimum(odds, LARGEST)))

    def f_ratio(self) -> tuple[np.ndarray, np.ndarray]:
        """Return F = (between / (k - 1)) / (within / (n - k)) and its p-value.

        Where n is at most k the second divisor is n, see `divisor`, and the p-value is 1.
        """
        dof_between, dof_within = self.groups - 1, self.weight - self.groups
        scale = divisor(self.weight, self.groups, dof_within > 0) / np.maximum(dof_between, 1)
        statistic = np.where(dof_between > 0, signed_ratio(self.between, self.within) * scale, 0.0)
        return statistic, f_tail(statistic, dof_between, dof_within)


def divisor(weight: ArrayLike, lost: ArrayLike, enough: ArrayLike) -> np.ndarray:
    """Return what a sum of squares is divided by: the weight less the means it was taken about, if that is enough.

    Where it is not, rows may still be many, if their weights are small, such as fractions that add up to 1. The divisor
    is then the weight itself, as for population variances, so that features keep the order that they have whatever
    the weights are multiplied by.
    """
    weight = np.asarray(weight, dtype=np.float64)
    return np.where(enough, weight - lost, weight)


def signed_ratio(numerator: np.ndarray, denominator: np.ndarray) -> np.ndarray:
    """Divide by a number that is not negative: x/0 is infinite with the sign of x, 0/0 is 0."""
    zero = denominator <= 0
    with np.errstate(over="ignore"):
        quotient = numerator / np.where(zero, 1.0, denominator)
    return np.where(zero & (numerator != 0), np.copysign(np.inf, numerator), quotient)


def above_noise(squares: ArrayLike, size: ArrayLike, weight: ArrayLike) -> np.ndarray:
    """Set sums of squares to 0 that rounding alone can leave in values of this size."""
    deviation = np.sqrt(np.maximum(squares, 0.0))
    return np.where(deviation > ROUND_OFF * np.asarray(size) * np.sqrt(weight), squares, 0.0)


def level_scatter(moments: LevelMoments) -> Scatter:
    """Split the sum of squares of the target by the levels of every feature."""
    starts, sizes = moments.offsets[:-1], np.diff(moments.offsets)
    present = moments.weight > 0
    weight = np.where(present, moments.weight, 0.0)
    mean = np.where(present, moments.mean, 0.0)
    total = np.add.reduceat(weight, starts)
    # One of the means as the origin: equal means then give exactly 0.
    highest = np.maximum.reduceat(np.where(present, mean, -np.inf), starts)
    shifted = np.where(present, mean - np.repeat(np.where(total > 0, highest, 0.0), sizes), 0.0)
    centre = np.add.reduceat(weight * shifted, starts) / np.where(total > 0, total, 1.0)
    with np.errstate(over="ignore"):
        between = np.add.reduceat(weight * (shifted - np.repeat(centre, sizes)) ** 2, starts)
    within = np.add.reduceat(np.where(present, moments.m2, 0.0), starts)
    size = np.maximum.reduceat(np.abs(mean), starts)
    groups = np.add.reduceat(present.astype(np.int64), starts)
    return Scatter(above_noise(between, size, total), above_noise(within, size, total), groups, total)


def class_scatter(moments: Moments) -> Scatter:
    """Split the sum of squares of every feature by the classes."""
    n_features, n_classes = moments.mean.shape
    offsets = np.arange(n_features + 1) * n_classes
    weight = np.tile(np.asarray(moments.weight, dtype=np.float64), n_features)
    return level_scatter(LevelMoments(weight, moments.mean.ravel(), moments.m2.ravel(), offsets))

"""Weights of rows as whole multiples of one unit, so that their sums do not depend on the order of adding."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from fractions import Fraction
from math import frexp, lcm, ldexp
from typing import Any

import numpy as np

from fewer.core.records.errors import WeightWarning

# Different weights among which a common measure is looked for, the largest terms of their ratios, and of how many
# measures all rows together may consist.
MOST_VALUES, MOST_TERM, MOST_MULTIPLES = 1024, 2**20, 2**22
# Digits of a float; one is kept free for the rounding of single weights.
DIGITS = 53
SMALLEST_POWER = -1074
SAME = 4.0 * np.finfo(np.float64).eps


@dataclass(frozen=True)
class WeightGrid:
    """What all weights are whole multiples of.

    Floats add up to other last digits in another order, in which rows come from sparse columns, batches or threads;
    multiples of one unit add up exactly, as long as there are fewer than 2**53. Weights with a common measure, such as
    tenths, 1/n or n/(C n_c), become multiples of that measure, so that three of 0.1 weigh as much as one of 0.3 and
    equal weights are in the same proportions as none. Others become multiples of a power of two. Whole weights stay
    as they are; others change by less than 1e-9 of their size, and far less where they add up to fewer measures.

    Attributes
    ----------
    measure : float
        The common measure of the weights as they are given.
    unit : float
        The common measure of the weights in use: the same, with so few digits that multiples are exact.
    whole : bool
        Whether the weights as they are given are whole numbers, that is, may count rows.
    """

    measure: float = 1.0
    unit: float = 1.0
    whole: bool = True

    @classmethod
    def of(cls, weight: np.ndarray) -> WeightGrid:
        """Return the grid of weights in memory, which are above 0."""
        tally = WeightTally()
        tally.add(weight)
        return tally.grid()

    def put(self, weight: np.ndarray) -> np.ndarray:
        """Return weights above 0 as multiples of the unit, at least one."""
        if self.measure == self.unit == 1.0:
            return weight
        return np.maximum(np.rint(weight / self.measure), 1.0) * self.unit

    def multiples(self, sums: np.ndarray) -> np.ndarray:
        """Return sums of weights in whole multiples of the unit."""
        return np.rint(sums / self.unit).astype(np.int64)


class WeightTally:
    """Looks at weights, as many at a time as come, for the grid on which they fit; rows of weight 0 do not count."""

    def __init__(self) -> None:
        self.values, self.counts = np.empty(0), np.empty(0, np.int64)
        self.n_rows, self.largest, self.whole, self.many = 0, 0.0, True, False

    def add(self, weight: np.ndarray) -> None:
        """Look at the next weights."""
        weight = weight[weight > 0]
        self.n_rows += len(weight)
        self.largest = max(self.largest, float(weight.max(initial=0.0)))
        self.whole = self.whole and bool((weight == np.floor(weight)).all())
        # A look at some of them spares sorting all.
        self.many = self.many or len(np.unique(weight[: 4 * MOST_VALUES])) > MOST_VALUES
        if self.many:
            return
        values, counts = np.unique(weight, return_counts=True)
        together, place = np.unique(np.concatenate([self.values, values]), return_inverse=True)
        self.counts = np.bincount(place, weights=np.concatenate([self.counts, counts]), minlength=len(together))
        self.values, self.many = together, len(together) > MOST_VALUES

    def grid(self) -> WeightGrid:
        """Return the coarsest grid that is known for the weights."""
        # All rows together weigh less than 2**power.
        power = frexp(self.largest)[1] + self.n_rows.bit_length()
        if self.whole and power <= DIGITS:
            return WeightGrid()
        parts = None if self.many or power < SMALLEST_POWER + DIGITS else common_parts(self.values)
        total = 0.0 if parts is None else parts * float(self.counts @ (self.values / self.largest))
        if parts is None or total > MOST_MULTIPLES:
            unit = ldexp(1.0, max(power - DIGITS + 1, SMALLEST_POWER))
            return WeightGrid(unit, unit, self.whole)
        measure = self.largest / parts
        return WeightGrid(measure, _rounded(measure, DIGITS - 1 - frexp(total)[1]), self.whole)


def common_parts(values: np.ndarray) -> int | None:
    """Return of how many equal parts the largest value consists, if all others consist of such parts; else None."""
    parts = 1
    for ratio in (values / values.max()).tolist():
        near = Fraction(ratio).limit_denominator(MOST_TERM)
        if abs(float(near) - ratio) > SAME * ratio:
            return None
        parts = lcm(parts, near.denominator)
        if parts > MOST_MULTIPLES:
            return None
    return parts


def _rounded(value: float, digits: int) -> float:
    """Return a number with so many binary digits."""
    mantissa, power = frexp(value)
    return ldexp(round(ldexp(mantissa, digits)), power - digits)


def warn_of_light_weights(data: Any, total: float, groups: int) -> None:
    """Warn if weights add up to no more than the number of groups, which leaves no degrees of freedom within them."""
    _warn_of_light(
        data, total <= groups, f"{total:.3g}, but a variance within {groups} groups takes more than {groups}"
    )


def warn_of_light_classes(data: Any, weight: np.ndarray) -> None:
    """Warn if the weights of a class add up to less than the two rows that a variance of its own takes."""
    _warn_of_light(data, weight.min() < 2, f"{weight.min():.3g} in a class, but the variance of a class takes 2")


def _warn_of_light(data: Any, light: bool, what: str) -> None:
    # Without weights, or if they are whole, it is the rows that are few.
    if not light or data.weights is None or data.weights.whole:
        return
    warnings.warn(
        f"A weight says how often a row counts, and the weights add up to {what}: features are ordered by population "
        "variances, and p-values are 1; multiply the weights so that they add up to the number of rows, "
        f"{data.n_rows:,}, or more.",
        WeightWarning,
        stacklevel=2,
    )


def warn_of_weighted_pvalues(name: str, data: Any) -> None:
    """Warn if p-values are to decide, but weights are not numbers of rows."""
    if data.weights is None or data.weights.whole:
        return
    warnings.warn(
        f"{name} decides by p-values, which take a weight for the number of times that a row counts, but got weights "
        "that are not whole numbers, with which more than the stated fraction of irrelevant features may be kept; "
        "pass 'probes:0.05', which holds for any weights, or a number of features.",
        WeightWarning,
        stacklevel=2,
    )

"""Sums over many steps, one per feature: whole numbers in two words, so that ties stay ties however long they grow."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

LOW_BITS = 40
LOW_MASK = 2**LOW_BITS - 1
# Beyond these a word could overflow: see `WholeSum`.
MOST_TIMES = 2**22
MOST_SUM = 2**102
# Largest numerator and denominator of a simple fraction.
SIMPLE = 2**20


class WholeSum:
    """Sums of int64 numbers in two words, ``high * 2**40 + low`` with ``0 <= low < 2**40``.

    No word can overflow. Of an added number v, ``v & LOW_MASK`` is below 2**40 and is taken at most 2**22 times, which
    leaves room for the 2**40 in the low word; ``v >> 40`` is at most 2**23. The high word is at most the sum divided
    by 2**40, hence below 2**63 while sums are below 2**102. What is asked for is compared with both limits in Python's
    own integers, which have no end, before anything is added.

    Parameters
    ----------
    n : int
        Number of sums.

    Attributes
    ----------
    bound : int
        No sum is larger than this, with or without its sign.
    """

    def __init__(self, n: int) -> None:
        self.high, self.low, self.bound = np.zeros(n, np.int64), np.zeros(n, np.int64), 0

    def add(self, values: np.ndarray, times: int = 1) -> None:
        """Add ``times`` times the values."""
        if values.dtype != np.int64:
            raise TypeError(
                f"WholeSum.add got numbers of type {values.dtype}, but adds int64; round or convert them first."
            )
        largest = max(int(values.max(initial=0)), -int(values.min(initial=0)))
        bound = self.bound + largest * abs(int(times))
        if abs(int(times)) > MOST_TIMES or bound > MOST_SUM:
            raise OverflowError(
                f"WholeSum.add got numbers up to {largest:,} taken {times:,} times, but takes them at most "
                f"{MOST_TIMES:,} times and as long as no sum can exceed 2**102; add fewer or smaller numbers."
            )
        self.bound = bound
        self.low += (values & LOW_MASK) * times
        self.high += (values >> LOW_BITS) * times
        # Shifts round down, so that what is left in the low word is never negative.
        self.high += self.low >> LOW_BITS
        self.low &= LOW_MASK

    def floats(self) -> np.ndarray:
        """Return the sums as floats: the nearest ones while sums are below 2**93, so that larger sums stay larger."""
        return self.high * 2.0**LOW_BITS + self.low


def simple_fraction(value: float) -> Fraction | None:
    """Return the fraction that a float was written for, 1/10 for 0.1; None if its terms would exceed 2**20.

    There is at most one: two different ones differ by at least 2**-40 of their size, of which floats keep 2**-53.
    """
    near = Fraction(value).limit_denominator(SIMPLE)
    return near if abs(near.numerator) <= SIMPLE and float(near) == float(value) else None

"""From numbers to places on a chart: limits, round ticks and the scale itself."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np


def limits(values: Iterable[float], line: float | None = None, with_zero: bool = False) -> tuple[float, float]:
    """Return the least and the greatest finite value, widened so that they differ.

    A line to be drawn widens them too, but not so far that it would squeeze the values into less than half of
    the chart.
    """
    numbers = np.asarray(list(values), dtype=float)
    finite = [float(v) for v in numbers[np.isfinite(numbers)]]
    if with_zero or not finite:
        finite.append(0.0)
    low, high = min(finite), max(finite)
    if line is not None and math.isfinite(line):
        span = high / 2 - low / 2
        near = span == 0 or low / 2 - span <= line / 2 <= high / 2 + span
        low, high = (min(low, line), max(high, line)) if near else (low, high)
    if low == high:
        low, high = (min(low, 0.0), max(high, 0.0)) if low != 0 else (0.0, 1.0)
    return low, high


@dataclass(frozen=True)
class Scale:
    """Maps numbers from ``low`` to ``high`` to places from ``start`` to ``stop``, others to the ends."""

    low: float
    high: float
    start: float
    stop: float
    log: bool = False

    def __call__(self, value: float) -> float:
        """Return the place of a value."""
        low, high = (math.log(self.low), math.log(self.high)) if self.log else (self.low / 2, self.high / 2)
        # Halves, because the span of two very large numbers may overflow.
        at = math.log(max(value, self.low)) if self.log else value / 2
        part = min(max((at - low) / (high - low), 0.0), 1.0) if high > low else 0.0
        return self.start + part * (self.stop - self.start)

    def ticks(self, about: int = 5, whole: bool = False) -> list[float]:
        """Return round numbers between the limits: steps of 1, 2 or 5 times a power of ten."""
        if self.log:
            powers = range(math.ceil(math.log10(self.low)), math.floor(math.log10(self.high)) + 1)
            return [10.0**p for p in powers]
        raw = (self.high / 2 - self.low / 2) / about * 2
        if not 0 < raw < math.inf:
            return [self.low]
        power = 10.0 ** math.floor(math.log10(raw))
        step = next((m * power for m in (1.0, 2.0, 5.0) if m * power >= raw * 0.999), 10.0 * power)
        step = max(step, 1.0) if whole else step
        first, last = math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9)
        return [number * step for number in range(first, last + 1)]


def thinned(n: int, most: int, log: bool = False) -> np.ndarray:
    """Return at most ``most`` of the positions 0 to n - 1, with both ends, spread evenly on the scale."""
    if n <= most:
        return np.arange(n)
    spread = np.geomspace(1, n, most) - 1 if log else np.linspace(0, n - 1, most)
    return np.unique(np.round(spread).astype(np.int64))

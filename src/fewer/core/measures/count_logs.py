"""Logarithms of counts in whole numbers: sums of x ln x that are equal exactly when they should be."""

from __future__ import annotations

from dataclasses import dataclass
from math import log, log2

import numpy as np

from fewer.core.kernels.conditional import additive_logs


@dataclass(frozen=True, eq=False)
class CountLogs:
    """T(x) = x ln x for counts x, in whole multiples of ``1 / scale``.

    Informations of whole counts are sums of such terms. Logarithms of primes are rounded once and those of other
    numbers are their sums, so two informations that are equal on paper are equal here, in whatever order they were
    summed; in floating point they would differ in their last digits, and rankings with them. Different
    informations keep their order unless they differ by less than 1e-10 nats, or 1e-14 with a hundred rows.

    Attributes
    ----------
    terms : ndarray of int64
        scale * x ln x.
    growth : ndarray of int64
        scale * ((x + 1) ln (x + 1) - x ln x).
    scale : float
        A power of two.
    """

    terms: np.ndarray
    growth: np.ndarray
    scale: float

    @classmethod
    def up_to(cls, n: int) -> CountLogs:
        """Return the terms of counts from 0 to ``n``, in units so small that their sums still fit 61 bits."""
        n = max(int(n), 2)
        scale = 2.0 ** int(61 - log2(n * log(n) + 1.0))
        logs = np.zeros(n + 1, np.int64)
        additive_logs(scale, logs)
        terms = logs * np.arange(n + 1)
        return cls(terms, np.diff(terms), scale)

    def nats(self, sums: np.ndarray, n_rows: int) -> np.ndarray:
        """Return sums of terms as information per row; what rounding left below 0 becomes 0."""
        return np.maximum(np.asarray(sums, dtype=np.float64) / (self.scale * n_rows), 0.0)

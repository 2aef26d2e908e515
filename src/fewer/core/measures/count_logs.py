"""Logarithms of counts in whole numbers: sums of x ln x that are equal exactly when they should be."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import log, log2

import numpy as np
from scipy.special import xlogy

from fewer.core.kernels.conditional import additive_logs
from fewer.core.records.errors import InputError

# Counters of tables have 31 bits where they have fewest; see also `CountLogs.up_to`.
MOST_COUNT = 2**31 - 1
# Terms that are multiplied at once.
PIECE = 2**16


@dataclass(frozen=True, eq=False)
class CountLogs:
    """T(x) = x ln x for counts x, in whole multiples of ``1 / scale``.

    Informations of whole counts are sums of such terms. Logarithms of primes are rounded once and those of other
    numbers are their sums, so two informations that are equal on paper are equal here, in whatever order they were
    summed; in floating point they would differ in their last digits, and rankings with them. Different
    informations keep their order unless they differ by less than 1e-10 nats, or 1e-14 with a hundred rows.

    Sums of terms over tables of the same rows may be combined four at a time, two added and two taken off; what is
    summed over more than that, such as chosen features, goes into a `WholeSum`.

    Attributes
    ----------
    terms : ndarray of int64
        scale * x ln x.
    scale : float
        A power of two.
    """

    terms: np.ndarray
    scale: float

    @cached_property
    def growth(self) -> np.ndarray:
        """Return scale * ((x + 1) ln (x + 1) - x ln x)."""
        return np.diff(self.terms)

    @classmethod
    def up_to(cls, n: int) -> CountLogs:
        """Return the terms of counts from 0 to ``n``, in units so small that their sums still fit 61 bits."""
        n = max(int(n), 2)
        if n > MOST_COUNT:
            raise InputError(f"Counting got {n:,} rows, but counts at most {MOST_COUNT:,}; use a sample of the rows.")
        # Nothing overflows. The cells of a table share the n rows and ln grows, so a table adds up to at most
        # n ln n * scale <= 2**61 - scale. Rounding adds less than n log2(n) / 2 < 2**35, because a number has at most
        # log2(n) prime factors, each rounded by at most a half, and floats err by 2**-52. So a table stays below
        # S = 2**61 + 2**36, also while its cells are added, in any order. All users (`JointTerms`, `JointSums`, the
        # kernel of `LazyMinimum`, `conditional_information`, `SharedInformation`, `candidate_doubts`, `doubt`,
        # `LeastBeyondBlanket`, `StrataTables` and the subset score `Information`) add at most two tables and take at
        # most two off, within 2 S < 2**63 in any order. What comes out is an information or an entropy times n, within
        # S again, and the difference of two of them within 2 S. What is added over many steps goes into a `WholeSum`.
        scale = _scale(n)
        terms = np.zeros(n + 1, np.int64)
        additive_logs(scale, terms)
        # In pieces: with 10^8 rows the table takes 800 MB, and nothing else should be as long.
        for start in range(0, n + 1, PIECE):
            piece = terms[start : start + PIECE]
            piece *= np.arange(start, start + len(piece))
        return cls(terms, scale)

    def of(self, counts: np.ndarray) -> np.ndarray:
        """Return the terms of counts."""
        return self.terms[counts]

    def nats(self, sums: np.ndarray, n_rows: int) -> np.ndarray:
        """Return sums of terms as information per row; what rounding left below 0 becomes 0."""
        return np.maximum(np.asarray(sums, dtype=np.float64) / (self.scale * n_rows), 0.0)


@dataclass(frozen=True)
class SumLogs:
    """T(x) = x ln x for sums of weights x, whole numbers too large for a table, in whole multiples of ``1 / scale``.

    Each term is rounded for itself, so two sums of terms are equal if their tables hold the same numbers, in whatever
    order, as those of a feature and its complement do; unlike with `CountLogs`, informations that are equal for other
    reasons may differ by about 1e-14 nats. For overflow the same holds as there: rounding adds at most a half and
    2**-51 of each term.

    Attributes
    ----------
    scale : float
        A power of two.
    """

    scale: float

    @classmethod
    def up_to(cls, n: int) -> SumLogs:
        """Return the terms of numbers from 0 to ``n``."""
        return cls(_scale(n))

    def of(self, counts: np.ndarray) -> np.ndarray:
        """Return the terms of numbers."""
        return np.rint(xlogy(counts, counts) * self.scale).astype(np.int64)


def _scale(n: int) -> float:
    """Return how finely n ln n can be counted in 61 bits."""
    return 2.0 ** int(61 - log2(n * log(n) + 1.0))

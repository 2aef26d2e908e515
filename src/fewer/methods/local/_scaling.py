"""Columns on comparable scales: how training rows and later queries are brought there."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

# Queries so many standard deviations away, or more, are as far as that: sums of squares keep their digits.
FARTHEST = 1e6


@dataclass(frozen=True, eq=False)
class Scaling:
    """Brings the columns that vary to mean 0 and variance 1, or all to one unit near their size.

    Attributes
    ----------
    varies : ndarray of bool of shape (n_features,)
        Columns that are not constant; others take no part. All, if all are constant.
    first, largest, mean, size : ndarray
        Of the columns that vary: the first value, the largest distance of another from it, and mean and size of these
        distances.
    unit : float
        What a distance of 1 is in the units of the data; 1 after standardization.
    """

    varies: np.ndarray
    first: np.ndarray
    largest: np.ndarray
    mean: np.ndarray
    size: np.ndarray
    unit: float

    @classmethod
    def of(cls, X: np.ndarray, standardize: bool) -> Scaling:
        """Return the scaling of training rows."""
        varies = (X[:1] != X).any(axis=0)
        varies = varies if varies.any() else np.ones(X.shape[1], bool)
        # Halves, because the difference of two large numbers of other signs may overflow.
        half = 0.5 * X[:, varies].astype(np.float64)
        first = half[0].copy()
        half -= first
        largest = np.abs(half).max(axis=0)
        unit = 1.0
        if not standardize:
            # One power of two for all columns changes no digit.
            power = np.ldexp(1.0, int(np.frexp(largest.max())[1]))
            largest, unit = np.full(len(largest), power), 2.0 * power
        largest[largest == 0] = 1.0
        half /= largest
        mean = half.mean(axis=0)
        size = np.sqrt(((half - mean) ** 2).mean(axis=0)) if standardize else np.ones(len(mean))
        size[size == 0] = 1.0
        return cls(varies, first, largest, mean, size, unit)

    def applied(self, X: np.ndarray) -> np.ndarray:
        """Return rows on these scales, without the columns that do not vary."""
        half = 0.5 * X[:, self.varies].astype(np.float64)
        with np.errstate(over="ignore"):
            scaled = ((half - self.first) / self.largest - self.mean) / self.size
        return np.ascontiguousarray(np.clip(scaled, -FARTHEST, FARTHEST))

    def spread(self, weights: np.ndarray) -> np.ndarray:
        """Return weights of the columns that vary as weights of all, 0 for the others."""
        out = np.zeros((len(weights), len(self.varies)))
        out[:, self.varies] = weights
        return out

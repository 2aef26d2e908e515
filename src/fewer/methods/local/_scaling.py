"""Columns on comparable scales: how training rows and later queries are brought there."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

# Queries so many times the size of the data away, or more, are as far as that: sums of squares keep their digits.
FARTHEST = 1e6
# Data of these sizes keep their own units where they are not standardized: products of squares do not overflow.
PLAIN_SIZES = (2.0**-100, 2.0**100)


@dataclass(frozen=True, eq=False)
class Scaling:
    """Brings the columns that vary to mean 0 and variance 1, or leaves their units and moves them to mean 0.

    Units of data that are beyond `PLAIN_SIZES` are changed all alike, to one near their size.

    Attributes
    ----------
    varies : ndarray of bool of shape (n_features,)
        Columns that are not constant; others take no part. All, if all are constant.
    first, largest, mean, size : ndarray
        Of the columns that vary: the first value, the largest distance of another from it, and mean and size of these
        distances.
    unit : float
        What a distance of 1 is in the units of the data; 1 after standardization.
    farthest : float
        Beyond this, on these scales, nothing is told apart.
    """

    varies: np.ndarray
    first: np.ndarray
    largest: np.ndarray
    mean: np.ndarray
    size: np.ndarray
    unit: float
    farthest: float

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
        unit, farthest = 1.0, FARTHEST
        if not standardize:
            # One power of two for all columns changes no digit; a half for the halves above leaves their units.
            size = float(largest.max())
            plain = size == 0 or PLAIN_SIZES[0] < size < PLAIN_SIZES[1]
            power = 0.5 if plain else float(np.ldexp(1.0, int(np.frexp(size)[1])))
            farthest *= size / power if size else 1.0
            largest, unit = np.full(len(largest), power), 2.0 * power
        largest[largest == 0] = 1.0
        half /= largest
        mean = half.mean(axis=0)
        spread = np.sqrt(((half - mean) ** 2).mean(axis=0)) if standardize else np.ones(len(mean))
        spread[spread == 0] = 1.0
        return cls(varies, first, largest, mean, spread, unit, farthest)

    def applied(self, X: np.ndarray) -> np.ndarray:
        """Return rows on these scales, without the columns that do not vary."""
        half = 0.5 * X[:, self.varies].astype(np.float64)
        with np.errstate(over="ignore"):
            scaled = ((half - self.first) / self.largest - self.mean) / self.size
        return np.ascontiguousarray(np.clip(scaled, -self.farthest, self.farthest))

    def spread(self, weights: np.ndarray) -> np.ndarray:
        """Return weights of the columns that vary as weights of all, 0 for the others."""
        out = np.zeros((len(weights), len(self.varies)))
        out[:, self.varies] = weights
        return out

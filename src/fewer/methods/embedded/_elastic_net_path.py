"""Knots of a path of the elastic net, and how far coefficients on it can be apart."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np


@dataclass(frozen=True, eq=False)
class ElasticNetPath:
    """Knots of a path, in coordinates of columns of length 1 and of the rescaled elastic net (eq. 20.10).

    Between two knots coefficients are linear in the penalty and in their L1 norm.

    Attributes
    ----------
    l2 : float
        The second penalty.
    l1 : ndarray of shape (n_knots,)
        The first penalty at every knot, falling; at the first knot all coefficients are 0.
    active : list of ndarray
        The features with coefficients at every knot, in the order in which they joined.
    values : list of ndarray
        Their coefficients.
    moves : list of (int, int, bool)
        Knot, feature, and whether it entered (its first knot with a coefficient) or left (the knot where it is 0).
    spanned : list of int
        Features that the active ones spanned, so that they had to stay out; only without a second penalty.
    """

    l2: float
    n_features: int
    l1: np.ndarray
    active: list[np.ndarray]
    values: list[np.ndarray]
    moves: list[tuple[int, int, bool]]
    spanned: list[int] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.l1)

    @property
    def sizes(self) -> np.ndarray:
        """Number of features with coefficients at every knot."""
        return np.array([len(active) for active in self.active])

    @property
    def norms(self) -> np.ndarray:
        """L1 norm of the coefficients at every knot."""
        return np.array([np.abs(values).sum() for values in self.values])

    def at(self, knot: int) -> np.ndarray:
        """Return all coefficients at a knot; behind the last one those of the last."""
        knot = min(knot, len(self) - 1)
        out = np.zeros(self.n_features)
        out[self.active[knot]] = self.values[knot]
        return out

    def at_fraction(self, s: float) -> np.ndarray:
        """Return all coefficients where their L1 norm is a fraction of the largest of the path."""
        norms = self.norms
        wanted = s * norms[-1]
        after = int(np.searchsorted(norms, wanted))
        if after == 0:
            return self.at(0)
        before, span = norms[after - 1], norms[after] - norms[after - 1]
        part = (wanted - before) / span if span > 0 else 1.0
        return (1.0 - part) * self.at(after - 1) + part * self.at(after)

    def table(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the features that were ever active, and their coefficients at every knot."""
        ever = np.unique(np.concatenate([*self.active, np.zeros(0, np.int64)])).astype(np.int64)
        out = np.zeros((len(self), len(ever)))
        for knot, (active, values) in enumerate(zip(self.active, self.values)):
            out[knot, np.searchsorted(ever, active)] = values
        return ever, out


def grouping_bound(correlation: np.ndarray | float, l2: float, length: float, naive: bool = False) -> np.ndarray:
    """Return how far coefficients of two features can be apart (eq. 20.12), in columns of length 1.

    With minus the correlation it bounds the absolute sum of the two (eq. 20.13).

    Parameters
    ----------
    correlation : ndarray or float
        Sample correlation of the two features.
    l2 : float
        The second penalty, above 0.
    length : float
        Euclidean length of the centred target.
    naive : bool
        Whether coefficients are those of the naive elastic net.
    """
    apart = np.sqrt(2.0 * np.maximum(1.0 - np.asarray(correlation, dtype=float), 0.0))
    return (1.0 if naive else 1.0 + l2) / l2 * length * apart

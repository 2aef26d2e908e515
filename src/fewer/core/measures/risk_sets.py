"""Tests of features against times until an event, by sums over the rows at risk."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from fewer.core.measures._pvalues import normal_two_sided

TIES = ("efron", "breslow", "hypergeometric")
# A variance below this, of values within -1 and 1, is rounding.
ROUNDING = 1e-13


@dataclass(frozen=True, eq=False)
class RiskSets:
    """Times with the rows in order: at an event all rows of that time or a later one are at risk.

    Attributes
    ----------
    time : ndarray of shape (n_rows,)
        Time of the event, or until which none was seen.
    event : ndarray of bool of shape (n_rows,)
        Whether the event was seen.
    """

    time: np.ndarray
    event: np.ndarray

    @cached_property
    def order(self) -> np.ndarray:
        """The rows, earliest first."""
        return np.argsort(self.time, kind="stable")

    @cached_property
    def at(self) -> np.ndarray:
        """Places in that order of the rows with an event."""
        return np.flatnonzero(self.event[self.order])

    @cached_property
    def firsts(self) -> np.ndarray:
        """Where events of one time begin among the rows with an event."""
        times = self.time[self.order][self.at]
        return np.flatnonzero(np.concatenate([[True], times[1:] != times[:-1]]))

    @cached_property
    def starts(self) -> np.ndarray:
        """For every time with an event the place of the first row at risk."""
        ordered = self.time[self.order]
        return np.searchsorted(ordered, ordered[self.at[self.firsts]], side="left")

    @cached_property
    def events(self) -> np.ndarray:
        """Number of events at every such time."""
        return np.diff(np.append(self.firsts, len(self.at)))


def score_test(X: np.ndarray, rows: RiskSets, ties: str = "efron") -> tuple[np.ndarray, np.ndarray]:
    r"""Return z and p-value of Cox's score test of every column alone, positive where large values mean early events.

    With the mean and the variance of a column over the rows at risk, :math:`U = \sum (x - \bar x)` over the events,
    :math:`V = \sum s^2`, and :math:`z = U / \sqrt V` (Cox 1972). Of d events at one time, Breslow counts the same mean
    and variance d times; Efron takes the rows with an event less and less into account; "hypergeometric" multiplies
    Breslow's variance by (n - d) / (n - 1), which on 0 and 1 is the log-rank test.

    Parameters
    ----------
    X : ndarray of shape (n_rows, n_columns)
        Finite numbers.
    rows : RiskSets
        Times and events of the same rows.
    ties : {"efron", "breslow", "hypergeometric"}
        What is done with events at the same time.
    """
    Z = _within_one(X[rows.order], int(rows.starts[0]))
    at_risk, d = (len(Z) - rows.starts).astype(float), rows.events.astype(float)
    s1, s2 = (_from_the_end(values)[rows.starts] for values in (Z, Z**2))
    e1, e2 = (np.add.reduceat(values[rows.at], rows.firsts, axis=0) for values in (Z, Z**2))
    if ties == "efron":
        # One line per event: the k-th of d events leaves a fraction of k / d of them out.
        which = np.repeat(np.arange(len(d)), rows.events)
        left = (np.arange(len(which)) - rows.firsts[which]) / d[which]
        n = at_risk[which] - left * d[which]
        mean = (s1[which] - left[:, None] * e1[which]) / n[:, None]
        spread = np.maximum((s2[which] - left[:, None] * e2[which]) / n[:, None] - mean**2, 0.0)
        expected, variance = mean.sum(axis=0), spread.sum(axis=0)
    else:
        mean = s1 / at_risk[:, None]
        spread = np.maximum(s2 / at_risk[:, None] - mean**2, 0.0)
        times = d if ties == "breslow" else d * (at_risk - d) / np.maximum(at_risk - 1.0, 1.0)
        expected, variance = d @ mean, times @ spread
    told = variance > ROUNDING * d.sum()
    z = np.divide(e1.sum(axis=0) - expected, np.sqrt(variance), out=np.zeros(Z.shape[1]), where=told)
    return z, np.where(told, normal_two_sided(z), 1.0)


def median_split(X: np.ndarray) -> np.ndarray:
    """Return which values lie above the median of their column, as 0 and 1; from it on if none lies above."""
    middle = np.partition(X, (len(X) - 1) // 2, axis=0)[(len(X) - 1) // 2]
    above = middle < X
    return np.where(above.any(axis=0), above, middle <= X).astype(float)


def _within_one(X: np.ndarray, first: int) -> np.ndarray:
    """Return columns with mean about 0 and largest size 1, so that neither origin nor unit costs digits.

    Rows before the first that is at risk at an event are 0: an outlier among them would cost the others their digits.
    """
    out, seen = np.zeros(X.shape), X[first:]
    # Half of each end is finite where their difference is not.
    middle = seen.min(axis=0) / 2.0 + seen.max(axis=0) / 2.0
    Z = seen / 2.0 - middle / 2.0
    largest = np.abs(Z).max(axis=0, initial=0.0)
    Z = np.divide(Z, largest, out=np.zeros_like(Z), where=largest > 0)
    out[first:] = Z - Z.mean(axis=0)
    return out


def _from_the_end(values: np.ndarray) -> np.ndarray:
    return np.cumsum(values[::-1], axis=0)[::-1]

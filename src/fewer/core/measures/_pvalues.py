"""Tail probabilities without warnings; a test without degrees of freedom has p-value 1."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import chdtrc, fdtrc, ndtr, stdtr


def chi2_tail(statistic: ArrayLike, dof: ArrayLike) -> np.ndarray:
    """Return P(chi2 > statistic)."""
    dof = np.asarray(dof)
    return np.where(dof > 0, chdtrc(np.maximum(dof, 1), statistic), 1.0)


def f_tail(statistic: ArrayLike, dof_between: ArrayLike, dof_within: ArrayLike) -> np.ndarray:
    """Return P(F > statistic), which is 0 at infinity; what is not a number stays so."""
    statistic, first, second = np.broadcast_arrays(statistic, dof_between, dof_within)
    possible = (first > 0) & (second > 0)
    finite = np.where(possible & ~np.isinf(statistic), statistic, 0.0)
    tail = fdtrc(np.where(possible, first, 1.0), np.where(possible, second, 1.0), finite)
    return np.where(possible, np.where(np.isinf(statistic), 0.0, tail), 1.0)


def t_two_sided(statistic: ArrayLike, dof: ArrayLike) -> np.ndarray:
    """Return P(|T| > |statistic|), which is 0 at infinity; what is not a number stays so."""
    statistic, dof = np.broadcast_arrays(statistic, dof)
    possible = dof > 0
    finite = np.where(np.isinf(statistic), 0.0, statistic)
    tail = 2.0 * stdtr(np.where(possible, dof, 1.0), -np.abs(finite))
    return np.where(possible | np.isnan(statistic), np.where(np.isinf(statistic), 0.0, tail), 1.0)


def normal_two_sided(z: ArrayLike) -> np.ndarray:
    """Return P(|Z| > |z|)."""
    return 2.0 * ndtr(-np.abs(np.asarray(z, dtype=np.float64)))


def chi2_as_normal(statistic: ArrayLike, dof: ArrayLike) -> np.ndarray:
    """Return statistics as about standard normal ones (Wilson and Hilferty 1931), 0 without degrees of freedom.

    They tell apart tests of several degrees of freedom whose p-values are 0 in floating point.
    """
    dof = np.asarray(dof, np.float64)
    some = np.maximum(dof, 1.0)
    spread = 2.0 / (9.0 * some)
    return np.where(dof > 0, (np.cbrt(statistic / some) - 1.0 + spread) / np.sqrt(spread), 0.0)

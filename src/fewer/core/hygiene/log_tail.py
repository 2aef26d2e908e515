"""How unlikely a chi-squared statistic is, without the library of distributions, which takes half a second to load."""

from __future__ import annotations

import numpy as np
from scipy.special import chdtr, chdtrc


def log_tail(statistic: np.ndarray, dof: np.ndarray) -> np.ndarray:
    """Return ln P(chi2 > statistic), exact also where that is nearly 1; what is not a number stays so."""
    # A statistic of 0 may be rounded to less.
    statistic = np.maximum(statistic, 0.0)
    tail = chdtrc(dof, statistic)
    with np.errstate(divide="ignore"):
        return np.where(tail > 0.5, np.log1p(-chdtr(dof, statistic)), np.log(tail))

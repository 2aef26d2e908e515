"""Weights of evidence of levels, and the information value, of tables with two columns."""

from __future__ import annotations

import numpy as np

from fewer.core.measures._tables import of_tables
from fewer.core.summaries.results import Counts

# Rows added to both columns at every level that occurs.
HALF = 0.5


def _fractions(counts: Counts) -> tuple[np.ndarray, np.ndarray]:
    """Return the fractions of both columns at every level, (n_levels, 2), and which levels occur."""
    occurs = counts.table.sum(axis=1) > 0
    smoothed = np.where(occurs[:, None], counts.table + HALF, 0.0)
    totals = np.repeat(counts.per_feature(smoothed), np.diff(counts.offsets), axis=0)
    return smoothed / totals, occurs


def evidence_weights(counts: Counts) -> np.ndarray:
    """Return ln(p / q) of every level, p its fraction of the second column and q that of the first; 0 without rows.

    Parameters
    ----------
    counts : Counts
        Levels by two columns.

    Returns
    -------
    ndarray of shape (n_levels,)
    """
    share, occurs = _fractions(counts)
    share = np.where(occurs[:, None], share, 1.0)
    return np.log(share[:, 1]) - np.log(share[:, 0])


@of_tables
def information_value(counts: Counts) -> np.ndarray:
    """Return the sum over levels of (p - q) ln(p / q), half a row added to each cell of levels that occur.

    N. Siddiqi, "Credit Risk Scorecards", 2006, chapter 6. Between reference and actual rows in place of two classes it
    is the population stability index.

    Parameters
    ----------
    counts : Counts or array-like
        Levels by two classes, see `as_counts`.

    Returns
    -------
    ndarray of shape (n_features,), or float for one table

    Examples
    --------
    >>> round(information_value([[90, 60], [10, 40]]), 3)
    0.521
    """
    share, _ = _fractions(counts)
    return counts.per_feature((share[:, 1] - share[:, 0]) * evidence_weights(counts))

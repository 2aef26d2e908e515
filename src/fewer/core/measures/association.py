"""Association of a feature with the target: chi-squared for tables, correlation for numbers."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from fewer.core.measures._pvalues import chi2_tail, t_two_sided
from fewer.core.measures._scatter import above_noise, signed_ratio
from fewer.core.measures._tables import Margins, of_tables, ratio
from fewer.core.summaries.results import Counts, TargetProducts


def _chi2(tables: Margins) -> np.ndarray:
    """N sum_j p_j sum_c (p(c | j) - p_c)^2 / p_c, exactly 0 for independent counts."""
    share = tables.beside_levels(tables.column_shares)
    return tables.counts.per_feature(tables.rows * ratio((tables.given_level - share) ** 2, share).sum(axis=1))


@of_tables
def chi2(counts: Counts) -> np.ndarray:
    """Return Pearson's sum over cells of (observed - expected)^2 / expected, without continuity correction.

    Book ch. 13, table 13.1, and ch. 14, section 14.2.6. All levels count, also the absence of a word:
    `sklearn.feature_selection.chi2` leaves that out.

    Parameters
    ----------
    counts : Counts or array-like
        Levels by classes, see `as_counts`.

    Returns
    -------
    ndarray of shape (n_features,), or float for one table

    Examples
    --------
    >>> chi2([[50, 0], [0, 150]])
    200.0
    """
    return _chi2(Margins.of(counts))


@of_tables
def chi2_test(counts: Counts) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Test independence by Pearson's `chi2` with (levels - 1)(classes - 1) degrees of freedom.

    Parameters
    ----------
    counts : Counts or array-like
        Levels by classes, see `as_counts`.

    Returns
    -------
    statistic, dof, pvalue : ndarrays of shape (n_features,), or numbers for one table
        Without degrees of freedom the statistic is 0 and the p-value 1.
    """
    tables = Margins.of(counts)
    statistic = _chi2(tables)
    return statistic, tables.dof, chi2_tail(statistic, tables.dof)


def pearson(products: TargetProducts) -> np.ndarray:
    """Return the linear correlation r = c_xy / sqrt(m2_x m2_y) (book ch. 17, section 17.2.3).

    Parameters
    ----------
    products : TargetProducts
        Centred sums of squares and products of the features and the target.

    Returns
    -------
    ndarray of shape (n_features,)
        In [-1, 1]; 0 for a constant feature or target.
    """
    spread_x = np.sqrt(above_noise(products.m2_x, np.abs(products.mean_x), products.weight))
    spread_y = np.sqrt(above_noise(products.m2_y, np.abs(products.mean_y), products.weight))
    # One root after the other: the product of the two sums of squares may overflow.
    return np.clip(ratio(ratio(products.c_xy, spread_x), spread_y), -1.0, 1.0)


def correlation_pvalue(r: ArrayLike, n: ArrayLike) -> np.ndarray:
    """Return the two-sided p-value of a correlation, from t = r sqrt((n - 2) / (1 - r^2)) with n - 2 dof.

    Parameters
    ----------
    r : array-like
        Correlations: Pearson's (exact for normal data) or Spearman's (approximate).
    n : number or array-like
        Number of rows.

    Returns
    -------
    ndarray
        0 for r = 1 or -1; 1 with fewer than three rows; NaN where r is.
    """
    r, n = np.broadcast_arrays(np.asarray(r, dtype=np.float64), np.asarray(n, dtype=np.float64))
    dof = np.where(n >= 3, n - 2.0, 0.0)
    # The product keeps the digits of 1 - r^2 near r = 1.
    statistic = signed_ratio(np.abs(r) * np.sqrt(dof), np.sqrt((1.0 - r) * (1.0 + r)))
    return t_two_sided(statistic, dof)

"""How much purer the target is within the levels of a feature: Gini, its pairwise form, variance."""

from __future__ import annotations

import numpy as np

from fewer.core.measures._pvalues import chi2_tail
from fewer.core.measures._scatter import level_scatter
from fewer.core.measures._tables import Margins, of_tables, ratio
from fewer.core.summaries.results import Counts, LevelMoments


def _gini_gain(tables: Margins) -> np.ndarray:
    """Mean squared distance of the class fractions of a level from those of all rows."""
    deviation = tables.given_level - tables.beside_levels(tables.column_shares)
    return tables.average((deviation**2).sum(axis=1))


def _gini_impurity(tables: Margins) -> np.ndarray:
    """1 - sum_c p_c^2, as a sum of products that is exactly 0 for one class."""
    return (tables.column_shares * (1.0 - tables.column_shares)).sum(axis=1)


@of_tables
def gini_gain(counts: Counts) -> np.ndarray:
    """Return the drop of the Gini impurity, sum_j p_j sum_c p(c | j)^2 - sum_c p_c^2 (book ch. 9, eq. 9.2).

    Computed as sum_j p_j sum_c (p(c | j) - p_c)^2, which is equal and cannot become negative.

    Parameters
    ----------
    counts : Counts or array-like
        Levels by classes, see `as_counts`.

    Returns
    -------
    ndarray of shape (n_features,), or float for one table

    Examples
    --------
    >>> gini_gain([[3, 1], [1, 3]])
    0.125
    """
    return _gini_gain(Margins.of(counts))


@of_tables
def myopic_relief(counts: Counts) -> np.ndarray:
    """Return P(different value | different class) - P(different value | same class) over all pairs of rows.

    W = E (G - S) / (S (1 - S)), E = sum_j p_j^2, S = sum_c p_c^2, G = sum_j (p_j^2 / E) sum_c p(c | j)^2
    (book ch. 9, eq. 9.7 to 9.9), pairs drawn with replacement: Relief without nearness. It may be negative;
    with one class it is 0. Parameters and return value as for `gini_gain`.
    """
    tables = Margins.of(counts)
    same_class = (tables.column_shares**2).sum(axis=1)
    purity = (tables.given_level**2).sum(axis=1) - tables.beside_levels(same_class)
    return ratio(tables.average(tables.row_shares * purity), same_class * _gini_impurity(tables))


@of_tables
def catanova(counts: Counts) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Test the Gini gain: (N - 1)(C - 1) gain / impurity is about chi2 with (levels - 1)(C - 1) dof.

    The analysis of variance for categories of Light and Margolin (JASA 66, 1971); gain / impurity is the
    tau of Goodman and Kruskal, BSS / TSS in the paper. Holds for classes of equal size; `gini_test` for any.

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
    explained = ratio(_gini_gain(tables), _gini_impurity(tables))
    statistic = np.maximum(tables.total - 1.0, 0.0) * np.maximum(tables.classes - 1, 0) * explained
    return statistic, tables.dof, chi2_tail(statistic, tables.dof)


@of_tables
def gini_test(counts: Counts) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Test the Gini gain: (N - 1) gain is about a sum of chi2 variables, weighted by what each class can vary.

    The weights are the eigenvalues of diag(p) - p p', each with (levels - 1) degrees of freedom; with equal classes
    they are equal, and the test is `catanova`. The sum has the distribution of a scaled and moved chi2 with the same
    mean, variance and third moment (P. Hall, Ann. Probab. 11, 1983; M. J. Buckley and G. K. Eagleson, 1988).

    Parameters
    ----------
    counts : Counts or array-like
        Levels by classes, see `as_counts`.

    Returns
    -------
    statistic, dof, pvalue : ndarrays of shape (n_features,), or numbers for one table
        The statistic and its degrees of freedom are those of that chi2; without any they are 0 and the p-value 1.
    """
    tables = Margins.of(counts)
    free = np.where(tables.dof > 0, tables.dof / np.maximum(tables.classes - 1, 1), 0.0)
    two, three, four = ((tables.column_shares**k).sum(axis=1) for k in (2, 3, 4))
    # Sums of powers of the eigenvalues, which are the traces of powers of the matrix.
    first = free * _gini_impurity(tables)
    second = 2.0 * free * (two - 2.0 * three + two**2)
    third = 8.0 * free * (three - 3.0 * four + 3.0 * two * three - two**3)
    dof = ratio(8.0 * second**3, third**2)
    away = ratio(_gini_gain(tables) * np.maximum(tables.total - 1.0, 0.0) - first, np.sqrt(second))
    statistic = np.where(dof > 0, np.maximum(dof + away * np.sqrt(2.0 * dof), 0.0), 0.0)
    return statistic, dof, chi2_tail(statistic, dof)


def variance_reduction(moments: LevelMoments) -> np.ndarray:
    """Return the drop of the variance of the target, s^2 - sum_j p_j s_j^2 (book ch. 9, section 9.3).

    Variances are divided by the number of rows. Computed as the variance of the level means, which is
    equal. For a target of zeros and ones the Gini gain is twice this.

    Parameters
    ----------
    moments : LevelMoments
        Weight, mean and sum of squared deviations of the target at every level of every feature.

    Returns
    -------
    ndarray of shape (n_features,)
    """
    scatter = level_scatter(moments)
    return ratio(scatter.between, scatter.weight)


def variance_reduction_test(moments: LevelMoments) -> tuple[np.ndarray, np.ndarray]:
    """Test the variance reduction by the one-way analysis of variance of the target over the levels.

    F = (between / (k - 1)) / (within / (n - k)) with k levels that occur; over n where n is at most k.

    Parameters
    ----------
    moments : LevelMoments
        Weight, mean and sum of squared deviations of the target at every level of every feature.

    Returns
    -------
    statistic, pvalue : ndarrays of shape (n_features,)
        A constant target or feature gives 0 and 1. Levels that explain the target without rest give infinity and
        0, or 1 where there are as many levels as rows.
    """
    return level_scatter(moments).f_ratio()

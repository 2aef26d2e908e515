"""Entropies and information between a feature and the classes, in nats.

Every function takes `Counts` and returns one number per feature; one 2-D table (levels by classes) gives a
float, a 3-D stack of tables an array. Levels and classes that do not occur are ignored.
"""

from __future__ import annotations

import numpy as np
from scipy.special import entr, gammaln, xlogy

from fewer.core.measures._pvalues import chi2_tail
from fewer.core.measures._tables import Margins, of_tables, ratio
from fewer.core.summaries.results import Counts


def _not_negative(values: np.ndarray) -> np.ndarray:
    """Clip round-off below 0 (and the negative zero)."""
    return np.maximum(values, 0.0) + 0.0


def _row_entropy(tables: Margins) -> np.ndarray:
    """H(F)."""
    return _not_negative(tables.counts.per_feature(entr(tables.row_shares)))


def _column_entropy(tables: Margins) -> np.ndarray:
    """H(Y)."""
    return _not_negative(entr(tables.column_shares).sum(axis=1))


def _joint_entropy(tables: Margins) -> np.ndarray:
    """H(F, Y)."""
    shares = ratio(tables.cells, tables.beside_levels(tables.total)[:, None])
    return _not_negative(tables.counts.per_feature(entr(shares).sum(axis=1)))


def _information(tables: Margins) -> np.ndarray:
    """I(F; Y) as the mean of log p(c | j) / p(c): exactly 0 for independent counts, unlike H + H - H."""
    lift = ratio(tables.given_level, tables.beside_levels(tables.column_shares), otherwise=1.0)
    return _not_negative(ratio(tables.counts.per_feature(xlogy(tables.cells, lift).sum(axis=1)), tables.total))


@of_tables
def row_entropy(counts: Counts) -> np.ndarray:
    """Return the entropy of the feature, H(F) = -sum_j p_j log p_j (book ch. 17, section 17.2.3).

    Parameters
    ----------
    counts : Counts or array-like
        Levels by classes, see `as_counts`.

    Returns
    -------
    ndarray of shape (n_features,), or float for one table

    Examples
    --------
    >>> round(row_entropy([[3, 1], [1, 3]]), 6)
    0.693147
    """
    return _row_entropy(Margins.of(counts))


@of_tables
def column_entropy(counts: Counts) -> np.ndarray:
    """Return the entropy of the classes, H(Y) = -sum_c p_c log p_c (book ch. 17, section 17.2.3).

    Parameters and return value as for `row_entropy`.
    """
    return _column_entropy(Margins.of(counts))


@of_tables
def joint_entropy(counts: Counts) -> np.ndarray:
    """Return the entropy of the pair, H(F, Y) = -sum_jc p_jc log p_jc (book ch. 9, eq. 9.1).

    Parameters and return value as for `row_entropy`.
    """
    return _joint_entropy(Margins.of(counts))


@of_tables
def information_gain(counts: Counts) -> np.ndarray:
    """Return the mutual information, I(F; Y) = H(Y) - H(Y | F) = H(F) + H(Y) - H(F, Y).

    Book ch. 9, eq. 9.1; ch. 13, table 13.1; ch. 16, eq. 16.2; paper-microarray, eq. 6.4. It favours
    features with many levels. Parameters and return value as for `row_entropy`.

    Examples
    --------
    >>> round(information_gain([[4, 0], [0, 4]]), 6)
    0.693147
    """
    return _information(Margins.of(counts))


@of_tables
def gain_ratio(counts: Counts) -> np.ndarray:
    """Return I(F; Y) / H(F), in [0, 1]; 0 for a constant feature (book ch. 9, section 9.2.1).

    Parameters and return value as for `row_entropy`.
    """
    tables = Margins.of(counts)
    return np.minimum(ratio(_information(tables), _row_entropy(tables)), 1.0)


@of_tables
def distance_gain(counts: Counts) -> np.ndarray:
    """Return 1 - D = I(F; Y) / H(F, Y), in [0, 1]; 0 if both are constant (book ch. 9, section 9.2.1).

    D is the normalised distance of Lopez de Mantaras, a metric. Parameters and return value as for
    `row_entropy`.
    """
    tables = Margins.of(counts)
    return np.minimum(ratio(_information(tables), _joint_entropy(tables)), 1.0)


@of_tables
def symmetrical_uncertainty(counts: Counts) -> np.ndarray:
    """Return SU = 2 I(F; Y) / (H(F) + H(Y)), in [0, 1]; 0 if both are constant (book ch. 17, section 17.2.3).

    Parameters and return value as for `row_entropy`.
    """
    tables = Margins.of(counts)
    return np.minimum(ratio(2.0 * _information(tables), _row_entropy(tables) + _column_entropy(tables)), 1.0)


@of_tables
def mdl_score(counts: Counts) -> np.ndarray:
    """Return the nats per row that the feature saves in the code of the classes (book ch. 9, section 9.2.1).

    The score is (code(all rows) - sum over levels of code(rows of the level)) / N; n rows with C classes cost
    code = log multinomial(n; n_1 .. n_C) + log binomial(n + C - 1, C - 1) (Kononenko 1995). It is
    negative for a feature that does not compress, so levels without content do not pay. C is the number of
    classes that occur in the whole table. Parameters and return value as for `row_entropy`.
    """
    tables = Margins.of(counts)
    classes = np.maximum(tables.classes, 1)
    before = _class_code(tables.total, tables.columns, classes)
    after = counts.per_feature(_class_code(tables.rows, tables.cells, tables.beside_levels(classes)))
    return ratio(before - after, tables.total)


def _class_code(total: np.ndarray, parts: np.ndarray, classes: np.ndarray) -> np.ndarray:
    """Code length of the classes; the log (n!) of the multinomial cancels that of the binomial."""
    return gammaln(total + classes) - gammaln(classes) - gammaln(parts + 1.0).sum(axis=1)


@of_tables
def g_test(counts: Counts) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Test independence by the likelihood ratio G = 2 N I(F; Y).

    About chi2 with (levels - 1)(classes - 1) degrees of freedom (Wilks 1938).

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
    statistic = 2.0 * tables.total * _information(tables)
    return statistic, tables.dof, chi2_tail(statistic, tables.dof)

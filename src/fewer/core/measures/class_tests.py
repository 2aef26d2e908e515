"""Tests of equal class means of a numeric feature, from the moments per class.

Weights are taken as numbers of rows. A feature without variation gives statistic 0 and p-value 1. Classes that
differ while no value varies within a class give an infinite statistic and p-value 0. Where rows or their weights
are too few for the degrees of freedom, the p-value is 1, and the statistic is that of population variances, which
are divided by the weight instead of the weight less one: it tells features apart however small the weights are.
"""

from __future__ import annotations

import numpy as np

from fewer.core.measures._pairs import two_classes
from fewer.core.measures._pvalues import t_two_sided
from fewer.core.measures._scatter import class_scatter, divisor, signed_ratio
from fewer.core.summaries.results import Moments


def f_test(moments: Moments) -> tuple[np.ndarray, np.ndarray]:
    """Test equal means by the one-way analysis of variance.

    F = (sum_c n_c (m_c - m)^2 / (C - 1)) / (sum_c n_c v_c / (n - C)), with population variances v_c and the
    C classes that occur (Fisher 1925).

    Parameters
    ----------
    moments : Moments
        Rows, means and sums of squared deviations per feature and class.

    Returns
    -------
    statistic, pvalue : ndarrays of shape (n_features,)
    """
    return class_scatter(moments).f_ratio()


def pooled_t(moments: Moments) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Test equal means of two classes that share their variance (Student's t).

    t = (m_1 - m_0) / sqrt(s^2 (1/n_1 + 1/n_0)) with n - 2 degrees of freedom, where s^2 is the sum of squared
    deviations within the classes over n - 2, or over n if that is at most 2; t^2 is the F of `f_test`.

    Parameters
    ----------
    moments : Moments
        Of two classes; the sign is that of class 1 minus class 0.

    Returns
    -------
    statistic, dof, pvalue : ndarrays of shape (n_features,)
    """
    pair = two_classes(moments, "pooled_t")
    dof = max(pair.rows.sum() - 2.0, 0.0)
    if not pair.rows.all():
        return _no_test(pair.difference, dof)
    variance = pair.m2.sum(axis=1) / divisor(pair.rows.sum(), 2.0, dof > 0) * (1.0 / pair.rows).sum()
    statistic = signed_ratio(pair.difference, np.sqrt(variance))
    return statistic, np.full_like(statistic, dof), t_two_sided(statistic, dof)


def welch_t(moments: Moments) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Test equal means of two classes with variances of their own (Welch 1947).

    t = (m_1 - m_0) / sqrt(e_1 + e_0), e_c = s_c^2 / n_c, with degrees of freedom
    (e_1 + e_0)^2 / (e_1^2 / (n_1 - 1) + e_0^2 / (n_0 - 1)), or n - 2 where no value varies. Each class needs
    two rows; for one that weighs less s_c^2 is the variance of the population, and the p-value is 1.

    Parameters
    ----------
    moments : Moments
        Of two classes; the sign is that of class 1 minus class 0.

    Returns
    -------
    statistic, dof, pvalue : ndarrays of shape (n_features,)
    """
    pair = two_classes(moments, "welch_t")
    pooled_dof = max(pair.rows.sum() - 2.0, 0.0)
    if not pair.rows.all():
        return _no_test(pair.difference, pooled_dof)
    error = pair.mean_squares / pair.rows
    total = error.sum(axis=1)
    statistic = signed_ratio(pair.difference, np.sqrt(total))
    if (pair.rows < 2).any():
        return statistic, np.full_like(statistic, pooled_dof), np.ones_like(statistic)
    # Fractions of the total: the squares of the errors themselves may underflow.
    shares = error / np.where(total > 0, total, 1.0)[:, None]
    spread = (shares**2 / (pair.rows - 1.0)).sum(axis=1)
    dof = np.where(total > 0, 1.0 / np.where(total > 0, spread, 1.0), pooled_dof)
    return statistic, dof, t_two_sided(statistic, dof)


def _no_test(like: np.ndarray, dof: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return statistic 0 and p-value 1 for all features."""
    return np.zeros_like(like), np.full_like(like, dof), np.ones_like(like)

"""How relevant each feature is on its own: a test on its numbers and a test on its levels, on one scale."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fewer.core.folds.moments import FoldMoments
from fewer.core.measures._pvalues import chi2_tail, f_tail
from fewer.core.summaries.results import Counts


@dataclass(frozen=True, eq=False)
class Relevance:
    """One number per feature each.

    Attributes
    ----------
    strength : ndarray
        Fraction of the variation that target and feature share, corrected for chance, 0 to 1.
    information : ndarray
        The same as information about the target in nats.
    rank : ndarray
        What orders the features: the test statistic as a normal deviate, which does not underflow.
    pvalue : ndarray
        The p-value; of two tests twice the smaller one.
    """

    strength: np.ndarray
    information: np.ndarray
    rank: np.ndarray
    pvalue: np.ndarray


def relevance(moments: FoldMoments, table: Counts, numeric: np.ndarray, numbers: bool) -> Relevance:
    """Test every feature.

    Parameters
    ----------
    moments : FoldMoments
        Of some folds together: one line per class, or one line with a numeric target.
    table : Counts
        Of the same rows: levels of every feature by classes, or by bins of a numeric target.
    numeric : ndarray of bool
        Which features are numbers; of the others only the levels are tested.
    numbers : bool
        Whether the target is numeric.
    """
    of_numbers, of_levels = _by_numbers(moments, numbers), _by_levels(table)
    better = numeric & (of_numbers.rank >= of_levels.rank)
    pvalue = np.where(
        numeric, np.minimum(1.0, 2.0 * np.minimum(of_numbers.pvalue, of_levels.pvalue)), of_levels.pvalue
    )
    chosen = [np.where(better, getattr(of_numbers, n), getattr(of_levels, n)) for n in ("strength", "information", "rank")]
    return Relevance(*chosen, pvalue)


def _by_numbers(m: FoldMoments, numbers: bool) -> Relevance:
    """The F-test of the classes, or the correlation with a numeric target."""
    total = m.total.sum(axis=0)
    if numbers:
        between, all_ = m.product[0] ** 2, m.m2[0] * m.m2_y[0]
        dof = np.ones(len(total))
    else:
        weight = np.where(total > 0, total, 1.0)
        mean = (m.total * m.mean).sum(axis=0) / weight
        between = (m.total * (m.mean - mean) ** 2).sum(axis=0)
        all_ = between + m.m2.sum(axis=0)
        dof = np.maximum((m.total > 0).sum(axis=0) - 1.0, 0.0)
    # A column whose deviations are but rounding has none.
    share = np.divide(between, all_, out=np.zeros_like(total), where=all_ > 0)
    share = np.clip(np.where(dof > 0, share, 0.0), 0.0, 1.0)
    left = total - dof - 1.0
    with np.errstate(divide="ignore", invalid="ignore"):
        statistic = np.where(left > 0, share / dof * left / (1.0 - share), 0.0)
    pvalue = f_tail(np.nan_to_num(statistic, nan=0.0, posinf=np.inf), dof, left)
    return _on_scale(share, total, dof, np.ones_like(dof), dof, pvalue)


def _by_levels(counts: Counts) -> Relevance:
    """Pearson's chi-squared test of the levels, by the exact mean and variance of random permutations."""
    table = counts.table.astype(np.float64)
    levels, columns = table.sum(axis=1), counts.per_feature(table)
    total = columns.sum(axis=1)
    n = np.repeat(total, np.diff(counts.offsets))
    # All features have the same columns, but for rounding of weights.
    expected = levels[:, None] * (np.repeat(columns, np.diff(counts.offsets), axis=0) / np.where(n > 0, n, 1.0)[:, None])
    parts = np.divide((table - expected) ** 2, expected, out=np.zeros_like(table), where=expected > 0)
    statistic = counts.per_feature(parts.sum(axis=1))
    r, c = counts.occurring.astype(float), (columns > 0).sum(axis=1).astype(float)
    dof, widest = (r - 1.0) * (c - 1.0), np.maximum(np.minimum(r, c) - 1.0, 1.0)
    inverse = [
        counts.per_feature(np.divide(1.0, levels, out=np.zeros_like(levels), where=levels > 0)),
        np.divide(1.0, columns, out=np.zeros_like(columns), where=columns > 0).sum(axis=1),
    ]
    mean, variance = _chi2_moments(total, r, c, *inverse)
    effective = np.where(dof > 0, 2.0 * mean**2 / np.where(variance > 0, variance, 1.0), 0.0)
    share = np.clip(np.divide(statistic, total * widest, out=np.zeros_like(total), where=total > 0), 0.0, 1.0)
    scale = np.divide(effective, mean, out=np.zeros_like(mean), where=mean > 0)
    pvalue = chi2_tail(statistic * scale, effective)
    pvalue = np.where(dof > 0, pvalue, 1.0)
    return _on_scale(np.where(dof > 0, share, 0.0), total, dof, widest, effective, pvalue, scale)


def _chi2_moments(
    n: np.ndarray, r: np.ndarray, c: np.ndarray, sum_r: np.ndarray, sum_c: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return mean and variance of chi-squared over all permutations of the rows (Dawson 1954); of few rows as usual."""
    dof = (r - 1.0) * (c - 1.0)
    few = n < 5.0
    n = np.where(few, 5.0, n)
    v1, v2 = (r - 1.0) * (n - r) / (n - 1.0), (c - 1.0) * (n - c) / (n - 1.0)
    w1, w2 = (n * sum_r - r**2) / (n - 2.0), (n * sum_c - c**2) / (n - 2.0)
    variance = 2.0 * n / (n - 3.0) * (v1 - w1) * (v2 - w2) + n**2 / (n - 1.0) * w1 * w2
    usual = few | (variance <= 0)
    return np.where(usual, dof, dof * n / (n - 1.0)), np.where(usual, 2.0 * dof, variance)


def _on_scale(
    share: np.ndarray,
    total: np.ndarray,
    dof: np.ndarray,
    widest: np.ndarray,
    effective: np.ndarray,
    pvalue: np.ndarray,
    scale: np.ndarray | float = 1.0,
) -> Relevance:
    """Return a fraction of shared variation as information, corrected for chance, and as a normal deviate.

    The statistic is the likelihood ratio of Gaussian variables that share this fraction, which has no upper end: where
    all rows are told apart, the more rows the better.
    """
    dof = np.maximum(dof, 1e-12)
    ratio = -total * widest * np.log1p(-np.minimum(share, 1.0 - 1e-12))
    left = np.maximum(ratio - dof, 0.0)
    weight = np.where(total > 0, total, 1.0)
    information = left / (2.0 * weight)
    strength = 1.0 - np.exp(-left / (weight * widest))
    # Wilson and Hilferty 1931: the cube root of chi-squared is nearly normal.
    k = np.maximum(effective, 1e-9)
    rank = (np.cbrt(ratio * scale / k) - (1.0 - 2.0 / (9.0 * k))) / np.sqrt(2.0 / (9.0 * k))
    return Relevance(strength, information, np.where(effective > 0, rank, -np.inf), pvalue)

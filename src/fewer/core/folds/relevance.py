"""How relevant each feature is on its own: a test of the order of its levels and one of the levels, on one scale."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fewer.core.folds.small_counts import exact_levels, exact_order
from fewer.core.measures._pvalues import chi2_tail
from fewer.core.summaries.results import Counts

# Tables of more cells are tested in halves, so that what is computed on the way stays small.
MOST_CELLS = 2**22


@dataclass(frozen=True, eq=False)
class Relevance:
    """One number per feature each.

    Attributes
    ----------
    strength : ndarray
        Fraction of the variation that target and feature share, corrected for chance, 0 to 1; of a numeric target that
        of its ranks, as Spearman's squared correlation or the correlation ratio of the levels, the larger one.
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


FIELDS = ("strength", "information", "rank", "pvalue")


def relevance(counts: Counts, numeric: np.ndarray, missing: np.ndarray, numbers: bool, exact: bool = True) -> Relevance:
    """Test every feature.

    Parameters
    ----------
    counts : Counts
        Levels of every feature by classes, or by bins of a numeric target.
    numeric : ndarray of bool
        Which features are numbers: the order of their levels is tested, too.
    missing : ndarray of bool
        Of which of these the last level holds the missing values, which have no place in the order.
    numbers : bool
        Whether the target is numeric, so that its bins have an order.
    exact : bool
        Whether p-values are exact where counts are small; without, they only serve to order features.
    """
    middle = counts.n_features // 2
    if counts.table.size > MOST_CELLS and middle:
        halves = (slice(0, middle), slice(middle, None))
        parts = [relevance(_part(counts, half), numeric[half], missing[half], numbers, exact) for half in halves]
        return Relevance(*(np.concatenate([getattr(part, name) for part in parts]) for name in FIELDS))
    tables = _Tables.of(counts)
    ordered = _without_missing(counts, missing)
    of_levels, of_order = _by_levels(tables), _by_order(_Tables.of(ordered), numbers)
    of_levels_p, of_order_p = of_levels.pvalue, np.where(numeric, of_order.pvalue, 1.0)
    if exact:
        of_levels_p, of_order_p = exact_levels(counts, of_levels_p), exact_order(ordered, of_order_p, numbers)
    better = numeric & (of_order.rank >= of_levels.rank)
    # Two levels have no order among classes, and one test.
    both = numeric & ((tables.n_levels > 2) | numbers)
    least = np.where(both, 2.0 * np.minimum(of_order_p, of_levels_p), of_levels_p)
    strength = np.where(better, of_order.strength, of_levels.strength)
    if numbers:
        # A fraction of chi-squared has another scale than a squared correlation; this one has the same.
        ratio = _correlation_ratio(tables)
        strength = np.where(numeric, np.maximum(ratio, of_order.strength), ratio)
    return Relevance(
        strength=strength,
        information=np.where(better, of_order.information, of_levels.information),
        rank=np.where(better, of_order.rank, of_levels.rank),
        pvalue=np.minimum(1.0, least),
    )


def _part(counts: Counts, features: slice) -> Counts:
    """Return the counts of neighbouring features."""
    start, stop, _ = features.indices(counts.n_features)
    offsets = counts.offsets[start : stop + 1]
    return Counts(counts.table[offsets[0] : offsets[-1]], offsets - offsets[0])


@dataclass(frozen=True, eq=False)
class _Tables:
    """Tables of levels by classes, and their margins."""

    counts: Counts
    table: np.ndarray
    levels: np.ndarray
    columns: np.ndarray
    total: np.ndarray
    n_levels: np.ndarray
    n_columns: np.ndarray

    @classmethod
    def of(cls, counts: Counts) -> _Tables:
        table = counts.table.astype(np.float64)
        levels, columns = table.sum(axis=1), counts.per_feature(table)
        n_levels, n_columns = counts.occurring.astype(float), (columns > 0).sum(axis=1).astype(float)
        return cls(counts, table, levels, columns, columns.sum(axis=1), n_levels, n_columns)

    def beside(self, per_feature: np.ndarray) -> np.ndarray:
        """Repeat what is known per feature beside its levels."""
        return np.repeat(per_feature, np.diff(self.counts.offsets), axis=0)


def _without_missing(counts: Counts, missing: np.ndarray) -> Counts:
    if not missing.any():
        return counts
    table = counts.table.copy()
    table[counts.offsets[1:][missing] - 1] = 0
    return Counts(table, counts.offsets)


def _by_order(t: _Tables, numbers: bool) -> Relevance:
    """The test of Kruskal and Wallis of the classes, or Spearman's correlation with a numeric target, by bins.

    Ranks have no long tails, so that p-values hold whatever the distribution.
    """
    starts = t.counts.offsets[:-1]
    total = np.where(t.total > 0, t.total, 1.0)
    below = np.cumsum(t.levels) - t.levels
    # Ranks as fractions of the rows, less one half, which is their mean.
    place = (below - t.beside(below[starts]) + 0.5 * t.levels) / t.beside(total) - 0.5
    spread = t.counts.per_feature(t.levels * place**2)
    sums = t.counts.per_feature(t.table * place[:, None])
    if numbers:
        of_bins = (np.cumsum(t.columns, axis=1) - 0.5 * t.columns) / total[:, None] - 0.5
        between = (sums * of_bins).sum(axis=1) ** 2
        spread = spread * (t.columns * of_bins**2).sum(axis=1)
        dof = np.ones(len(total))
    else:
        between = np.divide(sums**2, t.columns, out=np.zeros_like(sums), where=t.columns > 0).sum(axis=1)
        dof = np.maximum(t.n_columns - 1.0, 0.0)
    varies = (t.n_levels > 1) & (t.n_columns > 1)
    share = np.clip(np.divide(between, spread, out=np.zeros_like(total), where=spread > 0), 0.0, 1.0)
    share, dof = np.where(varies, share, 0.0), np.where(varies, dof, 0.0)
    pvalue = chi2_tail(np.maximum(total - 1.0, 0.0) * share, dof)
    by_chance = total / np.maximum(total - 1.0, 1.0) * dof
    return _on_scale(share, total, by_chance, np.ones_like(dof), dof, pvalue)


def _correlation_ratio(t: _Tables) -> np.ndarray:
    """Return which fraction of the variance of the ranks of a numeric target is between levels, less that of chance."""
    total = np.where(t.total > 0, t.total, 1.0)
    of_bins = (np.cumsum(t.columns, axis=1) - 0.5 * t.columns) / total[:, None] - 0.5
    sums = (t.table * t.beside(of_bins)).sum(axis=1)
    between = t.counts.per_feature(np.divide(sums**2, t.levels, out=np.zeros_like(sums), where=t.levels > 0))
    spread = (t.columns * of_bins**2).sum(axis=1)
    share = np.divide(between, spread, out=np.zeros_like(spread), where=spread > 0)
    by_chance = np.clip((t.n_levels - 1.0) / np.maximum(total - 1.0, 1.0), 0.0, 1.0)
    room = np.maximum(1.0 - by_chance, 1e-12)
    return np.where(by_chance < 1.0, np.clip((share - by_chance) / room, 0.0, 1.0), 0.0)


def _by_levels(t: _Tables) -> Relevance:
    """Pearson's chi-squared test of the levels, by the exact mean and variance of random permutations."""
    total = np.where(t.total > 0, t.total, 1.0)
    expected = t.levels[:, None] * t.beside(t.columns / total[:, None])
    parts = np.divide((t.table - expected) ** 2, expected, out=np.zeros_like(t.table), where=expected > 0)
    statistic = t.counts.per_feature(parts.sum(axis=1))
    r, c = t.n_levels, t.n_columns
    dof, widest = (r - 1.0) * (c - 1.0), np.maximum(np.minimum(r, c) - 1.0, 1.0)
    of_levels = np.divide(1.0, t.levels, out=np.zeros_like(t.levels), where=t.levels > 0)
    of_columns = np.divide(1.0, t.columns, out=np.zeros_like(t.columns), where=t.columns > 0)
    mean, variance = _chi2_moments(total, r, c, t.counts.per_feature(of_levels), of_columns.sum(axis=1))
    effective = np.where(dof > 0, 2.0 * mean**2 / np.where(variance > 0, variance, 1.0), 0.0)
    scale = np.divide(effective, mean, out=np.zeros_like(mean), where=mean > 0)
    share = np.where(dof > 0, np.clip(statistic / (total * widest), 0.0, 1.0), 0.0)
    pvalue = np.where(dof > 0, chi2_tail(statistic * scale, effective), 1.0)
    return _on_scale(share, total, mean, widest, effective, pvalue, scale)


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
    mean: np.ndarray,
    widest: np.ndarray,
    effective: np.ndarray,
    pvalue: np.ndarray,
    scale: np.ndarray | float = 1.0,
) -> Relevance:
    """Return a fraction of shared variation as information, corrected for chance, and as a normal deviate.

    What chance makes of it, ``mean`` of ``total * widest``, is taken off first: with many levels that is most of it.
    The statistic is the likelihood ratio of Gaussian variables that share this fraction, which has no upper end: where
    all rows are told apart, the more rows the better.
    """
    most = np.where(total > 0, total * widest, 1.0)
    by_chance = np.clip(mean / most, 0.0, 1.0)
    room = np.maximum(1.0 - by_chance, 1e-12)
    strength = np.where(by_chance < 1.0, np.clip((share - by_chance) / room, 0.0, 1.0), 0.0)
    ratio = -np.log1p(-np.minimum(strength, 1.0 - 1e-12))
    statistic = np.where(strength > 0, mean + room * most * ratio, share * most)
    # Wilson and Hilferty 1931: the cube root of chi-squared is nearly normal.
    k = np.maximum(effective, 1e-9)
    rank = (np.cbrt(statistic * scale / k) - (1.0 - 2.0 / (9.0 * k))) / np.sqrt(2.0 / (9.0 * k))
    return Relevance(strength, 0.5 * widest * ratio, np.where(effective > 0, rank, -np.inf), pvalue)

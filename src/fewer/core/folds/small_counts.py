"""P-values of the order of levels where a class, or the rows that differ from all others, are few."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.special import gammaln, ndtr

from fewer.core.measures.exact_ranks import FEWEST, rank_sum_pvalues
from fewer.core.measures.exact_tables import exact_pvalues
from fewer.core.summaries.results import Counts

# Larger p-values of an approximation are not looked at again: nothing is decided by them.
LARGE = 0.2
# Pairings of two rankings that are drawn, the same ones in every run; the smallest p-value is one of so many.
DRAWN = 19_999


def exact_levels(counts: Counts, approximate: np.ndarray) -> np.ndarray:
    """Return p-values of the levels, exact ones where counts are small."""
    return _replaced(counts, approximate, lambda some, given: exact_pvalues(some, given, "chi2"))


def exact_order(counts: Counts, approximate: np.ndarray, numbers: bool) -> np.ndarray:
    """Return p-values of the order of the levels, exact ones where rows are few.

    Two classes: the test of Wilcoxon, Mann and Whitney of all permutations. More classes: each against the others, and
    the smallest p-value times the number of classes. A numeric target: random pairings of both rankings.
    """
    return _replaced(counts, approximate, _of_numbers if numbers else _of_classes)


def _replaced(
    counts: Counts, approximate: np.ndarray, better: Callable[[Counts, np.ndarray], np.ndarray]
) -> np.ndarray:
    """Replace small p-values, none by less than the chance of the table itself."""
    out = approximate.copy()
    small = np.flatnonzero(approximate < LARGE)
    if not len(small):
        return out
    lines = np.concatenate([np.arange(counts.offsets[j], counts.offsets[j + 1]) for j in small])
    offsets = np.concatenate([[0], np.cumsum(np.diff(counts.offsets)[small])])
    # Weights stand for so many rows.
    some = Counts(np.rint(counts.table[lines]).astype(np.int64), offsets)
    found = better(some, approximate[small])
    out[small] = np.minimum(np.maximum(found, np.exp(_log_chance(some))), 1.0)
    return out


def _log_chance(counts: Counts) -> np.ndarray:
    """Return the logarithm of the probability of every table among all with its margins."""
    columns = counts.column_totals
    levels = gammaln(counts.table.sum(axis=1) + 1.0) - gammaln(counts.table + 1.0).sum(axis=1)
    return counts.per_feature(levels) + gammaln(columns + 1.0).sum(axis=1) - gammaln(columns.sum(axis=1) + 1.0)


def _of_classes(counts: Counts, approximate: np.ndarray) -> np.ndarray:
    out = approximate.copy()
    for j in range(len(out)):
        table = counts.of(j)
        table = table[table.any(axis=1)][:, table.any(axis=0)]
        if min(table.shape) < 2:
            continue
        levels, classes = table.sum(axis=1), table.sum(axis=0)
        few = levels.sum() - levels.max() < FEWEST
        if not few and classes.min() >= FEWEST:
            continue
        tested = range(1) if len(classes) == 2 else range(len(classes))
        each = [_against_others(levels, table[:, c], few) for c in tested]
        out[j] = min(1.0, len(each) * min(each))
    return out


def _against_others(levels: np.ndarray, chosen: np.ndarray, few: bool) -> float:
    """Return the p-value of the rank sum of one class."""
    n, k = int(levels.sum()), int(chosen.sum())
    ranks = np.cumsum(levels) - 0.5 * (levels - 1.0)
    rank_sum = float(chosen @ ranks)
    if few or min(k, n - k) < FEWEST:
        return float(rank_sum_pvalues([levels], np.array([rank_sum]), k)[0])
    mean = (n + 1) / 2.0
    variance = k * (n - k) / (n * (n - 1.0)) * float(levels @ (ranks - mean) ** 2)
    return float(2.0 * ndtr(-abs(rank_sum - k * mean) / np.sqrt(variance)))


def _of_numbers(counts: Counts, approximate: np.ndarray) -> np.ndarray:
    out = approximate.copy()
    for j in range(len(out)):
        table = counts.of(j)
        levels, bins = table.sum(axis=1), table.sum(axis=0)
        n = int(levels.sum())
        if n - levels.max() < FEWEST or n - bins.max() < FEWEST:
            # The side with the fewest rows beside its most frequent value is drawn.
            out[j] = _paired(table if levels.max() >= bins.max() else table.T)
    return out


def _paired(table: np.ndarray) -> float:
    """Return the p-value of the product of both rankings, of which the first has few rows beside its largest level."""
    levels, bins = table.sum(axis=1), table.sum(axis=0)
    n, most = int(levels.sum()), int(np.argmax(levels))
    first, second = (np.cumsum(size) - 0.5 * size - 0.5 * n for size in (levels, bins))
    first = first - first[most]
    observed = abs(float(first @ table @ second))
    beside = np.repeat(first, np.where(np.arange(len(levels)) == most, 0, levels))
    if not len(beside):
        return 1.0
    values, rng = np.repeat(second, bins), np.random.default_rng(0)
    rows = rng.integers(0, n, (DRAWN, len(beside)))
    ordered = np.sort(rows, axis=1)
    again = np.flatnonzero((ordered[:, 1:] == ordered[:, :-1]).any(axis=1))
    # No row is drawn twice.
    for i in again.tolist():
        rows[i] = rng.choice(n, len(beside), replace=False)
    reached = np.abs(values[rows] @ beside) >= observed * (1.0 - 1e-9)
    return float((reached.sum() + 1.0) / (DRAWN + 1.0))

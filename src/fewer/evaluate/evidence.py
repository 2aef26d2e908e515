"""What rows say of features and pairs of them, whichever method chose: relevance, constants, copies, twins."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import gammaincc
from scipy.stats import chi2, rankdata
from sklearn.metrics import normalized_mutual_info_score

from fewer.core.discretize.named import EqualFrequency
from fewer.evaluate.data import Data
from fewer.evaluate.encode import MOST_LEVELS

# Rows that are looked at, columns at a time, bins of a numeric column.
MOST_ROWS, BLOCK, N_BINS = 10_000, 256, 10
# How often the rows get their targets in random order, where levels are many.
N_DRAWS = 199
# Relevant features among which twins are looked for, nominal ones apart because their pairs are counted one by one,
# and how alike twins are.
MOST_RELATED, MOST_NOMINAL, TWINS = 2_000, 40, 0.9


def gather(data: Data, chosen: np.ndarray) -> dict[str, Any]:
    """Return what all rows say about features and pairs of them.

    Parameters
    ----------
    data : Data
        The data.
    chosen : ndarray of int
        Features that some method chose; twins are looked for among these and the relevant ones.

    Returns
    -------
    dict
        ``pvalue``: of each feature alone being unrelated to the target, adjusted for their number (Benjamini and
        Hochberg), NaN of constants; ``constant``: numbers of features; ``copies``: pairs of a feature and the earlier
        one with the same values; ``twins``: triples of two features and how alike they are, at least 0.9.
    """
    constant, copies = _same(data)
    rows = np.arange(data.n_rows)
    if data.n_rows > MOST_ROWS:
        rows = np.sort(np.random.default_rng(0).choice(data.n_rows, MOST_ROWS, replace=False))
    pvalues = np.full(data.n_features, np.nan)
    left = np.setdiff1d(np.arange(data.n_features), constant)
    for start in range(0, len(left), BLOCK):
        some = left[start : start + BLOCK]
        pvalues[some] = _pvalues(data, some, rows)
    for j, first in copies.items():
        pvalues[j] = pvalues[first]
    pvalues[left] = adjusted(pvalues[left])
    order = left[np.argsort(pvalues[left], kind="stable")]
    relevant = order[pvalues[order] <= 0.05]
    related = np.unique(np.concatenate([relevant[:MOST_RELATED], np.intersect1d(chosen, left)[:MOST_RELATED]]))
    related = np.setdiff1d(related, list(copies))
    return {
        "pvalue": pvalues,
        "constant": constant,
        "copies": sorted(copies.items()),
        "twins": _twins(data, related, rows[:: max(1, len(rows) // 2_000)]),
    }


def column_of(data: Data, j: int) -> np.ndarray:
    """Return the values of a feature, level numbers of a nominal one, NaN where missing."""
    column = data.X[:, [j]].toarray()[:, 0] if data.sparse else data.X[:, j]
    return np.asarray(column, dtype=float)


def centred_ranks(column: np.ndarray) -> np.ndarray:
    """Return centred ranks; missing values have the mean rank."""
    here = ~np.isnan(column)
    out = np.zeros(len(column))
    if here.any():
        ranks = rankdata(column[here])
        out[here] = ranks - ranks.mean()
    return out


def levels_of(column: np.ndarray, nominal: bool) -> np.ndarray:
    """Return level numbers, at most ten of about equal frequency for quantities; missing values are a level."""
    if not nominal:
        return EqualFrequency(N_BINS).fit_transform(column[:, None])[:, 0]
    return np.where(np.isnan(column), -1, column).astype(np.int64)


def adjusted(pvalues: np.ndarray) -> np.ndarray:
    """Return p-values adjusted for their number by Benjamini and Hochberg."""
    n, order = len(pvalues), np.argsort(pvalues, kind="stable")
    scaled = pvalues[order] * n / np.arange(1, n + 1)
    out = np.empty(n)
    out[order] = np.minimum(np.minimum.accumulate(scaled[::-1])[::-1], 1.0)
    return out


def _same(data: Data) -> tuple[list[int], dict[int, int]]:
    """Return constant columns, and columns with the same values as an earlier one."""
    seen: dict[tuple[bool, bytes], int] = {}
    constant, copies = [], {}
    for j in range(data.n_features):
        # Adding 0 makes one of the two zeros of floating point.
        column = np.ascontiguousarray(column_of(data, j)) + 0.0
        missing = np.isnan(column)
        key = (bool(data.nominal[j]), column.tobytes())
        if missing.all() or (not missing.any() and (column == column[0]).all()):
            constant.append(j)
        elif key in seen:
            copies[j] = seen[key]
        else:
            seen[key] = j
    return constant, copies


def _pvalues(data: Data, features: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return the p-value of each feature alone: of ranks and of bins, the smaller of the two times two."""
    y, weight = data.y[rows], np.ones(len(rows)) if data.weight is None else data.weight[rows]
    classes = data.task == "classification"
    groups = np.unique(y, return_inverse=True)[1] if classes else None
    values = rankdata(y) if groups is None else None
    # Weights count as parts of rows. Uneven ones tell as much as fewer equal rows would (Kish's effective number).
    weight = weight * (weight.sum() / (weight**2).sum())
    out = np.empty(len(features))
    for place, j in enumerate(features):
        column, nominal = column_of(data, int(j))[rows], bool(data.nominal[j])
        levels = np.unique(column[~np.isnan(column)])
        many = nominal and len(levels) > MOST_LEVELS
        tests = []
        if many:
            # A table with a row or two per level follows no known law, and means of other rows are not independent.
            tests = [_shuffled(levels_of(column, True), groups, values, weight)]
        elif not nominal:
            ranks = centred_ranks(column)
            if groups is not None:
                tests.append(_between(ranks, groups, weight))
            else:
                assert values is not None
                tests.append(_along(ranks, values, weight))
        if not many:
            bins = np.unique(levels_of(column, nominal), return_inverse=True)[1]
            if groups is not None:
                tests.append(_table(bins, groups, weight))
            else:
                assert values is not None
                tests.append(_between(values, bins, weight))
        out[place] = min(1.0, len(tests) * min(tests))
    return out


def _between(values: np.ndarray, groups: np.ndarray, weight: np.ndarray) -> float:
    """Return the p-value of groups with equal mean ranks (Kruskal and Wallis)."""
    n, sizes = weight.sum(), np.bincount(groups, weight)
    centred = values - np.average(values, weights=weight)
    spread = float((weight * centred**2).sum())
    if spread == 0.0 or len(sizes) < 2:
        return 1.0
    sums = np.bincount(groups, weight * centred)
    statistic = (n - 1.0) * float((sums[sizes > 0] ** 2 / sizes[sizes > 0]).sum()) / spread
    return float(chi2.sf(statistic, int((sizes > 0).sum()) - 1))


def _shuffled(levels: np.ndarray, groups: np.ndarray | None, values: np.ndarray | None, weight: np.ndarray) -> float:
    """Return the p-value of many levels with equal targets, by giving the rows their targets in random order.

    The statistic is the scatter between the levels. It is a sum of many parts, so that the gamma distribution with the
    mean and the variance of the draws tells its tail.
    """
    if groups is None:
        assert values is not None
        targets = (values - np.average(values, weights=weight))[:, None]
    else:
        shares = np.bincount(groups, weight) / weight.sum()
        targets = ((groups[:, None] == np.arange(len(shares))) - shares) / np.sqrt(shares)
    codes = np.unique(levels, return_inverse=True)[1]
    sizes = np.bincount(codes, weight)

    def scatter(order: np.ndarray) -> float:
        sums = [np.bincount(codes, weight * column[order]) for column in targets.T]
        return float(sum((one * one / sizes).sum() for one in sums))

    rng, n = np.random.default_rng(0), len(codes)
    drawn = np.array([scatter(rng.permutation(n)) for _ in range(N_DRAWS)])
    mean, variance = float(drawn.mean()), float(drawn.var(ddof=1))
    # Where every row has a level of its own, all orders scatter alike.
    if variance <= 1e-12 * mean * mean:
        return 1.0
    return float(gammaincc(mean * mean / variance, scatter(np.arange(n)) * mean / variance))


def _along(first: np.ndarray, second: np.ndarray, weight: np.ndarray) -> float:
    """Return the p-value of two orders being unrelated (Spearman)."""
    a, b = first - np.average(first, weights=weight), second - np.average(second, weights=weight)
    spread = float((weight * a * a).sum() * (weight * b * b).sum())
    if spread == 0.0:
        return 1.0
    return float(chi2.sf((weight.sum() - 1.0) * float((weight * a * b).sum()) ** 2 / spread, 1))


def _table(bins: np.ndarray, groups: np.ndarray, weight: np.ndarray) -> float:
    """Return the p-value of a table of bins and classes being unrelated (chi-squared)."""
    n_groups = int(groups.max()) + 1
    table = np.bincount(bins * n_groups + groups, weight, (int(bins.max()) + 1) * n_groups).reshape(-1, n_groups)
    n, rows, columns = table.sum(), table.sum(axis=1), table.sum(axis=0)
    expected = np.outer(rows, columns) / n
    if len(rows) < 2 or len(columns) < 2:
        return 1.0
    statistic = float(((table - expected) ** 2 / expected).sum()) * (n - 1.0) / n
    return float(chi2.sf(statistic, (len(rows) - 1) * (len(columns) - 1)))


def _twins(data: Data, features: np.ndarray, rows: np.ndarray) -> list[tuple[int, int, float]]:
    """Return pairs of features that tell nearly the same, and how alike they are."""
    numbers, nominal = features[~data.nominal[features]], features[data.nominal[features]][:MOST_NOMINAL]
    out = []
    if len(numbers) > 1:
        ranks = np.array([centred_ranks(column_of(data, int(j))[rows]) for j in numbers])
        length = np.sqrt((ranks**2).sum(axis=1, keepdims=True))
        like = np.abs(ranks / np.where(length > 0, length, np.inf) @ (ranks / np.where(length > 0, length, np.inf)).T)
        for a, b in np.argwhere(np.triu(like, 1) >= TWINS):
            out.append((int(numbers[a]), int(numbers[b]), min(1.0, float(like[a, b]))))
    levels = {int(j): levels_of(column_of(data, int(j))[rows], True) for j in nominal}
    for place, a in enumerate(levels):
        for b in list(levels)[place + 1 :]:
            like_pair = float(normalized_mutual_info_score(levels[a], levels[b]))
            if like_pair >= TWINS:
                out.append((a, b, min(1.0, like_pair)))
    return sorted(out)

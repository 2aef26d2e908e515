"""P-values of rank tests where a class or the values that differ are few: exact, or by permutations of the target."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from fewer.core.measures.exact_ranks import FEWEST, rank_sum_pvalues
from fewer.core.measures.exact_tables import exact_pvalues
from fewer.core.measures.permutations import permutation_pvalues
from fewer.core.runners.runner import Runner
from fewer.core.summaries.results import Counts
from fewer.core.views.column_ranks import column_ranks

# Rows up to which the target is permuted for any feature, and for pairs of rows, which take the square of that.
MOST_ROWS, MOST_PAIRED_ROWS = 2_000, 200
# Beyond, rows with another value than the most frequent one, up to which it is permuted.
MOST_APART = 1_000
# Of so many of these rows the smallest class must expect its fraction, or the approximation fails far out.
EXPECTED = 5.0
NUMBERS_AT_ONCE = 2**24


def mostly_equal(tie_term: np.ndarray, n_rows: int, smallest: float | None = None) -> np.ndarray:
    """Return for which features few rows may have another value than the most frequent one.

    Few are less than 20, or too few for the ``smallest`` class to expect 5 of them. The term is the sum of t^3 - t over
    the groups of t equal values; one group of all but these rows gives this much.
    """
    apart = FEWEST if smallest is None else max(FEWEST, min(EXPECTED * n_rows / smallest, n_rows / 2.0))
    least = float(max(n_rows - apart, 0))
    return np.asarray(tie_term >= least**3 - least)


def two_class_pvalues(
    block: Any, tie_term: np.ndarray, rank_sum: np.ndarray, n_chosen: int, approximate: np.ndarray, run: Runner
) -> np.ndarray:
    """Return p-values of rank sums: exact ones where a class or the values that differ have fewer than 20 rows.

    Where the smaller class expects fewer than 5 of the values that differ, they are those of permutations.
    """
    n, out = block.n_rows, np.array(approximate, dtype=np.float64)
    smaller = min(n_chosen, n - n_chosen)
    few = mostly_equal(tie_term, n) | (smaller < FEWEST)
    features = np.flatnonzero(few)
    if len(features):
        X, untied = block.X, np.ones(n, np.int64)
        sizes = [np.unique(X[:, j], return_counts=True)[1] if tie_term[j] else untied for j in features.tolist()]
        out[features] = rank_sum_pvalues(sizes, rank_sum[features], n_chosen)
    few = mostly_equal(tie_term, n, smaller) & ~few
    return class_pvalues(block.X, np.unique(block.y, return_inverse=True)[1], few, out, run) if few.any() else out


def two_value_pvalues(X: np.ndarray, y: np.ndarray, features: np.ndarray) -> np.ndarray:
    """Return exact p-values of features with two values, which divide the ranks of the target; NaN of all others."""
    _, place, sizes = np.unique(y, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(sizes) - (sizes - 1) / 2.0)[place]
    out, low = np.full(len(features), np.nan), X[:, features].min(axis=0)
    upper = X[:, features] > low
    for k in np.flatnonzero((X[:, features] == np.where(upper, X[:, features].max(axis=0), low)).all(axis=0)):
        n_upper = int(upper[:, k].sum())
        out[k] = rank_sum_pvalues([sizes], np.array([ranks[upper[:, k]].sum()]), n_upper)[0] if n_upper else 1.0
    return out


def class_pvalues(X: np.ndarray, y: np.ndarray, few: np.ndarray, approximate: np.ndarray, run: Runner) -> np.ndarray:
    """Return p-values of the Kruskal-Wallis test where the rows are ``few``.

    Of two values it is the test of their table: H is (n - 1) / n times Pearson's statistic. Else permutations.
    """
    out, features = np.array(approximate, dtype=np.float64), np.flatnonzero(few)
    two = features[_has_two_values(X, features)]
    if len(two):
        member = np.arange(int(y.max()) + 1) == y[:, None]
        upper = (X[:, two] > X[:, two].min(axis=0)).T.astype(np.float64) @ member
        table = np.stack([member.sum(axis=0) - upper, upper], axis=1).reshape(2 * len(two), -1)
        out[two] = exact_pvalues(Counts(np.rint(table).astype(np.int64), np.arange(len(two) + 1) * 2), out[two], "chi2")
    rows = np.bincount(y)

    def between(apart: Apart, places: np.ndarray, orders: np.ndarray) -> np.ndarray:
        classes, found = y[orders].T, np.zeros((len(places), len(orders)))
        for c in np.flatnonzero(rows):
            sums = apart.far[places] @ (classes == c) + rows[c] * apart.base[places, None]
            found += sums**2 / rows[c]
        return found

    return _permuted(X, y, np.setdiff1d(features, two), out, between, run)


@dataclass(frozen=True)
class Apart:
    """Centred ranks of features as that of the most frequent value, and how far from it the other rows lie.

    Only ``rows``, padded, are apart from the most frequent value. Whatever is drawn for them, the others have the rest.
    """

    base: np.ndarray
    far: np.ndarray
    rows: np.ndarray

    @classmethod
    def of(cls, ranks: np.ndarray) -> Apart:
        """Look at centred ranks, (n_features, n_rows)."""
        base = np.empty(len(ranks))
        for k, row in enumerate(ranks):
            values, counts = np.unique(row, return_counts=True)
            base[k] = values[np.argmax(counts)]
        far = ranks - base[:, None]
        width = max(1, int(np.count_nonzero(far, axis=1).max(initial=0)))
        rows = np.argsort(far == 0.0, axis=1, kind="stable")[:, :width]
        return cls(base, np.take_along_axis(far, rows, axis=1), rows)


OfOrders = Callable[[Apart, np.ndarray, np.ndarray], np.ndarray]


def _permuted(
    X: np.ndarray,
    y: np.ndarray,
    features: np.ndarray,
    approximate: np.ndarray,
    statistic: OfOrders,
    run: Runner,
) -> np.ndarray:
    """Return p-values of ranks by permutations of the target, features with about as many rows apart together."""
    out, n = np.array(approximate, dtype=np.float64), len(X)
    at_once = max(1, NUMBERS_AT_ONCE // n)
    for some in (features[a : a + at_once] for a in range(0, len(features), at_once)):
        apart = Apart.of(column_ranks(X[:, some], run)[0] - (n + 1) / 2.0)
        counts = np.count_nonzero(apart.far, axis=1)
        sizes = np.exp2(np.ceil(np.log2(np.maximum(counts, 1))))
        for size in np.unique(sizes[(n <= MOST_ROWS) | (counts <= MOST_APART)]):
            here = np.flatnonzero(sizes == size)
            width = max(1, int(counts[here].max()))
            part = Apart(apart.base[here], apart.far[here, :width], apart.rows[here, :width])
            observed = [float(statistic(part, np.array([k]), part.rows[k][None])[0, 0]) for k in range(len(here))]
            out[some[here]] = permutation_pvalues(
                y, np.array(observed), partial(statistic, part), out[some[here]], width
            )
    return out


def _has_two_values(X: np.ndarray, features: np.ndarray) -> np.ndarray:
    """Return which features have no value but their smallest and largest one."""
    columns = X[:, features]
    low, high = columns.min(axis=0), columns.max(axis=0)
    return np.asarray(((columns == low) | (columns == high)).all(axis=0))


def _but_two_values(
    X: np.ndarray, y: np.ndarray, few: np.ndarray, approximate: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return p-values that are exact for features of two values, and which of the few others are left."""
    features, out = np.flatnonzero(few), np.array(approximate, dtype=np.float64)
    if len(features):
        exact = two_value_pvalues(X, y, features)
        out[features] = np.where(np.isnan(exact), out[features], exact)
        features = features[np.isnan(exact)]
    return out, features


def rank_correlation_pvalues(
    X: np.ndarray, y_ranks: np.ndarray, few: np.ndarray, approximate: np.ndarray, run: Runner
) -> np.ndarray:
    """Return p-values of Spearman's correlation, exact or by permutations where the rows are ``few``."""
    approximate, features = _but_two_values(X, y_ranks, few, approximate)
    centred = y_ranks - y_ranks.mean()
    tiny = 1e-12 * float(centred @ centred) * len(X)

    def products(apart: Apart, places: np.ndarray, orders: np.ndarray) -> np.ndarray:
        # Squares of products of halves: what is 0 on paper must not be more than 0 by rounding.
        found = (apart.far[places] @ centred[orders].T) ** 2
        return np.where(found < tiny, 0.0, found)

    return _permuted(X, y_ranks, features, approximate, products, run)


def concordance_pvalues(
    X: np.ndarray, y: np.ndarray, few: np.ndarray, approximate: np.ndarray, run: Runner
) -> np.ndarray:
    """Return p-values of concordant minus discordant pairs, exact or by permutations where the rows are ``few``."""
    approximate, features = _but_two_values(X, y, few, approximate)
    y_ranks = 2.0 * column_ranks(np.asarray(y, dtype=np.float64)[:, None], run)[0][0] - (len(y) + 1.0)

    def balances(apart: Apart, places: np.ndarray, orders: np.ndarray) -> np.ndarray:
        far, out = apart.far[places], np.empty((len(places), len(orders)))
        first, second = np.triu_indices(far.shape[1], 1)
        # Rows apart are compared with all others by the ranks of the target, and then with each other: what the ranks
        # said of such a pair is taken back.
        step = max(1, NUMBERS_AT_ONCE // max(1, len(first)))
        for a in range(0, len(orders), step):
            drawn = y_ranks[orders[a : a + step]]
            of_y = np.sign(drawn[:, first] - drawn[:, second]).astype(np.float32)
            for b in range(0, len(far), step):
                rows = far[b : b + step]
                pairs = np.sign(rows[:, first] - rows[:, second]) - np.sign(rows[:, first]) + np.sign(rows[:, second])
                out[b : b + step, a : a + step] = pairs.astype(np.float32) @ of_y.T
        return np.rint(out + np.sign(far) @ y_ranks[orders].T) ** 2

    if len(X) > MOST_PAIRED_ROWS:
        features = features[_apart(X, features) <= FEWEST]
    return _permuted(X, y, features, approximate, balances, run)


def _apart(X: np.ndarray, features: np.ndarray) -> np.ndarray:
    """Return how many rows have another value than the most frequent one."""
    counts = [int(np.unique(X[:, j], return_counts=True)[1].max()) for j in features.tolist()]
    return len(X) - np.array(counts, dtype=np.int64)

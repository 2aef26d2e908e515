"""P-values of rank tests where a class, or the values that differ, are few: exact, or by permutations of the target."""

from __future__ import annotations

import numpy as np

from fewer.core.measures.exact_ranks import FEWEST, rank_sum_pvalues
from fewer.core.measures.permutations import permutation_pvalues
from fewer.core.runners.runner import Runner
from fewer.core.views.column_ranks import column_ranks

# Rows up to which the target is permuted; pairs of rows take the square of that.
MOST_ROWS, MOST_PAIRED_ROWS = 2_000, 200
NUMBERS_AT_ONCE = 2**24


def mostly_equal(tie_term: np.ndarray, n_rows: int) -> np.ndarray:
    """Return for which features fewer than 20 rows may have another value than the most frequent one.

    The term is the sum of t^3 - t over the groups of t equal values; one group of all but 20 rows gives this much.
    """
    least = float(max(n_rows - FEWEST, 0))
    return np.asarray(tie_term >= least**3 - least)


def two_class_pvalues(
    X: np.ndarray, tie_term: np.ndarray, rank_sum: np.ndarray, n_chosen: int, approximate: np.ndarray
) -> np.ndarray:
    """Return p-values of rank sums, exact ones where a class or the values that differ have fewer than 20 rows."""
    n, out = len(X), np.array(approximate, dtype=np.float64)
    few = mostly_equal(tie_term, n) | (min(n_chosen, n - n_chosen) < FEWEST)
    features = np.flatnonzero(few)
    if len(features):
        untied = np.ones(n, np.int64)
        sizes = [np.unique(X[:, j], return_counts=True)[1] if tie_term[j] else untied for j in features.tolist()]
        out[features] = rank_sum_pvalues(sizes, rank_sum[features], n_chosen)
    return out


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
    """Return p-values of the Kruskal-Wallis test, by permutations where the rows are ``few``."""
    features = np.flatnonzero(few)
    if not len(features) or len(X) > MOST_ROWS:
        return approximate
    ranks, _ = column_ranks(X[:, features], run)
    ranks -= (len(X) + 1) / 2.0
    rows = np.bincount(y)

    def between(places: np.ndarray, orders: np.ndarray) -> np.ndarray:
        classes, out = y[orders].T, np.zeros((len(places), len(orders)))
        for c in np.flatnonzero(rows):
            out += (ranks[places] @ (classes == c)) ** 2 / rows[c]
        return out

    every, here = np.arange(len(features)), np.arange(len(X))[None, :]
    out = np.array(approximate, dtype=np.float64)
    out[features] = permutation_pvalues(len(X), between(every, here)[:, 0], between, approximate[features])
    return out


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
    if not len(features) or len(X) > MOST_ROWS:
        return approximate
    ranks, _ = column_ranks(X[:, features], run)
    ranks -= (len(X) + 1) / 2.0
    centred = y_ranks - y_ranks.mean()

    def products(places: np.ndarray, orders: np.ndarray) -> np.ndarray:
        return np.abs(ranks[places] @ centred[orders].T)

    observed, out = np.abs(ranks @ centred), np.array(approximate, dtype=np.float64)
    # Sums of products of halves: what is 0 on paper must not be more than 0 by rounding.
    out[features] = permutation_pvalues(
        len(X), np.where(observed < 1e-6, 0.0, observed), products, approximate[features]
    )
    return out


def concordance_pvalues(
    X: np.ndarray, y: np.ndarray, balance: np.ndarray, few: np.ndarray, approximate: np.ndarray
) -> np.ndarray:
    """Return p-values of concordant minus discordant pairs, exact or by permutations where the rows are ``few``."""
    (approximate, features), n = _but_two_values(X, y, few, approximate), len(X)
    if not len(features) or n > MOST_PAIRED_ROWS:
        return approximate
    first, second = np.triu_indices(n, 1)

    def balances(places: np.ndarray, orders: np.ndarray) -> np.ndarray:
        out = np.empty((len(places), len(orders)))
        step = max(1, NUMBERS_AT_ONCE // max(1, len(first)))
        for a in range(0, len(orders), step):
            shuffled = y[orders[a : a + step]]
            of_y = np.sign(shuffled[:, first] - shuffled[:, second]).astype(np.float32)
            for b in range(0, len(places), step):
                columns = X[:, features[places[b : b + step]]].T
                of_x = np.sign(columns[:, first] - columns[:, second]).astype(np.float32)
                out[b : b + step, a : a + step] = np.abs(of_x @ of_y.T)
        return out

    out = np.array(approximate, dtype=np.float64)
    out[features] = permutation_pvalues(n, np.abs(balance[features]), balances, approximate[features])
    return out

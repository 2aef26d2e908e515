"""Measures that see only the order of the values: rank sums, areas under the curve, concordance.

Ranks are midranks, 1 for the smallest value; equal values share the mean of their ranks.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from fewer.core.measures._pvalues import chi2_tail, normal_two_sided
from fewer.core.measures._tables import ratio


class Ties(NamedTuple):
    """Sums over the groups of equal values of every feature, t being the size of a group.

    ``pairs`` = sum of t (t - 1) / 2, ``triples`` = sum of t (t - 1)(t - 2).
    """

    pairs: np.ndarray
    triples: np.ndarray

    @classmethod
    def of(cls, sizes: ArrayLike, offsets: ArrayLike | None = None) -> Ties:
        """Count ties from group sizes; groups ``offsets[j]`` to ``offsets[j + 1]`` are those of feature j."""
        sizes = np.asarray(sizes, dtype=np.float64)
        starts = np.zeros(1, dtype=np.int64) if offsets is None else np.asarray(offsets)[:-1]
        ordered = sizes * (sizes - 1.0)
        sums = np.add.reduceat(np.stack([ordered / 2.0, ordered * (sizes - 2.0)]), starts, axis=1)
        return cls(sums[0], sums[1])

    @property
    def tie_term(self) -> np.ndarray:
        """Sum of t^3 - t, which `mann_whitney` and `kruskal` want."""
        return self.triples + 6.0 * self.pairs


def tie_term(sizes: ArrayLike, offsets: ArrayLike | None = None) -> np.ndarray:
    """Return the sum of t^3 - t over the groups of equal values of every feature.

    Parameters
    ----------
    sizes : array-like
        Sizes of the groups of equal values, feature after feature; groups of one may be left out or not.
    offsets : array-like of shape (n_features + 1,), optional
        Groups ``offsets[j]`` to ``offsets[j + 1]`` belong to feature j; without it there is one feature.

    Returns
    -------
    ndarray of shape (n_features,)
    """
    return Ties.of(sizes, offsets).tie_term


def auc(rank_sum_1: ArrayLike, n1: ArrayLike, n0: ArrayLike) -> np.ndarray:
    """Return the area under the ROC curve, P(x_1 > x_0) + P(x_1 = x_0) / 2.

    Equal to U / (n_1 n_0) with the U of `mann_whitney` (book ch. 19, section 19.4).

    Parameters
    ----------
    rank_sum_1 : array-like of shape (n_features,)
        Sum of the ranks of the rows of class 1.
    n1, n0 : number or array-like
        Rows of class 1 and 0.

    Returns
    -------
    ndarray of shape (n_features,)
        0.5 if a class is absent.
    """
    rank_sum, n1, n0 = _floats(rank_sum_1, n1, n0)
    return ratio(rank_sum - n1 * (n1 + 1.0) / 2.0, n1 * n0, otherwise=0.5)


def mann_whitney(
    rank_sum_1: ArrayLike, tie_term: ArrayLike, n1: ArrayLike, n0: ArrayLike
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Test that two classes have the same order, the Wilcoxon rank-sum test (book ch. 19, section 19.4).

    U = R_1 - n_1 (n_1 + 1) / 2; z = (|U - n_1 n_0 / 2| - 1/2) / sd with the sign of U - n_1 n_0 / 2, and
    sd^2 = n_1 n_0 / 12 (n + 1 - tie_term / (n (n - 1))). Rank features by |z|: p-values underflow.

    Parameters
    ----------
    rank_sum_1 : array-like of shape (n_features,)
        Sum of the ranks of the rows of class 1.
    tie_term : array-like of shape (n_features,)
        Sum of t^3 - t over the groups of equal values.
    n1, n0 : number or array-like
        Rows of class 1 and 0.

    Returns
    -------
    u, z, pvalue : ndarrays of shape (n_features,)
        A constant feature or an absent class gives z = 0 and p-value 1.
    """
    rank_sum, ties, n1, n0 = _floats(rank_sum_1, tie_term, n1, n0)
    n = n1 + n0
    u = rank_sum - n1 * (n1 + 1.0) / 2.0
    excess = u - n1 * n0 / 2.0
    # (n^3 - n - ties) is exactly 0 for a constant feature.
    variance = ratio(n1 * n0 * (n * (n - 1.0) * (n + 1.0) - ties), 12.0 * n * (n - 1.0))
    corrected = np.sign(excess) * np.maximum(np.abs(excess) - 0.5, 0.0)
    z = ratio(corrected, np.sqrt(np.maximum(variance, 0.0)))
    return u, z, normal_two_sided(z)


def kruskal(rank_sums: ArrayLike, class_rows: ArrayLike, tie_term: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Test that all classes have the same order (Kruskal and Wallis 1952).

    H = (N - 1) sum_c n_c (R_c / n_c - (N + 1) / 2)^2 / sum_i (r_i - (N + 1) / 2)^2, where the last sum is
    (N^3 - N - tie_term) / 12; about chi2 with (classes that occur - 1) degrees of freedom.

    Parameters
    ----------
    rank_sums : array-like of shape (n_features, n_classes)
        Sum of the ranks of the rows of each class.
    class_rows : array-like of shape (n_classes,)
        Rows of each class.
    tie_term : array-like of shape (n_features,)
        Sum of t^3 - t over the groups of equal values.

    Returns
    -------
    statistic, pvalue : ndarrays of shape (n_features,)
        A constant feature or a single class gives 0 and 1.
    """
    sums, rows, ties = (np.asarray(part, dtype=np.float64) for part in (rank_sums, class_rows, tie_term))
    n = rows.sum()
    deviation = np.where(rows > 0, ratio(sums, rows) - (n + 1.0) / 2.0, 0.0)
    between = (rows * deviation**2).sum(axis=1)
    statistic = ratio(12.0 * (n - 1.0) * between, n * (n - 1.0) * (n + 1.0) - ties)
    return statistic, chi2_tail(statistic, (rows > 0).sum() - 1)


def kendall_test(balance: ArrayLike, n: ArrayLike, ties_x: Ties, ties_y: Ties) -> tuple[np.ndarray, np.ndarray]:
    """Test concordance by Kendall's tau-b and the normal approximation of its null distribution.

    tau_b = S / sqrt((P - P_x)(P - P_y)) with S = concordant - discordant pairs, P = n (n - 1) / 2 and P_x,
    P_y the pairs tied in x, in y. With T the triples of `Ties`, the variance of S under independence is
    (P (2 n + 5) - T_x - T_y - 9 P_x - 9 P_y) / 9 + P_x P_y / P + T_x T_y / (18 P (n - 2))
    (Kendall, Rank Correlation Methods, 1970, ch. 3 and 4).

    Parameters
    ----------
    balance : array-like of shape (n_features,)
        Concordant minus discordant pairs.
    n : number or array-like
        Number of rows.
    ties_x, ties_y : Ties
        Ties of each feature and of the target.

    Returns
    -------
    tau, pvalue : ndarrays of shape (n_features,)
        A constant feature or target gives 0 and 1.
    """
    s, n, pairs_x, triples_x, pairs_y, triples_y = _floats(balance, n, *ties_x, *ties_y)
    pairs = n * (n - 1.0) / 2.0
    untied = np.sqrt(np.maximum(pairs - pairs_x, 0.0)) * np.sqrt(np.maximum(pairs - pairs_y, 0.0))
    variance = (
        (pairs * (2.0 * n + 5.0) - triples_x - triples_y - 9.0 * (pairs_x + pairs_y)) / 9.0
        + ratio(pairs_x * pairs_y, pairs)
        + ratio(triples_x * triples_y, 18.0 * pairs * (n - 2.0))
    )
    z = np.where(untied > 0, ratio(s, np.sqrt(np.maximum(variance, 0.0))), 0.0)
    return np.clip(ratio(s, untied), -1.0, 1.0), normal_two_sided(z)


def _floats(*parts: ArrayLike) -> list[np.ndarray]:
    """Broadcast to float64 arrays of one shape."""
    return list(np.broadcast_arrays(*(np.asarray(part, dtype=np.float64) for part in parts)))

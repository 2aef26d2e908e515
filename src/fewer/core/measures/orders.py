"""Distances between orders, their centre and concordance, and what a subset of features keeps of the classes."""

from __future__ import annotations

from typing import Any

import numpy as np

from fewer.core.measures.count_logs import CountLogs
from fewer.core.measures.order_ranks import order_codes, rank_rows
from fewer.core.records.errors import InputError


def spearman_distance(first: Any, second: Any) -> float:
    """Return the sum of squared differences of the ranks of two orders (Def. 6); pairs with NaN are left out."""
    first, second = _pair(first, second)
    return float(np.nansum((rank_rows(first[None]) - rank_rows(second[None])) ** 2))


def inversions(first: Any, second: Any) -> np.ndarray:
    """Return for every feature how many others stand on different sides of it in two orders (inv, section 2).

    Equal and unknown pairs are no inversions.

    Parameters
    ----------
    first, second : array-like of shape (n_features,)
        Ranks or values.

    Returns
    -------
    ndarray of int64, shape (n_features,)
    """
    first, second = _pair(first, second)
    # Comparisons with NaN are false.
    up = (first[:, None] < first) & (second[:, None] > second)
    return (up | up.T).sum(axis=1)


def kendall_distance(first: Any, second: Any) -> int:
    """Return the number of pairs of features that two orders put in opposite order (Def. 7)."""
    return int(inversions(first, second).sum()) // 2


def centre(orders: Any) -> np.ndarray:
    """Return the order that is nearest to several orders by Spearman's distance: the ranks of the rank sums.

    Parameters
    ----------
    orders : array-like of shape (n_orders, n_features)
        Ranks or values. A comparison with an unknown (NaN) value counts half for each side, as one of equal
        values does.

    Returns
    -------
    ndarray of float64, shape (n_features,)
        Ranks from 1; equal rank sums share the average of their ranks.
    """
    return rank_rows(doubled_sums(orders)[None])[0]


def doubled_sums(orders: Any) -> np.ndarray:
    """Return twice the rank sums of the features, less the same number for all: whole numbers, so ties are exact."""
    ranks = rank_rows(orders)
    known = ~np.isnan(ranks)
    # A known value has known.sum() - 1 known partners, half of them below if nothing else is known.
    balance = np.where(known, 2.0 * ranks - known.sum(axis=1, keepdims=True) - 1.0, 0.0)
    return np.rint(balance.sum(axis=0)).astype(np.int64)


def concordance(orders: Any) -> float:
    r"""Return the :math:`\tau` concordance of a set of orders (Fig. 6): 1 if all are identical, about 0 if random.

    :math:`\tau = 2 S / ((n^2 - n)(m^2 - m)) - 1 / (m - 1)` with S the sum over pairs of features of the squared
    balance of the orders that put one first and those that put the other first. Equal and unknown pairs add nothing.

    Parameters
    ----------
    orders : array-like of shape (n_orders, n_features)
        Ranks or values, at least two orders of at least two features.
    """
    values = np.asarray(orders, dtype=float)
    if values.ndim != 2 or min(values.shape) < 2:
        raise InputError(
            f"concordance got orders of shape {values.shape}, but needs at least two orders of at least two features; "
            "pass one order per row."
        )
    m, n = values.shape
    total = 0
    for i in range(n - 1):
        below, above = values[:, i, None] < values[:, i + 1 :], values[:, i, None] > values[:, i + 1 :]
        balance = below.sum(axis=0) - above.sum(axis=0)
        total += int((balance**2).sum())
    return 2.0 * total / ((n * n - n) * (m * m - m)) - 1.0 / (m - 1)


def order_patterns(values: Any) -> np.ndarray:
    """Return a number per row, equal for rows whose features stand in the same order.

    A row with a single known feature compares nothing, as one with none.
    """
    codes = order_codes(values)
    codes[(codes > 0).sum(axis=1) < 2] = 0
    if codes.shape[1] == 0:
        return np.zeros(len(codes), np.int64)
    return np.unique(codes, axis=0, return_inverse=True)[1].reshape(-1)


def doubt(patterns: np.ndarray, classes: np.ndarray, logs: CountLogs) -> int:
    """Return n H(C | pattern) in the units of ``logs``: a whole number, so equal doubts are equal exactly."""
    groups, sizes = np.unique(patterns, return_counts=True)
    n_classes = int(classes.max()) + 1
    cells = np.bincount(np.searchsorted(groups, patterns) * n_classes + classes, minlength=len(groups) * n_classes)
    return int(logs.terms[sizes].sum() - logs.terms[cells].sum())


def subset_divergence(orders: Any, classes: Any, subset: Any) -> float:
    r"""Return how much a subset of the features loses of what the orders tell about the classes (Def. 3), in nats.

    :math:`\Delta_{R'} = \sum_r P(r)\, KL(P(C | r) \| P(C | r_{R'})) = H(C | r_{R'}) - H(C | r)`, with identical orders
    counted together. By Lemma 1 the ranks and the comparisons of pairs give the same number.

    Parameters
    ----------
    orders : array-like of shape (n_orders, n_features)
        Ranks or values.
    classes : array-like of shape (n_orders,)
        Class labels.
    subset : array-like of int
        The features that stay.
    """
    values = np.asarray(orders, dtype=float)
    numbers = np.unique(np.asarray(classes), return_inverse=True)[1].reshape(-1)
    logs = CountLogs.up_to(len(values))
    kept = doubt(order_patterns(values[:, np.asarray(subset, dtype=np.int64)]), numbers, logs)
    lost = kept - doubt(order_patterns(values), numbers, logs)
    return float(logs.nats(np.asarray(lost), len(values)))


def _pair(first: Any, second: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return two orders as arrays of equal length."""
    first, second = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    if first.ndim != 1 or first.shape != second.shape:
        raise InputError(
            f"Two orders of shapes {first.shape} and {second.shape} cannot be compared; pass two lists of ranks of "
            "the same features."
        )
    return first, second

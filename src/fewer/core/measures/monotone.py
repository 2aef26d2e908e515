"""Measures for ordered classes: broken monotonicity, rank entropy and rank mutual information, rank loss.

A relation is monotone if an object that is at least as large as another in every feature never has a lower class.
Targets are numbers whose order counts and nothing else.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from fewer.core.kernels import monotone_splits as kernels
from fewer.core.measures._ordered import (
    checked_directions,
    checked_rows,
    count_logs,
    refuse_gaps,
    scan_columns,
    side_weights,
    sorted_columns,
)
from fewer.core.records.errors import InputError, ParameterError
from fewer.core.runners.runner import Runner
from fewer.core.runners.threads import ThreadRunner

ROWS_AT_ONCE = 256


class Violations(NamedTuple):
    """Pairs of rows that can be compared, and those of them whose classes contradict the comparison.

    Attributes
    ----------
    comparable : int or ndarray of shape (n_features,)
        Pairs of rows of which one is at least as large as the other.
    violated : int or ndarray of shape (n_features,)
        Those whose larger row has the lower class; of equal rows those with different classes.
    """

    comparable: Any
    violated: Any

    @property
    def share(self) -> Any:
        """Fraction of the comparable pairs that are violated, the non-monotonicity index; 0 where no pair compares."""
        share = np.divide(self.violated, np.maximum(self.comparable, 1))
        return float(share) if np.ndim(share) == 0 else share


def violations(
    X: ArrayLike, y: ArrayLike, directions: ArrayLike | None = None, run: Runner | None = None
) -> Violations:
    """Count the pairs of rows that break monotonicity in all features together.

    Rows i and j compare if x_i >= x_j in every feature, or x_i <= x_j in every one; the pair is violated if then
    y_i < y_j, or y_i > y_j (the complement of the degree of monotonicity of [1]_). Costs a comparison of all pairs,
    most of which end after a few features.

    Parameters
    ----------
    X : array-like of shape (n_rows, n_features)
        Finite numbers.
    y : array-like of shape (n_rows,)
        Target, numbers in the order of the classes.
    directions : array-like of shape (n_features,), optional
        1 for a feature that should rise with the target, -1 for one that should fall, 0 for one to leave out.
    run : Runner, optional
        Its threads share the work.

    Returns
    -------
    Violations

    References
    ----------
    .. [1] H. Daniels and M. Velikova, "Derivation of monotone decision models from noisy data", IEEE Transactions on
       Systems, Man and Cybernetics C 36, 2006.

    Examples
    --------
    >>> found = violations([[1, 1], [2, 2], [3, 1], [3, 3]], [0, 1, 0, 0])
    >>> found.comparable, found.violated, found.share
    (5, 1, 0.2)
    """
    table, levels = checked_rows("violations", X, y)
    signs = checked_directions("violations", directions, table.shape[1])
    table = np.ascontiguousarray(table[:, signs != 0] * signs[signs != 0])

    def work(start: int, stop: int) -> np.ndarray:
        counts = np.zeros(2, np.int64)
        kernels.count_violations(table, levels, start, stop, counts)
        return counts

    comparable, violated = np.sum((run or ThreadRunner(1)).scan(work, len(table), ROWS_AT_ONCE), axis=0)
    return Violations(int(comparable), int(violated))


def feature_violations(
    X: ArrayLike, y: ArrayLike, directions: ArrayLike | None = None, run: Runner | None = None
) -> Violations:
    """Count for every feature alone the pairs of rows that break monotonicity, in O(n log n).

    Every pair of rows compares. Pairs of one class are never violated, so a feature that is independent of the target
    has about half the fraction of pairs of different classes, more if its values tie.

    Parameters
    ----------
    X : array-like of shape (n_rows, n_features)
        Finite numbers.
    y : array-like of shape (n_rows,)
        Target, numbers in the order of the classes.
    directions : array-like of shape (n_features,), optional
        1 for a feature that should rise with the target, -1 for one that should fall, 0 for the better of both.
    run : Runner, optional
        Its threads share the work.

    Returns
    -------
    Violations
        With one entry per feature.

    Examples
    --------
    >>> feature_violations([[1, 4], [2, 3], [3, 1], [4, 2]], [0, 0, 1, 1]).share.round(3).tolist()
    [0.0, 0.667]
    """
    table, levels = checked_rows("feature_violations", X, y)
    signs = checked_directions("feature_violations", directions, table.shape[1])
    n, n_levels = len(table), int(levels.max()) + 1

    def work(start: int, stop: int) -> np.ndarray:
        tree, group = np.empty(n_levels + 1, np.int64), np.empty(n_levels, np.int64)
        counts = np.empty((stop - start, 2), np.int64)
        for k, (column, order) in enumerate(sorted_columns(table, start, stop)):
            counts[k, 0] = kernels.feature_violations(column, order, levels, n_levels, tree, group)
            counts[k, 1] = kernels.feature_violations(-column, order[::-1].copy(), levels, n_levels, tree, group)
        return counts

    rising, falling = np.concatenate(scan_columns(run, work, table)).T
    violated = np.where(signs > 0, rising, np.where(signs < 0, falling, np.minimum(rising, falling)))
    return Violations(np.full(table.shape[1], n * (n - 1) // 2), violated)


def rank_entropy(values: ArrayLike, side: str = "ascending") -> float:
    r"""Return the rank entropy :math:`-\frac{1}{n} \sum_i \ln \frac{|[x_i]|}{n}` of one column, in nats.

    The set :math:`[x_i]` holds the rows with values of at least (ascending) or at most (descending) that of row i
    (definition of [1]_). It is 0 for a constant.

    Parameters
    ----------
    values : array-like of shape (n_rows,)
        Numbers.
    side : {"ascending", "descending", "both"}, default="ascending"
        Which sets are counted; "both" is the mean of the two.

    Returns
    -------
    float

    References
    ----------
    .. [1] Q. Hu, M. Guo, D. Yu and J. Liu, "Information entropy for ordinal classification", Science China
       Information Sciences 53, 2010.

    Examples
    --------
    >>> round(rank_entropy([1, 2]), 6)  # ln(2) / 2
    0.346574
    """
    up, down = side_weights("rank_entropy", side)
    column = np.asarray(values)
    if column.ndim != 1 or not len(column):
        raise InputError(
            f"rank_entropy got values of shape {column.shape}, but needs one column that is not empty; pass its values "
            "as a list."
        )
    refuse_gaps("rank_entropy", "values", column)
    _, levels, sizes = np.unique(column, return_inverse=True, return_counts=True)
    n, at_most = len(levels), np.cumsum(sizes)
    at_least = n - at_most + sizes
    return float(-(sizes * (up * np.log(at_least / n) + down * np.log(at_most / n))).sum() / n) + 0.0


def rank_mutual_information(
    X: ArrayLike,
    y: ArrayLike,
    side: str = "ascending",
    directions: ArrayLike | None = None,
    run: Runner | None = None,
) -> np.ndarray:
    r"""Return the rank mutual information of every feature with an ordered target, in nats.

    :math:`-\frac{1}{n} \sum_i \ln \frac{|[x_i]_f| \, |[x_i]_y|}{n \, |[x_i]_f \cap [x_i]_y|}` [1]_, where
    :math:`[x_i]_f` holds the rows whose f is at least (ascending) or at most (descending) that of row i. It is 0 for a
    constant, at most the rank entropy of either, and negative if the feature falls as the target rises. A sort and a
    tree of counts per feature: O(n log n).

    Parameters
    ----------
    X : array-like of shape (n_rows, n_features)
        Finite numbers.
    y : array-like of shape (n_rows,)
        Target, numbers in the order of the classes.
    side : {"ascending", "descending", "both"}, default="ascending"
        Which sets are counted; "both" is the mean of the two.
    directions : array-like of shape (n_features,), optional
        1 for a feature that should rise with the target, -1 for one that should fall, 0 for the better of both.
    run : Runner, optional
        Its threads share the work.

    Returns
    -------
    ndarray of shape (n_features,)

    References
    ----------
    .. [1] Q. Hu, X. Che, L. Zhang, D. Zhang, M. Guo and D. Yu, "Rank entropy-based decision trees for monotonic
       classification", IEEE TKDE 24(11), 2012.

    Examples
    --------
    >>> rank_mutual_information([[1, 3, 5], [2, 2, 5], [3, 1, 5]], [0, 1, 2]).round(6).tolist()
    [0.501359, -0.095894, 0.0]
    """
    up, down = side_weights("rank_mutual_information", side)
    table, levels = checked_rows("rank_mutual_information", X, y)
    signs = checked_directions("rank_mutual_information", directions, table.shape[1])
    up_to, logs = np.cumsum(np.bincount(levels)), count_logs(len(table))

    def work(start: int, stop: int) -> np.ndarray:
        tree, found = np.empty(len(up_to) + 1, np.int64), np.full(stop - start, -np.inf)
        for k, (column, order) in enumerate(sorted_columns(table, start, stop)):
            for sign in (1, -1):
                if sign * signs[start + k] >= 0:
                    turned = order if sign > 0 else order[::-1].copy()
                    parts = kernels.rank_information(sign * column, turned, levels, up_to, logs, tree)
                    found[k] = max(found[k], up * parts[0] + down * parts[1])
        return found

    return np.concatenate(scan_columns(run, work, table))


def rank_loss(y_true: ArrayLike, y_pred: ArrayLike, class_order: ArrayLike | None = None) -> float:
    """Return the mean number of classes by which predictions are off, the mean absolute rank loss (eq. 13, p = 1).

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_rows,)
        True and predicted classes.
    class_order : array-like, optional
        All classes, the lowest first. Without it the classes that occur are counted in sorted order, so that a class
        which occurs in neither is not.

    Returns
    -------
    float

    Examples
    --------
    >>> rank_loss(["low", "high", "mid", "low"], ["low", "low", "high", "mid"], ["low", "mid", "high"])
    1.0
    """
    true, predicted = np.asarray(y_true), np.asarray(y_pred)
    if true.shape != predicted.shape or true.ndim != 1 or not len(true):
        raise InputError(
            f"rank_loss got classes of shapes {true.shape} and {predicted.shape}, but needs two equally long lists "
            "that are not empty; check how they were cut."
        )
    if (true.dtype.kind in "biuf") != (predicted.dtype.kind in "biuf"):
        raise InputError(
            f"rank_loss got true classes of type {true.dtype} and predicted ones of type {predicted.dtype}, of which "
            "only one is of numbers; pass both as numbers or both as text."
        )
    seen = np.unique(np.concatenate([true, predicted]))
    order = list(seen.tolist() if class_order is None else np.asarray(class_order).tolist())
    if len(set(order)) < len(order):
        raise ParameterError(f"rank_loss got class_order={order!r} with a class twice; list every class once.")
    strange = [label for label in seen.tolist() if label not in order]
    if strange:
        raise ParameterError(
            f"rank_loss got class_order={order!r}, which lacks the class {strange[0]!r}; list all classes, the lowest "
            "first."
        )
    place = {label: k for k, label in enumerate(order)}
    return float(np.mean([abs(place[a] - place[b]) for a, b in zip(true.tolist(), predicted.tolist())]))

"""What errors cost: class fractions that know it, their impurities, and the class that is cheapest to say."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import entr

from fewer.core.measures._tables import Margins, of_tables, ratio
from fewer.core.measures.information import row_entropy
from fewer.core.records.errors import InputError
from fewer.core.summaries.results import Counts


def as_costs(name: str, cost_matrix: Any, n_classes: int) -> np.ndarray:
    """Return the costs of errors as a square matrix with an empty diagonal."""
    costs = _square(name, cost_matrix, n_classes)
    if not np.isfinite(costs).all() or (costs < 0).any():
        bad = float(costs[~(costs >= 0) | np.isinf(costs)][0])
        raise InputError(
            f"{name} got a cost_matrix with {bad} in it, but costs are finite numbers of at least 0; replace it."
        )
    np.fill_diagonal(costs, 0.0)
    if not costs.any():
        raise InputError(
            f"{name} got a cost_matrix in which no error costs anything, but at least one must; give a positive cost, "
            "or None."
        )
    return costs


def _square(name: str, cost_matrix: Any, n_classes: int) -> np.ndarray:
    """Return a copy of the matrix as numbers, of one row and one column per class."""
    try:
        costs = np.array(cost_matrix, dtype=np.float64)
    except (TypeError, ValueError) as error:
        rows = ",".join("0" if u == c else "1" for c in range(n_classes) for u in range(n_classes))
        raise InputError(
            f"{name} got a cost_matrix that cannot be read as {n_classes} rows of {n_classes} numbers; give a list of "
            f"rows, or on the command line the numbers row after row, such as {rows}."
        ) from error
    if costs.shape == (n_classes**2,) and n_classes > 1:
        # A list of numbers, as it is typed on the command line.
        costs = costs.reshape(n_classes, n_classes)
    if costs.shape != (n_classes, n_classes):
        raise InputError(
            f"{name} got a cost_matrix of shape {costs.shape}, but needs shape ({n_classes}, {n_classes}) for "
            f"{n_classes} classes; give a row for every true class and a column for every predicted one."
        )
    return costs


def cost_shares(shares: np.ndarray, costs: np.ndarray, mode: str = "expected") -> np.ndarray:
    """Return the fractions of classes adjusted by expected (eq. 9.12) or by average cost (eq. 9.13).

    Parameters
    ----------
    shares : ndarray of shape (..., n_classes)
        Fractions of the classes, those of one distribution along the last axis.
    costs : ndarray of shape (n_classes, n_classes)
        What `as_costs` returned.
    mode : {"expected", "average"}, default="expected"
        Which of the two.

    Returns
    -------
    ndarray of the same shape
        Zeros where no error costs anything, as where there is a single class.
    """
    if mode == "average":
        adjusted = np.broadcast_to(costs.sum(axis=1), shares.shape)
    else:
        expected, rest = np.zeros(shares.shape), np.zeros(shares.shape)
        # Class by class, and not by BLAS, whose last digits depend on the place of a row: equal fractions stay equal.
        for u in range(len(costs)):
            expected += shares[..., u, None] * costs[:, u]
            rest += shares[..., u, None] * (np.arange(len(costs)) != u)
        adjusted = shares * ratio(expected, rest)
    return ratio(adjusted, adjusted.sum(axis=-1, keepdims=True))


def _entropy(shares: np.ndarray) -> np.ndarray:
    return entr(shares).sum(axis=-1)


def _gini(shares: np.ndarray) -> np.ndarray:
    """1 - sum_c p_c^2, as a sum of products that is 0 also where all shares are 0."""
    return (shares * (1.0 - shares)).sum(axis=-1)


def _drop(counts: Counts, costs: np.ndarray, impurity: Any) -> np.ndarray:
    """How much smaller the impurity of the adjusted fractions is within levels than over all rows."""
    tables = Margins.of(counts)
    before = tables.beside_levels(impurity(cost_shares(tables.column_shares, costs)))
    # Differences level by level: exactly 0 where every level has the fractions of all rows.
    return tables.average(before - impurity(cost_shares(tables.given_level, costs)))


@of_tables
def cost_information_gain(counts: Counts, costs: np.ndarray) -> np.ndarray:
    """Return the information gain (eq. 9.1) of class fractions that know what errors cost (eq. 9.12, book ch. 9).

    H(p') - sum_j p_j H(p'(. | j)): the fractions p' are those of eq. 9.12, for all rows and for the rows of each level
    separately, the levels keep their plain fractions p_j. A level in which no error costs anything has entropy 0.
    Unlike the plain gain it may be negative; with equal costs both are the same.

    Parameters
    ----------
    counts : Counts or array-like
        Levels by classes, see `as_counts`.
    costs : ndarray of shape (n_classes, n_classes)
        What it costs to take a row of one class (its row) for one of another (its column); 0 on the diagonal.

    Returns
    -------
    ndarray of shape (n_features,), or float for one table

    Examples
    --------
    >>> import numpy as np
    >>> round(cost_information_gain([[4, 0], [0, 4]], np.array([[0, 1], [3, 0]])), 6)
    0.562335
    """
    return _drop(counts, costs, _entropy)


@of_tables
def cost_gain_ratio(counts: Counts, costs: np.ndarray) -> np.ndarray:
    """Return `cost_information_gain` divided by the plain entropy of the feature, H(F); 0 for a constant feature.

    Parameters and return value as for `cost_information_gain`.
    """
    return ratio(_drop(counts, costs, _entropy), row_entropy(counts))


@of_tables
def cost_gini_gain(counts: Counts, costs: np.ndarray) -> np.ndarray:
    """Return the Gini gain (eq. 9.2) of class fractions that know what errors cost (eq. 9.12, book ch. 9).

    sum_j p_j sum_c p'(c | j)^2 - sum_c p'_c^2, with a level in which no error costs anything as pure. Parameters and
    return value as for `cost_information_gain`.
    """
    return _drop(counts, costs, _gini)


def expected_costs(probabilities: Any, cost_matrix: Any) -> np.ndarray:
    """Return what it costs on average to predict each class, L(x, u) = sum_c P(c | x) C[c, u] (book section 9.4.2).

    Parameters
    ----------
    probabilities : array-like of shape (n_rows, n_classes)
        P(c | x), as ``predict_proba`` of a classifier returns them.
    cost_matrix : array-like of shape (n_classes, n_classes)
        What it costs to predict the class of the column for a row that belongs to the class of the row; negative
        numbers are benefits, also on the diagonal.

    Returns
    -------
    ndarray of shape (n_rows, n_classes)
    """
    try:
        shares = np.asarray(probabilities, dtype=np.float64)
    except (TypeError, ValueError):
        shares = np.empty(0)
    if shares.ndim != 2 or not np.isfinite(shares).all() or (shares < 0).any():
        raise InputError(
            f"expected_costs got probabilities of shape {shares.shape}, but needs one row per instance and one column "
            "per class, finite and not negative; give what predict_proba returns."
        )
    costs = _square("expected_costs", cost_matrix, shares.shape[1])
    if not np.isfinite(costs).all():
        raise InputError(
            "expected_costs got a cost_matrix with missing or infinite numbers, but costs and benefits are finite; "
            "replace them."
        )
    total = np.zeros(shares.shape)
    for c in range(len(costs)):
        total += shares[:, c, None] * costs[c]
    return total


def cheapest_class(probabilities: Any, cost_matrix: Any, classes: Any = None) -> np.ndarray:
    """Return for every row the class that costs least on average (book ch. 9, section 9.4.2).

    The optimal prediction is the class u with the smallest sum_c P(c | x) C[c, u]; of equal ones the first. With equal
    costs that is the most probable class.

    Parameters
    ----------
    probabilities : array-like of shape (n_rows, n_classes)
        P(c | x), as ``predict_proba`` of a classifier returns them.
    cost_matrix : array-like of shape (n_classes, n_classes)
        As for `expected_costs`, classes in the order of the columns of ``probabilities``.
    classes : array-like of shape (n_classes,), optional
        Labels of the classes, such as ``classes_`` of the classifier; without them numbers of classes are returned.

    Returns
    -------
    ndarray of shape (n_rows,)

    Examples
    --------
    >>> cheapest_class([[0.7, 0.3], [0.9, 0.1]], [[0, 1], [5, 0]], ["healthy", "ill"]).tolist()
    ['ill', 'healthy']
    """
    total = expected_costs(probabilities, cost_matrix)
    labels = np.arange(total.shape[1]) if classes is None else np.asarray(classes)
    if labels.shape != (total.shape[1],):
        raise InputError(
            f"cheapest_class got classes of shape {labels.shape}, but probabilities have {total.shape[1]} columns; "
            "give one label per column, such as classes_ of the classifier."
        )
    return labels[total.argmin(axis=1)]

"""The effective decision boundary feature matrix: mean of N N^T over unit normals N of a border."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.stats import chi2

from fewer.core.borders.contract import Border, GivenBorder
from fewer.core.borders.crossings import crossings
from fewer.core.borders.opposite_rows import nearest_of
from fewer.core.borders.smooth_classifiers import steps_of
from fewer.core.records.errors import InputError

# However narrow the trimming, so many rows of the other class stay.
FEWEST_OTHERS = 5


def edbfm(X: Any, y: Any, h: Callable[[Any], Any], gradient: Callable[[Any], Any] | None = None) -> np.ndarray:
    """Return the matrix of a given decision function, sampled on the way between rows of two classes.

    Every rightly classified row is joined to the nearest rightly classified one of the other class; where the segment
    crosses h = 0 the unit normal N is taken; the mean of N N^T over the rows of one class, and that over the rows of
    the other, have equal weight (eq. 6.3 of the book, ch. 6, by the sampling of Lee and Landgrebe 1993).

    Parameters
    ----------
    X : array-like of shape (n_rows, n_features)
        Rows of two classes. Distances and normals depend on the units of the features: standardize them first.
    y : array-like of shape (n_rows,)
        Two classes; h is above 0 for the first in sorted order.
    h : callable
        Takes rows, returns a number for each.
    gradient : callable, optional
        Takes rows, returns the gradient of h at each; None for differences of h.

    Returns
    -------
    ndarray of shape (n_features, n_features)
        Symmetric, of trace 1.

    Examples
    --------
    >>> X = np.array([[1.0, 0.0], [2.0, 3.0], [-1.0, 1.0], [-3.0, 2.0]])
    >>> edbfm(X, [0, 0, 1, 1], lambda rows: rows[:, 0]).round(6).tolist()
    [[1.0, 0.0], [0.0, 0.0]]
    """
    rows, labels = np.asarray(X, dtype=np.float64), np.asarray(y)
    classes = np.unique(labels)
    if rows.ndim != 2 or labels.shape != (len(rows),) or len(classes) != 2:
        raise InputError(
            f"edbfm got X of shape {rows.shape} and y of shape {labels.shape} with {len(classes)} classes, but needs "
            "rows of two classes; give one class per row, and more classes pair by pair."
        )
    border = GivenBorder(h, gradient, steps_of(rows))
    found = pair_matrix(border, rows[labels == classes[0]], rows[labels == classes[1]])
    if found is None:
        raise InputError(
            "edbfm found no point of the border: h has one sign, or no gradient, on the way between rows of the two "
            "classes; give a function that is above 0 for the first class and below for the second."
        )
    return found


def pair_matrix(border: Border, first: np.ndarray, second: np.ndarray, trim: float | None = None) -> np.ndarray | None:
    """Return the matrix of the border between rows of two classes, None without rightly classified rows of both."""
    first, second = first[border.values(first) > 0], second[border.values(second) <= 0]
    if not len(first) or not len(second):
        return None
    return _of_both(
        mean_square(border, first, trimmed(second, first, trim)),
        mean_square(border, second, trimmed(first, second, trim)),
    )


def mean_square(border: Border, rows: np.ndarray, others: np.ndarray) -> np.ndarray | None:
    """Return the mean of N N^T where rows are joined to their nearest others; None where the border has no normal."""
    found = crossings(border, rows, others[nearest_of(rows, others)[:, 0]])
    normals, has = border.normals(found.points[found.crossed])
    return normals[has].T @ normals[has] / has.sum() if has.any() else None


def trimmed(others: np.ndarray, mine: np.ndarray, trim: float | None) -> np.ndarray:
    """Return the rows of the other class within a chi-square radius of mine, or the few nearest ones if there are less.

    Parameters
    ----------
    others, mine : ndarray of shape (n, n_features)
        Rows of the other class, and of the class whose mean and covariance measure how far they are.
    trim : float or None
        Probability of the radius; None keeps all.
    """
    if trim is None:
        return others
    about = mine - mine.mean(axis=0)
    covariance = about.T @ about / len(mine)
    # A class of few rows has no spread in some directions.
    covariance += 1e-6 * (np.trace(covariance) / len(covariance) or 1.0) * np.eye(len(covariance))
    apart = others - mine.mean(axis=0)
    far = (apart * np.linalg.solve(covariance, apart.T).T).sum(axis=1)
    kept = far <= chi2.ppf(trim, others.shape[1])
    if kept.sum() < FEWEST_OTHERS:
        kept = np.zeros(len(others), dtype=bool)
        kept[np.argsort(far, kind="stable")[:FEWEST_OTHERS]] = True
    return others[kept]


def near_matrix(border: Border, rows: np.ndarray, fraction: float) -> np.ndarray | None:
    """Return the matrix from the rows nearest to the border by \\|h\\|, sides told by the sign of h (section 6.2.2).

    The fraction is doubled as long as all of these rows are on one side; None if all rows are.
    """
    h = border.values(rows)
    order = np.argsort(np.abs(h), kind="stable")
    kept = min(len(rows), int(np.ceil(fraction * len(rows) - 1e-9)))
    while True:
        near = order[: max(1, kept)]
        above = h[near] > 0
        if above.any() and not above.all():
            break
        if kept >= len(rows):
            return None
        kept = min(2 * max(1, kept), len(rows))
    # In the order of the rows, so that ties between neighbours do not depend on h.
    near = np.sort(near)
    first, second = rows[near[h[near] > 0]], rows[near[h[near] <= 0]]
    return _of_both(mean_square(border, first, second), mean_square(border, second, first))


def _of_both(one: np.ndarray | None, other: np.ndarray | None) -> np.ndarray | None:
    """Return the mean of the matrices of two sides; that of one where the other has none."""
    if one is None or other is None:
        return other if one is None else one
    return (one + other) / 2

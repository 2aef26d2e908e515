"""The weights that maximise a margin that is linear in them."""

from __future__ import annotations

import warnings

import numpy as np

from fewer.core.kernels import margins

# Differences from neighbours are gathered for this many rows at a time.
ROWS = 256


def closed_form_weights(z: np.ndarray) -> np.ndarray:
    """Return the non-negative weights of length one that maximise their product with ``z`` (eq. 12.2 of [1]_).

    Parameters
    ----------
    z : ndarray of shape (n_features,)
        What each feature adds to the margins of all rows.

    Returns
    -------
    ndarray of shape (n_features,)
        :math:`(z)^+ / \\|(z)^+\\|_2`.

    Notes
    -----
    The derivation in the text takes for granted that some :math:`z_j > 0`. Otherwise the maximum is at the one feature
    with the largest :math:`z_j`, of equal ones the first; that is returned, with a warning, because no feature then
    widens the margin.

    References
    ----------
    .. [1] Y. Sun, "Feature weighting through local learning", in: H. Liu and H. Motoda (eds.), Computational Methods
       of Feature Selection, 2008, chapter 12.
    """
    positive = np.maximum(z, 0.0)
    largest = positive.max(initial=0.0)
    if largest > 0.0:
        # Scaled first: squares of tiny margins would underflow.
        positive = positive / largest
        return positive / np.linalg.norm(positive)
    warnings.warn(
        "No feature widens the margin between hits and misses; the weight goes to the one that narrows it least.",
        stacklevel=2,
    )
    weights = np.zeros(len(z))
    weights[int(np.argmax(z))] = 1.0
    return weights


def relief_margins(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return what each feature adds to the margins of all rows: z of eq. 12.2, the Relief weights of all rows, summed.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Features scaled to [0, 1], float64 and C-contiguous.
    y : ndarray of int of shape (n_samples,)
        Class numbers.

    Returns
    -------
    ndarray of shape (n_features,)
        Sum over rows of the distance from the nearest miss less that from the nearest hit; rows without a hit are left
        out. Of equally near rows the first is the neighbour.
    """
    z = np.zeros(X.shape[1])
    for start in range(0, len(X), ROWS):
        stop = min(start + ROWS, len(X))
        neighbour, distance = np.empty((stop - start, 2), np.int64), np.empty((stop - start, 2))
        margins.nearest_hits_and_misses(X, y, False, start, stop, neighbour, distance)
        has_both = (neighbour >= 0).all(axis=1)
        rows, (hit, miss) = X[start:stop][has_both], neighbour[has_both].T
        z += (np.abs(rows - X[miss]) - np.abs(rows - X[hit])).sum(axis=0)
    return z


def relief_margin_weights(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return Relief's weights in closed form: those of length one that maximise the mean 1-NN margin.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Features scaled to [0, 1], float64 and C-contiguous.
    y : ndarray of int of shape (n_samples,)
        Class numbers.

    Returns
    -------
    ndarray of shape (n_features,)
        Non-negative, of Euclidean length one; features with a positive Relief weight keep its order.

    See Also
    --------
    closed_form_weights : What is done where no Relief weight is positive.

    Notes
    -----
    With :math:`z = \\sum_n |x_n - NM(x_n)| - |x_n - NH(x_n)|` the sum of the margins under weights w is :math:`w^T z`
    (eq. 12.1 and 12.2 of [1]_); its largest value is :math:`\\|(z)^+\\|_2`.

    References
    ----------
    .. [1] Y. Sun, "Feature weighting through local learning", in: H. Liu and H. Motoda (eds.), Computational Methods
       of Feature Selection, 2008, chapter 12.

    Examples
    --------
    >>> X = np.array([[0.0, 0.6], [0.1, 0.0], [0.9, 0.8], [1.0, 0.2]])
    >>> relief_margin_weights(X, np.array([0, 0, 1, 1]))
    array([1., 0.])
    """
    return closed_form_weights(relief_margins(X, y))

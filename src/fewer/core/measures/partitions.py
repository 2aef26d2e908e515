"""How well rows that were divided, softly or not, are told apart by their columns."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from fewer.core.measures._divisions import checked_division


def scatter_separability(X: ArrayLike, memberships: ArrayLike, ridge: float | ArrayLike = 0.0) -> float:
    """Return trace(S_w^-1 S_b), the scatter between clusters in units of that within (book ch. 2, section 2.4.2).

    S_w = sum_j pi_j Sigma_j and S_b = sum_j pi_j (mu_j - mu)(mu_j - mu)', biased moments of the softly divided rows. It
    does not change under linear maps of the columns that can be undone, never falls when a column joins while the
    division stays, and is 0 for one cluster.

    Parameters
    ----------
    X : array-like of shape (n_rows, n_features)
        Rows.
    memberships : array-like of shape (n_rows, n_clusters)
        To which part each row belongs to each cluster; rows sum to 1.
    ridge : float or array-like of shape (n_features,), default=0.0
        What is added to the diagonal of S_w. With 0 a singular S_w counts in those directions only in which it is not.

    Returns
    -------
    float
        At least 0.

    Examples
    --------
    >>> round(scatter_separability([[-3.0], [-1.0], [1.0], [3.0]], [[1, 0], [1, 0], [0, 1], [0, 1]]), 9)
    4.0
    """
    rows, parts = checked_division("scatter_separability", X, memberships)
    if np.any(np.asarray(ridge) > 0):
        within, between, _ = _scatters(rows, parts, ridge)
        return float(np.trace(np.linalg.solve(within, between)))
    # Units do not matter, but which directions are singular is found best where all columns vary alike.
    within, between, _ = _scatters(_in_one_unit(rows), parts, 0.0)
    return float(np.trace(np.linalg.pinv(within, hermitian=True) @ between))


def separability_rows(X: np.ndarray, memberships: np.ndarray, ridge: float | ArrayLike) -> np.ndarray:
    """Return the influence of every row on `scatter_separability`: its derivative by the weight of the row.

    Its mean is 0, and its standard deviation over the root of the number of rows is the standard error of the
    separability when rows are drawn again and the clusters they belong to stay.
    """
    within, between, means = _scatters(X, memberships, ridge)
    inverse = np.linalg.inv(within)
    twice = inverse @ (within + between) @ inverse
    centred = X - X.mean(axis=0)
    out = np.einsum("ia,ab,ib->i", centred, inverse, centred, optimize=True)
    for mean, part in zip(means, memberships.T):
        apart = centred - mean
        out -= part * np.einsum("ia,ab,ib->i", apart, twice, apart, optimize=True)
    return np.asarray(out - out.mean())


def _in_one_unit(rows: np.ndarray) -> np.ndarray:
    """Return centred columns of variance 1, without overflow on the way."""
    with np.errstate(over="ignore", invalid="ignore"):
        out = 0.5 * rows - 0.5 * rows[:1]
        size = np.abs(out).max(axis=0, initial=0.0)
        out /= np.where(size > 0, size, 1.0)
        out -= out.mean(axis=0)
        size = np.sqrt((out**2).mean(axis=0))
        return np.asarray(out / np.where(size > 0, size, 1.0))


def _scatters(
    rows: np.ndarray, parts: np.ndarray, ridge: float | ArrayLike
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the scatter within and between clusters, and their means, about that of all rows."""
    sizes = parts.sum(axis=0)
    some = np.where(sizes > 0, sizes, 1.0)
    pi = sizes / sizes.sum()
    centred = rows - rows.mean(axis=0)
    means = (parts.T @ centred) / some[:, None]
    within = np.asarray(ridge, dtype=np.float64) * np.eye(rows.shape[1])
    for mean, part in zip(means, parts.T):
        apart = centred - mean
        within += (apart * part[:, None]).T @ apart / len(rows)
    off = np.where(sizes[:, None] > 0, means - pi @ means, 0.0)
    return within, (off * pi[:, None]).T @ off, means

"""How well rows that were divided, softly or not, are told apart by their columns."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike


def scatter_separability(X: ArrayLike, memberships: ArrayLike, ridge: float = 0.0) -> float:
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
    ridge : float, default=0.0
        What is added to the diagonal of S_w. With 0 a singular S_w counts in those directions only in which it is not.

    Returns
    -------
    float
        At least 0.

    Examples
    --------
    >>> scatter_separability([[-3.0], [-1.0], [1.0], [3.0]], [[1, 0], [1, 0], [0, 1], [0, 1]])
    4.0
    """
    rows, parts = np.asarray(X, dtype=np.float64), np.asarray(memberships, dtype=np.float64)
    sizes = parts.sum(axis=0)
    parts, sizes = parts[:, sizes > 0], sizes[sizes > 0]
    pi = sizes / sizes.sum()
    centred = rows - rows.mean(axis=0)
    means = (parts.T @ centred) / sizes[:, None]
    within = ridge * np.eye(rows.shape[1])
    for mean, part in zip(means, parts.T):
        apart = centred - mean
        within += (apart * part[:, None]).T @ apart / len(rows)
    means -= pi @ means
    between = (means * pi[:, None]).T @ means
    if ridge > 0:
        return float(np.trace(np.linalg.solve(within, between)))
    return float(np.trace(np.linalg.pinv(within, hermitian=True) @ between))

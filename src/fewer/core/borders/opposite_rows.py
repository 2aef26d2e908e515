"""The nearest row on the other side."""

from __future__ import annotations

import numpy as np
from scipy.spatial import cKDTree
from scipy.spatial.distance import cdist

# From here on a tree of boxes is no faster than all distances.
MANY_FEATURES = 12
CELLS = 4_000_000


def nearest_of(rows: np.ndarray, others: np.ndarray, k: int = 1) -> np.ndarray:
    """Return the numbers of the k nearest of other rows, nearest first; of equally far ones those with lower numbers.

    Parameters
    ----------
    rows : ndarray of shape (n_rows, n_features)
        Rows whose neighbours are wanted.
    others : ndarray of shape (n_others, n_features)
        Where neighbours are looked for.
    k : int
        Number of neighbours; all if there are fewer.

    Returns
    -------
    ndarray of int of shape (n_rows, min(k, n_others))
    """
    k = min(k, len(others))
    if rows.shape[1] > MANY_FEATURES or len(others) <= 64 or k == len(others):
        return _by_distances(rows, others, k)
    distances, found = cKDTree(others).query(rows, k + 1)
    # A tree says nothing about ties: rows that have one are measured again.
    tied = (distances[:, 1:] == distances[:, :-1]).any(axis=1)
    out = np.asarray(found[:, :k], dtype=np.int64)
    if tied.any():
        out[tied] = _by_distances(rows[tied], others, k)
    return out


def _by_distances(rows: np.ndarray, others: np.ndarray, k: int) -> np.ndarray:
    size = max(1, CELLS // max(1, len(others)))
    out = np.empty((len(rows), k), dtype=np.int64)
    for at in range(0, len(rows), size):
        away = cdist(rows[at : at + size], others, "sqeuclidean")
        if k == 1:
            out[at : at + size, 0] = away.argmin(axis=1)
        else:
            out[at : at + size] = np.argsort(away, axis=1, kind="stable")[:, :k]
    return out

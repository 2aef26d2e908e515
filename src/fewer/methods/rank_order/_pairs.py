"""How often one feature stands before another, for all ordered pairs and several groups of rows."""

from __future__ import annotations

import numpy as np

from fewer.core.kernels.order_pairs import add_before
from fewer.core.records.errors import InputError

# Numbers in a table of all ordered pairs and classes; 160 MB as float64, and fitting makes about three of them.
MOST_CELLS = 20_000_000


def refuse_too_many(name: str, n_features: int, n_classes: int) -> None:
    """Raise when the tables of all pairs of features would not fit comfortably in memory."""
    if n_classes * n_features**2 > MOST_CELLS:
        most = int((MOST_CELLS / n_classes) ** 0.5)
        raise InputError(
            f"{name} reads all pairs of features, but X has {n_features:,} of them, and with {n_classes} classes "
            f"{most:,} are the most; keep fewer first, for instance with RankOrderElimination."
        )


def known(X: np.ndarray) -> np.ndarray | None:
    """Return 1.0 where a value is there and 0.0 where it is missing, or None if none is missing."""
    if X.dtype.kind != "f":
        return None
    missing = np.isnan(X)
    return (~missing).astype(np.float64) if missing.any() else None


def count_before(X: np.ndarray, groups: np.ndarray, weight: np.ndarray, n_groups: int) -> np.ndarray:
    """Return the weight of the rows of each group in which x_i < x_j, (n_groups, n, n)."""
    n_features = X.shape[1]
    counts = np.zeros((n_groups, n_features, n_features))
    add_before(np.ascontiguousarray(X, np.float64), groups, weight, 0, n_features, counts)
    return counts


def count_known(X: np.ndarray, groups: np.ndarray, weight: np.ndarray, n_groups: int) -> np.ndarray:
    """Return the weight of the rows that know both features, (n_groups, n, n), or (n_groups, 1, 1) if all do."""
    here = known(X)
    if here is None:
        return np.bincount(groups, weight, n_groups)[:, None, None]
    return np.stack([(here * np.where(groups == c, weight, 0.0)[:, None]).T @ here for c in range(n_groups)])

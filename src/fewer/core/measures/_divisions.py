"""What measures of divided rows and counted terms take, or why not."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from fewer.core.records.errors import InputError


def checked_division(where: str, X: ArrayLike, memberships: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Return rows and memberships as numbers, or explain why they are none."""
    rows, parts = np.asarray(X, dtype=np.float64), np.asarray(memberships, dtype=np.float64)
    if rows.ndim != 2 or parts.ndim != 2 or len(rows) != len(parts) or not len(rows):
        raise InputError(
            f"{where} got rows of shape {rows.shape} and memberships of shape {parts.shape}, but takes one line of "
            "each per row, with a column per feature and per cluster; pass two such tables."
        )
    if not (np.isfinite(rows).all() and np.isfinite(parts).all()):
        raise InputError(f"{where} got NaN or infinity, but takes finite numbers; fill in or drop those rows.")
    if (parts < 0).any() or not np.allclose(parts.sum(axis=1), 1.0, atol=1e-6):
        raise InputError(
            f"{where} got memberships that are negative or do not sum to 1 in every row, but takes parts of rows; "
            "divide each row by its sum."
        )
    return rows, parts


def checked_counts(where: str, counts: ArrayLike, useful: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Return tokens by cluster and term, and which terms are useful, or explain why they are none."""
    table, mask = np.asarray(counts, dtype=np.float64), np.asarray(useful)
    if table.ndim != 2 or mask.shape != table.shape[1:]:
        raise InputError(
            f"{where} got counts of shape {table.shape} and useful of shape {mask.shape}, but takes a table of "
            "clusters by terms and one entry per term; pass such."
        )
    if not np.isfinite(table).all() or (table < 0).any():
        raise InputError(f"{where} got negative or infinite counts or NaN, but takes counts from 0; pass such.")
    if mask.dtype.kind not in "biuf":
        raise InputError(f"{where} got useful of type {mask.dtype}, but takes True and False; pass such.")
    return table, mask.astype(bool)


def checked_priors(where: str, **priors: float) -> None:
    """Explain which parameter of a Dirichlet distribution is none."""
    for name, value in priors.items():
        if not 0 < value < np.inf:
            raise InputError(f"{where} got {name}={value!r}, but takes finite numbers above 0; pass such a number.")

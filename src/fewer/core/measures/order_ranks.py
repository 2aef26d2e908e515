"""Places of the features inside each row."""

from __future__ import annotations

from typing import Any

import numpy as np

from fewer.core.kernels import row_orders as kernels
from fewer.core.records.errors import InputError


def order_codes(X: Any) -> np.ndarray:
    """Return the dense places of the values in each row from 1, with 0 for unknown (NaN) values.

    Parameters
    ----------
    X : array-like of shape (n_rows, n_features)
        Values that can be compared within a row.

    Returns
    -------
    ndarray of uint16 or uint32
    """
    X = _rows(X)
    codes = np.empty(X.shape, np.uint16 if X.shape[1] < 65535 else np.uint32)
    kernels.dense_codes(X, np.argsort(X, axis=1), codes)
    return codes


def rank_rows(X: Any) -> np.ndarray:
    """Return the ranks of the values within each row (Def. 5), from 1 for the lowest.

    Equal values share the average of their ranks. NaN is unknown: it stays NaN, and the known values of the row are
    ranked among themselves.

    Parameters
    ----------
    X : array-like of shape (n_rows, n_features)
        Values of features that share one domain.

    Returns
    -------
    ndarray of float64, shape (n_rows, n_features)

    Examples
    --------
    >>> rank_rows([[20, 40, 65, 33], [50, 25, 55, 99]]).tolist()
    [[1.0, 3.0, 4.0, 2.0], [2.0, 1.0, 3.0, 4.0]]
    """
    X = _rows(X)
    ranks = np.empty(X.shape)
    kernels.average_ranks(X, np.argsort(X, axis=1), ranks)
    return ranks


def _rows(X: Any) -> np.ndarray:
    """Return a table of float64, or explain what it should be."""
    X = np.asarray(X)
    # Whole numbers of 64 bits may be equal as float64 though they differ.
    X = np.ascontiguousarray(X if X.dtype.kind in "iu" else X.astype(np.float64, copy=False))
    if X.ndim != 2:
        raise InputError(
            f"Orders were given with {X.ndim} dimensions, but need a table of rows by "
            "features; pass X[None] for one row."
        )
    return X

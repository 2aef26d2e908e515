"""Counts of terms: the variance of their weights."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse

from fewer.core.neighbours.row_graph import unit_rows


def are_counts(X: Any) -> bool:
    """Return whether a sparse matrix holds counts: whole numbers of at least 0, and some zeros."""
    if not scipy.sparse.issparse(X) or X.nnz == X.shape[0] * X.shape[1]:
        return False
    return bool((X.data >= 0).all() and (X.data == np.floor(X.data)).all())


def weight_variances(X: Any) -> np.ndarray:
    """Return the variance of the tf.idf weights of every term; 0 for one that all rows have, or none.

    The weight is the count times ln(n / rows with the term); rows are then scaled to length 1, so that long ones count
    as much as short ones.
    """
    X = scipy.sparse.csr_array(X, dtype=np.float64, copy=True)
    X.sum_duplicates()
    n, d = X.shape
    rows_with = np.bincount(X.indices, X.data > 0, d)
    X.data *= np.log(max(n, 1) / np.maximum(rows_with, 1.0))[X.indices]
    X = unit_rows(X)
    mean = np.bincount(X.indices, X.data, d) / n
    squares = np.bincount(X.indices, (X.data - mean[X.indices]) ** 2, d)
    return (squares + mean**2 * (n - np.bincount(X.indices, minlength=d))) / n

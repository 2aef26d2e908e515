"""Rows of counts: what is refused, and rows of length 1."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse

from fewer.core.records.errors import InputError


def stored(X: Any) -> np.ndarray:
    """Return the numbers of a matrix, of a sparse one those that are stored."""
    return X.data if scipy.sparse.issparse(X) else X


def refuse_negative(where: str, X: Any) -> Any:
    """Return counts as they were given; raise if one is below 0."""
    values = stored(X)
    if values.size and values.min() < 0:
        raise InputError(
            f"Negative values in data passed to {where}, but it takes counts from 0; pass how often every term occurs "
            "in every document."
        )
    return X


def unit_rows(X: Any) -> Any:
    """Return rows divided by their lengths, sparse ones as CSR; rows of zeros stay.

    Rows are first divided by their largest value, so that squares neither overflow nor vanish.
    """
    if not scipy.sparse.issparse(X):
        rows = np.asarray(X, dtype=np.float64)
        rows = rows / _or_one(np.abs(rows).max(axis=1, keepdims=True))
        return rows / _or_one(np.sqrt((rows**2).sum(axis=1, keepdims=True)))
    rows = scipy.sparse.csr_array(X, dtype=np.float64, copy=True)
    number = np.repeat(np.arange(rows.shape[0]), np.diff(rows.indptr))
    largest = np.zeros(rows.shape[0])
    np.maximum.at(largest, number, np.abs(rows.data))
    rows.data /= _or_one(largest)[number]
    rows.data /= _or_one(np.sqrt(np.bincount(number, rows.data**2, rows.shape[0])))[number]
    return rows


def class_sums(X: Any, y: np.ndarray, weight: np.ndarray, n_classes: int) -> np.ndarray:
    """Return the sums of the rows of every class, (n_classes, n_features); sparse rows are not made dense."""
    member = scipy.sparse.csr_array((weight, (y, np.arange(len(y)))), shape=(n_classes, len(y)))
    made = member @ X
    return np.asarray(made.todense()) if scipy.sparse.issparse(made) else np.asarray(made)


def _or_one(lengths: np.ndarray) -> np.ndarray:
    return np.where(lengths > 0, lengths, 1.0)

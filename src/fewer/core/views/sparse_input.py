"""Sparse matrices as they are given: looked at before anything reads them, and never changed."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse

from fewer.core.records.errors import InputError

COMPRESSED = ("csr", "csc", "bsr")


def check_structure(where: str, X: Any) -> Any:
    """Return what was given; raise if it is a sparse matrix whose parts contradict each other.

    Loops that read such a matrix, scipy's own included, would read and write outside its memory.

    Parameters
    ----------
    where : str
        What takes the matrix, for the message.
    X : object
        A sparse matrix or anything else, which is not looked at.
    """
    if not scipy.sparse.issparse(X):
        return X
    if X.ndim != 2:
        raise InputError(
            f"{where} got a sparse array of shape {X.shape}, but takes rows x features; give it two dimensions, "
            "such as X.reshape(1, -1) for one row."
        )
    wrong = _wrong(X)
    if wrong:
        raise InputError(
            f"{where} got a sparse matrix of format {X.format} whose parts contradict each other ({wrong}), but the "
            "places of all entries must lie inside its shape; make the matrix again."
        )
    return X


def _wrong(X: Any) -> str:
    """Return what is wrong with the places of the entries, in words; nothing if nothing is."""
    if X.format == "coo":
        return "; ".join(_outside(axis, places, X) for axis, places in enumerate((X.row, X.col))).strip("; ")
    if X.format not in COMPRESSED:
        return ""
    try:
        # On a wrapper of the same memory: the check may cut off what stands behind the last entry.
        parts = (X.data, np.asarray(X.indices), np.asarray(X.indptr))
        type(X)(parts, shape=X.shape, copy=False).check_format(full_check=True)
    except (ValueError, TypeError, IndexError, OverflowError) as error:
        return str(error)
    return ""


def _outside(axis: int, places: np.ndarray, X: Any) -> str:
    if len(places) != len(X.data):
        return f"{len(places)} places on axis {axis} for {len(X.data)} entries"
    if len(places) and not 0 <= places.min() <= places.max() < X.shape[axis]:
        return f"axis {axis} has places from {places.min()} to {places.max()}, but length {X.shape[axis]}"
    return ""


def tidy(X: Any) -> Any:
    """Return a matrix with sorted places, no place twice and no stored zeros; a copy if it was not so."""
    if X.has_canonical_format and np.all(X.data != 0):
        return X
    X = X.copy()
    X.sum_duplicates()
    X.eliminate_zeros()
    return X

"""Sparse matrices as they are given: looked at before anything reads them, and never changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse

from fewer.core.records.errors import InputError, said

# The types of places that scipy's loops read.
_PLACES = {np.dtype(np.int32), np.dtype(np.int64)}


def check_structure(where: str, X: Any) -> Any:
    """Return what was given; raise if it is a sparse matrix whose parts contradict each other, or an array of records.

    Loops that read such a matrix, scipy's own included, would read and write outside its memory.

    Parameters
    ----------
    where : str
        What takes the matrix, for the message.
    X : object
        A sparse matrix, an array, or anything else, which is not looked at.
    """
    if isinstance(X, np.ndarray) and X.dtype.kind == "V":
        advice = "a data frame, as pandas.DataFrame(X)" if X.dtype.names and X.ndim == 1 else "an array of numbers"
        held = f"records of {len(X.dtype.names)} fields" if X.dtype.names else "raw bytes"
        raise InputError(f"{where} got an array of {held} as X, but takes rows and columns of numbers; pass {advice}.")
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
    return _readable(where, X)


def _readable(where: str, X: Any) -> Any:
    """Return X; a copy if neither scipy nor the compiled loops read numbers or places of its types."""
    if X.dtype.kind not in "biufc":
        raise InputError(
            f"{where} got a sparse matrix of the type {X.dtype}, but takes numbers; convert it with X.astype(float)."
        )
    if X.format in ("lil", "dok"):
        X = _gathered(where, X)
    elif X.format in ("csr", "csc", "bsr") and not {X.indices.dtype, X.indptr.dtype} <= _PLACES:
        X = type(X)((X.data, X.indices.astype(np.int64), X.indptr.astype(np.int64)), shape=X.shape)
    if X.dtype.kind == "c" or (X.dtype.isnative and (X.dtype.kind != "f" or X.dtype.itemsize in (4, 8))):
        return X
    if X.format in ("csr", "csc", "bsr"):
        return type(X)((X.data.astype(np.float64), X.indices, X.indptr), shape=X.shape)
    if X.format == "dia":
        return type(X)((X.data.astype(np.float64), X.offsets), shape=X.shape)
    made = X.tocoo()
    return type(made)((made.data.astype(np.float64), (made.row, made.col)), shape=made.shape)


def _gathered(where: str, X: Any) -> Any:
    """Return entries that are Python objects as a compressed matrix; raise if they are not of the type it tells."""
    if X.format == "lil" and not (X.rows.flags.writeable and X.data.flags.writeable):
        # scipy reads only lists that it might write to.
        given, X = X, type(X)(X.shape, dtype=X.dtype)
        X.rows, X.data = given.rows.copy(), given.data.copy()
    try:
        return X.tocsr()
    except (ValueError, TypeError, OverflowError) as error:
        raise InputError(
            f"{where} got a sparse matrix of format {X.format} with an entry that is no number of the type {X.dtype} "
            f"({said(error)}), but takes numbers; make the matrix again."
        ) from error


def _wrong(X: Any) -> str:
    """Return what is wrong with the places of the entries, in words; nothing if nothing is."""
    if min(X.shape) < 0:
        return f"shape {X.shape}"
    try:
        return _LOOKS[X.format](X)
    except (ValueError, TypeError, IndexError, OverflowError, AttributeError) as error:
        return str(error)


def _compressed(X: Any) -> str:
    if not all(isinstance(part, np.ndarray) for part in (X.data, X.indices, X.indptr)):
        return "a part is no array"
    if X.indices.dtype.kind not in "iu" or X.indptr.dtype.kind not in "iu":
        return f"places of the type {X.indices.dtype} and pointers of the type {X.indptr.dtype}"
    # scipy looks at places and pointers only if the last pointer is above 0.
    if len(X.indptr) and (X.indptr[0] != 0 or np.any(X.indptr[1:] < X.indptr[:-1])):
        return "indptr must start with 0 and be a non-decreasing sequence"
    # On a wrapper of the same places: the check may cut off what stands behind the last entry, and refuses types that
    # can be converted.
    entries = np.broadcast_to(np.float64(1), X.data.shape)
    type(X)((entries, X.indices, X.indptr), shape=X.shape, copy=False).check_format(full_check=True)
    return ""


def _coordinates(X: Any) -> str:
    return "; ".join(_outside(axis, places, X) for axis, places in enumerate((X.row, X.col))).strip("; ")


def _outside(axis: int, places: np.ndarray, X: Any) -> str:
    if len(places) != len(X.data):
        return f"{len(places)} places on axis {axis} for {len(X.data)} entries"
    if len(places) and places.dtype.kind not in "iu":
        return f"places of the type {places.dtype} on axis {axis}"
    if len(places) and not 0 <= places.min() <= places.max() < X.shape[axis]:
        return f"axis {axis} has places from {places.min()} to {places.max()}, but length {X.shape[axis]}"
    return ""


def _lists(X: Any) -> str:
    if len(X.rows) != X.shape[0] or len(X.data) != X.shape[0]:
        return f"{len(X.rows)} lists of places and {len(X.data)} of entries for {X.shape[0]} rows"
    for number, (places, entries) in enumerate(zip(X.rows, X.data)):
        if len(places) != len(entries):
            return f"{len(places)} places for {len(entries)} entries in row {number}"
        if places and not 0 <= min(places) <= max(places) < X.shape[1]:
            return f"row {number} has places from {min(places)} to {max(places)}, but length {X.shape[1]}"
        # scipy shows the last of them, and adds them up when it converts.
        if len(set(places)) < len(places):
            return f"row {number} has two entries in one place"
    return ""


def _keys(X: Any) -> str:
    for place in [*X.keys()]:
        if len(place) != 2 or not all(0 <= at < length for at, length in zip(place, X.shape)):
            return f"an entry at {place!r}, but shape {X.shape}"
    return ""


def _diagonals(X: Any) -> str:
    offsets = np.asarray(X.offsets)
    if X.data.ndim != 2 or offsets.ndim != 1 or len(offsets) != len(X.data) or offsets.dtype.kind not in "iu":
        return f"{offsets.shape} offsets of the type {offsets.dtype} for diagonals of shape {X.data.shape}"
    return "the same diagonal twice" if len(np.unique(offsets)) < len(offsets) else ""


_LOOKS: dict[str, Callable[[Any], str]] = {
    **dict.fromkeys(("csr", "csc", "bsr"), _compressed),
    "coo": _coordinates,
    "lil": _lists,
    "dok": _keys,
    "dia": _diagonals,
}


def tidy(X: Any) -> Any:
    """Return a matrix with sorted places, no place twice and no stored zeros; a copy if it was not so."""
    if X.has_canonical_format and np.all(X.data != 0):
        return X
    X = X.copy()
    X.sum_duplicates()
    X.eliminate_zeros()
    return X

"""Whole numbers that floating point cannot hold: beyond 2^53 neighbours become one number."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import scipy.sparse

from fewer.core.records.errors import InputError

# Up to here every whole number is a float.
LARGEST = 2**53
WORDS = "whole numbers beyond 2^53, of which floating point makes neighbours equal: a name, not a quantity"


def rounded(values: np.ndarray) -> bool:
    """Return whether some of these numbers are whole ones that change when they become floats."""
    if values.dtype.kind == "O":
        return any(isinstance(v, int) and abs(v) > LARGEST and int(float(v)) != v for v in values.tolist())
    if values.dtype.kind not in "iu" or values.dtype.itemsize < 8 or not values.size:
        return False
    if int(values.min()) >= -LARGEST and int(values.max()) <= LARGEST:
        return False
    floats, beyond = values.astype(np.float64), float(np.iinfo(values.dtype).max)
    # The largest float below what the type holds: one that is not below cannot be turned back.
    fits = floats < beyond
    return not fits.all() or bool((floats.astype(values.dtype) != values).any())


def exact_of(values: np.ndarray) -> np.ndarray | None:
    """Return whole numbers as they are if floats would change them, None if not."""
    return values if rounded(values) else None


def refuse_rounded(where: str, X: Any, names: Sequence[Any]) -> None:
    """Raise if a column of whole numbers changes when it becomes floats."""
    for j in rounded_columns(X):
        raise InputError(too_large(f"{where} got the column {names[j]!r} with"))


def rounded_columns(X: Any, given: Callable[[int], np.ndarray] | None = None) -> list[int]:
    """Return the columns of whole numbers that change, or have changed, when they become floats.

    Parameters
    ----------
    X : ndarray or sparse matrix
        The data, as given or as floats.
    given : callable, optional
        Returns a column as it was before it became floats; only large numbers are asked for.
    """
    if scipy.sparse.issparse(X):
        large: Any = range(X.shape[1]) if rounded(X.data) else []
        given = given or (lambda j: X[:, [j]].tocsc().data)
    elif X.dtype.kind in "biu" and X.dtype.itemsize < 8:
        # Too narrow for such numbers, and numpy 2.0 and 2.1 crash where they compare swapped bytes with them.
        return []
    else:
        # The usual cases, in which nothing of the size of X is made, and small numbers from 0 are read but once.
        if X.dtype.kind in "iu" and 0 <= np.bitwise_or.reduce(X, axis=None) < LARGEST:
            return []
        # Comparisons with NaN are false.
        if X.dtype.kind in "iuf" and (not X.size or (X.max() < LARGEST and X.min() > -LARGEST)):
            return []
        large = np.flatnonzero(((X >= LARGEST) | (X <= -LARGEST)).any(axis=0))
        given = given or (lambda j: X[:, j])
    return [int(j) for j in large if rounded(given(int(j)))]


def too_large(what: str) -> str:
    """Return the sentence for whole numbers that floating point makes equal."""
    return (
        f"{what} whole numbers beyond 2^53, of which floating point makes neighbours equal, but numbers that stay "
        "different are needed; subtract an offset, make them text or nominal if they are names, or leave them out."
    )

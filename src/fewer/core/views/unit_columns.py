"""Columns measured from their lowest value and by a power of two: equal differences stay equal, no square overflows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from fewer.core.runners.runner import Runner

TILE_CELLS = 2**20


def unit_columns(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return columns with values from 0 to below 2, and their standard deviations, 0 of constants.

    Parameters
    ----------
    rows : ndarray of shape (n_rows, n_columns)
        Finite numbers; whole ones of any size keep their differences.

    Returns
    -------
    columns : ndarray of float64 of shape (n_columns, n_rows)
        Each column less its lowest value, times a power of two.
    deviations : ndarray of shape (n_columns,)
        With n in the denominator, of what is returned.
    """
    given = np.ascontiguousarray(rows.T)
    if given.dtype.kind in "iu":
        # Unsigned differences are exact whatever the range.
        given = given.astype(np.uint64 if given.dtype.kind == "u" else np.int64).view(np.uint64)
        signed = rows.dtype.kind == "i"
        low = (given.view(np.int64) if signed else given).min(axis=1, keepdims=True).astype(np.uint64)
        columns = (given - low).astype(np.float64)
    else:
        # Halves, so that the range of the largest numbers is a number.
        half = given.astype(np.float64) * 0.5
        columns = half - half.min(axis=1, keepdims=True)
    largest = columns.max(axis=1, initial=0.0)
    powers = 1 - np.frexp(largest)[1]
    # In two steps, each of which is a number; multiplying by powers of two is exact, and faster than ldexp.
    for step in (powers // 2, powers - powers // 2):
        columns *= np.ldexp(1.0, step)[:, None]
    apart = columns - columns.mean(axis=1, keepdims=True)
    deviations = np.sqrt(np.einsum("ij,ij->i", apart, apart) / max(1, columns.shape[1]))
    return columns, np.where(largest > 0.0, deviations, 0.0)


def stable_order(column: np.ndarray) -> np.ndarray:
    """Return what sorts finite numbers, equal ones in the order they have; as a stable argsort does, but faster.

    Numbers are sorted as whole numbers whose last digits are replaced by the row. What these digits told apart, if they
    told anything, is seen afterwards.
    """
    n = len(column)
    last = (1 << max(1, n - 1).bit_length()) - 1
    # Adding 0 makes -0 equal to 0; of negative numbers all bits but the sign are turned.
    bits = (column.astype(np.float64, copy=False) + 0.0).view(np.int64)
    keys = (bits ^ ((bits >> 63) & np.int64(2**63 - 1))) & np.int64(~last)
    keys |= np.arange(n)
    keys.sort()
    keys &= last
    values = column[keys]
    return keys if (values[1:] >= values[:-1]).all() else np.argsort(column, kind="stable")


def scan_columns(X: np.ndarray, run: Runner, use: Callable[[np.ndarray, float], Any]) -> np.ndarray:
    """Call ``use(column, deviation)`` for every column as `unit_columns` gives it; return the results as one array.

    Its threads share the columns. Results are numbers, or arrays of equal shape.
    """

    def work(start: int, stop: int) -> list[Any]:
        columns, deviations = unit_columns(X[:, start:stop])
        return [use(column, float(deviation)) for column, deviation in zip(columns, deviations)]

    parts = run.scan(work, X.shape[1], max(1, TILE_CELLS // max(1, X.shape[0])))
    return np.array([one for part in parts for one in part])

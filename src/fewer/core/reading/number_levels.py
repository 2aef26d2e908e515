"""Nominal columns of an array of numbers as levels, many columns at once."""

from __future__ import annotations

import numpy as np

COLUMNS_AT_ONCE = 1024
# Whole numbers in a wider range are looked at column by column.
WIDEST = 64


def whole_number_levels(X: np.ndarray, nominal: np.ndarray) -> dict[int, tuple[np.ndarray, np.ndarray]]:
    """Return level numbers and labels of the nominal columns of whole numbers in a small range, none of them missing.

    Levels and labels are those of `encode_labels`; the other columns are left to it.
    """
    found: dict[int, tuple[np.ndarray, np.ndarray]] = {}
    if X.dtype.kind not in "iuf" or X.ndim != 2 or not len(X):
        return found
    which = np.flatnonzero(nominal)
    for first in range(0, len(which), COLUMNS_AT_ONCE):
        some = which[first : first + COLUMNS_AT_ONCE]
        columns = np.ascontiguousarray(X[:, some].T)
        low, high = columns.min(axis=1), columns.max(axis=1)
        with np.errstate(invalid="ignore", over="ignore"):
            # In float64, which holds a range of whole numbers of any type, or says that it is wide.
            small = high.astype(np.float64) - low.astype(np.float64) < WIDEST
            if X.dtype.kind == "f":
                small &= (np.abs(low) < 2.0**24) & (np.rint(columns) == columns).all(axis=1)
        rows = np.flatnonzero(small)
        codes = (columns[rows] - low[rows, None]).astype(np.int64)
        for at, j, code in zip(rows.tolist(), some[rows].tolist(), codes):
            present = np.flatnonzero(np.bincount(code))
            # Plus 0: of the two zeros the one without a sign.
            labels = [str((low[at] + low.dtype.type(level) + low.dtype.type(0)).item()) for level in present.tolist()]
            place = np.full(WIDEST, np.nan)
            place[present] = np.arange(len(present))
            found[j] = place[code], np.array(labels)
    return found

"""What measures for ordered targets share: checked input, sorted columns, logarithms of counts."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from fewer.core.records.errors import InputError, ParameterError
from fewer.core.runners.runner import Runner
from fewer.core.runners.threads import ThreadRunner

SIDES = ("ascending", "descending", "both")
CELLS_AT_ONCE = 2**20


def side_weights(where: str, side: str) -> tuple[float, float]:
    """Return the fractions of the ascending and of the descending part."""
    if side not in SIDES:
        raise ParameterError(f"{where} got side={side!r}, but knows {', '.join(map(repr, SIDES))}; pass one of them.")
    return {"ascending": (1.0, 0.0), "descending": (0.0, 1.0), "both": (0.5, 0.5)}[side]


def count_logs(n: int) -> np.ndarray:
    """Return ln i for i from 0 to n, with 0 for the unused first."""
    return np.log(np.maximum(np.arange(n + 1), 1).astype(np.float64))


def checked_rows(where: str, X: ArrayLike, y: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Return the table and the levels of the target as class numbers."""
    table, target = np.asarray(X), np.asarray(y)
    if table.ndim != 2 or target.shape != table.shape[:1] or not len(target):
        raise InputError(
            f"{where} got X of shape {table.shape} and y of shape {target.shape}, but needs a table and one number per "
            "row; pass X[:, None] for one feature."
        )
    refuse_gaps(where, "X", table)
    refuse_gaps(where, "y", target)
    return table, np.unique(target, return_inverse=True)[1].astype(np.int64)


def refuse_gaps(where: str, what: str, values: np.ndarray) -> None:
    """Raise unless all values are numbers, which alone have an order here."""
    if values.dtype.kind not in "biuf":
        raise InputError(
            f"{where} got {what} of type {values.dtype}, but compares numbers; pass numbers in the order that is meant."
        )
    # A gap is neither above nor below: loops over runs of equal values would not end.
    if values.dtype.kind == "f" and np.isnan(values).any():
        raise InputError(f"{where} got NaN in {what}, but compares numbers; fill in or drop missing values.")


def checked_directions(where: str, directions: ArrayLike | None, n_features: int) -> np.ndarray:
    """Return one direction per feature."""
    if directions is None:
        return np.ones(n_features, np.int64)
    signs = np.asarray(directions)
    if signs.shape != (n_features,) or not np.isin(signs, (-1, 0, 1)).all():
        raise ParameterError(
            f"{where} got directions of shape {signs.shape}, but needs one of -1, 0 and 1 for each of {n_features} "
            "features; leave it out if all should rise."
        )
    return signs.astype(np.int64)


def sorted_columns(table: np.ndarray, start: int, stop: int) -> Any:
    """Yield some columns as float64, each with the order that sorts it."""
    columns = np.ascontiguousarray(table[:, start:stop].T, dtype=np.float64)
    return zip(columns, np.argsort(columns, axis=1, kind="stable"))


def scan_columns(run: Runner | None, work: Any, table: np.ndarray) -> list[np.ndarray]:
    """Work on some columns at a time."""
    step = max(1, CELLS_AT_ONCE // max(1, len(table)))
    return (run or ThreadRunner(1)).scan(work, table.shape[1], step)

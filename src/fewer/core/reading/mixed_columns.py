"""Columns of several kinds, given as arrays, series or frames: numbers stay numbers, everything else is a level."""

from __future__ import annotations

from dataclasses import replace
from numbers import Real
from typing import Any

import numpy as np

from fewer.core.reading.frames import is_frame
from fewer.core.reading.memory import plain_view
from fewer.core.records.errors import InputError
from fewer.core.records.target_kinds import is_missing
from fewer.core.runners.runner import Runner
from fewer.core.views.view import View

CATEGORICAL = ("category", "categorical", "enum")


def mixed_columns(name: str, given: Any) -> np.ndarray:
    """Return columns as objects: floats for numbers, text for levels."""
    if is_frame(given):
        parts = [given[column] for column in given.columns]
    else:
        values = _plain(name, given)
        parts = list(values.T) if values.ndim == 2 else [given if hasattr(given, "dtype") else values]
    out = np.empty((len(parts[0]) if parts else len(given), len(parts)), dtype=object)
    for j, part in enumerate(parts):
        out[:, j] = _one(name, part)
    return out


def _plain(name: str, given: Any) -> np.ndarray:
    try:
        values = np.asarray(given)
        if values.dtype.kind in "US" and not hasattr(given, "dtype"):
            # numpy makes text of numbers beside text.
            values = np.array(given, dtype=object)
    except ValueError as error:
        raise InputError(
            f"test got {name} of lines of several lengths, but takes one column or a table; make them equally long."
        ) from error
    if values.ndim not in (1, 2):
        raise InputError(f"test got {name} of shape {values.shape}, but takes one column or a table; reshape it.")
    return values


def _one(name: str, column: Any) -> np.ndarray:
    categorical = str(getattr(column, "dtype", "")).lower().startswith(CATEGORICAL)
    values = np.asarray(column)
    if values.dtype.kind in "cmM":
        raise InputError(
            f"test with kind='mixed' got {values.dtype} in {name}, but takes numbers and levels; turn it into "
            "numbers or text."
        )
    if values.dtype.kind == "O" or categorical:
        objects = values.astype(object)
        if any(is_missing(value) for value in objects.tolist()):
            raise InputError(
                f"test with kind='mixed' got missing values in {name}, but regressions take none; leave those rows "
                "out, or use kind='g', which takes a missing value for a level."
            )
        categorical |= not all(isinstance(v, Real) and not isinstance(v, (bool, np.bool_)) for v in objects.tolist())
    if categorical or values.dtype.kind in "bUS":
        return np.array([f"{type(value).__name__} {value}" for value in values.tolist()], dtype=object)
    return values.astype(np.float64).astype(object)


def mixed_view(columns: np.ndarray, run: Runner) -> View:
    """Return a view of such columns, without a target; those of text are nominal."""
    table = np.empty(columns.shape)
    labels: dict[int, np.ndarray] = {}
    for j, column in enumerate(columns.T):
        if isinstance(column[0], str):
            labels[j], table[:, j] = np.unique(column.astype(str), return_inverse=True)
        else:
            table[:, j] = column.astype(np.float64)
    nominal = np.array([j in labels for j in range(columns.shape[1])], bool)
    return replace(plain_view(table, run), nominal=nominal, labels=labels)

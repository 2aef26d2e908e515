"""Rows of X, y and weights: as many in each, and those of weight 0 left out."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np
import scipy.sparse
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import _num_samples

from fewer.core.reading.frames import is_frame, take_rows
from fewer.core.records.errors import InputError


def of_weight(
    name: str, X: Any, y: Any, weight: Any, fewest: int = 2
) -> tuple[Any, Any, np.ndarray | None, np.ndarray | None]:
    """Return X, y and weights of the rows that count, and which rows these are if not all are.

    Rows of weight 0 leave before anything else is learned from them, so that every method, every list of classes or
    levels and every check takes them for absent. At least ``fewest`` rows must be left.
    """
    if weight is None:
        return X, y, None, None
    n_rows = _num_samples(X)
    weight = read_weights(name, weight, n_rows)
    counted = rows_that_count(name, weight, fewest)
    if counted is None:
        return X, y, weight, None
    refuse_other_length(name, n_rows, y)
    return counted_rows(X, counted), None if y is None else counted_rows(y, counted), weight[counted], counted


def refuse_other_length(name: str, n_rows: int, y: Any) -> None:
    """Raise unless a target, if there is one, has an entry for every row."""
    if y is not None and _num_samples(y) != n_rows:
        raise InputError(
            f"{name} got X with {n_rows} rows and y with {_num_samples(y)} values; both must have one "
            "entry per sample: check how they were cut."
        )


def left_out_facts(counted: np.ndarray | None) -> dict[str, Any]:
    """Return how many rows were left out because their weight is 0, if any were."""
    return {} if counted is None else {"n_zero_weight": int(np.count_nonzero(~counted))}


def read_weights(name: str, weight: Any, n_rows: int) -> np.ndarray:
    """Return one finite weight of at least 0 per row, as float64."""
    if isinstance(weight, Real):
        weight = np.full(n_rows, weight)
    try:
        values = np.asarray(weight, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(f"{name} got sample_weight that holds no numbers ({error}); give one per row.") from error
    if values.shape != (n_rows,):
        raise InputError(
            f"{name} got sample_weight of shape {values.shape}, but X has {n_rows} rows; give one weight per row."
        )
    wrong = np.flatnonzero(~((values >= 0.0) & (values < np.inf)))
    if len(wrong):
        raise InputError(
            f"{name} got sample_weight with {values[wrong[0]]:g} in row {wrong[0]}, but a weight is a finite number of "
            "at least 0; correct it, or leave sample_weight out."
        )
    return np.ascontiguousarray(values)


def rows_that_count(name: str, weight: np.ndarray, fewest: int) -> np.ndarray | None:
    """Return which rows have a weight above 0, None if all have; raise if fewer than ``fewest`` have."""
    counted = weight > 0.0
    if counted.all():
        return None
    n = int(np.count_nonzero(counted))
    if n < fewest:
        raise InputError(
            f"{name} got sample_weight above zero in {n} of {len(weight)} rows, and the others are left out, but at "
            f"least {fewest} must count; give weights above zero to the rows that shall count."
        )
    return counted


def counted_rows(given: Any, counted: np.ndarray) -> Any:
    """Return the rows that count of a matrix, frame, list or target; what has another number of rows as it is."""
    if _num_samples(given) != len(counted):
        return given
    if is_frame(given):
        return take_rows(given, counted)
    if scipy.sparse.issparse(given):
        return given.tocsr()[counted]
    return _safe_indexing(given, np.flatnonzero(counted))

"""Rows that come after `fit`, read as those of `fit` were."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Real
from typing import Any

import numpy as np
from sklearn.utils.validation import check_array, validate_data

from fewer.core.reading.frames import as_rows, encode_frame, is_frame, nominal_columns, numbers_in_texts
from fewer.core.records.errors import InputError

# A level that `fit` has not seen.
UNSEEN = -1.0


def read_again(estimator: Any, X: Any, labels: Mapping[int, np.ndarray], *, missing: bool = False) -> np.ndarray:
    """Return new rows of data with nominal columns as numbers: levels as `fit` numbered them, -1 for others.

    Parameters
    ----------
    estimator : BaseEstimator
        Knows names and number of the columns; named in messages.
    X : array-like
        New rows.
    labels : mapping of int to ndarray
        Labels of the levels of each nominal column, in the order of their numbers.
    missing : bool, default=False
        Whether values may be missing, and are NaN then.
    """
    name = type(estimator).__name__
    X = as_rows(X, name)
    given = X if is_frame(X) else np.array(X, dtype=object)
    validate_data(estimator, given, reset=False, skip_check_array=True)
    nominal = np.zeros(given.shape[1], bool)
    nominal[list(labels)] = True
    known: dict[int, np.ndarray] = {}
    if is_frame(given):
        texts = nominal_columns(given, None, name) & ~nominal
        known, _ = numbers_in_texts(given, texts, None, name)
    numbers, here = encode_frame(given, nominal, known)
    for j, levels in here.items():
        place = {**_by_value(labels[j]), **{str(label): number for number, label in enumerate(labels[j])}}
        renumbered = np.array([place.get(str(label), place.get(_value(label), UNSEEN)) for label in levels])
        seen = ~np.isnan(numbers[:, j])
        numbers[seen, j] = renumbered[numbers[seen, j].astype(np.int64)] if len(levels) else UNSEEN
    if not missing:
        refuse_missing(name, numbers)
    return check_array(numbers, estimator=estimator, ensure_all_finite="allow-nan")


def refuse_missing(name: str, numbers: np.ndarray) -> None:
    """Raise if values of new rows are missing."""
    if numbers.dtype.kind == "f" and (n_missing := int(np.isnan(numbers).sum())):
        raise InputError(
            f"{name} takes no missing values, but the new rows hold {n_missing} of them (NaN); fill them in or leave "
            "those rows out."
        )


def holds_text(X: Any, name: str) -> bool:
    """Return whether a data frame has columns of text or categories."""
    return is_frame(X) and bool(nominal_columns(X, None, name).any())


def _by_value(labels: np.ndarray) -> dict[Any, int]:
    """Return the number of every level that is a number, by its value: 3 and 3.0 are one level."""
    return {value: number for number, label in enumerate(labels) if isinstance(value := _value(label), Real)}


def _value(label: Any) -> Any:
    try:
        return float(label)
    except ValueError:
        return None

"""Sequences as users have them: texts, one column of a frame, or one column per position."""

from __future__ import annotations

from typing import Any

import numpy as np

from fewer.core.reading.frames import is_frame
from fewer.core.records.errors import InputError, InputTypeError
from fewer.core.records.target_kinds import is_missing

ALLOWED = "a list, array or series of texts, one column of texts, or one column of single letters per position"


def sequence_texts(name: str, X: Any, fewest: int = 1) -> list[str]:
    """Return one text per sequence.

    Parameters
    ----------
    name : str
        Who asks, for messages.
    X : list, array, series or frame
        Texts; or one column of texts; or several columns, each with the letter at one position.
    fewest : int, default=1
        How many sequences there must be.
    """
    if isinstance(X, (str, bytes)):
        raise InputTypeError(f"{name} got a single text, but takes {ALLOWED}; put the sequence into a list.")
    if hasattr(X, "toarray"):
        raise InputTypeError(f"{name} got a sparse matrix of numbers, but takes {ALLOWED}; pass the sequences.")
    values = _values(name, X)
    if values.ndim == 1:
        texts = [_text(name, value, row) for row, value in enumerate(values.tolist())]
    elif values.ndim == 2 and values.shape[1] == 1:
        texts = [_text(name, value, row) for row, value in enumerate(values[:, 0].tolist())]
    elif values.ndim == 2 and values.shape[1] > 1:
        texts = ["".join(_letter(name, value, row) for value in line) for row, line in enumerate(values.tolist())]
    else:
        raise InputError(f"{name} got X of shape {values.shape}, but takes {ALLOWED}; pass such sequences.")
    if len(texts) < fewest:
        raise InputError(f"{name} got {len(texts)} sequence(s), but the minimum is {fewest}; give more of them.")
    empty = next((row for row, text in enumerate(texts) if not text), None)
    if empty is not None:
        raise InputError(f"{name} got an empty text as sequence {empty}, but each must have letters; drop it.")
    return texts


def _values(name: str, X: Any) -> np.ndarray:
    """Return X as an array of objects."""
    if is_frame(X) or hasattr(X, "to_numpy"):
        # Categories and text types of frames as plain texts.
        columns = [np.asarray(X[c], dtype=object) for c in X.columns] if hasattr(X, "columns") else None
        if columns is None:
            return np.asarray(X.to_numpy(), dtype=object)
        return np.column_stack(columns) if columns else np.zeros((len(X), 0), dtype=object)
    try:
        given = list(X) if not isinstance(X, np.ndarray) else X
    except TypeError as error:
        raise InputTypeError(f"{name} got a {type(X).__name__}, but takes {ALLOWED}; pass such sequences.") from error
    if isinstance(given, list) and any(isinstance(one, (str, bytes)) or is_missing(one) for one in given):
        out = np.empty(len(given), dtype=object)
        out[:] = given
        return out
    try:
        return np.asarray(given, dtype=object)
    except ValueError as error:
        raise InputError(f"{name} got lists of different lengths, but takes {ALLOWED}; pass texts.") from error


def _text(name: str, value: Any, row: int) -> str:
    if isinstance(value, bytes):
        value = value.decode("latin-1")
    if not isinstance(value, str):
        given = "a missing value" if is_missing(value) else f"{value!r}"
        raise InputError(f"{name} got {given} as sequence {row}, but takes {ALLOWED}; drop or correct it.")
    return "".join(value.split())


def _letter(name: str, value: Any, row: int) -> str:
    """Return the letter at one position."""
    text = _text(name, value, row)
    if len(text) != 1:
        raise InputError(
            f"{name} got several columns, and {value!r} in row {row}, but one column per position holds single "
            "letters; give one column of texts, or single letters."
        )
    return text

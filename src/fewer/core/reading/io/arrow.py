"""pyarrow, where it is installed: its import, its errors, its arrays as columns."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from fewer.core.reading.io.text_columns import MISSING_WORDS, Column
from fewer.core.reading.whole_numbers import exact_of
from fewer.core.records.errors import FileError, MissingExtraError

_GLANCE = 64


def need_pyarrow(where: str) -> Any:
    """Import pyarrow, or say how to install it."""
    try:
        import pyarrow
    except ImportError as error:
        raise MissingExtraError(
            f"{where} can only be read or written with pyarrow, which is not installed; install it with "
            "pip install 'fewer[io]'."
        ) from error
    return pyarrow


@contextmanager
def plain_errors(where: str, what: str) -> Iterator[None]:
    """Say in one sentence why pyarrow could not read ``where``, a file of the kind ``what``."""
    pyarrow = need_pyarrow(where)
    try:
        yield
    except (pyarrow.ArrowException, OSError, UnicodeError) as error:
        raise FileError(_sentence(where, what, error)) from error


def _sentence(where: str, what: str, error: Exception) -> str:
    text = str(error)
    ragged = re.search(r"(?:Row #(\d+): )?Expected (\d+) columns, got (\d+)", text)
    if ragged:
        row, expected, got = ragged.groups()
        at = f"row {row} (the header is row 1)" if row else "a row"
        return (
            f"{where} has {got} cells in {at}, but the header names {expected} columns; correct that row, "
            "where a separator or a quote may be missing or too many."
        )
    if isinstance(error, UnicodeEncodeError):
        return (
            f"{where} has a name with bytes that are not UTF-8 text, but {what} is read from files whose name is; "
            "rename it."
        )
    if isinstance(error, UnicodeError) or "UTF8" in text:
        row = re.search(r"Row #(\d+)", text)
        at = f" in row {row.group(1)}" if row else ""
        known = error.encoding.upper() if isinstance(error, UnicodeDecodeError) else "UTF-8"
        return (
            f"{where} holds bytes{at} that are not {known} text, but all its text must be of one encoding; name that "
            "with encoding=, such as 'cp1252', or save it as UTF-8."
        )
    if "straddling" in text:
        return (
            f"{where} has a row that is longer than the part of the file held in memory, but a row must fit; "
            "look for a quote that is never closed."
        )
    if "ompressed" in text or "inflate" in text or "decompress" in text:
        return f"{where} is cut off or damaged ({text}), but a complete file is needed; copy or make it again."
    reason = text.splitlines()[0].rstrip(".") if text else type(error).__name__
    return f"{where} could not be read as {what} ({reason}), but a complete file is needed; make it again."


def kind_of(type_: Any) -> str:
    """Say what a column of an Arrow type holds."""
    import pyarrow.types as types

    if types.is_dictionary(type_):
        return kind_of(type_.value_type)
    if types.is_boolean(type_):
        return "boolean"
    if types.is_integer(type_):
        return "integer"
    if types.is_floating(type_) or types.is_decimal(type_) or types.is_null(type_):
        return "number"
    if types.is_string(type_) or types.is_large_string(type_) or types.is_string_view(type_):
        return "text"
    if types.is_temporal(type_):
        return "dates or times"
    return f"values of the type {type_}"


def text_column(array: Any) -> Column:
    """Number the texts of a string or dictionary array; an empty text is a missing value in every format."""
    import pyarrow as pa

    if pa.types.is_dictionary(array.type):
        # Only levels that occur, by their first occurrence, as if the texts themselves had been numbered.
        numbered = array.indices.dictionary_encode()
        levels, indices = array.dictionary.take(numbered.dictionary).to_pylist(), numbered.indices
    else:
        numbered = array.dictionary_encode()
        levels, indices = numbered.dictionary.to_pylist(), numbered.indices
    places = indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64, copy=False)
    absent = [i for i, level in enumerate(levels) if not level]
    if absent:
        places = np.where(np.isin(places, absent), -1, places)
    return Column(places, levels)


def number_column(array: Any) -> Column:
    """Make numbers of an array of any numeric or boolean type: float64, or small whole numbers as they are."""
    import pyarrow as pa

    if pa.types.is_dictionary(array.type):
        array = array.dictionary_decode()
    boolean = pa.types.is_boolean(array.type)
    if not array.null_count and (boolean or (pa.types.is_integer(array.type) and array.type.bit_width < 64)):
        plain = array.cast(pa.uint8()) if boolean else array
        return Column(plain.to_numpy(), boolean=boolean)
    # Shorter whole numbers than those of 64 bits are floats without loss.
    large = pa.types.is_integer(array.type) and array.type.bit_width == 64
    values = array.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False)
    return Column(values, boolean=boolean, exact=exact_of(whole_numbers(array)) if large else None)


def whole_numbers(array: Any) -> np.ndarray:
    """Return an array of whole numbers as it is, with 0 for missing ones."""
    return array.fill_null(0).to_numpy(zero_copy_only=False)


def parse(texts: Any, type_: Any) -> Any:
    """Read texts as an Arrow type, missing words as null; None where a text is something else."""
    import pyarrow as pa
    import pyarrow.compute as compute

    # A cell that does not fit costs a hundred times more than one that does; most columns show it at once.
    if len(texts) > _GLANCE and parse(texts.slice(0, _GLANCE), type_) is None:
        return None
    try:
        return texts.cast(type_)
    except pa.ArrowInvalid:
        pass
    trimmed = compute.utf8_trim_whitespace(texts)
    absent = compute.is_in(trimmed, value_set=pa.array(MISSING_WORDS))
    try:
        return compute.if_else(absent, pa.scalar(None, pa.string()), trimmed).cast(type_)
    except pa.ArrowInvalid:
        return None

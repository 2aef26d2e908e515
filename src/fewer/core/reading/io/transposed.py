"""Tables with a feature in every row and a sample in every column, as gene expression is often written."""

from __future__ import annotations

from itertools import islice
from typing import Any

import numpy as np

from fewer.core.reading.io.columns import ColumnSource
from fewer.core.reading.io.held import HeldColumns, all_columns, texts_of
from fewer.core.reading.io.source import Source
from fewer.core.reading.io.text_columns import Column
from fewer.core.reading.number_texts import MISSING_WORDS
from fewer.core.records.errors import InputError, ParameterError
from fewer.core.records.target_kinds import told_apart

SAMPLES = "sample"
# Fewer rows say nothing about what is in them.
FEWEST_ROWS = 20
LOOKED_AT = 5_000
MOST_CHUNKS = 50


def transposed(source: Source) -> HeldColumns:
    """Return the table with rows and columns exchanged; the first column names the features.

    The names of the columns become the column ``sample``, which no method uses, but by which tables are joined.
    """
    if not isinstance(source, ColumnSource):
        raise ParameterError(
            f"transpose=True is for tables with named columns, but {source.where} holds a matrix; transpose X itself."
        )
    first, *samples = source.features
    if not samples:
        raise InputError(
            f"{source.where} has the one column {first!r}, but transpose=True needs names of features in the first "
            "column and samples in the others; check the separator with sep=."
        )
    columns = all_columns(source)
    names = told_apart(text or f"unnamed_{i}" for i, text in enumerate(texts_of(columns[first])))
    matrix, texts = _numbers([columns[name] for name in samples])
    found = {name: Column(matrix[:, i]) for i, name in enumerate(names)}
    kinds = {}
    for i in np.flatnonzero(texts).tolist():
        found[names[i]], kinds[names[i]] = _text_row([columns[name] for name in samples], i), "text"
    made = HeldColumns(source.where, found, kinds, len(samples))
    key = next(name for name in (SAMPLES, *(f"{SAMPLES}_{k}" for k in range(len(names) + 1))) if name not in found)
    made.columns[key], made.kinds[key] = Column(np.arange(len(samples)), samples), "text"
    made.extra, made.decimal = (key,), source.decimal
    made.notes = (*(n for n in source.notes if "first column" not in n), *_told(names, columns[first], samples))
    made.at(source.paths)
    return made


def _numbers(columns: list[Column]) -> tuple[np.ndarray, np.ndarray]:
    """Return the numbers with a row per sample, and which features hold a text somewhere."""
    matrix = np.full((len(columns), len(columns[0].values)), np.nan, order="F")
    texts = np.zeros(matrix.shape[1], bool)
    for k, column in enumerate(columns):
        if column.levels is None:
            matrix[k] = column.values
            continue
        numbers = np.array([*map(_number, column.levels), np.nan])
        matrix[k] = numbers[column.values]
        texts |= np.isinf(matrix[k])
    return matrix, texts


def _number(text: str) -> float:
    """Return the number that a text is, NaN if it stands for nothing, infinity if it is a word."""
    try:
        return float(text)
    except ValueError:
        return np.nan if text.strip() in MISSING_WORDS else np.inf


def _text_row(columns: list[Column], i: int) -> Column:
    cells = [_cell(column, i) for column in columns]
    levels = {cell: k for k, cell in enumerate(dict.fromkeys(cell for cell in cells if cell))}
    return Column(np.array([levels.get(cell or "", -1) for cell in cells]), list(levels))


def _cell(column: Column, i: int) -> str | None:
    """Return one value as a text, None if it is missing."""
    if column.levels is None:
        return texts_of(column.at(np.array([i])))[0]
    place = int(column.values[i])
    return None if place < 0 else column.levels[place].strip()


def _told(names: tuple[str, ...], first: Column, samples: list[str]) -> list[str]:
    given = texts_of(first)
    again = sum(name != text for name, text in zip(names, given) if text)
    notes = [f"Rows and columns were exchanged: {len(names):,} features, {len(samples):,} samples."]
    if again:
        notes.append(f"{again:,} names of features occur again and have a number behind them.")
    return notes


def has_features_in_rows(source: Any) -> bool:
    """Return whether a table looks as if each row were a feature; reads only its beginning.

    That is: the first column holds texts that are all different, all others hold numbers, and there are more rows than
    columns.
    """
    if not isinstance(source, ColumnSource) or len(source.features) < 3:
        return False
    first, *others = source.features
    chunk = next(islice(source.chunks(source.features), 1), None)
    if chunk is None or chunk[first].levels is None or any(chunk[name].levels is not None for name in others):
        return False
    n_rows = len(chunk[first].values)
    places = chunk[first].values[:LOOKED_AT]
    unique = len(np.unique(places)) == len(places) and places.min(initial=0) >= 0
    return bool(unique) and n_rows >= max(FEWEST_ROWS, len(source.features))


def names_in_rows(source: Any) -> list[str]:
    """Return what the first column of a table holds, which are the features if these are in rows."""
    if not isinstance(source, ColumnSource) or len(source.features) < 2:
        return []
    # Some hundred megabytes at most: a target may also be mistyped.
    read = islice(source.chunks(source.features[:1]), MOST_CHUNKS)
    return [text for chunk in read for text in texts_of(chunk[source.features[0]]) if text]

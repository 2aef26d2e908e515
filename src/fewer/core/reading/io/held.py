"""Columns that are held in memory: of a table that is joined or transposed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from fewer.core.reading.io.columns import Chunk, ColumnSource
from fewer.core.reading.io.roles import Roles
from fewer.core.reading.io.text_columns import Column


def all_columns(source: ColumnSource) -> dict[str, Column]:
    """Read all columns of a source into memory; types that change on the way are those of the whole column."""
    names, roles = (*source.features, *source.extra), Roles(source.features)
    before: object = None
    while True:
        chunks = list(source.read_chunks(names, roles))
        known = {name: (column.levels is None, column.decimal) for name, column in chunks[-1].items()} if chunks else {}
        alike = all((c.levels is None, c.decimal) == known[name] for chunk in chunks for name, c in chunk.items())
        # A column of text whose first chunk has no value looks like one of numbers for ever.
        if alike or known == before:
            return {name: _stacked([chunk[name] for chunk in chunks]) for name in names}
        before = known


def _stacked(columns: Sequence[Column]) -> Column:
    """Put the chunks of a column one below the other."""
    if all(column.levels is None for column in columns):
        values = np.concatenate([column.values for column in columns])
        exact = None
        if any(column.exact is not None for column in columns):
            exact = np.concatenate([c.values.astype(np.int64) if c.exact is None else c.exact for c in columns])
        return Column(values, boolean=all(c.boolean for c in columns), exact=exact, decimal=columns[0].decimal)
    levels: dict[str, int] = {}
    places = []
    for column in columns:
        own = [levels.setdefault(level or "", len(levels)) for level in column.levels or ()]
        here = column.values if column.levels is not None else np.full(len(column.values), -1)
        places.append(np.array([*own, -1], dtype=np.int64)[here])
    return Column(np.concatenate(places), list(levels))


def texts_of(column: Column) -> list[str | None]:
    """Return the values of a column as texts, whole numbers without a point; None where missing."""
    if column.levels is not None:
        names = [*(level.strip() for level in column.levels), None]
        return [names[place] for place in column.values.tolist()]
    given = column.values if column.exact is None else column.exact
    missing = np.isnan(column.values)
    return [None if gone else f"{int(v)}" if v == int(v) else f"{v!r}" for v, gone in zip(given.tolist(), missing)]


def plain_values(column: Column) -> np.ndarray:
    """Return a column to be written: texts with None where missing, or numbers."""
    if column.levels is not None:
        return np.array([*texts_of(column), None], dtype=object)[:-1]
    if column.exact is not None and not column.missing.any():
        return column.exact
    return column.values


class HeldColumns(ColumnSource):
    """Named columns in memory."""

    def __init__(self, where: str, columns: Mapping[str, Column], kinds: Mapping[str, str], n_rows: int) -> None:
        self.where, self.columns = where, dict(columns)
        self.features, self.n_rows = tuple(columns), n_rows
        self.kinds = {name: kinds.get(name, "number") for name in columns}

    def chunks(self, names: Sequence[str]) -> Iterator[Chunk]:
        """Give the columns whole."""
        yield {name: self.columns[name] for name in names}

    def originals(self, names: Sequence[str], typed: bool) -> Iterator[dict[str, Any]]:
        """Give the columns whole, as texts or numbers."""
        yield {name: plain_values(self.columns[name]) for name in names}

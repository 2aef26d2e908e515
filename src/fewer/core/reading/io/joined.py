"""Two tables joined by a key, such as measurements and what is known of the samples."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from fewer.core.reading.io.columns import Chunk, ColumnSource
from fewer.core.reading.io.held import all_columns, plain_values, texts_of
from fewer.core.reading.io.roles import find
from fewer.core.reading.io.source import Source
from fewer.core.reading.io.text_columns import Column
from fewer.core.records.errors import InputError, ParameterError

MOST_SHOWN = 3


class JoinedSource(ColumnSource):
    """The rows of one table with columns of another beside them, which is held in memory.

    Parameters
    ----------
    table, other : Source
        The rows, and the table that has one row per key.
    on : str or None
        The column that names the samples in both tables, or ``"name=other name"``; the one that both have by default.
    """

    def __init__(self, table: Source, other: Source, on: str | None) -> None:
        if not (isinstance(table, ColumnSource) and isinstance(other, ColumnSource)):
            matrix = other if isinstance(table, ColumnSource) else table
            raise ParameterError(
                f"join= is for tables with named columns, but {matrix.where} holds a matrix; save it as .csv or "
                ".parquet with a column that names the samples."
            )
        self.where, self._table, self._other = table.where, table, other
        columns = all_columns(other)
        try:
            self._left, self._right = _keys(table, other, on)
        except (InputError, ParameterError):
            for name, column in columns.items():
                _suggest_transposed(table, other.where, name, texts_of(column))
            raise
        self._held = {name: column for name, column in columns.items() if name != self._right}
        self._rows = _rows_by_key(texts_of(columns[self._right]), other.where, self._right)
        own = tuple(name for name in table.features if name != self._left)
        both = [name for name in own if name in self._held]
        if both:
            raise InputError(
                f"{table.where} and {other.where} both have the column {both[0]!r}{_more(both)}, but beside the key "
                f"{self._left!r} names must differ; rename or remove it in one of them."
            )
        self.features = own + tuple(name for name in self._held if name not in other.extra)
        self.kinds = {name: other.kind_of(name) for name in self._held}
        self.nominal = table.nominal | other.nominal
        self.decimal, self.n_rows = table.decimal, table.n_rows
        shown = ", ".join([*self._held][:MOST_SHOWN]) + ("" if len(self._held) <= MOST_SHOWN else ", ...")
        added = f"{len(self._held)} column{'s' * (len(self._held) != 1)} of {other.where} ({shown})"
        self.notes = (*table.notes, *other.notes, f"Joined by {self._left!r}: {added}.")
        self.at((*table.paths, *other.paths))

    def kind_of(self, name: str) -> str:
        """Return what a column holds, as far as it was read."""
        return self.kinds[name] if name in self._held else self._table.kind_of(name)

    def chunks(self, names: Sequence[str]) -> Iterator[Chunk]:
        """Read columns of the first table, and those of the other by the key of every row."""
        own = [name for name in names if name not in self._held]
        missed: Counter[str] = Counter()
        n_rows = 0
        for chunk in self._table.chunks([*own, self._left]):
            rows = self._found(texts_of(chunk[self._left]), missed)
            n_rows += len(rows)
            beside = {name: _at(self._held[name], rows) for name in names if name in self._held}
            yield {name: beside[name] if name in beside else chunk[name] for name in names}
        if missed:
            self._refuse_unmatched(missed, n_rows)

    def originals(self, names: Sequence[str], typed: bool) -> Iterator[dict[str, Any]]:
        """Read columns of the first table as they are, and those of the other by key."""
        own = [name for name in names if name not in self._held]
        keys = self._table.chunks([self._left])
        waiting: list[str | None] = []
        for chunk in self._table.originals(own or [self._left], typed):
            n_rows = len(next(iter(chunk.values())))
            while len(waiting) < n_rows:
                waiting += texts_of(next(keys)[self._left])
            rows, waiting = self._found(waiting[:n_rows], Counter()), waiting[n_rows:]
            beside = {name: plain_values(_at(self._held[name], rows)) for name in names if name in self._held}
            yield {name: beside[name] if name in beside else chunk[name] for name in names}

    def _found(self, keys: Sequence[str | None], missed: Counter[str]) -> np.ndarray:
        """Return the row of the other table for every key, -1 and a count where there is none."""
        rows = np.array([self._rows.get(key or "", -1) for key in keys], dtype=np.int64)
        missed.update(keys[i] or "(empty)" for i in np.flatnonzero(rows < 0).tolist())
        return rows

    def _refuse_unmatched(self, missed: Counter[str], n_rows: int) -> None:
        n, shown = sum(missed.values()), ", ".join(map(repr, [*missed][:MOST_SHOWN]))
        if n == n_rows:
            _suggest_transposed(self._table, self._other.where, self._right, [*self._rows])
        raise InputError(
            f"{n:,} of {n_rows:,} rows of {self.where} have no partner in {self._other.where} ({self._left!r} is "
            f"{shown}{', ...' if len(missed) > MOST_SHOWN else ''}), but every row needs one; add these rows to "
            f"{self._other.where}, with an empty target to leave them out, or correct the keys."
        )


def _suggest_transposed(table: ColumnSource, where: str, name: str, keys: Sequence[str | None]) -> None:
    """Raise if most keys of the other table are names of columns of the first."""
    if 2 * len(set(keys) & set(table.features)) > len(keys):
        raise InputError(
            f"{table.where} cannot be joined by rows, but its columns are named by {name!r} of {where}, so they are "
            "the samples and its rows the features; add transpose=True."
        )


def _keys(table: ColumnSource, other: ColumnSource, on: str | None) -> tuple[str, str]:
    """Return the names of the key in both tables."""
    mine = {name: i for i, name in enumerate((*table.features, *table.extra))}
    its = {name: i for i, name in enumerate((*other.features, *other.extra))}
    samples = table.extra[0] if table.extra else None
    if on is None:
        both = [name for name in mine if name in its]
        if len(both) != 1:
            found = f"both have {', '.join(both[:MOST_SHOWN])}" if both else "have no column name in common"
            raise ParameterError(
                f"{table.where} and {other.where} {found}, but one column must name the samples in both; say which "
                "with on='name', or on='name=other name'."
            )
        return both[0], both[0]
    left, right = (on, on) if on in its and (on in mine or samples) else (*on.split("=", 1), on)[:2]
    if left not in mine and samples is not None:
        # The names of the columns of a transposed table have no name of their own.
        left = samples
    find(left, mine, "on", table.where)
    find(right, its, "on", other.where)
    return left, right


def _rows_by_key(keys: Sequence[str | None], where: str, name: str) -> dict[str, int]:
    counts = Counter(key for key in keys if key)
    again = [key for key, n in counts.items() if n > 1]
    if again:
        raise InputError(
            f"{where} has {len(again):,} value{'s' * (len(again) != 1)} of {name!r} in more than one row "
            f"({', '.join(map(repr, again[:MOST_SHOWN]))}{_dots(again)}), but a table that is joined needs one row per "
            "value; remove the copies or join by another column."
        )
    return {key: i for i, key in enumerate(keys) if key}


def _at(column: Column, rows: np.ndarray) -> Column:
    """Return the values at rows, missing ones where the row is -1."""
    taken = column.at(rows)
    if column.levels is None:
        return taken if rows.min(initial=0) >= 0 else Column(np.where(rows < 0, np.nan, taken.values))
    return Column(np.where(rows < 0, -1, taken.values), column.levels)


def _more(names: Sequence[str]) -> str:
    return f" and {len(names) - 1} more" if len(names) > 1 else ""


def _dots(names: Sequence[str]) -> str:
    return ", ..." if len(names) > MOST_SHOWN else ""

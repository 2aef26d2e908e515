"""Dates: found in frames and files, left out with a note, or made into numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import replace
from typing import Any

import numpy as np

from fewer.core.reading.frames import is_frame
from fewer.core.reading.io.columns import Chunk, ColumnSource
from fewer.core.reading.io.text_columns import Column
from fewer.core.records.errors import ParameterError
from fewer.core.records.target_kinds import is_missing

DATES = "dates or times"
HOW = ("leave out", "expand")
PARTS = ("year", "month", "weekday", "hour", "days_since_1970")
WORDS = "it holds dates, which no method takes as they are; dates='expand' makes numbers of them"
ISO = re.compile(r"\s*\d{4}-\d{2}-\d{2}(?:[ T]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)?\s*(?:Z|[+-]\d{2}:?\d{2})?\s*")
ZONE = re.compile(r"(?:Z|(?<=\d\d)[+-]\d{2}:?\d{2})\s*$")


def read_dates(X: Any, how: str = "leave out") -> Any:
    """Return a frame or table whose dates can be read: left out of a table with a note, or made into numbers.

    Dates of a frame stay where they are if they are left out, because columns are counted there.
    """
    if how not in HOW:
        raise ParameterError(f"dates={how!r} was given, but allowed are {' and '.join(map(repr, HOW))}; pass one.")
    if hasattr(type(X), "batches") and hasattr(X, "_source"):
        return _table(X, how)
    return expanded(X) if how == "expand" and is_frame(X) else X


def frame_dates(X: Any) -> dict[str, np.ndarray]:
    """Return the columns of a frame that hold dates, also as ISO text, as moments; NaT where missing."""
    import narwhals.stable.v2 as nw

    found = {}
    for column in nw.from_native(X, eager_only=True).iter_columns():
        temporal = column.dtype.is_temporal()
        if not temporal and str(column.dtype) not in ("String", "Object"):
            continue
        moments = _moments(column.to_list(), temporal)
        if moments is not None:
            found[column.name] = moments
    return found


def _moments(values: list[Any], temporal: bool) -> np.ndarray | None:
    """Return values as moments; None if some are no dates."""
    present = [v for v in values if not is_missing(v)]
    if not present or not (temporal or all(isinstance(v, str) and ISO.fullmatch(v) for v in present)):
        return None
    try:
        return np.array([_text(v) for v in values], dtype="datetime64[us]")
    except ValueError:
        return None


def _text(value: Any) -> str:
    return "NaT" if is_missing(value) or not str(value).strip() else ZONE.sub("", str(value)).strip()


def parts_of(moments: np.ndarray) -> dict[str, np.ndarray]:
    """Return year, month, weekday (Monday is 0), hour and days since 1970 of moments, NaN where missing."""
    day = moments.astype("datetime64[D]")
    absent = np.isnat(moments)
    numbers = {
        "year": moments.astype("datetime64[Y]").astype(np.int64) + 1970,
        "month": moments.astype("datetime64[M]").astype(np.int64) % 12 + 1,
        "weekday": (day.astype(np.int64) + 3) % 7,
        "hour": (moments - day).astype("timedelta64[h]").astype(np.int64),
        "days_since_1970": (moments - np.datetime64(0, "us")) / np.timedelta64(1, "D"),
    }
    return {part: np.where(absent, np.nan, values.astype(np.float64)) for part, values in numbers.items()}


def as_days(X: Any) -> tuple[Any, dict[str, str]]:
    """Return a frame with days since 1970 in the place of dates, and which columns these are, by number."""
    found = frame_dates(X) if is_frame(X) else {}
    if not found:
        return X, {}
    places = {name: j for j, name in enumerate(X.columns)}
    days = {name: {"": parts_of(moments)["days_since_1970"]} for name, moments in found.items()}
    return _replaced(X, days), {str(places[name]): WORDS for name in found}


def expanded(X: Any) -> Any:
    """Return a frame with year, month, weekday, hour and days since 1970 in the place of each date."""
    found = frame_dates(X)
    return _replaced(X, {name: parts_of(moments) for name, moments in found.items()}) if found else X


def _replaced(X: Any, numbers: dict[str, dict[str, np.ndarray]]) -> Any:
    import narwhals.stable.v2 as nw

    frame = nw.from_native(X, eager_only=True)
    columns: list[Any] = []
    for column in frame.iter_columns():
        if column.name not in numbers:
            columns.append(column)
            continue
        for part, values in numbers[column.name].items():
            name = f"{column.name}_{part}" if part else column.name
            columns.append(nw.new_series(name, values, backend=frame.implementation))
    natives = {series.name: series.to_native() for series in columns}
    if frame.implementation.is_pandas():
        import pandas as pd

        # By position: rows of pandas have labels of their own.
        plain = {name: np.asarray(one) if one.index is not X.index else one for name, one in natives.items()}
        return pd.DataFrame(plain, index=X.index)
    return nw.from_dict({s.name: s for s in columns}, backend=frame.implementation).to_native()


def _table(table: Any, how: str) -> Any:
    """Return a table without its dates, or with numbers in their place; what was left out is in ``dates_left``."""
    source, roles = table._source, table._roles
    if table.in_memory or not isinstance(source, ColumnSource):
        return table
    if not source.kinds:
        # Text tells what it holds when it is read: one chunk is enough to see.
        next(iter(source.chunks(roles.features)), None)
    names = [name for name in roles.features if source.kind_of(name) == DATES]
    made = copy(table)
    # The look at the columns leaves out what is too large; facts that are known already have refused it.
    made._roles = replace(roles, examined=True)
    if not names:
        return made
    vars(made).pop("_facts", None)
    if how == "expand":
        made._source = ExpandedDates(source, names)
        made_of = {name: [f"{name}_{part}" for part in PARTS] if name in names else [name] for name in roles.features}
        features = tuple(one for name in roles.features for one in made_of[name])
    else:
        features = tuple(name for name in roles.features if name not in names)
        made.dates_left = tuple(names)
    made._roles = replace(made._roles, features=features)
    made.names = features
    return made


class ExpandedDates(ColumnSource):
    """A file with numbers in the place of its dates."""

    def __init__(self, source: ColumnSource, names: Sequence[str]) -> None:
        self._source = source
        self._made = {f"{name}_{part}": (name, part) for name in names for part in PARTS}
        self.where, self.paths, self.seen, self.notes = source.where, source.paths, source.seen, source.notes
        self.n_rows, self.extra, self.default_target = source.n_rows, source.extra, source.default_target
        self.decimal, self.declares_text = source.decimal, source.declares_text
        self.features = tuple(name for name in source.features if name not in names) + tuple(self._made)
        self.nominal = source.nominal - set(names)
        self.kinds: dict[str, str] = {}

    def kind_of(self, name: str) -> str:
        """Return what a column holds."""
        return "number" if name in self._made else self._source.kind_of(name)

    def chunks(self, names: Sequence[str]) -> Iterator[Chunk]:
        """Read the columns that numbers are made of, and make them."""
        for chunk in self._source.chunks(self._behind(names)):
            bases = {self._made[name][0] for name in names if name in self._made}
            parts = {base: parts_of(_column_moments(chunk[base])) for base in bases}
            yield {
                name: Column(parts[self._made[name][0]][self._made[name][1]]) if name in self._made else chunk[name]
                for name in names
            }

    def originals(self, names: Sequence[str], typed: bool) -> Iterator[dict[str, Any]]:
        """Read columns as they are, numbers of dates as numbers."""
        for chunk in self._source.originals(self._behind(names), typed):
            out: dict[str, Any] = {}
            for name in names:
                if name in self._made:
                    base, part = self._made[name]
                    texts = [None if v is None else str(v) for v in chunk[base].to_pylist()]
                    out[name] = parts_of(np.array([_text(v) for v in texts], dtype="datetime64[us]"))[part]
                else:
                    out[name] = chunk[name]
            yield out

    def _behind(self, names: Sequence[str]) -> list[str]:
        return list(dict.fromkeys(self._made[name][0] if name in self._made else name for name in names))


def _column_moments(column: Column) -> np.ndarray:
    """Return the moments of a column of texts that are dates."""
    levels = np.array([_text(level) for level in [*(column.levels or ()), None]], dtype="datetime64[us]")
    return levels[column.values]

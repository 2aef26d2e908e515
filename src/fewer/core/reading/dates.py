"""Dates: found in frames and files, left out with a note, or made into numbers."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta
from typing import Any

import numpy as np

from fewer.core.reading.date_texts import DateTexts, date_texts
from fewer.core.reading.frames import is_frame
from fewer.core.reading.io.arrow_dates import arrow_moments
from fewer.core.reading.io.columns import Chunk, ColumnSource
from fewer.core.reading.io.text_columns import DATES, Column
from fewer.core.reading.temporal import is_temporal
from fewer.core.records.errors import ParameterError
from fewer.core.records.target_kinds import is_missing

HOW = ("leave out", "expand")
PARTS = ("year", "month", "weekday", "hour", "days_since_1970")
WORDS = "it holds dates, which no method takes as they are; dates='expand' makes numbers of them"
EPOCH = np.datetime64(0, "us")
# Microseconds.
DAY = 24 * 60 * 60 * 10**6


def read_dates(X: Any, how: str = "leave out", keep: Any = None) -> Any:
    """Return a frame or table whose dates can be read: left out of a table with a note, or made into numbers.

    Dates of a frame stay where they are if they are left out, because columns are counted there; those of a table
    that ``keep`` names, or all if it is "all", become days since 1970.
    """
    if how not in HOW:
        raise ParameterError(f"dates={how!r} was given, but allowed are {' and '.join(map(repr, HOW))}; pass one.")
    if hasattr(type(X), "batches") and hasattr(X, "_source"):
        return _table(X, how, keep)
    if how != "expand" or not is_frame(X):
        return X
    if hasattr(X, "map_partitions"):
        from fewer.core.reading.dask_texts import expanded_parts

        return expanded_parts(X)
    return expanded(X)


@dataclass(frozen=True, eq=False)
class ColumnDates:
    """The moments of a column, NaT where missing, and what was not plain about them."""

    values: np.ndarray
    remark: str = ""

    @property
    def words(self) -> str:
        """What is said of the column."""
        return words_with(self.remark)


def words_with(remark: str) -> str:
    """Return what is said of a column of dates."""
    return f"{WORDS}; {remark}" if remark else WORDS


def frame_dates(X: Any) -> dict[str, ColumnDates]:
    """Return the columns of a frame that hold dates, periods or durations, also dates as text, as moments."""
    import narwhals.stable.v2 as nw

    found = {}
    for column in nw.from_native(X, eager_only=True).iter_columns():
        temporal = is_temporal(column)
        if not temporal and str(column.dtype) not in ("String", "Object", "Unknown"):
            continue
        typed = _typed_moments(column) if temporal else None
        moments = _moments(column.to_list(), temporal) if typed is None else ColumnDates(typed)
        if moments is not None:
            found[column.name] = moments
    return found


def _typed_moments(column: Any) -> np.ndarray | None:
    """Return a column of narwhals whose type is a date or moment at once; None if it is another, or all is missing."""
    import narwhals.stable.v2 as nw

    # By the clock of its zone, as `_moment` has it; narwhals does not know all zones of pandas, and pandas 2 not those
    # of its own columns of Arrow.
    kind = getattr(column.to_native(), "dtype", None)
    if getattr(getattr(kind, "pyarrow_dtype", None), "tz", None) is not None:
        moments = arrow_moments(column.to_arrow())
        return None if moments is None or np.isnat(moments).all() else moments
    if getattr(kind, "tz", None) is not None:
        values = column.to_native().dt.tz_localize(None).to_numpy()
    elif isinstance(column.dtype, nw.Date | nw.Datetime):
        zoned = getattr(column.dtype, "time_zone", None) is not None
        values = (column.dt.replace_time_zone(None) if zoned else column).to_numpy()
    else:
        return None
    return None if values.dtype.kind != "M" or np.isnat(values).all() else values.astype("datetime64[us]")


def _moments(values: list[Any], temporal: bool) -> ColumnDates | None:
    """Return values as moments; None if some are no dates."""
    present = [v for v in values if not is_missing(v)]
    if not present:
        return None
    if all(isinstance(v, str) for v in present):
        how = date_texts(dict.fromkeys(present))
        moments = None if how is None else moments_of(values, how)
        return None if how is None or moments is None else ColumnDates(moments, how.remark)
    if not temporal and not all(hasattr(v, "to_timestamp") for v in present):
        return None
    try:
        return ColumnDates(_as_moments(values), temporal_remark(present[0]))
    except ValueError:
        return None


def moments_of(values: list[Any], how: DateTexts) -> np.ndarray | None:
    """Return dates, or texts of dates that are written so, as moments; None if some text is none."""
    present = dict.fromkeys(v for v in values if not is_missing(v))
    if not all(isinstance(v, str) for v in present):
        return _as_moments(values)
    if present and date_texts(present) is None:
        return None
    known = {text: how.moment(text) for text in present}
    absent = np.datetime64("NaT", "us")
    return np.array([absent if is_missing(v) else known[v] for v in values], dtype="datetime64[us]")


def _as_moments(values: list[Any]) -> np.ndarray:
    return np.array([_moment(v) for v in values], dtype="datetime64[us]")


def _moment(value: Any) -> Any:
    """Return the moment that a value stands for: the beginning of a period, a duration or a time since 1970."""
    if is_missing(value):
        return "NaT"
    if hasattr(value, "to_timestamp"):
        value = value.to_timestamp()
    if isinstance(value, time):
        value = timedelta(hours=value.hour, minutes=value.minute, seconds=value.second, microseconds=value.microsecond)
    if isinstance(value, timedelta):
        return EPOCH + np.timedelta64(value)
    return np.datetime64(value.replace(tzinfo=None) if isinstance(value, datetime) else value, "us")


def temporal_remark(value: Any) -> str:
    """Return what is not plain about a column whose type is a time, by one of its values."""
    return "durations are measured in days" if isinstance(value, timedelta) else ""


def parts_of(moments: np.ndarray, wanted: Collection[str] = PARTS) -> dict[str, np.ndarray]:
    """Return year, month, weekday (Monday is 0), hour and days since 1970 of moments, NaN where missing."""
    absent = np.isnat(moments)
    # Whole numbers, because the casts of numpy take every moment apart into year, month, day and so on.
    time = np.where(absent, 0, moments.astype("datetime64[us]", copy=False).view(np.int64))
    day = time // DAY
    months = _months_of(day) if {"year", "month"} & set(wanted) else day
    numbers: dict[str, Callable[[], np.ndarray]] = {
        "year": lambda: months // 12 + 1970,
        "month": lambda: months % 12 + 1,
        "weekday": lambda: (day + 3) % 7,
        "hour": lambda: (time - day * DAY) // (DAY // 24),
        "days_since_1970": lambda: time / DAY,
    }
    return {part: np.where(absent, np.nan, number()) for part, number in numbers.items() if part in wanted}


def _months_of(day: np.ndarray) -> np.ndarray:
    """Return the months since 1970 of days since then."""
    low, high = (int(day.min()), int(day.max())) if len(day) else (0, 0)
    if high - low >= len(day):
        return day.astype("datetime64[D]").astype("datetime64[M]").astype(np.int64)
    # There are fewer days than moments.
    return np.arange(low, high + 1).astype("datetime64[D]").astype("datetime64[M]").astype(np.int64)[day - low]


def days_of(moments: np.ndarray) -> np.ndarray:
    """Return days since 1970, NaN where missing."""
    return parts_of(moments, PARTS[-1:])[PARTS[-1]]


def as_days(X: Any) -> tuple[Any, dict[str, str]]:
    """Return a frame with days since 1970 in the place of dates, and which columns these are, by number."""
    found = frame_dates(X) if is_frame(X) else {}
    if not found:
        return X, {}
    places = {name: j for j, name in enumerate(X.columns)}
    days = {name: {"": days_of(moments.values)} for name, moments in found.items()}
    return replaced(X, days), {str(places[name]): moments.words for name, moments in found.items()}


def expanded(X: Any) -> Any:
    """Return a frame with year, month, weekday, hour and days since 1970 in the place of each date."""
    found = frame_dates(X)
    return replaced(X, {name: parts_of(moments.values) for name, moments in found.items()}) if found else X


def replaced(X: Any, numbers: dict[str, dict[str, np.ndarray]]) -> Any:
    """Return a frame with columns of numbers in the place of some of its columns."""
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


def _table(table: Any, how: str, keep: Any = None) -> Any:
    """Return a table without its dates, or with numbers in their place; ``dates_left`` says what of the former."""
    source, roles = table._source, table._roles
    if table.in_memory or not isinstance(source, ColumnSource):
        return table
    found = _dates_of(source, roles)
    made = copy(table)
    # The look at the columns leaves out what is too large; facts that are known already have refused it.
    made._roles = replace(roles, examined=True)
    if not found:
        return made
    vars(made).pop("_facts", None)
    listed = [keep] if isinstance(keep, str) else [] if keep is None else list(keep)
    kept = [name for name in found if name in listed or listed == ["all"]] if how != "expand" else []
    if how == "expand" or kept:
        made._source = ExpandedDates(source, found, kept)
    if how == "expand":
        made_of = {name: [f"{name}_{part}" for part in PARTS] if name in found else [name] for name in roles.features}
        features = tuple(one for name in roles.features for one in made_of[name])
    else:
        features = tuple(name for name in roles.features if name not in found or name in kept)
        words = {name: words_with(how.remark) for name, how in found.items()}
        made.dates_left = {name: words[name] for name in found if name not in kept}
        made.dates_kept = {str(features.index(name)): words[name] for name in kept}
    made._roles = replace(made._roles, features=features)
    made.names = features
    return made


def _dates_of(source: ColumnSource, roles: Any) -> dict[str, DateTexts]:
    """Return the features that hold dates, and how these are written, by the first chunk."""
    usual = {name for name in roles.features if name not in source.nominal and name not in roles.nominal}
    # Text of a file without types tells what it holds when it is read.
    look = list(roles.features)
    if source.kinds:
        look = [name for name in look if name in usual and source.kind_of(name) in ("text", DATES)]
    chunk: Chunk = next(iter(source.chunks(look)), {}) if look else {}
    found = {}
    for name, column in chunk.items():
        texts = column.levels if name in usual and column.moments is None else None
        how = None if texts is None else date_texts(texts)
        if how is not None or source.kind_of(name) == DATES:
            found[name] = how or DateTexts()
    return found


class ExpandedDates(ColumnSource):
    """A file with numbers in the place of its dates."""

    def __init__(self, source: ColumnSource, dates: Mapping[str, DateTexts], kept: Sequence[str] = ()) -> None:
        self._source, self._dates, self._kept = source, dates, frozenset(kept)
        # Either all are expanded, or those that are kept become days under their own names.
        expand = () if kept else dates
        self._made = {f"{name}_{part}": (name, part) for name in expand for part in PARTS}
        self._made |= {name: (name, PARTS[-1]) for name in kept}
        self.where, self.paths, self.seen, self.notes = source.where, source.paths, source.seen, source.notes
        self.n_rows, self.extra, self.default_target = source.n_rows, source.extra, source.default_target
        self.decimal, self.declares_text = source.decimal, source.declares_text
        self.features = tuple(name for name in source.features if name not in dates) + tuple(self._made)
        self.nominal = source.nominal - set(dates)
        self.kinds: dict[str, str] = {}

    def kind_of(self, name: str) -> str:
        """Return what a column holds."""
        return "number" if name in self._made else self._source.kind_of(name)

    def chunks(self, names: Sequence[str]) -> Iterator[Chunk]:
        """Read the columns that numbers are made of, and make them."""
        for chunk in self._source.chunks(self._behind(names)):
            wanted: dict[str, set[str]] = {}
            for base, part in (self._made[name] for name in names if name in self._made):
                wanted.setdefault(base, set()).add(part)
            parts = {
                base: parts_of(_column_moments(chunk[base], self._dates[base]), some) for base, some in wanted.items()
            }
            yield {
                name: Column(parts[self._made[name][0]][self._made[name][1]]) if name in self._made else chunk[name]
                for name in names
            }

    def originals(self, names: Sequence[str], typed: bool) -> Iterator[dict[str, Any]]:
        """Read columns as they are, numbers of dates as numbers."""
        for chunk in self._source.originals(self._behind(names), typed):
            out: dict[str, Any] = {}
            for name in names:
                if name in self._made and name not in self._kept:
                    base, part = self._made[name]
                    out[name] = parts_of(_array_moments(chunk[base], self._dates[base]), [part])[part]
                else:
                    out[name] = chunk[name]
            yield out

    def _behind(self, names: Sequence[str]) -> list[str]:
        return list(dict.fromkeys(self._made[name][0] if name in self._made else name for name in names))


def _column_moments(column: Column, how: DateTexts) -> np.ndarray:
    """Return the moments of a column of dates, or of texts that are dates."""
    if column.moments is not None:
        return column.moments[column.values]
    levels = np.array([how.moment(level or "") for level in [*(column.levels or ()), None]], dtype="datetime64[us]")
    return levels[np.asarray(column.values, dtype=np.int64)]


def _array_moments(array: Any, how: DateTexts) -> np.ndarray:
    """Return the moments of an Arrow array of dates, or of texts that are dates."""
    moments = arrow_moments(array)
    if moments is not None:
        return moments
    texts = ["" if v is None else str(v) for v in array.to_pylist()]
    return np.array([how.moment(v) for v in texts], dtype="datetime64[us]")

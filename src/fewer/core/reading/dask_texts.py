"""Text and dates in the columns of Dask frames: looked at in every partition, and read as those in memory are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any

import numpy as np

from fewer.core.reading.date_texts import DateTexts, date_texts
from fewer.core.reading.dates import days_of, moments_of, parts_of, replaced, temporal_remark, words_with
from fewer.core.reading.frames import (
    GLANCE,
    MOST_LEVELS,
    encode_labels,
    is_frame,
    listed_columns,
    nominal_columns,
)
from fewer.core.reading.number_texts import NumberTexts, number_texts, told
from fewer.core.reading.temporal import is_temporal
from fewer.core.records.errors import InputError
from fewer.core.records.target_kinds import is_missing
from fewer.core.runners.cluster import DaskRunner
from fewer.core.runners.context import active_client

# What a worker needs to make numbers of a column: how its texts are written, or nothing but that it holds dates.
Reader = DateTexts | NumberTexts


@dataclass(frozen=True)
class PartTexts:
    """What one partition tells of a column.

    Attributes
    ----------
    values : tuple
        Its different values in the order in which they appear; no more than the levels of a nominal column may be.
    first : tuple
        The first values.
    missing : int
        How many values are missing.
    """

    values: tuple[Any, ...]
    first: tuple[Any, ...]
    missing: int = 0

    @classmethod
    def of(cls, column: Any) -> PartTexts:
        """Look at a column of one partition."""
        cells = _cells(column)
        try:
            distinct = dict.fromkeys(cells)
        except TypeError:
            # Lists and the like; what makes levels of the column refuses them.
            distinct = dict.fromkeys([(), *map(str, cells[:1])])
        return cls(tuple(islice(distinct, MOST_LEVELS + 1)), tuple(cells[:GLANCE]), cells.count(None))

    @property
    def holds_numbers(self) -> bool:
        """Whether its values are numbers, or missing."""
        return all(value is None or isinstance(value, (int, float, np.number)) for value in self.values)


@dataclass(frozen=True)
class Texts:
    """How the columns of a frame are read whose type is text or time.

    Attributes
    ----------
    readers : dict of int to DateTexts or NumberTexts
        Columns that become numbers.
    dates : dict of str to str
        What is said of columns of dates, by number as the facts of a view have it.
    notes : list of str
        What is said of numbers written as text.
    """

    readers: Mapping[int, Reader]
    dates: Mapping[str, str]
    notes: Sequence[str]


@dataclass(frozen=True)
class Looked:
    """The columns of which the partitions tell their different values: nominal ones, text, dates."""

    nominal: np.ndarray
    listed: np.ndarray
    times: list[int]
    texts: list[int]
    examined: bool

    @property
    def any_of(self) -> np.ndarray:
        """Mark all of them."""
        return self.nominal | np.isin(np.arange(len(self.nominal)), [*self.times, *self.texts])

    def read(self, found: list[dict[int, PartTexts]], names: list[Any]) -> tuple[Texts, dict[int, np.ndarray]]:
        """Return how text and dates are read as numbers, and the labels of the columns that are nominal after all."""
        columns = {int(j): joined([part[int(j)] for part in found]) for j in np.flatnonzero(self.any_of)}
        free = {j: column for j, column in columns.items() if j in {*self.times, *self.texts}}
        texts = readers_of(names, free, self.times, self.listed, self.examined)
        # Objects may be numbers, which need no reader.
        plain = {j for j in free if not self.listed[j] and columns[j].holds_numbers}
        left = [j for j in columns if j not in texts.readers and j not in plain]
        labels = {j: encode_labels(np.array([*columns[j].values, None], dtype=object), names[j])[1] for j in left}
        return texts, labels


def looked_at(X: Any, categorical: Any, name: str, examined: bool) -> Looked:
    """Return which columns the partitions are asked about, by their types and by what the caller calls nominal."""
    none = np.zeros(X.shape[1], bool)
    if not is_frame(X):
        return Looked(none, none, [], [], examined)
    times = time_columns(X._meta) if examined else []
    meta = X._meta.copy()
    for j in times:
        meta.isetitem(j, 0.0)
    listed = none if categorical is None else listed_columns(categorical, list(X.columns), name)
    return Looked(nominal_columns(meta, categorical, name), listed, times, text_columns(meta), examined)


def time_columns(meta: Any) -> list[int]:
    """Return the columns whose type is a date, a time or a duration, by an empty frame of the same types."""
    import narwhals.stable.v2 as nw

    columns = nw.from_native(meta, eager_only=True).iter_columns()
    return [j for j, column in enumerate(columns) if is_temporal(column)]


def text_columns(meta: Any) -> list[int]:
    """Return the columns whose type is text, or may hold it."""
    import narwhals.stable.v2 as nw

    columns = nw.from_native(meta, eager_only=True).iter_columns()
    return [j for j, column in enumerate(columns) if str(column.dtype) in ("String", "Object")]


def joined(parts: Sequence[PartTexts]) -> PartTexts:
    """Return what all partitions tell of a column."""
    first = next((part.first for part in parts if part.first), ())
    return PartTexts(tuple(dict.fromkeys(chain.from_iterable(part.values for part in parts))), first)


def readers_of(
    names: Sequence[Any], found: Mapping[int, PartTexts], times: Sequence[int], stay: np.ndarray, dated: bool
) -> Texts:
    """Decide which columns are dates and which are numbers.

    Parameters
    ----------
    names : list of str
        Names of all columns.
    found : dict of int to PartTexts
        What is known of columns of text.
    times : list of int
        Columns whose type says that they hold dates.
    stay : ndarray of bool
        Columns that the caller calls nominal, which are no numbers.
    dated : bool
        Whether dates are looked for.
    """
    readers: dict[int, Reader] = {}
    dates, written = {}, []
    for j, column in found.items():
        how = date_reader(column, j in times) if dated else None
        if how is not None:
            readers[j], dates[str(j)] = how, words_with(how.remark)
        elif not stay[j]:
            texts, numbers = number_texts(str(names[j]), column.first, column.values)
            if texts is not None:
                written.append(texts)
                readers.update({j: texts} if numbers is not None else {})
    return Texts(readers, dates, told(written))


def date_reader(column: PartTexts, is_time: bool) -> DateTexts | None:
    """Return how the dates of a column are written; None where it holds none."""
    present = [value for value in column.values if not is_missing(value)]
    if is_time:
        return DateTexts(remark=temporal_remark(present[0])) if present else DateTexts()
    return date_texts(present) if present and all(isinstance(value, str) for value in present) else None


def numbers_of(column: Any, reader: Reader) -> np.ndarray:
    """Return a column of one partition as numbers, dates as days since 1970."""
    if isinstance(reader, DateTexts):
        return days_of(_moments(column, reader))
    cells = ["" if value is None else value for value in _cells(column)]
    numbers = reader.numbers(list(dict.fromkeys(cells))) if all(isinstance(text, str) for text in cells) else None
    if numbers is None:
        raise InputError(
            f"Column {column.name!r} was read as numbers by the first {MOST_LEVELS:,} different texts of each "
            "partition, but another text is none; convert it, or name it in categorical_features."
        )
    return np.array([numbers[text] for text in cells])


def _moments(column: Any, how: DateTexts) -> np.ndarray:
    """Return the moments of a column of one partition, NaT where missing."""
    found = moments_of(_cells(column), how)
    if found is None:
        raise InputError(
            f"Column {column.name!r} was read as dates by the first {MOST_LEVELS:,} different texts of each partition, "
            "but another text is none; drop or convert it."
        )
    return found


def _cells(column: Any) -> list[Any]:
    return [None if is_missing(value) else value for value in column.astype(object).tolist()]


def expanded_parts(X: Any) -> Any:
    """Return a Dask frame with year, month, weekday, hour and days since 1970 in the place of each date."""
    import dask

    times = time_columns(X._meta)
    look = sorted({*times, *text_columns(X._meta)})
    if not look:
        return X
    tell = dask.delayed(_tell, pure=False)
    found = DaskRunner(active_client()).computed([tell(part, look) for part in X.to_delayed()])
    known = {j: date_reader(joined([part[j] for part in found]), j in times) for j in look}
    dates = {X.columns[j]: how for j, how in known.items() if how is not None}
    return X.map_partitions(_expanded, dates, meta=_expanded(X._meta, dates)) if dates else X


def _tell(part: Any, columns: Sequence[int]) -> dict[int, PartTexts]:
    return {j: PartTexts.of(part.iloc[:, j]) for j in columns}


def _expanded(part: Any, dates: Mapping[str, DateTexts]) -> Any:
    return replaced(part, {name: parts_of(_moments(part[name], how)) for name, how in dates.items()})

"""Dates and moments of Arrow arrays, which need not become text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from typing import Any, overload

import numpy as np

from fewer.core.reading.io.text_columns import Column

# What four digits can tell; other years are missing values, as in texts.
YEARS = (np.datetime64("0000", "Y"), np.datetime64("9999", "Y"))
MICROSECONDS = {"D": 24 * 60 * 60 * 10**6, "s": 10**6, "ms": 1000, "us": 1}
NO_MOMENT = np.datetime64("NaT", "us").view(np.int64)


class LateTexts(Sequence[str]):
    """The values of an Arrow array as texts, made when the first is asked for."""

    def __init__(self, array: Any) -> None:
        self._array = array

    @cached_property
    def _texts(self) -> list[str]:
        texts: list[str] = as_texts(self._array).to_pylist()
        return texts

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> list[str]: ...
    def __getitem__(self, place: int | slice) -> str | list[str]:
        """Return the text at a place."""
        return self._texts[place]

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._array)


def as_texts(array: Any) -> Any:
    """Return an Arrow array as texts; moments of a zone that is an offset, or that nothing here knows, as well."""
    import pyarrow as pa
    import pyarrow.compute as compute

    tz = getattr(array.type, "tz", None)
    if tz is None:
        return array.cast("string")
    try:
        if _offset(tz) is None:
            return array.cast("string")
        told, zone = _by_its_clock(array), tz.replace(":", "")
    except pa.ArrowException:
        told, zone = array.cast(pa.timestamp(array.type.unit)), "Z"
    return compute.binary_join_element_wise(told.cast("string"), zone, "")


def _offset(tz: str) -> int | None:
    """Return how many seconds a zone such as +05:30 is ahead, None of one with a name."""
    found = re.fullmatch(r"([+-])(\d\d):?(\d\d)", tz)
    return None if found is None else int(found[1] + "60") * (60 * int(found[2]) + int(found[3]))


def _by_its_clock(array: Any) -> Any:
    """Return moments of a zone as its clock shows them."""
    import pyarrow as pa
    import pyarrow.compute as compute

    offset, unit = _offset(array.type.tz), array.type.unit
    if offset is None:
        return compute.local_timestamp(array)
    # pyarrow before 21 knows zones by their names alone.
    return compute.add(array.cast(pa.timestamp(unit)), pa.scalar(offset, pa.duration("s")).cast(pa.duration(unit)))


def arrow_moments(array: Any) -> np.ndarray | None:
    """Return dates and moments as datetime64[us], those with a zone by its clock, NaT where missing; None of others."""
    import pyarrow as pa

    if not (pa.types.is_date(array.type) or pa.types.is_timestamp(array.type)):
        return None
    if pa.types.is_timestamp(array.type) and array.type.tz is not None:
        try:
            array = _by_its_clock(array)
        except pa.ArrowException:
            # A zone that nothing here knows.
            return None
    values = array.to_numpy(zero_copy_only=False)
    if pa.types.is_date(array.type):
        values = values.astype("datetime64[D]", copy=False)
    # Whole numbers, because the casts of numpy take every moment apart into year, month, day and so on.
    numbers, unit = values.view(np.int64), np.datetime_data(values.dtype)[0]
    absent = np.isnat(values)
    if unit == "ns":
        # 292 years at most, and rounded down.
        moments = numbers // 1000
    else:
        # Before the unit changes: what lies outside may be too far away for microseconds.
        first, after = (int(year.astype(values.dtype).view(np.int64)) for year in (YEARS[0], YEARS[1] + 1))
        absent |= (numbers < first) | (numbers >= after)
        moments = numbers * np.where(absent, 0, MICROSECONDS[unit])
    return np.where(absent, NO_MOMENT, moments).view("datetime64[us]")


def date_column(array: Any) -> Column | None:
    """Return a column of dates or moments, each row a level of its own; None for other types."""
    moments = arrow_moments(array)
    if moments is None:
        return None
    places = np.arange(len(array))
    if array.null_count:
        places[array.is_null().to_numpy(zero_copy_only=False)] = -1
    return Column(places, LateTexts(array), moments=np.append(moments, np.datetime64("NaT", "us")))

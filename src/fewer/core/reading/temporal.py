"""Which columns of a data frame hold dates, times or durations."""

from __future__ import annotations

import datetime
from typing import Any

import numpy as np

from fewer.core.records.target_kinds import is_missing

MOMENTS = (datetime.date, datetime.timedelta, np.datetime64, np.timedelta64)


def is_temporal(column: Any) -> bool:
    """Return whether a column of narwhals holds dates, times or durations, by its type or as objects of Python.

    narwhals does not know all types of pandas: dates in zones such as America/New_York, whose names hold more than
    letters and a slash, and dates in milliseconds of Arrow are of no type to it.
    """
    if column.dtype.is_temporal():
        return True
    known = str(column.dtype)
    if known == "Object":
        present = [value for value in column if not is_missing(value)]
        return bool(present) and all(isinstance(value, MOMENTS) for value in present)
    return known == "Unknown" and getattr(column.to_native().dtype, "kind", "") in ("m", "M")

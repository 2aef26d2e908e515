"""Targets of survival: an event and a time per row, as structured arrays or two columns."""

from __future__ import annotations

from typing import Any

import numpy as np

from fewer.core.records.errors import InputError
from fewer.core.records.target_kinds import event_and_time

EVENT_TIME = np.dtype([("event", bool), ("time", np.float64)])


def read_event_times(name: str, y: Any) -> np.ndarray:
    """Return events and times as a structured array, or say in one sentence what is wrong with them."""
    event, time = event_and_time(y)
    marks = np.asarray(event)
    if marks.dtype.kind not in "biufO" or not np.isin(marks.astype(object), [0, 1]).all():
        raise InputError(
            f"{name} got a target whose events are {_shown(marks)}, but takes 0 and 1, or booleans, 1 for rows whose "
            "event was seen; recode them."
        )
    try:
        times = np.asarray(time).astype(np.float64)
    except (TypeError, ValueError):
        times = np.full(len(marks), np.nan)
    if not np.isfinite(times).all():
        raise InputError(
            f"{name} got a target whose times are not all finite numbers; drop those rows, or fill in until when they "
            "were observed."
        )
    out = np.empty(len(marks), EVENT_TIME)
    out["event"], out["time"] = marks.astype(bool), times + 0.0
    if not out["event"].any():
        raise InputError(
            f"{name} needs events, but none was seen in {len(out)} rows of y; check which column says whether the "
            "event was seen, 1 if so."
        )
    return out


def _shown(values: np.ndarray) -> str:
    distinct = sorted({str(value) for value in values.tolist()})
    return ", ".join(distinct[:5]) + (", ..." if len(distinct) > 5 else "")

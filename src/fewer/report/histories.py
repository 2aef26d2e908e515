"""One line per feature over rounds, as inline SVG: the kept above, and what they are compared with."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np

from fewer.core.records.reasons import KIND_NAMES
from fewer.core.records.result import Selection
from fewer.core.records.result_table import ResultTable
from fewer.report.curve import axes, path
from fewer.report.letters import widest
from fewer.report.scale import Scale, limits
from fewer.report.svg import TICKS, element, frame, slug
from fewer.report.words import number

SIZE = (470.0, 340.0)
MOST_LINES = 60
# Where the largest number is more than so many times a small one, powers of ten show more.
WIDE = 30.0


def history_drawing(table: ResultTable, selection: Selection) -> str:
    """Return the lines of a table of kind "lines": of the line that is compared with, and of the first features."""
    numbers, *rounds = table.columns.values()
    values = np.array(rounds, dtype=float)
    shown = [i for i, j in enumerate(numbers) if j < 0 or i <= MOST_LINES]
    if values.shape[0] < 2 or not np.isfinite(values[:, shown]).any():
        return ""
    wide, height = SIZE
    low, high, log = _range(values[:, shown])
    ticks = [number(float(t)) for t in Scale(low, high, 0, 1, log).ticks(4)]
    across = Scale(1, len(values), 12 + widest(ticks, TICKS), wide - 16)
    up = Scale(low, high, height - 42, 26, log)
    parts = axes(across, up, ticks, ("round", "importance"), height)
    # What was kept lies above the others, and the line that all are compared with above everything.
    kind = selection.reasons.kind
    for i in sorted(shown, key=lambda i: (numbers[i] < 0, numbers[i] >= 0 and -int(kind[numbers[i]]))):
        j = numbers[i]
        points = [(across(r + 1), up(float(v))) if math.isfinite(v) else None for r, v in enumerate(values[:, i])]
        words = "the line of the shadows" if j < 0 else f"{selection.feature_names[j]}, {KIND_NAMES[kind[j]]}"
        name = "compared" if j < 0 else slug(KIND_NAMES[kind[j]])
        parts.append(element("path", element("title", escape(words)), d=path(points), class_=f"curve thin {name}"))
    return frame(table.title, wide, height, *parts)


def _range(values: np.ndarray) -> tuple[float, float, bool]:
    """Return the limits of the numbers, and whether powers of ten are shown, with what is near 0 at the bottom."""
    low, high = limits(values.ravel())
    positive = values[np.isfinite(values) & (values > 0)]
    least = float(np.percentile(positive, 1)) if len(positive) else high
    log = len(positive) > 0 and high > WIDE * least
    return (max(least, high / 1e4), high, True) if log else (low, high, False)


def history_columns(table: ResultTable, names: Sequence[str]) -> dict[str, Any]:
    """Return the lowest, the middle and the highest number of every line, in place of hundreds of columns."""
    numbers, *rounds = table.columns.values()
    values = np.array(rounds, dtype=float)
    parts = {"lowest": 0, "median": 50, "highest": 100}
    named = [names[j] if j >= 0 else "(shadows)" for j in numbers]
    return {"feature": named, **{word: np.nanpercentile(values, q, axis=0) for word, q in parts.items()}}

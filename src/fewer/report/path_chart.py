"""Coefficients along a path as inline SVG, and the error along it beside them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

import numpy as np

from fewer.core.records.result import Selection
from fewer.core.records.result_table import ResultTable
from fewer.report.comparison_facts import COLOURS
from fewer.report.curve import CurveChart, axes, cut_line, path
from fewer.report.letters import widest
from fewer.report.scale import Scale, limits, thinned
from fewer.report.svg import NAMES, TICKS, element, frame, name_in
from fewer.report.words import number

# More lines cannot be told apart, more points of one not seen, and more names have no room.
MOST_LINES, MOST_KNOTS, MOST_NAMES = 60, 400, 18
WIDE, HIGH, ROOM = 560.0, 360.0, 110.0
# Least distance of two names.
APART = 14.0


def path_drawing(table: ResultTable, names: Sequence[str], selection: Selection) -> str:
    """Return the lines of a path, kept features in colour, and beside them the error along it where that is known."""
    places = np.asarray(next(iter(table.columns.values())), dtype=float)
    traced = drawn(table, selection)
    if len(places) < 2 or not traced or not np.isfinite(places).all() or np.ptp(places) == 0:
        return ""
    drawing = _lines(table, places, traced, names, selection)
    errors = np.asarray(table.columns.get("error", []), dtype=float)
    return drawing + (_errors(table, places, errors, chosen(table, selection)) if np.isfinite(errors).any() else "")


def chosen(table: ResultTable, selection: Selection) -> int | None:
    """Return the last knot at which exactly the kept features have coefficients."""
    kept, traced = set(selection.indices.tolist()), table.coefficients
    if not kept <= set(traced):
        return None
    same = np.ones(len(table), dtype=bool)
    for j, values in traced.items():
        same &= (np.asarray(values, dtype=float) != 0) == (j in kept)
    return int(np.flatnonzero(same)[-1]) if same.any() else None


def drawn(table: ResultTable, selection: Selection) -> dict[int, np.ndarray]:
    """Return what is drawn: kept features, then those that entered first."""
    traced, kept = table.coefficients, set(selection.indices.tolist())
    first = sorted(traced, key=lambda j: j not in kept)[:MOST_LINES]
    return {j: np.asarray(traced[j], dtype=float) for j in first}


def _lines(
    table: ResultTable, places: np.ndarray, traced: dict[int, np.ndarray], names: Sequence[str], selection: Selection
) -> str:
    low, high = limits([v for values in traced.values() for v in values], 0.0, with_zero=True)
    ticks = [number(float(t)) for t in Scale(low, high, 0, 1).ticks(4)]
    across = Scale(places.min(), places.max(), 12 + widest(ticks, TICKS), WIDE - ROOM)
    up = Scale(low, high, HIGH - 42, 26)
    labels = (_called(table), "coefficient")
    parts = axes(across, up, ticks, labels, HIGH, _whole(places))
    at = chosen(table, selection)
    if at is not None:
        parts += cut_line(float(places[at]), f"{len(selection):,} kept", across, up)
    kept = set(selection.indices.tolist())
    colours = {j: COLOURS[i % len(COLOURS)] for i, j in enumerate(j for j in traced if j in kept)}
    shown = thinned(len(places), MOST_KNOTS)
    # Kept features are drawn last, above the others.
    for j in reversed(list(traced)):
        points = [
            (across(float(places[i])), up(float(traced[j][i]))) if math.isfinite(traced[j][i]) else None for i in shown
        ]
        stroke = {"stroke": colours.get(j, "#c4c9cf"), "stroke_width": 1.6 if j in kept else 1.0}
        parts.append(element("path", element("title", escape(names[j])), d=path(points), fill="none", **stroke))
    return frame(table.title, WIDE, HIGH, *parts, *_names(traced, colours, names, across, up, places))


def _names(
    traced: dict[int, np.ndarray],
    colours: dict[int, str],
    names: Sequence[str],
    across: Scale,
    up: Scale,
    places: np.ndarray,
) -> list[str]:
    """Return the names of kept features at the right end of their lines, moved apart."""
    right = int(np.argmax(places))
    # A path over a penalty is empty at its right end; names then stand in the order of the other end.
    ends = {j: traced[j][right] if traced[j][right] != 0 else traced[j][int(np.argmin(places))] for j in colours}
    strongest = sorted(ends, key=lambda j: (-abs(ends[j]), j))[:MOST_NAMES]
    order = sorted(strongest, key=lambda j: (-ends[j], j))
    places_up = list[float]()
    for j in order:
        places_up.append(max(up(float(ends[j])) + 4, places_up[-1] + APART if places_up else 0.0))
    # Names that were moved down too far push those above them up.
    lowest = HIGH - 30.0
    for k in reversed(range(len(order))):
        places_up[k] = min(places_up[k], lowest)
        lowest = places_up[k] - APART
    parts = []
    for j, y in zip(order, places_up):
        words = name_in(ROOM - 14, names[j], across.stop + 10, y, NAMES)
        parts.append(words.replace("<text", f'<text style="fill:{colours[j]}"', 1))
    return parts


def _errors(table: ResultTable, places: np.ndarray, errors: np.ndarray, at: int | None) -> str:
    shown = thinned(len(places), MOST_KNOTS)
    cut = None if at is None else (float(places[at]), f"error {number(float(errors[at]))}")
    whole = _whole(places)
    labels = (_called(table), "error")
    return CurveChart(places[shown], errors[shown], labels, f"{table.title}: error", cut=cut, whole=whole).draw()


def _called(table: ResultTable) -> str:
    return next(iter(table.columns))


def _whole(places: np.ndarray) -> bool:
    return bool((places == np.round(places)).all() and np.ptp(places) >= 2)

"""How one feature is distributed, as inline SVG: over the classes, or the target along it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from fewer.report.letters import widest
from fewer.report.scale import Scale, limits
from fewer.report.svg import TICKS, element, frame, name_in, text
from fewer.report.words import number

WIDTH, HEIGHT = 360.0, 170.0
MOST_CLASSES, MOST_LEVELS = 7, 14


def portrait(facts: Mapping[str, Any]) -> str:
    """Return the chart of one feature; ``facts`` as in `Comparison.portraits`."""
    return _classes(facts) if "counts" in facts else _target(facts)


def class_names(facts: Mapping[str, Any]) -> list[tuple[str, int]]:
    """Return the classes of a chart with the numbers of their colours; many are taken together."""
    names = list(facts.get("classes", ()))
    if len(names) > MOST_CLASSES + 1:
        return [*((name, i) for i, name in enumerate(names[:MOST_CLASSES])), ("all others", MOST_CLASSES)]
    return [(name, i) for i, name in enumerate(names)]


def _classes(facts: Mapping[str, Any]) -> str:
    """Return one outline per class: the fraction of its rows in each interval or level."""
    counts = [list(map(float, one)) for one in facts["counts"]]
    if len(counts) > MOST_CLASSES + 1:
        counts = [*counts[:MOST_CLASSES], [sum(v) for v in zip(*counts[MOST_CLASSES:])]]
    labels, places = _places(facts, len(counts[0]))
    counts = [[one[i] for i in places] for one in counts]
    shares = [[v / (sum(one) or 1.0) for v in one] for one in counts]
    names = [name for name, _ in class_names(facts)]
    n, top = len(places), max(max(one) for one in shares) or 1.0
    across, up = Scale(0.0, n, 4.0, WIDTH - 4.0), Scale(0.0, top, HEIGHT - 24.0, 6.0)
    parts = _axis(facts, labels, across)
    for number_, one in enumerate(shares):
        steps = "".join(f"H{across(i):.1f}V{up(v):.1f}" for i, v in enumerate(one))
        d = f"M{across(0):.1f} {up(0):.1f}{steps}H{across(n):.1f}V{up(0):.1f}Z"
        parts.append(element("path", d=d, class_=f"outline class-{number_}"))
    for i in range(n):
        words = ", ".join(f"{name}: {int(one[i])}" for name, one in zip(names, counts))
        hover = element("title", escape(f"{labels[i]} · {words}"))
        wide = across(i + 1) - across(i)
        parts.append(element("rect", hover, x=across(i), y=6, width=wide, height=HEIGHT - 30, class_="row"))
    title = f"{facts['name']}: fraction of the rows of each class over {'levels' if facts['nominal'] else 'its values'}"
    return frame(title, WIDTH, HEIGHT, *parts)


def _target(facts: Mapping[str, Any]) -> str:
    """Return the mean of a numeric target along the feature, with one deviation around it."""
    labels, places = _places(facts, len(facts["rows"]))
    rows = [int(facts["rows"][i]) for i in places]
    means = [_float(facts["means"][i]) for i in places]
    around = [_float(facts["deviations"][i]) for i in places]
    ends = [m + s * d for m, d in zip(means, around) for s in (-1, 1)]
    low, high = limits(ends)
    n = len(places)
    up = Scale(low, high, HEIGHT - 24.0, 8.0)
    ticks = [(up(tick), number(float(f"{tick:.6g}"))) for tick in up.ticks(3)]
    across = Scale(0.0, n, widest([words for _, words in ticks], TICKS) + 10, WIDTH - 4.0)
    parts = _axis(facts, labels, across)
    for y_tick, words in ticks:
        parts.append(text(words, across.start - 6, y_tick + 4, text_anchor="end", class_="tick"))
        parts.append(element("line", x1=across.start, x2=across.stop, y1=y_tick, y2=y_tick, class_="grid"))
    for i in range(n):
        wide, middle = across(i + 1) - across(i), (across(i) + across(i + 1)) / 2
        spread = f", ± {number(around[i])}" if rows[i] > 1 else ""
        words = f"{labels[i]} · {rows[i]} rows" + (f", mean {number(means[i])}{spread}" if rows[i] else "")
        inside = [element("title", escape(words))]
        inside.append(element("rect", x=across(i), y=6, width=wide, height=HEIGHT - 30, class_="row"))
        if rows[i] and math.isfinite(means[i]):
            y = [up(means[i] + s * around[i]) for s in (-1, 1)]
            inside.append(element("line", x1=middle, x2=middle, y1=y[0], y2=y[1], class_="span"))
            inside.append(element("circle", cx=middle, cy=up(means[i]), r=4, class_="kept"))
        parts.append(element("g", *inside))
    title = f"{facts['name']}: mean of the target over {'levels' if facts['nominal'] else 'its values'}"
    return frame(title, WIDTH, HEIGHT, *parts)


def _places(facts: Mapping[str, Any], n: int) -> tuple[list[str], list[int]]:
    """Return what each shown interval or level is called, and which these are; of many levels the most frequent."""
    if not facts["nominal"]:
        edges = [float(edge) for edge in facts["edges"]]
        return [f"{number(a)} to {number(b)}" for a, b in zip(edges, edges[1:])], list(range(n))
    rows = [sum(one) for one in zip(*facts["counts"])] if "counts" in facts else list(facts["rows"])
    shown = sorted(sorted(range(n), key=lambda i: -rows[i])[:MOST_LEVELS])
    return [str(facts["labels"][i]) for i in shown], shown


def _axis(facts: Mapping[str, Any], labels: Sequence[str], across: Scale) -> list[str]:
    """Return the line below, with the ends of a quantity or the names of the levels."""
    bottom = HEIGHT - 24.0
    parts = [element("line", x1=across.start, x2=across.stop, y1=bottom, y2=bottom, class_="zero")]
    if facts["nominal"]:
        wide = (across.stop - across.start) / max(1, len(labels))
        for i, label in enumerate(labels):
            at = (across(i + 0.5), bottom + 15)
            parts.append(name_in(wide - 2, label, *at, TICKS, text_anchor="middle", class_="tick"))
        return parts
    low, high = float(facts["edges"][0]), float(facts["edges"][-1])
    for value, anchor in ((low, "start"), ((low + high) / 2, "middle"), (high, "end")):
        x = across.start + {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor] * (across.stop - across.start)
        parts.append(text(number(value), x, bottom + 15, text_anchor=anchor, class_="tick"))
    return parts


def _float(value: Any) -> float:
    return math.nan if value is None else float(value)

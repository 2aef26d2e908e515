"""Small charts as inline SVG: crisp at any size, a few kilobytes, names and numbers as hover titles."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

import numpy as np

from fewer.core.records.numerals import numeral
from fewer.report.letters import fitted, widest
from fewer.report.scale import Scale, limits
from fewer.report.words import column, number

# Sizes of letters in the style sheet: names and values, and the numbers and names of the axes.
NAMES, TICKS = 12.0, 11.0


def element(name: str, *children: str, **attributes: object) -> str:
    """Return an SVG element; attribute values are escaped, children are markup already."""
    words = [f' {key.strip("_").replace("_", "-")}="{_value(v)}"' for key, v in attributes.items() if v is not None]
    return f"<{name}{''.join(words)}>{''.join(children)}</{name}>"


def text(words: str, x: float, y: float, **attributes: object) -> str:
    """Return an SVG text element; in the page it is narrowed where it would leave the chart."""
    return element("text", escape(words), x=x, y=y, **attributes)


def name_in(room: float, name: str, x: float, y: float, size: float = NAMES, bold: bool = False, **more: object) -> str:
    """Return a name cut to a room; in the page it is narrowed where letters are wider than those of common fonts."""
    return text(fitted(name, room, size, bold), x, y, data_room=float(room), **more)


def frame(title: str, width: float, height: float, *children: str, class_: str = "chart") -> str:
    """Return the outer SVG element with the title that is read aloud."""
    return element(
        "svg",
        element("title", escape(title)),
        *children,
        class_=class_,
        role="img",
        aria_label=title,
        viewBox=f"0 0 {width:g} {height:g}",
        width=width,
        height=height,
    )


def share_bar(parts: Sequence[tuple[str, int, str]], title: str) -> str:
    """Return one bar cut into parts, each given by label, count and class; it stretches to any width."""
    total = sum(count for _, count, _ in parts)
    pieces, at = [], 0.0
    for label, count, class_ in parts:
        wide = 100.0 * count / total if total else 0.0
        hover = element("title", escape(f"{label}: {count:,} ({percent(count, total)})"))
        # A gap keeps neighbours apart, but must not eat a thin part.
        drawn = wide - 0.2 if wide > 1 else wide
        pieces.append(element("rect", hover, x=at, y=0, width=drawn, height=10, class_=class_))
        at += wide
    bar = element("title", escape(title))
    return element(
        "svg", bar, *pieces, class_="share", role="img", aria_label=title, viewBox="0 0 100 10",
        preserveAspectRatio="none",
    )  # fmt: skip


def percent(part: float, whole: float) -> str:
    """Return a fraction in percent, one decimal below ten."""
    share = 100.0 * part / whole if whole else 0.0
    return f"{share:.1f} %" if 0 < share < 10 else f"{share:.0f} %"


def bar_chart(
    names: Sequence[str],
    values: Sequence[float] | np.ndarray,
    classes: Sequence[str],
    title: str,
    line: float | None = None,
    marks: Sequence[float] | np.ndarray = (),
    width: float = 640,
    written: Sequence[str] | None = None,
) -> str:
    """Return horizontal bars from zero, best on top, with names on the left and values on the right.

    Parameters
    ----------
    names, values, classes : sequences of equal length
        What stands beside each bar, how long it is (may be infinite) and its class in the style sheet.
    title : str
        What the chart shows, for readers who do not see it.
    line, marks : float and sequence of float, optional
        A value marked by a line through all bars, and one value to be marked on each bar (NaN for none).
    width : float
        Width in pixels; the height follows from the number of bars.
    written : sequence of str, optional
        The values as words; numbers with equal decimals by default.
    """
    row, top, gap = 22.0, 24.0 if line is not None else 6.0, 10.0
    written = column([float(v) for v in values]) if written is None else written
    name_space = min(widest(names, NAMES) + gap, 0.38 * width)
    value_space = widest(written, NAMES) + gap
    low, high = limits([*values, *marks], line, with_zero=True)
    scale = Scale(low, high, name_space, width - value_space)
    bottom = top + row * len(names)
    parts = _grid(scale, top, bottom)
    for i, name in enumerate(names):
        mark = float(marks[i]) if len(marks) else math.nan
        bar = (name, float(values[i]), written[i], classes[i], mark)
        parts.append(_bar(*bar, scale, top + row * i, row, width))
    parts.append(element("line", x1=scale(0), x2=scale(0), y1=top, y2=bottom, class_="zero"))
    if line is not None and low <= line <= high:
        parts.append(element("line", x1=scale(line), x2=scale(line), y1=top - 4, y2=bottom, class_="needed"))
        anchor = "start" if scale(line) < width / 2 else "end"
        parts.append(text(f"needed {number(line)}", scale(line), top - 9, text_anchor=anchor, class_="note"))
    return frame(title, width, bottom + 20, *parts)


def _grid(scale: Scale, top: float, bottom: float) -> list[str]:
    """Return vertical lines with their numbers below."""
    parts = []
    for tick in scale.ticks(about=5 if scale.stop - scale.start > 250 else 3):
        x = scale(tick)
        parts.append(element("line", x1=x, x2=x, y1=top, y2=bottom, class_="grid"))
        parts.append(text(number(float(tick)), x, bottom + 15, text_anchor="middle", class_="tick"))
    return parts


def _bar(
    name: str,
    value: float,
    written: str,
    class_: str,
    mark: float,
    scale: Scale,
    y: float,
    row: float,
    width: float,
) -> str:
    """Return one bar with its name, its value and its hover title."""
    ends = sorted((scale(0), scale(value)))
    middle = y + row / 2
    parts = [
        element("title", escape(f"{name}: {written}, {class_}")),
        element("rect", x=0, y=y, width=width, height=row, class_="row"),
        name_in(scale.start - 10, name, scale.start - 8, middle + 4, text_anchor="end"),
        element("rect", x=ends[0], y=y + 4, width=max(ends[1] - ends[0], 1), height=row - 8, class_=slug(class_)),
        text(
            written,
            width - 2,
            middle + 4,
            text_anchor="end",
            class_="value",
            data_room=width - scale.stop - 4,
        ),
    ]
    if not math.isnan(mark):
        parts.append(element("line", x1=scale(mark), x2=scale(mark), y1=y + 1, y2=y + row - 1, class_="mark"))
    return element("g", *parts)


def slug(kind: str) -> str:
    """Return a kind of reason as a class name."""
    return kind.replace(" ", "-")


def _value(value: object) -> str:
    """Return an attribute value: short numbers, escaped text."""
    return numeral(value, ".2f").rstrip("0").rstrip(".") if isinstance(value, float) else escape(str(value))

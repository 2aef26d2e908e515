"""A curve as inline SVG, with axes, marked points and a cut."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import numpy as np

from fewer.report.letters import widest
from fewer.report.scale import Scale, limits
from fewer.report.svg import TICKS, element, frame, slug, text
from fewer.report.words import number


@dataclass(frozen=True)
class Dots:
    """Points marked on a curve: their positions in it, classes of the style sheet and hover titles."""

    at: Sequence[int] = ()
    classes: Sequence[str] = ()
    titles: Sequence[str] = ()


@dataclass(frozen=True)
class CurveChart:
    """A curve through points, broken where a value is not finite.

    Attributes
    ----------
    xs, ys : sequences of float
        The points, in the order in which they are joined.
    labels : tuple of str
        Names of the two axes.
    title : str
        What the chart shows, for readers who do not see it.
    dots : Dots
        Points to mark.
    cut : tuple of float and str, optional
        A place on the x axis marked by a vertical line, and its words.
    line : float, optional
        A value marked by a horizontal line.
    log : bool
        Whether the x axis is logarithmic.
    with_zero : bool
        Whether the y axis must show zero.
    size : tuple of float
        Width and height in pixels.
    whole : bool
        Whether the x axis counts, so that only whole numbers are written below it.
    """

    xs: Sequence[float] | np.ndarray
    ys: Sequence[float] | np.ndarray
    labels: tuple[str, str]
    title: str
    dots: Dots = Dots()
    cut: tuple[float, str] | None = None
    line: float | None = None
    log: bool = False
    with_zero: bool = False
    size: tuple[float, float] = (420, 330)
    whole: bool = True

    def draw(self) -> str:
        """Return the curve as SVG."""
        width, height = self.size
        low, high = limits(self.ys, self.line, self.with_zero)
        ticks = [number(float(t)) for t in Scale(low, high, 0, 1).ticks(4)]
        left = 12 + widest(ticks, TICKS)
        first, last = min(self.xs), max(self.xs)
        # The last number below the axis stands in the middle of its place.
        beyond = max(12.0, widest([f"{last:,.0f}"], TICKS) / 2)
        across = Scale(first, last if last > first else first + 1, left, width - beyond, self.log)
        up = Scale(low, high, height - 42, 26)
        points = [(across(float(x)), up(float(y))) if math.isfinite(y) else None for x, y in zip(self.xs, self.ys)]
        parts = axes(across, up, ticks, self.labels, height, self.whole)
        if self.line is not None and low <= self.line <= high:
            parts += _line(self.line, self.ys, across, up)
        parts.append(element("path", d=path(points), class_="curve"))
        if self.cut is not None:
            parts += cut_line(*self.cut, across, up)
        return frame(self.title, width, height, *parts, *_dots(points, self.dots))


def axes(
    across: Scale, up: Scale, ticks: list[str], labels: tuple[str, str], height: float, whole: bool = True
) -> list[str]:
    """Return horizontal grid lines, the numbers on both axes and the names of the axes."""
    left, right, bottom = across.start, across.stop, up.start
    parts = [
        text(labels[1], 0, 12, class_="axis"),
        text(labels[0], right, height - 6, text_anchor="end", class_="axis"),
    ]
    for tick, words in zip(up.ticks(4), ticks):
        parts.append(element("line", x1=left, x2=right, y1=up(tick), y2=up(tick), class_="grid"))
        parts.append(text(words, left - 8, up(tick) + 4, text_anchor="end", class_="tick"))
    for tick in across.ticks(5, whole):
        words = f"{tick:,.0f}" if whole else number(float(f"{tick:.10g}"))
        parts.append(element("line", x1=across(tick), x2=across(tick), y1=bottom, y2=bottom + 4, class_="zero"))
        parts.append(text(words, across(tick), bottom + 18, text_anchor="middle", class_="tick"))
    parts.append(element("line", x1=left, x2=right, y1=bottom, y2=bottom, class_="zero"))
    return parts


def _line(line: float, ys: Sequence[float] | np.ndarray, across: Scale, up: Scale) -> list[str]:
    """Return a horizontal line, with its words at the end where the curve is farther away."""
    y = up(line)
    at_left = abs(up(float(ys[0])) - y) >= abs(up(float(ys[-1])) - y)
    x, anchor = (across.start + 2, "start") if at_left else (across.stop, "end")
    return [
        element("line", x1=across.start, x2=across.stop, y1=y, y2=y, class_="needed"),
        text(f"needed {number(line)}", x, y - 5, text_anchor=anchor, class_="note"),
    ]


def cut_line(at: float, words: str, across: Scale, up: Scale) -> list[str]:
    """Return a vertical line with its words on the side that has more room."""
    x = across(at)
    beside, anchor = (x + 5, "start") if x < (across.start + across.stop) / 2 else (x - 5, "end")
    return [
        element("line", x1=x, x2=x, y1=up.stop - 8, y2=up.start, class_="needed"),
        text(words, beside, up.stop - 4, text_anchor=anchor, class_="note"),
    ]


def path(points: Sequence[tuple[float, float] | None]) -> str:
    """Return the path through points, with a gap for each None."""
    words, joined = [], False
    for point in points:
        if point is not None:
            words.append(f"{'L' if joined else 'M'}{point[0]:.1f} {point[1]:.1f}")
        joined = point is not None
    return "".join(words)


def _dots(points: Sequence[tuple[float, float] | None], dots: Dots) -> list[str]:
    """Return circles with hover titles at some of the points."""
    parts = []
    for i, class_, title in zip(dots.at, dots.classes, dots.titles):
        point = points[i]
        if point is not None:
            hover = element("title", escape(title))
            parts.append(element("circle", hover, cx=point[0], cy=point[1], r=3.5, class_=slug(class_)))
    return parts

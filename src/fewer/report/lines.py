"""Several curves with intervals in one chart, as inline SVG."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import numpy as np

from fewer.report.comparison_facts import COLOURS
from fewer.report.curve import path
from fewer.report.letters import widest, width
from fewer.report.scale import Scale, limits
from fewer.report.svg import TICKS, element, frame, text
from fewer.report.words import number


@dataclass(frozen=True)
class Series:
    """One curve: name, number (its colour), values with intervals (NaN for none), hover titles."""

    name: str
    number: int
    ys: np.ndarray
    low: np.ndarray
    high: np.ndarray
    titles: Sequence[str]
    picked: bool = False
    baseline: bool = False


@dataclass(frozen=True)
class Lines:
    """Curves over a common logarithmic axis.

    Attributes
    ----------
    xs : sequence of float
        Places of the points, ascending, at least 1.
    series : list of Series
        The curves.
    labels : tuple of str
        Names of the axes.
    title : str
        What the chart shows, for readers who do not see it.
    levels : list of (float, str)
        Values marked by horizontal lines, with their words; those far away from the curves are left out.
    mark : tuple of float, optional
        A point to be ringed.
    size : tuple of float
        Width and height in pixels.
    """

    xs: Sequence[float]
    series: Sequence[Series]
    labels: tuple[str, str]
    title: str
    levels: Sequence[tuple[float, str]] = ()
    mark: tuple[float, float] | None = None
    size: tuple[float, float] = (760, 400)

    def draw(self) -> str:
        """Return the chart as SVG."""
        wide, height = self.size
        low, high = self._limits()
        ticks = [number(float(f"{t:.10g}")) for t in Scale(low, high, 0, 1).ticks(5)]
        left = 10 + widest(ticks, TICKS)
        beyond = max(14.0, width(_whole(max(self.xs)), TICKS) / 2)
        first, last = float(min(self.xs)), float(max(self.xs))
        across = Scale(first, last if last > first else first * 2, left + 8, wide - beyond, log=True)
        up = Scale(low, high, height - 44, 28)
        parts = self._axes(across, up, ticks)
        parts += self._levels(across, up, low, high)
        # The curve that stands out is drawn last, above the others; bands of baselines lie below all.
        order = sorted(self.series, key=lambda one: (one.picked, not one.baseline))
        parts += [self._series(one, across, up) for one in order]
        if self.mark is not None:
            parts.append(element("circle", cx=across(self.mark[0]), cy=up(self.mark[1]), r=8, class_="ring"))
        return frame(self.title, wide, height, *parts, class_="chart lines")

    def _limits(self) -> tuple[float, float]:
        values = [v for one in self.series for v in one.ys] + [
            v for one in self.series if one.picked or one.baseline for v in (*one.low, *one.high)
        ]
        low, high = limits(values)
        for level, _ in self.levels:
            low, high = limits([low, high], level)
        room = 0.04 * (high - low)
        return low - room, high + room

    def _axes(self, across: Scale, up: Scale, ticks: list[str]) -> list[str]:
        left, right, bottom = across.start - 8, across.stop, up.start
        parts = [text(self.labels[1], 0, 12, class_="axis")]
        parts.append(text(self.labels[0], right, self.size[1] - 4, text_anchor="end", class_="axis"))
        for tick, words in zip(up.ticks(5), ticks):
            parts.append(element("line", x1=left, x2=right, y1=up(tick), y2=up(tick), class_="grid"))
            parts.append(text(words, left - 6, up(tick) + 4, text_anchor="end", class_="tick"))
        free = -math.inf
        for x in self.xs:
            at, words = across(x), _whole(x)
            half = width(words, TICKS) / 2
            parts.append(element("line", x1=at, x2=at, y1=bottom, y2=bottom + 4, class_="zero"))
            if at - half > free:
                parts.append(text(words, at, bottom + 17, text_anchor="middle", class_="tick"))
                free = at + half + 4
        return [*parts, element("line", x1=left, x2=right, y1=bottom, y2=bottom, class_="zero")]

    def _levels(self, across: Scale, up: Scale, low: float, high: float) -> list[str]:
        parts, taken = [], list[float]()
        for level, words in self.levels:
            if not low <= level <= high:
                continue
            y = up(level)
            above = y - 5 if not any(abs(y - other) < 14 for other in taken) else y + 13
            taken.append(y)
            parts.append(element("line", x1=across.start - 8, x2=across.stop, y1=y, y2=y, class_="needed"))
            parts.append(text(words, across.start - 4, above, class_="note halo"))
        return parts

    def _series(self, one: Series, across: Scale, up: Scale) -> str:
        places = [across(float(x)) for x in self.xs]
        points = [(x, up(float(y))) if math.isfinite(y) else None for x, y in zip(places, one.ys)]
        inside = [i for i in range(len(places)) if math.isfinite(one.low[i]) and math.isfinite(one.high[i])]
        around = [(places[i], up(float(one.high[i]))) for i in inside]
        around += [(places[i], up(float(one.low[i]))) for i in reversed(inside)]
        parts = [element("path", d=path(around) + "Z", class_="band")] if len(inside) > 1 else []
        parts.append(element("path", d=path(points), class_="line"))
        for point, title in zip(points, one.titles):
            if point is not None:
                hover = element("title", escape(title))
                parts.append(element("circle", hover, cx=point[0], cy=point[1], r=3.2))
        classes = f"series {style(one.number, one.baseline)}{' on' if one.picked else ''}"
        return element("g", *parts, class_=classes, data_series=one.number)


def _whole(x: float) -> str:
    """Return a place on the axis as it is written below it."""
    return f"{x:,.0f}"


def style(n: int, baseline: bool = False) -> str:
    """Return the classes of the n-th colour; when all are used up, lines are dashed. Baselines are grey."""
    return "lot" if baseline else f"m{n % len(COLOURS)} d{min(n // len(COLOURS), 2)}"

"""The critical-difference diagram and the chart of promised and honest scores, as inline SVG."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from fewer.evaluate.ranks import RankTest
from fewer.report.letters import fitted, widest
from fewer.report.scale import Scale, limits
from fewer.report.svg import NAMES, TICKS, element, frame, name_in, text
from fewer.report.words import number


def critical_difference(test: RankTest, title: str, width: float = 700) -> str:
    """Return mean ranks on an axis; bars join methods that cannot be told apart."""
    order = [int(m) for m in test.order]
    k, groups = len(order), test.groups()
    ranks = [f" {rank:.2f}" for rank in test.mean_ranks]
    names = min(widest(test.methods, NAMES) + widest(ranks, NAMES) + 16, 0.31 * width)
    axis = Scale(1.0, float(max(k, 2)), names, width - names)
    top, row = 58.0, 20.0
    parts = [element("line", x1=axis(1), x2=axis(k), y1=top, y2=top, class_="zero")]
    every = 1 if (axis.stop - axis.start) / k > 16 else 2
    for rank in range(1, k + 1, every):
        parts.append(element("line", x1=axis(rank), x2=axis(rank), y1=top - 5, y2=top, class_="zero"))
        parts.append(text(str(rank), axis(rank), top - 9, text_anchor="middle", class_="tick"))
    parts += _difference(test, axis, k)
    bars = top + 12
    for i, group in enumerate(groups):
        ends = [float(test.mean_ranks[test.methods.index(name)]) for name in (group[0], group[-1])]
        y = bars + 8 * i
        hover = element("title", escape(f"cannot be told apart: {', '.join(group)}"))
        parts.append(element("line", hover, x1=axis(ends[0]) - 3, x2=axis(ends[1]) + 3, y1=y, y2=y, class_="together"))
    first, half = bars + 8 * len(groups) + 14, (k + 1) // 2
    for place, m in enumerate(order):
        left = place < half
        depth = place if left else k - 1 - place
        parts.append(_method(test, m, axis, top, first + row * depth, left, names, width))
    return frame(title, width, first + row * (half - 1) + 12, *parts)


def _difference(test: RankTest, axis: Scale, k: int) -> list[str]:
    """Return a bar as long as the critical difference, above the axis."""
    end = axis(1 + min(test.critical_difference, k - 1.0))
    words = f"critical difference {test.critical_difference:.2f}"
    parts = [element("line", x1=x, x2=x, y1=20, y2=30, class_="mark") for x in (axis(1), end)]
    parts.append(element("line", x1=axis(1), x2=end, y1=25, y2=25, class_="mark"))
    return [*parts, text(words, axis(1), 13, class_="note")]


def _method(test: RankTest, m: int, axis: Scale, top: float, y: float, left: bool, names: float, width: float) -> str:
    """Return the line from the rank of a method to its name at one side."""
    rank, name = float(test.mean_ranks[m]), test.methods[m]
    x, edge = axis(rank), names - 10 if left else width - names + 10
    room = names - 14
    short = fitted(name, room - widest([f" {rank:.2f}"], NAMES), NAMES)
    words = f"{short} {rank:.2f}" if left else f"{rank:.2f} {short}"
    anchor = "end" if left else "start"
    parts = [
        element("title", escape(f"{name}: mean rank {rank:.2f}")),
        element("path", d=f"M{x:.1f} {top:.1f}V{y:.1f}H{edge:.1f}", class_="curve"),
        text(words, edge - 4 if left else edge + 4, y + 4, text_anchor=anchor, data_room=room),
        element("circle", cx=x, cy=top, r=3.5, class_="kept"),
    ]
    return element("g", *parts)


def dumbbells(
    rows: Sequence[tuple[str, float, float]], title: str, label: str, level: tuple[float, str] | None, width: float
) -> str:
    """Return one line per name from an honest to a promised value; a level is marked by a line through all.

    Parameters
    ----------
    rows : list of (str, float, float)
        Name, honest value, promised value.
    title, label : str
        What the chart shows, and the name of its axis.
    level : tuple of float and str, optional
        A value to be marked, and its words.
    width : float
        Width in pixels.
    """
    row, top = 24.0, 26.0
    names = min(widest([name for name, _, _ in rows], NAMES) + 4, 0.36 * width)
    low, high = limits([v for _, a, b in rows for v in (a, b)], None if level is None else level[0])
    about = 5 if width > 500 else 3
    written = [number(float(f"{tick:.10g}")) for tick in Scale(low, high, 0, 1).ticks(about)]
    scale = Scale(low, high, names + 8, width - max(14.0, widest(written, TICKS) / 2))
    bottom = top + row * len(rows)
    parts = []
    for tick, words in zip(scale.ticks(about), written):
        parts.append(element("line", x1=scale(tick), x2=scale(tick), y1=top, y2=bottom, class_="grid"))
        parts.append(text(words, scale(tick), bottom + 16, text_anchor="middle", class_="tick"))
    parts.append(text(label, width - 14, bottom + 32, text_anchor="end", class_="axis"))
    if level is not None and low <= level[0] <= high:
        x = scale(level[0])
        parts.append(element("line", x1=x, x2=x, y1=top - 6, y2=bottom, class_="needed"))
        anchor = "start" if x < width / 2 else "end"
        parts.append(text(level[1], x, top - 11, text_anchor=anchor, class_="note"))
    for i, (name, honest, promised) in enumerate(rows):
        y = top + row * (i + 0.5)
        hover = f"{name}: {number(honest)} chosen inside each fold, {number(promised)} chosen on all rows"
        parts.append(
            element(
                "g",
                element("title", escape(hover)),
                element("rect", x=0, y=y - row / 2, width=width, height=row, class_="row"),
                name_in(names - 2, name, names, y + 4, text_anchor="end"),
                element("line", x1=scale(honest), x2=scale(promised), y1=y, y2=y, class_="span"),
                element("rect", x=scale(promised) - 5, y=y - 5, width=10, height=10, class_="promised"),
                element("circle", cx=scale(honest), cy=y, r=5, class_="kept"),
            )
        )
    return frame(title, width, bottom + 40, *parts)

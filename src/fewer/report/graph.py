"""A graph of features around the target: where nodes stand, and its drawing as inline SVG."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

from fewer.core.records.result_table import ResultTable
from fewer.report.svg import NAMES, element, frame, name_in

# A drawing of more nodes is not readable; the table below it says the same.
MOST_NODES = 40
# Distance of two nodes on a ring, of two rings, and room of a name.
APART, RING, ROOM = 84.0, 96.0, 90.0
TARGET = -1

Place = tuple[float, float]


def places(table: ResultTable) -> dict[int, Place]:
    """Return where the nodes of a graph stand: the target in the middle, its neighbours around it, then theirs.

    A graph without the target begins with the node that has most edges. Nodes stand in the order of their numbers.
    """
    ends = list(zip(*list(table.columns.values())[:2]))
    near: dict[int, set[int]] = {}
    for a, b in ends:
        near.setdefault(a, set()).add(b)
        near.setdefault(b, set()).add(a)
    first = TARGET if TARGET in near else min(near, key=lambda j: (-len(near[j]), j))
    rings, seen = [[first]], {first}
    while len(seen) < len(near):
        ring = sorted({j for node in rings[-1] for j in near[node]} - seen) or sorted(set(near) - seen)
        rings.append(ring)
        seen |= set(ring)
    out: dict[int, Place] = {first: (0.0, 0.0)}
    radius = 0.0
    for ring in rings[1:]:
        radius = max(radius + RING, len(ring) * APART / (2.0 * math.pi))
        for k, j in enumerate(ring):
            angle = 2.0 * math.pi * k / len(ring) - math.pi / 2.0
            # A whole number of tenths, so that the page is the same on every machine.
            out[j] = (round(radius * math.cos(angle), 1) + 0.0, round(radius * math.sin(angle), 1) + 0.0)
    return out


def edges(table: ResultTable) -> list[tuple[int, int, str]]:
    """Return both ends of every edge and how it is drawn: with a head unless the table says otherwise."""
    heads, tails, *_ = table.columns.values()
    return list(zip(heads, tails, map(str, table.columns.get("edge", ["->"] * len(heads)))))


def graph_drawing(table: ResultTable, names: Sequence[str], kept: set[int]) -> str:
    """Return a graph as SVG, edges with heads where they have a direction; nothing if it has too many nodes."""
    at = places(table)
    if len(at) > MOST_NODES:
        return ""
    wide, high = (max(abs(place[k]) for place in at.values()) for k in (0, 1))
    left, top = wide + ROOM / 2 + 8, high + 24
    spots = {j: (x + left, y + top) for j, (x, y) in at.items()}
    marker = element("marker", element("path", d="M0,0 L8,4 L0,8 z"), id="head", viewBox="0 0 8 8", refX=7, refY=4)
    marker = marker.replace("<marker", '<marker markerWidth="7" markerHeight="7" orient="auto"', 1)
    lines = [_edge(spots[a], spots[b], word) for a, b, word in edges(table)]
    dots = []
    for j, (x, y) in spots.items():
        name = table.target if j == TARGET else names[j]
        class_ = "kept" if j == TARGET or j in kept else "irrelevant"
        dots.append(element("circle", element("title", escape(name)), cx=x, cy=y, r=6, class_=class_))
        dots.append(name_in(ROOM, name, x, y - 10, NAMES, bold=j == TARGET, text_anchor="middle"))
    return frame(table.title, 2 * left, 2 * top, element("defs", marker), *lines, *dots)


def _edge(start: Place, end: Place, word: str) -> str:
    """Return one edge; it ends at the rim of the circles."""
    length = math.hypot(end[0] - start[0], end[1] - start[1]) or 1.0
    dx, dy = (8.0 * (end[k] - start[k]) / length for k in (0, 1))
    numbers = {"x1": start[0] + dx, "y1": start[1] + dy, "x2": end[0] - dx, "y2": end[1] - dy}
    rounded = {name: round(value, 1) for name, value in numbers.items()}
    head = "url(#head)" if word.startswith("->") else None
    dashes = "4 3" if word.endswith(("!", "?")) else None
    return element("line", **rounded, stroke="#57606a", stroke_width=1.2, marker_end=head, stroke_dasharray=dashes)

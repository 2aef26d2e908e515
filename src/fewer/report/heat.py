"""Heat maps, with or without a tree of likeness, as inline SVG."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fewer.report.curve import path
from fewer.report.letters import widest
from fewer.report.scale import Scale
from fewer.report.svg import NAMES, element, frame, name_in, text
from fewer.report.words import shortened

# Blue for likeness, orange for the opposite: told apart by every kind of colour vision.
BLUES = ("#f4f8fb", "#dbe9f4", "#bfd8ec", "#9cc3e1", "#74aad3", "#4a8dc1", "#2672ac", "#0b578f", "#003d6b")
ORANGES = ("#f4f8fb", "#fbe6cf", "#f7cd9b", "#efae63", "#dd8c33", "#c06c12", "#994f00", "#753b00", "#552b00")
LEAST_WITH_NUMBERS = 24.0
DARK_FROM = 0.55
SLANT = math.sqrt(0.5)  # heads rise at 45 degrees


@dataclass(frozen=True)
class Heat:
    """Values from -1 to 1 in rows and columns.

    Attributes
    ----------
    rows, columns : sequences of str
        What stands beside and above the cells.
    values : ndarray of shape (n_rows, n_columns)
        NaN leaves a cell empty.
    title : str
        What the chart shows, for readers who do not see it.
    strong : sequence of bool
        Rows whose names are set in bold, with a dot.
    tree : ndarray, optional
        A tree of the rows, as scipy's ``linkage``; its leaves are the rows in their order.
    width : float
        Width in pixels; the height follows.
    largest : float
        The largest side of a cell.
    letters : int
        How many letters of a column's name are shown at most.
    matrix : bool
        Whether the cells are drawn, not only the names and the tree.
    """

    rows: Sequence[str]
    columns: Sequence[str]
    values: np.ndarray
    title: str
    strong: Sequence[bool] = ()
    tree: np.ndarray | None = None
    width: float = 640
    largest: float = 40
    letters: int = 22
    matrix: bool = True

    def draw(self) -> str:
        """Return the chart as SVG."""
        n, m = len(self.rows), len(self.columns)
        names = min(widest(self.rows, NAMES, any(self.strong)) + 24, (0.33 if self.matrix else 0.5) * self.width)
        branches = (0.22 if self.matrix else 0.58) * self.width if self.tree is not None else 0.0
        # The last of the slanted heads reaches beyond the cells.
        beyond = self._head_space(self.largest) if self.matrix and self.tree is None else 4.0
        cell = min(self.largest, (self.width - names - branches - beyond) / m)
        if not self.matrix:
            cell = 16.0
        heads = self._head_space(cell) if self.matrix else 4.0
        top, parts = heads, []
        for i, name in enumerate(self.rows):
            parts += self._name(i, name, names, top + cell * (i + 0.5), cell)
        if self.matrix:
            parts += self._heads(names, top, cell) + self._cells(names, top, cell)
        if self.tree is not None:
            start = names + (m * cell if self.matrix else 0) + 8
            parts += _branches(self.tree, n, top, cell, start, self.width - 6)
        used = self.width if self.tree is not None else names + m * cell + beyond
        drawn = frame(self.title, math.ceil(used), math.ceil(top + n * cell + 4), *parts, class_="chart heat")
        return drawn.replace("<svg", f"<svg {self._data(names, top, cell)}", 1) if self.matrix else drawn

    def _name(self, i: int, name: str, names: float, y: float, cell: float) -> list[str]:
        strong = bool(self.strong[i]) if len(self.strong) else False
        size = min(12.0, max(8.0, cell * 0.8))
        parts = [
            name_in(
                names - 16, name, names - 14, y + size * 0.34, size, strong, text_anchor="end",
                font_size=size, class_="strong" if strong else None,
            )
        ]  # fmt: skip
        return [*parts, element("circle", cx=names - 7, cy=y, r=3, class_="kept")] if strong else parts

    def _head_space(self, cell: float) -> float:
        """Return how high, and how far to the right, the longest of the slanted heads reaches."""
        return self._longest_head(cell) * SLANT + 16 if cell >= 12 else 6.0

    def _longest_head(self, cell: float) -> float:
        return widest([shortened(name, self.letters) for name in self.columns], _head_size(cell))

    def _heads(self, left: float, top: float, cell: float) -> list[str]:
        if cell < 12:
            return []
        parts, room, size = [], self._longest_head(cell), _head_size(cell)
        for k, name in enumerate(self.columns):
            x, y = left + cell * (k + 0.5), top - 6
            turn = f"rotate(-45 {x:.1f} {y:.1f})"
            parts.append(name_in(room, shortened(name, self.letters), x, y, size, transform=turn, font_size=size))
        return parts

    def _cells(self, left: float, top: float, cell: float) -> list[str]:
        """Return one path per shade: far shorter than one element per cell."""
        shades: dict[str, list[str]] = {}
        numbers, side = [], cell - (1.0 if cell > 6 else 0.0)
        for (i, k), value in np.ndenumerate(self.values):
            if not math.isfinite(value):
                continue
            x, y = left + cell * k, top + cell * i
            shades.setdefault(shade(value), []).append(f"M{x:.1f} {y:.1f}h{side:.1f}v{side:.1f}h-{side:.1f}z")
            if cell >= LEAST_WITH_NUMBERS:
                light = "light" if abs(value) >= DARK_FROM else None
                words = _short(float(value))
                size = min(11.0, cell * 0.36)
                numbers.append(
                    text(words, x + side / 2, y + side / 2 + 4, text_anchor="middle", font_size=size, class_=light)
                )
        return [element("path", d="".join(d), fill=colour) for colour, d in shades.items()] + numbers

    def _data(self, left: float, top: float, cell: float) -> str:
        """Return what the script needs to say which cell is under the pointer."""
        values = [[None if math.isnan(v) else round(float(v), 2) for v in row] for row in self.values]
        same = list(self.rows) == list(self.columns)
        data = {
            "at": [round(left, 1), round(top, 1), round(cell, 2)],
            "rows": list(self.rows),
            "columns": None if same else list(self.columns),
            "values": values,
        }
        from html import escape

        return f'data-heat="{escape(json.dumps(data, ensure_ascii=False, separators=(",", ":")))}"'


def _head_size(cell: float) -> float:
    """Return the size of the letters above cells."""
    return min(NAMES, max(9.0, cell * 0.7))


def _short(value: float) -> str:
    """Return a number with two decimals, without the leading zero."""
    words = f"{value:.2f}"
    return {"1.00": "1", "-1.00": "-1", "0.00": "0", "-0.00": "0"}.get(words, words.replace("0.", ".", 1))


def shade(value: float) -> str:
    """Return the colour of a value between -1 and 1."""
    scale = BLUES if value >= 0 else ORANGES
    return scale[min(int(abs(value) * len(scale)), len(scale) - 1)]


def _branches(tree: np.ndarray, n: int, top: float, cell: float, start: float, stop: float) -> list[str]:
    """Return the tree, its leaves on the left, and its axis of likeness."""
    across = Scale(0.0, max(1e-9, float(tree[:, 2].max()) if len(tree) else 1.0), start, stop)
    ends = {i: (start, top + cell * (i + 0.5)) for i in range(n)}
    parts = []
    for step, (a, b, apart, _) in enumerate(tree):
        (x1, y1), (x2, y2) = ends[int(a)], ends[int(b)]
        x = across(float(apart))
        parts.append(element("path", d=path([(x1, y1), (x, y1), (x, y2), (x2, y2)]), class_="branch"))
        ends[n + step] = (x, (y1 + y2) / 2)
    return parts


def in_order(tree: np.ndarray, order: Sequence[int]) -> np.ndarray:
    """Return a tree whose leaves are numbered by their places in the order."""
    place = {old: new for new, old in enumerate(order)}
    out = np.array(tree, dtype=float, copy=True)
    for row in out:
        for k in (0, 1):
            if row[k] < len(order):
                row[k] = place[int(row[k])]
    return out

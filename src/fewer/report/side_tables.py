"""What a method found beside a ranking, as parts of the page: nested lists, curves and tables."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np

from fewer.core.records.result import Selection
from fewer.core.records.result_table import ResultTable
from fewer.report.curve import CurveChart, Dots
from fewer.report.facts import search_path
from fewer.report.graph import graph_drawing
from fewer.report.histories import history_columns, history_drawing
from fewer.report.path_chart import path_drawing
from fewer.report.scale import thinned
from fewer.report.table import TableColumn
from fewer.report.weight_heat import matrix_drawing
from fewer.report.words import LONGEST_NAME, column, number, shortened

MOST_ROWS = 200
MOST_POINTS = 400
# Columns of a path for which a page has room; the drawing shows more.
MOST_PATHS = 12
MOST_DOTS = 150
# Curves over these heads have the number of kept features marked.
SIZES = ("features", "features left")


def side_tables(selection: Selection) -> list[dict[str, Any]]:
    """Return all tables that are not empty, each as what the template shows of it."""
    return [_shown(table, selection) for table in selection.tables.values() if len(table)]


def _shown(table: ResultTable, selection: Selection) -> dict[str, Any]:
    names = [shortened(name, LONGEST_NAME) for name in selection.feature_names]
    is_tree = table.kind == "tree"
    return {
        "title": table.title,
        "tree": nested_list(table.nodes(names)[:MOST_ROWS]) if is_tree else "",
        "drawing": _drawing(table, selection, names),
        "columns": [] if is_tree else _columns(table, names),
        "n_left_out": max(0, len(table) - MOST_ROWS),
    }


def _drawing(table: ResultTable, selection: Selection, names: Sequence[str]) -> str:
    if table.kind == "graph":
        return graph_drawing(table, names, set(selection.indices.tolist()))
    if table.kind == "lines":
        return history_drawing(table, selection)
    if table.kind == "path":
        return path_drawing(table, names, selection)
    if table.kind == "matrix":
        return matrix_drawing(table, names, selection)
    return _curve(table, selection) if table.kind == "curve" else ""


def _columns(table: ResultTable, names: Sequence[str]) -> list[TableColumn]:
    if table.kind == "lines":
        table = ResultTable(table.title, history_columns(table, names), "rows")
    return [
        TableColumn(head, head.replace("_", " "), "names" if isinstance(values[0], str) else "number", column(values))
        for head, values in table.narrowed(MOST_PATHS).named(names, MOST_ROWS).items()
    ]


def nested_list(nodes: Sequence[tuple[int, str]]) -> str:
    """Return a tree, given as depth and words of every node, as nested lists.

    Examples
    --------
    >>> nested_list([(0, "a"), (1, "b"), (0, "c")])
    '<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>'
    """
    parts, at = [], -1
    for depth, words in nodes:
        parts.append("<ul>" if depth > at else "</li></ul>" * (at - depth) + "</li>")
        parts.append(f"<li>{escape(words)}")
        at = depth
    return "".join(parts) + "</li></ul>" * (at + 1)


def _curve(table: ResultTable, selection: Selection) -> str:
    """Return the curve through the first two columns; nothing if the search path above shows the same."""
    (across, xs), (up, ys), *_ = ((head, np.asarray(values, dtype=float)) for head, values in table.columns.items())
    path = search_path(selection)
    if len(xs) < 2 or not np.isfinite(ys).any():
        return ""
    if path is not None and np.array_equal(path.sizes, xs) and np.array_equal(path.values, ys):
        return ""
    shown = thinned(len(xs), MOST_POINTS)
    marked = np.arange(len(shown) if len(shown) <= MOST_DOTS else 0)
    kept = len(selection) if across in SIZES else None
    dots = Dots(
        at=marked.tolist(),
        classes=["kept" if xs[i] == kept else "irrelevant" for i in shown[marked]],
        titles=[f"{across} {number(float(xs[i]))}: {number(float(ys[i]))}" for i in shown[marked]],
    )
    cut = (float(kept), f"{kept:,} kept") if kept is not None and kept in xs else None
    return CurveChart(xs[shown], ys[shown], (across, up), table.title, dots, cut).draw()

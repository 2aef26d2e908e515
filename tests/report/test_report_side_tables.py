"""Trees, curves and rows that a selection carries, on the page."""

from __future__ import annotations

import re

import numpy as np
import pytest

from fewer.core.records.reasons import NOT_REACHED, Reasons
from fewer.core.records.result import Selection
from fewer.core.records.result_table import ResultTable
from fewer.core.records.trace import Step, Trace
from fewer.report.page import render
from fewer.report.side_tables import MOST_ROWS, nested_list

pytest.importorskip("jinja2")


def page_of(table: ResultTable, trace: Trace | None = None) -> str:
    """The section of one table."""
    names = ("<a>", "b & c", "d")
    reasons = Reasons.of_kept(3, [0, 1], NOT_REACHED)
    found = Selection.build([0, 1], [0, 1, 2], reasons, trace=trace, names=names, tables={"it": table})
    return render(found).split('<h2 id="beside">')[1].split("</section>")[0]


def test_a_tree_is_a_nested_list_with_escaped_names():
    columns = {"feature": [0, 1, 2], "below": [-1, 0, 0], "weight": [0.0, 0.5, 0.25]}
    section = page_of(ResultTable("Tree", columns, "tree", ("feature", "below")))
    inner = "<ul><li>b &amp; c (0.5)</li><li>d (0.25)</li></ul>"
    assert f"<ul><li>&lt;a&gt;{inner}</li></ul>" in section


def test_lists_close_what_they_open():
    nodes = [(0, "a"), (1, "b"), (2, "c"), (1, "d"), (0, "e"), (1, "f"), (2, "g")]
    open_now = 0
    for tag in re.findall(r"</?(?:ul|li)>", nested_list(nodes)):
        open_now += -1 if tag.startswith("</") else 1
        assert open_now >= 0
    assert open_now == 0
    assert nested_list([]) == ""


def test_a_curve_is_drawn_beside_its_numbers_and_marks_what_was_kept():
    table = ResultTable("Curve", {"features": [1, 2, 3], "mean score": [0.5, 0.9, -np.inf]}, "curve")
    section = page_of(table)
    assert section.count("<svg") == 1
    assert "2 kept" in section
    assert re.findall(r'<td class="number">(.*?)</td>', section) == ["1", "0.5000", "2", "0.9000", "3", "-∞"]


def test_a_curve_that_the_search_shows_already_is_not_drawn_twice():
    table = ResultTable("Curve", {"features": [1, 2], "mean score": [0.5, 0.9]}, "curve")
    trace = Trace([Step((0,), (), 0.5), Step((1,), (), 0.9)])
    assert "<svg" not in page_of(table, trace)
    assert "<svg" in page_of(table, Trace([Step((0,), (), 0.5), Step((1,), (), 0.8)]))


def test_long_tables_say_how_much_is_left_out():
    n = MOST_ROWS + 7
    section = page_of(ResultTable.numbered("Rows", "round", {"value": np.arange(n) / 7}))
    assert section.count("<tr>") == MOST_ROWS + 2
    assert "7 rows left out" in section


@pytest.mark.parametrize("values", [[np.nan, np.nan], [1.0], [np.inf, -np.inf]])
def test_what_cannot_be_drawn_is_a_table(values):
    section = page_of(ResultTable.numbered("Curve", "round", {"value": values}, "curve"))
    assert "<svg" not in section
    assert section.count("<tr>") == len(values) + 1


def path_table(**beside) -> ResultTable:
    coefficients = np.array([[0, 0, 0], [0, 0.5, 0], [0.2, 0.75, 0], [0.25, 0.8, -0.1]])
    return ResultTable.path("Path", "lambda1", [3.0, 2.0, 0.5, 0.0], coefficients, beside=beside)


def test_a_path_is_drawn_with_names_of_kept_features_and_its_knots_below():
    section = page_of(path_table())
    assert section.count("<svg") == 1
    assert section.count('fill="none"') == 3
    assert "2 kept" in section
    assert "&lt;a&gt;" in section
    assert section.count("<tr>") == 5


def test_the_error_along_a_path_stands_beside_it():
    section = page_of(path_table(error=[4.0, 2.0, 1.0, 1.5]))
    assert section.count("<svg") == 2
    assert "error 1" in section


def test_a_path_of_one_knot_is_a_table_only():
    assert "<svg" not in page_of(ResultTable.path("Path", "step", [1.0], np.ones((1, 3))))


def test_a_matrix_is_a_heat_map_of_its_strongest_lines():
    columns = {"feature": [2, 0, 1], "cluster 0": [0.1, 0.4, 0.0], "cluster 1": [0.8, 0.2, 0.0]}
    section = page_of(ResultTable("Weights", columns, "matrix", ("feature",)))
    assert section.count("<svg") == 1
    assert "In parts of the largest number, 0.8" in section
    # Strongest first: d, then <a>; 0.4 is half of the largest.
    drawn = section.split("</svg>")[0]
    assert drawn.index(">d<") < drawn.index(">&lt;a&gt;<")
    assert ">.50<" in drawn
    assert "are drawn" not in section
    nothing = page_of(
        ResultTable("Weights", {**columns, "cluster 0": [0.0] * 3, "cluster 1": [0.0] * 3}, "matrix", ("feature",))
    )
    assert "<svg" not in nothing


def test_a_large_matrix_says_what_is_not_drawn():
    n = 60
    columns = {"feature": np.arange(n), **{f"cluster {c}": np.linspace(1, 2, n) / 100 for c in range(30)}}
    names = tuple(f"feature {j}" for j in range(n))
    reasons = Reasons.of_kept(n, [0], NOT_REACHED)
    table = ResultTable("Weights", columns, "matrix", ("feature",))
    found = Selection.build([0], np.arange(n), reasons, names=names, tables={"it": table})
    section = render(found).split('<h2 id="beside">')[1].split("</section>")[0]
    assert "The strongest 40 of 60 features are drawn. The first 24 of 30 columns are drawn." in section
    drawn = section.split("</svg>")[0]
    assert "feature 59" in drawn
    assert "feature 19<" not in drawn

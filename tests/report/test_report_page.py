from __future__ import annotations

import json
import re
import sys
from html.parser import HTMLParser

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from report_examples import META, ranked, small, stepwise, wide, with_redundancy

from fewer.core.records.errors import FileError, MissingExtraError
from fewer.core.records.reasons import IRRELEVANT, KEPT, NOT_REACHED, REDUNDANT, Reasons
from fewer.core.records.result import Selection
from fewer.core.records.trace import Step, Trace
from fewer.report.page import render, write

VOID = {"meta", "input", "br", "hr", "img", "link", "col"}
EVIL = "</script><script>alert('x')</script>&\"'"
ODD_NAMES = (EVIL, "größe µm², 日本語 🎉", "עברית", "y" * 300, "", "  a\nb ", "{{ 7 * 7 }}", "\ud800")


class Page(HTMLParser):
    """Reads a page; knows whether tags are balanced, the cells of tables, and the references."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[tuple[str, dict]] = []
        self.problems: list[str] = []
        self.references: list[str] = []
        self.ids: list[str] = []
        self.rows: list[list[str]] = []
        self.text: list[str] = []
        self.scripts: list[tuple[dict, str]] = []
        self.tags: list[tuple[str, dict]] = []
        self.feed(html)
        self.close()
        if self.open:
            self.problems.append(f"never closed: {self.open}")

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.tags.append((tag, attrs))
        self.references += [
            v for k, v in attrs.items() if k in ("src", "href", "xlink:href", "action", "data", "poster")
        ]
        self.ids += [attrs["id"]] if "id" in attrs else []
        if tag not in VOID:
            self.open.append((tag, attrs))
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
        if tag == "script":
            self.scripts.append((attrs, ""))

    def handle_endtag(self, tag):
        if not self.open or self.open[-1][0] != tag:
            self.problems.append(f"</{tag}> at {self.getpos()}, open: {[t for t, _ in self.open[-3:]]}")
        else:
            self.open.pop()

    def handle_data(self, data):
        tags = [tag for tag, _ in self.open]
        if "script" in tags:
            self.scripts[-1] = (self.scripts[-1][0], self.scripts[-1][1] + data)
        elif "style" not in tags:
            self.text.append(data)
        if {"td", "th"} & set(tags):
            self.rows[-1][-1] += data

    @property
    def words(self) -> str:
        return re.sub(r"\s+", " ", " ".join(self.text))

    def table(self) -> list[dict[str, str]]:
        """Return the reasons table, one dictionary per feature."""
        start = next(i for i, row in enumerate(self.rows) if row[:2] == ["rank", "feature"])
        return [dict(zip(self.rows[start], row)) for row in self.rows[start + 1 :]]


def checked(selection: Selection) -> Page:
    """Render a selection and check what must hold for every page."""
    html = render(selection)
    page = Page(html)
    assert page.problems == []
    assert all(reference.startswith("#") and reference[1:] in page.ids for reference in page.references)
    assert len(page.ids) == len(set(page.ids))
    assert not re.search(r"url\(|@import|<link|<iframe|<img|<object", html)
    assert all(set(attrs) <= {"type", "id"} for attrs, _ in page.scripts)
    assert not [attrs for _, attrs in page.tags if any(k.startswith("on") for k in attrs)], "no inline handlers"
    assert all(attrs.get("role") == "img" and attrs.get("aria-label") for tag, attrs in page.tags if tag == "svg")
    assert all(attrs.get("scope") in ("col", "row") for tag, attrs in page.tags if tag == "th")
    html.encode("utf-8")
    assert len(page.table()) == min(selection.n_features, 500 if selection.n_features > 2000 else 2000)
    return page


@pytest.mark.parametrize("make", [ranked, with_redundancy, stepwise, wide])
def test_pages_are_well_formed_and_stand_alone(make):
    selection = make()
    html = render(selection)
    assert checked(selection).words
    assert not re.search(r"https?://|//[a-z]", html.replace("// ", "")), "nothing from the network"


def test_the_page_says_what_was_kept_and_how():
    words = checked(ranked()).words
    assert "10 of 30 features kept by InformationGain" in words
    assert "Best: worst perimeter" in words
    for fact in (
        "569", "diagnosis", "breast_cancer.csv", "benign 357 63 %", "malignant 212 37 %", META["summary"],
        "n_features_to_select 10", "quantile discretizer, at most 10 levels", META["command"], "threads (2)",
        "Seed 0", "scikit-learn 1.9.0", "0.0213", "the 10 best scores are kept",
    ):  # fmt: skip
        assert fact in words, fact
    assert words.rstrip().endswith("fewer 0.1.0")


def test_the_table_has_one_row_per_feature_in_order():
    selection = ranked()
    rows = checked(selection).table()
    names = [selection.feature_names[j] for j in selection.order]
    assert [row["feature"] for row in rows] == names
    assert [row["status"] for row in rows] == ["kept"] * 10 + ["irrelevant"] * 20
    assert [float(row["score"]) for row in rows] == pytest.approx(selection.scores[selection.order], abs=1e-4)
    assert all("p-value" in row for row in rows)


def test_redundant_features_name_their_relatives():
    selection = with_redundancy()
    rows = {row["feature"]: row for row in checked(selection).table()}
    j, related = next(iter(selection.reasons.related.items()))
    row = rows[selection.feature_names[j]]
    relative = selection.feature_names[related[0]]
    assert row["status"] == "redundant"
    assert relative in row["redundant to"]
    assert relative in row["why"]
    assert float(row["by"]) == pytest.approx(selection.reasons.amount[j], abs=1e-4)
    assert rows[relative]["redundant to"] == ""


def test_a_stepwise_search_is_shown_step_by_step():
    page = checked(stepwise())
    assert "The search, step by step" in page.words
    assert "This method gives no score to single features" in page.words
    start = next(i for i, row in enumerate(page.rows) if row[0] == "step")
    assert page.rows[start] == ["step", "added", "removed", "features", "value", "evaluations", "seconds"]
    assert page.rows[start + 10][2] == stepwise().feature_names[stepwise().order[-1]]
    assert [row[3] for row in page.rows[start + 1 : start + 11]] == list("1234567898")


def test_a_long_search_is_shortened_in_the_middle():
    steps = [Step((j,), value=float(j), evaluations=1) for j in range(1000)]
    selection = small(None, [0], 1000, trace=Trace(steps))
    page = checked(selection)
    assert "800 steps left out" in page.words
    start = next(i for i, row in enumerate(page.rows) if row[0] == "step")
    assert [page.rows[start + i][0] for i in (1, 100, 102, 201)] == ["1", "100", "901", "1,000"]


def test_long_tables_are_stored_for_the_search_and_begin_in_the_page():
    selection = wide(2500, 20)
    page = checked(selection)
    data = next(text for attrs, text in page.scripts if attrs.get("id") == "table")
    columns = json.loads(data)
    assert all(len(column["cells"]) == 2500 for column in columns)
    assert columns[1]["cells"] == [selection.feature_names[j] for j in selection.order]
    unpacked = [[c["words"][i] if "words" in c else i for i in c["cells"][:500]] for c in columns]
    assert [list(row.values()) for row in page.table()] == [list(row) for row in zip(*unpacked)]
    assert "500 of 2,500 features" in page.words


def test_a_table_of_2000_features_is_complete():
    selection = wide(2000, 20)
    page = checked(selection)
    assert not any(attrs.get("id") == "table" for attrs, _ in page.scripts)
    assert {row["feature"] for row in page.table()} == set(selection.feature_names)


def test_twenty_thousand_features_make_a_small_file():
    assert len(render(wide(20_000, 50))) < 2_000_000


@pytest.mark.parametrize("n_features", [len(ODD_NAMES), 2500])
def test_odd_names_are_shown_as_they_are_and_harm_nothing(n_features):
    names = ODD_NAMES + tuple(f"x{j}" for j in range(len(ODD_NAMES), n_features))
    scores = np.arange(n_features, 0.0, -1.0)
    related = {3: (0, 1, 4)}
    kind = np.full(n_features, IRRELEVANT, dtype=np.uint8)
    kind[0], kind[3] = KEPT, REDUNDANT
    reasons = Reasons(kind, 0.5, EVIL, related, {3: 0.9}, {1: EVIL})
    meta = {
        **META,
        "method": EVIL,
        "command": EVIL,
        "parameters": {EVIL: EVIL},
        "data": {"classes": {EVIL: 3, "b": 1}, "source": EVIL},
        "versions": {EVIL: EVIL},
    }
    trace = Trace([Step((0,), value=1.0), Step((1,), value=2.0)])
    selection = small(scores, [0], reasons=reasons, names=names, meta=meta, trace=trace)
    page = checked(selection)
    assert len(page.scripts) == (1 if n_features < 2000 else 2)
    assert "alert(" not in "".join(text for attrs, text in page.scripts if attrs.get("id") != "table")
    rows = page.table()
    assert [row["feature"] for row in rows[: len(ODD_NAMES)]] == [n.replace("\ud800", "?") for n in ODD_NAMES]
    assert "{{ 7 * 7 }}" in page.words
    assert any(attrs.get("title") == "y" * 300 for _, attrs in page.tags)


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_any_selection_makes_a_page(data):
    n = data.draw(st.integers(1, 12))
    number = st.floats(allow_nan=True, allow_infinity=True)
    scores = data.draw(st.none() | st.lists(number, min_size=n, max_size=n))
    kind = np.array(data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n)), dtype=np.uint8)
    threshold = data.draw(number | st.lists(number, min_size=n, max_size=n).map(np.array))
    kept = np.flatnonzero(kind == KEPT)
    names = tuple(data.draw(st.lists(st.text(max_size=20), min_size=n, max_size=n)))
    columns = {"pvalue": np.array(data.draw(st.lists(number, min_size=n, max_size=n)))}
    steps = [Step((j % n,), value=data.draw(number)) for j in range(data.draw(st.integers(0, 4)))]
    checked(
        Selection(
            kept,
            kept,
            Reasons(kind, threshold),
            None if scores is None else np.array(scores),
            trace=Trace(steps),
            columns=columns,
            names=names,
        )
    )


def test_missing_values_are_blank_and_infinite_ones_say_so():
    columns = {"pvalue": np.array([np.nan, 0.5, np.inf]), "some_count": np.array([1, 2, 3])}
    rows = checked(small([np.inf, 2.0, -np.inf], [0], columns=columns)).table()
    assert [row["p-value"] for row in rows] == ["", "0.5000", "∞"]
    assert [row["score"] for row in rows] == ["∞", "2.000", "-∞"]
    assert [row["some count"] for row in rows] == ["1", "2", "3"]


@pytest.mark.parametrize(
    "selection",
    [
        small([0.5], [0]),
        small([0.5], []),
        small(None, [], 1),
        small(None, [2, 0], 3),
        small([], []),
        small([1.0, 1.0, 1.0], [0]),
        small([0.0, 0.0], []),
        small([-1.0, -2.0, -3.0], [0]),
        small([np.inf, np.inf], [0, 1]),
        small([np.nan, np.nan], [0]),
        small([1e308, -1e308], [0]),
        small([5e-324, 0.0], [0]),
    ],
    ids=lambda s: f"{None if s.scores is None else s.scores.tolist()}",
)
def test_corners(selection):
    checked(selection)


@pytest.mark.parametrize(
    "meta",
    [
        {},
        {
            "method": None,
            "data": None,
            "parameters": None,
            "versions": None,
            "seconds": None,
            "command": None,
        },
        {"data": {"classes": {}}, "seed": None},
        {"data": {"classes": {0: 5}}},
        {"data": {"classes": {f"c{i}": i for i in range(40)}}},
        {"data": {"target": "price", "target_range": {"min": 0.0, "mean": 2.5, "max": np.inf}}},
        {"data": {"target": {"min": 0.0, "mean": 2.5, "max": 9.0}}},
        {"parameters": {"discretizer": None, "bins": "many", "x": [1, 2]}},
        {"parameters": {"discretizer": "mdl"}},
    ],
)
def test_missing_and_odd_facts_are_left_out(meta):
    words = checked(small([2.0, 1.0], [0], meta=meta)).words
    assert "1 of 2 features kept" in words
    assert "Undefined" not in words


def test_range_of_a_numeric_target():
    data = {"target": "price", "target_range": {"min": 1.5, "mean": 2.5, "max": 9.0}}
    words = checked(small([1.0], [0], meta={"data": data})).words
    assert "Target price" in words
    assert "Target, mean 2.5" in words


def test_rows_of_weight_zero_are_told():
    data = {"n_rows": 90, "n_zero_weight": 10}
    assert "Rows 90 Rows left out, of weight 0 10" in checked(small([1.0], [0], meta={"data": data})).words
    assert "left out" not in checked(small([1.0], [0], meta={"data": {"n_rows": 90}})).words


def test_small_classes_are_taken_together():
    words = checked(small([1.0], [0], meta={"data": {"classes": {f"c{i}": 40 - i for i in range(40)}}})).words
    assert "40 classes" in words
    assert "c6 34" in words
    assert f"33 other classes {sum(40 - i for i in range(7, 40)):,}".replace(",", "") in words.replace(",", "")


def test_features_that_were_not_reached_have_no_rank():
    kind = np.array([NOT_REACHED, KEPT, NOT_REACHED], dtype=np.uint8)
    rows = checked(small(None, [1], 3, reasons=Reasons(kind))).table()
    assert [row["rank"] for row in rows] == ["1", "", ""]


def test_a_selection_read_from_json_makes_the_same_page():
    for selection in (ranked(), with_redundancy(), stepwise()):
        again = Selection.from_json(selection.to_json())
        assert Page(render(again)).table() == Page(render(selection)).table()


def test_write(tmp_path):
    path = tmp_path / "report.html"
    write(ranked(), path)
    assert path.read_text(encoding="utf-8") == render(ranked())
    assert [p.name for p in tmp_path.iterdir()] == ["report.html"]


def test_a_failing_write_leaves_what_was_there(tmp_path, monkeypatch):
    path = tmp_path / "report.html"
    path.write_text("old")

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", fail)
    with pytest.raises(FileError, match="No space left"):
        write(ranked(), path)
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["report.html"]


def test_no_folder_is_one_sentence(tmp_path):
    with pytest.raises(FileError, match="could not be written"):
        write(ranked(), tmp_path / "missing" / "report.html")
    assert not list(tmp_path.iterdir())


def test_without_jinja_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(MissingExtraError, match=r"fewer\[report\]"):
        render(ranked())

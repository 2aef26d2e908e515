from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import fewer
from fewer.report import page
from fewer.report.comparison import render_comparison
from fewer.report.findings import finding_columns, finding_lines, n_more_findings

pytest.importorskip("jinja2")
META = {
    "findings": [
        {"feature": "c", "kind": "constant", "words": "one value", "related": [], "left_out": True},
        {"feature": "b", "kind": "duplicate", "words": "the same values", "related": ["a"], "left_out": True},
        {"feature": "d", "kind": "leak", "words": "known beforehand?", "related": [], "left_out": False},
    ],
    "without_leaks": {"score": 0.75, "kept": ["a", "e"]},
}


def test_findings_in_words():
    assert finding_lines(META, "--keep") == [
        "Left out: 1 constant column (c); 1 exact copy (b). --keep keeps some of them.",
        "To look at: d (leak): known beforehand?",
        "Without the leak suspects 2 features (a and e) would be kept, score 0.75.",
    ]
    assert finding_lines({**META, "score": {"metric": "R squared"}})[-1].endswith("would be kept, R squared 0.75.")
    assert finding_lines({}) == finding_columns({}) == []
    many = {"findings": META["findings"][2:] * 300}
    assert finding_lines(many)[-1] == "... and 294 more findings."
    assert len(finding_columns(many)[0].cells) + n_more_findings(many) == 300


def test_a_comparison_leaves_out_what_no_method_should_choose_and_keeps_the_numbers(rng):
    X = pd.DataFrame(rng.normal(size=(90, 5)), columns=list("abcde"))
    y = (X["d"] + 0.3 * rng.normal(size=90) > 0).to_numpy().astype(int)
    X.insert(0, "id", np.arange(90))
    X.insert(1, "one", 1)
    found = fewer.compare(X, y, ["FTest", "RandomRanking"], ["logistic"], [1, 2], cv=3, naive=False)
    assert [X.columns[j] for j in found.best().features][:1] == ["d"]
    assert {(one["feature"], one["left_out"]) for one in found.meta["findings"]} == {("id", True), ("one", True)}
    assert not {0, 1} & {j for m in found.methods for f in range(3) for j in found.chosen(m, 2, f)}
    again = type(found).from_json(found.to_json())
    assert "Columns to look at" in render_comparison(again)
    kept = fewer.compare(X, y, ["FTest"], ["logistic"], [1], cv=3, naive=False, keep="all")
    assert not any(one["left_out"] for one in kept.meta["findings"])


def test_a_report_shows_findings_only_where_there_are_some(rng):
    X = np.column_stack([rng.normal(size=(60, 3)), np.ones(60)])
    y = (X[:, 0] > 0).astype(int)
    assert "Columns to look at" in page.render(fewer.select(X, y))
    assert "Columns to look at" not in page.render(fewer.select(X, y, "FTest"))


def test_the_page_says_which_task_the_data_have(rng):
    X = rng.normal(size=(60, 3))
    assert page._data(fewer.select(X, X[:, 0] + rng.normal(size=60)))["facts"]["Task"] == "regression"

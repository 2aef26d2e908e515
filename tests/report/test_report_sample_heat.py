"""Heat maps of samples, and reasons as a file for spreadsheets."""

from __future__ import annotations

import csv

import numpy as np
import pandas as pd
import pytest

import fewer
from fewer.core.records.errors import InputError, ParameterError
from fewer.report.reason_file import safe, write_reasons

pyplot = pytest.importorskip("matplotlib.pyplot")


@pytest.fixture
def made():
    rng = np.random.default_rng(0)
    y = np.repeat(["x", "y", "z"], [30, 20, 10])
    X = pd.DataFrame(rng.normal(size=(60, 5)), columns=["=cmd()", "b", "c", "d", "e"])
    X["=cmd()"] += np.where(y == "x", 3.0, 0.0)
    yield fewer.select(X, y, "FTest", n_features_to_select=3), X, y
    pyplot.close("all")


def test_rows_are_sorted_by_class_and_standardised(made):
    selection, X, y = made
    ax = selection.plot.heat(X, y)
    drawn = np.asarray(ax.images[0].get_array())
    assert drawn.shape == (60, 3)
    first = X["=cmd()"].to_numpy()
    expected = np.sort(((first - first.mean()) / first.std())[y == "x"])
    assert np.sort(drawn[:30, 0]) == pytest.approx(expected)
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["x", "y", "z"]
    assert [label.get_text() for label in ax.get_xticklabels()] == selection.kept_names


def test_many_rows_are_drawn_in_proportion(made):
    selection, X, y = made
    ax = selection.plot.heat(X, y, most=12)
    assert len(np.asarray(ax.images[0].get_array())) == 12
    assert ax.get_ylabel() == "12 of 60 rows"
    beside = np.asarray(ax.child_axes[0].images[0].get_array())[:, 0]
    assert sorted(np.unique(beside, axis=0, return_counts=True)[1].tolist()) == [2, 4, 6]


def test_numbers_gaps_and_no_target(made):
    selection, X, _ = made
    X = X.copy()
    X.loc[3, "=cmd()"] = np.nan
    ax = selection.plot.heat(X, np.arange(60.0))
    assert np.ma.getmaskarray(ax.images[0].get_array())[3, 0]
    assert len(np.asarray(selection.plot.heat(X).images[0].get_array())) == 60


def test_wrong_data_are_refused(made):
    selection, X, y = made
    with pytest.raises(InputError, match="no column '=cmd\\(\\)'"):
        selection.plot.heat(X.drop(columns="=cmd()"), y)
    with pytest.raises(InputError, match="60 rows in X, but 5 in y"):
        selection.plot.heat(X, y[:5])
    with pytest.raises(InputError, match="4 columns in X"):
        selection.plot.heat(X.to_numpy()[:, :4], y)


def test_spreadsheets_run_nothing(made, tmp_path):
    path = tmp_path / "reasons.csv"
    write_reasons(made[0], path)
    rows = list(csv.DictReader(path.open(encoding="utf-8")))
    assert len(rows) == 5
    assert rows[0]["feature"] == "'=cmd()"
    assert rows[0]["why"].startswith("'=cmd() was kept")
    assert float(rows[0]["score"]) == made[0].scores[0]
    assert [safe(cell) for cell in ("+1", "-1", "@a", "\t=1", -1.5, float("nan"), None, "a=1")] == [
        "'+1", "'-1", "'@a", "'\t=1", -1.5, "", "", "a=1",
    ]  # fmt: skip
    with pytest.raises(ParameterError, match="ends in .xlsx; they are written as .csv or .tsv"):
        write_reasons(made[0], tmp_path / "reasons.xlsx")


def test_notebooks_show_reasons_headlines_and_ranks(made):
    selection, X, y = made
    assert "<td style='text-align:left'>kept</td>" in selection.reason(0)._repr_html_()
    found = fewer.compare(X.iloc[:, :3], y, ["FTest", "JMI"], "naive Bayes", [1, 2], cv=3, naive=False)
    assert "chosen honestly" in found.best()._repr_html_()
    assert "<td>JMI</td>" in found.ranks()._repr_html_()

"""A careful analyst's answers to made data sets, given by `fewer.select` and `fewer.compare`."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

import fewer.io
from fewer.core.records.errors import FewerError
from real_life.all_cases import CASES, on
from real_life.answers import Asked, compared, hold_findings, hold_kept, hold_words, selected

LEAKS = [name for name, case in CASES.items() if case.honest is not None]


@cache
def in_memory(name: str) -> Asked:
    """Return the answer to a data set in memory; other runners are held against it."""
    with TemporaryDirectory() as folder:
        return selected(CASES[name].data(), "memory", Path(folder))


@cache
def comparison(name: str) -> Asked:
    with TemporaryDirectory() as folder:
        return compared(CASES[name].data(), Path(folder))


@pytest.mark.parametrize("name", CASES)
def test_select_keeps_what_matters(name):
    hold_kept(in_memory(name), CASES[name].answer)


@pytest.mark.parametrize("name", CASES)
def test_select_finds_what_is_wrong_and_nothing_else(name):
    hold_findings(in_memory(name), CASES[name].answer)


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case.answer.words])
def test_select_says_so(name):
    hold_words(in_memory(name), CASES[name].answer.words)


@pytest.mark.parametrize(("runner", "name"), [(r, name) for r in ("stream", "sparse", "dask") for name in on(r)])
def test_every_runner_gives_the_same_answer(runner, name, tmp_path):
    if runner == "dask":
        pytest.importorskip("dask.dataframe")
    data, answer = CASES[name].data(), CASES[name].answer
    asked = selected(data, runner, tmp_path)
    assert runner == "sparse" or asked.selection.meta["runner"] == runner
    hold_findings(asked, answer)
    assert asked.kept == in_memory(name).kept
    hold_words(asked, answer.words)


@pytest.mark.parametrize("name", LEAKS)
def test_without_leaks_the_honest_features_are_kept(name, tmp_path):
    asked = selected(CASES[name].data(), "memory", tmp_path, drop="leaks")
    hold_kept(asked, CASES[name].honest)
    left = {one["feature"] for one in asked.findings() if one["kind"] == "leak" and one["left_out"]}
    assert left == set(CASES[name].answer.findings)


@pytest.mark.parametrize("name", CASES)
def test_compare_gives_the_answer(name):
    answer, asked = CASES[name].answer, comparison(name)
    best, kept = asked.said.best(), asked.kept
    assert kept == {asked.said.names[j] for j in best.features}
    assert best.beats_chance is not answer.nothing
    assert asked.said.n_folds >= 5
    assert not asked.said.failures
    assert not kept & set(answer.leave)
    assert not answer.signals or kept & set(answer.signals)
    hold_findings(asked, answer)
    hold_words(asked, answer.words)


def test_reasons_of_a_comparison():
    """A near twin of what is kept is redundant to it, one value is irrelevant, and so is noise."""
    asked = comparison("copies")
    (kept,) = asked.kept & {"spending", "spending_twin"}
    (twin,) = {"spending", "spending_twin"} - {kept}
    assert (asked.reason(twin).kind, asked.reason(twin).related) == ("redundant", (kept,))
    assert {asked.reason(name).kind for name in ("country", "version")} == {"irrelevant"}
    assert "redundant" not in {asked.reason(name).kind for name in CASES["copies"].answer.noise}


@pytest.mark.parametrize("name", LEAKS)
def test_compare_without_leaks(name, tmp_path):
    asked = compared(CASES[name].data(), tmp_path, drop="leaks")
    assert asked.kept >= set(CASES[name].honest.keep)
    assert not asked.kept & set(CASES[name].honest.leave)


@pytest.mark.parametrize(("name", "feature"), [("identifiers", "sample"), ("index_column", "Unnamed: 0")])
def test_the_user_may_know_better(name, feature, tmp_path):
    """A column that the user wants to keep is not left out; a number that tells the sorted rows apart is then used."""
    asked = selected(CASES[name].data(), "memory", tmp_path, keep=[feature])
    assert not any(one["left_out"] for one in asked.findings() if one["feature"] == feature)
    others = {one["feature"] for one in asked.findings() if one["left_out"]}
    assert others == set(CASES[name].answer.findings) - {feature}
    assert feature in asked.kept or name == "identifiers"


@pytest.mark.parametrize("runner", ["memory", "stream"])
def test_expanded_dates_tell_the_month(runner, tmp_path):
    asked = selected(CASES["dates"].data(), runner, tmp_path, dates="expand")
    names = list(asked.selection.feature_names)
    for part in ("year", "month", "weekday", "hour", "days since"):
        assert any("visited" in name and part in name.replace("_", " ") for name in names), part
    kept = asked.selection.kept_names
    assert {"usage", "complaints"} <= set(kept)
    assert any("ordered" in name and "month" in name for name in kept)
    assert not any("visited" in name for name in kept)


def test_a_file_with_genes_in_rows_is_recognised(tmp_path):
    """Who opens it as it is, is told of the way to turn it."""
    CASES["genes_in_rows"].data().frame.T.to_csv(tmp_path / "genes.csv", index_label="gene")
    with pytest.raises(FewerError, match="transpose"):
        fewer.select(tmp_path / "genes.csv", "target")

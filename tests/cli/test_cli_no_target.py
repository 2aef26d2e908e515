"""fewer compare --no-target."""

from __future__ import annotations

import json

import pytest
from cli_examples import call

import fewer
from fewer.evaluate import half_samples


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(half_samples, "STARTS", 1)


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "groups.csv"
    fewer.synth.make_noise_feature_clusters(40, n_irrelevant=4, random_state=0).to_frame().to_csv(path, index=False)
    return path


def test_the_command_says_what_the_function_finds(capsys, table, tmp_path):
    words = ["compare", table, "--no-target", "-t", "y", "-m", "MixtureOverlap,RandomRanking", "--sizes", "2"]
    out = tmp_path / "found.json"
    answer = call(capsys, *words, "-o", out)
    assert (answer.code, answer.err) == (0, "")
    for word in ("MixtureOverlap", "RandomRanking", "all columns", "agreement", "stability", "NMI with labels", "x0"):
        assert word in answer.out
    data = fewer.synth.make_noise_feature_clusters(40, n_irrelevant=4, random_state=0)
    want = fewer.compare_without_target(data.X, ["MixtureOverlap", "RandomRanking"], 2, labels=data.y)
    found = fewer.HalfComparison.from_json(out.read_text())
    assert json.loads(found.to_json(timings=False)) == json.loads(want.to_json(timings=False))
    # Without labels the column is one more of the data, unless it is dropped.
    plain = call(capsys, "compare", table, "--no-target", "-m", "MixtureOverlap", "--drop", "y,x3,x4", "--json").json
    assert plain["names"] == ["x0", "x1", "x2", "x5"]
    assert plain["meta"]["labels"] is False


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--cv", "5"], "--cv"),
        (["--report", "page.html"], "--report"),
        (["--weight", "x1"], "--weight"),
        (["-m", "JMI"], "needs a target"),
        (["--sizes", "1,2"], "takes one"),
    ],
)
def test_what_needs_a_target_is_refused(capsys, table, more, words):
    answer = call(capsys, "compare", table, "--no-target", *more)
    assert (answer.code, answer.is_one_sentence()) == (2, True)
    assert words in answer.err


def test_select_without_a_target_leaves_that_of_a_known_set_aside(capsys):
    answer = call(capsys, "select", "iris", "--no-target", "--json")
    assert answer.json["meta"]["method"] == "UnlabelledRecipe"
    assert answer.json["names"] == ["sepal length (cm)", "sepal width (cm)", "petal length (cm)", "petal width (cm)"]
    refused = call(capsys, "select", "iris", "--no-target", "--method", "MRMR")
    assert refused.code == 2
    assert "MRMR needs a target, but --no-target was given" in refused.err
    both = call(capsys, "select", "iris", "--no-target", "--target", "target")
    assert "leave one out" in both.err


def test_who_names_no_target_hears_of_the_option(capsys, table):
    answer = call(capsys, "compare", table)
    assert (answer.code, answer.is_one_sentence()) == (2, True)
    assert "--target y, or --no-target." in answer.err

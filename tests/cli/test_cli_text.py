"""fewer select --text: a column of documents from the command line."""

from __future__ import annotations

import csv

import numpy as np
import pytest
from cli_examples import call

from fewer.core.records.result import Selection


@pytest.fixture
def documents(tmp_path):
    rng, path = np.random.default_rng(0), tmp_path / "docs.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        lines = csv.writer(file)
        lines.writerow(["id", "body", "label"])
        for i in range(40):
            mood = ("glad", "sad")[i % 2]
            words = [mood, "naïve", *rng.choice(["the", "a\nnew", '"line"', "label"], 3)]
            lines.writerow([i, "" if i == 39 else " ".join(words), mood])
    return path


def test_words_of_a_column_are_selected(capsys, documents, tmp_path):
    out, page, table = tmp_path / "s.json", tmp_path / "r.html", tmp_path / "kept.csv"
    files = ["--out", out, "--report", page, "--write", table]
    answer = call(capsys, "select", documents, "--target", "label", "--text", "body", "-n", "2", *files)
    assert (answer.code, answer.err) == (0, "")
    assert "40 documents; other columns were left out: id" in answer.out
    found = Selection.from_json(out)
    assert found.meta["method"] == "TextScore"
    assert found.meta["data"]["target_name"] == "label"
    assert sorted(found.kept_names) == ["glad", "sad"]
    counts = found.tables["class_documents"].named(found.feature_names)
    assert counts["glad"][counts["term"].index("glad")] == 20
    assert counts["sad"][counts["term"].index("sad")] == 19  # one document is empty
    assert "Documents of every class" in page.read_text(encoding="utf-8")
    # A word is called as the target is, which steps aside.
    assert table.read_text(encoding="utf-8").splitlines()[0] == ",".join([*found.kept_names, "label_"])
    assert "naïve" in found.feature_names


def test_the_target_is_asked_for_among_columns_not_words(capsys, documents):
    answer = call(capsys, "select", documents, "--text", "body")
    assert answer.code != 0
    assert "the columns are id, label: add for example --target label" in answer.err


def test_options_are_those_of_the_method_and_other_methods_work(capsys, documents):
    words = ["--target", "label", "--text", "body", "--json"]
    ranked = call(capsys, "rank", documents, *words, "--score", "chi2", "--min-df", "2")
    assert ranked.code == 0
    assert {record["feature"] for record in ranked.json["features"][:2]} == {"glad", "sad"}
    other = call(capsys, "select", documents, *words, "--method", "PIP", "-n", "1")
    assert other.code == 0
    # `--aggregate` is of several targets, and this parameter has another name.
    for value in ("max", "mean"):
        meant = call(capsys, "select", documents, *words, "--method", "PIP", "-n", "1", "--over-classes", value)
        assert meant.json["meta"]["parameters"]["aggregate"] == value
    assert "--score" in call(capsys, "select", documents, "--text", "body", "--help").out


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--text", "bodi"], "Did you mean body"),
        (["--text", "label"], "beside the target"),
        (["--text", "body", "--drop", "id"], "leave that out"),
        (["--text", "body", "--method", "FTest", "--score", "ig"], "score"),
    ],
)
def test_text_is_refused_in_one_sentence(capsys, documents, more, words):
    answer = call(capsys, "select", documents, "--target", "label", *more)
    assert answer.code != 0
    assert answer.is_one_sentence()
    assert words in answer.err

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from cli_examples import call, write_bad

import fewer
from fewer import registry, synth
from fewer.core.reading.table import open_table
from fewer.core.records.result import Selection


@pytest.fixture
def selection(capsys, tmp_path):
    path = tmp_path / "selection.json"
    bad = write_bad(tmp_path / "bad.csv")
    assert call(capsys, "select", bad, "-t", "y", "-m", "InformationGain", "-n", "2", "-o", path).code == 0
    return path


def test_methods_lists_the_registry(capsys):
    lines = call(capsys, "methods").out.split("\n")
    assert lines[0].split() == ["name", "family", "task", "what", "it", "does"]
    assert all(e["summary"] for e in call(capsys, "methods", "--json").json)
    assert max(map(len, lines)) <= 140
    assert [line.split()[0] for line in lines[1 : 1 + len(registry.METHODS)]] == [e.name for e in registry.METHODS]
    found = call(capsys, "methods", "--task", "regression", "--json").json
    assert {e["name"] for e in found} == {e.name for e in registry.METHODS if e.task in ("regression", "any")}
    wrong = call(capsys, "methods", "--family", "univariat")
    assert (wrong.code, wrong.is_one_sentence()) == (2, True)
    assert "Did you mean univariate?" in wrong.err
    classifiers = call(capsys, "methods", "--contract", "classifier", "--json").json
    assert {(e["contract"], e["shape"]) for e in classifiers} == {("classifier", "none")}


def test_the_old_word_room_is_taken_once_more_and_warned_of(capsys):
    old, new = call(capsys, "methods", "--room", "ordinal"), call(capsys, "methods", "--family", "ordinal")
    assert old.out == new.out
    assert "--room is now called --family" in old.err
    assert "--room" not in call(capsys, "methods", "--help").out
    with pytest.warns(FutureWarning, match="room is now called family"):
        assert fewer.catalog(room="ordinal") == fewer.catalog(family="ordinal")


@pytest.mark.parametrize("name", [e.name for e in registry.METHODS])
def test_describe_is_readable_for_every_method(capsys, name):
    answer = call(capsys, "describe", name)
    assert answer.code == 0
    assert answer.out.startswith(f"{name}: ")
    for mark in (":math:", "`", "]_", "\\", ".. ["):
        assert mark not in answer.out
    made = registry.load(name)
    document = call(capsys, "describe", name.lower(), "--json").json
    assert {p["name"] for p in document["parameters"]} == {p for p in made().get_params() if p != "verbose"}
    assert all(p["help"] and p["allowed"] for p in document["parameters"])
    assert (document["task"], document["tags"]["targets"]) == (
        registry.entry(name).task,
        list(made.method_tags.targets),
    )
    # What does not select cannot be tried as a selector.
    assert ("Try: fewer rank" in answer.out) == (registry.entry(name).contract == "selector")


def test_describe_says_defaults_and_allowed_values(capsys):
    out = call(capsys, "describe", "InformationGain").out
    assert '--discretizer : {"quantile", "uniform", "mdl", "sigma", "mixture", "relief"}' in out
    assert "--bins : int (default 10)" in out
    assert "H(Y) - H(Y | F) = I(F; Y)" in out
    wrong = call(capsys, "describe", "InformationGian")
    assert (wrong.code, wrong.is_one_sentence()) == (2, True)
    assert "Did you mean InformationGain?" in wrong.err


def test_explain_table_and_one_feature(capsys, selection):
    table = call(capsys, "explain", selection)
    assert table.code == 0
    assert table.out.startswith("2 of 5 features kept by InformationGain.")
    one = call(capsys, "explain", selection, "constant")
    assert one.out == str(Selection.from_json(selection).reason("constant")) + "\n"
    document = call(capsys, "explain", selection, "constant", "--json").json
    assert document["kind"] in ("not reached", "irrelevant")
    assert document["sentence"] + "\n" == one.out
    everything = call(capsys, "explain", selection, "--json").json["features"]
    assert [f["feature"] for f in everything] == Selection.from_json(selection).table()["feature"]


def test_what_was_found_beside_the_ranking_is_shown_and_cut(capsys, tmp_path):
    path = tmp_path / "tree.json"
    rng = np.random.default_rng(0)
    a = rng.integers(0, 2, 200)
    columns = {"a": a, **{f"b{k}": a & (rng.random(200) < 0.8) for k in range(9)}, "y": a}
    table = tmp_path / "table.csv"
    pd.DataFrame(columns).to_csv(table, index=False)
    said = call(capsys, "select", table, "-t", "y", "-m", "RedundancyTree", "--tau", "0.5", "-o", path)
    assert said.code == 0
    tree = Selection.from_json(path).tables["tree"]
    lines = tree.lines(Selection.from_json(path).feature_names)
    assert len(lines) > 8
    shown = "\n".join(["Which feature covers which:", *lines[:8], f"... and {len(lines) - 8} more; --top 0 shows all."])
    assert shown in said.out
    assert shown in call(capsys, "explain", path).out
    assert "\n".join(lines) in call(capsys, "explain", path, "--top", "0").out
    document = call(capsys, "explain", path, "--json").json["tables"]["tree"]
    assert (document["kind"], document["columns"]["feature"][0]) == ("tree", lines[0])


def test_numbers_found_beside_the_ranking_are_a_table(capsys):
    words = ["iris", "--target", "target", "-m", "Simba", "--random-state", "0"]
    lines = call(capsys, "select", *words, "--n-starts", "9").out.split("\n")
    at = lines.index("Summed margin of every climb:")
    assert lines[at + 1].split() == ["climb", "summed", "margin"]
    assert [line.split()[0] for line in lines[at + 2 : at + 10]] == list("12345678")
    assert lines[at + 10] == "... and 1 more; --top 0 shows all."
    assert len(call(capsys, "rank", *words, "--json").json["tables"]["climbs"]["columns"]["climb"]) == 5


def test_explain_wrong_name_and_wrong_file(capsys, selection, tmp_path):
    wrong = call(capsys, "explain", selection, "constnt")
    assert (wrong.code, wrong.is_one_sentence()) == (1, True)
    assert "Did you mean constant?" in wrong.err
    for path in (tmp_path / "none.json", tmp_path / "bad.csv", tmp_path):
        for command in (["explain", path], ["report", path, "-o", tmp_path / "r.html"]):
            answer = call(capsys, *command)
            assert (answer.code, answer.is_one_sentence()) == (1, True)
            assert "does not expect" not in answer.err
    assert not (tmp_path / "r.html").exists()


def test_report_writes_a_page(capsys, selection, tmp_path):
    page = tmp_path / "page.html"
    answer = call(capsys, "report", selection, "-o", page)
    assert (answer.code, answer.err) == (0, "")
    text = page.read_text(encoding="utf-8")
    assert "InformationGain" in text
    assert "constant" in text
    assert "fewer select" in text


def test_synth_lists_generators(capsys):
    for words in (["synth"], ["synth", "--list"]):
        out = call(capsys, *words).out
        assert all(name in out for name in synth.GENERATORS)
    assert [e["name"] for e in call(capsys, "synth", "--json").json] == list(synth.GENERATORS)


@pytest.mark.parametrize("name", list(synth.GENERATORS))
def test_synth_writes_what_select_reads(capsys, tmp_path, name):
    path = tmp_path / "data.csv"
    made = call(capsys, "synth", name, "--seed", "1", "-o", path, "--json")
    assert (made.code, made.err) == (0, "")
    table = open_table(path, made.json["target"])
    assert (table.n_rows, table.n_features) == (made.json["n_rows"], made.json["n_features"])
    assert set(made.json["relevant"]) <= set(table.names)
    assert {table.names[j] for j in table.nominal.nonzero()[0]} == set(made.json["nominal"])


@pytest.mark.parametrize("extension", ["csv", "parquet", "feather", "npz"])
def test_synth_formats_hold_the_same_data(capsys, tmp_path, extension):
    path = tmp_path / f"data.{extension}"
    words = ["synth", "planted", "--n-samples", "50", "--nominal", "--random-state", "4", "-o", path]
    assert call(capsys, *words).code == 0
    expected = synth.make_planted(n_samples=50, nominal=True, random_state=4)
    table = open_table(path, "y")
    assert table.names == expected.names
    assert table.nominal.nonzero()[0].tolist() == list(expected.nominal)
    found = table.read()
    plain = [j for j in range(expected.n_features) if j not in expected.nominal]
    assert (found.X[:, plain] == expected.X[:, plain]).all()
    assert (found.y == expected.y).all()


def test_synth_options_come_from_the_signature(capsys):
    assert call(capsys, "synth", "--n-samples", "33", "xor", "--json").json["n_rows"] == 33
    assert "--n-relevant" in call(capsys, "synth", "xor", "--help").out
    for words, hint in (
        (["synth", "xr"], "Did you mean xor?"),
        (["synth", "xor", "--n-sampls", "3"], "Did you mean --n-samples?"),
        (["synth", "xor", "--n-samples", "-3"], "--n-samples"),
        (["synth", "xor", "--n-samples", "many"], "--n-samples"),
    ):
        answer = call(capsys, *words)
        assert (answer.code, answer.is_one_sentence()) == (2, True)
        assert hint in answer.err


def test_make_is_another_word_for_synth(capsys, tmp_path):
    words = ["xor", "--n-samples", "40", "--random-state", "2", "--json"]
    one, other = (call(capsys, command, *words).json for command in ("synth", "make"))
    assert {**one, "command": ""} == {**other, "command": ""}
    assert other["command"].startswith("fewer make")
    assert call(capsys, "make").out == call(capsys, "synth").out
    assert "--n-relevant" in call(capsys, "make", "xor", "--help").out
    for command in ("synth", "make"):
        assert call(capsys, command, "subspace_clusters", "-o", tmp_path / f"{command}.csv", "--seed", "1").code == 0
        answer = call(capsys, command, "xor", "--n-samples", "-3")
        assert (answer.code, answer.is_one_sentence()) == (2, True)
        assert "--n-samples" in answer.err
    assert (tmp_path / "make.csv").read_bytes() == (tmp_path / "synth.csv").read_bytes()


def test_json_is_the_only_output(capsys, tmp_path, selection):
    bad = tmp_path / "bad.csv"
    for words in (
        ["methods", "--json"],
        ["describe", "Chi2", "--json"],
        ["rank", bad, "-t", "y", "--json"],
        ["select", bad, "-t", "y", "--json", "-o", tmp_path / "again.json"],
        ["explain", selection, "--json"],
        ["synth", "--json"],
        ["synth", "corral", "--json"],
    ):
        answer = call(capsys, *words)
        assert (answer.code, answer.err) == (0, "")
        json.loads(answer.out)

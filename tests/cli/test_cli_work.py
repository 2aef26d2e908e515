from __future__ import annotations

import csv
import json
import shlex

import numpy as np
import pytest
from cli_examples import call, write_bad, write_numbers

import fewer
from common.cases import takes_counts
from fewer import registry
from fewer.core.reading.table import open_table
from fewer.core.records.result import Selection

METHODS = [entry.name for entry in registry.METHODS if entry.contract == "selector"]


@pytest.fixture
def numbers(tmp_path):
    return write_numbers(tmp_path / "numbers.csv")


@pytest.fixture
def bad(tmp_path):
    return write_bad(tmp_path / "bad.csv")


def test_rank_orders_all_features_and_equals_the_library(capsys, numbers):
    answer = call(capsys, "rank", numbers, "--target", "y", "--method", "InformationGain", "--json")
    expected = fewer.rank(numbers, "y", "InformationGain")
    assert answer.code == 0
    assert answer.err == ""
    records = answer.json["features"]
    assert [r["feature"] for r in records] == expected.kept_names
    assert [r["rank"] for r in records] == [1, 2, 3, 4, 5, 6]
    np.testing.assert_array_equal([r["score"] for r in records], expected.scores[expected.order])


def test_whole_numbers_read_as_numbers_are_told_and_the_task_can_be_given(capsys, tmp_path):
    path = tmp_path / "labels.csv"
    rows = "".join(f"{i % 7},{i * 37 % 11},{i % 24}\n" for i in range(240))
    path.write_text("a,b,y\n" + rows)
    for method in ([], ["--method", "MRMR"]):
        answer = call(capsys, "rank", path, "--target", "y", *method)
        assert answer.code == 0
        assert "24 different whole numbers" in answer.err
        assert "--task" in answer.err
        for task in ("classification", "regression"):
            told = call(capsys, "rank", path, "--target", "y", "--task", task, *method)
            assert told.code == 0
            assert told.err == ""


def test_rank_shows_top_rows_as_plain_text(capsys, numbers):
    answer = call(capsys, "rank", numbers, "-t", "y", "-m", "ftest", "--top", "2")
    lines = answer.out.rstrip("\n").split("\n")
    assert answer.code == 0
    assert "\x1b" not in answer.out
    assert lines[0] == f"6 features of {numbers} (80 rows, target y) ranked by FTest."
    assert lines[2].split() == ["rank", "feature", "score", "p-value"]
    assert [line.split()[:2] for line in lines[3:5]] == [["1", "f0"], ["2", "f1"]]
    assert lines[5] == "... and 4 more; --top 0 shows all."
    assert len(call(capsys, "rank", numbers, "-t", "y", "-m", "ftest", "--top", 0).out.rstrip().split("\n")) == 3 + 6


def test_options_before_the_file_and_with_equals_sign(capsys, numbers):
    plain = call(capsys, "rank", numbers, "-t", "y", "-m", "InformationGain", "--bins", "3", "--json").json
    other = call(capsys, "rank", "--bins=3", "--json", "--method=InformationGain", "--target=y", numbers).json
    assert plain["parameters"]["bins"] == 3
    assert plain["features"] == other["features"]


def test_select_writes_selection_table_and_report(capsys, numbers, tmp_path):
    out, table, page = tmp_path / "s.json", tmp_path / "r.csv", tmp_path / "r.html"
    words = ["select", numbers, "-t", "y", "-m", "FTest", "-n", "2", "-o", out, "--write", table, "--report", page]
    answer = call(capsys, *words)
    assert answer.code == 0
    assert answer.err == ""
    assert answer.out.startswith("2 of 6 features kept by FTest")
    assert "The other 4 were not reached." in answer.out
    assert f"Wrote {out}, {table}, {page}." in answer.out
    selection = Selection.from_json(out)
    assert selection.kept_names == ["f0", "f1"]
    assert selection.meta["command"] == shlex.join(["fewer", *map(str, words)])
    assert selection.meta["data"]["source"] == str(numbers)
    assert selection.meta["data"]["target_name"] == "y"
    with open(numbers) as before, open(table) as after:
        rows = [[r["f0"], r["f1"], r["y"]] for r in csv.DictReader(before)]
        assert list(csv.reader(after)) == [["f0", "f1", "y"], *rows]
    assert page.read_text(encoding="utf-8").lstrip().lower().startswith("<!doctype html")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["numbers.csv", "r.csv", "r.html", "s.json"]


def test_select_json_is_a_selection_that_explain_reads(capsys, numbers, tmp_path):
    answer = call(capsys, "select", numbers, "-t", "y", "-k", "3", "--json")
    assert answer.err == ""
    assert Selection.from_dict(answer.json).kept_names[0] == "f0"
    (tmp_path / "s.json").write_text(answer.out)
    assert call(capsys, "explain", tmp_path / "s.json", "f0").out.startswith("f0 was kept")


def test_reduced_parquet_reads_back(capsys, numbers, tmp_path):
    table = tmp_path / "r.parquet"
    assert call(capsys, "select", numbers, "-t", "y", "-n", "1", "-m", "FTest", "--write", table).code == 0
    reduced, whole = open_table(table, "y"), open_table(numbers, "y")
    assert reduced.names == ("f0",)
    np.testing.assert_array_equal(reduced.read().X[:, 0], whole.read().X[:, 0])
    np.testing.assert_array_equal(reduced.read().y, whole.read().y)


def test_streaming_changes_nothing(capsys, numbers):
    words = ["rank", numbers, "-t", "y", "-m", "SymmetricalUncertainty", "--json"]
    streamed, held = call(capsys, *words, "--stream").json, call(capsys, *words, "--no-stream").json
    assert streamed["features"] == held["features"]
    assert streamed["runner"] == "stream"


def test_method_that_needs_all_rows_refuses_to_stream(capsys, numbers):
    answer = call(capsys, "rank", numbers, "-t", "y", "-m", "RankSum", "--stream")
    assert (answer.code, answer.is_one_sentence()) == (2, True)
    assert "RankSum" in answer.err
    assert "--stream" in answer.err


@pytest.mark.parametrize("method", [name for name in METHODS if not registry.load(name).method_tags.streams])
def test_methods_that_need_all_rows_read_files_too(capsys, numbers, method):
    drawn = "random_state" in registry.load(method)._get_param_names()
    answer = call(capsys, "rank", numbers, "-t", "y", "-m", method, "--json", *["--seed", "0"] * drawn)
    if registry.entry(method).family == "ordinal":
        # The classes are words, which have no order.
        assert (answer.code, answer.is_one_sentence()) == (1, True)
        assert "class_order" in answer.err
        return
    if takes_counts(method):
        assert (answer.code, answer.is_one_sentence()) == (1, True)
        assert "Negative values" in answer.err
        return
    assert (answer.code, answer.err) == (0, "")
    # The starred methods let far rows speak against features that act alone.
    if registry.entry(method).task != "none" and not method.endswith("Star"):
        assert answer.json["features"][0]["feature"] == "f0"


def test_file_that_brings_its_own_target(capsys, tmp_path):
    path = tmp_path / "d.npz"
    rng = np.random.default_rng(0)
    y = np.arange(60) % 2
    np.savez(path, X=np.column_stack([rng.normal(size=60), y + rng.normal(size=60) / 9]), y=y)
    found = call(capsys, "rank", path, "--json").json
    assert found["data"]["target_name"] == "y"
    assert [r["feature"] for r in found["features"]] == ["x1", "x0"]


def test_default_method_follows_the_task(capsys, tmp_path, numbers):
    regression = tmp_path / "r.csv"
    rows = [f"{i / 7},{(i * 37 % 11) / 3},{i / 3}" for i in range(60)]
    regression.write_text("\n".join(["a,b,t", *rows]))
    assert call(capsys, "rank", numbers, "-t", "y", "--json").json["method"] == "SymmetricalUncertainty"
    found = call(capsys, "rank", regression, "-t", "t", "--json").json
    assert found["method"] == "VarianceReduction"
    assert found["features"][0]["feature"] == "a"


def test_drop_categorical_and_weight(capsys, tmp_path):
    rng = np.random.default_rng(3)
    rows = [f"{i % 3},{rng.normal()},{1 + i % 2},{'ab'[i % 2]}" for i in range(40)]
    path = tmp_path / "d.csv"
    path.write_text("\n".join(["code,number,w,y", *rows]))
    words = ["rank", path, "-t", "y", "-m", "InformationGain", "--json", "--weight", "w"]
    plain = call(capsys, *words).json
    assert [r["feature"] for r in plain["features"]].count("w") == 0
    assert plain["data"]["n_nominal"] == 0
    assert call(capsys, *words, "--categorical", "code").json["data"]["n_nominal"] == 1
    assert call(capsys, *words, "--categorical-features", "code,number").json["data"]["n_nominal"] == 2
    assert [r["feature"] for r in call(capsys, *words, "--drop", "code").json["features"]] == ["number"]
    refused = call(capsys, "rank", path, "-t", "y", "-m", "KruskalWallis", "--weight", "w")
    assert (refused.code, refused.is_one_sentence()) == (2, True)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("more", [[], ["--drop", "text"], ["--drop", "text", "--drop", "empty"]])
def test_bad_table_gives_a_result_or_one_sentence(capsys, bad, method, more):
    for command in ("rank", "select"):
        answer = call(capsys, command, bad, "--target", "y", "--method", method, *more, "--json")
        assert answer.code in (0, 1)
        if answer.code == 1:
            assert answer.is_one_sentence()
            assert "does not expect" not in answer.err
            continue
        assert answer.err == ""
        json.loads(answer.out)


def test_bad_table_is_ranked_rightly(capsys, bad):
    records = call(capsys, "rank", bad, "--target", "y", "--method", "InformationGain", "--json").json["features"]
    scores = {r["feature"]: r["score"] for r in records}
    # value separates the classes, copy repeats it and comes after it; one value and no value tell nothing.
    assert [r["feature"] for r in records] == ["value", "copy", "text", "empty", "constant"]
    assert scores["value"] == scores["copy"] == pytest.approx(np.log(2))
    assert scores["empty"] == scores["constant"] == 0


@pytest.mark.parametrize("command", ["rank", "select"])
def test_wrong_target_is_one_sentence(capsys, bad, command):
    wrong = call(capsys, command, bad, "--target", "Y2")
    assert (wrong.code, wrong.is_one_sentence()) == (1, True)
    assert "text, empty, constant, value, copy, y" in wrong.err
    none = call(capsys, command, bad)
    assert (none.code, none.is_one_sentence()) == (2, True)
    assert "--target" in none.err
    assert "empty, constant, value, copy, y" in none.err


def test_odd_names_are_printed_as_they_are(capsys, tmp_path):
    path = tmp_path / "odd.csv"
    rows = [f"{i % 2},{i},{'ab'[i % 2]}" for i in range(12)]
    path.write_text("\n".join(["[red]x[/red],\x1b[31mline,ziel ä", *rows]), encoding="utf-8")
    answer = call(capsys, "rank", path, "--target", "ziel ä", "-m", "InformationGain")
    assert answer.code == 0
    assert "[red]x[/red]" in answer.out
    assert "\x1b" not in answer.out
    assert "target ziel ä" in answer.out
    assert call(capsys, "rank", path, "--target", "ziel ä", "--json").json["data"]["target_name"] == "ziel ä"


def test_two_columns_with_one_name_are_one_sentence(capsys, tmp_path):
    path = tmp_path / "twice.csv"
    path.write_text("a,a,y\n1,2,x\n2,1,z\n")
    answer = call(capsys, "select", path, "-t", "y")
    assert (answer.code, answer.is_one_sentence()) == (1, True)
    assert "'a'" in answer.err

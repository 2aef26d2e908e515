from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from cli_examples import call, write_bad, write_numbers

import fewer
from fewer.cli.compare import ESTIMATORS
from fewer.evaluate.comparison import Comparison
from fewer.evaluate.data import read
from fewer.evaluate.panel import default_estimators

QUICK = ["--methods", "FTest,JMI", "--estimators", "naive-bayes", "--sizes", "1,2,6", "--cv", "3", "--jobs", "1"]


@pytest.fixture
def numbers(tmp_path):
    return write_numbers(tmp_path / "numbers.csv")


@pytest.fixture
def bad(tmp_path):
    return write_bad(tmp_path / "bad.csv")


def test_compare_writes_what_the_library_finds(capsys, numbers, tmp_path):
    out, page = tmp_path / "c.json", tmp_path / "r.html"
    words = ["compare", numbers, "--target", "y", *QUICK, "-o", out, "--report", page]
    answer = call(capsys, *words)
    assert (answer.code, answer.err) == (0, "")
    found = Comparison.from_json(out)
    table = fewer.open_table(numbers, "y").load()
    expected = fewer.compare(table, methods=["FTest", "JMI"], estimators=["naive Bayes"], sizes=[1, 2, 6], cv=3)
    np.testing.assert_array_equal(found.scores, expected.scores)
    np.testing.assert_array_equal(found.naive, expected.naive)
    assert found.meta["command"] == shlex.join(["fewer", *map(str, words)])
    assert found.meta["data"]["source"] == str(numbers)
    assert found.meta["data"]["target_name"] == "y"
    assert answer.out.startswith("2 of 6 features do best.")
    assert "Features: f0 and f1." in answer.out
    assert f"Wrote {out}, {page}." in answer.out
    assert shlex.join(["fewer", *map(str, words)]) in page.read_text(encoding="utf-8").replace("&#39;", "'")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["c.json", "numbers.csv", "r.html"]


def test_the_default_panel_is_named(capsys, numbers):
    answer = call(capsys, "compare", numbers, "-t", "y", "--cv", "2", "--sizes", "1", "-j", "1", "-e", "naive bayes")
    assert answer.code == 0
    assert "Methods of different kinds that suit classification with 80 rows and 6 features" in answer.out


def test_json_is_one_document(capsys, numbers):
    answer = call(capsys, "compare", numbers, "-t", "y", *QUICK, "--json")
    assert (answer.code, answer.err) == (0, "")
    assert Comparison.from_dict(answer.json).methods == ("FTest", "JMI")


def test_two_runs_with_one_seed_are_equal(capsys, numbers):
    runs = [call(capsys, "compare", numbers, "-t", "y", *QUICK, "--seed", "3", "--json").json for _ in range(2)]
    for one in runs:
        del one["seconds"]
    assert runs[0] == runs[1]


def test_explain_and_report_read_a_comparison(capsys, numbers, tmp_path):
    out = tmp_path / "c.json"
    call(capsys, "compare", numbers, "-t", "y", *QUICK, "-o", out)
    told = call(capsys, "explain", out, "f3")
    assert told.code == 0
    assert "f3 is irrelevant" in told.out
    assert "needed at most 0.1 for one feature alone" in told.out
    assert "f0" in call(capsys, "explain", out).out
    assert call(capsys, "report", out, "-o", tmp_path / "r.html").code == 0
    assert "Why not" in (tmp_path / "r.html").read_text(encoding="utf-8")


def test_groups_are_never_split(capsys, tmp_path):
    path = tmp_path / "groups.csv"
    rng = np.random.default_rng(0)
    rows = [f"g{i % 6},{rng.normal() + i % 2},{rng.normal()},{'ab'[i % 2]}" for i in range(60)]
    path.write_text("\n".join(["who,a,b,y", *rows]))
    answer = call(
        capsys, "compare", path, "-t", "y", "--groups", "who", *QUICK[:4], "--sizes", "1", "-j", "1", "--json"
    )
    found = Comparison.from_dict(answer.json)
    assert found.names == ("a", "b")
    assert found.n_folds == 6 or set(found.n_test.tolist()) <= {10, 20, 30}
    assert "group" in found.meta["protocol"]
    path.write_text("\n".join(["who,a,b,y", *[row.replace("g0", "") for row in rows]]))
    gaps = call(capsys, "compare", path, "-t", "y", "--groups", "who", *QUICK)
    assert (gaps.code, gaps.is_one_sentence()) == (2, True)
    assert "10 rows without a value" in gaps.err


def test_estimators_are_those_of_the_library():
    X = np.arange(12.0).reshape(-1, 1)
    kinds = [read(X, np.arange(12) % 2), read(X, np.linspace(0, 1, 12))]
    assert {name for data in kinds for name in default_estimators(data, 8)} == set(ESTIMATORS)


@pytest.mark.parametrize("more", [[], ["--drop", "text"], ["--drop", "text", "--drop", "empty"], ["-m", "FTest"]])
def test_bad_table_gives_a_result_or_one_sentence(capsys, bad, more):
    answer = call(capsys, "compare", bad, "--target", "y", *more, "-j", "1", "--json")
    assert answer.code in (0, 1)
    if answer.code == 1:
        assert answer.is_one_sentence()
        assert "does not expect" not in answer.err
    else:
        json.loads(answer.out)


@pytest.mark.parametrize(
    ("rows", "target"),
    [
        ([], "y"),
        (["1,2,a"], "y"),
        (["1,2,a"] * 6, "y"),
        ([f"{i},{-i},k{i}" for i in range(6)], "y"),
        ([f"{i},inf,{'ab'[i % 2]}" for i in range(8)], "y"),
        ([f"{i},{'' if i % 2 else i},{'ab'[i % 2]}" for i in range(8)], "y"),
        ([f"{i},{i},{'ab'[i % 2] if i else ''}" for i in range(8)], "y"),
        ([f"{i},{i},{'ab'[i % 2]}" for i in range(8)], ""),
    ],
    ids=["no rows", "one row", "one class", "a class per row", "infinite", "missing", "target missing", "no name"],
)
def test_bad_tables_give_a_result_or_one_sentence(capsys, tmp_path, rows, target):
    path = tmp_path / "bad.csv"
    path.write_text("\n".join(["p,q,y", *rows]) + "\n")
    answer = call(capsys, "compare", path, "--target", target, *QUICK[:4], "--sizes", "1", "-j", "1", "--json")
    assert answer.code in (0, 1, 2)
    if answer.code:
        assert answer.is_one_sentence()
        assert "does not expect" not in answer.err
    assert [p.name for p in tmp_path.iterdir()] == ["bad.csv"]


def test_a_checkpoint_of_another_comparison_is_left_alone(capsys, numbers, tmp_path):
    kept = tmp_path / "kept"
    assert call(capsys, "compare", numbers, "-t", "y", *QUICK, "--checkpoint", kept).code == 0
    before = kept.read_bytes()
    other = call(capsys, "compare", numbers, "-t", "y", *QUICK, "--seed", "1", "--checkpoint", kept)
    assert (other.code, other.is_one_sentence()) == (1, True)
    assert "written by other work (data, settings or version differ)" in other.err
    assert kept.read_bytes() == before


def started(*words: object) -> subprocess.Popen:
    code = "import sys; from fewer.cli.main import run; run(sys.argv[1:])"
    environment = {**os.environ, "PYTHONPATH": str(Path(fewer.__file__).parents[1])}
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, words)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    )


def test_ctrl_c_says_how_to_go_on_and_the_same_command_does(capsys, tmp_path):
    path, out = write_numbers(tmp_path / "numbers.csv", 400, 40), tmp_path / "c.json"
    words = ["compare", path, "-t", "y", "--jobs", "1", "-m", "FTest,JMI,MRMR,CMIM", "-o", out]
    kept = tmp_path / "c.json.unfinished"
    with started(*words) as one:
        end = time.monotonic() + 120
        while not (kept.exists() and kept.read_bytes().count(b"\n") > 3) and time.monotonic() < end:
            time.sleep(0.02)
        one.send_signal(signal.SIGINT)
        shown, said = one.communicate()
        assert (one.returncode, shown) == (130, "")
    assert said.strip().split("\n") == [said.strip()]
    assert "run the same command again to go on" in said
    assert str(kept) in said
    n_done = kept.read_bytes().count(b"\n") - 1
    assert not out.exists()
    assert f"{n_done} of 94 units" in said
    again = call(capsys, *words)
    assert again.code == 0
    assert not kept.exists()
    whole = call(capsys, *words[:-2], "--json").json
    resumed = json.loads(out.read_text())
    for one in (whole, resumed):
        del one["seconds"], one["meta"]["command"]
    assert whole == resumed


def test_ctrl_c_without_a_file_says_what_would_have_helped(capsys, numbers, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("fewer.evaluate.fold_units.choose", interrupted)
    answer = call(capsys, "compare", numbers, "-t", "y", *QUICK)
    assert (answer.code, answer.is_one_sentence()) == (130, True)
    assert "add --checkpoint FILE" in answer.err


def test_weights_and_reasons(capsys, tmp_path):
    rng = np.random.default_rng(0)
    path, out, reasons = tmp_path / "t.csv", tmp_path / "c.json", tmp_path / "r.csv"
    X = rng.normal(size=(60, 3))
    table = np.column_stack([X, X[:, 0] > 0, rng.integers(1, 4, 60)])
    np.savetxt(path, table, delimiter=",", header="a,b,c,y,w", comments="", fmt="%.17g")
    words = [path, "-t", "y", "-m", "JMI", "-e", "naive-bayes", "--sizes", "1", "--cv", "2", "-j", "1"]
    answer = call(capsys, "compare", *words, "--weight", "w", "-o", out, "--reasons", reasons)
    assert (answer.code, answer.err) == (0, "")
    found = Comparison.from_json(out)
    assert found.names == ("a", "b", "c")
    assert found.meta["data"]["weighted"]
    assert "--weight w" in found.meta["command"]
    assert reasons.read_text().splitlines()[1].startswith("1,a,0,kept")
    wrong = call(capsys, "compare", *words, "--reasons", tmp_path / "r.xlsx")
    assert (wrong.code, wrong.is_one_sentence()) == (2, True)

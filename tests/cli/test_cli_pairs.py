"""fewer pairs, fewer project and fewer cluster with pairs of rows."""

from __future__ import annotations

import csv

import numpy as np
import pytest
from cli_examples import call

import fewer

HEADS = "first,second,link\n"


def write(path, labels=None):
    """Sixty rows around three places, with labels of some of them as a last column."""
    rng = np.random.default_rng(0)
    rows = np.vstack([place + rng.normal(size=(20, 4)) for place in ([0] * 4, [0, 0, 6, 0], [0, 6, 0, 0])])
    heads = ["p", "q", "r", "s", *([] if labels is None else ["y"])]
    lines = [",".join(map(repr, row.tolist())) for row in rows]
    if labels is not None:
        lines = [f"{line},{label}" for line, label in zip(lines, labels)]
    path.write_text("\n".join([",".join(heads), *lines]) + "\n")
    return path


def some(unknown, names="abc"):
    """Return labels of every second row."""
    return [names[i // 20] if i % 2 else unknown for i in range(60)]


def lines(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture
def plain(tmp_path):
    return write(tmp_path / "plain.csv")


@pytest.fixture
def pairs(tmp_path, capsys):
    table, out = write(tmp_path / "labelled.csv", [c for c in "abc" for _ in range(20)]), tmp_path / "pairs.csv"
    answer = call(capsys, "pairs", table, "-t", "y", "-n", 60, "--seed", 0, "-o", out)
    assert (answer.code, answer.err) == (0, "")
    assert "20 pairs of rows that belong together and 40 that do not" in answer.out
    return out


@pytest.mark.parametrize(("unknown", "names"), [("", "abc"), ("-1", "abc"), ("-1", "012"), ("", "012")])
def test_rows_without_a_label_are_in_no_pair_and_keep_their_numbers(capsys, tmp_path, plain, unknown, names):
    table, out = write(tmp_path / "some.csv", some(unknown, names)), tmp_path / "drawn.csv"
    assert call(capsys, "pairs", table, "-t", "y", "-n", 100, "--fraction", 1, "--seed", 0, "-o", out).code == 0
    found = lines(out)
    assert len(found) == 100
    for line in found:
        i, j = int(line["first"]), int(line["second"])
        assert (i % 2, j % 2) == (1, 1)
        assert line["link"] == ("together" if i // 20 == j // 20 else "apart")
    # All pairs of labelled rows, be they read from the target or from a file.
    place = np.array([i // 20 if i % 2 else -1 for i in range(60)])
    X = np.loadtxt(plain, delimiter=",", skiprows=1)
    want = fewer.ConstraintProjection().fit(X, place)
    answer, axes = call(capsys, "project", table, "-t", "y", "--json"), tmp_path / "axes.csv"
    np.testing.assert_allclose(answer.json["scores"], want.selection_.scores, rtol=1e-9)
    assert call(capsys, "project", table, "-t", "y", "--pairs", out, "--write", axes).code == 0
    assert len(lines(axes)) == 60
    clusters = tmp_path / "clusters.csv"
    words = ["cluster", table, "-t", "y", "-m", "PCSKMeans", "--pairs", out, "--labels", clusters]
    assert call(capsys, *words).code == 0
    assert [line["row"] for line in lines(clusters)] == [str(i) for i in range(60)]


def test_project_says_what_the_method_finds(capsys, tmp_path, plain, pairs):
    outputs = [tmp_path / name for name in ("axes.csv", "found.json", "page.html")]
    words = ["project", plain, "--pairs", pairs, "--n-components", 2]
    answer = call(capsys, *words, "--write", outputs[0], "--out", outputs[1], "--report", outputs[2])
    assert (answer.code, answer.err) == (0, "")
    assert "2 axes of 4 features" in answer.out
    X = np.loadtxt(plain, delimiter=",", skiprows=1)
    found = [(int(line["first"]), int(line["second"]), line["link"]) for line in lines(pairs)]
    links = [[(i, j) for i, j, link in found if link == kind] for kind in ("together", "apart")]
    want = fewer.ConstraintProjection(2).fit(X, pairs=fewer.Pairs(60, *links))
    np.testing.assert_allclose(np.loadtxt(outputs[0], delimiter=",", skiprows=1), want.transform(X), rtol=1e-9)
    assert fewer.Selection.from_json(outputs[1].read_text()).indices.tolist() == want.selection_.indices.tolist()
    assert "<html" in outputs[2].read_text()
    assert call(capsys, *words, "--json").json["indices"] == want.selection_.indices.tolist()


def test_cluster_counts_the_pairs_that_are_not_met(capsys, plain, tmp_path):
    triangle = tmp_path / "triangle.csv"
    triangle.write_text(HEADS + "0,1,apart\n1,2,apart\n0,2,apart\n")
    words = ["cluster", plain, "-m", "PCSKMeans", "--n-clusters", 2, "--pairs", triangle]
    assert call(capsys, *words, "--json").json["n_violated"] == 1
    assert "1 of the pairs are not met." in call(capsys, *words).out


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a,b\n", "has the columns a, b"),
        ("", "has the columns none"),
        (HEADS + "0,1,maybe\n", "'maybe' in line 2"),
        (HEADS + "0,x,apart\n", "'x' in line 2"),
        (HEADS + "0,-1,apart\n", "'-1' in line 2"),
        (HEADS + "0,1.0,apart\n", "'1.0' in line 2"),
        (HEADS + "0,1_0,apart\n", "'1_0' in line 2"),
        (HEADS + "0,99999999999999999999,apart\n", "in line 2"),
        (HEADS + f'0,"{"1" * 200_000}",apart\n', "could not be read"),
        (HEADS + "0,500,apart\n", "row number 500"),
        (HEADS + "3,3,apart\n", "row 3 paired with itself"),
        (HEADS + "0,1,together\n1,2,together\n0,2,apart\n", "contradict each other"),
        (HEADS, "got 0 and 0"),
    ],
)
def test_a_wrong_file_is_one_sentence(capsys, tmp_path, plain, text, words):
    path = tmp_path / "wrong.csv"
    path.write_text(text)
    answer = call(capsys, "project", plain, "--pairs", path)
    assert answer.code != 0
    assert answer.is_one_sentence()
    assert words in answer.err


def test_blanks_in_a_file_are_no_mistake(capsys, tmp_path, plain):
    path = tmp_path / "blanks.csv"
    path.write_text("first, second, link\n0, 1, together\n\n,,\n0, 30, Apart\n")
    assert call(capsys, "project", plain, "--pairs", path).code == 0


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["project"], "neither --pairs nor --target was given"),
        (["project", "--pairs", "absent.csv"], "No such file"),
        (["project", "-m", "PCSKMeans"], "finds groups of rows"),
        (["cluster", "-m", "RCA"], "makes new axes"),
        (["cluster", "--pairs", "pairs.csv"], "takes no pairs"),
        (["project", "--write", "axes.xyz"], "extension"),
        (["project", "--write", "plain.csv"], "never overwritten"),
        (["project", "--pairs", "pairs.csv", "--beta", "2"], "beta"),
        (["pairs", "-o", "new.csv"], "--target"),
        (["pairs"], "--out was not given"),
        (["pairs", "-t", "s", "-o", "new.csv", "-n", "99999"], "different pairs"),
        (["pairs", "-t", "s", "-o", "new.csv", "--fraction", "0"], "fraction"),
        (["pairs", "-t", "s", "-o", "new.csv", "--seed", "-3"], "--seed"),
    ],
)
def test_a_wrong_word_is_one_sentence(capsys, tmp_path, monkeypatch, plain, pairs, more, words):
    monkeypatch.chdir(tmp_path)
    answer = call(capsys, more[0], "plain.csv", *more[1:])
    assert answer.code != 0
    assert answer.is_one_sentence()
    assert words in answer.err
    assert not (tmp_path / "new.csv").exists()

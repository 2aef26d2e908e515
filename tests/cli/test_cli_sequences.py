"""Sequences from the command line: FASTA, two files, a column of a table; what is made is found."""

from __future__ import annotations

import json

import pytest
from cli_examples import call as called

import fewer
from fewer.synth import make_planted_sequences

MOTIF = "A@3 & C@6 & G@9"


@pytest.fixture
def call(capsys):
    def answered(*words):
        answer = called(capsys, *words)
        return answer.code, answer.out, answer.err

    return answered


@pytest.fixture
def fasta(tmp_path, call):
    path = tmp_path / "reads.fasta"
    code, *_ = call("make", "planted_sequences", "--length", "12", "--seed", "0", "-o", path)
    assert code == 0
    return path


def test_a_fasta_file_is_selected_from(fasta, tmp_path, call):
    out, page = tmp_path / "s.json", tmp_path / "r.html"
    code, text, _ = call(
        "select", fasta, "--features", "conjunction", "--letters", "2-3", "-m", "InformationGain", "-n", "1",
        "--out", out, "--report", page,
    )  # fmt: skip
    assert code == 0
    found = fewer.Selection.from_json(out)
    assert found.kept_names == [MOTIF]
    data = make_planted_sequences(length=12, random_state=0)
    has = [t[2] + t[5] + t[8] == "ACG" for t in data.sequences]
    counts = [sum(h for h, label in zip(has, data.y) if label == c) for c in (0, 1)]
    assert found.to_frame(table="motifs").to_numpy().tolist() == [[MOTIF, *counts]]
    assert found.meta["data"]["target_name"] == "class"
    assert f"{counts[1]}" in text
    html = page.read_text()
    assert "A@3 &amp; C@6 &amp; G@9" in html
    assert "Sequences of every class that have a motif" in html


def test_fga_selects_while_it_makes(fasta, tmp_path, call):
    out = tmp_path / "s.json"
    code, text, _ = call("select", fasta, "--features", "fga", "--letters", "3", "-n", "1", "--out", out)
    assert code == 0
    assert fewer.Selection.from_json(out).kept_names == [MOTIF]
    assert "kept by FGA" in text
    code, text, _ = call("rank", fasta, "--features", "fga", "--letters", "2", "-m", "Chi2", "--top", "2")
    assert code == 0
    assert "chose these features by the classes of the same sequences" in text
    assert "the same sequences" not in call("rank", fasta, "--letters", "2", "-m", "Chi2", "--top", "2")[1]


def test_two_files_and_plain_text(fasta, tmp_path, call):
    data = make_planted_sequences(length=12, random_state=0)
    one, other = tmp_path / "one.fa", tmp_path / "other.txt"
    one.write_text("".join(f">x\n{t}\n" for t, label in zip(data.sequences, data.y) if label))
    other.write_text("\n".join(t for t, label in zip(data.sequences, data.y) if not label))
    out = tmp_path / "s.json"
    code, _, _ = call(
        "select", one, "--negative", other, "--features", "position", "--letters", "1", "-m", "ReliefF", "-n", "3",
        "--out", out,
    )  # fmt: skip
    assert code == 0
    found = fewer.Selection.from_json(out)
    assert set(found.kept_names) == {"A@3", "C@6", "G@9"}
    assert list(found.to_frame(table="motifs").columns) == ["motif", "in negative", "in positive"]


def test_a_column_of_a_table(tmp_path, call):
    data = make_planted_sequences(length=12, random_state=0)
    path, out = tmp_path / "t.csv", tmp_path / "s.json"
    rows = [f"{i},{t},{'site' if label else 'none'}" for i, (t, label) in enumerate(zip(data.sequences, data.y))]
    path.write_text("\n".join(["id,dna,kind", *rows]))
    words = (
        "--sequence",
        "dna",
        "--target",
        "kind",
        "--features",
        "position",
        "--letters",
        "1",
        "-m",
        "Chi2",
        "-n",
        "3",
    )
    assert call("select", path, *words, "--out", out)[0] == 0
    found = fewer.Selection.from_json(out)
    assert set(found.kept_names) == {"A@3", "C@6", "G@9"}
    assert found.meta["data"]["target_name"] == "kind"
    assert "in site" in found.to_frame(table="motifs").columns


def test_the_default_method_and_rankings_take_them(fasta, call):
    code, text, _ = call("rank", fasta, "--features", "position", "--letters", "1", "--json")
    assert code == 0
    assert {one["feature"] for one in json.loads(text)["features"][:3]} == {"A@3", "C@6", "G@9"}
    code, text, _ = call("select", fasta, "--features", "position", "--letters", "1")
    assert code == 0
    assert "C@6" in text


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--features", "words"], "--features words"),
        (["--letters", "a-b", "--features", "fga"], "--letters"),
        (["--drop", "x"], "--drop is for tables"),
        (["--target", "kind"], "no kind=CLASS"),
        (["--features", "fga", "--no-target"], "by the classes"),
        (["--negative", "none.fa"], "none.fa does not exist"),
        (["--alphabet", "protein", "--letters", "40"], r"2^62"),
        (["--negative", "none.fa", "--no-target"], "leave one of them out"),
        (["--letters", "13", "--features", "position"], "found no feature"),
    ],
)
def test_what_does_not_fit_is_said_in_one_sentence(fasta, words, said, call):
    code, _, error = call("select", fasta, *words)
    assert code != 0
    assert said in error
    assert error.count("\n") <= 2


def test_options_of_sequences_need_sequences(call):
    code, _, error = call("select", "iris", "--target", "target", "--letters", "2")
    assert code != 0
    assert "--letters is for sequences" in error
    code, _, error = call("select", "iris", "--sequence", "target")
    assert code != 0
    assert "--target" in error


def test_made_sequences_as_a_table(tmp_path, call):
    path = tmp_path / "t.csv"
    assert call("make", "planted_sequences", "--motifs", "TATA", "--n-samples", "20", "-o", path)[0] == 0
    lines = path.read_text().splitlines()
    assert lines[0].startswith("p1,p2,")
    assert set("".join(lines[1:])) <= set("ACGT01,")
    code, _, error = call("make", "xor", "-o", tmp_path / "x.fasta")
    assert code != 0
    assert "makes a table" in error

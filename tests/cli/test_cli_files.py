"""Files as they come, on the command line: options, notes, and refusals that say which option is missing."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from cli_examples import call

N = 24


@pytest.fixture
def folder(tmp_path):
    rng = np.random.default_rng(1)
    y, samples = np.tile(["ill", "well"], N // 2), [f"S{j}" for j in range(N)]
    values = rng.normal(size=(40, N)).round(3)
    values[7] += 4 * (y == "ill")
    pd.DataFrame(values, index=[f"G{i}" for i in range(40)], columns=samples).to_csv(tmp_path / "genes.csv")
    pd.DataFrame({"sample": samples, "class": y})[::-1].to_csv(tmp_path / "pheno.csv", index=False)
    sold = pd.DataFrame({"price": [f"€ {v:,.2f}" for v in 5000 + 900 * values[7]], "code, old": 1.0, "x": values[0]})
    sold["y"] = np.where(np.arange(N) < 3, "", y)
    sold.to_csv(tmp_path / "sold.csv", index=False, encoding="cp1252")
    return tmp_path


def test_features_in_rows_and_a_second_table(capsys, folder):
    words = ["rank", folder / "genes.csv", "--target", "class", "-m", "FTest", "--join", folder / "pheno.csv"]
    refused = call(capsys, *words, "--on", "sample")
    assert (refused.code, refused.is_one_sentence()) == (1, True)
    assert refused.err.endswith("; add --transpose.\n")
    found = call(capsys, *words, "--on", "sample", "--transpose", "--top", "1")
    assert found.code == 0
    assert "Rows and columns were exchanged: 40 features, 24 samples." in found.out
    assert "G7" in found.out.splitlines()[-2]
    missing = call(capsys, "select", folder / "genes.csv")
    assert missing.err.endswith(", or --transpose if its rows are features and its columns samples.\n")


def test_notes_are_in_the_terminal_json_and_report(capsys, folder):
    words = ["select", folder / "sold.csv", "-t", "y", "-m", "FTest", "-n", "1", "--drop", '"code, old",x']
    printed = call(capsys, *words, "--report", folder / "r.html")
    assert "3 of 24 rows have no target 'y' and are left out." in printed.out
    assert "not UTF-8 and was read as Latin-1 (cp1252); --encoding names another." in printed.out
    assert "'price' (currency €, commas between thousands" in printed.out
    notes = call(capsys, *words, "--json").json["meta"]["data"]["notes"]
    assert len(notes) == 3
    page = (folder / "r.html").read_text(encoding="utf-8")
    assert "3 of 24 rows have no target" in page
    assert "Rows left out, without a target" in page


def test_options_for_text(capsys, folder):
    path = folder / "text.csv"
    path.write_text("a, b|y\n" + "".join(f"{i % 3 + 1},{100 + i}|{'uv'[i % 2]}\n" for i in range(12)))
    words = ["rank", path, "-t", "y", "-m", "FTest", "--sep", "|"]
    assert "commas between thousands" in call(capsys, *words).out
    assert "decimal comma" in call(capsys, *words, "--decimal", ",").out
    wrong = call(capsys, *words, "--encoding", "klingon")
    assert (wrong.code, wrong.is_one_sentence()) == (2, True)
    assert "--encoding klingon" in wrong.err
    alone = call(capsys, *words, "--on", "a")
    assert "--join was not given" in alone.err


def test_groups_of_a_comparison_belong_to_the_rows_that_are_left(capsys, folder):
    path = folder / "groups.csv"
    frame = pd.read_csv(folder / "sold.csv", encoding="cp1252").assign(who=np.arange(N) // 2)
    frame.to_csv(path, index=False, sep=";")
    found = call(
        capsys, "compare", path, "-t", "y", "-m", "FTest", "--groups", "who", "--sizes", "1", "--cv", "2", "-j", "1",
        "--sep", ";", "--json",
    )  # fmt: skip
    assert found.code == 0, found.err
    assert found.json["meta"]["data"]["n_rows"] == N - 3

"""fewer acquire: a laboratory at the command line."""

from __future__ import annotations

import json

import pytest

from fewer.cli.main import main

TABLE = """id,colour,age,dose,y
a1,red,33,,ill
a2,,,1,ill
a3,green,41,,well
a4,,52,2,well
a5,,,,ill
a6,red,29,,well
"""


@pytest.fixture
def lab(tmp_path, monkeypatch):
    """A folder with a table and a state file."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text(TABLE)
    words = "--target y --id id --domain colour=red,green,blue --domain age=edges:30,50 --budget 6 --seed 1"
    assert main(["acquire", "start", "t.csv", "--state", "lab.json", *words.split()]) == 0
    return tmp_path


def document(capsys, *words):
    capsys.readouterr()
    assert main(["acquire", *words, "--state", "lab.json", "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_from_a_table_to_a_report(lab, capsys):
    values = {"colour": "blue", "age": "40", "dose": "2"}
    for k in range(4):
        asked = document(capsys, "ask", "-n", "2")["questions"]
        assert asked == document(capsys, "ask", "-n", "2")["questions"]
        first = asked[0]
        assert main(["acquire", "tell", "--state", "lab.json", first["row_name"], first["name"],
                     values[first["name"]]]) == 0  # fmt: skip
        assert f"Took 1 value, {k + 1} in all" in capsys.readouterr().out
    assert main(["acquire", "ask", "--state", "lab.json", "-n", "3"]) == 0
    assert "expected benefit" in capsys.readouterr().out
    assert main(["acquire", "status", "--state", "lab.json", "--out", "s.json", "--report", "r.html"]) == 0
    shown = capsys.readouterr().out
    assert "4 values acquired at a cost of 4, 5 missing, by MAC." in shown
    assert "Estimated relevances" in shown
    assert "Values acquired, in order" in shown
    assert main(["explain", "s.json"]) == 0
    assert "Values acquired, in order" in capsys.readouterr().out
    assert "Estimated relevances" in (lab / "r.html").read_text()
    found = document(capsys, "status")
    assert found["n_acquired"] == 4
    assert sum(found["selection"]["columns"]["acquired"]) == 4
    assert len(found["selection"]["tables"]["acquisitions"]["columns"]["step"]) == 4


def test_values_from_a_file_are_taken_all_or_none(lab, capsys):
    (lab / "v.csv").write_text("row,column,value\na5,colour,blue\na5,age,pink\n")
    assert main(["acquire", "tell", "--state", "lab.json", "--values", "v.csv"]) == 1
    assert "whose domain is finite numbers" in capsys.readouterr().err
    (lab / "v.csv").write_text("row, column, value\na5, colour, blue\na5, age, 31\na2, age,\n")
    assert main(["acquire", "tell", "--state", "lab.json", "--values", "v.csv"]) == 0
    assert "Took 2 values, 2 in all" in capsys.readouterr().out
    assert main(["acquire", "skip", "--state", "lab.json", "a5", "dose"]) == 0
    asked = document(capsys, "ask", "-n", "9")["questions"]
    assert ("a5", "dose") not in [(q["row_name"], q["name"]) for q in asked]
    assert main(["acquire", "tell", "--state", "lab.json", "--values", "v.csv"]) == 1
    assert "was told already" in capsys.readouterr().err


WRONG = {
    "start t.csv --target y --state lab.json": "is there already",
    "start t.csv --state new.json": "--target was not given",
    "start t.csv --target y --state new.json --domain colour": "takes a column with its values",
    "start t.csv --target colour --state new.json": "rows without a value of colour",
    "start t.csv --target y --state new.json -m MRMR": "takes what asks for values to measure",
    "ask --state none.json": "There is no state file none.json",
    "ask --state t.csv": "another kind",
    "tell --state lab.json a5 colour": "ROW COLUMN VALUE or --values",
    "tell --state lab.json a5 colour pink": "whose domain is 'red', 'green', 'blue'",
    "tell --state lab.json --values t.csv": "a file of values has row, column and value",
    "tell --state lab.json --values none.csv": "could not be read",
    "skip --state lab.json a1 colour": "was known at first",
    "frob": "there are start, ask, tell, skip, take-back, status",
}


@pytest.mark.parametrize("words", WRONG)
def test_what_is_wrong_is_said_in_one_sentence(lab, words, capsys):
    before = (lab / "lab.json").read_bytes()
    capsys.readouterr()
    assert main(["acquire", *words.split()]) in (1, 2)
    error = capsys.readouterr().err
    assert WRONG[words] in error
    assert error.count("\n") == 1
    assert not (lab / "new.json").exists()
    assert (lab / "lab.json").read_bytes() == before


def test_the_baseline_and_numbers_as_names(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    rows = "".join(f"{1000 + i},{i % 2 if i % 3 else ''},{'ab'[i % 2]}\n" for i in range(30))
    (tmp_path / "t.csv").write_text("nr,bit,y\n" + rows)
    words = "t.csv --target y --id nr --method RandomAcquisition --seed 0"
    assert main(["acquire", "start", *words.split(), "--state", "lab.json"]) == 0
    asked = document(capsys, "ask")["questions"][0]
    assert asked["benefit"] is None
    assert int(asked["row_name"]) == 1000 + asked["row"]
    assert main(["acquire", "tell", "--state", "lab.json", asked["row_name"], "bit", "1"]) == 0


def test_a_mistyped_value_is_corrected_or_taken_back(lab, capsys):
    assert main(["acquire", "tell", "--state", "lab.json", "a2", "colour", "red"]) == 0
    assert main(["acquire", "tell", "--state", "lab.json", "a2", "colour", "blue"]) == 1
    assert "--replace" in capsys.readouterr().err
    assert main(["acquire", "tell", "--state", "lab.json", "a2", "colour", "blue", "--replace"]) == 0
    found = document(capsys, "status")["selection"]["tables"]["acquisitions"]["columns"]
    assert found["value"] == ["blue"]
    assert main(["acquire", "take-back", "--state", "lab.json", "a2", "colour"]) == 0
    assert "colour of row a2 is missing again." in capsys.readouterr().out
    assert document(capsys, "status")["n_acquired"] == 0
    assert main(["acquire", "take-back", "--state", "lab.json", "a2", "colour"]) == 1

"""The built-in data set that shows what is found in data as they come."""

from __future__ import annotations

import csv
import importlib.util
from pathlib import Path

import pytest

import fewer
from fewer.core.reading.io.builtin import EXAMPLES

STUDY = Path(__file__).parents[3] / "studies/clinic.py"


def test_the_file_is_what_the_study_makes():
    spec = importlib.util.spec_from_file_location("clinic", STUDY)
    study = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(study)
    columns = study.made()
    with (EXAMPLES / "clinic.csv").open(encoding="utf-8", newline="") as file:
        names, *rows = csv.reader(file)
    assert names == list(columns)
    assert rows == [[str(cell) for cell in row] for row in zip(*columns.values())]


@pytest.fixture(scope="module")
def found():
    return fewer.select("clinic", "recovered", drop="leaks")


def test_what_is_right_is_kept(found):
    kept = set(found.kept_names)
    assert {"age", "marker_a", "marker_b", "smoker"} < kept
    assert len(kept & {"blood_pressure", "pressure_kpa"}) == 1
    assert len(kept) == 5


def test_what_is_wrong_is_found(found):
    left_out = {one["feature"]: one["kind"] for one in found.meta["findings"]}
    assert left_out == {
        "patient": "identifier",
        "admitted": "date",
        "country": "constant",
        "weight_again": "duplicate",
        "remark": "mostly missing",
        "ward_after": "leak",
    }


def test_a_twin_is_redundant_and_the_leak_is_told(found):
    (dropped,) = {"blood_pressure", "pressure_kpa"} - set(found.kept_names)
    assert found.reason(dropped).kind == "redundant"
    told = fewer.select("clinic", "recovered").meta["without_leaks"]
    assert set(told["kept"]) == set(found.kept_names)

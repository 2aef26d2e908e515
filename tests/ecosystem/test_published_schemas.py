"""The published form of written files holds for what is written, and for what earlier versions wrote."""

from __future__ import annotations

import copy
import importlib.util
import json

import numpy as np
import pandas as pd
import pytest

import fewer
from ecosystem.plain_schema import wrong
from fewer.cli.main import main
from fewer.core.records.errors import ParameterError
from fewer.core.records.result import READ
from fewer.core.records.schemas import SCHEMAS, schema
from fewer.evaluate.comparison import FORMAT

METHODS = ["FTest", "FCBF", "MRMR", "RedundancyTree", "IAMB", "SequentialSelector", "CorrelationFilter", "OrderedFS"]


def check(text: str, kind: str, version: int | None = None) -> dict:
    """Raise unless a written file follows its schema, and says nothing that the schema does not name."""
    data, rule = json.loads(text), schema(kind, version)
    assert not wrong(data, rule, rule)
    assert set(data) <= set(rule["properties"])
    if importlib.util.find_spec("jsonschema"):
        import jsonschema

        jsonschema.Draft202012Validator.check_schema(rule)
        jsonschema.validate(data, rule)
    return data


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(80, 5)), columns=list("abcde"))
    X["f"] = X["a"] + 1e-3 * rng.normal(size=80)
    return X, (X["a"] + X["b"] > 0).to_numpy().astype(int)


@pytest.mark.parametrize("name", METHODS)
def test_selections_follow_their_schema(name, data):
    data = check(fewer.get(name)().fit(*data).selection_.to_json(), "selection")
    reasons = schema()["$defs"]["reasons"]["properties"]
    assert set(data["reasons"]) <= set(reasons)


def test_comparisons_follow_their_schema(data):
    found = fewer.compare(*data, ["FTest", "FCBF", "RandomRanking"], ["naive Bayes"], [1, 2], cv=2, random_state=0)
    for timings in (True, False):
        written = check(found.to_json(timings=timings), "comparison")
    inner = schema("comparison")["$defs"]["portrait"]["properties"]
    assert written["portraits"]
    assert all(set(one) <= set(inner) for one in written["portraits"])


def test_comparisons_without_target_follow_their_schema(data):
    found = fewer.compare_without_target(data[0], ["LaplacianScore"], size=2, n_halves=2, random_state=0)
    check(found.to_json(), "comparison-without-target")


def test_selections_of_the_first_format_are_read(data):
    made = fewer.FTest(2).fit(*data).selection_
    old = json.loads(made.to_json())
    del old["tables"], old["reasons"]["above"], old["reasons"]["needs"]
    old["format"] = 1
    text = json.dumps(old)
    check(text, "selection", 1)
    assert fewer.Selection.from_json(text).indices.tolist() == made.indices.tolist()


def test_what_is_wrong_breaks_the_schema(data):
    rule = schema()
    good = json.loads(fewer.FTest(2).fit(*data).selection_.to_json())
    for name, value in {"indices": [-1], "order": [1, 1], "scores": ["much"], "meta": [], "format": 3}.items():
        assert wrong({**good, name: value}, rule, rule), name
    for name in rule["required"]:
        assert wrong({k: v for k, v in good.items() if k != name}, rule, rule), name
    bad = copy.deepcopy(good)
    bad["reasons"]["kind"][0] = 9
    assert wrong(bad, rule, rule)


def test_every_format_that_is_read_is_published():
    assert SCHEMAS["selection"] == READ
    assert SCHEMAS["comparison"][-1] == FORMAT
    for kind, versions in SCHEMAS.items():
        for version in versions:
            assert schema(kind, version)["$id"] == f"urn:fewer:{kind}:{version}"
    with pytest.raises(ParameterError, match="Did you mean selection"):
        schema("selections")
    with pytest.raises(ParameterError, match="has the formats 1, 2; pass"):
        schema("selection", 3)


def test_the_command_line_prints_them(capfd):
    assert main(["schema", "comparison"]) == 0
    assert json.loads(capfd.readouterr().out) == schema("comparison")
    assert main(["schema", "selection", "--format", "1"]) == 0
    assert json.loads(capfd.readouterr().out) == schema("selection", 1)
    assert main(["schema", "nothing"]) != 0

"""Files of results that somebody changed: one sentence, and never a wrong name."""

from __future__ import annotations

import copy
import json
import random

import numpy as np
import pytest

import fewer
from common.examples import EXAMPLES
from fewer.cli.main import main
from fewer.core.records.errors import FileError
from fewer.core.records.reasons import KIND_NAMES
from fewer.core.records.result import Selection
from fewer.core.records.written_form import N_KINDS
from fewer.evaluate.comparison import Comparison

ODD = [
    None,
    True,
    -1,
    99,
    1.5,
    "x",
    "",
    [],
    {},
    [[]],
    [0, 99],
    [0, -1],
    [1, 1],
    1e308,
    "NaN",
    "\x1b[31m",
    [None],
    10**30,
]


def data():
    X = np.random.default_rng(0).normal(size=(60, 5))
    return X, (X[:, 0] > 0).astype(int)


@pytest.fixture(scope="module")
def written():
    compared = fewer.compare(*data(), methods=["FTest", "MRMR"], cv=3, sizes=[1, 2])
    selection = fewer.MRMR(2).fit(*data()).selection_
    return [json.loads(one.to_json()) for one in (selection, compared)]


def test_what_was_written_is_read(written):
    for form, plain in zip((Selection, Comparison), written, strict=True):
        again = form.from_json(json.dumps(plain))
        assert json.loads(again.to_json()) == plain


@pytest.mark.parametrize("indices", [[0, 99], [0, -1], [1, 1], [0.0, 1.0], [True], "01", [[0]], [10**30]])
def test_numbers_of_no_feature_are_refused(written, indices):
    for name in ("indices", "order"):
        with pytest.raises(FileError, match="is not a selection written by fewer"):
            Selection.from_json(json.dumps({**written[0], name: indices}))


def places(value, at=()):
    items = value.items() if isinstance(value, dict) else enumerate(value[:3]) if isinstance(value, list) else ()
    return [one for key, inside in items for one in [(*at, key), *places(inside, (*at, key))]]


@pytest.mark.parametrize("number", [0, 1])
def test_any_change_is_shown_or_refused_in_one_sentence(written, tmp_path, capsys, number):
    rng, path = random.Random(number), tmp_path / "s.json"
    by_depth = {}
    for place in places(written[number]):
        by_depth.setdefault(min(len(place), 4), []).append(place)
    for at in range((48 if number == 0 else 12) * EXAMPLES):
        changed = copy.deepcopy(written[number])
        *above, last = rng.choice(by_depth[rng.choice(list(by_depth))])
        inside = changed
        for key in above:
            inside = inside[key]
        if rng.random() < 0.2:
            del inside[last]
        else:
            inside[last] = rng.choice(ODD)
        path.write_text(json.dumps(changed))
        ways = (["explain"], ["explain", "--json"], ["report", "-o", str(tmp_path / "page.html")])
        # One of them each: all read the same file, and what they show differs.
        command, *more = ways[at % 3]
        assert main([command, str(path), *more]) in (0, 1), (above, last)
        said = capsys.readouterr().err
        assert "does not expect" not in said, (above, last, said)
        assert said.count("\n") <= 1


@pytest.mark.parametrize("value", [None, float("nan"), float("inf")])
def test_a_picture_without_a_number_of_rows_is_refused(written, value):
    changed = copy.deepcopy(written[1])
    changed["portraits"][0]["counts"][0][0] = value
    with pytest.raises(FileError, match="a picture (lacks a number of rows|holds what is no number)"):
        Comparison.from_json(json.dumps(changed))


@pytest.mark.parametrize("kind", [4, 99, 255])
def test_a_kind_of_reason_that_is_none_is_refused(written, kind):
    changed = copy.deepcopy(written[0])
    changed["reasons"]["kind"][-1] = kind
    with pytest.raises(FileError, match="from 0 to 3"):
        Selection.from_json(json.dumps(changed))
    assert len(KIND_NAMES) == N_KINDS

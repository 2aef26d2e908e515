"""A dozen methods find what they found before the parts were joined; other processors round otherwise."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from common.results import differences, results

STORED = json.loads((Path(__file__).parent / "stored.json").read_text(encoding="utf-8"))
METHODS = sorted({key.split()[0] for key in STORED})


@pytest.mark.parametrize("name", METHODS)
def test_results_are_those_that_were_stored(name):
    known = {key: value for key, value in STORED.items() if key.split()[0] == name}
    found = json.loads(json.dumps(results([name], only=known)))
    assert not differences(known, found, tolerance=1e-10)

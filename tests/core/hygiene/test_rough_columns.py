"""Columns as they come: identifiers of 64 bits, texts that differ, warnings that are findings."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest

import fewer
from fewer.core.records.errors import InputError
from fewer.evaluate.data import examined, read


@pytest.fixture
def accounts(rng):
    n = 120
    y = rng.integers(0, 2, n)
    frame = pd.DataFrame({"a": y + 0.5 * rng.normal(size=n), "b": rng.normal(size=n)})
    frame["account_id"] = 2**60 + rng.permutation(n)
    return frame, y


def kinds(selection):
    return {one["feature"]: one["kind"] for one in selection.meta["findings"]}


def test_identifiers_of_64_bits_are_left_out_where_columns_are_looked_at(accounts, tmp_path):
    frame, y = accounts
    frame.assign(y=y).to_csv(tmp_path / "a.csv", index=False)
    frame.assign(y=y).to_parquet(tmp_path / "a.parquet")
    for X, target in ((frame, y), (tmp_path / "a.csv", "y"), (tmp_path / "a.parquet", "y")):
        chosen, ranked = fewer.select(X, target), fewer.rank(X, target)
        assert kinds(chosen)["account_id"] == kinds(ranked)["account_id"] == "identifier"
        assert list(chosen.kept_names) == ["a"]
        assert list(ranked.kept_names)[-1] == "account_id"
        with pytest.raises(InputError, match="2\\^53"):
            fewer.select(X, target, "InformationGain")
    data, findings = examined(read(frame, y), None, None)
    assert [one["feature"] for one in findings] == ["account_id"]
    assert data.columns.tolist() == [0, 1]


def test_only_equal_texts_are_copies(rng):
    n = 200
    first = rng.integers(0, 3, n)
    frame = pd.DataFrame({"noise": rng.normal(size=n)})
    for name, labels in {"city": "abc", "again": "abc", "other": "xyz"}.items():
        frame[name] = np.array(list(labels))[first]
    found = kinds(fewer.select(frame, rng.integers(0, 2, n)))
    assert found == {"again": "duplicate"}


def test_identifiers_are_told_once(rng, tmp_path):
    n = 60
    y = rng.integers(0, 2, n)
    frame = pd.DataFrame({"a": y + rng.normal(size=n), "sample": [f"s{i}" for i in range(n)], "y": y})
    frame.to_csv(tmp_path / "a.csv", index=False)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for X in (frame, tmp_path / "a.csv"):
            assert kinds(fewer.rank(X, "y")) == {"sample": "identifier"}
            fewer.select(X, "y")
        read(frame[["a", "sample"]], y)
    with pytest.warns(UserWarning, match="drop it if it is an identifier"):
        fewer.select(frame, "y", "InformationGain")


def test_what_is_said_of_leaks_is_true(rng):
    n = 300
    y = rng.integers(0, 2, n)
    frame = pd.DataFrame(rng.normal(size=(n, 6)), columns=list("abcdef"))
    frame["after"], frame["later"] = np.where(rng.random(n) < 0.3, np.nan, y), y + 0.1 * rng.random(n)
    chosen = fewer.select(frame, y)
    words = {one["feature"]: one["words"] for one in chosen.meta["findings"] if one["kind"] == "leak"}
    assert "where it is given" in words["after"]
    assert "where" not in words["later"]
    frame["after"] = y
    frame["later"] = y + 0.1 * rng.random(n)
    words = {one["feature"]: one["words"] for one in fewer.select(frame, y).meta["findings"]}
    assert all("as does 1 other suspect, far better than all other columns" in words[name] for name in words)
    assert set(words) == {"after", "later"}

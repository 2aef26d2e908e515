"""Columns as they come: identifiers of 64 bits, texts that differ, warnings that are findings."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest

import fewer
from fewer.core.records.errors import FewerError, InputError
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


def test_drop_takes_columns_beside_kinds(accounts):
    frame, y = accounts
    frame.insert(0, "twin", frame["a"])
    chosen = fewer.select(frame, y, drop=["twin", "leaks"])
    assert "drop=" in str(chosen.reason("twin"))
    assert kinds(chosen) == {"account_id": "identifier"}
    assert chosen.kept_names == fewer.select(frame, y, drop=[0]).kept_names == ["a"]
    assert fewer.select(frame, y, drop=[True, False, False, False]).kept_names == ["a"]


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        ({"drop": 9}, "drop=9 is neither a kind of finding nor a column"),
        ({"drop": [["leaks"]]}, "is neither a kind"),
        ({"keep": [None]}, "keep=None is no column"),
        ({"keep": [1.5]}, "keep=1.5 is no column"),
        ({"keep": [True]}, "keep= got a mask of 1 entries, but the data have 3"),
        ({"keep": "a", "drop": "a"}, "both name 'a'"),
        ({"drop": ["a", "b", "account_id"]}, "names all 3 columns"),
        ({"groups": [None, "g"] * 60}, "groups holds values of different kinds"),
    ],
)
def test_wishes_that_cannot_be_met(accounts, wish, words):
    with pytest.raises(FewerError, match=words):
        fewer.select(*accounts, **wish)


def test_cells_that_are_no_values(accounts):
    frame, y = accounts
    with pytest.raises(InputError, match="Column 'l' holds lists"):
        fewer.select(frame.assign(l=[[1]] * len(frame)), y)
    for X in (frame * 1j, frame.to_numpy() * 1j):
        with pytest.raises(InputError, match=r"omplex"):
            fewer.select(X, y)
    with pytest.raises(InputError, match="without a target"):
        fewer.select(frame, task="regression")


def test_genes_in_rows_are_told(tmp_path):
    pd.DataFrame(np.eye(30)[:, :8]).add_prefix("s").rename_axis("gene").rename("g{}".format).to_csv(tmp_path / "e.csv")
    with pytest.raises(InputError, match="transpose=True, and join="):
        fewer.select(tmp_path / "e.csv", "disease")


@pytest.mark.parametrize("path", [False, True])
def test_cells_beside_numbers_are_told(rng, tmp_path, path):
    n = 60
    frame = pd.DataFrame({"y": rng.integers(0, 2, n), "z": rng.normal(size=n)})
    for name, odd in {"dash": "-", "weight": "1.2 kg", "paid": "$7"}.items():
        frame[name] = [str(v) for v in rng.permutation(900)[:n]]
        frame.loc[[40, 50], name] = odd
    frame.loc[3, "paid"] = "8 EUR"
    frame.to_csv(tmp_path / "a.csv", index=False)
    facts = fewer.select(tmp_path / "a.csv" if path else frame, "y").meta["data"]
    notes = " ".join(facts["notes"])
    assert "'dash' ('-' counts as missing)" in notes
    assert "'weight' was read as names, not numbers, because of cells such as '1.2 kg'." in notes
    assert "'paid' was read as names" in notes
    assert facts["n_nominal"] == 2

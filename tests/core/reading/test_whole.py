"""Whole numbers beyond 2^53: floats make neighbours equal, so they are refused, or stay whole."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse

import fewer
from fewer.core.reading.table import ArrayTable, open_table
from fewer.core.reading.whole_numbers import rounded
from fewer.core.records.errors import InputError

RNG = np.random.default_rng(0)
Y = RNG.integers(0, 2, 300)
X = np.column_stack([2**60 + 3 * Y, RNG.integers(0, 9, 300)])
LABELS = 2**53 + np.array([0, 1, 3])[RNG.integers(0, 3, 300)]
FRAME = pd.DataFrame({"id": X[:, 0], "v": RNG.normal(size=300), "w": X[:, 1]})


@pytest.fixture(params=["csv", "parquet", "feather", "arff"])
def path(request, tmp_path):
    """The same rows in every format that has types of its own, with some missing numbers."""
    rows, at = FRAME.assign(label=LABELS, y=Y), str(tmp_path / f"rows.{request.param}")
    rows["id"] = rows["id"].astype("Int64").where(np.arange(300) != 7)
    if request.param == "arff":
        names = "".join(f"@attribute {name} numeric\n" for name in rows)
        text = rows.to_csv(index=False, header=False, na_rep="?")
        (tmp_path / "rows.arff").write_text(f"@relation rows\n{names}@data\n{text}")
    else:
        getattr(rows, f"to_{request.param}")(at, **({"index": False} if request.param == "csv" else {}))
    return at


def test_which_numbers_change_as_floats():
    for kind in (np.int64, np.uint64, object):
        assert not rounded(np.array([0, 2**53, 2**60 + 256], kind))
        assert rounded(np.array([0, 2**53 + 1], kind))
        assert rounded(np.array([2**63 - 1], kind))
    assert rounded(np.array([2**64 - 1], np.uint64))
    assert rounded(np.array([-(2**53) - 1]))
    assert not rounded(np.array([-(2**63)]))
    assert not rounded(np.array([1e300]))
    assert not rounded(np.array([2**31 - 1], np.int32))


@pytest.mark.parametrize(
    "data",
    [X, X.astype(object), X.astype(np.uint64), scipy.sparse.csr_array(X), FRAME, FRAME.astype({"id": "Int64"}),
     FRAME.astype({"id": object}), pl.from_pandas(FRAME)],
)  # fmt: skip
def test_columns_that_floats_make_constant_are_refused(data):
    """FCBF said of the class itself, in such numbers, that it tells nothing about the class."""
    column = "'id'" if hasattr(data, "columns") else "0"
    with pytest.raises(InputError, match=f"FCBF got the column {column} with whole numbers beyond 2\\^53"):
        fewer.FCBF().fit(data, Y)


def test_numbers_that_floats_hold_and_names_are_taken():
    assert fewer.FCBF().fit(np.column_stack([2**60 + 256 * Y, X[:, 1]]), Y).selection_.indices.tolist() == [0]
    assert fewer.FCBF(categorical_features=[0]).fit(X, Y).selection_.indices.tolist() == [0]
    assert fewer.FCBF(categorical_features=["id"]).fit(FRAME, Y).selection_.indices[0] == 0
    with pytest.raises(InputError, match="the column 0 "):
        fewer.FCBF(categorical_features=[1]).fit(X, Y)
    with pytest.raises(InputError, match="target of whole numbers"):
        fewer.Pearson().fit(FRAME[["v"]], LABELS)
    with pytest.raises(InputError, match="'x0' with"):
        fewer.FCBF().fit(ArrayTable(X, Y))


def test_labels_and_levels_of_files_stay_whole(path):
    """Three classes of an array were two of a file, and nominal levels were merged."""
    table = open_table(path, target="label", columns=["v", "w"])
    assert table.classes.tolist() == [2**53, 2**53 + 1, 2**53 + 3]
    np.testing.assert_array_equal(table.classes[table.read().y], LABELS)
    with pytest.raises(InputError, match=r"(target|column) 'label' .*beyond 2\^53"):
        fewer.Pearson().fit(table)
    levels = open_table(path, target="y", columns=["id", "v"], categorical_features=["id"])
    assert levels.labels[0].tolist() == [2**60, 2**60 + 3]
    numbers = levels.read().X[:, 0]
    assert np.isnan(numbers[7])
    np.testing.assert_array_equal(np.delete(numbers, 7), np.delete(Y, 7))
    assert fewer.InformationGain(1).fit(levels).selection_.kept_names == ["id"]


def test_numbers_of_files_are_refused(path, tmp_path):
    with pytest.raises(InputError, match="The column 'id' .*beyond"):
        _ = open_table(path, target="y", columns=["id", "v"]).missing
    with pytest.raises(InputError, match="The column 'label' .*beyond"):
        _ = open_table(path, target="label", columns=["v"], task="regression").task
    written = str(tmp_path / "written.csv")
    open_table(path, target="label", columns=["v"]).write(written)
    assert pd.read_csv(written)["label"].tolist() == LABELS.tolist()

"""Folders of parts, patterns, and columns that stand in the names of folders."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import feather, parquet

import fewer
from fewer.core.records.errors import FileError


def rows(seed, n=200):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    return {"x": rng.normal(size=n), "z": y + rng.normal(size=n), "y": y}


def hive(folder, names, table=None):
    for number, name in enumerate(names):
        inside = folder / name
        inside.mkdir(parents=True)
        parquet.write_table(pa.table(rows(number) if table is None else table), inside / "part.parquet")
    return folder


def test_names_of_folders_are_columns(tmp_path):
    names = ["year=2020/land=DE", "year=2020/land=F%20R", "year=2021/land=__HIVE_DEFAULT_PARTITION__"]
    table = fewer.open_table(hive(tmp_path / "hive", names), "y", batch_rows=150)
    assert table.names == ("x", "z", "year", "land")
    batch = table.read()
    np.testing.assert_array_equal(batch.X[:, 2], np.repeat([2020, 2020, 2021], 200))
    assert table.labels[3].tolist() == ["DE", "F R"]
    np.testing.assert_array_equal(batch.X[:, 3], np.repeat([0, 1, np.nan], 200))
    np.testing.assert_array_equal(batch.X[:, 0], np.concatenate([rows(k)["x"] for k in range(3)]))
    streamed, memory = fewer.MRMR(3).fit(table), fewer.MRMR(3).fit(table.load())
    np.testing.assert_array_equal(streamed.scores_, memory.scores_)


def test_such_a_column_may_be_the_target_or_all_that_is_read(tmp_path):
    folder = hive(tmp_path / "hive", ["late=0", "late=1"])
    assert fewer.open_table(folder, "late").classes.tolist() == [0, 1]
    assert fewer.open_table(folder, "y", columns=["late"]).read().X.ravel().tolist() == [0.0] * 200 + [1.0] * 200
    np.testing.assert_array_equal(
        fewer.open_table(folder, None, columns=["late"]).read().X.ravel(), np.repeat([0.0, 1.0], 200)
    )


def test_numbers_with_leading_zeros_are_names(tmp_path):
    table = fewer.open_table(hive(tmp_path / "hive", ["code=007", "code=12"]), "y")
    assert table.labels[2].tolist() == ["007", "12"]


@pytest.mark.parametrize("names", [["a=1", "b=1"], ["a=1/b=2", "a=2"], ["x=1", "x=2"]])
def test_folders_that_do_not_agree_are_refused(tmp_path, names):
    with pytest.raises(FileError, match="stands in folders that name"):
        fewer.open_table(hive(tmp_path / "hive", names), "y")


def test_folders_of_feather_and_arrow_and_patterns(tmp_path):
    for number in (10, 2):
        feather.write_feather(pa.table(rows(number)), str(tmp_path / f"part.{number}.feather"))
    (tmp_path / "_SUCCESS").write_text("")
    want = np.concatenate([rows(2)["x"], rows(10)["x"]])
    for path in (tmp_path, tmp_path / "part.*.feather", tmp_path / "part.[12]*.feather"):
        np.testing.assert_array_equal(fewer.open_table(path, "y").read().X[:, 0], want)
    with pytest.raises(FileError, match="No file is called like"):
        fewer.open_table(tmp_path / "*.parquet", "y")


def test_a_file_whose_name_holds_a_mark_of_patterns_is_that_file(tmp_path):
    parquet.write_table(pa.table(rows(0)), tmp_path / "part[1].parquet")
    assert fewer.open_table(tmp_path / "part[1].parquet", "y").n_rows == 200

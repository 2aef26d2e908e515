"""A reduced table holds the original values and types."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import scipy.sparse as sp
from pyarrow import feather

from fewer.core.reading.table import ArrayTable, open_table
from fewer.core.records.errors import FileError, InputError

OUTPUTS = ["o.csv", "o.tsv", "o.txt", "o.csv.gz", "o.parquet", "o.feather", "o.arrow", "o.ipc"]


def read_back(path) -> pa.Table:
    return pq.read_table(path) if path.suffix == ".parquet" else feather.read_table(str(path))


CSV = 'id,a,b,word,flag,w,y\n007,1.50,1,"x,""q""",true,0.5,p\n008,NA,2,,false,1,q\n009,-3e2,?,"z\nz",,2,p\n'


def test_text_to_text_keeps_every_cell_as_it_stands(tmp_path):
    (tmp_path / "t.csv").write_text(CSV)
    table = open_table(tmp_path / "t.csv", "y", weight="w")
    table.write(tmp_path / "o.csv", ["word", "a", "id"])
    assert (tmp_path / "o.csv").read_text() == (
        'word,a,id,y,w\n"x,""q""",1.50,007,p,0.5\n,NA,008,q,1\n"z\nz",-3e2,009,p,2\n'
    )


def test_text_to_parquet_has_the_types_found(tmp_path):
    (tmp_path / "t.csv").write_text(CSV)
    for name in ("o.parquet", "o.feather", "o.arrow"):
        open_table(tmp_path / "t.csv", "y", weight="w").write(tmp_path / name)
        data = read_back(tmp_path / name)
        assert data.to_pydict() == {
            "id": [7, 8, 9],
            "a": [1.5, None, -300.0],
            "b": [1, 2, None],
            "word": ['x,"q"', None, "z\nz"],
            "flag": [True, False, None],
            "y": ["p", "q", "p"],
            "w": [0.5, 1.0, 2.0],
        }
        assert data.schema.field("id").type == data.schema.field("b").type == pa.int64()


def typed_table(n: int = 100) -> pa.Table:
    rng = np.random.default_rng(0)
    words = pa.array(rng.choice(["mid", "low", "high"], n))
    grades = pa.DictionaryArray.from_arrays(
        pa.array([*rng.integers(0, 2, n - 2).tolist(), None, 2], pa.int8()), ["low", "mid", "high"], ordered=True
    )
    return pa.table(
        {
            "f32": pa.array(rng.normal(size=n), pa.float32()),
            "u8": pa.array([None, *rng.integers(0, 9, n - 1).tolist()], pa.uint8()),
            "word": words,
            "grade": grades,
            "flag": pa.array(rng.random(n) < 0.5),
            "y": words.dictionary_encode(),
        }
    )


@pytest.mark.parametrize("source", ["t.parquet", "t.feather"])
@pytest.mark.parametrize("output", ["o.parquet", "o.feather", "o.arrow", "o.ipc"])
def test_arrow_to_arrow_keeps_values_and_types(tmp_path, source, output):
    data = typed_table()
    if source == "t.parquet":
        pq.write_table(data, tmp_path / source, row_group_size=7)
    else:
        feather.write_feather(data, str(tmp_path / source), chunksize=7)
    open_table(tmp_path / source, "y").write(tmp_path / output, ["grade", "f32", 1, "flag", "word"])
    back = read_back(tmp_path / output)
    assert back.column_names == ["grade", "f32", "u8", "flag", "word", "y"]
    for name in back.column_names:
        assert back.column(name).to_pylist() == data.column(name).to_pylist()
        ours, theirs = back.schema.field(name).type, data.schema.field(name).type
        assert ours == theirs or (pa.types.is_dictionary(ours) and ours.value_type == theirs.value_type)
    assert back.schema.field("grade").type.ordered
    grades = back.column("grade").unify_dictionaries().chunk(0).dictionary.to_pylist()
    assert [g for g in ["low", "mid", "high"] if g in grades] == grades


@pytest.mark.parametrize("output", OUTPUTS)
def test_what_is_written_reads_back_as_the_same_table(tmp_path, output):
    pq.write_table(typed_table(), tmp_path / "t.parquet", row_group_size=9)
    table = open_table(tmp_path / "t.parquet", "y")
    table.write(tmp_path / output, ["grade", "flag", "u8", "word", "f32"])
    back = open_table(tmp_path / output, "y")
    order = [table.names.index(name) for name in back.names]
    np.testing.assert_array_equal(back.read().X, table.read().X[:, order])
    np.testing.assert_array_equal(back.read().y, table.read().y)
    assert back.classes.tolist() == table.classes.tolist()
    assert back.labels[0].tolist() == table.labels[order[0]].tolist()


def test_pandas_reads_what_is_written(tmp_path):
    pq.write_table(typed_table(), tmp_path / "t.parquet")
    table = open_table(tmp_path / "t.parquet", "y")
    table.write(tmp_path / "o.csv", ["word", "f32"])
    frame = pd.read_csv(tmp_path / "o.csv")
    assert frame.columns.tolist() == ["word", "f32", "y"]
    assert frame["word"].tolist() == typed_table().column("word").to_pylist()


@pytest.mark.parametrize("output", ["o.csv", "o.parquet"])
def test_arff_npz_svmlight_and_arrays_can_be_written(tmp_path, output):
    (tmp_path / "t.arff").write_text(
        "@relation r\n@attribute n numeric\n@attribute c {u, 'v w'}\n@attribute y {p,q}\n"
        "@data\n1,'v w',p\n?,?,q\n2.5,u,p\n"
    )
    np.savez(
        tmp_path / "t.npz", X=np.array([[1, 0], [2, 1]], np.int16), y=[1, 0], class_names=["no", "yes"],
        feature_names=["n", "c"], nominal=[False, True], meta='{"categories": {"c": ["u", "v w"]}}',
    )  # fmt: skip
    (tmp_path / "t.svm").write_text("1 1:2.5 3:1\n0 2:1\n")
    arrays = ArrayTable(sp.csr_matrix([[0, 1.5], [2, 0]]), ["b", "a"], [1.0, 2.0], names=["n", "c"])
    expected = {
        "t.arff": {"c": ["v w", None, "u"], "n": [1.0, None, 2.5], "y": ["p", "q", "p"]},
        "t.npz": {"c": ["u", "v w"], "n": [1, 2], "y": ["yes", "no"]},
        "t.svm": {"x2": [1.0, 0.0], "x0": [2.5, 0.0], "y": [1.0, 0.0]},
        "arrays": {"c": [1.5, 0.0], "n": [0.0, 2.0], "y": ["b", "a"], "weight": [1.0, 2.0]},
    }
    for name, columns in expected.items():
        target = "y" if name == "t.arff" else None
        table = arrays if name == "arrays" else open_table(tmp_path / name, target)
        table.write(tmp_path / output, list(columns)[:2])
        if output == "o.parquet":
            assert pq.read_table(tmp_path / output).to_pydict() == columns
        else:
            frame = pd.read_csv(tmp_path / output)
            assert {k: [None if v != v else v for v in frame[k].tolist()] for k in frame} == columns


def test_numbers_of_an_arff_file_stay_as_they_are_written_there(tmp_path):
    (tmp_path / "t.arff").write_text("@relation r\n@attribute n numeric\n@attribute m real\n@data\n1,2.50\n3,?\n")
    open_table(tmp_path / "t.arff").write(tmp_path / "o.csv")
    assert (tmp_path / "o.csv").read_text() == "n,m\n1,2.50\n3,\n"


def test_a_table_can_be_written_over_itself(tmp_path):
    for name in ("t.csv", "t.feather", "t.parquet"):
        (tmp_path / "s.csv").write_text("a,b,y\n1,2,p\n3,4,q\n")
        open_table(tmp_path / "s.csv", "y").write(tmp_path / name)
        open_table(tmp_path / name, "y").write(tmp_path / name, ["b"])
        assert open_table(tmp_path / name, "y").names == ("b",)


def test_nothing_is_left_behind_when_writing_fails(tmp_path):
    (tmp_path / "t.csv").write_text("a,b,y\n1,2,p\n3,4,q\n")
    table = open_table(tmp_path / "t.csv", "y")
    table.labels
    (tmp_path / "t.csv").write_text("a,b,y\n1,2,p\n3,4\n")
    # As if the change had come while the rows are read.
    table._source.at(table._source.paths)
    (tmp_path / "o.csv").write_text("old")
    with pytest.raises(FileError, match="cells in row 3"):
        table.write(tmp_path / "o.csv")
    assert (tmp_path / "o.csv").read_text() == "old"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["o.csv", "t.csv"]


def test_what_cannot_be_written_is_refused(tmp_path):
    table = ArrayTable([[1.0, 2.0]], names=["age", "size"])
    for name in ("o.xlsx", "o.npz", "o.csv.bz2", "o"):
        with pytest.raises(FileError, match=r"are written to \.csv"):
            table.write(tmp_path / name)
    with pytest.raises(InputError, match="names='aeg' is not a column .* Did you mean age"):
        table.write(tmp_path / "o.csv", ["aeg"])
    with pytest.raises(InputError, match="names=2 is not a column"):
        table.write(tmp_path / "o.csv", [2])
    with pytest.raises(InputError, match="name at least one feature"):
        table.write(tmp_path / "o.csv", [])
    with pytest.raises(FileError, match="could not be written"):
        table.write(tmp_path / "no such folder" / "o.csv")

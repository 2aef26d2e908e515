"""What cannot be read is refused in one sentence: where, what, what is allowed, what to do."""

from __future__ import annotations

import datetime
import gzip
import re
import subprocess
import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import feather

from fewer.core.reading.table import ArrayTable, open_table
from fewer.core.records.errors import FewerError, FileError, InputError, MissingExtraError, ParameterError


def refused(error, pattern, path, *args, **options):
    """Open and read; the error must be one sentence (and perhaps one question) that ends properly."""
    with pytest.raises(error, match=pattern) as caught:
        open_table(path, *args, **options).read()
    message = str(caught.value)
    assert isinstance(caught.value, FewerError)
    assert "\n" not in message
    assert message.endswith((".", "?"))
    assert ";" in message
    return message


def write(folder, text, name="t.csv"):
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


GOOD = "age,size,group\n1,2,a\n3,4,b\n"


def test_missing_file_and_folder(tmp_path):
    write(tmp_path, GOOD, "table.csv")
    assert "Did you mean table.csv?" in refused(FileError, "does not exist", tmp_path / "tabel.csv")
    refused(FileError, "does not exist", tmp_path / "nowhere" / "t.csv")
    refused(FileError, r"folder without \.parquet files", tmp_path)
    refused(FileError, "is a folder", [tmp_path / "table.csv", tmp_path])
    refused(ParameterError, "list of files is empty", [])


def test_unknown_extension(tmp_path):
    for name in ("t.xlsx", "t", "t.gz", "t.parquet.gz"):
        refused(FileError, r"tables are read from \.csv, \.tsv", write(tmp_path, GOOD, name))


@pytest.mark.parametrize("name", ["t.csv", "t.parquet", "t.feather", "t.arff", "t.svm", "t.npz", "t.txt"])
def test_empty_file(tmp_path, name):
    refused(FileError, "is empty", write(tmp_path, b"", name))


@pytest.mark.parametrize("text", ["\n\n", "\ufeff", " \n"])
def test_file_of_blank_lines(tmp_path, text):
    refused(InputError, "is empty", write(tmp_path, text))


@pytest.mark.parametrize("text", ["a,b\n", "a,b", "a,b\n\n\n"])
def test_header_only(tmp_path, text):
    refused(InputError, "no rows", write(tmp_path, text))


def test_no_rows_in_other_formats(tmp_path):
    data = pa.table({"a": pa.array([], pa.float64())})
    pq.write_table(data, tmp_path / "t.parquet")
    feather.write_feather(data, str(tmp_path / "t.feather"))
    write(tmp_path, "@relation r\n@attribute a numeric\n@data\n", "t.arff")
    write(tmp_path, "# nothing\n", "t.svm")
    np.savez(tmp_path / "t.npz", X=np.zeros((0, 2)))
    for name in ("t.parquet", "t.feather", "t.arff", "t.svm", "t.npz"):
        refused(InputError, "no rows", tmp_path / name)


def test_wrong_target_names_what_there_is(tmp_path):
    message = refused(InputError, "target='gruop' is not a column", write(tmp_path, GOOD), "gruop")
    assert "age, size, group" in message
    assert message.endswith("Did you mean group?")
    many = write(tmp_path, ",".join(f"column{j}" for j in range(50)) + "\n" + ",".join("1" * 50) + "\n")
    assert "column7, ...)" in refused(InputError, "which has 50", many, "zzz")


def test_other_wrong_names(tmp_path):
    path = write(tmp_path, GOOD)
    refused(InputError, "weight='x' is not", path, "group", weight="x")
    refused(InputError, "drop='x' is not", path, "group", drop=["x"])
    refused(InputError, "columns='x' is not", path, "group", columns=["x"])
    refused(InputError, "categorical_features='x' is not", path, "group", categorical_features=["x"])
    refused(ParameterError, "feature number 2", path, "group", categorical_features=[2])
    refused(ParameterError, "mask of 3 entries", path, "group", categorical_features=[True, False, True])
    refused(ParameterError, "must hold column names", path, "group", drop=[0])
    refused(ParameterError, "task='rank'", path, "group", task="rank")
    for rows in (0, -1):
        refused(ParameterError, "must be at least 1", path, "group", batch_rows=rows)
    with pytest.raises(ParameterError, match="must be at least 1"):
        open_table(path).batches(0)


def test_clashing_roles(tmp_path):
    path = write(tmp_path, GOOD)
    refused(ParameterError, "target 'group' .* also listed in drop", path, "group", drop=["group"])
    refused(ParameterError, "weight 'age' .* also listed in drop", path, "group", weight="age", drop=["age"])
    refused(ParameterError, "both target= and weight=", path, "age", weight="age")


def test_no_feature_left(tmp_path):
    refused(InputError, "no feature left", write(tmp_path, "y\na\nb\n"), "y")
    refused(InputError, "no feature left", write(tmp_path, GOOD), "group", drop=["age", "size"])


@pytest.mark.parametrize("name", ["t.csv", "t.parquet", "t.arff"])
def test_duplicate_names(tmp_path, name):
    path = tmp_path / name
    if name == "t.csv":
        write(tmp_path, "a,b,a,c,c\n1,2,3,4,5\n")
    elif name == "t.parquet":
        pq.write_table(pa.Table.from_arrays([pa.array([1])] * 5, names=["a", "b", "a", "c", "c"]), path)
    else:
        write(tmp_path, "".join(f"@attribute {c} numeric\n" for c in "abacc") + "@data\n1,2,3,4,5\n", name)
    assert "'b'" not in refused(InputError, "same name \\('a', 'c'\\)", path)


def test_ragged_rows_are_named(tmp_path):
    refused(FileError, r"3 cells in row 4 .* names 2 columns", write(tmp_path, "a,b\n1,2\n3,4\n5,6,7\n"))
    refused(FileError, r"1 cells in row 3 ", write(tmp_path, "a,b\n1,2\n3\n"))
    late = "a,b\n" + "1,2\n" * 1_000_000 + "1\n"
    refused(FileError, "row 1000002 ", write(tmp_path, late))
    refused(FileError, "4 cells in line 5", write(
        tmp_path, "@relation r\n@attribute a numeric\n@attribute b numeric\n@data\n1,2,3,4\n", "t.arff"
    ))  # fmt: skip


def test_a_quote_that_is_never_closed(tmp_path):
    refused(FileError, "quote", write(tmp_path, 'a,b\n1,2\n"x,3\n4,5\n'))


def test_damaged_files(tmp_path, rng):
    packed = gzip.compress(("a,b\n" + "".join(f"{x},1\n" for x in rng.random(5000))).encode())
    refused(FileError, "cut off or damaged", write(tmp_path, packed[: len(packed) // 2], "t.csv.gz"))
    refused(FileError, "cut off or damaged", write(tmp_path, GOOD, "u.csv.gz"))
    data = pa.table({"a": rng.random(5000)})
    pq.write_table(data, tmp_path / "t.parquet")
    feather.write_feather(data, str(tmp_path / "t.feather"))
    np.savez_compressed(tmp_path / "t.npz", X=rng.random((99, 3)))
    for name in ("t.parquet", "t.feather", "t.npz"):
        content = (tmp_path / name).read_bytes()
        refused(FileError, "could not be read as", write(tmp_path, content[: len(content) // 2], name))


@pytest.mark.parametrize("name", ["t.csv", "t.txt", "t.parquet", "t.feather", "t.arff", "t.svm", "t.npz"])
def test_binary_garbage(tmp_path, rng, name):
    refused(FileError, re.escape(name), write(tmp_path, rng.bytes(20_000), name))
    refused(FileError, re.escape(name), write(tmp_path, b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" * 9, name))


def test_text_of_another_encoding_than_was_named(tmp_path):
    for text in ("naïve,b\n1,2\n", "a,b\ncafé,2\n"):
        refused(FileError, "not UTF-8", write(tmp_path, text.encode("latin-1")), encoding="utf-8")
    late = ("a,b\n" + "x,1\n" * 50_000 + "café,2\n").encode("latin-1")
    refused(FileError, "in row 50002 that are not UTF-8", write(tmp_path, late), encoding="utf8")
    refused(FileError, "no text in its encoding", write(
        tmp_path, "@relation r\n@attribute é numeric\n@data\n1\n".encode("latin-1"), "t.arff"
    ), encoding="utf-8")  # fmt: skip
    refused(ParameterError, "encoding='klingon'", write(tmp_path, GOOD), encoding="klingon")


def test_too_many_levels(tmp_path):
    rows = "".join(f"name{i},{i % 2}\n" for i in range(65_536))
    message = refused(InputError, "'id' .* more than 65,535 levels", write(tmp_path, "id,y\n" + rows), "y")
    assert "drop=['id']" in message
    refused(InputError, "target 'id' .* more than 65,535", tmp_path / "t.csv", "id")
    fewer = "".join(f"name{i},{i % 2}\n" for i in range(65_535))
    assert len(open_table(write(tmp_path, "id,y\n" + fewer), "y").labels[0]) == 65_535
    numbers = "".join(f"{i},{i % 2}\n" for i in range(65_536))
    refused(
        InputError, "more than 65,535 levels", write(tmp_path, "id,y\n" + numbers), "y", categorical_features=["id"]
    )


@pytest.mark.parametrize("word", ["inf", "-Infinity", "1e999"])
def test_infinite_values(tmp_path, word):
    refused(InputError, "column 'size' .* infinite", write(tmp_path, f"age,size,y\n1,2,a\n3,{word},b\n"), "y")
    refused(InputError, "column 'y' .* infinite", write(tmp_path, f"age,y\n1,2.5\n3,{word}\n"), "y")


def test_infinite_values_in_other_formats(tmp_path):
    pq.write_table(pa.table({"a": [1.0, np.inf]}), tmp_path / "t.parquet")
    refused(InputError, "column 'a' .* infinite", tmp_path / "t.parquet")
    write(tmp_path, "1 1:1 3:inf\n0 2:2\n", "t.svm")
    refused(InputError, "column 'x2' .* infinite", tmp_path / "t.svm")
    np.savez(tmp_path / "t.npz", X=[[1.0, 2.0], [3.0, -np.inf]])
    refused(InputError, "column 'x1' .* infinite", tmp_path / "t.npz")
    with pytest.raises(InputError, match="column 'y' .* infinite"):
        ArrayTable([[1.0], [2.0]], [0.5, np.inf]).read()


def test_missing_targets_are_counted(tmp_path):
    path = write(tmp_path, "a,y,t,e\n1,0,p,\n2,NA,,\n3,,,\n4,1,q,\n")
    for target in "yt":
        table = open_table(path, target, drop=["e"])
        assert table.read().X[:, 0].tolist() == [1, 4]
        assert (table.n_rows, table.without_target, table.counted.tolist()) == (2, 2, [True, False, False, True])
        assert table.notes == (f"2 of 4 rows have no target {target!r} and are left out.",)
    refused(InputError, "target 'e' .* missing in all 4 rows", path, "e")


def test_targets_that_do_not_fit_the_task(tmp_path):
    path = write(tmp_path, "a,text,real\n1,p,0.5\n2,q,1.5\n")
    refused(InputError, "holds text, but regression", path, "text", task="regression")
    refused(InputError, "not whole", path, "real", task="classification")
    many = write(tmp_path, "a,y\n" + "".join(f"1,{i}\n" for i in range(65_536)))
    refused(InputError, "more than 65,535 different values", many, "y", task="classification")
    assert open_table(many, "y").task == "regression"


def test_weights_must_be_numbers_of_at_least_zero(tmp_path):
    path = write(tmp_path, "a,text,gap,below,y\n1,p,0.5,-1,u\n2,q,,1,v\n")
    refused(InputError, "'text' .* holds text", path, "y", weight="text", drop=["gap", "below"])
    refused(InputError, "'gap' .* holds missing values", path, "y", weight="gap")
    refused(InputError, "'below' .* holds negative values", path, "y", weight="below")
    path = write(tmp_path, "a,w,y\n1,0,u\n2,0,v\n")
    refused(InputError, "'w' .* is 0 in all 2 rows, .* at least one must count", path, "y", weight="w")
    with pytest.raises(InputError, match="is 0 in all 3 rows"):
        ArrayTable(np.ones((3, 1)), [0, 1, 0], np.zeros(3)).read()


def test_dates_and_other_types(tmp_path):
    today = datetime.date(2024, 2, 29)
    data = pa.table({"a": [1], "day": [today], "when": [datetime.datetime(2024, 2, 29, 1)], "list": [[1, 2]]})
    pq.write_table(data, tmp_path / "t.parquet")
    for name in ("day", "when"):
        others = [c for c in ("day", "when", "list") if c != name]
        assert f"drop=['{name}']" in refused(
            InputError, f"'{name}' .* holds dates", tmp_path / "t.parquet", drop=others
        )
    refused(InputError, r"'list' .* holds values of the type list", tmp_path / "t.parquet", drop=["day", "when"])
    assert open_table(tmp_path / "t.parquet", drop=["day", "when", "list"]).read().X.tolist() == [[1]]
    for days in (["2024-01-01", "", "2024-12-31"], ["2024-01-01T10:00:00Z"], ["2024-01-01 10:00:00.5"]):
        refused(InputError, "'day' .* holds dates", write(tmp_path, "a,day\n" + "".join(f"1,{d}\n" for d in days)))
    write(tmp_path, "@relation r\n@attribute a numeric\n@attribute d date 'yyyy'\n@data\n1,2020\n", "t.arff")
    refused(InputError, "'d' .* holds dates", tmp_path / "t.arff")


def test_many_dates_are_refused_as_dates(tmp_path):
    start = datetime.date(1800, 1, 1)
    days = "".join(f"{start + datetime.timedelta(i)},1\n" for i in range(66_000))
    refused(InputError, "'day' .* holds dates", write(tmp_path, "day,a\n" + days))


def test_parts_that_do_not_belong_together(tmp_path):
    refused(FileError, "same columns", [write(tmp_path, GOOD), write(tmp_path, "a,b\n1,2\n", "u.csv")])
    refused(FileError, "ARFF and delimited", [write(tmp_path, GOOD), write(tmp_path, GOOD, "u.arff")])
    refused(FileError, "several files", [write(tmp_path, "1 1:1\n", "u.svm")] * 2)
    pq.write_table(pa.table({"a": [1]}), tmp_path / "0.parquet")
    pq.write_table(pa.table({"a": ["x"]}), tmp_path / "1.parquet")
    refused(FileError, "another type", tmp_path)


def arff(folder, header, data):
    return write(folder, f"@relation r\n{header}\n@data\n{data}\n", "t.arff")


def test_arff_errors(tmp_path):
    refused(FileError, "'z' for 'c' in line 5.* x, y", arff(tmp_path, "@attribute c {x,y}", "x\nz"))
    refused(FileError, "'two' for 'c' in line 4.* numeric", arff(tmp_path, "@attribute c numeric", "two"))
    refused(FileError, "attribute in line 2", arff(tmp_path, "@attribute c quaternion", "1"))
    refused(FileError, "attribute in line 2", arff(tmp_path, "@attribute c", "1"))
    refused(FileError, "line 2 that is not ARFF", arff(tmp_path, "hello", "1"))
    refused(FileError, "no @attribute", arff(tmp_path, "", "1"))
    refused(FileError, "no @data", write(tmp_path, "@relation r\n@attribute c numeric\n", "t.arff"))
    refused(FileError, "sparse row in line 4", arff(tmp_path, "@attribute c numeric", "{5 1}"))
    refused(FileError, "sparse row in line 4", arff(tmp_path, "@attribute c numeric", "{a b}"))
    refused(FileError, "quotes", arff(tmp_path, "@attribute c string", "'a' b"))


def test_svmlight_errors(tmp_path):
    for text in ("hello world\n", "1 a:b\n", "1 3:1 2:1\n", "1,2 1:1\n"):
        refused(FileError, "could not be read as svmlight", write(tmp_path, text, "t.svm"))
    refused(InputError, "no values", write(tmp_path, "1\n0\n", "t.svm"))
    refused(InputError, "negative", write(tmp_path, "1 1:-1\n0 1:1\n", "t.svm"), categorical_features=["x0"])


def test_npz_errors(tmp_path):
    path = tmp_path / "t.npz"
    X = np.ones((3, 2))
    np.savez(path, Z=X)
    refused(FileError, "holds the arrays Z, but an array X", path)
    np.savez(path, X=np.ones(3))
    refused(FileError, r"shape \(3,\)", path)
    np.savez(path, X=np.array([["a"]]))
    refused(FileError, "of numbers are needed", path)
    np.savez(path, X=np.array([[None]]))
    refused(FileError, "without objects", path)
    np.savez(path, X=X, feature_names=["a"])
    refused(FileError, "1 feature_names for the 2 columns", path)
    np.savez(path, X=X, feature_names=["a", "a"])
    refused(InputError, "same name", path)
    np.savez(path, X=X, y=[1, 2])
    refused(FileError, r"y of shape \(2,\) for 3 rows", path)
    np.savez(path, X=X, y=[0, 1, 2], class_names=["a", "b"])
    refused(InputError, "level numbers 0 to 1", path)


def test_array_errors():
    for arguments, pattern in [
        (([1.0, 2.0],), "rows x features"),
        (([["a"]],), "rows x features"),
        (([[1.0]], [1, 2]), "y has 2 entries"),
        (([[1.0]], None, [1, 2]), "weight has 2 entries"),
        (([[1.0]], None, None, ["a", "b"]), "names has 2 entries"),
    ]:
        with pytest.raises(InputError, match=pattern):
            ArrayTable(*arguments)
    with pytest.raises(InputError, match="no rows"):
        ArrayTable(np.zeros((0, 2))).read()


def test_a_file_that_changes_between_passes(tmp_path):
    for text in ("age,size,group\n1,2,a\n3,4,c\n", "age,size,group\n1,x,a\n3,4,b\n", "age,size,group\n1,2,a\n3,4,\n"):
        table = open_table(write(tmp_path, GOOD), "group")
        table.labels
        write(tmp_path, text)
        with pytest.raises(FileError, match="open it again"):
            table.read()


@pytest.mark.parametrize("name", ["t.csv", "t.parquet", "t.feather", "t.txt"])
def test_without_pyarrow_the_extra_is_named(tmp_path, monkeypatch, name):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    refused(MissingExtraError, r"pip install 'fewer\[io\]'", write(tmp_path, GOOD, name))
    with pytest.raises(MissingExtraError, match=r"fewer\[io\]"):
        ArrayTable([[1.0]]).write(tmp_path / "o.parquet")


def test_other_formats_do_not_need_pyarrow(tmp_path):
    write(tmp_path, "@relation r\n@attribute a numeric\n@attribute y {p,q}\n@data\n1,p\n2,q\n", "t.arff")
    write(tmp_path, "1 1:2\n0 1:1\n", "t.svm")
    np.savez(tmp_path / "t.npz", X=[[1.0], [2.0]], y=[0, 1])
    code = (
        "import sys; sys.modules['pyarrow'] = None\n"
        "from fewer.core.reading.table import open_table\n"
        f"folder = {str(tmp_path)!r}\n"
        "for name, target in (('t.arff', 'y'), ('t.svm', None), ('t.npz', None)):\n"
        "    table = open_table(folder + '/' + name, target)\n"
        "    table.read(); table.write(folder + '/o.csv')\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)

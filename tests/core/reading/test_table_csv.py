"""Types of delimited text: found while reading, never misread for the first rows."""

from __future__ import annotations

import codecs

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fewer.core.reading.table import open_table


@pytest.fixture
def small_blocks(monkeypatch):
    """Cut files into blocks of a few rows, so that late rows are in late blocks."""
    monkeypatch.setattr("fewer.core.reading.io.delimited._BLOCK_BYTES", (64, 64))


def column(folder, cells, **options):
    (folder / "c.csv").write_text("c,other\n" + "".join(f"{cell},1\n" for cell in cells), encoding="utf-8")
    table = open_table(folder / "c.csv", **options)
    return table, table.read().X[:, 0]


@pytest.mark.parametrize(
    ("late", "nominal", "last"),
    [("3", False, 3.0), ("3.5", False, 3.5), ("1e-3", False, 1e-3), ("?", False, np.nan), ("", False, np.nan),
     (" 7 ", False, 7.0), ("+4", False, 4.0), ("text", True, 2.0), ("true", True, 2.0), ("NA!", True, 2.0)],
)  # fmt: skip
def test_a_late_cell_widens_the_type(tmp_path, small_blocks, late, nominal, last):
    table, values = column(tmp_path, ["1", "2"] * 100 + [late])
    assert table.nominal[0] == nominal
    expected = [0, 1] * 100 if nominal else [1, 2] * 100
    np.testing.assert_array_equal(values, [*expected, last])
    if nominal:
        assert table.labels[0].tolist() == ["1", "2", late]


def test_text_after_many_empty_cells(tmp_path, small_blocks):
    table, values = column(tmp_path, [""] * 50 + ["NA"] + [""] * 50 + ["x"])
    assert table.labels[0].tolist() == ["NA", "x"]
    np.testing.assert_array_equal(values, [np.nan] * 50 + [0] + [np.nan] * 50 + [1])
    assert table.missing == 100


def test_a_target_that_turns_to_text_late(tmp_path, small_blocks):
    (tmp_path / "t.csv").write_text("x,y\n" + "1,0\n" * 100 + "2,no\n")
    table = open_table(tmp_path / "t.csv", "y")
    assert table.classes.tolist() == ["0", "no"]
    assert table.read().y.tolist() == [0] * 100 + [1]


def test_rows_of_weight_zero_stay_out_when_a_column_is_read_once_more(tmp_path, small_blocks):
    rows = [f"{i % 2},1,p\n" for i in range(100)] + ["5,0,r\n", "6,0,r\n"] * 20 + ["text,2,q\n"]
    (tmp_path / "t.csv").write_text("c,w,y\n" + "".join(rows))
    table = open_table(tmp_path / "t.csv", "y", weight="w", batch_rows=7)
    assert (table.n_rows, table.left_out) == (101, 40)
    assert table.labels[0].tolist() == ["0", "1", "text"]
    assert table.classes.tolist() == ["p", "q"]
    batch = table.read()
    np.testing.assert_array_equal(batch.X[:, 0], [0, 1] * 50 + [2])
    assert batch.weight.tolist() == [1] * 100 + [2]


def test_infinite_words_in_a_column_that_turns_out_to_be_text(tmp_path, small_blocks):
    table, _ = column(tmp_path, ["inf"] * 50 + ["sup"])
    assert table.labels[0].tolist() == ["inf", "sup"]


@given(
    st.lists(
        st.sampled_from(["1", "-2", "3.5", "true", "FALSE", "0", "", "NA", "word", "2020-01-01", "?", " 8"]),
        min_size=1,
        max_size=30,
    )
)
def test_the_type_does_not_depend_on_where_blocks_end(tmp_path_factory, cells):
    folder = tmp_path_factory.mktemp("blocks")
    results = []
    for blocks in ((16, 16), (4 * 2**20, 64 * 2**20)):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("fewer.core.reading.io.delimited._BLOCK_BYTES", blocks)
            try:
                table, values = column(folder, cells)
                labels = table.labels[0].tolist() if table.nominal[0] else None
                results.append((labels, np.nan_to_num(values, nan=-99.0).tolist(), table.missing))
            except ValueError as error:
                results.append(str(error))
    assert results[0] == results[1]
    present = [cell for cell in cells if cell.strip() not in ("", "NA", "?")]
    if all(cell.strip() in ("1", "-2", "3.5", "0", "8") for cell in present):
        wanted = [float(cell) if cell in present else -99.0 for cell in cells]
        assert results[0][:2] == (None, wanted)


def test_missing_words_are_missing_in_numbers_and_words_in_text(tmp_path):
    words = ["", "NA", "NaN", "nan", "null", "?", "N/A"]
    table, values = column(tmp_path, [*words, "1.5"])
    assert np.isnan(values[:-1]).all()
    assert values[-1] == 1.5
    assert table.missing == len(words)
    table, values = column(tmp_path, [*words, "word"])
    assert table.labels[0].tolist() == sorted([*words[1:], "word"])
    assert np.isnan(values[0])
    assert table.missing == 1


def test_booleans_are_numbers_as_features_and_classes_as_target(tmp_path):
    (tmp_path / "t.csv").write_text("flag,y\nTrue,false\nfalse,true\n,false\n")
    table = open_table(tmp_path / "t.csv", "y")
    np.testing.assert_array_equal(table.read().X, [[1], [0], [np.nan]])
    assert not table.nominal.any()
    assert table.classes.tolist() == [False, True]
    assert table.read().y.tolist() == [0, 1, 0]


@pytest.mark.parametrize(
    ("cells", "options", "task", "classes"),
    [
        (["a", "b"] * 30, {}, "classification", ["a", "b"]),
        (["1", "0"] * 30, {}, "classification", [0, 1]),
        (["1.0", "2.0"] * 30, {}, "classification", [1, 2]),
        (["1.5", "2.0"] * 30, {}, "regression", None),
        ([str(i) for i in range(20)], {}, "classification", list(range(20))),
        ([str(i) for i in range(21)], {}, "regression", None),
        ([str(i) for i in range(21)], {"task": "classification"}, "classification", list(range(21))),
        (["1", "0"] * 30, {"task": "regression"}, "regression", None),
        (["true", "false"], {"task": "regression"}, "regression", None),
    ],
)
def test_the_task_follows_from_the_target(tmp_path, cells, options, task, classes):
    (tmp_path / "t.csv").write_text("x,y\n" + "".join(f"{i},{cell}\n" for i, cell in enumerate(cells)))
    table = open_table(tmp_path / "t.csv", "y", **options)
    assert table.task == task
    y = table.read().y
    numbers = [c if c in ("a", "b") else {"true": 1.0, "false": 0.0}.get(c) if c in ("true", "false") else float(c)
               for c in cells]  # fmt: skip
    if classes is None:
        assert table.classes is None
        assert y.dtype == np.float64
        assert y.tolist() == numbers
    else:
        assert table.classes.tolist() == classes
        assert y.dtype == np.int64
        assert table.classes[y].tolist() == numbers


def test_quotes_newlines_separators_and_blank_lines(tmp_path):
    text = '\n\n"na\nme","b,c",y\r\n"x,""1""",2,p\r\n\r\n"two\nlines",,q\r\n'
    (tmp_path / "t.csv").write_bytes(codecs.BOM_UTF8 + text.encode())
    table = open_table(tmp_path / "t.csv", "y")
    assert table.names == ("na\nme", "b,c")
    assert table.labels[0].tolist() == ["two\nlines", 'x,"1"']
    np.testing.assert_array_equal(table.read().X, [[1, 2], [0, np.nan]])


@pytest.mark.parametrize(("name", "separator"), [("t.csv", ";"), ("t.csv", "\t"), ("t.txt", ","), ("t.txt", "|"),
                                                 ("t.txt", "\t"), ("t.txt", " "), ("t.tsv", "\t")])  # fmt: skip
def test_the_separator_is_found(tmp_path, name, separator):
    rows = [["a", '"b,;"', "y"], ["1", "2", "p"], ["3", "4", "q"]]
    (tmp_path / name).write_text("\n".join(separator.join(row) for row in rows))
    table = open_table(tmp_path / name, "y")
    assert table.names == ("a", "b,;")
    np.testing.assert_array_equal(table.read().X, [[1, 2], [3, 4]])


def test_names_without_spaces_around_and_names_for_the_nameless(tmp_path):
    (tmp_path / "t.csv").write_text(",  a , y\n0,1,2\n1,5,3\n")
    table = open_table(tmp_path / "t.csv", "y")
    assert table.names == ("unnamed_0", "a")


def test_columns_drop_and_weight(tmp_path):
    (tmp_path / "t.csv").write_text("id,a,b,w,y\nr1,1,2,0.5,p\nr2,3,4,1,q\n")
    table = open_table(tmp_path / "t.csv", "y", weight="w", drop=["id"])
    assert table.names == ("a", "b")
    assert table.weight == "w"
    assert table.read().weight.tolist() == [0.5, 1.0]
    table = open_table(tmp_path / "t.csv", "y", columns=["b", "a"], drop="id")
    assert table.names == ("b", "a")
    assert table.read().X.tolist() == [[2, 1], [4, 3]]


def test_wide_rows(tmp_path, rng):
    X = rng.normal(size=(3, 5000)).round(3)
    header = ",".join(f"gene{j}" for j in range(5000))
    (tmp_path / "t.csv").write_text("\n".join([header, *(",".join(map(repr, row)) for row in X.tolist())]))
    np.testing.assert_array_equal(open_table(tmp_path / "t.csv").read().X, X)

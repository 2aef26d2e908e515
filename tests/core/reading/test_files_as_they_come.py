"""Files as people have them: other encodings and separators, numbers written as text, features in rows, two tables."""

from __future__ import annotations

import os

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.csv
import pyarrow.feather
import pyarrow.parquet as pq
import pytest

import fewer
from fewer.core.reading.number_texts import NumberTexts
from fewer.core.reading.table import open_table
from fewer.core.records.errors import FewerError, FileError, InputError, ParameterError

NAN = np.nan


def write(folder, text, name="t.csv", encoding="utf-8"):
    path = folder / name
    path.write_bytes(text.encode(encoding))
    return path


@pytest.mark.parametrize("extension", ["csv", "parquet", "feather"])
def test_a_name_that_is_no_text_is_not_taken_for_the_content(tmp_path, extension):
    table = pa.table({"a": [1.0, 2.0], "t": ["x", "y"]})
    path = tmp_path / f"caf\udce9.{extension}"
    with pa.OSFile(str(tmp_path / "plain"), "wb") as plain:
        {"csv": pa.csv.write_csv, "parquet": pq.write_table, "feather": pa.feather.write_feather}[extension](
            table, plain
        )
    try:
        (tmp_path / "plain").rename(path)
    except OSError:
        pytest.skip("this disk takes no such name")
    with pytest.raises(FileError, match="has a name with bytes that are not UTF-8 text.*rename it"):
        open_table(path, target="t")


@pytest.mark.parametrize(
    ("texts", "decimal", "numbers"),
    [
        (["1,234", "12"], None, [1234, 12]),
        (["1,234", "12"], ",", [1.234, 12]),
        (["1,234", "1,5"], None, [1.234, 1.5]),
        (["0,123", "1,234"], None, [0.123, 1.234]),
        (["1,234", "1.5"], None, [1234, 1.5]),
        (["1,234,567.5", "NA"], None, [1234567.5, NAN]),
        (["1.234,5", "1.234"], None, [1234.5, 1234]),
        (["1.234", "7"], ",", [1234, 7]),
        (["1 234", "1\u00a0234,5"], None, [1234, 1234.5]),
        (["1'234.50", "1'234'567"], None, [1234.5, 1234567]),
        (["$1,234.50", "($5)", "-$3", "7"], None, [1234.5, -5, -3, 7]),
        (["12,50 €", "€3"], None, [12.5, 3]),
        (["EUR 12.50", "CHF 3"], None, None),
        (["45%", "3.5 %", "0.5"], None, [0.45, 0.035, 0.5]),
        (["1,5E-03", "−3,5"], None, [0.0015, -3.5]),
        (["1.5", "2"], None, None),
        (["1,5", "1.5"], None, None),
        (["1,234", "many"], None, None),
        (["079 123 456", "555-1234"], None, None),
        (["192.168.1.1", "1,2,3"], None, None),
        (["(5", "5)"], None, None),
    ],
)
def test_numbers_written_for_people(texts, decimal, numbers):
    found = NumberTexts("c", decimal).read(texts, range(len(texts)))
    assert (found is None) == (numbers is None)
    if numbers is not None:
        np.testing.assert_allclose(found[:-1], numbers)


MESSY = [("$1,000.50", "45%", "1,200", "7"), ("($20)", "NA", "900", "8"), ("$3", "3%", "1,100", "")] * 4


def frame_of_texts():
    return pd.DataFrame(MESSY, columns=["price", "rate", "km", "n"]).assign(y=["a", "b", None] * 4)


@pytest.mark.parametrize("name", ["t.csv", "t.parquet"])
def test_texts_of_numbers_are_the_same_in_memory_streamed_and_as_a_frame(tmp_path, monkeypatch, name):
    frame, path = frame_of_texts(), tmp_path / name
    frame.to_csv(path, index=False) if name == "t.csv" else frame.drop(columns="n").to_parquet(path)
    # One row a chunk, so that what the texts are is learned on the way.
    monkeypatch.setattr("fewer.core.reading.io.source.BATCH_BYTES", 1)
    table = open_table(path, "y", drop=["n"] if name == "t.csv" else [])
    held, streamed = table.load().read().X, np.concatenate([batch.X for batch in table.batches(2)])
    np.testing.assert_array_equal(held, streamed)
    np.testing.assert_allclose(held[:2], [[1000.5, 0.45, 1200], [-20, NAN, 900]])
    assert not table.nominal.any()
    words = table.notes[0]
    for part in ("'price' (currency $", "'rate' (percent as fractions", "'1,200' is 1200; decimal=','"):
        assert part in words
    selection = fewer.rank(frame.drop(columns="n"), "y", "InformationGain")
    from_file = fewer.rank(table.load(), None, "InformationGain")
    np.testing.assert_array_equal(selection.scores, from_file.scores)
    for meta in (selection.meta["data"], from_file.meta["data"]):
        assert meta["notes"] == list(table.notes)
        assert meta["n_without_target"] == 4


def test_what_was_read_of_texts_may_change_on_the_way(tmp_path, monkeypatch):
    """1,234 is a thousand until 1,5 comes; a word makes all of them text."""
    monkeypatch.setattr("fewer.core.reading.io.source.BATCH_BYTES", 1)
    tables = {}
    for name, last in (("comma", "1,5"), ("word", "many")):
        pq.write_table(pa.table({"a": ["12", "1,234", "1,234", last], "b": [1, 2, 3, 4]}), tmp_path / f"{name}.parquet")
        tables[name] = open_table(tmp_path / f"{name}.parquet")
    assert tables["comma"].read().X[:, 0].tolist() == [12, 1.234, 1.234, 1.5]
    assert (tables["word"].nominal.tolist(), tables["word"].notes) == ([True, False], ())
    assert open_table(tmp_path / "comma.parquet", categorical_features=["a"]).labels[0].tolist() == [
        "1,234", "1,5", "12",
    ]  # fmt: skip


def test_a_target_of_texts_that_are_numbers(tmp_path):
    rows = "".join(f'{i},"{i % 5 + 1},500"\n' for i in range(30))
    path = write(tmp_path, "a,y\n" + rows)
    assert open_table(path, "y").classes.tolist() == [1500, 2500, 3500, 4500, 5500]
    assert open_table(path, "y", task="classification").classes.tolist()[0] == "1,500"
    assert open_table(path, "y", task="regression").read().y[:2].tolist() == [1500, 2500]


@pytest.mark.parametrize(
    ("encoding", "note"),
    [
        ("utf-8-sig", None),
        ("utf-16", "UTF-16"),
        ("utf-16-le", "UTF-16-LE"),
        ("latin-1", "not UTF-8"),
    ],
)
def test_encodings_are_found(tmp_path, encoding, note):
    path = write(tmp_path, "größe;y\n1,5;ä\n2,5;b\n", encoding=encoding)
    for given in (None, encoding):
        table = open_table(path, "y", encoding=given)
        assert (table.names, table.classes.tolist()) == (("größe",), ["b", "ä"])
        assert table.read().X.ravel().tolist() == [1.5, 2.5]
        told = [words for words in table.notes if "decimal comma" not in words]
        assert len(told) == (given is None and note is not None)
        assert all(note in words for words in told)
    late = write(tmp_path, "a,b\n" + "x,1\n" * 50_000 + "café,2\n", encoding="latin-1")
    assert "café" in open_table(late).labels[0]


def test_separators_and_marks_that_are_named(tmp_path):
    path = write(tmp_path, "a, x|b|y\n1,234|2|u\n2,345|3|v\n")
    assert open_table(path, "y", sep="|").read().X[0].tolist() == [1234, 2]
    assert open_table(path, "y", sep="|", decimal=",").read().X[0].tolist() == [1.234, 2]
    for options in ({"sep": "||"}, {"decimal": ";"}, {"sep": ",", "decimal": ","}, {"on": "a"}):
        with pytest.raises(ParameterError, match=";"):
            open_table(path, "y", **options)
    np.savez(tmp_path / "t.npz", X=np.ones((2, 2)))
    with pytest.raises(ParameterError, match="only files of text have it"):
        open_table(tmp_path / "t.npz", encoding="utf-8")


def test_several_names_to_drop_with_commas(tmp_path):
    path = write(tmp_path, 'a,b,"c,d",e\n1,2,3,4\n')
    assert open_table(path, drop=["a,b"]).names == ("c,d", "e")
    assert open_table(path, drop=["c,d"]).names == ("a", "b", "e")
    assert open_table(path, drop=['"c,d", a']).names == ("b", "e")
    assert open_table(path, categorical_features=["a, b"]).nominal.tolist() == [True, True, False, False]


def test_a_first_column_without_a_name(tmp_path):
    for text in (",a,b\nr1,1,2\nr2,3,4\n", "a,b\nr1,1,2\nr2,3,4\n"):
        table = open_table(write(tmp_path, text))
        assert table.names == ("unnamed_0", "a", "b")
        assert table.notes == ("The first column has no name and is called 'unnamed_0'.",)
        assert table.read().X[:, 1:].tolist() == [[1, 2], [3, 4]]
    with pytest.raises(FileError, match="3 cells"):
        open_table(write(tmp_path, "a,b\n1,2,\n3,4,\n")).read()


def genes(folder, n=12):
    rng = np.random.default_rng(0)
    y, samples = np.tile(["ill", "well"], n // 2), [f"S{j}" for j in range(n)]
    values = rng.normal(size=(30, n)).round(3)
    values[4] += 3 * (y == "ill")
    frame = pd.DataFrame(values, index=[f"G{i}" for i in range(30)], columns=samples)
    frame.to_csv(folder / "genes.csv")
    known = pd.DataFrame({"id": samples, "class": y, "age": rng.integers(20, 80, n)})[::-1]
    known.to_csv(folder / "pheno.csv", index=False)
    return frame, y


def test_features_in_rows_joined_with_what_is_known_of_the_samples(tmp_path):
    frame, y = genes(tmp_path)
    table = open_table(tmp_path / "genes.csv", "class", transpose=True, join=tmp_path / "pheno.csv", on="id")
    assert table.names == (*frame.index, "age")
    np.testing.assert_array_equal(table.read().X[:, :-1], frame.to_numpy().T)
    assert table.classes[table.read().y].tolist() == y.tolist()
    assert "30 features, 12 samples" in table.notes[0]
    assert fewer.select(table, None, "FTest", n_features_to_select=1).kept_names == ["G4"]
    table.write(tmp_path / "out.csv", ["G4"])
    written = pd.read_csv(tmp_path / "out.csv")
    assert written["class"].tolist() == y.tolist()
    assert written["G4"].tolist() == frame.loc["G4"].tolist()


def test_a_row_of_text_in_a_transposed_table(tmp_path):
    path = write(tmp_path, "gene,S1,S2,S3\nG1,1,NA,3\nG1,4,5,6\nclass,a,b,a\n")
    table = open_table(path, "class", transpose=True)
    assert table.names == ("G1", "G1 (2)")
    np.testing.assert_array_equal(table.read().X, [[1, 4], [NAN, 5], [3, 6]])
    assert table.classes.tolist() == ["a", "b"]


def test_tables_with_features_in_rows_are_recognised(tmp_path):
    genes(tmp_path)
    path, known = tmp_path / "genes.csv", tmp_path / "pheno.csv"
    for options in ({"join": known, "on": "id"}, {"join": known, "on": "unnamed_0=id"}, {"join": known}):
        with pytest.raises(FewerError, match=r"columns .*samples.*; add transpose=True\.$"):
            open_table(path, "class", **options).read()
    with pytest.raises(InputError, match="rows are the features; add transpose=True"):
        open_table(path, "G4")


def test_join_by_rows_streams_and_counts_what_does_not_fit(tmp_path, monkeypatch):
    visits = write(tmp_path, "who,a\n" + "".join(f"{i % 4},{i}\n" for i in range(12)), "visits.csv")
    known = write(tmp_path, "id,y\n3,p\n2,q\n1,p\n0,q\n", "known.csv")
    table = open_table(visits, "y", join=known, on="who=id")
    assert table.names == ("a",)
    assert table.classes[table.read().y].tolist() == ["q", "p", "q", "p"] * 3
    assert sum(batch.n_rows for batch in table.batches(5)) == 12
    for text, words in (
        ("id,y\n3,p\n2,q\n", r"6 of 12 rows .* \('who' is '0', '1'\)"),
        ("id,y\n3,p\n3,q\n1,p\n0,q\n2,q\n2,q\n", "2 values of 'id' in more than one row"),
        ("id,a,y\n0,1,p\n", "both have the column 'a'"),
    ):
        with pytest.raises(InputError, match=words):
            open_table(visits, "y", join=write(tmp_path, text, "other.csv"), on="who=id").read()
    with pytest.raises(ParameterError, match="no column name in common"):
        open_table(visits, "y", join=known)


def test_a_file_written_again_with_as_many_rows_is_noticed(tmp_path):
    path = write(tmp_path, "a,y\n1,p\n2,q\n3,p\n")
    table = open_table(path, "y", batch_rows=2)
    assert table.missing == 0
    write(tmp_path, "a,y\n3,p\n2,q\n1,p\n")
    os.utime(path, ns=(1, 1))
    with pytest.raises(FileError, match="must not change"):
        list(table.batches())
    with pytest.raises(FileError, match="must not change"):
        table.write(tmp_path / "out.csv")


def measured(n=60):
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, n)
    X = pd.DataFrame(rng.normal(size=(n, 3)), columns=list("abc"))
    X["b"] += 2 * y
    return X.assign(t=pd.Categorical(np.where(y == 1, "u", "v"))), pd.Series(y, name="y")


@pytest.mark.parametrize("kind", ["lazy", "arrow", "batch"])
def test_lazy_frames_and_arrow_tables_are_data_frames(kind):
    import polars as pl

    X, y = measured()
    arrow = pa.Table.from_pandas(X, preserve_index=False)
    given = {"lazy": pl.from_arrow(arrow).lazy(), "arrow": arrow, "batch": arrow.to_batches()[0]}[kind]
    expected = fewer.InformationGain().fit(X, y)
    fitted = fewer.InformationGain().fit(given, y)
    np.testing.assert_array_equal(fitted.scores_, expected.scores_)
    assert fitted.feature_names_in_.tolist() == list(X.columns)
    both = {"lazy": lambda t: pl.from_arrow(t).lazy(), "arrow": lambda t: t, "batch": lambda t: t.to_batches()[0]}[kind]
    whole = both(pa.Table.from_pandas(X.assign(y=y), preserve_index=False))
    assert fewer.rank(whole, "y", "InformationGain").table()["feature"][0] == "t"
    found = fewer.compare(whole, "y", ["InformationGain"], ["naive Bayes"], [1], cv=2, naive=False)
    assert found.names == tuple(X.columns)


@pytest.mark.parametrize("sparse", [False, True])
def test_names_for_arrays(sparse):
    import scipy.sparse

    X, y = measured()
    array = X[list("abc")].to_numpy()
    array = scipy.sparse.csr_array(array) if sparse else array
    assert fewer.select(array, y, "Pearson", n_features_to_select=1, names=["p", "q", "r"]).kept_names == ["q"]
    assert fewer.compare(array, y, ["Pearson"], ["naive Bayes"], [1], cv=2, naive=False, names="pqr").names == (
        "p", "q", "r",
    )  # fmt: skip
    for names in ("pq", "ppq"):
        with pytest.raises(ParameterError, match="X has 3 columns"):
            fewer.select(array, y, "Pearson", names=names)
    with pytest.raises(ParameterError, match="brings its own"):
        fewer.select(X, y, "InformationGain", names="pqrs")


@pytest.mark.parametrize("kind", ["float", "object", "nullable", "categorical", "polars"])
def test_rows_without_a_target_are_left_out_by_the_task_functions(kind):
    import polars as pl

    X, y = measured()
    gone = np.arange(len(y)) % 10 == 3
    words = y.map({0: "no", 1: "yes"}).mask(gone)
    target = {
        "float": y.astype(float).mask(gone),
        "object": words.astype(object),
        "nullable": y.astype("Int64").mask(gone),
        "categorical": words.astype("category"),
        "polars": pl.Series("y", words.astype(object).where(~gone, None).tolist()),
    }[kind]
    weight = np.arange(len(y)) % 3 + 1
    for more in ({}, {"sample_weight": weight}):
        cut = {name: given[~gone] for name, given in more.items()}
        found = fewer.rank(X, target, "InformationGain", **more)
        np.testing.assert_array_equal(found.scores, fewer.rank(X[~gone], y[~gone], "InformationGain", **cut).scores)
        facts = found.meta["data"]
        assert (facts["n_rows"], facts["n_without_target"]) == (54, 6)
        assert facts["notes"] == ["6 of 60 rows have no target 'y' and are left out."]
    assert fewer.rank(X, target).meta["data"]["n_without_target"] == 6
    options = {"cv": 2, "naive": False, "groups": np.arange(len(y)) // 2}
    found = fewer.compare(X, target, ["InformationGain"], ["naive Bayes"], [1], **options)
    assert (found.meta["data"]["n_rows"], found.meta["data"]["n_without_target"]) == (54, 6)
    with pytest.raises(InputError, match="missing values"):
        fewer.InformationGain().fit(X, target)


def test_a_frame_target_of_texts_that_are_numbers():
    X, _ = measured()
    prices = pd.Series([f"${1000 * v:,.2f}" for v in X["a"] + 10], name="price")
    found = fewer.rank(X[list("abc")], prices, "Pearson")
    assert found.table()["feature"][0] == "a"
    assert "'price' (currency $, commas between thousands" in found.meta["data"]["notes"][0]


def test_numbers_written_as_text_in_a_later_part_of_a_csv(tmp_path, monkeypatch):
    """The first part holds 1.234 as a number; a later one says that this is a thousand."""
    monkeypatch.setattr("fewer.core.reading.io.delimited._BLOCK_BYTES", (64, 64))
    rows = ["1.234;5"] * 40 + ["1.234,5;5"] * 40 + ["2;(3)"] * 40
    table = open_table(write(tmp_path, "\n".join(["a;b", *rows]) + "\n"))
    for X in (table.load().read().X, np.concatenate([batch.X for batch in table])):
        assert X[[0, 40, 80]].tolist() == [[1234, 5], [1234.5, 5], [2, -3]]


def test_a_separator_that_both_lines_have(tmp_path):
    assert open_table(write(tmp_path, "price, total;n;y\n1,5;2;u\n2,5;3;v\n"), "y").names == ("price, total", "n")
    assert open_table(write(tmp_path, "a,b;c|d;e|f;g\n1,2\n3,4\n")).names == ("a", "b;c|d;e|f;g")


def test_weights_of_zero_and_missing_targets_together(tmp_path, monkeypatch):
    """Late text makes NA a class of its own; what other columns hold is learned again for the rows that are left."""
    monkeypatch.setattr("fewer.core.reading.io.delimited._BLOCK_BYTES", (64, 64))
    rows = [(f"l{i % 4}", i % 3, ("NA", "1", "")[i % 3]) for i in range(60)]
    text = "a,w,y\n" + "".join(f"{a},{w},{y}\n" for a, w, y in rows)
    table = open_table(write(tmp_path, text), "y", weight="w")
    assert (table.n_rows, table.left_out, table.without_target) == (20, 20, 20)
    late = open_table(write(tmp_path, text + "zz,1,x\n", "late.csv"), "y", weight="w")
    assert late.classes.tolist() == ["1", "x"]
    assert late.labels[0].tolist() == ["l0", "l1", "l2", "l3", "zz"]
    for one in (table, late):
        held, streamed = one.load(), np.concatenate([batch.X for batch in one.batches(7)])
        np.testing.assert_array_equal(held.read().X, streamed)
        np.testing.assert_array_equal(held.counted, one.counted)
        assert held.counted.sum() == one.n_rows
    plain = open_table(tmp_path / "late.csv", "y", drop=["w"])
    assert (plain.classes.tolist(), plain.n_rows, plain.without_target) == (["1", "NA", "x"], 41, 20)


@pytest.mark.parametrize("given", ["rot13", "base64", "hex", "zlib", "undefined", "utf\0", "no such"])
def test_what_makes_no_text_of_bytes_is_no_encoding(tmp_path, given):
    with pytest.raises(ParameterError, match="is not known, but names such as 'utf-8'"):
        open_table(write(tmp_path, "a,y\n1,x\n2,z\n"), "y", encoding=given)

"""Every format gives the same rows, in batches of any size."""

from __future__ import annotations

import gzip
import json
from decimal import Decimal
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import csv as pa_csv
from pyarrow import feather
from sklearn.datasets import dump_svmlight_file

from fewer.core.reading.table import ArrayTable, open_table
from fewer.core.runners import progress

WORDS = ["low", "high", "mid", "x,y", 'say "hi"', "two\nlines", "naïve café", "Ω"]


def random_columns(rng: np.random.Generator, n: int, missing: float = 0.1) -> dict[str, list]:
    """Columns of every kind, as Python values with None for a missing one."""
    columns = {
        "число": rng.normal(size=n).tolist(),
        "whole": rng.integers(-5, 300, n).tolist(),
        "flag": rng.integers(0, 2, n).astype(bool).tolist(),
        "word, quoted": rng.choice(WORDS, n).tolist(),
    }
    for values in columns.values():
        for i in np.flatnonzero(rng.random(n) < missing):
            values[i] = None
    columns["empty"] = [None] * n
    columns["class"] = rng.choice(["b", "a", "ü"], n).tolist()
    return columns


def expected(columns: dict[str, list]) -> tuple[np.ndarray, np.ndarray]:
    """The numbers a table must give, by plain loops."""
    X = np.full((len(columns["class"]), 5), np.nan)
    for j, values in enumerate([columns[name] for name in list(columns)[:5]]):
        levels = sorted({v for v in values if isinstance(v, str)})
        for i, value in enumerate(values):
            if value is not None:
                X[i, j] = levels.index(value) if isinstance(value, str) else float(value)
    classes = sorted(set(columns["class"]))
    return X, np.array([classes.index(v) for v in columns["class"]])


def arrow_table(columns: dict[str, list]) -> pa.Table:
    types = [pa.float64(), pa.int64(), pa.bool_(), pa.string(), pa.float64(), pa.string()]
    return pa.table({name: pa.array(v, type_) for (name, v), type_ in zip(columns.items(), types)})


def save_delimited(path: Path, columns: dict[str, list], separator: str) -> None:
    table = arrow_table(columns)
    pa_csv.write_csv(table, str(path), pa_csv.WriteOptions(delimiter=separator))


def save_arff(path: Path, columns: dict[str, list]) -> None:
    def quote(text: str) -> str:
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"

    def cell(value: object) -> str:
        return "?" if value is None else quote(value) if isinstance(value, str) else repr(value)

    kinds = ["numeric", "INTEGER", "real", "string", "numeric", "{'b', a,  \"ü\"}"]
    lines = ["% a comment", "@RELATION 'some thing'", ""]
    lines += [f"@attribute {quote(name)} {kind}" for name, kind in zip(columns, kinds)]
    rows = zip(*([int(v) if isinstance(v, bool) else v for v in values] for values in columns.values()))
    lines += ["@DATA", *(",".join(map(cell, row)) for row in rows), "% the end", ""]
    path.write_text("\n".join(lines), encoding="utf-8")


def save(path: Path, columns: dict[str, list]) -> None:
    table = arrow_table(columns)
    name = path.name
    if name.endswith(".csv.gz"):
        plain = path.with_name("plain.csv")
        save_delimited(plain, columns, ",")
        path.write_bytes(gzip.compress(plain.read_bytes()))
    elif path.suffix in (".csv", ".tsv", ".txt"):
        save_delimited(path, columns, {".csv": ",", ".tsv": "\t", ".txt": ";"}[path.suffix])
    elif path.suffix == ".parquet":
        pq.write_table(table, path, row_group_size=17)
    elif path.suffix == ".feather":
        feather.write_feather(table, str(path), chunksize=13)
    elif path.suffix == ".arrow":
        with pa.ipc.new_file(str(path), table.schema) as writer:
            writer.write_table(table, max_chunksize=11)
    elif path.suffix == ".ipc":
        with pa.ipc.new_stream(str(path), table.schema) as writer:
            writer.write_table(table, max_chunksize=11)
    else:
        save_arff(path, columns)


FILES = ["t.csv", "t.tsv", "t.txt", "t.csv.gz", "t.parquet", "t.feather", "t.arrow", "t.ipc", "t.arff"]


def without_newlines(columns: dict[str, list]) -> dict[str, list]:
    """ARFF is read line by line and has no cells of two lines."""
    return {k: ["two lines" if v == "two\nlines" else v for v in values] for k, values in columns.items()}


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("seed", range(3))
def test_every_format_gives_the_expected_numbers(tmp_path, name, seed):
    rng = np.random.default_rng(seed)
    columns = without_newlines(random_columns(rng, 100)) if name == "t.arff" else random_columns(rng, 100)
    save(tmp_path / name, columns)
    table = open_table(tmp_path / name, "class")
    X, y = expected(columns)
    batch = table.read()
    np.testing.assert_array_equal(batch.X, X)
    np.testing.assert_array_equal(batch.y, y)
    assert batch.X.flags.c_contiguous
    assert batch.X.dtype == np.float64
    assert batch.y.dtype == np.int64
    assert batch.weight is None
    assert table.names == tuple(columns)[:5]
    assert table.nominal.tolist() == [False, False, False, True, False]
    assert table.labels[3].tolist() == sorted({v for v in columns["word, quoted"] if v is not None})
    assert table.classes.tolist() == sorted(set(columns["class"]))
    assert (table.task, table.target, table.n_rows) == ("classification", "class", 100)
    assert table.missing == int(np.isnan(X).sum())


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("rows", [1, 7, 33, 100, 1000])
def test_batches_of_any_size_hold_the_same_rows_on_every_pass(tmp_path, rng, name, rows):
    columns = without_newlines(random_columns(rng, 100))
    save(tmp_path / name, columns)
    table = open_table(tmp_path / name, "class", batch_rows=rows)
    X, y = expected(columns)
    for batches in (list(table), list(table.batches()), list(open_table(tmp_path / name, "class").batches(rows))):
        assert [b.n_rows for b in batches] == [min(rows, 100 - s) for s in range(0, 100, rows)]
        np.testing.assert_array_equal(np.vstack([b.X for b in batches]), X)
        np.testing.assert_array_equal(np.concatenate([b.y for b in batches]), y)
        assert all(b.X.flags.c_contiguous for b in batches)


@given(
    st.lists(
        st.tuples(
            st.one_of(st.none(), st.floats(allow_nan=False, allow_infinity=False)),
            st.one_of(st.none(), st.integers(-(2**50), 2**50)),
            st.one_of(st.none(), st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1)),
        ),
        min_size=1,
        max_size=12,
    ),
    st.integers(1, 5),
)
def test_any_cells_are_the_same_from_csv_and_parquet(tmp_path_factory, rows, batch_rows):
    folder = tmp_path_factory.mktemp("cells")
    columns = {name: [row[j] for row in rows] for j, name in enumerate(["real", "whole", "text"])}
    # A word first, so that no text column looks like numbers, dates or missing words throughout.
    columns = {"real": [0.5, *columns["real"]], "whole": [1, *columns["whole"]], "text": ["word", *columns["text"]]}
    data = pa.table(columns, schema=pa.schema({"real": pa.float64(), "whole": pa.int64(), "text": pa.string()}))
    pq.write_table(data, folder / "t.parquet")
    pa_csv.write_csv(data, str(folder / "t.csv"))
    one, other = (open_table(folder / name, batch_rows=batch_rows) for name in ("t.parquet", "t.csv"))
    np.testing.assert_array_equal(one.read().X, other.read().X)
    assert one.labels[2].tolist() == other.labels[2].tolist() == sorted({t for t in columns["text"] if t})
    assert one.missing == other.missing == sum(v is None for values in columns.values() for v in values)


def test_parts_of_a_folder_and_a_list_are_read_in_their_order(tmp_path, rng):
    columns = random_columns(rng, 120)
    whole = arrow_table(columns)
    folder = tmp_path / "parts"
    folder.mkdir()
    for k in range(12):
        pq.write_table(whole.slice(10 * k, 10), folder / f"part.{k}.parquet")
        pa_csv.write_csv(whole.slice(10 * k, 10), str(tmp_path / f"{k}.csv"))
    (folder / "_SUCCESS").write_text("")
    X, y = expected(columns)
    for path in (folder, [tmp_path / f"{k}.csv" for k in range(12)]):
        table = open_table(path, "class", batch_rows=7)
        np.testing.assert_array_equal(table.read().X, X)
        np.testing.assert_array_equal(table.read().y, y)
    assert open_table(folder, "class").n_rows == 120


def test_parts_may_hold_narrower_numbers(tmp_path):
    pq.write_table(pa.table({"a": pa.array([1, 2], pa.int8())}), tmp_path / "0.parquet")
    pq.write_table(pa.table({"a": pa.array([0.5, None], pa.float64())}), tmp_path / "1.parquet")
    np.testing.assert_array_equal(open_table(tmp_path).read().X[:, 0], [1, 2, 0.5, np.nan])


def test_arrow_types_of_every_kind(tmp_path):
    days = pa.array(["mon", "tue", None, "mon"]).dictionary_encode()
    data = pa.table(
        {
            "small": pa.array([1, 2, None, 4], pa.uint8()),
            "single": pa.array([0.5, None, 1.5, 2.0], pa.float32()),
            "money": pa.array([Decimal("1.25"), None, Decimal("2.50"), Decimal("0.00")]),
            "day": days,
            "rating": pa.array([30, 10, None, 20]).dictionary_encode(),
            "large": pa.array(["b", "", None, "a"], pa.large_string()),
            "nothing": pa.nulls(4),
            "no text": pa.nulls(4, pa.string()),
            "__index_level_0__": pa.array([0, 1, 2, 3]),
        }
    )
    nan = np.nan
    pq.write_table(data, tmp_path / "t.parquet")
    feather.write_feather(data, str(tmp_path / "t.feather"))
    for name in ("t.parquet", "t.feather"):
        # Parquet forgets that numbers were a dictionary.
        table = open_table(tmp_path / name, categorical_features=["rating"] if name == "t.parquet" else None)
        X = [
            [1, 0.5, 1.25, 0, 2, 1, nan, nan],
            [2, nan, nan, 1, 0, nan, nan, nan],
            [nan, 1.5, 2.5, nan, nan, nan, nan, nan],
            [4, 2.0, 0.0, 0, 1, 0, nan, nan],
        ]
        np.testing.assert_array_equal(table.read().X, X)
        assert table.names == tuple(data.column_names)[:-1]
        assert np.flatnonzero(table.nominal).tolist() == [3, 4, 5]
        assert table.labels[4].tolist() == [10, 20, 30]
        assert table.labels[4].dtype == np.int64


def test_categorical_features_make_numbers_nominal(tmp_path):
    (tmp_path / "t.csv").write_text("a,code,zip,y\n1,10,2.5,p\n2,9,NA,q\n3,10,0.5,p\n")
    pq.write_table(
        pa.table({"a": [1, 2, 3], "code": [10, 9, 10], "zip": [2.5, None, 0.5], "y": ["p", "q", "p"]}),
        tmp_path / "t.parquet",
    )
    for name in ("t.csv", "t.parquet"):
        for chosen in (["code", "zip"], [1, 2], [1, -1], np.array([False, True, True])):
            table = open_table(tmp_path / name, "y", categorical_features=chosen)
            assert table.nominal.tolist() == [False, True, True]
            assert table.labels[1].tolist() == [9, 10]
            assert table.labels[2].tolist() == [0.5, 2.5]
            np.testing.assert_array_equal(table.read().X, [[1, 1, 1], [2, 0, np.nan], [3, 1, 0]])


def test_svmlight_is_sparse_and_counts_places_as_scikit_learn_does(tmp_path, rng):
    X = sp.random(200, 40, 0.1, "csr", random_state=rng)
    X = (X + sp.csr_matrix(([1.0, 2.0], ([0, 1], [39, 0])), X.shape)).tocsr()
    y = rng.integers(0, 3, 200)
    for zero_based in (True, False):
        dump_svmlight_file(X, y, str(tmp_path / "t.svm"), zero_based=zero_based)
        table = open_table(tmp_path / "t.svm", batch_rows=30)
        batches = list(table)
        assert [b.n_rows for b in batches] == [30] * 6 + [20]
        assert all(sp.issparse(b.X) and b.X.format == "csr" for b in batches)
        np.testing.assert_allclose(table.read().X.toarray(), X.toarray(), rtol=1e-14)
        np.testing.assert_array_equal(table.read().y, y)
        assert (table.kind, table.target, table.n_rows) == ("sparse", "y", 200)
        assert table.names == tuple(f"x{j}" for j in range(40))
        assert table.classes.tolist() == [0, 1, 2]


def test_svmlight_in_parts_loses_no_row(tmp_path, rng, monkeypatch):
    X = sp.random(300, 20, 0.2, "csr", random_state=rng)
    X = (X + sp.csr_matrix(([1.0, 2.0], ([0, 1], [19, 0])), X.shape)).tocsr()
    y = rng.normal(size=300)
    dump_svmlight_file(X, y, str(tmp_path / "t.libsvm"), zero_based=False)
    for size in (50, 333, 4096):
        monkeypatch.setattr("fewer.core.reading.io.svmlight._PART_BYTES", size)
        table = open_table(tmp_path / "t.libsvm")
        np.testing.assert_allclose(table.read().X.toarray(), X.toarray(), rtol=1e-14)
        np.testing.assert_allclose(table.read().y, y, rtol=1e-14)
        assert table.task == "regression"


@pytest.mark.parametrize("save_npz", [np.savez, np.savez_compressed])
@pytest.mark.parametrize("order", ["C", "F"])
def test_npz_mapped_or_compressed(tmp_path, rng, save_npz, order):
    X = np.asarray(rng.integers(0, 9, (50, 4)).astype(np.float32), order=order)
    X[3, 2] = np.nan
    y = rng.integers(0, 2, 50)
    save_npz(tmp_path / "t.npz", X=X, y=y, feature_names=["a", "b", "y", "d"], class_names=["no", "yes"], extra=y * 2.5)
    table = open_table(tmp_path / "t.npz", batch_rows=9)
    np.testing.assert_array_equal(table.read().X, X)
    np.testing.assert_array_equal(table.read().y, y)
    assert type(next(iter(table)).X) is np.ndarray
    assert (table.names, table.target, table.missing) == (("a", "b", "y", "d"), "y_", 1)
    assert table.classes.tolist() == ["no", "yes"]
    other = open_table(tmp_path / "t.npz", "extra", drop=["b"], weight="d", task="regression")
    counted = X[:, 3] > 0
    np.testing.assert_array_equal(other.read().y, y[counted] * 2.5)
    np.testing.assert_array_equal(other.read().weight, X[counted, 3])
    assert other.names == ("a", "y")


def test_npz_level_names_from_meta_and_a_feature_as_target(tmp_path):
    meta = json.dumps({"categories": {"size": ["small", "big"], "hue": ["red", "blue", "green"]}})
    X = np.array([[0, 2, 1.5], [1, np.nan, 2.5], [1, 0, np.nan]])
    np.savez(tmp_path / "t.npz", X=X, feature_names=["size", "hue", "w"], nominal=[True, True, False], meta=meta)
    table = open_table(tmp_path / "t.npz", "size")
    assert table.classes.tolist() == ["small", "big"]
    assert table.labels[0].tolist() == ["red", "blue", "green"]
    assert table.read().y.tolist() == [0, 1, 1]
    np.testing.assert_array_equal(table.read().X, X[:, 1:])
    assert open_table(tmp_path / "t.npz").target is None


def test_npz_sparse_parts(tmp_path, rng):
    X = sp.random(60, 30, 0.1, "csr", random_state=rng)
    np.savez(
        tmp_path / "t.npz",
        X_data=X.data,
        X_indices=X.indices,
        X_indptr=X.indptr,
        X_shape=X.shape,
        y=rng.integers(0, 2, 60),
    )
    table = open_table(tmp_path / "t.npz", drop=["x3"], batch_rows=13)
    assert table.kind == "sparse"
    np.testing.assert_array_equal(table.read().X.toarray(), np.delete(X.toarray(), 3, axis=1))


def test_sparse_arff_rows(tmp_path):
    (tmp_path / "t.arff").write_text(
        "@relation r\n@attribute a numeric\n@attribute 'b c' {x, 'y z', w}\n@attribute d real\n@attribute cls{p,q}\n"
        "@data\n{0 1.5, 1 'y z', 3 q}\n{}\n{2 ?, 1 w}\n0, x, 7, 'q'\n"
    )
    table = open_table(tmp_path / "t.arff", "cls")
    # Level numbers follow the sorted labels w, x, "y z"; an unstored nominal value is the first declared level, x.
    np.testing.assert_array_equal(table.read().X, [[1.5, 2, 0], [0, 1, 0], [0, 0, np.nan], [0, 1, 7]])
    assert table.read().y.tolist() == [1, 0, 0, 1]


def test_array_table_equals_the_arrays(rng):
    X = rng.integers(0, 5, (40, 6)).astype(np.int16)
    y = rng.choice(["u", "v"], 40)
    w = rng.random(40)
    table = ArrayTable(X, y, w, nominal=[0, 3], names=list("abcdef"), batch_rows=7)
    batch = table.read()
    np.testing.assert_array_equal(batch.X, X)
    np.testing.assert_array_equal(batch.weight, w)
    np.testing.assert_array_equal(table.classes[batch.y], y)
    assert [b.n_rows for b in table] == [7] * 5 + [5]
    assert (table.n_rows, table.n_features, table.names) == (40, 6, tuple("abcdef"))
    sparse = ArrayTable(sp.csc_matrix(X), y, batch_rows=7)
    assert sparse.kind == "sparse"
    np.testing.assert_array_equal(sparse.read().X.toarray(), X)


def save_weighted(path: Path, weight: np.ndarray, kept: np.ndarray) -> None:
    """Columns of every kind with a weight; what is odd about the rows that are not kept must never be seen."""
    columns = {name: np.array(values, dtype=object) for name, values in random_columns(rng_of(7), 40).items()}
    absent = weight == 0
    columns["word, quoted"][absent], columns["class"][absent] = "only here", "nowhere else"
    columns["число"][absent] = None
    chosen = {name: values[kept].tolist() for name, values in columns.items() if name != "empty"}
    data = pa.table({**chosen, "weight": weight[kept]})
    if path.suffix == ".csv":
        pa_csv.write_csv(data, path)
    elif path.suffix == ".feather":
        feather.write_feather(data, path)
    else:
        pq.write_table(data, path, row_group_size=11)


def rng_of(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


@pytest.mark.parametrize("ending", ["csv", "feather", "parquet"])
def test_rows_of_weight_zero_are_not_in_the_table(tmp_path, ending):
    weight = rng_of(1).integers(0, 3, 40).astype(float)
    counted = weight > 0
    save_weighted(tmp_path / f"whole.{ending}", weight, np.ones(40, bool))
    save_weighted(tmp_path / f"left.{ending}", weight, counted)
    whole, left = (open_table(tmp_path / f"{name}.{ending}", "class", weight="weight") for name in ("whole", "left"))
    assert (whole.n_rows, whole.left_out, left.left_out) == (counted.sum(), 40 - counted.sum(), 0)
    np.testing.assert_array_equal(whole.counted, counted)
    assert left.counted is None
    assert whole.missing == left.missing
    assert whole.classes.tolist() == left.classes.tolist() == ["a", "b", "ü"]
    assert {j: levels.tolist() for j, levels in whole.labels.items()} == {
        j: levels.tolist() for j, levels in left.labels.items()
    }
    for rows in (3, 1000):
        batches, expected_batches = [*whole.batches(rows)], [*left.batches(rows)]
        assert len(batches) == len(expected_batches)
        for got, expected in zip(batches, expected_batches):
            np.testing.assert_array_equal(got.X, expected.X)
            np.testing.assert_array_equal(got.y, expected.y)
            np.testing.assert_array_equal(got.weight, expected.weight)
    # What is written is the file, not what a method reads of it.
    whole.write(tmp_path / "again.csv")
    assert len((tmp_path / "again.csv").read_text(encoding="utf-8").splitlines()) >= 41


def test_rows_of_weight_zero_of_matrices(tmp_path):
    rng = rng_of(2)
    X, y, w = rng.integers(0, 4, (30, 5)).astype(float), rng.integers(0, 2, 30), rng.integers(0, 2, 30)
    X[w == 0, 1], y[w == 0] = 9, 5
    np.savez(tmp_path / "t.npz", X=np.column_stack([X, w]), y=y)
    tables = [ArrayTable(matrix, y, w, nominal=[1], batch_rows=7) for matrix in (X, sp.csr_matrix(X))]
    tables.append(open_table(tmp_path / "t.npz", weight="x5", categorical_features=["x1"], batch_rows=7))
    for table in tables:
        batch = table.read()
        got = batch.X.toarray() if sp.issparse(batch.X) else batch.X
        np.testing.assert_array_equal(got, X[w > 0])
        np.testing.assert_array_equal(batch.y, y[w > 0])
        np.testing.assert_array_equal(table.counted, w > 0)
        assert (table.n_rows, table.classes.tolist(), table.labels[1].tolist()) == ((w > 0).sum(), [0, 1], [0, 1, 2, 3])


def test_array_table_keeps_given_level_and_class_names():
    table = ArrayTable([[1, 0.5], [0, 0.25]], [1, 0], labels={0: ["z", "a"]}, classes=["pos", "neg"])
    assert table.nominal.tolist() == [True, False]
    assert table.labels[0].tolist() == ["z", "a"]
    assert table.classes.tolist() == ["pos", "neg"]
    assert table.read().y.tolist() == [1, 0]
    assert table.read().X.tolist() == [[1, 0.5], [0, 0.25]]


def test_sparse_nominal_columns_keep_zero_as_level_zero():
    X = sp.csr_matrix([[0, 5.0], [7, 0], [3, 5]])
    table = ArrayTable(X, nominal=[0])
    assert table.labels[0].tolist() == [0, 3, 7]
    np.testing.assert_array_equal(table.read().X.toarray(), [[0, 5], [2, 0], [1, 5]])


def test_a_batch_is_about_32_mebibytes_by_default():
    table = ArrayTable(np.zeros((3, 1024)))
    assert table.batch_rows == 4096
    assert ArrayTable(sp.csr_matrix(np.ones((3, 100)))).batch_rows == 32 * 2**20 // 1200


def test_the_first_pass_reports_progress(tmp_path, rng):
    columns = random_columns(rng, 60)
    save(tmp_path / "t.parquet", columns)
    heard = []
    with progress.listen(lambda *report: heard.append(report)):
        open_table(tmp_path / "t.parquet").labels
    assert heard[-1] == (f"reading {tmp_path / 't.parquet'}", 60, 60)
    assert [done for _, done, _ in heard] == sorted(done for _, done, _ in heard)


@pytest.mark.parametrize("name", ["iris", "votes", "adult", "autompg", "hypothyroid", "dexter", "news20"])
def test_real_sets_are_read_as_they_were_saved(shared_data, name):
    archive = shared_data(name)
    path = Path(archive.fid.name if archive.fid is not None else archive.zip.filename)
    table = open_table(path)
    batch = table.read()
    np.testing.assert_array_equal(batch.y, archive["y"])
    if "X" in archive:
        np.testing.assert_array_equal(batch.X, archive["X"].astype(float))
        assert table.missing == int(np.isnan(archive["X"].astype(float)).sum())
        nominal = archive["nominal"] if "nominal" in archive else np.zeros(table.n_features, bool)
        np.testing.assert_array_equal(table.nominal, nominal)
    else:
        parts = (archive["X_data"], archive["X_indices"], archive["X_indptr"])
        assert abs(batch.X - sp.csr_matrix(parts, shape=archive["X_shape"])).nnz == 0
    assert table.task == ("regression" if name == "autompg" else "classification")

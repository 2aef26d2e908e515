"""Parquet files of small whole numbers: ranges are told, batches are bytes, codes are kept as bits."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

import fewer
from fewer.core.discretize import code_cache
from fewer.core.reading.io import columnar
from fewer.core.records.errors import FileError, InputError
from fewer.core.runners import kept_work
from fewer.core.runners.stream import StreamRunner
from fewer.core.views.packed import PackedBlock

N = 1500
LEVELS = (1, 2, 3, 5, 9, 16, 4, 5)


def codes(rng, levels=LEVELS, n=N):
    y = rng.integers(0, 3, n)
    X = np.column_stack([np.where(rng.random(n) < 0.1 * j, y % k, rng.integers(0, k, n)) for j, k in enumerate(levels)])
    return X, y


def written(path, X, y, types=("uint8",), **more):
    columns = {f"x{j}": pa.array(X[:, j]).cast(types[j % len(types)]) for j in range(X.shape[1])}
    parquet.write_table(pa.table({**columns, "y": y}), path, **{"row_group_size": 401, **more})
    return path


@pytest.fixture
def reads(monkeypatch):
    """Count how often each column is read."""
    counted: Counter[str] = Counter()
    read = columnar._ParquetPart.read

    def counting(self, names, *rest):
        counted.update(names)
        return read(self, names, *rest)

    monkeypatch.setattr(columnar._ParquetPart, "read", counting)
    return counted


def same(found, want):
    assert found.indices.tolist() == want.indices.tolist()
    assert np.array_equal(found.scores, want.scores, equal_nan=True)
    assert found.reasons.kind.tolist() == want.reasons.kind.tolist()


@pytest.fixture
def kept(monkeypatch):
    """Tell how codes are kept."""
    found = []
    for name in ("HeldBlocks", "FileBlocks"):
        made = getattr(code_cache, name)

        def spied(*given, _made=made, _name=name):
            blocks = _made(*given)
            found.append((_name, {type(block) for block in blocks}))
            return blocks

        monkeypatch.setattr(code_cache, name, spied)
    return found


@pytest.mark.parametrize("discretizer", [None, "quantile", "uniform"])
@pytest.mark.parametrize("name", ["MRMR", "JMI", "CMIM", "FCBF"])
def test_levels_in_memory_as_bits_and_on_disk_give_the_same(tmp_path, rng, kept, name, discretizer):
    X, y = codes(rng)
    path = written(tmp_path / "t.parquet", X, y, ("uint8", "int8", "uint16", "int32"))
    want = fewer.get(name)(4, discretizer=discretizer).fit(X.astype(float), y).selection_
    for batch_rows, cache_bytes in ((None, 2**20), (97, N * 5), (401, 0)):
        table = fewer.open_table(path, "y", batch_rows=batch_rows, cache_bytes=cache_bytes)
        same(fewer.get(name)(4, discretizer=discretizer).fit(table).selection_, want)
    assert kept == [("HeldBlocks", {PackedBlock}), ("FileBlocks", {PackedBlock})]


@pytest.mark.parametrize("types", ["int8", "int16", "uint16", "int32", "uint32", "int64", "uint64"])
def test_columns_of_every_type(tmp_path, rng, types):
    X, y = codes(rng)
    want = fewer.MRMR(4, discretizer=None).fit(X, y).selection_
    table = fewer.open_table(written(tmp_path / "t.parquet", X, y, (types,)), "y", batch_rows=333, cache_bytes=0)
    assert {batch.X.dtype for batch in table.pieces()} == {np.dtype(np.uint8)}
    assert {batch.X.dtype for batch in table} == {np.dtype(np.float64)}
    np.testing.assert_array_equal(np.vstack([batch.X for batch in table.pieces()]), X)
    same(fewer.MRMR(4, discretizer=None).fit(table).selection_, want)


def odd_columns(rng):
    X, y = codes(rng)
    missing = pa.array(X[:, 1], mask=rng.random(N) < 0.2)
    return {
        "negative": {"a": X[:, 3] - 2},
        "many": {"a": rng.integers(0, 300, N).astype(np.int16)},
        "256": {"a": (np.arange(N) % 256).astype(np.uint8)},
        "257": {"a": (np.arange(N) % 257).astype(np.int16)},
        "missing": {"a": missing.cast("int8")},
        "boolean": {"a": X[:, 1] == 1},
        "dictionary": {"a": pa.array(X[:, 3]).cast("int8").dictionary_encode()},
        "fractions": {"a": X[:, 4] / 2},
        "text": {"a": X[:, 3].astype(str)},
    }, {**{f"x{j}": X[:, j].astype(np.uint8) for j in range(4)}, "y": y}


@pytest.mark.parametrize(
    "what", ["negative", "many", "256", "257", "missing", "boolean", "dictionary", "fractions", "text"]
)
def test_one_odd_column_beside_bytes(tmp_path, rng, what):
    odd, plain = odd_columns(rng)
    parquet.write_table(pa.table({**odd[what], **plain}), tmp_path / "t.parquet", row_group_size=400)
    want = fewer.InformationGain(3).fit(fewer.open_table(tmp_path / "t.parquet", "y").load())
    for more in ({}, {"batch_rows": 111}):
        table = fewer.open_table(tmp_path / "t.parquet", "y", **more)
        found = fewer.InformationGain(3).fit(table)
        np.testing.assert_array_equal(found.scores_, want.scores_)
        for cache_bytes in (2**20, 0):
            table = fewer.open_table(tmp_path / "t.parquet", "y", cache_bytes=cache_bytes, **more)
            first = fewer.MRMR(3).fit(fewer.open_table(tmp_path / "t.parquet", "y").load()).selection_
            same(fewer.MRMR(3).fit(table).selection_, first)


def test_ranges_are_told_and_only_the_target_is_read(tmp_path, rng, reads):
    X, y = codes(rng)
    table = fewer.open_table(written(tmp_path / "t.parquet", X - 3, y, ("int8", "int64")), "y")
    told = table.extent
    assert reads == {"y": 1}
    silent = fewer.open_table(written(tmp_path / "u.parquet", X - 3, y, ("int8",), write_statistics=False), "y")
    for name in ("low", "high", "missing", "n_rows"):
        np.testing.assert_array_equal(getattr(silent.extent, name), getattr(told, name))
    assert reads == {"y": 2, **{f"x{j}": 1 for j in range(len(LEVELS))}}


@pytest.mark.parametrize("levels", [None, "quantile"])
def test_how_often_bytes_are_read(tmp_path, rng, reads, levels):
    X, y = codes(rng)
    table = fewer.open_table(written(tmp_path / "t.parquet", X, y), "y", cache_bytes=0)
    fewer.MRMR(4, discretizer=levels).fit(table)
    assert {reads[f"x{j}"] for j in range(len(LEVELS))} == {1 if levels is None else 2}


@pytest.mark.parametrize("gone", ["target", "weight"])
def test_rows_that_do_not_count_are_not_in_the_ranges(tmp_path, rng, reads, gone):
    X, y = codes(rng)
    X[:5] = 200
    data = {f"x{j}": X[:, j].astype(np.uint8) for j in range(3)}
    absent = np.arange(N) < 5
    data["y"] = pa.array(y, mask=absent & (gone == "target"))
    data["w"] = np.where(absent & (gone == "weight"), 0.0, 2.0)
    parquet.write_table(pa.table(data), tmp_path / "t.parquet")
    table = fewer.open_table(tmp_path / "t.parquet", "y", weight="w")
    assert table.extent.high.tolist() == [0, 1, 2]
    assert reads["x1"] == 1
    scores = fewer.InformationGain(2, discretizer=None).fit(table).scores_
    np.testing.assert_allclose(scores, fewer.InformationGain(2, discretizer=None).fit(X[5:, :3], y[5:]).scores_)


def test_row_groups_without_rows_and_several_files(tmp_path, rng):
    X, y = codes(rng)
    for number, (first, last) in enumerate([(0, 700), (700, 700), (700, 701), (701, N)]):
        written(tmp_path / f"part.{number}.parquet", X[first:last], y[first:last])
    with parquet.ParquetWriter(tmp_path / "part.4.parquet", parquet.read_schema(tmp_path / "part.0.parquet")) as file:
        file.write_table(parquet.read_table(tmp_path / "part.2.parquet").slice(0, 0))
    want = fewer.MRMR(4, discretizer=None).fit(X, y).selection_
    for cache_bytes in (2**20, N * 5, 0):
        table = fewer.open_table(tmp_path, "y", cache_bytes=cache_bytes)
        same(fewer.MRMR(4, discretizer=None).fit(table).selection_, want)


@pytest.mark.parametrize("told", [(0, 1), (0, 300), (-2, 20)])
def test_a_file_that_tells_other_ranges_than_it_has(tmp_path, rng, monkeypatch, told):
    X, y = codes(rng)
    path = written(tmp_path / "t.parquet", X, y)
    monkeypatch.setattr(columnar, "_told", lambda column: told)
    table = fewer.open_table(path, "y", cache_bytes=0)
    if told == (0, 1):
        with pytest.raises(InputError, match="at the first reading"):
            fewer.MRMR(4, discretizer=None).fit(table)
    else:
        assert fewer.MRMR(4).fit(table).selection_.indices.tolist()


def test_values_beyond_a_byte_are_no_bytes(tmp_path, rng, monkeypatch):
    X, y = codes(rng)
    X[N // 2] = 256
    path = written(tmp_path / "t.parquet", X, y, ("int16",))
    monkeypatch.setattr(columnar, "_told", lambda column: (0, 20))
    with pytest.raises(FileError, match="holds other rows or values now"):
        fewer.MRMR(4).fit(fewer.open_table(path, "y", cache_bytes=0))


@pytest.mark.parametrize("cache_bytes", [2**20, N * 5, 0], ids=["codes", "bits", "disk"])
def test_bits_are_kept_for_the_next_process(tmp_path, rng, reads, monkeypatch, cache_bytes):
    monkeypatch.setattr(kept_work, "SHORT", 0)
    X, y = codes(rng)
    path = written(tmp_path / "t.parquet", X, y)
    want = fewer.MRMR(4, discretizer=None).fit(X, y).selection_
    folded = []
    fold = StreamRunner._folded
    monkeypatch.setattr(
        StreamRunner, "_folded", lambda self, summary, blocks: (folded.append(summary), fold(self, summary, blocks))[1]
    )
    for times in (1, 1):
        table = fewer.open_table(path, "y", cache_bytes=cache_bytes, resume=tmp_path / "kept")
        same(fewer.MRMR(4, discretizer=None).fit(table).selection_, want)
        assert reads["x0"] == times
    # The second time the steps are answers that are kept, or made of codes in memory.
    assert len(folded) == (0 if cache_bytes == 2**20 else len(set(map(repr, folded))))


def test_numbers_of_methods_on_numbers_are_the_same(tmp_path, rng):
    X, y = codes(rng)
    path = written(tmp_path / "t.parquet", X[:, 1:], y)
    for name in ("FTest", "Pearson", "FisherScore"):
        want = fewer.get(name)(3).fit(X[:, 1:].astype(float), y)
        found = fewer.get(name)(3).fit(fewer.open_table(path, "y", batch_rows=333))
        np.testing.assert_allclose(found.scores_, want.scores_, rtol=1e-10)
        assert found.selection_.indices.tolist() == want.selection_.indices.tolist()

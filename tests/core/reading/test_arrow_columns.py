"""Columns of Parquet files become numbers in Arrow; the oracle makes texts of all cells and looks at each."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest

pa = pytest.importorskip("pyarrow")
compute = pytest.importorskip("pyarrow.compute")
parquet = pytest.importorskip("pyarrow.parquet")

from fewer import open_table  # noqa: E402
from fewer.core.reading.date_texts import DateTexts  # noqa: E402
from fewer.core.reading.dates import PARTS, parts_of, read_dates  # noqa: E402
from fewer.core.reading.io.arrow import text_column  # noqa: E402
from fewer.core.reading.io.arrow_dates import arrow_moments, as_texts  # noqa: E402
from fewer.core.reading.io.columnar import ColumnarSource  # noqa: E402

ROWS = 400
rng = np.random.default_rng(3)
GONE = rng.random(ROWS) < 0.1
SECONDS = rng.integers(-3 * 10**9, 4 * 10**9, ROWS)
TEXTS = {
    "few": np.array(["b", "", "a", "ä", " a"])[rng.integers(0, 5, ROWS)],
    "one": np.full(ROWS, "same"),
    "empty": np.full(ROWS, ""),
    "many": np.char.add("level ", rng.integers(0, 300, ROWS).astype(str)),
    "written": np.char.add("$", rng.integers(0, 50, ROWS).astype(str)),
    "nearly": np.where(rng.random(ROWS) < 0.05, "none", rng.integers(0, 50, ROWS).astype(str)),
}
TYPES = {
    "string": pa.string(),
    "large_string": pa.large_string(),
    "dictionary": pa.dictionary(pa.int16(), pa.string()),
}


def written(tmp_path, column, **how):
    """A table of one column and a target; small pages and row groups, so that chunks have dictionaries of their own."""
    path = tmp_path / "table.parquet"
    table = pa.table({"x": column, "y": np.arange(len(column)) % 2})
    parquet.write_table(table, path, **{"row_group_size": 150, "data_page_size": 300, "store_schema": True, **how})
    return path


def read(table):
    """All rows of a table."""
    return np.concatenate([np.asarray(batch.X)[:, :] for batch in table.batches()])


def by_cells(texts):
    """Level numbers and labels of texts, one cell after the other."""
    labels = sorted({text for text in texts if text})
    return np.array([float(labels.index(text)) if text else np.nan for text in texts]), labels


@pytest.mark.parametrize("type_", TYPES)
@pytest.mark.parametrize("name", ["few", "one", "many"])
@pytest.mark.parametrize("use_dictionary", [True, False])
def test_texts_are_numbered_as_cells_are(tmp_path, monkeypatch, type_, name, use_dictionary):
    monkeypatch.setattr(ColumnarSource, "chunk_rows", lambda self, n: 64)
    column = pa.array(TEXTS[name], mask=GONE).cast(TYPES[type_])
    table = open_table(written(tmp_path, column, use_dictionary=use_dictionary), target="y")
    numbers, labels = by_cells(column.to_pylist())
    np.testing.assert_array_equal(read(table)[:, 0], numbers)
    assert table.labels[0].tolist() == labels


@pytest.mark.parametrize("name", ["written", "nearly", "empty"])
def test_numbers_in_texts_are_found_as_in_csv(tmp_path, monkeypatch, name):
    monkeypatch.setattr(ColumnarSource, "chunk_rows", lambda self, n: 64)
    column = pa.array(TEXTS[name], mask=GONE)
    table = open_table(written(tmp_path, column), target="y")
    if name == "written":
        expected = [np.nan if gone else float(text[1:]) for text, gone in zip(TEXTS[name], GONE)]
        assert "currency $" in table.notes[0]
    else:
        expected = by_cells(column.to_pylist())[0]
    np.testing.assert_array_equal(read(table)[:, 0], expected)


def test_levels_are_those_that_occur_by_first_occurrence():
    indices = pa.array([3, None, 0, 3, 2, 1], pa.int8())
    column = text_column(pa.DictionaryArray.from_arrays(indices, pa.array(["a", "", None, "d", "never"])))
    assert column.values.tolist() == [0, -1, 1, 0, -1, -1]
    assert list(column.levels)[:2] == ["d", "a"]
    assert "never" not in column.levels


MOMENTS = {
    "date32": lambda s: pa.array((s // 86400).astype(np.int32), mask=GONE).cast(pa.date32()),
    "date64": lambda s: pa.array(s // 86400 * 86_400_000, mask=GONE).cast(pa.date64()),
    "seconds": lambda s: pa.array(s, mask=GONE).cast(pa.timestamp("s")),
    "milliseconds": lambda s: pa.array(s * 1000 + 7, mask=GONE).cast(pa.timestamp("ms")),
    "nanoseconds": lambda s: pa.array(s * 10**9 + 1999, mask=GONE).cast(pa.timestamp("ns")),
    "UTC": lambda s: pa.array(s * 10**6 + 5, mask=GONE).cast(pa.timestamp("us", tz="UTC")),
    "zone": lambda s: pa.array(s * 10**6 + 5, mask=GONE).cast(pa.timestamp("us", tz="America/New_York")),
    "offset": lambda s: pa.array(s * 10**6, mask=GONE).cast(pa.timestamp("us", tz="+05:30")),
    "far": lambda s: pa.array(s * 1000, mask=GONE).cast(pa.timestamp("s")),
    "missing": lambda s: pa.nulls(len(s), pa.timestamp("us")),
    "time": lambda s: pa.array((s % 86400).astype(np.int32), mask=GONE).cast(pa.time32("s")),
}


@pytest.mark.parametrize("kind", MOMENTS)
def test_dates_are_what_their_texts_say(tmp_path, monkeypatch, kind):
    monkeypatch.setattr(ColumnarSource, "chunk_rows", lambda self, n: 128)
    column = MOMENTS[kind](SECONDS)
    table = read_dates(open_table(written(tmp_path, column), target="y"), "expand")
    assert table.names == tuple(f"x_{part}" for part in PARTS)
    source = table._source
    found = np.concatenate(
        [np.column_stack([chunk[n].values for n in table.names]) for chunk in source.chunks(table.names)]
    )
    stored = parquet.read_table(tmp_path / "table.parquet").column("x")
    if kind == "offset":
        # pyarrow before 21 has no words for it.
        ahead = pa.scalar(19_800_000_000, pa.duration("us"))
        stored = compute.add(stored.cast(pa.timestamp("us")), ahead)
    texts = [text or "" for text in stored.cast("string").to_pylist()]
    expected = parts_of(np.array([DateTexts().moment(text) for text in texts], dtype="datetime64[us]"))
    np.testing.assert_array_equal(found, np.column_stack([expected[part] for part in PARTS]))
    if kind not in ("far", "nanoseconds"):
        kept = [chunk["x_hour"] for chunk in source.originals(["x_hour"], True)]
        np.testing.assert_array_equal(np.concatenate(kept), expected["hour"])


@pytest.mark.parametrize(
    ("zone", "text"), [("+05:30", "1970-01-02 05:30:00+0530"), ("-01:00", "1970-01-01 23:00:00-0100")]
)
def test_an_offset_is_a_zone_on_every_version_of_arrow(zone, text):
    array = pa.array([86400, None]).cast(pa.timestamp("s", tz=zone))
    assert as_texts(array).to_pylist() == [text, None]
    assert str(arrow_moments(array)[0]).replace("T", " ").startswith(text[:19])
    nowhere = pa.array([86400]).cast(pa.timestamp("s", tz="Nowhere/At_all"))
    assert as_texts(nowhere).to_pylist() == ["1970-01-02 00:00:00Z"]
    assert arrow_moments(nowhere) is None


@pytest.mark.parametrize("unit", ["s", "ms", "us"])
def test_moments_of_years_of_four_digits_are_told_and_others_are_missing(unit):
    ends = ["-0001-12-31T23:59:59", "0000-01-01", "9999-12-31T23:59:59", "10000-01-01"]
    numbers = np.array(ends, f"datetime64[{unit}]").view(np.int64)
    found = arrow_moments(pa.array([*numbers.tolist(), None, 2**62], pa.int64()).cast(pa.timestamp(unit)))
    assert found.astype(str).tolist() == ["NaT", "0000-01-01T00:00:00.000000", f"{ends[2]}.000000", *["NaT"] * 3]


def test_nanoseconds_are_rounded_down():
    found = arrow_moments(pa.array([1999, -1, None], pa.timestamp("ns")))
    assert found.view(np.int64)[:2].tolist() == [1, -1]
    assert np.isnat(found[2])


@pytest.mark.parametrize("type_", [pa.decimal128(20, 4), pa.decimal256(44, 4), pa.decimal128(38, 20)])
def test_decimals_are_the_nearest_floats_nearly(tmp_path, type_):
    values = [None if gone else Decimal(value) / 10**4 for value, gone in zip(SECONDS.tolist(), GONE)]
    column = pa.array(values, type_)
    table = open_table(written(tmp_path, column), target="y")
    expected = [np.nan if value is None else float(value) for value in column.to_pylist()]
    np.testing.assert_allclose(read(table)[:, 0], expected, rtol=1e-15)

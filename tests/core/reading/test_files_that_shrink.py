"""Files that are damaged, or that change between two looks: one sentence, and never numbers that nobody wrote."""

from __future__ import annotations

import gzip
import os
from contextlib import suppress

import numpy as np
import pytest

import fewer
from fewer.core.reading.io.stored_array import StoredArray
from fewer.core.records.errors import FewerError, FileError

N_ROWS = 4000


def written(folder, form):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(N_ROWS, 6)), np.arange(N_ROWS) % 2
    path = folder / f"rows.{form}"
    if form == "npz":
        np.savez(path, X=X, y=y)
        return path
    pa = pytest.importorskip("pyarrow")
    table = pa.table(
        {**{f"x{j}": X[:, j] for j in range(6)}, "t": [["a", "bb", None][i % 3] for i in range(N_ROWS)], "y": y}
    )
    if form == "arrow":
        with pa.ipc.new_file(path, table.schema) as file:
            file.write_table(table, max_chunksize=100)
    elif form == "parquet":
        import pyarrow.parquet

        pyarrow.parquet.write_table(table, path, row_group_size=100)
    else:
        import pyarrow.csv

        pyarrow.csv.write_csv(table, path)
    return path


@pytest.mark.parametrize("form", ["npz", "arrow", "parquet", "csv"])
@pytest.mark.parametrize("left", [0, 0.5])
def test_a_file_cut_off_while_it_is_read_is_one_sentence(tmp_path, form, left):
    path = written(tmp_path, form)
    table = fewer.open_table(path, target="y", batch_rows=50)
    assert table.missing in (0, N_ROWS // 3)
    batches = iter(table)
    next(batches)
    os.truncate(path, int(left * path.stat().st_size))
    with pytest.raises(FileError, match="must not change"):
        list(batches)
    with pytest.raises(FileError, match="must not change"):
        table.read()


@pytest.mark.parametrize("form", ["npz", "arrow", "parquet", "csv"])
def test_a_file_cut_off_after_it_was_opened_is_one_sentence(tmp_path, form):
    path = written(tmp_path, form)
    table = fewer.open_table(path, target="y")
    os.truncate(path, path.stat().st_size // 2)
    with pytest.raises(FileError, match="must not change"):
        table.read()


@pytest.mark.parametrize("by_columns", [False, True])
def test_a_stored_array_gives_its_rows_or_says_that_they_are_gone(tmp_path, by_columns):
    X = np.arange(24.0).reshape(6, 4)
    path = tmp_path / "numbers"
    path.write_bytes(b"head" + (X.T if by_columns else X).tobytes())
    stored = StoredArray(path, 4, X.dtype, X.shape, by_columns)
    assert np.array_equal(stored[1:5], X[1:5])
    assert np.array_equal(stored[0:99], X)
    os.truncate(path, 4 + 8 * 20)
    with pytest.raises(FileError, match="must not change"):
        stored[3:6]


def test_an_archive_that_promises_too_much_is_one_sentence(tmp_path):
    path = tmp_path / "rows.npz"
    np.savez(path, X=np.ones((9, 4)), y=np.arange(9) % 2)
    path.write_bytes(path.read_bytes().replace(b"(9, 4)", b"(90,4)"))
    with pytest.raises(FileError, match="could not be read as npz"):
        fewer.open_table(path).read()


@pytest.mark.parametrize("meta", ["[" * 100_000, '{"categories": 3}', '{"categories": {"a": 7}}', "[]", "nonsense"])
def test_odd_notes_in_an_archive_are_passed_over(tmp_path, meta):
    path = tmp_path / "rows.npz"
    np.savez(path, X=np.arange(12.0).reshape(6, 2), feature_names=["a", "b"], nominal=[True, False], meta=meta)
    assert fewer.open_table(path).read().n_rows == 6


@pytest.mark.parametrize("form", ["arrow", "parquet", "npz"])
def test_flipped_bits_end_in_a_sentence_or_a_table(tmp_path, form, rng):
    path = written(tmp_path, form)
    whole = path.read_bytes()
    for number in range(60):
        damaged = bytearray(whole)
        at = int(rng.integers(len(whole))) if number % 2 else len(whole) - 1 - int(rng.integers(min(3000, len(whole))))
        damaged[at] ^= 1 << int(rng.integers(8))
        path.write_bytes(damaged)
        with suppress(FewerError):
            fewer.open_table(path, target="y").read()


def test_a_file_that_unpacks_without_end_is_stopped(tmp_path, monkeypatch):
    path = tmp_path / "rows.csv.gz"
    path.write_bytes(gzip.compress(b"a,b,y\n" + b"1,2,0\n3,4,1\n" * 200_000))
    assert fewer.open_table(path, target="y").read().n_rows == 400_000
    monkeypatch.setattr("fewer.core.reading.io.unpacked.HARMLESS", 2**20)
    with pytest.raises(FileError, match="unpacks to more than 1 MiB"):
        fewer.open_table(path, target="y").read()


@pytest.mark.parametrize("form", ["npz", "parquet"])
def test_an_archive_that_says_it_unpacks_without_end_is_not_unpacked(tmp_path, monkeypatch, form):
    path, X = tmp_path / f"rows.{form}", np.zeros((2**17, 10))
    if form == "npz":
        np.savez_compressed(path, X=X, y=np.arange(len(X)) % 2)
    else:
        pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
        columns = {**{f"x{j}": X[:, j] for j in range(10)}, "y": np.arange(len(X)) % 2}
        pq.write_table(pa.table(columns), path, compression="zstd", use_dictionary=False)
    assert fewer.open_table(path, target="y").n_rows == len(X)
    monkeypatch.setattr("fewer.core.reading.io.unpacked.HARMLESS", 2**20)
    with pytest.raises(FileError, match=r"unpacks to more than \d+ MiB.*; if it is right, (save|write) it without"):
        fewer.open_table(path, target="y")


def test_words_outside_the_dictionary_of_a_parquet_file_are_refused(tmp_path):
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    # Three words take two bits each, so that four can be told.
    words = pa.table({"word": ["a", "b", "c"] * 40, "x": np.arange(120.0), "y": np.arange(120) % 2})
    path = tmp_path / "rows.parquet"
    pq.write_table(words, path, compression="none", use_dictionary=["word"])
    whole = path.read_bytes()
    # The places of a, b, c, ... in order, as they are packed.
    at = whole.index(bytes([0b00100100, 0b01001001]))
    path.write_bytes(whole[:at] + bytes([0b11100100]) + whole[at + 1 :])
    for ask in (lambda: fewer.rank(path, "y", method="InformationGain"), lambda: fewer.open_table(path).read()):
        with pytest.raises(FileError, match="could not be read as Parquet"):
            ask()

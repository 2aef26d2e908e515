"""Small compressed files that say they unpack without end are refused before anything is unpacked."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.feather as feather
import pytest

import fewer
from fewer.core.reading.io import unpacked
from fewer.core.reading.io.arrow_sizes import unpacked_size
from fewer.core.records.errors import FileError


def table(rows):
    y = np.arange(rows) % 2
    return pa.table({"x": np.zeros(rows), "s": pa.array(["a", "b"] * (rows // 2)).dictionary_encode(), "y": y})


def write(path, kind, rows, compression):
    made, options = table(rows), pa.ipc.IpcWriteOptions(compression=compression)
    if kind == "feather":
        feather.write_feather(made, path, compression=compression or "uncompressed", chunksize=rows // 2)
    else:
        with getattr(pa.ipc, f"new_{kind}")(path, made.schema, options=options) as out:
            out.write_table(made, max_chunksize=rows // 2)


@pytest.mark.parametrize("kind", ["feather", "file", "stream"])
@pytest.mark.parametrize("compression", ["zstd", "lz4", None])
def test_the_size_is_that_of_the_columns(tmp_path, kind, compression):
    path = tmp_path / "rows.arrow"
    write(path, kind, 4000, compression)
    # Numbers take 8 bytes, places of levels 4; their few texts a little.
    expected = 4000 * (8 + 4 + 8)
    assert (expected <= unpacked_size(path) < expected + 200) if compression else unpacked_size(path) == 0


@pytest.mark.parametrize("kind", ["feather", "stream"])
def test_a_bomb_is_refused_unopened(tmp_path, monkeypatch, kind):
    path = tmp_path / "rows.arrow"
    write(path, kind, 400_000, "zstd")
    monkeypatch.setattr(unpacked, "HARMLESS", 2**20)
    monkeypatch.setattr(unpacked, "MOST_TIMES", 20)
    with pytest.raises(FileError, match="as no table of data does"):
        fewer.open_table(path)


def test_cut_off_files_are_left_to_their_reader(tmp_path):
    path, cut = tmp_path / "rows.arrow", tmp_path / "cut.arrow"
    for kind in ("file", "stream"):
        write(path, kind, 40, "zstd")
        whole = path.read_bytes()
        for length in range(0, len(whole), 7):
            cut.write_bytes(whole[:length])
            assert unpacked_size(cut) >= 0

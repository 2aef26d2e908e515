"""Streams read a file several times: it must stay the same, and the result must be that of memory to the last bit."""

import tempfile

import numpy as np
import pandas as pd
import pytest

import fewer
from fewer.core.records.errors import FewerError, FileError


def _written(path, n_rows, top=None, holes=0):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_rows, 4)) if top is None else rng.integers(0, top, (n_rows, 4)).astype(float)
    X[:holes, 2] = np.nan
    frame = pd.DataFrame(X, columns=list("abcd")).assign(y=np.arange(n_rows) % 3)
    frame.to_csv(path, index=False)
    return path


@pytest.mark.parametrize("cache_bytes", [0, 2**30])
@pytest.mark.parametrize("n_rows", [40, 900])
def test_other_rows_are_refused(tmp_path, n_rows, cache_bytes):
    path = _written(tmp_path / "rows.csv", 300)
    table = fewer.open_table(path, target="y", batch_rows=50, cache_bytes=cache_bytes)
    assert table.missing == 0
    _written(path, n_rows)
    for method in (fewer.MRMR(2), fewer.InformationGain(2), fewer.MRMR(2, discretizer="uniform")):
        with pytest.raises(FileError, match="must not change"):
            method.fit(table)
    with pytest.raises(FileError, match="must not change"):
        table.load()


@pytest.mark.parametrize("after", [{"top": 200}, {"top": 2, "holes": 9}])
def test_levels_beyond_those_of_the_first_reading_are_refused(tmp_path, after):
    path = _written(tmp_path / "rows.csv", 300, top=2)
    table = fewer.open_table(path, target="y", batch_rows=50)
    assert table.missing == 0
    _written(path, 300, **after)
    with pytest.raises(FewerError):
        fewer.InformationGain(2, discretizer=None).fit(table)
    if "holes" in after:
        with pytest.raises(FewerError, match="must not change"):
            fewer.InformationGain(2).fit(table)


def test_wider_svmlight_files_are_refused(tmp_path):
    path = tmp_path / "rows.svmlight"
    path.write_text("1 1:2 2:1\n0 1:1\n" * 20)
    table = fewer.open_table(path)
    assert table.missing == 0
    path.write_text("1 1:2 9000:1\n0 1:1\n" * 20)
    with pytest.raises(FileError, match="must not change"):
        fewer.InformationGain(1).fit(table)


@pytest.mark.parametrize("form", ["csv", "npz", "svmlight"])
def test_only_columns_with_missing_values_have_a_level_for_them(tmp_path, form):
    frame = pd.read_csv(_written(tmp_path / "rows.csv", 300, holes=9))
    if form == "npz":
        np.savez(tmp_path / "rows.npz", X=frame[list("abcd")], y=frame["y"])
    elif form == "svmlight":
        lines = [f"{int(y)} " + " ".join(f"{j + 1}:{v}" for j, v in enumerate(x)) for *x, y in frame.to_numpy()]
        (tmp_path / "rows.svmlight").write_text("\n".join(lines) + "\n")
    table = fewer.open_table(tmp_path / f"rows.{form}", target="y", batch_rows=7)
    method = fewer.InformationGain(2, bins=5)
    streamed = []
    method._select, select = (
        lambda view, parts: streamed.append(method._view(view, parts)) or select(view, parts),
        method._select,
    )
    method.fit(table)
    assert streamed[0].n_levels.tolist() == [5, 5, 6, 5]


def test_more_bins_than_kept_values(tmp_path, monkeypatch):
    monkeypatch.setattr("fewer.core.summaries.quantiles.MOST_KEPT", 16)
    values = np.random.default_rng(0).permutation(np.r_[np.arange(40.0), np.full(80, 5.0)])
    path = tmp_path / "rows.parquet"
    pd.DataFrame({"a": values, "y": np.arange(120) % 2}).to_parquet(path)
    table = fewer.open_table(path, target="y", batch_rows=25)
    streamed, memory = (fewer.InformationGain(1, bins=60).fit(data) for data in (table, table.load()))
    assert streamed.scores_.tobytes() == memory.scores_.tobytes()


def test_a_missing_folder_for_temporary_files_is_told(tmp_path, monkeypatch):
    table = fewer.open_table(_written(tmp_path / "rows.csv", 60), target="y", cache_bytes=0)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "none"))
    with pytest.raises(FileError, match="TMPDIR"):
        fewer.MRMR(2).fit(table)

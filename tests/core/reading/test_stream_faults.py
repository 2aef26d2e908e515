"""What goes wrong while a table streams is told in one sentence, and nothing half-written is left."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

import fewer
from fewer.core.records.errors import FewerError, FileError
from fewer.core.summaries.quantiles import RankedValues

N = 60_000


def written(path, seed=0, n=N):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    columns = {f"x{j}": rng.normal(size=n) + (j == 2) * y for j in range(8)}
    parquet.write_table(pa.table({**columns, "y": y}), path, row_group_size=5000)
    return path


@pytest.fixture
def path(tmp_path):
    return written(tmp_path / "rows.parquet")


def one_sentence(error):
    text = str(error.value)
    assert "\n" not in text
    return text


def test_no_room_for_codes_on_the_disk(path, small_disk, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(small_disk))
    with pytest.raises(FileError) as caught:
        fewer.MRMR(3).fit(fewer.open_table(path, "y", batch_rows=5000, cache_bytes=1000))
    text = one_sentence(caught)
    assert "could not be kept in" in text
    assert "TMPDIR" in text
    assert not list(small_disk.iterdir())


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_no_room_where_work_is_kept(path, small_disk, n_jobs):
    with pytest.raises(FileError) as caught:
        fewer.MRMR(3, n_jobs=n_jobs).fit(fewer.open_table(path, "y", batch_rows=5000, resume=small_disk / "kept"))
    text = one_sentence(caught)
    assert "could not be kept in the folder" in text
    assert "space" in text
    # What was being written is gone.
    assert [one.name for one in (small_disk / "kept").iterdir()] == ["record"]


def test_a_command_without_room_writes_no_output(path, small_disk, tmp_path):
    out = tmp_path / "out.json"
    words = ["select", str(path), "--target", "y", "-m", "MRMR", "-n", "2", "--stream", "--out", str(out)]
    done = subprocess.run(
        [sys.executable, "-m", "fewer", *words, "--resume", str(small_disk / "kept")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode not in (0, -9)
    assert "could not be kept" in done.stderr
    assert "Traceback" not in done.stderr
    assert not out.exists()


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("harm", ["shorter", "changed", "gone"])
def test_a_file_that_changes_between_passes(path, monkeypatch, harm, n_jobs):
    """Harm is done when the first pass for quantiles has begun."""
    tile, done = RankedValues.tile, []

    def harming(self, *rest):
        if not done:
            done.append(harm)
            if harm == "shorter":
                os.truncate(path, path.stat().st_size // 2)
            elif harm == "gone":
                path.unlink()
            else:
                written(path, seed=1)
        return tile(self, *rest)

    monkeypatch.setattr(RankedValues, "tile", harming)
    with pytest.raises(FewerError) as caught:
        fewer.InformationGain(3, n_jobs=n_jobs).fit(fewer.open_table(path, "y", batch_rows=5000))
    assert done
    assert "must not change" in one_sentence(caught)


def test_a_file_that_was_cut_off_before(path):
    os.truncate(path, path.stat().st_size // 2)
    with pytest.raises(FileError) as caught:
        fewer.InformationGain(3).fit(fewer.open_table(path, "y"))
    assert "complete file is needed" in one_sentence(caught)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_reading_ahead_ends_with_the_work(path, monkeypatch, n_jobs):
    """An error in the middle leaves no thread behind that reads on."""
    import threading

    before = threading.active_count()
    monkeypatch.setattr(RankedValues, "tile", lambda *given: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        fewer.InformationGain(3, n_jobs=n_jobs).fit(fewer.open_table(path, "y", batch_rows=500))
    assert threading.active_count() <= before


def test_one_thread_and_two_give_the_same_to_the_last_bit(path):
    found = [
        fewer.MRMR(4, n_jobs=n_jobs).fit(fewer.open_table(path, "y", batch_rows=700, cache_bytes=cache)).scores_
        for n_jobs in (1, 2)
        for cache in (None, 1000)
    ]
    for scores in found[1:]:
        np.testing.assert_array_equal(scores, found[0])

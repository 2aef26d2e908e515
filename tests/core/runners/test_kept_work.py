"""Work that is kept in a folder: what a killed process has done is not done again, and the result is the same."""

from __future__ import annotations

import json
import os
import pickle
import signal
import subprocess
import sys
from collections import Counter

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

import fewer
from fewer.core.reading.io import columnar
from fewer.core.records.errors import FileError, ParameterError
from fewer.core.runners import kept_work
from fewer.core.runners.kept_work import KeptWork
from fewer.core.runners.stream import StreamRunner, identity

N = 4000
METHODS = {
    "InformationGain": {"n_features_to_select": 3},
    "MRMR": {"n_features_to_select": 4},
    "GaussianMRMR": {"n_features_to_select": 3},
    "DefaultRecipe": {},
}
# Is killed when it has kept some pieces of work, in the middle of the next.
KILLED = """
import os, signal, sys
import fewer
from fewer.core.runners import kept_work
kept_work.SHORT = 0
write, left = kept_work.Writing.write, [int(sys.argv[4])]
def writing(self, piece):
    left[0] -= 1
    if left[0] < 0:
        self._file.write(b"half a piece")
        self._file.flush()
        os.kill(os.getpid(), signal.SIGKILL)
    write(self, piece)
kept_work.Writing.write = writing
table = fewer.open_table(sys.argv[1], "y", batch_rows=900, cache_bytes=1000, resume=sys.argv[2])
fewer.get(sys.argv[3])(n_features_to_select=4).fit(table)
"""


@pytest.fixture(autouse=True)
def everything_is_kept(monkeypatch):
    monkeypatch.setattr(kept_work, "SHORT", 0)


@pytest.fixture
def path(tmp_path, rng):
    y = rng.integers(0, 2, N)
    X = rng.normal(size=(N, 8))
    X[:, 2] += y
    X[:, 5] += X[:, 2]
    parquet.write_table(pa.table({**{f"x{j}": X[:, j] for j in range(8)}, "y": y}), tmp_path / "rows.parquet")
    return tmp_path / "rows.parquet"


@pytest.fixture
def passes(monkeypatch):
    counted: Counter[str] = Counter()
    read = columnar._ParquetPart.read

    def counting(self, *rest):
        counted["file"] += 1
        return read(self, *rest)

    monkeypatch.setattr(columnar._ParquetPart, "read", counting)
    return counted


def fitted(path, name, passes=None, **given):
    if passes is not None:
        passes.clear()
    table = fewer.open_table(path, "y", batch_rows=900, **given)
    return fewer.get(name)(**METHODS[name]).fit(table).selection_


def same(one, other):
    np.testing.assert_array_equal(one.indices, other.indices)
    np.testing.assert_array_equal(one.order, other.order)
    if one.scores is not None:
        np.testing.assert_array_equal(one.scores, other.scores)


@pytest.mark.parametrize("cache_bytes", [None, 1000], ids=["codes in memory", "codes on disk"])
@pytest.mark.parametrize("name", METHODS)
def test_the_second_time_only_opens_the_file_and_finds_the_same(path, tmp_path, passes, name, cache_bytes):
    want = fitted(path, name, cache_bytes=cache_bytes)
    first = fitted(path, name, passes, cache_bytes=cache_bytes, resume=tmp_path / "kept")
    assert passes["file"] > 1
    again = fitted(path, name, passes, cache_bytes=cache_bytes, resume=tmp_path / "kept")
    assert passes["file"] == 1
    same(first, want)
    same(again, want)


@pytest.mark.parametrize("pieces", [0, 1, 2, 6])
def test_after_a_kill_the_same_work_goes_on(path, tmp_path, passes, pieces):
    kept = tmp_path / "kept"
    words = [sys.executable, "-c", KILLED, str(path), str(kept), "MRMR", str(pieces)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == -signal.SIGKILL, done.stderr
    entries = (kept / "record").read_text().count("\n") - 1
    want = fitted(path, "MRMR")
    summed = Counter()
    folded = StreamRunner._folded

    def counting(self, summary, blocks):
        summed[type(summary).__name__] += 1
        return folded(self, summary, blocks)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(StreamRunner, "_folded", counting)
        same(fitted(path, "MRMR", passes, cache_bytes=1000, resume=kept), want)
        gone_on, read = summed.total(), passes["file"]
        summed.clear()
        same(fitted(path, "MRMR", cache_bytes=1000, resume=tmp_path / "whole"), want)
    # Codes are one entry, of several pieces, that is no summary.
    assert gone_on == summed.total() - entries + (entries > 2)
    # With codes on disk, the file is read to open it and no more.
    assert read == {0: 3, 1: 2, 2: 2, 6: 1}[pieces]


def test_what_a_kill_leaves_half_written_is_not_taken(path, tmp_path):
    kept = tmp_path / "kept"
    fitted(path, "InformationGain", resume=kept)
    record = (kept / "record").read_bytes()
    (kept / "record").write_bytes(record[:-20])
    with pytest.warns(UserWarning, match="that pass is made again"):
        again = fitted(path, "InformationGain", resume=kept)
    same(again, fitted(path, "InformationGain"))


@pytest.mark.skipif(os.name != "posix", reason="whether a process runs is asked by a signal")
def test_what_killed_processes_were_writing_is_removed_and_not_what_others_write(tmp_path):
    kept, facts = tmp_path / "kept", {"rows": "3"}
    work = KeptWork(kept, facts)
    with subprocess.Popen([sys.executable, "-S", "-c", ""]) as ended:
        pass
    with work.writing(work.key("codes")):
        (half,) = (file for file in kept.iterdir() if file.name != "record")
        own = str(os.getpid())
        assert half.name.endswith(own)
        left = half.with_name(half.name.removesuffix(own) + str(ended.pid))
        foreign = half.with_name("0-ab.00000000." + str(ended.pid))
        for file in (left, foreign):
            file.write_bytes(b"half a piece")
        KeptWork(kept, facts)
        assert not left.exists()
        assert half.exists()
        assert foreign.exists()


def test_two_processes_that_begin_at_the_same_moment_share_a_folder(tmp_path):
    first = KeptWork(tmp_path / "kept", {"rows": "3"})
    record = tmp_path / "kept" / "record"
    # Each has found nothing there, and written whose the lines are.
    record.write_bytes(2 * record.read_bytes())
    with first.writing(first.key("moments")) as file:
        file.write(np.arange(3))
    second = KeptWork(tmp_path / "kept", {"rows": "3"})
    np.testing.assert_array_equal(next(second.answers(second.key("moments"))), np.arange(3))


@pytest.mark.parametrize("harm", ["changed", "shorter", "gone", "another program", "a program by way of ours"])
def test_damage_is_refused_in_a_sentence(path, tmp_path, harm):
    kept = tmp_path / "kept"
    fitted(path, "InformationGain", resume=kept)
    entry = json.loads((kept / "record").read_text().splitlines()[1].split(" ", 1)[1])
    part = kept / entry["file"]
    text = bytearray(part.read_bytes())
    if harm == "changed":
        text[len(text) // 2] ^= 1
    elif harm == "shorter":
        del text[-5:]
    elif harm.endswith(("another program", "ours")):
        text = bytearray(pickle.dumps(os.getcwd))
        if harm.endswith("ours"):
            # What a module of ours has imported: numpy, and through it what opens any library.
            text = bytearray(b"\x80\x04\x8c\x1bfewer.core.summaries.counts\x8c\x18np.ctypeslib.ctypes.CDLL\x93N\x85R.")
        lines = (kept / "record").read_text().splitlines()
        entry["parts"] = [[len(text), kept_work.crc32(text)]]
        line = json.dumps(entry)
        lines[1] = f"{kept_work.crc32(line.encode()):08x} {line}"
        (kept / "record").write_text("\n".join(lines) + "\n")
    part.unlink() if harm == "gone" else part.write_bytes(text)
    with pytest.raises(FileError, match="is damaged or gone") as caught:
        fitted(path, "InformationGain", resume=kept)
    assert "\n" not in str(caught.value)


def test_another_file_other_columns_and_other_batches_are_other_work(path, tmp_path):
    kept = tmp_path / "kept"
    fitted(path, "InformationGain", resume=kept)
    for given, words in (
        ({"drop": ["x1"]}, "columns differ"),
        ({"batch_rows": 800}, "batches was 900 rows and is 800"),
    ):
        table = fewer.open_table(path, "y", **{"batch_rows": 900, **given}, resume=kept)
        with pytest.raises(FileError, match=words):
            fewer.InformationGain(3).fit(table)
    os.utime(path, ns=(1, 1))
    with pytest.raises(FileError, match="files differ"):
        fitted(path, "InformationGain", resume=kept)


def test_where_nothing_can_be_kept_a_sentence_says_so(path, tmp_path):
    (tmp_path / "file").write_text("")
    for folder, words in ((tmp_path / "file", "is a file"), (tmp_path / "no" / "folder", "could not be kept")):
        with pytest.raises(FileError, match=words):
            fitted(path, "InformationGain", resume=folder)
    with pytest.raises(ParameterError, match="reads its rows at once"):
        fewer.select(str(path), "y", "TreeFilter", resume=tmp_path / "kept")
    with pytest.raises(ParameterError, match="several columns"):
        fewer.open_table(path, ["x0", "x1"], resume=tmp_path / "kept")


def test_questions_that_cannot_be_written_down_are_asked_again(tmp_path):
    work = KeptWork(tmp_path / "kept", {})
    assert work.key(lambda: None) is None
    # Rows that do not say what they are.
    assert work.key("question", identity([1, 2])) is None
    calls = []
    for _ in range(2):
        assert work.remembered(None, lambda: calls.append(1) or 7) == 7
    assert len(calls) == 2


def test_short_passes_are_made_again_rather_than_kept(path, tmp_path, monkeypatch):
    monkeypatch.setattr(kept_work, "SHORT", 1e9)
    fitted(path, "InformationGain", resume=tmp_path / "kept")
    assert [one.name for one in (tmp_path / "kept").iterdir()] == ["record"]

"""A file of finished pieces: nothing is lost, nothing damaged is used, nothing strange is touched."""

from __future__ import annotations

import os

import pytest

from fewer.core.records.errors import FileError
from fewer.core.records.journal import Journal

FACTS = {"data": "d1", "seed": "3"}


def written(path, n=5):
    journal = Journal(path, "test", FACTS)
    journal.append([f"piece {i} \u00fc" for i in range(n)])
    return path


def test_lines_come_back(tmp_path):
    path = written(tmp_path / "j")
    assert Journal(path, "test", FACTS).lines == [f"piece {i} \u00fc" for i in range(5)]


def test_every_flipped_bit_is_noticed(tmp_path):
    text = written(tmp_path / "j").read_bytes()
    first = text.index(b"\n") + 1
    last = text.rindex(b"\n", 0, -1) + 1
    for at in range(len(text)):
        damaged = bytearray(text)
        damaged[at] ^= 1 << (at % 8)
        path = tmp_path / "damaged"
        path.write_bytes(bytes(damaged))
        if at < last - 1:
            with pytest.raises(FileError, match="another kind|damaged line|other work"):
                Journal(path, "test", FACTS)
            assert path.read_bytes() == bytes(damaged)
        else:
            with pytest.warns(UserWarning, match="last line"):
                found = Journal(path, "test", FACTS)
            assert found.lines == [f"piece {i} \u00fc" for i in range(4 if at >= last else 3)][: len(found.lines)]
            assert len(found.lines) >= 3
    assert first < last


def test_a_line_that_was_cut_off_is_dropped_and_written_again(tmp_path):
    text = written(tmp_path / "j").read_bytes()
    path = tmp_path / "cut"
    path.write_bytes(text[:-3])
    with pytest.warns(UserWarning, match="last line"):
        journal = Journal(path, "test", FACTS)
    assert len(journal.lines) == 4
    journal.append(["piece 4 \u00fc"])
    assert path.read_bytes() == text


def test_other_work_and_strange_files_are_refused_and_left(tmp_path):
    path = written(tmp_path / "j")
    with pytest.raises(FileError, match="seed was 3 and is 4"):
        Journal(path, "test", {**FACTS, "seed": "4"})
    with pytest.raises(FileError, match="another kind"):
        Journal(path, "other", FACTS)
    for text in (b"{", b"precious\n", b"one line without an end", b"\xff\xfe", b"cafe"):
        path.write_bytes(text)
        with pytest.raises(FileError, match="left as it is"):
            Journal(path, "test", FACTS)
        assert path.read_bytes() == text


def test_only_plain_files_are_read(tmp_path):
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    for path in (fifo, tmp_path):
        with pytest.raises(FileError, match="no plain file"):
            Journal(path, "test", FACTS)
    with pytest.raises(FileError, match="cannot be used"):
        Journal(tmp_path / "no" / "folder", "test", FACTS)

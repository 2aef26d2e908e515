"""A file of finished pieces: nothing is lost, nothing damaged is used, nothing strange is touched."""

from __future__ import annotations

import os
import stat
from zlib import crc32

import pytest

from fewer.core.records.errors import FileError
from fewer.core.records.journal import Journal
from fewer.core.runners.fits import KIND, FitJournal
from fewer.core.search.checkpoint import Checkpoint
from fewer.evaluate.checkpoint import UnitJournal

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


def test_a_device_is_not_read_without_end(tmp_path):
    device = tmp_path / "zero"
    try:
        os.mknod(device, 0o666 | stat.S_IFCHR, os.makedev(1, 5))
    except OSError:
        pytest.skip("device nodes cannot be made here")
    with pytest.raises(FileError, match="no plain file"):
        Journal(device, "test", FACTS)


def test_lines_of_older_versions_are_refused_as_such(tmp_path):
    path = tmp_path / "old"
    path.write_text('{"kind": "test", "format": 1, "facts": {}}\n1 2\t0.5\n')
    with pytest.raises(FileError, match="older versions"):
        Journal(path, "test", FACTS)


def test_a_checked_line_that_is_no_text_is_damage(tmp_path):
    path = written(tmp_path / "j")
    with open(path, "ab") as file:
        file.write(b"%08x \xff\xfe\n" % crc32(b"\xff\xfe"))
    with pytest.warns(UserWarning, match="last line"):
        assert len(Journal(path, "test", FACTS).lines) == 5


def test_lines_that_another_process_adds_are_not_cut_off(tmp_path):
    path = written(tmp_path / "j")
    first = Journal(path, "test", FACTS)
    Journal(path, "test", FACTS).append(["from another"])
    first.append(["from the first"])
    assert Journal(path, "test", FACTS).lines[-2:] == ["from another", "from the first"]


def test_a_full_disk_names_the_file(small_disk):
    journal = Journal(small_disk / "j", "test", FACTS)
    with pytest.raises(FileError, match=r"/j cannot be used \(No space left on device\)"):
        journal.append(["x" * 1000] * 1000)


@pytest.mark.parametrize("line", ["[]", "{}", "3", '{"fit": [1], "shape": [2], "values": [1, 2]}', "[" * 90_000])
def test_a_line_that_is_no_fit_is_one_sentence(tmp_path, line):
    Journal(tmp_path / "j", KIND, FACTS).append([line])
    with pytest.raises(FileError, match="no result of a fit"):
        FitJournal(tmp_path / "j", FACTS)


@pytest.mark.parametrize("line", ["1 2", "1 2\t0.5\t3", "2 1\t0.5", "9\t1", "-1\t2", "a\t1", "1 1\t2", '{"a": 1}'])
def test_a_line_that_is_no_evaluation_is_one_sentence(tmp_path, line):
    Journal(tmp_path / "j", "fewer evaluations", FACTS).append([line])
    with pytest.raises(FileError, match="no evaluations"):
        Checkpoint(tmp_path / "j", FACTS, 4)


@pytest.mark.parametrize(
    "line", ["[]", "{}", "3", '{"method": "a", "fold": 0}', '{"method": [], "fold": 0}', "[" * 90_000]
)
def test_a_line_that_is_no_unit_is_one_sentence(tmp_path, line):
    Journal(tmp_path / "j", "fewer comparison", {"data, settings or version": "k"}).append([line])
    with pytest.raises(FileError, match="no unit of a comparison"):
        UnitJournal(tmp_path / "j", "k")

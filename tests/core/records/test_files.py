from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import threading
import time

import pytest

from fewer.core.records.errors import FileError
from fewer.core.records.json_text import written
from fewer.core.records.whole_files import whole_file, write_all, write_whole


def test_links_are_followed_and_rights_kept(tmp_path):
    real, link = tmp_path / "real.json", tmp_path / "link.json"
    real.write_text("old")
    real.chmod(0o600)
    link.symlink_to(real)
    write_whole(link, "new")
    assert link.is_symlink()
    assert real.read_text() == "new"
    assert stat.S_IMODE(real.stat().st_mode) == 0o600


def test_pipes_are_written_to(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    got = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_text()))
    reader.start()
    write_whole(pipe, "through")
    reader.join(5)
    assert got == ["through"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def own_device(path, number):
    """Make a device node, as that of the machine must not be tested with."""
    try:
        os.mknod(path, 0o666 | stat.S_IFCHR, os.makedev(1, number))
        with open(path, "wb"):
            return path
    except OSError:
        pytest.skip("device nodes cannot be made here")


def test_a_device_is_written_to_and_stays(tmp_path):
    device = own_device(tmp_path / "null.json", 3)
    write_whole(device, "gone")
    write_all([(device, lambda path: path.write_text("gone"))])
    assert stat.S_ISCHR(device.stat().st_mode)
    assert [path.name for path in tmp_path.iterdir()] == ["null.json"]


def test_a_full_disk_is_told_in_one_sentence(tmp_path):
    device = own_device(tmp_path / "full", 7)
    with pytest.raises(FileError, match="could not be written"):
        write_whole(device, "x" * 10_000)
    assert stat.S_ISCHR(device.stat().st_mode)


def test_several_outputs_follow_links_and_keep_rights(tmp_path):
    (tmp_path / "there").mkdir()
    real, link, dangling = tmp_path / "there" / "real", tmp_path / "link", tmp_path / "dangling"
    real.write_text("old")
    real.chmod(0o640)
    link.symlink_to(real)
    dangling.symlink_to(tmp_path / "there" / "new")
    write_all([(path, lambda temporary: temporary.write_text("new")) for path in (link, dangling, tmp_path / "plain")])
    assert link.is_symlink()
    assert dangling.is_symlink()
    assert {path.read_text() for path in (real, dangling, tmp_path / "plain")} == {"new"}
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    assert sorted(path.name for path in tmp_path.iterdir()) == ["dangling", "link", "plain", "there"]


def test_nothing_is_written_if_one_output_fails(tmp_path):
    def fail(path):
        path.write_text("half")
        raise FileError(f"{path} is bad")

    with pytest.raises(FileError, match=rf"^{tmp_path}/b is bad"):
        write_all([(tmp_path / "a", lambda path: path.write_text("whole")), (tmp_path / "b", fail)])
    assert not list(tmp_path.iterdir())


def test_files_that_were_moved_go_back_if_a_later_one_cannot(tmp_path):
    older, fresh, full = tmp_path / "older", tmp_path / "fresh", own_device(tmp_path / "full", 7)
    older.write_text("old")
    older.chmod(0o600)
    # The device comes first, but is written last: what it got could not be taken back.
    for paths in ([full, older, fresh], [older, fresh, tmp_path / "folder"]):
        with pytest.raises(FileError, match=f"The file {tmp_path}/f(ull|older) could not be written"):
            write_all([(path, lambda temporary: temporary.write_text("new" * 10_000)) for path in paths])
        assert older.read_text() == "old"
        assert stat.S_IMODE(older.stat().st_mode) == 0o600
        assert not fresh.exists()
        (tmp_path / "folder").mkdir(exist_ok=True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder", "full", "older"]


def test_bytes_of_names_that_are_no_letters_are_written_and_read_again(tmp_path):
    # What the command line was given is told in every result, also the name of a file that is not UTF-8.
    value = {"command": "select caf\udce9.csv"}
    write_whole(tmp_path / "out", written(value))
    assert json.loads((tmp_path / "out").read_text(encoding="utf-8")) == value


def test_leftovers_of_a_killed_process_go_and_those_of_a_living_one_stay(tmp_path):
    script = (
        "import os, sys, signal; from fewer.core.records.whole_files import whole_file\n"
        "with whole_file(sys.argv[1]) as path: path.write_text('half'); os.kill(os.getpid(), signal.SIGKILL)"
    )
    subprocess.run([sys.executable, "-c", script, str(tmp_path / "out")], check=False)
    (left,) = tmp_path.iterdir()
    with whole_file(tmp_path / "other") as living:
        living.write_text("kept")
        long_ago = time.time() - 3600
        for folder in tmp_path.iterdir():
            os.utime(folder, (long_ago, long_ago))
        write_whole(tmp_path / "again", "whole")
        assert not left.exists()
        assert living.exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["again", "other"]

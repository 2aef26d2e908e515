from __future__ import annotations

import os
import stat
import threading

import pytest

from fewer.core.records.errors import FileError
from fewer.core.records.whole_files import write_whole


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


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no such device here")
def test_a_full_disk_is_told_in_one_sentence():
    with pytest.raises(FileError, match="could not be written"):
        write_whole("/dev/full", "x" * 10_000)
    assert stat.S_ISCHR(os.stat("/dev/full").st_mode)

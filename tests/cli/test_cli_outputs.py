"""Outputs of commands go through links, to devices and into pipes, and keep the rights of the file they replace."""

from __future__ import annotations

import os
import signal
import stat
import threading
import time

import pytest

from fewer.cli.main import main
from fewer.cli.output import write_outputs
from fewer.core.records.whole_files import write_all

SELECT = ["select", "iris", "--target", "target", "-m", "FTest", "-n", "2"]


def test_a_device_is_never_replaced(tmp_path):
    device = tmp_path / "null.html"
    try:
        os.mknod(device, 0o666 | stat.S_IFCHR, os.makedev(1, 3))
        device.write_text("")
    except OSError:
        pytest.skip("device nodes cannot be made here")
    for option in ("--out", "--report"):
        assert main([*SELECT, option, str(device)]) == 0
        assert stat.S_ISCHR(device.stat().st_mode)


def test_a_link_is_followed_and_rights_are_kept(tmp_path):
    (tmp_path / "there").mkdir()
    real, link = tmp_path / "there" / "real.json", tmp_path / "link.json"
    real.write_text("old")
    real.chmod(0o600)
    link.symlink_to(real)
    assert main([*SELECT, "--out", str(link)]) == 0
    assert link.is_symlink()
    assert '"indices"' in real.read_text()
    assert stat.S_IMODE(real.stat().st_mode) == 0o600


def test_a_pipe_is_written_to(tmp_path):
    pipe = tmp_path / "pipe.json"
    os.mkfifo(pipe)
    got = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_text()), daemon=True)
    reader.start()
    assert main([*SELECT, "--out", str(pipe)]) == 0
    reader.join(10)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert '"indices"' in got[0]


def test_links_in_a_circle_are_one_sentence(tmp_path, capsys):
    (tmp_path / "one").symlink_to(tmp_path / "other")
    (tmp_path / "other").symlink_to(tmp_path / "one")
    for words in (["--out", str(tmp_path / "one")], ["--report", str(tmp_path / "other")]):
        assert main([*SELECT, *words]) == 1
        assert "lead in a circle" in capsys.readouterr().err


def test_a_result_is_read_from_files_alone(tmp_path, capsys):
    pipe, device, table = tmp_path / "pipe.json", tmp_path / "zero.json", tmp_path / "pipe.csv"
    os.mkfifo(pipe)
    os.mkfifo(table)
    given = [["explain", str(pipe), "x"], ["report", str(pipe), "--out", str(tmp_path / "r.html")]]
    given.append(["select", str(table), "--target", "y"])
    try:
        os.mknod(device, 0o666 | stat.S_IFCHR, os.makedev(1, 5))
        device.open("rb").close()
        # Gives zeros without end.
        given.append(["explain", str(device), "x"])
    except OSError:
        pass
    for words in given:
        assert main(words) == 1
        assert "is a device or a pipe" in capsys.readouterr().err


@pytest.fixture
def heard():
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_ctrl_c_before_all_is_in_place_writes_nothing_and_after_it_is_not_heeded(tmp_path, heard, monkeypatch):
    places = [tmp_path / "first.txt", tmp_path / "second.txt"]
    places[0].write_text("older")
    outputs = [(place, lambda path: path.write_text("new")) for place in places]

    def interrupt():
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(1)

    with pytest.raises(KeyboardInterrupt):
        write_all(outputs, interrupt)
    assert places[0].read_text() == "older"
    assert not places[1].exists()
    write_outputs(outputs)
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(0.01)
    assert [place.read_text() for place in places] == ["new", "new"]


def test_a_program_that_runs_a_command_hears_ctrl_c_again(tmp_path, heard):
    assert main(["make", "xor", "--out", str(tmp_path / "rows.csv")]) == 0
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler

"""Signals: an exit code that says so, nothing half done, and nobody left behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

COMMAND = [sys.executable, "-m", "fewer"]
SEARCH = ["-m", "GeneticSelector", "--generations", "100000", "--patience", "none", "--population", "60"]


@pytest.fixture
def table(tmp_path):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 40))
    y = (X[:, 0] + X[:, 1] > 0).astype(int)
    path = tmp_path / "rows.csv"
    rows = np.column_stack([X, y])
    head = ",".join([*(f"x{j}" for j in range(40)), "y"])
    np.savetxt(path, rows, delimiter=",", header=head, comments="", fmt="%.6g")
    return path


def interrupted(words, cwd, after):
    """Run a command and send SIGINT as soon as a file says that the search is on its way."""
    with subprocess.Popen(
        [*COMMAND, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=cwd
    ) as one:
        end = time.monotonic() + 120
        while one.poll() is None and time.monotonic() < end:
            if after.exists() and after.read_bytes().count(b"\n") > 20:
                one.send_signal(signal.SIGINT)
                break
            time.sleep(0.02)
        try:
            out, err = one.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            one.kill()
            raise
    return one.returncode, out, err


@pytest.mark.parametrize("keep", [False, True])
def test_ctrl_c_in_a_search_writes_only_what_was_asked_for(table, tmp_path, keep):
    out, point = tmp_path / "s.json", tmp_path / "point"
    out.write_text("older")
    words = ["select", table, "-t", "y", *SEARCH, "--checkpoint", point, "--seed", "0", "--out", out]
    code, shown, said = interrupted([*words, *["--keep-partial"] * keep], tmp_path, point)
    assert (code, shown) == (130, ""), said
    assert "Traceback" not in said
    assert "Interrupted" in said
    if keep:
        assert "Interrupted" in json.loads(out.read_text())["meta"]["partial"]
    else:
        assert out.read_text() == "older"


def started(words, cwd, **more):
    return subprocess.Popen(
        [*COMMAND, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=cwd, **more
    )


def wait_for(path, lines):
    end = time.monotonic() + 120
    while not (path.exists() and path.read_bytes().count(b"\n") > lines) and time.monotonic() < end:
        time.sleep(0.02)


def test_an_ignored_signal_stays_ignored(table, tmp_path):
    words = ["compare", table, "-t", "y", "-j", "1", "-m", "FTest,MRMR", "--cv", "3", "--out", tmp_path / "c.json"]
    with started(words, tmp_path, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN)) as one:
        wait_for(tmp_path / "c.json.unfinished", 2)
        one.send_signal(signal.SIGINT)
        _, said = one.communicate(timeout=200)
    assert one.returncode == 0, said
    assert (tmp_path / "c.json").exists()


def test_kill_leaves_no_child_that_holds_the_pipes(table, tmp_path):
    words = ["compare", table, "-t", "y", "-j", "2", "--cv", "10", "--out", tmp_path / "c.json"]
    with started(words, tmp_path) as one:
        wait_for(tmp_path / "c.json.unfinished", 1)
        os.kill(one.pid, signal.SIGKILL)
        begin = time.monotonic()
        # Ends only when nobody holds the other end any more.
        one.communicate(timeout=60)
    assert time.monotonic() - begin < 20
    assert not (tmp_path / "c.json").exists()

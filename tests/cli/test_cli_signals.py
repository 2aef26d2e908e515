"""Signals: an exit code that says so, nothing half done, and nobody left behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from common.examples import EXAMPLES

SCRIPT = Path(__file__).with_name("interrupted_runs.py")
# Moments per command, and commands; in `make test-deep` 20 interruptions, 10 kills and more, of all commands.
MOMENTS, COMMANDS = (1, ["annealing", "compare"]) if EXAMPLES == 1 else (max(30, EXAMPLES), [])


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes cannot be copied here")
def test_signals_at_random_moments_end_in_a_sentence_and_the_next_run_goes_on(tmp_path):
    done = subprocess.run(
        [sys.executable, str(SCRIPT), str(tmp_path), str(MOMENTS), *COMMANDS],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == []


def test_workers_hear_no_interruption_and_kill_leaves_none_that_holds_the_pipes(tmp_path):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 20))
    np.savez(tmp_path / "rows.npz", X=X, y=(X[:, 0] + X[:, 1] > 0).astype(int))
    words = ["compare", "rows.npz", "-j", "2", "--cv", "10", "--out", "c.json", "-m", "FTest,MRMR,ReliefF"]
    with subprocess.Popen(
        [sys.executable, "-m", "fewer", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path
    ) as one:
        begun, end = tmp_path / "c.json.unfinished", time.monotonic() + 120
        while not (begun.exists() and begun.read_bytes().count(b"\n") > 1) and time.monotonic() < end:
            time.sleep(0.02)
        # Ctrl-C reaches all; workers that still load what they need said so with a page of lines each.
        workers = _workers_of(one.pid)
        assert workers or not Path("/proc/self/status").exists()
        assert all(workers.values()), workers
        os.kill(one.pid, signal.SIGKILL)
        begin = time.monotonic()
        # Ends only when nobody holds the other end any more.
        one.communicate(timeout=60)
    assert time.monotonic() - begin < 20
    assert not (tmp_path / "c.json").exists()


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the system does not tell who works for whom")
def test_workers_that_still_load_when_their_parent_is_killed_end_too(tmp_path):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 4))
    np.savez(tmp_path / "rows.npz", X=X, y=(X[:, 0] > 0).astype(int))
    words = [sys.executable, "-m", "fewer", "compare", "rows.npz", "-j", "2", "-m", "FTest,MRMR", "--cv", "10"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path) as one:
        end = time.monotonic() + 120
        while one.poll() is None and len(_workers_of(one.pid)) < 2 and time.monotonic() < end:
            time.sleep(0.005)
        workers = [*_workers_of(one.pid)]
        for worker in workers:
            os.kill(worker, signal.SIGSTOP)
        # Long enough for the parent to have sent all they need; they go on when it is gone.
        time.sleep(1)
        one.kill()
        one.wait()
        for worker in workers:
            os.kill(worker, signal.SIGCONT)
        try:
            one.communicate(timeout=30)
        except subprocess.TimeoutExpired:
            for worker in workers:
                os.kill(worker, signal.SIGKILL)
            raise


def _workers_of(parent):
    """Return the workers of a process, and whether they do not hear SIGINT; none where the system does not tell."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        # Any of them may be gone by now.
        with suppress(OSError):
            words = (folder / "cmdline").read_bytes()
            facts = dict(line.split(":\t", 1) for line in (folder / "status").read_text().splitlines() if ":\t" in line)
            if b"popen_loky_posix" in words and facts["PPid"] == str(parent):
                found[int(folder.name)] = bool((int(facts["SigBlk"], 16) >> (signal.SIGINT - 1)) & 1)
    return found


def test_a_handled_interruption_does_not_end_the_process_by_its_signal(tmp_path):
    (tmp_path / "stopped.py").write_text(
        "import fewer.cli.main as cli\n"
        "def main(argv):\n"
        "    try:\n"
        "        exec('raise KeyboardInterrupt')\n"
        "    except KeyboardInterrupt:\n"
        "        return 130\n"
        "cli._main = main\n"
        "cli.run([])\n"
    )
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "PYTHONPATH": path}
    assert subprocess.run([sys.executable, "-m", "stopped"], env=environment, check=False).returncode == 130

"""The state of an acquisition: kept whole, restored whole, refused where it is another."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import fewer
from common.examples import EXAMPLES
from fewer.core.records.errors import FileError

DATA = fewer.synth.make_binary_channels(20, random_state=0)
NOTHING = np.full(DATA.X.shape, np.nan)
DOMAINS = {f: [0, 1] for f in range(3)}


def begun(path=None, **params):
    return fewer.MAC(**{"random_state": 3, **params}).start(NOTHING, DATA.y, domains=DOMAINS, state=path)


def answer(asked):
    return DATA.X[asked.row, asked.column]


def step(lab):
    asked = lab.ask()
    lab.tell(asked.row, asked.column, answer(asked))
    return asked


@pytest.mark.parametrize("params", [{}, {"candidate_fraction": 0.1}, {"n_components": 2, "budget": 4}])
def test_interruptions_change_nothing(tmp_path, params):
    """Restored after every value, by the file or by giving the data again, it asks what it would have asked."""
    path, plain = tmp_path / "lab.json", begun(**params)
    begun(path, **params)
    for k in range(params.get("budget", 12)):
        lab = fewer.MAC.restore(path) if k % 2 else begun(path, **params)
        assert lab.ask(4) == plain.ask(4)
        assert lab.ask() == plain.ask(2)[0]
        assert step(lab) == step(plain)
    lab = fewer.MAC.restore(path)
    np.testing.assert_array_equal(lab.trajectory_, plain.trajectory_)
    assert lab.acquisitions_ == plain.acquisitions_
    assert lab.stopped_ == plain.stopped_
    a, b = lab.selection_.to_dict(), plain.selection_.to_dict()
    assert a["tables"] == b["tables"]
    assert {**a["meta"], "seconds": 0} == {**b["meta"], "seconds": 0}


def test_a_seed_that_was_drawn_is_kept(tmp_path):
    path = tmp_path / "lab.json"
    lab = begun(path, random_state=None)
    for _ in range(5):
        again = fewer.MAC.restore(path)
        assert again.ask(5) == lab.ask(5) == begun(path, random_state=None).ask(5)
        step(lab)


LOOP = """
import sys, numpy as np, fewer
data = fewer.synth.make_binary_channels(20, random_state=0)
nothing = np.full(data.X.shape, np.nan)
lab = fewer.MAC(random_state=3).start(nothing, data.y, domains={f: [0, 1] for f in range(3)}, state=sys.argv[1])
print("ready", flush=True)
while (asked := lab.ask()) is not None:
    lab.tell(asked.row, asked.column, data.X[asked.row, asked.column])
    print(asked.row, asked.column, flush=True)
"""


def test_killed_at_any_moment_nothing_that_was_told_is_lost(tmp_path):
    """A loop in another process is killed again and again, and goes on; its order is that of a loop in peace."""
    path, script = tmp_path / "lab.json", tmp_path / "loop.py"
    script.write_text(LOOP)
    calm = begun()
    whole = [one[:2] for one in calm.run(answer).acquisitions_]
    rng, said, kills = random.Random(5), 0, 0
    for _ in range(2 * EXAMPLES):
        with subprocess.Popen([sys.executable, str(script), str(path)], stdout=subprocess.PIPE, text=True) as loop:
            assert loop.stdout.readline() == "ready\n"
            time.sleep(rng.uniform(0.0, 0.03))
            os.kill(loop.pid, signal.SIGKILL)
            lines = [line for line in loop.stdout.read().splitlines(keepends=True) if line.endswith("\n")]
        kills += loop.returncode == -signal.SIGKILL
        lab = fewer.MAC.restore(path)
        told = [one[:2] for one in lab.acquisitions_]
        assert told == whole[: len(told)]
        assert len(told) - said in (len(lines), len(lines) + 1)
        assert [tuple(map(int, line.split())) for line in lines] == told[said : said + len(lines)]
        said = len(told)
    assert kills
    lab.run(answer)
    assert [one[:2] for one in lab.acquisitions_] == whole
    np.testing.assert_array_equal(lab.trajectory_, calm.trajectory_)


def test_cut_off_anywhere_it_restores_what_was_whole(tmp_path):
    path, lab = tmp_path / "lab.json", begun(tmp_path / "lab.json")
    for _ in range(3):
        step(lab)
    text = path.read_bytes()
    lines = text.splitlines(keepends=True)
    starts = np.cumsum([0, *map(len, lines)])
    for end in [*range(starts[2], len(text)), starts[2] - 5, starts[1] - 5, 0]:
        cut = tmp_path / "cut.json"
        cut.write_bytes(text[:end])
        if end < starts[2]:
            with pytest.raises(FileError, match="holds no table|holds nothing"), _noted(end not in (0, starts[1])):
                fewer.MAC.restore(cut)
            continue
        n_whole = int(np.searchsorted(starts, end, side="right")) - 1 - 2
        with _noted(end not in starts):
            again = fewer.MAC.restore(cut)
        assert again.acquisitions_ == lab.acquisitions_[:n_whole]
        if n_whole < 3:
            assert step(again).row == lab.acquisitions_[n_whole].row


class _noted:
    """Expects a word about a damaged line, if there is one."""

    def __init__(self, damaged):
        self.damaged = damaged

    def __enter__(self):
        import warnings

        self.seen = warnings.catch_warnings(record=True)
        self.list = self.seen.__enter__()
        warnings.simplefilter("always")

    def __exit__(self, *error):
        self.seen.__exit__(*error)
        if self.damaged and self.list:
            assert "tell it again" in str(self.list[0].message)
        assert self.damaged or not self.list


def test_a_file_of_other_data_or_parameters_is_refused(tmp_path):
    path = tmp_path / "lab.json"
    step(begun(path))
    before = path.read_bytes()
    with pytest.raises(FileError, match="smoothing was 1.0 and is 2.0"):
        begun(path, smoothing=2.0)
    with pytest.raises(FileError, match="data differ"):
        fewer.MAC(random_state=3).start(NOTHING, 1 - DATA.y, domains=DOMAINS, state=path)
    with pytest.raises(FileError, match="method was MAC and is RandomAcquisition"):
        fewer.RandomAcquisition(random_state=3).start(NOTHING, DATA.y, domains=DOMAINS, state=path)
    with pytest.raises(FileError, match=r"use MAC\.restore"):
        fewer.RandomAcquisition.restore(path)
    with pytest.raises(FileError, match="There is no state file"):
        fewer.MAC.restore(tmp_path / "none.json")
    with pytest.raises(FileError, match="no plain file"):
        fewer.MAC.restore(tmp_path)
    other = tmp_path / "other.json"
    other.write_text('{"a": 1}')
    with pytest.raises(FileError, match="another kind"):
        fewer.MAC.restore(other)
    with pytest.raises(ValueError, match="whole number or None"):
        begun(tmp_path / "new.json", random_state=np.random.default_rng(0))
    assert path.read_bytes() == before
    assert other.read_text() == '{"a": 1}'


def test_whole_lines_that_make_no_sense_are_refused(tmp_path):
    path = tmp_path / "lab.json"
    lab = begun(path)
    asked = step(lab)
    for event in ({"tell": [99, 0, 0]}, {"tell": [0, 0, 7]}, {"tell": [asked.row, asked.column, 0]}, {}):
        bad = tmp_path / "bad.json"
        bad.write_bytes(path.read_bytes())
        again = fewer.MAC.restore(bad)
        again._state.journal.append([json.dumps({**event, "value": "0", "benefit": None} if event else {})])
        with pytest.raises(FileError, match="no acquisitions"):
            fewer.MAC.restore(bad)


def test_two_who_tell_do_not_overwrite_each_other(tmp_path):
    path = tmp_path / "lab.json"
    one = begun(path)
    two = fewer.MAC.restore(path)
    asked = step(one)
    with pytest.raises(FileError, match="changed by somebody else"):
        two.tell(0, 0, 1)
    assert len(two.acquisitions_) == 0
    assert fewer.MAC.restore(path).acquisitions_[0].row == asked.row


def test_a_value_that_cannot_be_written_is_not_taken(tmp_path, monkeypatch):
    path = tmp_path / "lab.json"
    lab = begun(path)
    before = path.read_bytes()

    def full(handle):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(FileError, match="No space left"):
        lab.tell(0, 0, 1)
    monkeypatch.undo()
    assert path.read_bytes() == before
    assert not lab.acquisitions_
    lab.tell(0, 0, 1)
    assert len(fewer.MAC.restore(path).acquisitions_) == 1

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from search_problems import Asked, planted, view_of

from fewer.core.records.errors import FileError, ParameterError
from fewer.core.search.checkpoint import Checkpoint, described, search_facts
from fewer.core.search.evaluations import Evaluations
from fewer.core.search.genetic import Genetic
from fewer.core.search.outcome import run_search, selection_of
from fewer.core.search.sequential import Sequential
from fewer.core.search.setgen import SetGen
from fewer.core.search.units import Units
from fewer.core.stop import Budget

GA = Genetic(population=10, generations=8)


def evaluations(path, function, *, n=12, strategy=GA, seed=3, **more):
    view, criterion, units = view_of(n), Asked(function), Units.of(n)
    facts = search_facts(view, criterion, strategy, seed, units, (1, n))
    return Evaluations(view, criterion, checkpoint=Checkpoint(path, facts, n), **more)


def rugged(s):
    return float(np.sin(1.0 + sum(j * j for j in s)) - 0.01 * len(s))


@pytest.mark.parametrize("strategy", [GA, Sequential(patience=None), Sequential("backward", patience=None)])
def test_going_on_gives_the_same_and_repeats_nothing(tmp_path, strategy):
    whole = run_search(strategy, Evaluations(view_of(12), Asked(rugged)), 3)
    first = evaluations(tmp_path / "c", rugged, strategy=strategy, budget=Budget(evaluations=30))
    run_search(strategy, first, 3)
    second = evaluations(tmp_path / "c", rugged, strategy=strategy)
    outcome = run_search(strategy, second, 3)
    assert outcome.found == whole.found
    assert second.count == whole.evaluations.count
    assert not set(first.criterion.asked) & set(second.criterion.asked)
    assert second.computed == second.count - 30
    assert outcome.evaluations.trace.values == whole.evaluations.trace.values
    third = evaluations(tmp_path / "c", rugged, strategy=strategy)
    again = run_search(strategy, third, 3)
    assert third.computed == 0
    assert selection_of(again).order.tolist() == selection_of(whole).order.tolist()


def test_a_budget_counts_what_comes_from_the_file(tmp_path):
    for _ in range(2):
        ev = evaluations(tmp_path / "c", rugged, budget=Budget(evaluations=30))
        outcome = run_search(GA, ev, 3)
        assert ev.count == 30
        assert "30 evaluations" in outcome.stopped
    assert ev.computed == 0


@pytest.mark.filterwarnings("ignore:The last line")
@pytest.mark.parametrize("cut", [1, 2, 7, 20])
def test_a_last_line_that_was_cut_off_is_left_out(tmp_path, cut):
    path = tmp_path / "c"
    run_search(GA, evaluations(path, rugged), 3)
    text = path.read_bytes()
    path.write_bytes(text[:-cut])
    ev = evaluations(path, rugged)
    lines = text[:-cut].count(b"\n") - 1
    assert len(ev.checkpoint.found) == lines < text.count(b"\n") - 1
    run_search(GA, ev, 3)
    assert sorted(path.read_bytes().splitlines()) == sorted(text.splitlines())


def test_an_empty_or_headless_file_starts_anew(tmp_path):
    for start in (b"", b'0a1b2c3d {"kind": "fewer eval'):
        path = tmp_path / "c"
        path.write_bytes(start)
        run_search(GA, evaluations(path, rugged), 3)
        assert path.read_bytes().count(b"\n") > 10


def test_another_search_is_refused(tmp_path):
    path = tmp_path / "c"
    evaluations(path, rugged)
    for change in ({"seed": 4}, {"n": 11}, {"strategy": Genetic(population=12)}):
        with pytest.raises(FileError, match="other work") as error:
            evaluations(path, rugged, **change)
        assert {"seed": "seed was 3 and is 4", "n": "data", "strategy": "population=12"}[next(iter(change))] in str(
            error.value
        )
    path.write_text("a,b,c\n1,2,3\n")
    with pytest.raises(FileError, match="another kind"):
        evaluations(path, rugged)
    with pytest.raises(FileError, match="cannot be used"):
        evaluations(tmp_path / "no" / "folder", rugged)


def test_a_spoiled_line_is_refused(tmp_path):
    path = tmp_path / "c"
    run_search(GA, evaluations(path, rugged), 3)
    lines = path.read_text().splitlines()
    path.write_text("\n".join([*lines[:3], "what is this", *lines[3:]]) + "\n")
    with pytest.raises(FileError, match="a damaged line 4"):
        evaluations(path, rugged)


def test_a_search_that_cannot_be_repeated_takes_no_checkpoint():
    with pytest.raises(ParameterError, match="random_state=None"):
        search_facts(view_of(3), Asked(rugged), GA, None, Units.of(3), (1, 3))


def test_facts_see_data_criterion_and_units():
    view, units = view_of(4), Units.of(4)

    def facts(criterion, view=view, units=units):
        return search_facts(view, criterion, GA, 0, units, (1, 4))

    base = facts(SetGen(Asked(rugged)))
    assert base == facts(SetGen(Asked(rugged)))
    assert base["criterion"] != facts(SetGen(Asked(rugged), 0.5))["criterion"]
    assert base["units"] != facts(Asked(rugged), units=Units.of(4, [[0, 1]]))["units"]
    other = view_of(4)
    other.blocks[0].X[0, 0] = 7.0
    assert base["data"] != facts(Asked(rugged), other)["data"]
    assert "0x" not in described([rugged, {"k": object()}])
    assert described(np.arange(2000)) != described(np.arange(2000) % 1999)


CHILD = """
import sys, time
sys.path[:0] = {path!r}
from test_checkpoint import GA, evaluations, rugged
from fewer.core.search.outcome import run_search, selection_of

def slow(s):
    time.sleep(0.005)
    return rugged(s)

outcome = run_search(GA, evaluations({file!r}, slow), 3)
print(outcome.found, outcome.evaluations.count, outcome.evaluations.computed, selection_of(outcome).order.tolist())
"""


def test_kill_9_and_going_on_gives_the_same(tmp_path):
    file = tmp_path / "c"
    tests = Path(__file__).parents[2]
    script = CHILD.format(path=[str(Path(__file__).parent), str(tests)], file=str(file))
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    child = subprocess.Popen([sys.executable, "-c", script], env=env, stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and (not file.exists() or file.read_bytes().count(b"\n") < 15):
        time.sleep(0.005)
    child.send_signal(signal.SIGKILL)
    assert child.wait(10) == -signal.SIGKILL
    done = file.read_bytes().count(b"\n") - 1
    whole = run_search(GA, Evaluations(view_of(12), Asked(rugged)), 3)
    assert 14 <= done < whole.evaluations.count
    result = subprocess.run([sys.executable, "-c", script], env=env, capture_output=True, text=True, check=True)
    count = whole.evaluations.count
    assert result.stdout.strip() == f"{whole.found} {count} {count - done} {selection_of(whole).order.tolist()}"


def test_planted_problem_with_checkpoint(tmp_path):
    ev = evaluations(tmp_path / "c", planted(12, (2, 5, 9)), strategy=Sequential())
    assert run_search(Sequential(), ev).found.subset == (2, 5, 9)


def _fall(weight):
    return lambda x: weight * x


def test_functions_are_described_by_what_they_do():
    alike = [lambda x: x + 1, lambda x: x + 2, _fall(1.0), _fall(2.0), partial(_fall, 1), partial(_fall, 2)]
    alike += [lambda x, k=1: x + k, lambda x, k=2: x + k, lambda x: x.mean(), lambda x: x.max()]
    alike += [lambda x: [i + 1 for i in x], lambda x: [i + 2 for i in x], _fall(np.arange(3)), _fall(np.ones(3))]
    assert len({described(one) for one in alike}) == len(alike)
    assert described(_fall(2.0)) == described(_fall(2.0))
    assert "0x" not in " ".join(map(described, alike))


@pytest.mark.parametrize("source", ["K = {}\nf = lambda x: K * x", "def g(x): return x * {}\nf = lambda x: g(x)"])
def test_what_a_function_uses_of_its_module_counts(source):
    def made(number):
        room = {"__name__": "script"}
        exec(source.format(number), room)
        return described(room["f"])

    assert made(1) == made(1) != made(2)


def test_a_function_that_encloses_itself_is_described():
    def down(n):
        return n and down(n - 1) in {"a", "b"}

    assert described(down) == described(down)

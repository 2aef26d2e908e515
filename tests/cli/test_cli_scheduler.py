"""The command line on a cluster: the same answers, one sentence where there is none, and nothing left there."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time

import numpy as np
import pandas as pd
import pytest

from fewer.cli.main import main
from fewer.core.runners import connect

pytestmark = pytest.mark.dask


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    pytest.importorskip("pyarrow")
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(rng.normal(size=(240, 6)), columns=[f"x{j}" for j in range(6)])
    frame["label"] = np.where(frame.x1 + frame.x4 > 0, "yes", "no")
    path = tmp_path_factory.mktemp("cluster") / "rows.parquet"
    frame.to_parquet(path, index=False, row_group_size=70)
    return str(path)


@pytest.fixture
def address(threads_cluster):
    return threads_cluster.scheduler.address


def said(capsys, *words):
    code = main([*words, "--json"])
    shown = capsys.readouterr()
    assert code == 0, shown.err
    return json.loads(shown.out)


@pytest.mark.parametrize("words", [("-m", "MRMR", "-n", "3"), ("-m", "SequentialSelector", "-n", "2"), ()])
def test_select_answers_as_it_does_from_a_stream(rows, address, capsys, words):
    here = said(capsys, "select", rows, "-t", "label", *words, *(["--stream"] if "MRMR" in words else []))
    there = said(capsys, "select", rows, "-t", "label", "--scheduler", address, *words)
    changes = ("meta", "trace")
    assert {k: v for k, v in there.items() if k not in changes} == {k: v for k, v in here.items() if k not in changes}
    # A search by cross-validation needs all rows: these are read here, and its fits go to the workers.
    assert there["meta"]["runner"] == ("threads" if "SequentialSelector" in words else "dask")


def test_rank_and_compare_answer_the_same(rows, address, capsys):
    for words in (["rank", rows, "-t", "label"], ["rank", rows, "-t", "label", "-m", "Chi2"]):
        here, there = said(capsys, *words), said(capsys, *words, "--scheduler", address)
        assert there["features"] == here["features"]
    words = ["compare", rows, "-t", "label", "-m", "FTest,JMI", "--cv", "2", "--sizes", "1", "--estimators"]
    words.append("naive-bayes")
    here, there = said(capsys, *words, "-j", "1"), said(capsys, *words, "--scheduler", address)
    assert there["scores"] == here["scores"]


def test_what_cannot_be_is_one_sentence(rows, address, capsys, monkeypatch):
    monkeypatch.setattr(connect, "ANSWER", 0.5)
    for words, code, sentence in [
        (["--scheduler", "tcp://127.0.0.1:1"], 1, "No scheduler of a Dask cluster answers at tcp://127.0.0.1:1 within"),
        (["--scheduler", "127.0.0.1:8786"], 2, "give it as tcp://127.0.0.1:8786"),
        (["--scheduler", address, "--device", "cuda"], 2, "leave one of them out"),
    ]:
        assert main(["select", rows, "-t", "label", *words]) == code
        shown = capsys.readouterr()
        assert sentence in shown.err
        assert shown.err.count("\n") == 1
        assert not shown.out
    assert main(["compare", rows, "-m", "LaplacianScore", "--no-target", "--scheduler", address]) == 2
    assert "--scheduler" in capsys.readouterr().err


def test_no_option_of_a_method_has_the_name_of_an_option_of_the_command():
    from dataclasses import fields

    from fewer import registry
    from fewer.cli.input import Input
    from fewer.cli.options import options_of

    own = {f"--{field.name.replace('_', '-')}" for field in fields(Input)} - {"--categorical"}
    for entry in registry.METHODS:
        if entry.contract == "selector":
            flags = {flag for option in options_of(registry.load_selector(entry.name)) for flag in option.flags}
            assert not flags & own, entry.name


def left_there(client):
    """Return how many tasks the scheduler still has."""
    return client.run_on_scheduler(lambda dask_scheduler: len(dask_scheduler.tasks))


def test_ctrl_c_leaves_with_130_and_nothing_on_the_cluster(threads_cluster, address, rows, tmp_path):
    before = left_there(threads_cluster)
    words = ["select", rows, "-t", "label", "-m", "PermutationTest", "--n-permutations", "3000", "--out", "out.json"]
    with subprocess.Popen(
        [sys.executable, "-m", "fewer", *words, "--scheduler", address],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
        text=True,
    ) as one:
        end = time.monotonic() + 120
        while left_there(threads_cluster) < before + 1000 and one.poll() is None and time.monotonic() < end:
            time.sleep(0.05)
        one.send_signal(signal.SIGINT)
        _, said = one.communicate(timeout=60)
    assert one.returncode == 130, said
    assert said.strip().endswith("Interrupted; nothing was written.")
    assert said.count("\n") == 1
    assert not list(tmp_path.iterdir())
    end = time.monotonic() + 30
    while left_there(threads_cluster) > before and time.monotonic() < end:
        time.sleep(0.05)
    assert left_there(threads_cluster) <= before

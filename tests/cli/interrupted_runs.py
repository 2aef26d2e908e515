"""Signals at random moments of commands, each in a copy of one process that has loaded everything: run by a test.

``python interrupted_runs.py FOLDER MOMENTS [COMMAND ...]`` prints as JSON what went wrong, nothing if all is well.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import sys
import time
from contextlib import redirect_stdout
from pathlib import Path

import numpy as np

from fewer.cli.main import main

SEARCH = ["select", "rows.csv", "-t", "y", "--seed", "0", "--checkpoint", "point", "-m"]
COMMANDS = {
    "genetic": [*SEARCH, "GeneticSelector", "--generations", "60", "--patience", "none", "--population", "20"],
    "annealing": [*SEARCH, "AnnealingSelector"],
    "compare": ["compare", "rows.csv", "-t", "y", "-j", "1", "-m", "FTest,MRMR", "--cv", "3"],
    "compare by two": ["compare", "rows.csv", "-t", "y", "-j", "2", "-m", "FTest,MRMR", "--cv", "3"],
}
# Seconds after which a command hangs.
LONGEST = 120.0


def started(words, ignored=False):
    """Return the number of a process that runs a command and says what it does in files."""
    child = os.fork()
    if child:
        return child
    for number, name in ((1, "shown"), (2, "said")):
        os.dup2(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
    signal.signal(signal.SIGINT, signal.SIG_IGN if ignored else signal.default_int_handler)
    code = 1
    try:
        code = main(words)
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(code)


def ended(child):
    """Return the exit code of a process, or what ended it as a negative number."""
    end = time.monotonic() + LONGEST
    while time.monotonic() < end:
        found, status = os.waitpid(child, os.WNOHANG)
        if found:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.005)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return "hangs"


def result(path):
    """Return what a file says, without times and the words of the command."""

    def kept(value):
        if isinstance(value, dict):
            return {k: kept(v) for k, v in value.items() if "second" not in k and k not in ("command", "created")}
        return [kept(one) for one in value] if isinstance(value, list) else value

    return kept(json.loads(Path(path).read_text()))


def clean():
    for path in Path().iterdir():
        # A folder is what a killed process has left; a later one removes it, but only after a minute.
        if path.is_dir():
            shutil.rmtree(path)
        elif path.name != "rows.csv":
            path.unlink()


def faults_at(kind, number, moment, expected):
    """Send a signal at a moment, look, and let the same command go on; return what was wrong."""
    words, faults = [*COMMANDS[kind], "--out", "out.json"], []
    keep = "compare" not in kind and random.random() < 0.3
    clean()
    child = started([*words, *["--keep-partial"] * keep])
    time.sleep(moment)
    os.kill(child, number)
    code, said = ended(child), Path("said").read_text() if Path("said").exists() else ""
    if code not in (0, 130, -signal.SIGKILL):
        faults.append(f"it ended with {code}")
    if "Traceback" in said or said.count("\n") > 2 or (code == 130 and "nterrupted" not in said):
        faults.append(f"it said {said}")
    if code == 0 and result("out.json") != expected:
        faults.append("it gave another result")
    if code and Path("out.json").exists() and not (keep and "partial" in result("out.json")["meta"]):
        faults.append("it wrote a result")
    for path in Path().glob("out.json"):
        path.unlink()
    code = ended(started(words))
    if code or result("out.json") != expected:
        faults.append(f"the next run ended with {code} or gave another result: {Path('said').read_text()}")
    return [f"{kind}, signal {number} after {moment:.3f} s: {fault}" for fault in faults]


def run(moments, kinds):
    faults = []
    for kind, words in ((kind, COMMANDS[kind]) for kind in kinds):
        clean()
        if kind != "compare by two":
            # Once here, so that copies of this process have all that is needed; not where it would start processes,
            # which copies of this one cannot use.
            main([*words, "--out", "out.json"])
        clean()
        begin = time.monotonic()
        ended(started([*words, "--out", "out.json"], ignored=True))
        needed, expected = time.monotonic() - begin, result("out.json")
        for at in range(moments):
            number = signal.SIGKILL if at % 3 == 2 else signal.SIGINT
            faults += faults_at(kind, number, random.uniform(0.0, 1.0) * needed, expected)
        clean()
        child = started([*words, "--out", "out.json"], ignored=True)
        time.sleep(needed / 2)
        os.kill(child, signal.SIGINT)
        if ended(child) or result("out.json") != expected:
            faults.append(f"{kind}: a signal that is to be ignored was not")
    return faults


if __name__ == "__main__":
    os.chdir(sys.argv[1])
    random.seed(0)
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 10))
    rows = np.column_stack([X, X[:, 0] + X[:, 1] > 0])
    head = ",".join([*(f"x{j}" for j in range(10)), "y"])
    np.savetxt("rows.csv", rows, delimiter=",", header=head, comments="", fmt="%.6g")
    with open(os.devnull, "w") as nowhere, redirect_stdout(nowhere):
        wrong = run(int(sys.argv[2]), sys.argv[3:] or COMMANDS)
    print(json.dumps(wrong))

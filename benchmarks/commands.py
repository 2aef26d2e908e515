"""Cold and warm times of five commands: the first use, with no compiled loop kept, and every later one.

python benchmarks/commands.py                        this tree
python benchmarks/commands.py --before OTHER_TREE    the same of another checkout, in turn with this one

A cold run has an empty folder for compiled loops; warm runs follow it, and the fastest counts. Modules are compiled to
bytecode beforehand in both, as an installation does.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

COMMANDS = {
    "select": ("select", "breast_cancer"),
    "select MRMR": ("select", "breast_cancer", "--method", "MRMR"),
    "select ReliefF": ("select", "breast_cancer", "--method", "ReliefF"),
    "rank": ("rank", "breast_cancer"),
    "--help": ("--help",),
}
HERE = Path(__file__).resolve().parents[1]


def seconds(tree: Path, words: tuple[str, ...], cache: str) -> tuple[float, float]:
    """Wall and CPU seconds of one command in a process of its own."""
    settings = {"PYTHONPATH": str(tree / "src"), "NUMBA_CACHE_DIR": cache, "COLUMNS": "100"}
    start = time.perf_counter()
    command = subprocess.Popen(
        [sys.executable, "-m", "fewer", *words],
        env={**os.environ, **settings},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, status, used = os.wait4(command.pid, 0)
    wall = time.perf_counter() - start
    command.returncode = os.waitstatus_to_exitcode(status)
    if command.returncode:
        raise SystemExit(f"fewer {' '.join(words)} ended with {command.returncode} in {tree}")
    return wall, used.ru_utime + used.ru_stime


def measured(tree: Path, words: tuple[str, ...], cache: str, warm: int) -> list[float]:
    """Wall and CPU seconds of one cold run, then of the fastest of several warm ones."""
    cold = seconds(tree, words, cache)
    later = [seconds(tree, words, cache) for _ in range(warm)]
    return [*cold, *map(min, zip(*later, strict=True))]


def main() -> None:
    options = argparse.ArgumentParser(description="Cold and warm times of five commands.")
    options.add_argument("--before", type=Path, help="root of another checkout to compare with")
    options.add_argument("--warm", type=int, default=5, help="warm runs, of which the fastest counts")
    options.add_argument("--only", choices=list(COMMANDS), action="append", help="these commands alone; repeatable")
    given = options.parse_args()
    trees = {"before": given.before.resolve(), "now": HERE} if given.before else {"now": HERE}
    for tree in trees.values():
        seconds(tree, ("select", "breast_cancer", "--help"), tempfile.gettempdir())
    print(f"{'command':<16} {'tree':<8}{'cold wall':>10}{'cold CPU':>10}{'warm wall':>10}{'warm CPU':>10}   seconds")
    for name, words in COMMANDS.items():
        if given.only and name not in given.only:
            continue
        for label, tree in trees.items():
            with tempfile.TemporaryDirectory() as cache:
                times = measured(tree, words, cache, given.warm)
            print(f"{name:<16} {label:<8}" + "".join(f"{value:10.2f}" for value in times), flush=True)


if __name__ == "__main__":
    main()

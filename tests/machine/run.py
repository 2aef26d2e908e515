"""Run chosen tests as they would run on other machines: ``make test-machine``.

Another processor, another language, no terminal and a narrow one, one core, no home. What cannot be had here, such as a
language that is not installed, is named and left out. Other fonts are no variant: the tests of the report bring their
own. The exit status is 1 if a test fails anywhere.
"""

from __future__ import annotations

import argparse
import os
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[2]
WORDS = "tests/cli tests/report tests/docs tests/core/views tests/core/reading tests/core/discretize tests/synth"
NUMBERS = (
    "tests/core/kernels tests/core/measures tests/core/views tests/core/neighbours "
    "tests/core/discretize tests/methods/rank_order/class_centres tests/methods/ordinal tests/methods/relief"
)
ROOMS = "MIM or MRMR or FCBF or ReliefF or TTest or RankOrderElimination or SequentialSelector"
NOWHERE = "/proc/nowhere"


def _everywhere() -> None:
    """Change nothing."""


def _one_core() -> None:
    """Let the process that is about to start use one core only."""
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


@dataclass(frozen=True)
class Variant:
    """Another machine: its name, what differs in the environment, the tests to run, and what is done before the start.

    A value of None takes a variable away; ``{scratch}`` stands for an empty folder.
    """

    name: str
    environment: dict[str, str | None]
    tests: str
    before: Callable[[], None] = field(default=_everywhere)


VARIANTS = (
    # Kernels, matrix products and elementary functions of a processor without the widest registers.
    Variant(
        "another processor",
        {
            "NUMBA_CPU_NAME": "generic",
            "NUMBA_CPU_FEATURES": "",
            "NUMBA_CACHE_DIR": "{scratch}",
            "OPENBLAS_CORETYPE": "Nehalem",
            "NPY_DISABLE_CPU_FEATURES": "AVX512F AVX512CD AVX512_SKX AVX512_CLX AVX512_CNL AVX512_ICL AVX512_SPR",
        },
        NUMBERS,
    ),
    Variant(
        "another processor, methods",
        {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": "", "NUMBA_CACHE_DIR": "{scratch}"},
        f"tests/common/test_registry.py -k '{ROOMS}'",
    ),
    # A dotless i, and a comma in numbers.
    Variant("Turkish", {"LANG": "tr_TR.UTF-8", "LC_ALL": "tr_TR.UTF-8", "LANGUAGE": "tr"}, WORDS),
    Variant(
        "no language",
        {"LANG": "C", "LC_ALL": "C", "LC_CTYPE": None, "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        WORDS,
    ),
    Variant("20 columns", {"COLUMNS": "20", "LINES": "5", "TERM": "dumb"}, "tests/cli tests/docs"),
    Variant(
        "one core",
        {},
        "tests/core/runners tests/methods/rank_order tests/cli tests/evaluate/test_evaluate_compare.py",
        _one_core,
    ),
    # Caches of numba, matplotlib and others can be written nowhere.
    Variant(
        "no home",
        {
            "HOME": NOWHERE,
            "XDG_CACHE_HOME": NOWHERE,
            "XDG_CONFIG_HOME": NOWHERE,
            "XDG_DATA_HOME": NOWHERE,
            "MPLCONFIGDIR": None,
        },
        "tests/cli tests/report tests/evaluate/test_evaluate_compare.py",
    ),
    Variant(
        "nothing compiled can be kept",
        {"HOME": NOWHERE, "NUMBA_CACHE_DIR": NOWHERE},
        "tests/cli/test_cli_work.py tests/core/measures/test_count_logs.py",
    ),
)


def absent(one: Variant) -> str:
    """Return why a variant cannot be had here, or nothing."""
    wanted = one.environment.get("LC_ALL")
    if wanted in (None, "C"):
        return ""
    known = subprocess.run(["locale", "-a"], capture_output=True, text=True).stdout.lower().replace("-", "").split()
    return "" if wanted.lower().replace("-", "") in known else f"the language {wanted} is not installed"


def passes(one: Variant, more: list[str]) -> bool:
    """Run the tests of a variant."""
    with tempfile.TemporaryDirectory(prefix="fewer-machine-") as scratch:
        environment = dict(os.environ)
        for name, value in one.environment.items():
            environment.pop(name, None)
            if value is not None:
                environment[name] = value.format(scratch=scratch)
        environment["HYPOTHESIS_STORAGE_DIRECTORY"] = f"{scratch}/examples"
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *more, *shlex.split(one.tests)]
        done = subprocess.run(
            command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True,
            errors="replace", preexec_fn=one.before,
        )  # fmt: skip
    if done.returncode:
        print(done.stdout[-12_000:], done.stderr[-2_000:])
    else:
        print(done.stdout.rstrip().rsplit("\n", 1)[-1])
    return done.returncode == 0


def main() -> int:
    """Run all variants, or those whose name holds a word; further arguments go to pytest."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("word", nargs="?", default="", help="only variants whose name holds this")
    given, more = parser.parse_known_args()
    failed = []
    for one in VARIANTS:
        if given.word not in one.name:
            continue
        why, begin = absent(one), time.monotonic()
        print(f"{one.name}: {f'left out, because {why}' if why else 'running'}", flush=True)
        if not why and not passes(one, more):
            failed.append(one.name)
        print(f"{one.name}: {time.monotonic() - begin:.0f} s", flush=True)
    print(f"Fails as on: {', '.join(failed)}" if failed else "All variants pass.")
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())

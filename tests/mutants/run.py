"""Change the code in small ways, one at a time, and see whether a test notices: ``make mutants``.

A mutant stands for a wrong reading of a definition; one that no test notices is a definition that no test checks. Each
is made in a copy of ``src`` that shares the files, and the compiled kernels, with the one all mutants start from. The
exit status is 1 if fewer than 95 % are caught, if a test fails without any change, or if the old text of a mutant is
not found exactly once, so that the table follows the code.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from acquisition import ACQUISITION
from borders import BORDERS
from choices import CRITERIA, REASONS, STOPS
from coclusters import COCLUSTERS
from distances import DISTANCES
from evaluators import EVALUATORS
from kernels import KERNELS
from level_bits import LEVEL_BITS
from local_metrics import LOCAL_METRICS
from machines_samplers import MACHINES_SAMPLERS
from measures import MEASURES
from mutant import Mutant
from near_graphs import GRAPH_SCORES
from relief_models import RELIEF_MODELS
from sequences import SEQUENCES
from small_filters_mutants import SMALL_FILTERS
from streams import STREAMS
from subspaces import SUBSPACES
from term_scores_mutants import TERM_SCORES
from text_searches import TEXT_SEARCHES

MUTANTS = [
    *KERNELS,
    *MEASURES,
    *CRITERIA,
    *REASONS,
    *STOPS,
    *EVALUATORS,
    *DISTANCES,
    *RELIEF_MODELS,
    *LOCAL_METRICS,
    *SUBSPACES,
    *TERM_SCORES,
    *TEXT_SEARCHES,
    *ACQUISITION,
    *SEQUENCES,
    *SMALL_FILTERS,
    *STREAMS,
    *MACHINES_SAMPLERS,
    *COCLUSTERS,
    *BORDERS,
    *LEVEL_BITS,
    *GRAPH_SCORES,
]
ROOT = Path(__file__).parents[2]
COMPILED = "core/kernels"
LEAST_CAUGHT = 0.95
# Seconds of the processor, so that a busy machine changes nothing. No mutant is tried by tests that take as long; one
# that never ends is noticed, too.
PATIENCE = 240
CAUGHT, SURVIVED, ENDLESS, BROKEN = "caught", "SURVIVED", "caught (endless)", "BROKEN"


def misfits(mutants: list[Mutant]) -> list[str]:
    """Return what the table says that the code does not."""
    found = []
    for one in mutants:
        path = ROOT / "src" / "fewer" / one.file
        n = path.read_text(encoding="utf-8").count(one.old) if path.exists() else 0
        if n != 1 or one.old == one.new:
            found.append(f"{one.file}: {n} places with {one.old!r}")
        files = [word.split("::")[0] for word in one.tests.split() if word.startswith("tests/")]
        found += [f"{one.file}: no file {file}" for file in files if not (ROOT / file).exists()]
    return found


def dependents(src: Path, file: str) -> set[Path]:
    """Return the kernels that call into a changed file of kernels, which numba would take from its cache."""
    if not file.startswith(COMPILED):
        return set()
    found, names = set(), {Path(file).stem}
    while True:
        more = {
            path
            for path in (src / "fewer" / COMPILED).glob("*.py")
            if path not in found and any(f"kernels.{name} import" in path.read_text() for name in names)
        }
        if not more:
            return found
        found |= more
        names = {path.stem for path in more}


def mutated(base: Path, to: Path, one: Mutant) -> None:
    """Make a copy of the code with one change; files that stay the same are the same files."""
    shutil.copytree(base, to, copy_function=os.link)
    path = to / "fewer" / one.file
    stale = [path, *dependents(to, one.file)]
    for file in stale:
        text = file.read_text(encoding="utf-8")
        # A file of its own: writing into the old one would change all copies.
        file.unlink()
        file.write_text(text.replace(one.old, one.new) if file == path else text, encoding="utf-8")
        for compiled in (file.parent / "__pycache__").glob(f"{file.stem}.*"):
            compiled.unlink()


def tested(src: Path, tests: str, *more: str) -> tuple[int, str]:
    """Run tests on a copy of the code; return the exit status of pytest and what it printed."""
    environment = dict(os.environ)
    for name in ("NUMBA_CACHE_DIR", "PYTEST_ADDOPTS"):
        environment.pop(name, None)
    environment |= {"PYTHONPATH": str(src), "HYPOTHESIS_STORAGE_DIRECTORY": str(src.parent / f"{src.name}-examples")}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *more]
    command += ["--hypothesis-seed=0", "--hypothesis-profile=any failure"]
    done = subprocess.run(
        [*command, *shlex.split(tests)], cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, capture_output=True,
        text=True, errors="replace", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (PATIENCE, PATIENCE)),
    )  # fmt: skip
    return done.returncode, done.stdout + done.stderr


def verdict(status: int) -> str:
    """Return what an exit status of pytest says about a mutant; 2 to 5 are no failing tests but a broken table."""
    ended = (-signal.SIGXCPU, -signal.SIGKILL)
    return ENDLESS if status in ended else {0: SURVIVED, 1: CAUGHT}.get(status, BROKEN)


def try_out(base: Path, folder: Path, number: int, one: Mutant) -> tuple[str, str, float]:
    """Return verdict, last lines of pytest and seconds."""
    begin, src = time.monotonic(), folder / f"mutant-{number}"
    mutated(base, src, one)
    try:
        status, printed = tested(src, one.tests, "-x")
    finally:
        shutil.rmtree(src, ignore_errors=True)
    return verdict(status), printed[-2000:], time.monotonic() - begin


def copied(folder: Path) -> Path:
    """Copy the code, with the compiled kernels and the times of the files, by which numba knows them."""
    base = folder / "src"
    shutil.copytree(ROOT / "src", base)
    where = "import fewer; print(fewer.__file__)"
    found = subprocess.run(
        [sys.executable, "-c", where], env={**os.environ, "PYTHONPATH": str(base)}, capture_output=True, text=True
    ).stdout.strip()
    if not found.startswith(str(base)):
        sys.exit(f"The copy of the code is not what is imported, but {found}; run this with the Python of the project.")
    return base


def fails_without_change(base: Path, mutants: list[Mutant], jobs: int) -> list[str]:
    """Run every test of the table on the code as it is, which compiles what is not compiled yet."""
    tests = sorted({one.tests for one in mutants})
    with ThreadPoolExecutor(jobs) as pool:
        results = list(pool.map(lambda words: tested(base, words), tests))
    return [f"{words}\n{printed[-1500:]}" for words, (status, printed) in zip(tests, results) if status]


def main() -> int:
    """Try all mutants, or those whose file or meaning matches a pattern."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pattern", nargs="?", default="", help="only mutants whose file or meaning matches this")
    parser.add_argument("--jobs", type=int, default=2, help="how many at a time")
    parser.add_argument("--check", action="store_true", help="only look whether the table fits the code")
    given = parser.parse_args()
    wrong = misfits(MUTANTS)
    if wrong or given.check:
        print("\n".join([*wrong, f"{len(MUTANTS)} mutants, {len(wrong)} that do not fit the code"]))
        return int(bool(wrong))
    mutants = [one for one in MUTANTS if re.search(given.pattern, f"{one.file} {one.wrong}")]
    with tempfile.TemporaryDirectory(prefix="fewer-mutants-") as name:
        base, begin = copied(Path(name)), time.monotonic()
        failing = fails_without_change(base, mutants, given.jobs)
        if failing:
            print("These tests fail without any change:\n" + "\n".join(failing))
            return 1
        print(f"{time.monotonic() - begin:.0f} s: all tests pass without a change", flush=True)
        return report(base, Path(name), mutants, given.jobs, begin)


def report(base: Path, folder: Path, mutants: list[Mutant], jobs: int, begin: float) -> int:
    """Try mutants side by side, and print what became of each."""
    verdicts = []
    with ThreadPoolExecutor(jobs) as pool:
        results = pool.map(lambda pair: try_out(base, folder, *pair), enumerate(mutants))
        for one, (found, printed, seconds) in zip(mutants, results):
            verdicts.append(found)
            print(f"{found:9} {seconds:5.0f} s  {one.file}: {one.wrong}", flush=True)
            if found == BROKEN:
                print(printed)
    caught = sum(found in (CAUGHT, ENDLESS) for found in verdicts)
    share = caught / len(verdicts) if verdicts else 0.0
    spent = sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])
    took = f"{time.monotonic() - begin:.0f} s, {spent:.0f} s of all cores"
    print(f"{caught} of {len(verdicts)} mutants caught ({share:.0%}) in {took}")
    return int(share < LEAST_CAUGHT or BROKEN in verdicts)


if __name__ == "__main__":
    sys.exit(main())

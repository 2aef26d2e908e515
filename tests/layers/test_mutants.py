"""The table of mutants follows the code; whether tests notice them is the business of ``make mutants``."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

RUNNER = Path(__file__).parents[1] / "mutants" / "run.py"


def test_every_mutant_has_one_place_in_the_code():
    done = subprocess.run([sys.executable, str(RUNNER), "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert int(done.stdout.split()[0]) >= 60

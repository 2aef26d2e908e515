"""A process that runs one case after another: a number comes in, a line of JSON goes out."""

from __future__ import annotations

import faulthandler
import json
import sys
import tempfile
import traceback
import warnings
from pathlib import Path

import numpy as np
from hostile_cases import CASES

from fewer.core.records.errors import FewerError


def outcome(number: int) -> str:
    """Return "read", "sentence", or what must not happen, with where."""
    rng, case = np.random.default_rng([7, number]), CASES[number % len(CASES)]
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            case(rng, Path(folder))
            return "read"
        except FewerError as error:
            return "sentence" if "\n" not in str(error) else f"{case.__name__}: several lines: {error}"
        except Exception as error:
            innermost = traceback.extract_tb(error.__traceback__)[-1].filename
            if isinstance(error, (TypeError, ValueError)) and "sklearn/utils" in innermost.replace("\\", "/"):
                # The checks of scikit-learn speak for themselves.
                return "sentence"
            return f"{case.__name__}: {''.join(traceback.format_exception(error)[-3:])}"


def work() -> None:
    faulthandler.enable()
    answers = sys.stdout
    sys.stdout = sys.stderr
    for line in sys.stdin:
        answers.write(json.dumps([int(line), outcome(int(line))]) + "\n")
        answers.flush()


if __name__ == "__main__":
    work()

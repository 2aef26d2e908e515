"""Files and calls that the tests of the command line share."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from fewer.cli.main import main

# Text, no value at all, one value, the values of another column, and a target.
BAD_ROWS = [
    ("red", "", "1", "0.5", "0.5", "a"),
    ("blue", "", "1", "1.5", "1.5", "b"),
    ("red", "", "1", "0.7", "0.7", "a"),
    ("green", "", "1", "2.5", "2.5", "b"),
    ("blue", "", "1", "0.1", "0.1", "a"),
    ("red", "", "1", "1.9", "1.9", "b"),
]


@dataclass(frozen=True)
class Answer:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    def is_one_sentence(self) -> bool:
        """One line on standard error, nothing on standard output, no traceback."""
        lines = self.err.strip().split("\n")
        return self.out == "" and len(lines) == 1 and lines[0].startswith("Error: ") and "Traceback" not in self.err


def call(capsys: Any, *words: Any) -> Answer:
    capsys.readouterr()
    code = main([str(word) for word in words])
    captured = capsys.readouterr()
    return Answer(code, captured.out, captured.err)


def write_bad(path: Path, target: str = "y") -> Path:
    lines = [",".join(["text", "empty", "constant", "value", "copy", target])]
    path.write_text("\n".join([*lines, *map(",".join, BAD_ROWS)]) + "\n")
    return path


def write_numbers(path: Path, n_rows: int = 80, n_features: int = 6, seed: int = 0) -> Path:
    """Two classes that differ in f0 most, in f1 less, and in nothing else."""
    rng = np.random.default_rng(seed)
    y = np.arange(n_rows) % 2
    X = rng.normal(size=(n_rows, n_features))
    X[:, 0] += 4 * y
    X[:, 1] += 1.5 * y
    names = [f"f{j}" for j in range(n_features)]
    rows = [",".join([*(repr(float(v)) for v in row), "no" if label == 0 else "yes"]) for row, label in zip(X, y)]
    path.write_text("\n".join([",".join([*names, "y"]), *rows]) + "\n")
    return path

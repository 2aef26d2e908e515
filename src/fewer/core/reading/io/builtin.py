"""Data sets by name: those that scikit-learn ships, and one made to show what is found in data as they come."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from fewer.core.reading.io.matrices import ArraySource
from fewer.core.reading.io.source import Source

BUILTIN = ("clinic", "iris", "wine", "breast_cancer", "digits", "diabetes")
TARGET = "target"
EXAMPLES = Path(__file__).parent / "examples"


def is_builtin(path: Any) -> bool:
    """Return whether a path is the name of a built-in data set and of no file."""
    return isinstance(path, str | os.PathLike) and str(path) in BUILTIN and not Path(path).exists()


def builtin_source(name: str) -> Source:
    """Return a data set: "clinic", of which ``recovered`` is the target, or one of scikit-learn, with ``target``."""
    if name == "clinic":
        from fewer.core.reading.io.delimited import DelimitedSource

        made = DelimitedSource([EXAMPLES / "clinic.csv"], ",", None, None)
        made.where, made.default_target = name, "recovered"
        return made
    from sklearn import datasets

    data = getattr(datasets, f"load_{name}")()
    source = ArraySource(name, np.asarray(data.data, dtype=float), list(data.feature_names), {TARGET: data.target})
    source.default_target = TARGET
    if name != "diabetes":
        source.labels = {TARGET: np.asarray([str(label) for label in data.target_names])}
    return source

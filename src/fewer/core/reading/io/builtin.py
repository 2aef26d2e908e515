"""The data sets that scikit-learn ships, by name, as sources."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from fewer.core.reading.io.matrices import ArraySource

BUILTIN = ("iris", "wine", "breast_cancer", "digits", "diabetes")
TARGET = "target"


def is_builtin(path: Any) -> bool:
    """Return whether a path is the name of a built-in data set and of no file."""
    return isinstance(path, str | os.PathLike) and str(path) in BUILTIN and not Path(path).exists()


def builtin_source(name: str) -> ArraySource:
    """Return a data set that scikit-learn ships; its target is named ``target``."""
    from sklearn import datasets

    data = getattr(datasets, f"load_{name}")()
    source = ArraySource(name, np.asarray(data.data, dtype=float), list(data.feature_names), {TARGET: data.target})
    if name != "diabetes":
        source.labels = {TARGET: np.asarray([str(label) for label in data.target_names])}
    return source

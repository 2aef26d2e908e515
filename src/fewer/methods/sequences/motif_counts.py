"""In how many sequences of every class a feature is."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse

from fewer.core.records.result_table import ResultTable


def class_presence(columns: Any, y: np.ndarray, n_classes: int) -> np.ndarray:
    """Return how many rows of each class have each column, (n_columns, n_classes)."""
    marks = scipy.sparse.csr_array((np.ones(len(y)), (np.arange(len(y)), y)), shape=(len(y), n_classes))
    return np.asarray((scipy.sparse.csr_array(columns != 0, dtype=np.float64).T @ marks).todense())


def motif_table(kept: np.ndarray, present: np.ndarray, classes: np.ndarray) -> ResultTable:
    """Return in how many sequences of every class each kept feature is."""
    counts = {f"in {label}": present[kept, c].astype(int) for c, label in enumerate(classes.tolist())}
    return ResultTable("Sequences of every class that have a motif", {"motif": kept, **counts}, features=("motif",))

"""Clusters of rows as a table: how many rows, and where they lie in the kept features."""

from __future__ import annotations

import numpy as np

from fewer.core.records.result_table import ResultTable
from fewer.core.views.view import View

# Kept features whose means are shown.
MOST_COLUMNS = 12


def cluster_table(view: View, division: np.ndarray, kept: np.ndarray) -> ResultTable:
    """Return rows and means of every cluster, of the first kept features.

    Parameters
    ----------
    view : View
        The data.
    division : ndarray of shape (n_rows, n_clusters)
        To which part each row belongs to each cluster.
    kept : ndarray of int
        Kept features, best first.
    """
    X, sizes = view.whole().X, division.sum(axis=0)
    columns: dict[str, np.ndarray] = {
        "rows": np.bincount(division.argmax(axis=1), minlength=len(sizes)),
        "fraction": sizes / len(division),
    }
    names = view.names or tuple(f"x{j}" for j in range(view.n_features))
    for j in kept[:MOST_COLUMNS].tolist():
        column = np.asarray(X[:, [j]].todense() if hasattr(X, "todense") else X[:, [j]], dtype=np.float64)[:, 0]
        origin = column[0]
        parts = division / np.where(sizes > 0, sizes, 1.0)
        columns[f"mean of {names[j]}"] = np.where(sizes > 0, origin + parts.T @ (column - origin), np.nan)
    return ResultTable.numbered("Clusters of rows", "cluster", columns)

"""What groups of rows tell of features, as tables and weights; and what they refuse."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fewer.core.records.errors import InputError
from fewer.core.records.ranking import steady
from fewer.core.records.result_table import ResultTable

# Features per cluster that a table names.
KEY_WORDS = 10


def refuse_too_many(where: str, n_clusters: int, n_here: int, what: str, parameter: str = "n_clusters") -> None:
    """Raise if there are fewer rows or columns than groups."""
    if n_clusters > n_here:
        raise InputError(
            f"{where} got {parameter}={n_clusters}, but n_samples={n_here} of {what} can be grouped; lower "
            f"{parameter} or give more of them."
        )


def shares(weights: np.ndarray) -> np.ndarray:
    """Return weights, none negative, as parts of their sum; nothing where all are nothing."""
    largest = weights.max(initial=0.0)
    if not largest > 0:
        return np.zeros_like(weights)
    parts = weights / largest
    return parts / parts.sum()


def key_words(each: np.ndarray, most: int = KEY_WORDS) -> ResultTable:
    """Return the features that speak most for every cluster, best first.

    Parameters
    ----------
    each : ndarray of shape (n_clusters, n_features)
        What every feature says for every cluster; what is not above 0 says nothing for it.
    most : int, default=10
        Most features per cluster.

    Examples
    --------
    >>> key_words(np.array([[0.5, 0.0, 0.2], [0.0, 0.3, 0.0]])).named(("a", "b", "c"))["feature"]
    ['a', 'c', 'b']
    """
    lines = []
    for c, row in enumerate(each):
        order = np.argsort(-steady(row), kind="stable")[:most]
        lines += [(c, rank, int(j), float(row[j])) for rank, j in enumerate(order.tolist(), start=1) if row[j] > 0]
    heads = ("cluster", "rank", "feature", "weight")
    columns = {head: [line[i] for line in lines] for i, head in enumerate(heads)}
    return ResultTable("Key words of the clusters", columns, features=("feature",))


def progress_table(title: str, name: str, history: Sequence[float], reseeded: Sequence[int], first: int) -> ResultTable:
    """Return a curve of what a descent reached after every step, and how many empty groups got a row in it."""
    columns = {"step": np.arange(first, first + len(history)), name: list(history), "reseeded": list(reseeded)}
    return ResultTable(title, columns, "curve")

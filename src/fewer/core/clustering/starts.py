"""Where centres start: rows drawn at random, far apart, the first ones, or centres that are given."""

from __future__ import annotations

from typing import Any

import numpy as np

from fewer.core.clustering.centres import Centres
from fewer.core.clustering.points import Points
from fewer.core.records.errors import InputError, ParameterError

WORDS = ("k-means++", "random", "first")


def checked_clusters(where: str, n_clusters: int, n_rows: int) -> int:
    """Return the number of clusters; raise if there are fewer rows."""
    if n_clusters > n_rows:
        raise InputError(
            f"{where} got n_clusters={n_clusters}, but X has n_samples = {n_rows} rows and every cluster starts at one "
            "of its own; choose a smaller n_clusters or add rows."
        )
    return n_clusters


def started(
    where: str, points: Points, n_clusters: int, init: Any, weights: np.ndarray, rng: np.random.Generator
) -> Centres:
    """Return the centres from which a descent starts.

    Parameters
    ----------
    where : str
        Who asks, for messages.
    points : Points
        The rows.
    n_clusters : int
        Number of centres.
    init : {"k-means++", "random", "first"} or array-like
        Rows far apart (Arthur and Vassilvitskii 2007), random rows (Forgy), the first rows (MacQueen), or centres,
        nominal columns as level numbers.
    weights : ndarray of shape (1, n_features) or (n_clusters, n_features)
        Weights of the features at the start; those of the first cluster tell how far rows are apart.
    rng : Generator
        Source of randomness.
    """
    if isinstance(init, str):
        if init not in WORDS:
            raise ParameterError(
                f"{where} got init={init!r}, but takes 'k-means++', 'random', 'first' or an array of centres; "
                "pass one of these."
            )
        return Centres.at_rows(points, _rows(points, n_clusters, init, weights, rng))
    try:
        table = np.asarray(init, dtype=np.float64)
    except (TypeError, ValueError):
        raise ParameterError(
            f"{where} got a {type(init).__name__} as init that is no table of numbers, but takes 'k-means++', "
            f"'random', 'first' or n_clusters={n_clusters} rows of {points.n_features} numbers, nominal columns as "
            "level numbers; pass one of these."
        ) from None
    if table.shape != (n_clusters, points.n_features) or not np.isfinite(table).all():
        raise ParameterError(
            f"{where} got init of shape {table.shape}, but needs n_clusters={n_clusters} centres of "
            f"{points.n_features} finite numbers; pass one row per cluster."
        )
    return Centres.given(points, table)


def _rows(points: Points, n_clusters: int, init: str, weights: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    n = len(points)
    if init == "first":
        return np.arange(n_clusters)
    if init == "random":
        return rng.choice(n, n_clusters, replace=False)
    chosen = [int(rng.integers(n))]
    nearest = points.from_row(chosen[0], weights)
    while len(chosen) < n_clusters:
        total = nearest.cumsum()
        if total[-1] > 0:
            row = int(np.searchsorted(total, rng.random() * total[-1], side="right"))
            row = min(row, int(np.flatnonzero(nearest)[-1]))
        else:
            row = int(rng.choice(np.setdiff1d(np.arange(n), chosen)))
        chosen.append(row)
        np.minimum(nearest, points.from_row(row, weights), out=nearest)
    return np.array(chosen)

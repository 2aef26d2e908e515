"""Half-samples without a target: choose on one half, cluster both, and see whether they agree."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score, silhouette_score

from fewer.core.runners.threads import ThreadRunner
from fewer.evaluate.data import Data
from fewer.evaluate.fold_units import seeded, sentence
from fewer.evaluate.times import clock

# Silhouettes look at all pairs of rows; of more rows so many are drawn.
MOST_ROWS = 2000
STARTS = 5


@dataclass(frozen=True)
class Half:
    """What one method found on one pair of halves; NaN where nothing could be clustered."""

    chosen: tuple[int, ...]
    silhouette: float = float("nan")
    agreement: float = float("nan")
    # The same of rows that are uniform in the box around these, where there are no groups.
    silhouette_uniform: float = float("nan")
    agreement_uniform: float = float("nan")
    n_clusters: int = 0
    seconds: float = float("nan")
    nmi: float = float("nan")
    failed: str = ""


def halves(n_rows: int, n_pairs: int, seed: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return pairs of random halves of the rows; of an odd number one row is left out."""
    rng = np.random.default_rng(seed)
    half = n_rows // 2
    orders = [rng.permutation(n_rows) for _ in range(n_pairs)]
    return [(np.sort(order[:half]), np.sort(order[half : 2 * half])) for order in orders]


def standardized(X: np.ndarray) -> np.ndarray:
    """Return the columns with mean 0 and deviation 1; those that are constant in these rows are 0."""
    # Halves first, so that no difference overflows.
    low, high = X.min(axis=0) / 2, X.max(axis=0) / 2
    width = np.where(high > low, high - low, 1.0)
    unit = (X / 2 - low) / width
    deviation = unit.std(axis=0)
    return (unit - unit.mean(axis=0)) / np.where(deviation > 0, deviation, 1.0)


def best_means(X: np.ndarray, max_clusters: int, seed: int) -> tuple[KMeans, float] | None:
    """Return k-means with the number of clusters, from two on, of the largest silhouette; None if rows are equal."""
    best = None
    for k in range(2, min(max_clusters, len(X) - 1, len(np.unique(X, axis=0))) + 1):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            means = KMeans(k, n_init=STARTS, random_state=seed).fit(X)
        rows = np.random.default_rng(seed).permutation(len(X))[:MOST_ROWS]
        if len(np.unique(means.labels_[rows])) < 2:
            continue
        value = float(silhouette_score(X[rows], means.labels_[rows]))
        if best is None or value > best[1]:
            best = means, value
    return best


def uniform_like(X: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return as many rows, uniform in the box around these along their principal axes: what has no groups.

    This is the reference of the gap statistic (Tibshirani, Walther and Hastie, 2001).
    """
    axes = np.linalg.svd(X, full_matrices=False)[2]
    along = X @ axes.T
    return rng.uniform(along.min(axis=0), along.max(axis=0), along.shape) @ axes


def clustered(
    first: np.ndarray, second: np.ndarray, labels: np.ndarray | None, max_clusters: int, seed: int
) -> dict[str, Any]:
    """Return how well the second half is clustered, and whether the clusters of the first say the same of its rows.

    Labels of -1 are not known.
    """
    # The scale of the first half is not known to the second: each has its own, as new data would.
    one, other = standardized(first), standardized(second)
    real = _agreeing(one, other, max_clusters, seed)
    if real is None:
        return {}
    found, silhouette, agreement = real
    out = {"silhouette": silhouette, "agreement": agreement, "n_clusters": int(found.max()) + 1}
    if labels is not None and (labels >= 0).any():
        out["nmi"] = float(normalized_mutual_info_score(labels[labels >= 0], found[labels >= 0]))
    rng = np.random.default_rng(seed)
    one, other = (standardized(uniform_like(half, rng)) for half in (one, other))
    none = _agreeing(one, other, max_clusters, seed)
    if none is not None:
        out["silhouette_uniform"], out["agreement_uniform"] = none[1:]
    return out


def _agreeing(
    first: np.ndarray, second: np.ndarray, max_clusters: int, seed: int
) -> tuple[np.ndarray, float, float] | None:
    """Return the clusters of the second rows, their silhouette, and their agreement with the clusters of the first."""
    mine, theirs = best_means(first, max_clusters, seed), best_means(second, max_clusters, seed)
    if mine is None or theirs is None:
        return None
    found = theirs[0].labels_
    return found, theirs[1], float(adjusted_rand_score(mine[0].predict(second), found))


def one_half(
    data: Data, method: Any, pair: tuple[np.ndarray, np.ndarray], seed: int, cluster: Callable[..., dict[str, Any]]
) -> Half:
    """Return what a method finds on a pair of halves, as numbers of columns; None as a method takes all columns.

    `cluster` says what two halves of some columns show.
    """
    chosen, seconds = data.columns, 0.0
    if method is not None:
        made = clone(method)
        if made.method_tags.baseline:
            # One order on all halves, from a seed of its own, would look perfectly stable.
            made.set_params(random_state=seed)
        try:
            with ThreadRunner(1) as run, clock() as taken, warnings.catch_warnings():
                warnings.simplefilter("ignore")
                rows = data.rows(pair[0], run)
                chosen = data.columns[np.sort(seeded(made, seed).fit_view(rows).selection_.indices)]
        except Exception as error:
            # What one method cannot do must not end the comparison of the others; the result says it.
            return Half((), failed=sentence(error))
        seconds = taken.seconds
    kept = tuple(chosen.tolist())
    if not kept:
        return Half((), seconds=seconds)
    return Half(kept, seconds=seconds, **cluster(kept))


def numbers_of(data: Data, rows: np.ndarray, columns: Sequence[int]) -> np.ndarray:
    """Return some columns of some rows as a dense array."""
    part = data.X[rows][:, list(columns)]
    return np.asarray(part.toarray() if hasattr(part, "toarray") else part, dtype=np.float64)

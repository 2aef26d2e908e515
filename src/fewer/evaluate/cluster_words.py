"""Words that tell clusters of documents, by the weights of terms in each."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse

from fewer.core.records.errors import InputError


@dataclass(frozen=True)
class ClusterWords:
    """What the weights of one cluster say of its terms.

    Attributes
    ----------
    words : list of str
        The terms of largest weight among those that occur in the cluster, at most ``top``.
    weights : list of float
        Their weights.
    n_absent : int
        Terms that do not occur in the cluster; they have extreme weights and are left out.
    constant : list of str
        Terms that occur equally often in every document of the cluster, whose weights are extreme, too.
    selected : ndarray of int
        Numbers of the terms above the threshold.
    decades : dict of (float, float) to int
        How many of the terms that occur have a weight above the first and up to the second number.
    """

    words: list[str]
    weights: list[float]
    n_absent: int
    constant: list[str]
    selected: np.ndarray
    decades: dict[tuple[float, float], int]


def cluster_keywords(
    X: Any,
    labels: Any,
    weights: Any,
    names: Sequence[str],
    threshold: float = 1e-6,
    top: int = 10,
    nouns: Collection[str] | None = None,
) -> list[ClusterWords]:
    """Return the words of every cluster, by its weights (book, section 10.6.2).

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_documents, n_terms)
        How often terms occur.
    labels : array-like of int, shape (n_documents,)
        Cluster of every document.
    weights : array-like of shape (n_clusters, n_terms)
        Weights of the terms in every cluster, such as ``SubspaceKMeans.weights_``.
    names : sequence of str
        The terms.
    threshold : float, default=1e-6
        Weight above which a term is among those that tell a cluster.
    top : int, default=10
        Most words per cluster.
    nouns : collection of str, optional
        Words among which those of a cluster are looked for; None for all.

    Examples
    --------
    >>> X = [[2, 1, 0], [3, 1, 0], [0, 1, 4], [0, 2, 4]]
    >>> found = cluster_keywords(X, [0, 0, 1, 1], [[0.2, 0.3, 0.5], [0.5, 0.2, 0.3]], ["ball", "the", "star"])
    >>> [(cluster.words, cluster.constant) for cluster in found]
    [(['ball'], ['the']), (['the'], ['star'])]
    """
    table = scipy.sparse.csr_array(X)
    weights, labels = np.asarray(weights, dtype=np.float64), np.asarray(labels)
    if weights.ndim != 2 or weights.shape[1] != table.shape[1] or len(names) != table.shape[1]:
        raise InputError(
            f"cluster_keywords got {table.shape[1]} terms, weights of shape {weights.shape} and {len(names)} names, "
            "but needs one weight per cluster and term and one name per term; pass those of the same terms."
        )
    if labels.shape != (table.shape[0],):
        raise InputError(
            f"cluster_keywords got {table.shape[0]} documents and labels of shape {labels.shape}, but needs one label "
            "per document; pass those of the same documents."
        )
    allowed = np.ones(len(names), bool) if nouns is None else np.isin(np.asarray(names), list(nouns))
    return [_words_of(table[labels == c], weights[c], names, threshold, top, allowed) for c in range(weights.shape[0])]


def _words_of(
    rows: Any, weights: np.ndarray, names: Sequence[str], threshold: float, top: int, allowed: np.ndarray
) -> ClusterWords:
    if rows.shape[0]:
        low, high = (np.asarray(side.todense()).ravel() for side in (rows.min(axis=0), rows.max(axis=0)))
    else:
        low = high = np.zeros(len(weights))
    occurs = high > 0
    constant = occurs & (low == high) & (rows.shape[0] > 1)
    used = occurs & ~constant
    chosen = np.flatnonzero(used & (weights > threshold))
    best = chosen[np.argsort(-weights[chosen], kind="stable")]
    best = best[allowed[best]][:top]
    return ClusterWords(
        [str(names[j]) for j in best.tolist()],
        weights[best].tolist(),
        int((~occurs).sum()),
        [str(names[j]) for j in np.flatnonzero(constant).tolist()],
        chosen,
        _decades(weights[used]),
    )


def _decades(weights: np.ndarray) -> dict[tuple[float, float], int]:
    """Return how many weights lie in every power of ten, from the smallest to 1."""
    positive = weights[weights > 0]
    if not len(positive):
        return {}
    first = int(np.ceil(np.log10(positive.min()))) - 1
    places = np.clip(np.ceil(np.log10(positive) - 1e-12).astype(int) - 1, first, -1)
    return {(10.0**p, 10.0 ** (p + 1)): int((places == p).sum()) for p in range(min(first, -1), 0)}

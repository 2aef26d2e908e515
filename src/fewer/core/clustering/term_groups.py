"""Terms whose tokens are spread over the clusters of documents in the same way."""

from __future__ import annotations

import numpy as np

# Keeps the logarithm of what does not occur finite.
TINY = 1e-12


def term_groups(counts: np.ndarray, n_groups: int, max_iter: int = 50) -> tuple[np.ndarray, list[float]]:
    """Group terms by their distributions over clusters: distributional clustering.

    Every term goes to the group with the nearest distribution by Kullback-Leibler divergence, which is then that of all
    tokens of the group; what is lost of the information of terms about clusters never grows. Groups start as equal
    parts of the terms in the order of their divergence from all tokens.

    Parameters
    ----------
    counts : ndarray of shape (n_clusters, n_terms)
        Tokens of every term in every cluster.
    n_groups : int
        Most groups.
    max_iter : int, default=50
        Most rounds.

    Returns
    -------
    groups : ndarray of int of shape (n_terms,)
        Group of every term from 0, -1 for terms that never occur.
    losses : list of float
        What is lost after every round, in nats per token.

    Examples
    --------
    >>> term_groups(np.array([[9, 0, 5, 8], [0, 7, 5, 0]]), 3)[0].tolist()
    [1, 2, 0, 1]
    """
    tokens = counts.sum(axis=0)
    there = np.flatnonzero(tokens > 0)
    out = np.full(counts.shape[1], -1, dtype=np.int64)
    if not len(there):
        return out, []
    shares = (counts[:, there] / tokens[there]).T
    mass = tokens[there] / tokens.sum()
    logs = np.log(np.maximum(shares, TINY))
    own = (shares * logs).sum(axis=1)
    apart = own - shares @ np.log(np.maximum(mass @ shares, TINY))
    order = np.argsort(apart, kind="stable")
    groups = np.empty(len(there), dtype=np.int64)
    groups[order] = np.arange(len(there)) * min(n_groups, len(there)) // len(there)
    losses: list[float] = []
    for _ in range(max_iter):
        groups = np.unique(groups, return_inverse=True)[1]
        weight = np.zeros((groups.max() + 1, len(there)))
        weight[groups, np.arange(len(there))] = mass
        centres = weight @ shares / weight.sum(axis=1, keepdims=True)
        distances = own[:, None] - shares @ np.log(np.maximum(centres, TINY)).T
        losses.append(float(mass @ distances[np.arange(len(there)), groups]))
        nearest = distances.argmin(axis=1)
        # A term stays unless another group is nearer by more than rounding.
        rows = np.arange(len(there))
        moves = distances[rows, nearest] < distances[rows, groups] - 1e-12
        if not moves.any():
            break
        groups = np.where(moves, nearest, groups)
    out[there] = groups
    return out, losses

"""Ranks of the values within each column, made in tiles."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from fewer.core.kernels import column_order as kernels
from fewer.core.runners.runner import Runner
from fewer.core.views.view import View

TILE_CELLS = 2**20


def column_ranks(X: np.ndarray, run: Runner, use: Callable[[np.ndarray, np.ndarray], Any] | None = None) -> Any:
    """Rank the values of every column (midranks from 1), a few columns at a time.

    Parameters
    ----------
    X : ndarray of shape (n_rows, n_features)
        Finite numbers.
    run : Runner
        Its threads do the work.
    use : callable, optional
        Called with the ranks (n_columns, n_rows) and tie terms of every tile; its results are returned as a list.
        Without it the ranks and tie terms of all columns are returned.
    """

    def work(start: int, stop: int) -> Any:
        columns = np.ascontiguousarray(X[:, start:stop].T)
        ranks, ties = np.empty(columns.shape), np.empty(stop - start)
        for k, (column, order) in enumerate(zip(columns, np.argsort(columns, axis=1, kind="stable"))):
            ties[k] = kernels.average_ranks(column, order, ranks[k])
        return (ranks, ties) if use is None else use(ranks, ties)

    parts = run.scan(work, X.shape[1], max(1, TILE_CELLS // max(1, X.shape[0])))
    if use is not None:
        return parts
    return np.concatenate([p[0] for p in parts]), np.concatenate([p[1] for p in parts])


def class_rank_sums(view: View) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the rank sums per feature and class, the tie terms, and the rows per class."""
    block = view.whole()
    member = np.zeros((block.n_rows, view.n_classes))
    member[np.arange(block.n_rows), block.y] = 1.0
    parts = column_ranks(block.X, view.run, lambda ranks, ties: (ranks @ member, ties))
    sums, ties = np.concatenate([p[0] for p in parts]), np.concatenate([p[1] for p in parts])
    return sums, ties, member.sum(axis=0)


def concordance(X: np.ndarray, y: np.ndarray, run: Runner) -> tuple[np.ndarray, tuple[float, float]]:
    """Compare the order of every column with that of y.

    Returns
    -------
    pairs : ndarray of shape (n_features, 3)
        Concordant minus discordant pairs; pairs and triples tied in the feature, as `measures.Ties` counts them.
    ties_y : tuple of two floats
        Pairs and triples tied in y.
    """
    by_y = np.argsort(y, kind="stable")
    y_sorted = np.unique(y[by_y], return_inverse=True)[1].astype(np.int64)
    sizes = np.bincount(y_sorted).astype(float)

    def work(start: int, stop: int) -> np.ndarray:
        columns = np.ascontiguousarray(X[by_y, start:stop].T)
        out = np.empty((stop - start, 3))
        values, scratch = np.empty(len(y), np.int64), np.empty(len(y), np.int64)
        for k, (column, order) in enumerate(zip(columns, np.argsort(columns, axis=1, kind="stable"))):
            kernels.kendall_pairs(column, order, y_sorted, values, scratch, out[k])
        return out

    parts = run.scan(work, X.shape[1], max(1, TILE_CELLS // max(1, X.shape[0])))
    ties = float((sizes * (sizes - 1) / 2).sum()), float((sizes * (sizes - 1) * (sizes - 2)).sum())
    return np.concatenate(parts), ties

"""The graph of near rows: who is next to whom, and by how much.

`neighbour_graph` makes it of rows; `RowGraph` holds every edge once and offers what methods on graphs need: degrees,
parts that hang together, the matrix of weights. Sums over its edges are in `laplacian`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse
from scipy.sparse.csgraph import connected_components

from fewer.core.neighbours.near_rows import nearest_rows
from fewer.core.neighbours.row_points import as_points

JOINS = ("either", "both")
WEIGHTS = ("heat", "binary", "cosine")


@dataclass(frozen=True, eq=False)
class RowGraph:
    """An undirected graph of rows without loops.

    Attributes
    ----------
    n_rows : int
        Number of rows.
    first, second : ndarray of int of shape (n_edges,)
        The rows of every edge, first < second, in ascending order.
    weight : ndarray of shape (n_edges,)
        Weights, at least 0.
    width : float
        Squared distance at which a heat kernel has fallen to 1 / e; 0 where it was not used.
    """

    n_rows: int
    first: np.ndarray
    second: np.ndarray
    weight: np.ndarray
    width: float = 0.0

    @cached_property
    def degree(self) -> np.ndarray:
        """Sum of the weights at every row."""
        out = np.bincount(self.first, self.weight, self.n_rows)
        return out + np.bincount(self.second, self.weight, self.n_rows)

    @cached_property
    def matrix(self) -> scipy.sparse.csr_array:
        """The symmetric matrix of weights; edges of weight 0 are left out."""
        some = self.weight > 0
        ends = (
            np.concatenate([self.first[some], self.second[some]]),
            np.concatenate([self.second[some], self.first[some]]),
        )
        weights = np.concatenate([self.weight[some], self.weight[some]])
        out = scipy.sparse.csr_array((weights, ends), shape=(self.n_rows, self.n_rows))
        out.sort_indices()
        return out

    @cached_property
    def parts(self) -> np.ndarray:
        """Number of the connected part of every row, by first rows; a row without edges is a part of its own."""
        label = connected_components(self.matrix, directed=False)[1]
        order = np.unique(label, return_index=True)[1]
        rank = np.empty(len(order), np.int64)
        rank[np.argsort(order)] = np.arange(len(order))
        return rank[label]

    @property
    def n_parts(self) -> int:
        """Number of connected parts."""
        return int(self.parts.max(initial=-1)) + 1


def neighbour_graph(
    run: Any,
    X: Any,
    k: int,
    *,
    join: str = "either",
    weights: str = "heat",
    width: float | None = None,
) -> RowGraph:
    """Join every row with its nearest rows.

    Parameters
    ----------
    run : Runner
        Its threads do the work.
    X : ndarray or sparse matrix of shape (n_rows, n_features)
        Finite numbers; sparse rows give the graph of dense ones.
    k : int
        Number of nearest rows of each, all others if there are fewer; of equally far ones those with lower numbers.
    join : {"either", "both"}, default="either"
        Whether two rows are joined if either is among the nearest of the other, or only if both are.
    weights : {"heat", "binary", "cosine"}, default="heat"
        exp(-squared distance / width); 1; or the cosine of the angle, at least 0, and rows are near by that angle.
    width : float, optional
        Width of the heat kernel; the mean squared distance of a row from its nearest rows if not given.
    """
    scaled = unit_rows(X) if weights == "cosine" else X
    points = as_points(scaled)
    index, distance = nearest_rows(run, points, k)
    n, taken = index.shape
    rows, others, away = np.repeat(np.arange(n), taken), index.ravel(), distance.ravel()
    code = np.minimum(rows, others) * n + np.maximum(rows, others)
    pairs, at, times = np.unique(code, return_index=True, return_counts=True)
    if join == "both":
        pairs, at = pairs[times == 2], at[times == 2]
    first, second, away = pairs // max(n, 1), pairs % max(n, 1), away[at]
    if weights == "binary":
        return RowGraph(n, first, second, np.ones(len(first)))
    if weights == "cosine":
        return RowGraph(n, first, second, _cosines(scaled, first, second, away))
    used = _mean(distance) if width is None else float(width)
    return RowGraph(n, first, second, heat(away, used), used)


def heat(squares: np.ndarray, width: float) -> np.ndarray:
    """Return exp(-squares / width); of equal rows 1, whatever the width."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        return np.where(squares > 0, np.exp(-squares / width), 1.0)


def _mean(squares: np.ndarray) -> float:
    """Return the mean of squares whose sum might overflow."""
    top = float(squares.max(initial=0.0))
    return float((squares / top).mean() * top) if top > 0 else 0.0


def unit_rows(X: Any) -> Any:
    """Return the rows scaled to length 1; rows of zeros stay."""
    if scipy.sparse.issparse(X):
        X = scipy.sparse.csr_array(X, dtype=np.float64, copy=True)
        rows = np.repeat(np.arange(X.shape[0]), np.diff(X.indptr))
        top = np.zeros(X.shape[0])
        np.maximum.at(top, rows, np.abs(X.data))
        X.data /= np.where(top > 0, top, 1.0)[rows]
        length = np.sqrt(np.bincount(rows, X.data**2, X.shape[0]))
        X.data /= np.where(length > 0, length, 1.0)[rows]
        return X
    X = np.asarray(X, dtype=np.float64)
    top = np.abs(X).max(axis=1, initial=0.0, keepdims=True)
    X = X / np.where(top > 0, top, 1.0)
    length = np.sqrt((X**2).sum(axis=1, keepdims=True))
    return X / np.where(length > 0, length, 1.0)


def _cosines(unit: Any, first: np.ndarray, second: np.ndarray, squares: np.ndarray) -> np.ndarray:
    """Return the cosines of joined rows of length 1 from their squared distances; a row of zeros has none."""
    if scipy.sparse.issparse(unit):
        zero = (
            np.bincount(np.repeat(np.arange(unit.shape[0]), np.diff(unit.indptr)), unit.data != 0, unit.shape[0]) == 0
        )
    else:
        zero = ~unit.any(axis=1)
    return np.where(zero[first] | zero[second], 0.0, np.clip(1.0 - squares / 2.0, 0.0, 1.0))

"""Columns on a graph of rows: how much they change along its edges, and its smoothest functions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.linalg
import scipy.sparse
from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigsh

from fewer.core.kernels import row_bounds
from fewer.core.neighbours.row_graph import RowGraph

COLUMNS_AT_ONCE = 128
# Zeros of a sparse column in rows that together weigh less than this fraction are added up one by one.
FEW = 1e-4
# Parts of the graph up to this size are solved in full.
SMALL_PART = 400
# Eigenvalues are -1 to 1; one that is known is made less than any by subtracting this.
BELOW = 3.0


@dataclass(frozen=True, eq=False)
class Smoothness:
    """Sums of every column f on a graph with weights S, degrees D and L = D - S.

    Columns are divided by a power of two near their largest number, so that squares are in range; ratios do not change.

    Attributes
    ----------
    along : ndarray of shape (n_features,)
        f' L f, the weighted sum of squared differences along the edges.
    spread : ndarray of shape (n_features,)
        f' D f of the column less its mean, both weighted by degrees.
    mean : ndarray of shape (n_features,)
        That mean, in the units of the data.
    factor : ndarray of shape (n_features,)
        The powers of two.
    constant : ndarray of bool of shape (n_features,)
        Which columns have one value in all rows, or in all rows with edges.
    """

    along: np.ndarray
    spread: np.ndarray
    mean: np.ndarray
    factor: np.ndarray
    constant: np.ndarray

    @property
    def laplacian(self) -> np.ndarray:
        """The Laplacian score, 0 to 2, smaller for smoother columns; infinite for constant ones."""
        out = np.full(len(self.along), np.inf)
        # Spread is 0 also where all that varies hangs on weights that are next to nothing.
        ratio = np.divide(self.along, self.spread, out=out, where=~self.constant & (self.spread > 0))
        return np.where(self.constant, np.inf, np.clip(ratio, 0.0, 2.0))


def smoothness(run: Any, X: Any, graph: RowGraph) -> Smoothness:
    """Sum up all columns on a graph.

    Parameters
    ----------
    run : Runner
        Its threads do the work.
    X : ndarray or sparse matrix of shape (n_rows, n_features)
        The columns, not necessarily those of which the graph was made.
    graph : RowGraph
        The graph.
    """
    if scipy.sparse.issparse(X):
        return _sparse(run, scipy.sparse.csc_array(X, dtype=np.float64), graph)
    return _dense(run, np.ascontiguousarray(X, dtype=np.float64), graph)


def _dense(run: Any, X: np.ndarray, graph: RowGraph) -> Smoothness:
    d, degree = X.shape[1], graph.degree
    share = degree / max(degree.sum(), np.finfo(float).tiny)
    along, spread, mean, factor, constant = np.zeros(d), np.zeros(d), np.zeros(d), np.ones(d), np.ones(d, bool)
    if not share.any():
        return Smoothness(along, spread, mean, factor, constant)
    # Means are measured from a row: products of large numbers would lose what varies.
    base = X[int(np.argmax(share > 0))]
    low, high = base.copy(), base.copy()

    def work(begin: int, end: int) -> None:
        some = slice(begin, end)
        row_bounds.add_columns(X, begin, end, share, base, low, high, mean)
        mean[some] += base[some]
        constant[some] = low[some] == high[some]
        factor[some] = powers(np.maximum(np.abs(low[some]), np.abs(high[some])))
        row_bounds.add_edge_squares(X, begin, end, graph.first, graph.second, graph.weight, factor, along)
        row_bounds.add_centred_squares(X, begin, end, mean, degree, factor, spread)

    run.scan(work, d, COLUMNS_AT_ONCE)
    return Smoothness(along, spread, mean, factor, constant)


def _sparse(run: Any, X: Any, graph: RowGraph) -> Smoothness:
    n, d = X.shape
    X.sum_duplicates()
    degree, S = graph.degree, graph.matrix
    column = np.repeat(np.arange(d), np.diff(X.indptr))
    weight = degree[X.indices]
    counts = np.bincount(column, weight > 0, d)
    n_joined, total = int((degree > 0).sum()), degree.sum()
    low, high, top = _extremes(X, column, weight > 0, counts < n_joined)
    factor = powers(top)
    stored = np.bincount(column, weight, d)
    stored[counts == n_joined] = total
    scaled = X.data * factor[column]
    base = np.where(counts == n_joined, low * factor, 0.0)
    mean = base + np.bincount(column, weight * (scaled - base[column]), d) / max(total, np.finfo(float).tiny)
    absent = np.maximum(total - stored, 0.0)
    for j in np.flatnonzero((counts < n_joined) & (absent < FEW * total)).tolist():
        # The difference of totals would lose rows that hardly weigh anything.
        absent[j] = np.delete(degree, X.indices[X.indptr[j] : X.indptr[j + 1]]).sum()
    spread = np.bincount(column, weight * (scaled - mean[column]) ** 2, d) + mean**2 * absent
    along = np.zeros(d)

    def work(begin: int, end: int) -> None:
        row_bounds.sparse_edge_squares(
            X.data, X.indices, X.indptr, begin, end, S.indptr, S.indices, S.data, factor, np.zeros(n), along
        )

    run.scan(work, d, COLUMNS_AT_ONCE)
    return Smoothness(along, spread, mean / factor, factor, low == high)


def _extremes(X: Any, column: np.ndarray, joined: np.ndarray, zeros: np.ndarray) -> tuple[np.ndarray, ...]:
    """Return the least, the largest and the farthest number of each column of the rows with edges."""
    low, high = np.where(zeros, 0.0, np.inf), np.where(zeros, 0.0, -np.inf)
    np.minimum.at(low, column[joined], X.data[joined])
    np.maximum.at(high, column[joined], X.data[joined])
    none = low > high
    low[none] = high[none] = 0.0
    return low, high, np.maximum(np.abs(low), np.abs(high))


def powers(size: np.ndarray) -> np.ndarray:
    """Return the powers of two that bring sizes to about 1; 1 for 0."""
    return np.where(size > 0, np.ldexp(1.0, np.minimum(-np.frexp(size)[1], 1000)), 1.0)


def smooth_functions(graph: RowGraph, n_functions: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the smallest eigenvalues of the normalized Laplacian I - D^-1/2 S D^-1/2, and its eigenvectors.

    Every connected part is solved for itself, so that all eigenvalues 0 are found, one per part; their vectors are
    those of single parts. Rows without edges are left out: their entries are 0. Of equal eigenvalues those of larger
    parts come first, then those of parts with lower rows.

    Parameters
    ----------
    graph : RowGraph
        The graph.
    n_functions : int
        How many, fewer if there are fewer rows with edges.

    Returns
    -------
    values : ndarray of shape (n_found,)
        Eigenvalues, ascending, 0 to 2.
    vectors : ndarray of shape (n_rows, n_found)
        Eigenvectors of length 1, with the largest entry positive.
    """
    degree, S = graph.degree, graph.matrix
    root = np.sqrt(degree)
    order = np.argsort(graph.parts, kind="stable")
    begin = np.searchsorted(graph.parts[order], np.arange(graph.n_parts + 1))
    sizes = np.diff(begin)
    found: list[tuple[float, int, int, np.ndarray, np.ndarray]] = []
    for part in range(graph.n_parts):
        rows = order[begin[part] : begin[part + 1]]
        if len(rows) < 2:
            continue
        inverse = scipy.sparse.diags_array(1.0 / root[rows])
        values, vectors = _top_of_part(inverse @ S[rows][:, rows] @ inverse, root[rows], min(n_functions, len(rows)))
        for value, vector in zip(values.tolist(), vectors.T):
            found.append((float(np.clip(1.0 - value, 0.0, 2.0)), -int(sizes[part]), part, rows, vector))
    found.sort(key=lambda one: one[:3])
    found = found[:n_functions]
    vectors = np.zeros((graph.n_rows, len(found)))
    for at, (_, _, _, rows, vector) in enumerate(found):
        vectors[rows, at] = vector if vector[np.argmax(np.abs(np.round(vector, 9)))] > 0 else -vector
    return np.array([one[0] for one in found]), vectors


def _top_of_part(A: Any, root: np.ndarray, n_wanted: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the largest eigenvalues of the matrix of one connected part, descending, and their vectors."""
    # The first is known without any search; it is moved below all others, so that none of those is mixed with it where
    # parts hang together by so little that their eigenvalues are equal to 1 in the machine.
    first = root / np.linalg.norm(root)
    n, others = len(root), n_wanted - 1
    if others == 0:
        return np.ones(1), first[:, None]
    if n <= max(SMALL_PART, 3 * n_wanted):
        values, vectors = _all_of(A, first)
    else:
        moved = LinearOperator((n, n), matvec=lambda x: A @ x - BELOW * first * (first @ x), dtype=np.float64)
        # The start has parts along all vectors and does not change from run to run.
        start = np.random.default_rng(0).standard_normal(n)
        try:
            values, vectors = eigsh(moved, others, which="LA", v0=start, tol=1e-12, ncv=min(n, 4 * n_wanted + 20))
        except ArpackNoConvergence:
            values, vectors = _all_of(A, first)
    order = np.argsort(-values, kind="stable")[:others]
    return np.concatenate([[1.0], values[order]]), np.column_stack([first, vectors[:, order]])


def _all_of(A: Any, first: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return all eigenvalues and vectors, the known one moved; solvers of a few fail where many are equal."""
    return scipy.linalg.eigh(A.toarray() - BELOW * np.outer(first, first), driver="evd")

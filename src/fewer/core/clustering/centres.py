"""Centres of rows: which is nearest under weights, and means, modes and dispersions of the rows of each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fewer.core.clustering.points import Points
from fewer.core.kernels import centres as loops

# A bound of the squares of rows may be so many times larger than they are; rounding then decides so much more often.
LOOSE = 64.0
# Dispersions below this part of the sums that they are a difference of are computed again.
LOST = 1e-4


@dataclass(frozen=True, eq=False)
class Centres:
    """A centre per cluster.

    Attributes
    ----------
    means : ndarray of shape (n_clusters, n_numeric)
        Of numeric columns.
    modes : ndarray of int, shape (n_clusters, n_nominal)
        Of nominal columns.
    """

    means: np.ndarray
    modes: np.ndarray

    def __len__(self) -> int:
        return len(self.means)

    @classmethod
    def at_rows(cls, points: Points, rows: Any) -> Centres:
        """Return centres at some rows."""
        found = [points.row(int(i)) for i in rows]
        return cls(np.array([numbers for numbers, _ in found]), np.array([codes for _, codes in found]))

    @classmethod
    def given(cls, points: Points, table: np.ndarray) -> Centres:
        """Return centres in the coordinates of the points, of a table in the units of the data."""
        placed = points.frame.place(np.asarray(table, dtype=np.float64))
        return cls(np.array(placed.numbers), placed.codes)

    def table(self, points: Points) -> np.ndarray:
        """Return the centres in the units of the data, modes as level numbers."""
        frame = points.frame
        out = np.empty((len(self), len(frame.nominal)))
        out[:, ~frame.nominal] = self.means * frame.unit + frame.shift
        out[:, frame.nominal] = self.modes
        return out


def nearest(points: Points, centres: Centres, weights: np.ndarray, offsets: np.ndarray | float = 0.0) -> np.ndarray:
    """Return the nearest centre of every row, the first of equal ones.

    Distances are sums of products; where rounding of these could decide, differences do, always in the same order of
    sums. The result hence does not depend on which rows stand beside.

    Parameters
    ----------
    points : Points
        The rows.
    centres : Centres
        The centres.
    weights : ndarray of shape (1, n_features) or (n_clusters, n_features)
        By which distances of single features are multiplied, for all centres or for each.
    offsets : ndarray of shape (n_clusters,) or float
        What every distance to a centre has besides.
    """
    numeric, levels = points.parts(weights)
    offsets = np.broadcast_to(np.asarray(offsets, dtype=np.float64), len(centres)).copy()
    labels, doubtful = np.zeros(len(points), np.int64), np.ones(len(points), bool)
    if len(centres) == 1:
        return labels
    # An estimate of the usual error; the worst case grows with the columns.
    slack = 4e-16 * (8 + 2 * np.sqrt(points.n_features))
    if numeric.shape[1]:
        bounds = _bounds(points, numeric)
        with np.errstate(over="ignore", invalid="ignore"):
            for rows in points.blocks():
                products, ends = _products(points, rows, centres, numeric, levels)
                own = _squares(points, rows, numeric) if bounds is None else bounds[:, rows]
                loops.choose_nearest(products, own, ends + offsets, slack, labels[rows], doubtful[rows])
    unsure = np.flatnonzero(doubtful)
    if points.sparse:
        X = points.numbers
        loops.exact_nearest_sparse(unsure, X.indptr, X.indices, X.data, centres.means, numeric, offsets, labels)
    else:
        loops.exact_nearest(
            unsure, points.numbers, points.codes, centres.means, centres.modes, numeric, levels, offsets, labels
        )
    return labels


def _bounds(points: Points, numeric: np.ndarray) -> np.ndarray | None:
    """Return what the squares of the rows do not exceed; None where that is far away or weights differ by centre.

    Where weights are the same for all centres, squares of the rows only tell how large rounding may be.
    """
    most = numeric.max()
    if len(numeric) > 1 or most * points.mean_squares.sum() > LOOSE * (numeric[0] @ points.mean_squares):
        return None
    return np.asarray(most * points.lengths[None])


def _squares(points: Points, rows: slice, numeric: np.ndarray) -> np.ndarray:
    """Return the weighted squares of a block of rows, a line per row of weights."""
    X = points.numbers
    if points.sparse:
        # A slice of sparse rows is a copy.
        part = points.squares if rows == slice(0, len(points)) else points.squares[rows]
        return np.ascontiguousarray((part @ numeric.T).T)
    return np.asarray(numeric @ (X[rows] * X[rows]).T)


def _products(
    points: Points, rows: slice, centres: Centres, numeric: np.ndarray, levels: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return products of a block of rows with all centres, a line per centre, and squares of the centres.

    A distance is the sum of the squares less twice the product. Different levels are in the products; they are in the
    squares of the centres, too, so that these bound the error.
    """
    everything = points.sparse and rows == slice(0, len(points))
    X = points.numbers if everything else points.numbers[rows]
    weighted = numeric * centres.means
    ends = (weighted * centres.means).sum(axis=1)
    products = np.ascontiguousarray((X @ weighted.T).T) if points.sparse else weighted @ X.T
    if levels.shape[1]:
        loops.take_unlike(points.codes[rows], centres.modes, levels, products)
        most = levels.sum(axis=1)
        ends, products = ends + most, products + 0.5 * most[:, None]
    return products, ends


def own_distances(points: Points, centres: Centres, weights: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """Return the distance of every row to the centre of its cluster, without offsets; 0 for a row that is there."""
    numeric, levels = points.parts(weights)
    out, X = np.empty(len(points)), points.numbers
    if points.sparse:
        loops.own_distances_sparse(X.indptr, X.indices, X.data, labels, centres.means, numeric, out)
    else:
        loops.own_distances(X, points.codes, labels, centres.means, centres.modes, numeric, levels, out)
    return out


def updated(
    points: Points, labels: np.ndarray, before: Centres, counts: np.ndarray | None = None
) -> tuple[Centres, np.ndarray]:
    """Return means and modes of all clusters, and the dispersion of every feature in each (eq. 10.6, 10.7, 10.14).

    An empty cluster keeps its centre. The numbers of rows are counted if they are not known.
    """
    if counts is None:
        counts = np.bincount(labels, minlength=len(before)).astype(np.float64)
    means, spread = (_sparse_means if points.sparse else _dense_means)(points, labels, before.means, counts)
    modes, unlike = _modes(points, labels, before.modes, counts)
    dispersions = np.empty((len(before), points.n_features))
    dispersions[:, ~points.frame.nominal] = spread
    dispersions[:, points.frame.nominal] = unlike * points.frame.mismatch
    return Centres(means, modes), dispersions


def _dense_means(
    points: Points, labels: np.ndarray, before: np.ndarray, counts: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return means and dispersions by one pass over differences from the means before."""
    sums, squares = np.zeros_like(before), np.zeros_like(before)
    loops.add_rows(points.numbers, labels, before, sums, squares)
    moved = sums / np.maximum(counts, 1)[:, None]
    means = before + moved
    spread = squares - moved * sums
    if (spread < LOST * squares).any():
        means, spread = _again(points, labels, means, counts)
        # Equal values have their mean among them, whatever rounding made of it, and no dispersion.
        same = _only_rounding(spread, abs(means) + abs(before), counts)
        means = np.where(same, points.numbers[_firsts(labels, len(before))], means)
        spread[same] = 0.0
    return means, spread


def _again(points: Points, labels: np.ndarray, means: np.ndarray, counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return means without the rounding of a long sum, and dispersions around them."""
    sums, squares = np.zeros_like(means), np.zeros_like(means)
    loops.add_rows(points.numbers, labels, means, sums, squares)
    moved = sums / np.maximum(counts, 1)[:, None]
    return means + moved, np.maximum(squares - moved * sums, 0.0)


def _sparse_means(
    points: Points, labels: np.ndarray, before: np.ndarray, counts: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return means and dispersions; a second pass takes away the rounding of long sums."""
    X, sums, stored, rests, spread = points.numbers, *(np.zeros_like(before) for _ in range(4))
    rows = np.maximum(counts, 1)[:, None]
    loops.add_sparse_rows(X.indptr, X.indices, X.data, labels, sums, stored)
    means = np.where(counts[:, None] > 0, sums / rows, before)
    loops.add_sparse_differences(X.indptr, X.indices, X.data, labels, means, rests, spread)
    zeros = counts[:, None] - stored
    moved = (rests - zeros * means) / rows
    spread = np.maximum(spread + zeros * means * means - rows * moved * moved, 0.0)
    means = means + moved
    same = _only_rounding(spread, abs(means), counts)
    spread[same] = 0.0
    return np.where(same, X[_firsts(labels, len(before))].toarray(), means), spread


def _firsts(labels: np.ndarray, n_clusters: int) -> np.ndarray:
    """Return the first row of every cluster, 0 for an empty one."""
    out = np.zeros(n_clusters, np.int64)
    out[labels[::-1]] = np.arange(len(labels))[::-1]
    return out


def _only_rounding(spread: np.ndarray, sizes: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Return which dispersions of clusters with rows rounding of a mean alone could make."""
    with np.errstate(under="ignore"):
        return (spread <= counts[:, None] * (1e-15 * sizes) ** 2) & (counts[:, None] > 0)


def _modes(points: Points, labels: np.ndarray, before: np.ndarray, counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the most frequent level, of equal ones the first to appear, and how many rows have another."""
    levels = points.frame.levels
    starts = np.concatenate([[0], np.cumsum([order.max() + 1 for order in levels])]).astype(np.int64)
    table = np.zeros((len(before), int(starts[-1])), np.int64)
    loops.count_levels(points.codes, starts, labels, table)
    modes, unlike = before.copy(), np.zeros(before.shape)
    for j, order in enumerate(levels):
        here = table[:, starts[j] + order]
        modes[counts > 0, j] = order[here.argmax(axis=1)][counts > 0]
        unlike[:, j] = counts - here.max(axis=1)
    return modes, unlike

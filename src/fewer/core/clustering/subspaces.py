"""Clusters that each have columns of their own: joined units, one label per row, tables, which columns matter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy.sparse
from scipy.sparse.csgraph import connected_components

from fewer.core.clustering.dense_units import Grid
from fewer.core.kernels.unit_counts import cover_units, next_cells
from fewer.core.records.errors import InputError
from fewer.core.records.ranking import steady
from fewer.core.records.reasons import IRRELEVANT, Reasons
from fewer.core.records.result import Selection
from fewer.core.records.result_table import ResultTable


@dataclass(frozen=True, eq=False)
class UnitClusters:
    """Groups of units that share faces, numbered, with a label per row.

    Attributes
    ----------
    grid : Grid
        The grid.
    units : list of ndarray of shape (n_units, n_columns)
        The units of every cluster as items of the grid.
    rows : list of int
        How many rows lie in each.
    labels : ndarray of shape (n_rows,)
        The first cluster that a row lies in, -1 for none.
    """

    grid: Grid
    units: list[np.ndarray]
    rows: list[int]
    labels: np.ndarray

    @property
    def subspaces(self) -> list[tuple[int, ...]]:
        """The columns of every cluster."""
        return [tuple(self.grid.column[units[0]].tolist()) for units in self.units]

    def members(self, cluster: int) -> np.ndarray:
        """Return the rows of a cluster."""
        return np.flatnonzero(_covered(self.grid, self.units[cluster]))


def unit_clusters(grid: Grid, levels: Sequence[tuple[np.ndarray, np.ndarray]]) -> UnitClusters:
    """Return the connected groups of units, and for every row the largest it lies in: most columns, then most rows.

    Clusters that some row is labelled by come first in the numbering.
    """
    found = [group for units, counts in levels for group in _connected(grid, units, counts)]
    found.sort(key=lambda group: (-group[0].shape[1], -group[1], group[0][0].tolist()))
    labels, free = np.full(grid.n_rows, -1, np.int64), np.ones(grid.n_rows, bool)
    used: list[tuple[np.ndarray, int]] = []
    others: list[tuple[np.ndarray, int]] = []
    for group in found:
        new = free & _covered(grid, group[0]) if free.any() else free
        if new.any():
            labels[new] = len(used)
            free &= ~new
            used.append(group)
        else:
            others.append(group)
    units, rows = [g[0] for g in used + others], [g[1] for g in used + others]
    return UnitClusters(grid, units, rows, labels)


def _connected(grid: Grid, units: np.ndarray, counts: np.ndarray) -> list[tuple[np.ndarray, int]]:
    """Return the groups of units of one number of columns that hang together by faces, with their rows."""
    beside, n = grid.beside, len(units)
    ends = [np.empty((0, 2), np.int64)]
    for p in range(units.shape[1]):
        to = np.empty(n, np.int64)
        next_cells(units, beside, p, to)
        here = np.flatnonzero(to >= 0)
        ends.append(np.column_stack([here, to[here]]))
    pairs = np.concatenate(ends)
    graph = scipy.sparse.coo_array((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=(n, n))
    n_groups, group = connected_components(graph, directed=False)
    order = np.argsort(group, kind="stable")
    parts = np.split(order, np.cumsum(np.bincount(group, minlength=n_groups))[:-1])
    return [(np.ascontiguousarray(units[part]), int(counts[part].sum())) for part in parts if len(part)]


def _covered(grid: Grid, units: np.ndarray) -> np.ndarray:
    """Return which rows lie in some of the units."""
    words = np.zeros(grid.planes.shape[1], np.uint64)
    cover_units(grid.planes, units, words)
    return np.unpackbits(words.astype("<u8").view(np.uint8), count=grid.n_rows, bitorder="little").astype(bool)


def clusters_table(
    subspaces: Sequence[tuple[int, ...]], rows: Sequence[int], names: tuple[str, ...] | None
) -> ResultTable:
    """Return a line per cluster: its number, its rows, and the columns in which it lies."""

    def named(j: int) -> str:
        return f"x{j}" if names is None else names[j]

    columns = {
        "cluster": np.arange(len(rows)),
        "rows": np.array(rows, dtype=np.int64),
        "columns": np.array([len(s) for s in subspaces], dtype=np.int64),
        "subspace": [", ".join(named(j) for j in s) for s in subspaces],
    }
    return ResultTable("Clusters and their subspaces", columns)


def by_subspace(labels: np.ndarray, subspaces: Sequence[tuple[int, ...]], n_features: int) -> Selection:
    """Return a selection by the fraction of rows whose cluster lies in a subspace with the feature; any is enough."""
    rows = np.bincount(labels[labels >= 0], minlength=len(subspaces))
    held = np.zeros(n_features)
    for count, subspace in zip(rows.tolist(), subspaces):
        held[list(subspace)] += count
    scores = held / len(labels)
    order = np.argsort(-steady(scores), kind="stable")
    kept = order[scores[order] > 0]
    rule = "some row must lie in a cluster whose subspace has it"
    reasons = Reasons.of_kept(
        n_features, kept, IRRELEVANT, threshold=np.zeros(n_features), above=np.ones(n_features, bool), rule=rule
    )
    return Selection.build(kept, order, reasons, scores)


def unit_ranges(X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return half the smallest value and half the range of every column; halves, so that no range overflows."""
    low, high = X.min(axis=0) / 2, X.max(axis=0) / 2
    return low, high - low


def checked_clusters(name: str, n_clusters: int, n_rows: int) -> None:
    """Raise if more clusters are wanted than there are rows."""
    if n_clusters > n_rows:
        raise InputError(
            f"{name} got n_clusters={n_clusters}, but X has n_samples = {n_rows} and a cluster needs a row; choose a "
            "smaller n_clusters or add rows."
        )

"""Counts of features against one variable within the strata of others: whole numbers, so they add up exactly."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from fewer.core.kernels import contingency
from fewer.core.summaries.counts import count_against, joint_ids, stacked
from fewer.core.summaries.results import Counts
from fewer.core.summaries.summary import Summary

# In lists of columns: the classes.
CLASSES = -1
# Neighbouring features fewer than this are counted by columns: lanes along the rows need company.
FEW_TOGETHER = 8
# Combinations are numbered in a table of this many cells per row, and hashed beyond.
CELLS_PER_ROW = 4


@dataclass(frozen=True, eq=False)
class StrataCounts:
    """Tables of features against the combinations of other columns that occur.

    Line k of ``cells`` (n_cells, n_given + 1) is the k-th combination, in ascending order, of the levels of the given
    columns and, last, of the target; column k of ``counts`` counts its rows.
    """

    cells: np.ndarray
    counts: Counts


@dataclass(frozen=True)
class CountsInStrata(Summary[StrataCounts]):
    """Counts of some features against a target within every combination of levels of the given columns.

    Only combinations that occur have a column, so that there are at most as many as rows. ``CLASSES`` stands for the
    classes, as the target or among the given columns.

    Parameters
    ----------
    features : tuple of int
        The features to count, in ascending order.
    given : tuple of int
        The columns whose combinations are the strata.
    target : int
        What is counted against.
    n_classes : int
        Number of classes.
    """

    features: tuple[int, ...]
    given: tuple[int, ...]
    target: int
    n_classes: int = 0

    remembered = False
    words = "counting levels in strata"

    def width(self, block: Any) -> int:
        """Return the number of features to count."""
        return len(self.features)

    def most_cells(self, n_levels: np.ndarray, n_rows: int) -> int:
        """Return a bound of the number of combinations."""
        return min(n_rows, prod(self._levels(n_levels)))

    def bytes_per_feature(self, block: Any) -> int:
        """Bound the tile by its table."""
        return 16 * int(block.n_levels.max(initial=1)) * self.most_cells(block.n_levels, block.n_rows)

    def tile(self, block: Any, start: int, stop: int) -> StrataCounts:
        """Count some of the features in one row block."""
        return self.tables(block, *self.combinations(block), start, stop)

    def combinations(self, block: Any) -> tuple[np.ndarray, np.ndarray]:
        """Return the combinations that occur in a block, sorted, and the number of that of every row."""
        columns = [block.y if j == CLASSES else block.column(j) for j in (*self.given, self.target)]
        levels = self._levels(block.n_levels)
        if prod(levels) > CELLS_PER_ROW * block.n_rows:
            ids, first = joint_ids(columns, levels, block.n_rows)
            cells = np.column_stack([column[first] for column in columns]).astype(np.int64)
            order = np.lexsort(cells.T[::-1])
            number = np.empty(len(order), np.int64)
            number[order] = np.arange(len(order))
            return cells[order], number[ids]
        keys = np.zeros(block.n_rows, np.int64)
        for column, n in zip(columns, levels):
            keys *= n
            keys += column
        present = np.bincount(keys, minlength=prod(levels)) > 0
        cells = np.column_stack(np.unravel_index(np.flatnonzero(present), levels))
        return cells, (np.cumsum(present) - 1)[keys]

    def tables(self, block: Any, cells: np.ndarray, other: np.ndarray, start: int, stop: int) -> StrataCounts:
        """Count some of the features against combinations that are numbered already."""
        features = np.asarray(self.features[start:stop])
        runs = np.split(features, np.flatnonzero(np.diff(features) != 1) + 1)
        parts = []
        for run in runs:
            if len(run) < FEW_TOGETHER and block.kind == "codes" and block.weight is None:
                parts.append(_by_columns(block, other, len(cells), run))
            else:
                parts.append(count_against(block, other, len(cells), int(run[0]), int(run[-1]) + 1, uses=10))
        return StrataCounts(cells, stacked(parts))

    def join(self, parts: list[StrataCounts]) -> StrataCounts:
        """Stack the tables."""
        return StrataCounts(parts[0].cells, stacked([part.counts for part in parts]))

    def merge(self, first: StrataCounts, second: StrataCounts) -> StrataCounts:
        """Add the tables; a combination may occur in one of the blocks only."""
        cells, place = np.unique(np.vstack([first.cells, second.cells]), axis=0, return_inverse=True)
        table = np.zeros((len(first.counts.table), len(cells)), first.counts.table.dtype)
        table[:, place.ravel()[: len(first.cells)]] = first.counts.table
        table[:, place.ravel()[len(first.cells) :]] += second.counts.table
        return StrataCounts(cells, Counts(table, first.counts.offsets))

    def _levels(self, n_levels: np.ndarray) -> list[int]:
        return [self.n_classes if j == CLASSES else int(n_levels[j]) for j in (*self.given, self.target)]


def _by_columns(block: Any, other: np.ndarray, n_other: int, features: np.ndarray) -> Counts:
    offsets = np.concatenate([[0], np.cumsum(block.n_levels[features])]).astype(np.int64)
    table = np.zeros((offsets[-1], n_other), np.int64)
    columns = np.stack([block.column(j) for j in features.tolist()])
    contingency.count_columns(columns, other, offsets, 0, len(features), table)
    return Counts(table, offsets)

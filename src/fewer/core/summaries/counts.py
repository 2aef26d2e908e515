"""Contingency counts with the target, with a column, with a subset: whole numbers, so they add up exactly."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from fewer.core.kernels import bits, contingency, hashing, places
from fewer.core.summaries.plan import places_pay, stretches
from fewer.core.summaries.results import Counts, JointCounts
from fewer.core.summaries.summary import Summary


class _ColumnCounts(Summary[Counts]):
    """Counts of every feature against one variable that each row block can name."""

    words = "counting levels"
    # As many codes as are compared at once.
    together = 64

    def other(self, block: Any) -> tuple[np.ndarray, int]:
        """Return the variable to count against, as numbers from 0, and how many numbers it has."""
        raise NotImplementedError

    def n_other(self, block: Any) -> int:
        """Return how many numbers the other variable has."""
        raise NotImplementedError

    def uses(self) -> int:
        """Return how often a table of this kind is likely to be asked for; bit planes pay only when repeated."""
        return 1

    def bytes_per_feature(self, block: Any) -> int:
        """Bound the tile by its table, whose lanes are as wide as the feature with the most levels."""
        return 16 * int(block.n_levels.max(initial=1)) * self.n_other(block)

    def tile(self, block: Any, start: int, stop: int) -> Counts:
        """Count features ``start`` to ``stop``."""
        if getattr(block, "packed", False) and places_pay(block.n_levels[start:stop], self.n_other(block)):
            return _count_packed(block, self.groups(block), start, stop)
        return count_against(block, *self.other(block), start, stop, self.uses())

    def groups(self, block: Any) -> np.ndarray:
        """Return the rows of each number of the variable to count against as bits, of packed codes."""
        return _as_bits(*self.other(block))

    def join(self, parts: list[Counts]) -> Counts:
        """Stack the tables."""
        return stacked(parts)

    def merge(self, first: Counts, second: Counts) -> Counts:
        """Add the tables."""
        return Counts(first.table + second.table, first.offsets)


@dataclass(frozen=True)
class TargetCounts(_ColumnCounts):
    """Counts of every feature against the classes."""

    n_classes: int

    def other(self, block: Any) -> tuple[np.ndarray, int]:
        """Return the classes."""
        return block.y, self.n_classes

    def n_other(self, block: Any) -> int:
        """Return the number of classes."""
        return self.n_classes


@dataclass(frozen=True)
class PairCounts(_ColumnCounts):
    """Counts of every feature against feature ``anchor``, or against its levels times the classes.

    With classes, column ``a * n_classes + c`` counts rows of level a and class c.
    """

    anchor: int
    n_classes: int = 0

    def uses(self) -> int:
        """Greedy searches ask once per chosen feature."""
        return 10

    def other(self, block: Any) -> tuple[np.ndarray, int]:
        """Return the levels of the anchor, crossed with the classes if asked for."""
        column = block.column(self.anchor).astype(np.int64)
        return column * self.n_classes + block.y if self.n_classes else column, self.n_other(block)

    def groups(self, block: Any) -> np.ndarray:
        """Return the rows of each level of the anchor, crossed with the classes if asked for, as bits."""
        levels = block.levels_of(self.anchor)
        if not self.n_classes:
            return levels
        return (levels[:, None] & _as_bits(block.y, self.n_classes)).reshape(-1, levels.shape[1])

    def n_other(self, block: Any) -> int:
        """Return the levels of the anchor, times the classes if asked for."""
        return int(block.n_levels[self.anchor]) * max(self.n_classes, 1)


@dataclass(frozen=True)
class SubsetCounts(Summary[JointCounts]):
    """Counts of the distinct level combinations of some features, by class. Found by hashing: most cells are empty."""

    subset: tuple[int, ...]
    n_classes: int = 0

    def width(self, block: Any) -> int:
        """Say that the work cannot be cut by features."""
        return 1

    def tile(self, block: Any, start: int, stop: int) -> JointCounts:
        """Count the combinations in one row block."""
        columns = [block.column(j) for j in self.subset]
        ids, first_row = joint_ids(columns, [int(block.n_levels[j]) for j in self.subset], block.n_rows)
        other = block.y if self.n_classes else np.zeros(block.n_rows, np.int64)
        weight = np.ones(block.n_rows, np.int64) if block.weight is None else block.weight
        table = np.zeros((len(first_row), max(self.n_classes, 1)), weight.dtype)
        hashing.count_groups(ids, other, weight, table)
        cells = np.empty((len(first_row), len(columns)), np.int64)
        for k, column in enumerate(columns):
            cells[:, k] = column[first_row]
        return _sorted_cells(cells, table)

    def join(self, parts: list[JointCounts]) -> JointCounts:
        """Return the only tile."""
        return parts[0]

    def merge(self, first: JointCounts, second: JointCounts) -> JointCounts:
        """Add the counts of equal combinations."""
        return _sorted_cells(np.vstack([first.cells, second.cells]), np.vstack([first.table, second.table]))


def count_against(block: Any, other: np.ndarray, n_other: int, start: int, stop: int, uses: int) -> Counts:
    """Count features ``start`` to ``stop`` of a block against a variable of numbers from 0."""
    offsets = np.concatenate([[0], np.cumsum(block.n_levels[start:stop])]).astype(np.int64)
    if block.kind == "sparse codes":
        table = _count_sparse(block, other, n_other, start, stop, offsets)
    elif block.weight is not None:
        table = np.zeros((offsets[-1], n_other))
        ends = _ends(block)
        contingency.count_rows_weighted(block.rows, other, block.weight, ends, start, stop, table)
    else:
        table = _count_dense(block, other, n_other, start, stop, offsets, uses)
    return Counts(table, offsets)


def _count_packed(block: Any, masks: np.ndarray, start: int, stop: int) -> Counts:
    offsets = np.concatenate([[0], np.cumsum(block.n_levels[start:stop])]).astype(np.int64)
    table, ends = np.zeros((offsets[-1], len(masks)), np.int64), _ends(block)
    places.count_places(block.planes_of_places, block.ends, ends, masks[:-1], start, stop, table)
    # The last level and the last group take what the others leave.
    groups = np.bitwise_count(masks).sum(axis=1, dtype=np.int64)
    table[offsets[1:] - 1] = groups - np.add.reduceat(table, offsets[:-1])
    table[:, -1] = block.in_level[ends[start] : ends[stop]] - table[:, :-1].sum(axis=1)
    return Counts(table, offsets)


def stacked(parts: list[Counts]) -> Counts:
    """Stack tables with the same columns."""
    if len(parts) == 1:
        return parts[0]
    shifts = np.cumsum([0, *(part.offsets[-1] for part in parts[:-1])])
    offsets = np.concatenate([[0], *(part.offsets[1:] + shift for part, shift in zip(parts, shifts))])
    return Counts(np.concatenate([part.table for part in parts]), offsets)


def joint_ids(columns: list[np.ndarray], n_levels: list[int], n_rows: int) -> tuple[np.ndarray, np.ndarray]:
    """Number the distinct combinations of several columns; also return the first row of each."""
    ids = np.zeros(n_rows, np.int64)
    first_row = np.zeros(min(n_rows, 1), np.int64)
    size = 1 << max(4, int(2 * n_rows - 1).bit_length())
    for column, levels in zip(columns, n_levels):
        # Numbers stay below n_rows after every column, so the key of the next one cannot overflow.
        keys = ids.astype(np.uint64) * np.uint64(levels) + column.astype(np.uint64)
        ids, first_row = np.empty(n_rows, np.int64), np.empty(n_rows, np.int64)
        numbers = np.full(size, -1, np.int64)
        found = hashing.number_keys(keys, np.empty(size, np.uint64), numbers, ids, first_row)
        first_row = first_row[:found]
    return ids, first_row


def _sorted_cells(cells: np.ndarray, table: np.ndarray) -> JointCounts:
    unique, inverse = np.unique(cells, axis=0, return_inverse=True)
    total = np.zeros((len(unique), table.shape[1]), table.dtype)
    np.add.at(total, inverse.ravel(), table)
    return JointCounts(unique, total)


def _ends(block: Any) -> np.ndarray:
    return np.concatenate([[0], np.cumsum(block.n_levels)]).astype(np.int64)


def _count_sparse(
    block: Any, other: np.ndarray, n_other: int, start: int, stop: int, offsets: np.ndarray
) -> np.ndarray:
    weight = np.ones(block.n_rows, np.int64) if block.weight is None else block.weight
    totals = np.zeros((1, n_other), weight.dtype)
    hashing.count_groups(np.zeros(block.n_rows, np.int64), other, weight, totals)
    n_rows = np.bincount(other[weight > 0], minlength=n_other)
    table = np.zeros((offsets[-1], n_other), weight.dtype)
    X, zero = block.X, block.zero_code
    contingency.count_sparse(
        X.indptr, X.indices, X.data, zero, other, weight, totals[0], n_rows, _ends(block), start, stop, table
    )
    return table


def _count_dense(
    block: Any, other: np.ndarray, n_other: int, start: int, stop: int, offsets: np.ndarray, uses: int
) -> np.ndarray:
    table = np.zeros((offsets[-1], n_other), np.int64)
    ends = _ends(block)
    groups: dict[str, tuple[np.ndarray, np.ndarray]] = {}
    ways: dict[str, Callable[[int, int, np.ndarray], None]] = {
        "lanes": lambda a, b, out: _by_lanes(block, other, n_other, a, b, out, groups),
        "planes": lambda a, b, out: bits.count_planes(
            block.planes, _masks(other, n_other, groups), ends[a], ends[b], out
        ),
        "columns": lambda a, b, out: contingency.count_columns(block.columns, other, ends, a, b, out),
        "rows": lambda a, b, out: contingency.count_rows(block.rows, other, ends, a, b, out),
    }
    for first, last, way in stretches(block, start, stop, n_other, uses):
        ways[way](first, last, table[offsets[first - start] : offsets[last - start]])
    return table


def _by_lanes(
    block: Any, other: np.ndarray, n_other: int, first: int, last: int, out: np.ndarray, groups: dict
) -> None:
    if "lanes" not in groups:
        order, bounds = np.empty(block.n_rows, np.int64), np.empty(n_other + 1, np.int64)
        contingency.group_rows(other, n_other, order, bounds)
        groups["lanes"] = (order, bounds)
    levels = block.n_levels[first:last]
    cube = np.zeros((n_other, int(levels.max()), last - first), np.int64)
    contingency.count_lanes(block.rows, *groups["lanes"], cube.shape[1], first, last, cube)
    tall = cube.transpose(2, 1, 0)
    if (levels == levels[0]).all():
        out[:] = tall.reshape(-1, n_other)
    else:
        out[:] = tall[np.arange(cube.shape[1]) < levels[:, None]]


def _masks(other: np.ndarray, n_other: int, groups: dict) -> np.ndarray:
    if "planes" not in groups:
        groups["planes"] = _as_bits(other, n_other)
    return groups["planes"]


def _as_bits(other: np.ndarray, n_other: int) -> np.ndarray:
    """Return the rows of each of some numbers as bits, (n_other, words)."""
    masks = np.zeros((n_other, (len(other) + 63) // 64), np.uint64)
    bits.pack_planes(other[None, :], np.array([0, n_other]), 0, 1, masks)
    return masks

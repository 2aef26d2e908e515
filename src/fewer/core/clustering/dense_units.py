"""A grid over the columns, and the units of all subspaces in which many rows lie, level by level."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from fewer.core.kernels.unit_counts import count_units, join_sets
from fewer.core.records.errors import InputError

# Candidates that are made, counted and forgotten together.
ROOM = 1 << 16


@dataclass(frozen=True, eq=False)
class Grid:
    """The bins of all columns that alone hold enough rows: the items of which units are made.

    Attributes
    ----------
    planes : ndarray of uint64, shape (n_items, n_words)
        One bit per row and item.
    column, level : ndarray of int, shape (n_items,)
        Column and bin of every item, ascending.
    counts : ndarray of int, shape (n_items,)
        Rows per item.
    n_rows : int
        Number of rows.
    least : int
        A unit is dense if it holds more rows.
    """

    planes: np.ndarray
    column: np.ndarray
    level: np.ndarray
    counts: np.ndarray
    n_rows: int
    least: int

    @classmethod
    def of(cls, codes: np.ndarray, density: float) -> Grid:
        """Return the dense bins of every column that has more than one bin."""
        n = len(codes)
        # Fractions are compared, not products: 0.29 of 100 rows is less than 29 in floating point.
        least, words = int(np.count_nonzero(np.arange(1, n + 1) / n <= density)), (n + 63) // 64
        columns, levels, counts, planes = [], [], [], []
        for j, column in enumerate(codes.T):
            # All rows in one bin: any subspace would be as dense with this column as without it.
            per_bin = np.bincount(column)
            if per_bin.max() == n:
                continue
            for b in np.flatnonzero(per_bin > least).tolist():
                bits = np.zeros(words * 8, np.uint8)
                packed = np.packbits(column == b, bitorder="little")
                bits[: len(packed)] = packed
                planes.append(bits.view("<u8").astype(np.uint64))
                columns.append(j)
                levels.append(b)
                counts.append(per_bin[b])
        whole = np.array(planes, np.uint64).reshape(-1, words)
        whole_numbers = [np.array(values, np.int64) for values in (columns, levels, counts)]
        return cls(whole, whole_numbers[0], whole_numbers[1], whole_numbers[2], n, least)

    @property
    def beside(self) -> np.ndarray:
        """The item of the next bin of the same column, -1 for none."""
        out = np.full(len(self.column), -1, np.int64)
        if len(out) > 1:
            near = (np.diff(self.column) == 0) & (np.diff(self.level) == 1)
            out[:-1][near] = np.flatnonzero(near) + 1
        return out

    def count(self, units: np.ndarray) -> np.ndarray:
        """Return the rows of every unit."""
        out = np.empty(len(units), np.int64)
        count_units(self.planes, units, np.empty(self.planes.shape[1], np.uint64), out)
        return out

    def numbers(self, columns: np.ndarray, cells: np.ndarray) -> np.ndarray:
        """Return cells of bins in a subspace as units; all bins are items."""
        top = int(self.level.max(initial=0)) + 1
        item = np.full((int(self.column.max(initial=-1)) + 1, top), -1, np.int64)
        item[self.column, self.level] = np.arange(len(self.column))
        return np.ascontiguousarray(item[columns, cells])


def dense_units(
    grid: Grid,
    max_dim: int | None,
    max_units: int,
    name: str,
    pruned: Callable[[np.ndarray, np.ndarray], np.ndarray],
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return units and their rows for subspaces of one column, two columns and so on (Apriori).

    `pruned` says of the units of a level which are left, given their columns and rows.
    """
    units, counts = np.arange(len(grid.column), dtype=np.int64)[:, None], grid.counts
    levels, total = [], 0
    while len(units):
        left = pruned(grid.column[units], counts)
        units, counts = np.ascontiguousarray(units[left]), counts[left]
        levels.append((units, counts))
        total += len(units)
        if units.shape[1] == max_dim:
            break
        units, counts = _next_level(grid, units, max_units - total, name, max_units)
    return [level for level in levels if len(level[0])]


def _next_level(grid: Grid, units: np.ndarray, room: int, name: str, max_units: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the dense units with one column more; candidates are counted in blocks."""
    found, counts, held = [], [], 0
    for candidates in joins(units, grid.column):
        rows = grid.count(candidates)
        dense = rows > grid.least
        found.append(candidates[dense])
        counts.append(rows[dense])
        held += int(dense.sum())
        if held > room:
            raise too_many(name, "dense units", units.shape[1] + 1, max_units, "raise density")
    width = units.shape[1] + 1
    return np.concatenate([np.empty((0, width), np.int64), *found]), np.concatenate([np.empty(0, np.int64), *counts])


def joins(sets: np.ndarray, column: np.ndarray) -> Iterator[np.ndarray]:
    """Yield blocks of the sets with one item more all of whose parts with one item less are given."""
    first = 0
    out = np.empty((max(ROOM, len(sets)), sets.shape[1] + 1), np.int64)
    while first < len(sets):
        n, first = join_sets(sets, column, first, out)
        if n:
            yield out[:n].copy()


def too_many(name: str, what: str, width: int, max_units: int, advice: str) -> InputError:
    """Return the refusal of a search that grows without end."""
    return InputError(
        f"{name} found more than max_units={max_units} {what} on reaching {width} columns, and each further column may "
        f"double their number; {advice}, use fewer bins, or set max_dim."
    )


def mdl_cut(coverage: np.ndarray) -> np.ndarray:
    """Return which subspaces of a level are left by minimal description length of their coverages.

    The coverages, largest first, are told in two groups: each by its mean, rounded up, and the differences from it,
    at log2 bits per number. Equal coverages stay together, and of equal lengths more subspaces are left.

    Examples
    --------
    >>> mdl_cut(np.array([90, 10, 92, 11])).tolist()
    [True, False, True, False]
    """
    sizes = np.sort(coverage)[::-1]
    cuts = [i for i in range(1, len(sizes) + 1) if i == len(sizes) or sizes[i] < sizes[i - 1]]
    lengths = [_bits(sizes[:i]) + _bits(sizes[i:]) for i in cuts]
    if not cuts:
        return np.ones(0, bool)
    best = max(i for i, length in zip(cuts, lengths) if length <= min(lengths) + 1e-9)
    return coverage >= sizes[best - 1]


def _bits(sizes: np.ndarray) -> float:
    """Return the code length of whole numbers as their mean and differences from it."""
    if not len(sizes):
        return 0.0
    mean = -(-int(sizes.sum()) // len(sizes))
    numbers = np.append(np.abs(sizes - mean), mean)
    return float(np.log2(np.maximum(numbers, 1)).sum())

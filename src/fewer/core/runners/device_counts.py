"""Joint counts on a device: whole numbers, equal to those of the processor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fewer.core.runners.device_memory import PORTION, DeviceMemory
from fewer.core.summaries.results import Counts

# Words of 32 rows that a block of threads counts in one feature: many blocks of few rows, few sums of many.
LEAST_WORDS, MOST_WORDS, MANY_BLOCKS = 2**12, 2**16, 2**14
MOST_BLOCKS, MOST_THREADS = 65535, 512


@dataclass(frozen=True, eq=False)
class DevicePlanes:
    """Codes of a row block as planes of bits on the device; those of feature f are planes[starts[f]:starts[f + 1]]."""

    planes: Any
    starts: Any
    first: np.ndarray
    n_rows: int

    @property
    def n_words(self) -> int:
        """Words of a plane."""
        return -(-self.n_rows // 32)


def plane_bytes(block: Any) -> int:
    """Return how many bytes a row takes up on the device, at least 1."""
    from fewer.core.kernels.device.place_counts import places_of

    return int(-(-places_of(block.n_levels).sum() // 8)) + 1


def planes_of(memory: DeviceMemory, block: Any) -> DevicePlanes:
    """Return the codes of a block on the device, copied there in portions."""
    if isinstance(block, HeldCodes):
        return block.held
    return memory.kept(block.rows, "planes", plane_bytes(block) * block.n_rows, lambda: _packed(block))


def _packed(block: Any) -> DevicePlanes:
    from fewer.core.kernels.device import place_counts as kernels
    from fewer.core.kernels.device.cuda_compiling import cuda

    first = np.concatenate([[0], np.cumsum(kernels.places_of(block.n_levels))]).astype(np.int64)
    starts = cuda.to_device(first)
    planes = cuda.device_array((int(first[-1]), max(1, -(-block.n_rows // 32))), np.uint32)
    step = max(32, PORTION // max(1, block.rows.strides[0]) // 32 * 32)
    for top in range(0, block.n_rows, step):
        rows = cuda.to_device(np.ascontiguousarray(block.rows[top : top + step]))
        kernels.pack_places[grid_of(rows.shape[1], -(-rows.shape[0] // 32))](rows, starts, top // 32, planes)
    return DevicePlanes(planes, starts, first, block.n_rows)


def grid_of(*sizes: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return blocks and threads for so many items, of which the first ones go to neighbouring threads."""
    from fewer.core.kernels.device.cuda_compiling import SIMULATED

    wide = (8, 1, 1) if SIMULATED else (32, 8, 1) if len(sizes) > 1 else (128, 1, 1)
    if len(sizes) == 2:
        # A device takes no more blocks in the second direction.
        while -(-sizes[1] // wide[1]) > MOST_BLOCKS and wide[1] < MOST_THREADS:
            wide = (max(1, wide[0] // 2), 2 * wide[1], 1)
    threads = wide[: len(sizes)]
    return tuple(max(1, -(-size // n)) for size, n in zip(sizes, threads)), threads


def words_at_once(n_words: int, n_features: int) -> int:
    """Return how many words of a feature one block of threads counts."""
    return min(MOST_WORDS, max(LEAST_WORDS, n_words * n_features // MANY_BLOCKS))


def class_masks(memory: DeviceMemory, block: Any, n_classes: int) -> Any:
    """Return one bit per row and class; without classes one per row."""
    if n_classes:
        size = 4 * n_classes * -(-block.n_rows // 32)
        return memory.kept(block.y, f"classes {n_classes}", size, lambda: masks_of(block.y, n_classes))
    return every_row(block.n_rows)


def every_row(n_rows: int) -> Any:
    """Return one group of all rows, written where it is used."""
    from fewer.core.kernels.device import place_counts as kernels
    from fewer.core.kernels.device.cuda_compiling import cuda

    masks = cuda.device_array((max(1, -(-n_rows // 32)), 1), np.uint32)
    kernels.every_row[grid_of(masks.shape[0])](n_rows, masks)
    return masks


def masks_of(other: np.ndarray, n_other: int, first: int = 0) -> Any:
    """Return one bit per row and group, for ``n_other`` groups from ``first`` on."""
    from fewer.core.kernels.device import place_counts as kernels
    from fewer.core.kernels.device.cuda_compiling import cuda

    masks = cuda.device_array((max(1, -(-len(other) // 32)), n_other), np.uint32)
    kernels.group_masks[grid_of(n_other, masks.shape[0])](cuda.to_device(other.astype(np.int32)), first, masks)
    return masks


class Groups:
    """The variable that features are counted against: numbers per row, a feature of the block by class, or the classes.

    An anchor below 0 is no feature.
    """

    def __init__(self, memory: DeviceMemory, block: Any, other: np.ndarray | None, anchor: int, n_classes: int) -> None:
        self.memory, self.block, self.other, self.anchor, self.n_classes = memory, block, other, anchor, n_classes

    def masks(self, held: DevicePlanes, first: int, last: int) -> Any:
        """Return the rows of the groups ``first`` to ``last`` as bits."""
        from fewer.core.kernels.device import place_counts as kernels
        from fewer.core.kernels.device.cuda_compiling import cuda

        if self.other is not None:
            return masks_of(self.other, last - first, first)
        classes = class_masks(self.memory, self.block, self.n_classes)
        if self.anchor < 0:
            return classes if last - first == self.n_classes else masks_of(self.block.y, last - first, first)
        masks = cuda.device_array((classes.shape[0], last - first), np.uint32)
        where = held.first[self.anchor], held.first[self.anchor + 1]
        kernels.crossed_masks[grid_of(last - first, masks.shape[0])](held.planes, *where, classes, first, masks)
        return masks

    def numbers(self) -> np.ndarray:
        """Return the group of every row."""
        if self.other is not None:
            return self.other.astype(np.int32)
        if self.anchor < 0:
            return self.block.y.astype(np.int32)
        column = self.block.column(self.anchor).astype(np.int32)
        return column * self.n_classes + self.block.y.astype(np.int32) if self.n_classes else column


def count_levels(memory: DeviceMemory, block: Any, groups: Groups, n_groups: int, features: np.ndarray) -> Counts:
    """Count features of a block against groups of its rows."""
    from fewer.core.kernels.device.place_counts import MOST_CELLS, MOST_LEVELS

    levels = block.n_levels[features]
    offsets = np.concatenate([[0], np.cumsum(levels)]).astype(np.int64)
    table = np.zeros((offsets[-1], n_groups), np.int64)
    if not block.n_rows or not len(features):
        return Counts(table, offsets)
    held = planes_of(memory, block)
    few = (levels <= MOST_LEVELS) & (levels * n_groups <= MOST_CELLS)
    if few.any():
        _by_planes(held, groups, features, levels, few, offsets, table)
    if not few.all():
        _one_by_one(held, groups, features, levels, np.flatnonzero(~few), offsets, table)
    return Counts(table, offsets)


def _by_planes(
    held: DevicePlanes,
    groups: Groups,
    features: np.ndarray,
    levels: np.ndarray,
    few: np.ndarray,
    offsets: np.ndarray,
    table: np.ndarray,
) -> None:
    """Fill the table of features with few levels; what no other level took belongs to the first."""
    from fewer.core.kernels.device import cuda_compiling
    from fewer.core.kernels.device import place_counts as kernels
    from fewer.core.kernels.device.cuda_compiling import cuda

    for first in range(0, table.shape[1], kernels.MOST_GROUPS):
        last = min(first + kernels.MOST_GROUPS, table.shape[1])
        masks, sizes = groups.masks(held, first, last), cuda.to_device(np.zeros(last - first, np.int64))
        kernels.mask_sizes[grid_of(last - first, -(-held.n_words // LEAST_WORDS))](masks, LEAST_WORDS, sizes)
        rows = sizes.copy_to_host()
        for n in np.unique(levels[few]).tolist():
            which = np.flatnonzero(few & (levels == n))
            found = np.zeros((len(which), n - 1, last - first), np.int64)
            if n > 1:
                out, some = cuda.to_device(found), cuda.to_device(features[which])
                words = words_at_once(held.n_words, len(which))
                blocks = len(which), -(-held.n_words // words)
                count = kernels.counter(n, int(kernels.places_of(np.array([n]))[0]))
                threads = max(cuda_compiling.THREADS, last - first)
                count[blocks, threads](held.planes, some, held.starts, masks, words, out)
                out.copy_to_host(found)
            at = offsets[which][:, None] + np.arange(1, n)
            table[at, first:last] = found
            table[offsets[which], first:last] = rows - found.sum(axis=1)


def _one_by_one(
    held: DevicePlanes,
    groups: Groups,
    features: np.ndarray,
    levels: np.ndarray,
    which: np.ndarray,
    offsets: np.ndarray,
    table: np.ndarray,
) -> None:
    """Fill the table of features with many levels, row by row."""
    from fewer.core.kernels.device import place_counts as kernels
    from fewer.core.kernels.device.cuda_compiling import cuda

    starts = np.concatenate([[0], np.cumsum(levels[which])]).astype(np.int64)
    out = cuda.to_device(np.zeros((starts[-1], table.shape[1]), np.int64))
    some, other = cuda.to_device(features[which]), cuda.to_device(groups.numbers())
    kernels.count_each[grid_of(len(which), held.n_words)](
        held.planes, some, held.starts, cuda.to_device(starts), other, out
    )
    found = out.copy_to_host()
    for k, at in enumerate(which.tolist()):
        table[offsets[at] : offsets[at + 1]] = found[starts[k] : starts[k + 1]]


@dataclass(frozen=True, eq=False)
class HeldCodes:
    """A row block of codes that are on the device only; what else it has stays here."""

    held: DevicePlanes
    n_levels: np.ndarray
    y: np.ndarray | None = None
    weight = None
    kind = "codes"

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return self.held.n_rows

    @property
    def n_features(self) -> int:
        """Number of columns."""
        return len(self.n_levels)

    def column(self, j: int) -> np.ndarray:
        """The codes of one feature, copied back."""
        planes = np.ascontiguousarray(self.held.planes[int(self.held.first[j]) : int(self.held.first[j + 1])])
        bits = np.unpackbits(planes.view(np.uint8), axis=1, bitorder="little")[:, : self.n_rows]
        return (bits.astype(np.int64) << np.arange(len(bits))[:, None]).sum(axis=0).astype(np.uint16)


def held_codes(block: Any) -> Any:
    """Return a block whose codes are on the device; one with weights stays as it is."""
    return block if block.weight is not None else HeldCodes(_packed(block), block.n_levels, block.y)

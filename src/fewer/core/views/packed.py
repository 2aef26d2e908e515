"""Row blocks whose codes are kept as bits: a third to a half of the bytes, counted 64 rows at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from threading import Lock
from typing import Any

import numpy as np

from fewer.core.kernels import places
from fewer.core.records.sized import Sized
from fewer.core.runners.stream import identity
from fewer.core.views.blocks import CodesBlock

# Features with more levels are kept as codes.
MOST_LEVELS = 16
# So many batches make a block: few blocks have few tables to be merged, but some methods look at their codes.
BATCHES = 4

OPENING = Lock()
Scan = Callable[[Callable[[int, int], Any], int, int], Any]


@dataclass(frozen=True, eq=False)
class PackedBlock(Sized):
    """Rows of level numbers as bits: those of bit k of the codes of feature j are ``planes_of_places[ends[j] + k]``.

    ``in_level`` has the number of rows of every level of every feature.
    ``rows``, ``columns`` and the like are those of the codes, made when first asked for.
    """

    planes_of_places: np.ndarray
    n_levels: np.ndarray
    in_level: np.ndarray
    n_rows: int
    y: np.ndarray | None = None
    weight: None = None
    kind = "codes"
    packed = True

    @property
    def n_features(self) -> int:
        """Number of columns."""
        return len(self.n_levels)

    @property
    def row_bytes(self) -> float:
        """Bytes of the codes of one row."""
        return len(self.planes_of_places) / 8

    @cached_property
    def ends(self) -> np.ndarray:
        """Where the planes of each feature begin, and where the last ends."""
        return ends_of(self.n_levels)

    @property
    def opened(self) -> CodesBlock:
        """The codes one by one."""
        # Threads that work on the same block ask for them at the same time.
        with OPENING:
            if "_opened" not in vars(self):
                rows = np.zeros((self.n_rows, self.n_features), np.uint8)
                places.unpack_places(self.planes_of_places, self.ends, 0, self.planes_of_places.shape[1], rows)
                vars(self)["_opened"] = CodesBlock(rows, self.n_levels, self.y)
            return vars(self)["_opened"]

    @property
    def rows(self) -> np.ndarray:
        """The codes, (n_rows, n_features)."""
        return self.opened.rows

    @property
    def columns(self) -> np.ndarray:
        """The codes feature by feature, (n_features, n_rows)."""
        return self.opened.columns

    @property
    def planes(self) -> np.ndarray:
        """One bit plane per level of every feature."""
        return self.opened.planes

    def planes_by(self, scan: Scan) -> np.ndarray:
        """Return the planes of levels, made by the threads of a runner's ``scan``."""
        return self.opened.planes_by(scan)

    def column(self, j: int) -> np.ndarray:
        """The codes of one feature, contiguous."""
        column = np.zeros(self.n_rows, np.uint8)
        places.unpack_column(self.planes_of_places, *self.ends[j : j + 2], column)
        return column

    def levels_of(self, j: int) -> np.ndarray:
        """The rows of each level of one feature as bits, (levels, words)."""
        out = np.empty((int(self.n_levels[j]), self.planes_of_places.shape[1]), np.uint64)
        for level, words in enumerate(out):
            places.level_words(self.planes_of_places, *self.ends[j : j + 2], level, 0, len(words), words)
        # Bits behind the last row are 0, as those of level 0 are.
        out[0] &= all_rows(self.n_rows)
        return out

    def plain(self) -> PackedBlock:
        """Return the same without what was made of it when asked."""
        return PackedBlock(self.planes_of_places, self.n_levels, self.in_level, self.n_rows, self.y)


def all_rows(n_rows: int) -> np.ndarray:
    """Return as many ones as rows, in words."""
    words = np.full((n_rows + 63) // 64, ~np.uint64(0))
    words[n_rows // 64 :] = (1 << n_rows % 64) - 1
    return words


def ends_of(n_levels: np.ndarray) -> np.ndarray:
    """Return where the planes of features with so many levels begin, and where the last ends."""
    bits_each = [int(levels - 1).bit_length() for levels in np.asarray(n_levels).tolist()]
    return np.concatenate([[0], np.cumsum(bits_each)]).astype(np.int64)


@dataclass(frozen=True, eq=False)
class PackingBlocks:
    """Row blocks of codes that are put together and packed while they are read.

    Attributes
    ----------
    blocks : iterable
        Row blocks of codes.
    n_levels : ndarray
        Levels of every feature, at most 16.
    n_rows : int
        Number of rows.
    step : int
        Codes that are packed at once.
    run : StreamRunner
        Reads the row blocks, and packs them on its threads.
    """

    blocks: Iterable[Any]
    n_levels: np.ndarray
    n_rows: int
    step: int
    run: Any
    reads_ahead = True

    @property
    def identity(self) -> Any:
        """What these rows are, for work that is kept."""
        return ("packed", identity(self.blocks))

    def __iter__(self) -> Iterator[PackedBlock]:
        ends = ends_of(self.n_levels)
        most = max(1, min(self.step // max(1, len(self.n_levels)), -(-self.n_rows // BATCHES)) // 64) * 64
        waiting, target, left = np.empty((most, len(self.n_levels)), np.uint8), None, self.n_rows
        made, filled, held = None, 0, 0
        for block in self.run.ahead(self.blocks):
            top = 0
            while top < block.n_rows:
                if made is None:
                    made = np.empty((ends[-1], -(-min(left, BATCHES * most) // 64)), np.uint64)
                    target = None if block.y is None else np.empty(min(left, BATCHES * most), block.y.dtype)
                taken = min(block.n_rows - top, most - held)
                waiting[held : held + taken] = block.rows[top : top + taken]
                if target is not None:
                    target[filled + held : filled + held + taken] = block.y[top : top + taken]
                top, held, left = top + taken, held + taken, left - taken
                if held == most or not left:
                    self._pack(waiting[:held], ends, filled // 64, made)
                    filled, held = filled + held, 0
                if filled and (filled == BATCHES * most or not left):
                    yield PackedBlock(made, self.n_levels, self._in_level(made, filled), filled, target)
                    made, filled = None, 0

    def _in_level(self, planes: np.ndarray, n_rows: int) -> np.ndarray:
        """Return the number of rows of every level of every feature."""
        ends, offsets = ends_of(self.n_levels), np.concatenate([[0], np.cumsum(self.n_levels)]).astype(np.int64)
        counts, every = np.zeros((offsets[-1], 1), np.int64), all_rows(n_rows)[None, :]
        self.run.scan(
            lambda a, b: places.count_places(planes, ends, offsets, every, a, b, counts[offsets[a] : offsets[b]]),
            len(self.n_levels),
            64,
        )
        counts[offsets[1:] - 1, 0] = n_rows - np.add.reduceat(counts[:, 0], offsets[:-1])
        return counts[:, 0]

    def _pack(self, rows: np.ndarray, ends: np.ndarray, begin: int, planes: np.ndarray) -> None:
        self.run.scan(lambda a, b: places.pack_places(rows, ends, a, b, begin, planes), -(-len(rows) // 64), 64)

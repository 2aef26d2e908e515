"""The contract of a summary: computed on a tile, joined over features, merged over rows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import reduce
from typing import Any, ClassVar, Generic, TypeVar

Result = TypeVar("Result")


class Summary(ABC, Generic[Result]):
    """A quantity read from the data in tiles.

    A runner cuts the data into row blocks, and each row block into ranges of features. It calls
    `tile` for every piece, `join` for the pieces of one row block (side by side) and `merge` for the row blocks
    (one after another). Subclasses are frozen dataclasses, so that they can be sent to other processes and
    used as keys.
    """

    # Whether a view should remember the result; not for a step of an iteration, which is never asked for again.
    remembered: ClassVar[bool] = True
    # What a pass over the rows is for, told by the progress bar.
    words: ClassVar[str] = "reading rows"
    # How many features are better summarised together, as long as every thread has some: a narrow piece of a row is
    # read with its neighbours, and what is made of the rows alone is made for each tile.
    together: ClassVar[int] = 1

    def width(self, block: Any) -> int:
        """Return the number of features over which the work may be cut; 1 if it may not be cut."""
        return int(block.n_features)

    def bytes_per_feature(self, block: Any) -> int:
        """Return the bytes that one feature needs while a tile is worked on; bounds the tile width."""
        return 8 * int(block.n_rows)

    @abstractmethod
    def tile(self, block: Any, start: int, stop: int) -> Result:
        """Summarise the features ``start`` to ``stop`` of one row block."""

    @abstractmethod
    def join(self, parts: list[Result]) -> Result:
        """Put tiles of neighbouring features side by side."""

    @abstractmethod
    def merge(self, first: Result, second: Result) -> Result:
        """Combine the summaries of two row blocks."""

    def whole(self, block: Any, n_tiles: int = 1) -> Result:
        """Summarise one row block on the calling thread."""
        return self.join([self.tile(block, start, stop) for start, stop in self.ranges(block, n_tiles)])

    def ranges(self, block: Any, n_tiles: int, most: int | None = None) -> list[tuple[int, int]]:
        """Cut the features into at least ``n_tiles`` ranges of ``most`` bytes each, 64 MiB by default."""
        width = self.width(block)
        if width <= 1:
            return [(0, width)]
        by_memory = -(-width * self.bytes_per_feature(block) // (most or TILE_BYTES))
        step = max(1, -(-width // max(n_tiles, by_memory, 1)))
        # Runners ask for some tiles per thread.
        wide = -(-width // max(n_tiles // TILES_PER_THREAD, by_memory, 1))
        step = max(step, min(self.together, wide))
        return [(start, min(start + step, width)) for start in range(0, width, step)]

    def merge_all(self, parts: list[Result]) -> Result:
        """Merge row blocks in order."""
        return reduce(self.merge, parts)


TILE_BYTES = 64 * 2**20
# More tiles than threads, so that a slow tile does not leave a thread idle.
TILES_PER_THREAD = 4

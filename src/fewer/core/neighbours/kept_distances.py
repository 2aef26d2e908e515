"""Distances that are kept, where all of them fit into a small memory: each pair is then measured once, not twice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fewer.core.neighbours.joint_space import JointSpace
from fewer.core.neighbours.level_space import LevelSpace
from fewer.core.neighbours.spaces import ROUNDING, NumberSpace, Space

# 4,096 rows, or 2,896 in float64; for more rows the distances pass by in tiles and are not kept.
MOST_BYTES = 64 * 2**20
ROWS_AT_ONCE = 128
# Whole numbers, halves, quarters and eighths up to here are exact in float32.
LARGEST_WHOLE = 2.0**20


@dataclass(frozen=True, eq=False)
class KeptSpace(Space):
    """A space with the distances of all pairs of its rows.

    Attributes
    ----------
    space : Space
        Whose rows these are.
    table : ndarray of shape (n_rows, n_rows)
        The distances, float32 where that holds them, else float64.
    error, grid : float
        As in every space.
    """

    space: Space
    table: np.ndarray
    error: float
    grid: float

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return self.space.n_rows

    @property
    def n_features(self) -> int:
        """Number of features."""
        return self.space.n_features

    def take(self, rows: np.ndarray) -> Space:
        """Return chosen rows as queries."""
        return self.space.take(rows)

    def tile(self, queries: Any, start: int, stop: int, first: int, last: int) -> np.ndarray:
        """Return the distances of a tile of pairs."""
        if queries is not self:
            return self.space.tile(queries, start, stop, first, last)
        return self.table[start:stop, first:last].astype(np.float64)

    def exact(self, queries: Any, rows: np.ndarray, others: np.ndarray) -> np.ndarray:
        """Return the distance of every pair."""
        return self.space.exact(self._plain(queries), rows, others)

    def add_pairs(
        self, queries: Any, rows: np.ndarray, starts: np.ndarray, others: np.ndarray, weights: np.ndarray
    ) -> np.ndarray:
        """Return the weighted sums of differences of chosen pairs."""
        return self.space.add_pairs(self._plain(queries), rows, starts, others, weights)

    def add_tile(self, queries: Any, start: int, stop: int, first: int, weights: np.ndarray) -> np.ndarray:
        """Return the weighted sums of differences of a tile."""
        return self.space.add_tile(self._plain(queries), start, stop, first, weights)

    def mean_distance(self) -> float | None:
        """Return the mean distance of all pairs of rows, if the space knows it."""
        return self.space.mean_distance()

    def _plain(self, queries: Any) -> Any:
        return queries.space if isinstance(queries, KeptSpace) else queries


def keep_distances(run: Any, space: Space) -> Space:
    """Return the space with its distances kept if they are few and dear, the space itself otherwise.

    Parameters
    ----------
    run : Runner
        Its threads measure the distances.
    space : Space
        The rows.
    """
    n = space.n_rows
    largest = _largest_distance(space)
    # Bits with gaps, thirds and numbers together are dear, and not exact in float32.
    dtype = np.dtype(np.float64 if largest is None and isinstance(space, JointSpace) else np.float32)
    if (largest is None and dtype == np.float32) or dtype.itemsize * n * n > MOST_BYTES:
        return space
    table = np.empty((n, n), dtype)

    def work(start: int, stop: int) -> None:
        for first in range(start, n, ROWS_AT_ONCE):
            last = min(first + ROWS_AT_ONCE, n)
            tile = space.tile(space, start, stop, first, last)
            table[start:stop, first:last] = tile
            table[first:last, start:stop] = tile.T

    run.scan(work, n, ROWS_AT_ONCE)
    error = space.error + (0.0 if largest is None or space.error == 0.0 else ROUNDING * largest)
    return KeptSpace(space, table, error, space.grid)


def _largest_distance(space: Space) -> float | None:
    """Return how far rows can be apart; None where float32 cannot hold the distances, or they are cheap."""
    if isinstance(space, JointSpace):
        sizes = [_largest_distance(part.space) for part in space.parts]
        factors = [part.factor for part in space.parts]
        largest = sum(size * factor for size, factor in zip(sizes, factors) if size is not None)
        # Where nothing is rounded yet, nothing may be.
        exact = space.error > 0.0 or (largest <= LARGEST_WHOLE and all(np.frexp(f)[0] == 0.5 for f in factors))
        return largest if exact and None not in sizes else None
    if isinstance(space, LevelSpace):
        return float(space.n_features)
    if not isinstance(space, NumberSpace) or space.scaled.dtype != np.float32:
        return None
    largest = float(space.scaled.max(initial=0.0)) * space.n_features
    # Distances of few binary places stay exact in float32 up to 2^12 (see `spaces`), others are rounded once more.
    return None if space.error == 0.0 and largest > 2.0**12 else largest

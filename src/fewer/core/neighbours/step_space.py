"""Rows of small whole numbers on a CUDA device: columns rise in a few equal steps, each of which is a bit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from fewer.core.neighbours.few_valued import FEWEST_COLUMNS, MOST_STEPS
from fewer.core.neighbours.joint_space import SpacePart
from fewer.core.neighbours.spaces import GRID, Space
from fewer.core.runners.device import DeviceRunner
from fewer.core.runners.device_counts import grid_of


@dataclass(frozen=True, eq=False)
class BitColumns:
    """Bits of the device: for every step, whether each of some columns is above it."""

    X: Any
    which: np.ndarray
    low: Any
    steps: int

    @property
    def n_features(self) -> int:
        """Number of bits of a row."""
        return self.steps * len(self.which)

    @property
    def ends(self) -> np.ndarray:
        """The words of 64 bits that a row takes up."""
        return np.array([0, -(-self.n_features // 64)])

    def in_order(self, sums: np.ndarray) -> np.ndarray:
        """Return numbers of bits in their order, which they have."""
        return sums

    def planes(self) -> Any:
        """Make the bits of all rows, on the device."""
        from fewer.core.kernels.device import row_tiles
        from fewer.core.kernels.device.cuda_compiling import cuda

        planes = cuda.device_array((self.X.shape[0], 2 * int(self.ends[-1])), np.uint32)
        row_tiles.pack_steps[grid_of(planes.shape[1], planes.shape[0])](
            self.X, cuda.to_device(self.which), self.low, self.n_features, planes
        )
        return planes


@dataclass(frozen=True, eq=False)
class StepSpace(Space):
    """Rows whose columns all rise in few steps. What no device does, the space of the processor does, made then.

    Attributes
    ----------
    bits : tuple of SpacePart
        The columns by their number of steps, as `BitColumns`.
    shape : tuple of int
        Rows and features.
    make : callable
        Makes the space of the processor.
    """

    bits: tuple[SpacePart, ...]
    shape: tuple[int, int]
    make: Callable[[], Space]
    error: float = 0.0
    grid: float = GRID

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return self.shape[0]

    @property
    def n_features(self) -> int:
        """Number of features."""
        return self.shape[1]

    @cached_property
    def plain(self) -> Space:
        """The space of the processor."""
        return self.make()

    def take(self, rows: np.ndarray) -> Space:
        """Return chosen rows as queries."""
        return self.plain.take(rows)

    def tile(self, queries: Any, start: int, stop: int, first: int, last: int) -> np.ndarray:
        """Return the distances of a tile of pairs."""
        return self.plain.tile(_plain(queries), start, stop, first, last)

    def exact(self, queries: Any, rows: np.ndarray, others: np.ndarray) -> np.ndarray:
        """Return the distance of every pair."""
        return self.plain.exact(_plain(queries), rows, others)

    def add_pairs(
        self, queries: Any, rows: np.ndarray, starts: np.ndarray, others: np.ndarray, weights: np.ndarray
    ) -> np.ndarray:
        """Return the weighted sums of differences of chosen pairs."""
        return self.plain.add_pairs(_plain(queries), rows, starts, others, weights)

    def add_tile(self, queries: Any, start: int, stop: int, first: int, weights: np.ndarray) -> np.ndarray:
        """Return the weighted sums of differences of a tile."""
        return self.plain.add_tile(_plain(queries), start, stop, first, weights)

    def mean_distance(self) -> float | None:
        """Return the mean distance of all pairs of rows."""
        return self.plain.mean_distance()


def _plain(queries: Any) -> Any:
    return queries.plain if isinstance(queries, StepSpace) else queries


def step_space(run: Any, X: np.ndarray, make: Callable[[], Space]) -> StepSpace | None:
    """Return rows of whole numbers of one byte as a space on the device; None where it is none, or they do not fit."""
    if not isinstance(run, DeviceRunner) or X.dtype not in (np.int8, np.uint8) or X.shape[1] < FEWEST_COLUMNS:
        return None
    if len(X) < 2 or 4 * X.nbytes > run.memory.most:
        return None
    from fewer.core.kernels.device import row_tiles
    from fewer.core.kernels.device.cuda_compiling import cuda

    there = run.attempt(
        lambda: run.memory.kept(X, "numbers", X.nbytes, lambda: cuda.to_device(np.ascontiguousarray(X)))
    )
    low, high, others = (cuda.device_array(X.shape[1], np.int32) for _ in range(3))
    row_tiles.column_ranges[grid_of(X.shape[1])](there, low, high, others)
    width, between = high.copy_to_host() - low.copy_to_host(), others.copy_to_host()
    steps = np.where(width == 0, 0, np.where(between == 0, 1, width))
    if steps.max() > MOST_STEPS:
        return None
    parts = []
    for m in range(1, MOST_STEPS + 1):
        which = np.flatnonzero(steps == m)
        if len(which):
            parts.append(SpacePart(BitColumns(there, which, low, m), np.tile(which, m), 1.0 / m))  # type: ignore[arg-type]
    return StepSpace(tuple(parts), X.shape, make) if parts else None

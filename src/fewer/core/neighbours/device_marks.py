"""Rows of a space on a CUDA device: distances, marks of the rows that count, and sums of differences over them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fewer.core.neighbours.joint_space import JointSpace, SpacePart
from fewer.core.neighbours.level_space import LevelSpace, RowPlaces
from fewer.core.neighbours.spaces import NumberSpace, Space
from fewer.core.neighbours.step_space import BitColumns, StepSpace
from fewer.core.runners.device import DeviceRunner
from fewer.core.runners.device_counts import grid_of

# Of the memory of the device, the distances of the rows that ask at once take up so much, and columns that stand
# upright as much.
SHARE = 0.2
FEATURES_PER_BLOCK = {1: 8, 2: 4, 3: 4, 4: 4}
# The most columns that stand upright at once, and queries whose differences of numbers are added by one thread.
COLUMNS_AT_ONCE, QUERIES_EACH = 2**19, 16


def device_parts(run: Any, space: Space) -> list[SpacePart] | None:
    """Return the parts of a space that a device measures; None where there is no device, or it cannot measure all."""
    if not isinstance(run, DeviceRunner) or space.n_rows < 2:
        return None
    if isinstance(space, StepSpace):
        return list(space.bits)
    parts = list(space.parts) if isinstance(space, JointSpace) else [SpacePart(space, np.arange(space.n_features))]
    return parts if all(_measurable(part) for part in parts) else None


def _measurable(part: SpacePart) -> bool:
    space = part.space
    if isinstance(space, LevelSpace):
        # Sums of fractions must be rounded once, as they are where all places are counted together.
        return len(space.ends) <= 5 and (part.factor == 1.0 or len(space.ends) == 2)
    return isinstance(space, NumberSpace) and not space.squared


@dataclass(frozen=True, eq=False)
class Marks:
    """The rows that count for the rows that ask, and how many of each class.

    ``masks`` are bits on the device, (n_words, n_queries); ``counts`` has shape (n_classes, n_queries).
    """

    masks: Any
    counts: np.ndarray


class DeviceSpace:
    """The rows of a space on the device.

    Parameters
    ----------
    run : DeviceRunner
        The device.
    space : Space
        The rows.
    parts : list of SpacePart
        Its parts, as `device_parts` returns them.
    y : ndarray of int of shape (n_rows,)
        Class numbers.
    n_classes : int
        How many there are.
    """

    def __init__(self, run: DeviceRunner, space: Space, parts: list[SpacePart], y: np.ndarray, n_classes: int) -> None:
        from fewer.core.kernels.device.cuda_compiling import cuda

        self.run, self.space, self.parts, self.cuda = run, space, parts, cuda
        self.places = RowPlaces.by_class(y, n_classes)
        row_at = np.full(self.places.n_bits, -1, np.int32)
        row_at[self.places.of_row] = np.arange(len(y))
        self.row_at, self.ends = cuda.to_device(row_at), cuda.to_device(2 * self.places.ends)
        self.n_words = self.places.n_bits // 32
        self.held = [self._matrix(part.space) for part in parts]
        self.factors = [
            cuda.to_device(part.space.factor) if isinstance(part.space, NumberSpace) else None for part in parts
        ]

    def _matrix(self, space: Any) -> Any:
        if isinstance(space, BitColumns):
            return space.planes()
        return self.cuda.to_device(space.planes.view(np.uint32) if isinstance(space, LevelSpace) else space.X)

    @property
    def queries_at_once(self) -> int:
        """How many rows may ask at once."""
        return max(32, int(self.run.memory.most * SHARE) // (8 * self.space.n_rows) // 32 * 32)

    @property
    def columns_at_once(self) -> int:
        """How many columns of bits may stand upright at once."""
        return min(COLUMNS_AT_ONCE, int(self.run.memory.most * SHARE) // (4 * self.n_words))

    def distances(self, first: int, last: int) -> Any:
        """Return the distances of all rows (lines) from the rows ``first`` to ``last``, rounded to the grid."""
        from fewer.core.kernels.device import row_tiles as kernels

        n, m = self.space.n_rows, last - first
        out = self.cuda.to_device(np.zeros((n, m)))
        half = kernels.SIDE // kernels.EACH
        for part, matrix, factor in zip(self.parts, self.held, self.factors):
            if isinstance(part.space, NumberSpace):
                kernels.add_l1[tiles_of(n, m, half), (half, half)](
                    matrix, factor, part.space.grid, first, part.factor, out
                )
                continue
            blocks = tiles_of(n, m, kernels.SIDE)
            for bases, begin, width in _bands(part.space):
                where = self.cuda.to_device(bases + begin)
                kernels.add_differing[blocks, (half, half)](matrix, where, width, first, part.factor, out)
        kernels.round_to_grid[grid_of(m, n)](self.space.grid, out)
        return out

    def limits(self, distance: Any, first: int) -> tuple[np.ndarray, np.ndarray]:
        """Return mean and deviation of the distances of each row that asks."""
        from fewer.core.kernels.device import row_tiles as kernels

        mean, deviation = (self.cuda.device_array(distance.shape[1], np.float64) for _ in range(2))
        kernels.spread_of_rows[grid_of(distance.shape[1])](distance, first, mean, deviation)
        return mean.copy_to_host(), deviation.copy_to_host()

    def within(self, distance: Any, first: int, limit: np.ndarray, far: bool) -> Marks:
        """Mark the rows nearer than a limit, or farther."""
        from fewer.core.kernels.device import row_tiles as kernels

        m = distance.shape[1]
        masks, bound = self.cuda.device_array((self.n_words, m), np.uint32), self.cuda.to_device(limit)
        sign = -1.0 if far else 1.0
        kernels.mark_side[grid_of(m, self.n_words)](distance, self.row_at, first, bound, sign, masks)
        return self._counted(masks)

    def nearest(self, distance: Any, first: int, k: int) -> Marks:
        """Mark the k nearest rows of every class, of equal distances those with lower numbers."""
        from fewer.core.kernels.device import row_tiles as kernels

        m = distance.shape[1]
        masks = self.cuda.to_device(np.zeros((self.n_words, m), np.uint32))
        own = self.cuda.to_device(np.arange(first, first + m))
        n_classes = len(self.places.ends) - 1
        kernels.mark_nearest[grid_of(m, n_classes)](distance, self.row_at, self.ends, own, k, masks)
        return self._counted(masks)

    def _counted(self, masks: Any) -> Marks:
        from fewer.core.kernels.device import row_tiles as kernels

        counts = self.cuda.device_array((len(self.places.ends) - 1, masks.shape[1]), np.int32)
        kernels.count_marked[grid_of(masks.shape[1], counts.shape[0])](masks, self.ends, counts)
        return Marks(masks, counts.copy_to_host().astype(np.int64))

    def differences(self, marks: Marks, values: np.ndarray, first: int) -> np.ndarray:
        """Return, per feature, the sum over marked rows of what one of its class counts, times the difference."""
        given = self.cuda.to_device(np.ascontiguousarray(values, dtype=np.float64))
        constant, sums = float((values * marks.counts).sum()), np.zeros(self.space.n_features)
        for part, matrix, factor in zip(self.parts, self.held, self.factors):
            if isinstance(part.space, NumberSpace):
                found = self._of_numbers(matrix, factor, marks, given, first)
            else:
                found = constant - self._agreeing(part.space, matrix, marks, given, first)
            sums += np.bincount(part.owner, part.factor * found, minlength=self.space.n_features)
        return sums

    def _of_numbers(self, X: Any, factor: Any, marks: Marks, values: Any, first: int) -> np.ndarray:
        from fewer.core.kernels.device import row_agreements as kernels

        m = marks.masks.shape[1]
        out = self.cuda.device_array((-(-m // QUERIES_EACH), X.shape[1]), np.float64)
        own = self.cuda.to_device(np.arange(first, first + m))
        of_word = self.cuda.to_device(np.repeat(np.arange(len(self.places.ends) - 1), 2 * np.diff(self.places.ends)))
        kernels.add_l1_marked[grid_of(X.shape[1], out.shape[0])](
            X, factor, self.row_at, own, of_word, marks.masks, values, QUERIES_EACH, out
        )
        return out.copy_to_host().sum(axis=0)

    def _agreeing(self, space: Any, planes: Any, marks: Marks, values: Any, first: int) -> np.ndarray:
        """Return, per feature, what the marked rows of equal levels count."""
        from fewer.core.kernels.device import cuda_compiling
        from fewer.core.kernels.device import row_agreements as kernels

        own = self.cuda.to_device(self.places.of_row[first : first + marks.masks.shape[1]])
        found = np.zeros(space.n_features)
        for bases, begin, width in _bands(space):
            step = max(1, self.columns_at_once // 32 // len(bases))
            for top in range(begin, begin + width, step):
                words = min(step, begin + width - top)
                n = min(32 * words, space.n_features - 32 * top)
                if n <= 0:
                    continue
                upright = self.cuda.device_array((len(bases) * 32 * words, self.n_words), np.uint32)
                for b, base in enumerate(bases.tolist()):
                    some = upright[b * 32 * words : (b + 1) * 32 * words]
                    kernels.upright_planes[grid_of(32 * words, self.n_words)](
                        planes, self.row_at, base + top, base + top + words, some
                    )
                out, each = self.cuda.to_device(np.zeros(n)), FEATURES_PER_BLOCK[len(bases)]
                kernels.agreements(len(bases), each)[-(-n // each), cuda_compiling.THREADS](
                    upright, 32 * words, own, marks.masks, values, self.ends, out
                )
                found[32 * top : 32 * top + n] = out.copy_to_host()
        return space.in_order(found)


def tiles_of(n_rows: int, n_queries: int, side: int) -> tuple[int, int]:
    """Return how many squares of pairs there are: rows first, as a device takes 65,535 blocks the other way."""
    return -(-n_rows // side), -(-n_queries // side)


def _bands(space: Any) -> list[tuple[np.ndarray, int, int]]:
    """Return stretches of features with equally many places: where each place begins, the first word, how many words.

    In words of 32 bits, where a place of the space has an even number of them.
    """
    ends, out = 2 * space.ends, []
    for b in range(len(ends) - 1):
        # Words that place b has and place b + 1 has not.
        begin = int(ends[b + 2] - ends[b + 1]) if b + 2 < len(ends) else 0
        width = int(ends[b + 1] - ends[b]) - begin
        if width:
            out.append((ends[: b + 1].astype(np.int64), begin, width))
    return out

"""Which rows hold a level, as one bit per row: of a feature, or of a feature together with the classes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from fewer.core.kernels import bits
from fewer.core.views.view import View


def masks_of(numbers: np.ndarray, n_numbers: int) -> np.ndarray:
    """Return a bit mask of the rows of each number."""
    masks = np.zeros((n_numbers, (len(numbers) + 63) // 64), np.uint64)
    bits.pack_planes(numbers[None, :], np.array([0, n_numbers]), 0, 1, masks)
    return masks


def sizes_of(masks: np.ndarray) -> np.ndarray:
    """Return how many rows are in each mask."""
    return np.bitwise_count(masks).sum(axis=1, dtype=np.int64)


class LevelBits:
    """Masks of rows by level, taken from the bit planes of a block of codes."""

    def __init__(self, view: View) -> None:
        self._view, self._block = view, view.whole()
        self.ends = np.concatenate([[0], np.cumsum(self._block.n_levels)]).astype(np.int64)

    @cached_property
    def planes(self) -> np.ndarray:
        """One mask per level of every feature; those of feature j are ends[j] to ends[j + 1]."""
        return self._block.planes_by(self._view.run.scan)

    @cached_property
    def _classes(self) -> np.ndarray:
        return masks_of(self._block.y, self._view.n_classes)

    def of(self, features: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
        """Return the masks of the levels of several features, one below the other, and where those of each begin."""
        parts = [self.planes[self.ends[j] : self.ends[j + 1]] for j in features]
        return np.concatenate(parts), np.cumsum([0, *(len(part) for part in parts)])

    def with_classes(self, j: int) -> np.ndarray:
        """Return the masks of the levels of a feature and each class; level a and class c are a * n_classes + c."""
        levels = self.planes[self.ends[j] : self.ends[j + 1]]
        return (levels[:, None] & self._classes[None]).reshape(-1, levels.shape[1])

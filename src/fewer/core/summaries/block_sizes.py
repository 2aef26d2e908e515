"""How many rows every block has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from fewer.core.summaries.summary import Summary


@dataclass(frozen=True)
class BlockSizes(Summary[np.ndarray]):
    """Numbers of rows, in the order of the blocks."""

    words: ClassVar[str] = "reading rows"

    def width(self, block: Any) -> int:
        """Say that the work cannot be cut by features."""
        return 1

    def tile(self, block: Any, start: int, stop: int) -> np.ndarray:
        """Count the rows of one block."""
        return np.array([block.n_rows])

    def join(self, parts: list[np.ndarray]) -> np.ndarray:
        """Return the only tile."""
        return parts[0]

    def merge(self, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        """Put the sizes one behind the other."""
        return np.concatenate([first, second])

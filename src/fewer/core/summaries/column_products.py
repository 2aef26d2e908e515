"""Sums of products of all features with some of them, in one pass over the rows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fewer.core.summaries.products import ProductsWithTarget
from fewer.core.summaries.results import TargetProducts
from fewer.core.summaries.summary import Summary


@dataclass(frozen=True)
class ProductsWithColumns(Summary[list[TargetProducts]]):
    """Centred sums of squares and products of every feature with each of some columns, as if it were the target.

    Parameters
    ----------
    columns : tuple of int
        These columns.
    """

    columns: tuple[int, ...]

    remembered = False
    words = "correlations"

    def bytes_per_feature(self, block: Any) -> int:
        """Bound the tile by its results."""
        return 32 * len(self.columns)

    def tile(self, block: Any, start: int, stop: int) -> list[TargetProducts]:
        """Summarise features ``start`` to ``stop``."""
        return [ProductsWithTarget().tile(_with_target(block, j), start, stop) for j in self.columns]

    def join(self, parts: list[list[TargetProducts]]) -> list[TargetProducts]:
        """Put the features side by side."""
        return [ProductsWithTarget().join(list(some)) for some in zip(*parts)]

    def merge(self, first: list[TargetProducts], second: list[TargetProducts]) -> list[TargetProducts]:
        """Combine two row blocks."""
        return [ProductsWithTarget().merge(one, other) for one, other in zip(first, second)]


def _with_target(block: Any, column: int) -> Any:
    """Return a block with a copy of one of its columns as the target."""
    if block.kind == "sparse":
        return replace(block, y=block.X[:, [column]].toarray().ravel())
    return replace(block, y=np.array(block.X[:, column], dtype=np.float64))

"""The range of every feature."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fewer.core.kernels import extent
from fewer.core.summaries.results import Extent
from fewer.core.summaries.summary import Summary

NO_WEIGHT = np.empty(0)


@dataclass(frozen=True)
class ColumnExtent(Summary[Extent]):
    """Smallest and largest value and the number of missing values of every feature.

    Rows of weight 0 count as absent for the range, unless ``all_rows``. A feature without any value has low = inf and
    high = -inf.
    """

    all_rows: bool = False
    words = "finding ranges"

    def bytes_per_feature(self, block: Any) -> int:
        """Bound the tile by its results."""
        return 24

    def tile(self, block: Any, start: int, stop: int) -> Extent:
        """Summarise features ``start`` to ``stop``."""
        low, high = np.full(stop - start, np.inf), np.full(stop - start, -np.inf)
        missing = np.zeros(stop - start, np.int64)
        unweighted = block.weight is None or self.all_rows
        weight = NO_WEIGHT if unweighted else block.weight
        X = block.X
        if block.kind == "sparse":
            n_positive = block.n_rows if unweighted else int(np.count_nonzero(weight))
            extent.sparse_extent(X.indptr, X.indices, X.data, weight, n_positive, start, stop, low, high, missing)
        else:
            extent.dense_extent(X, weight, start, stop, low, high, missing)
        return Extent(low, high, missing, float(block.n_rows))

    def join(self, parts: list[Extent]) -> Extent:
        """Put the features side by side."""
        return Extent(
            np.concatenate([part.low for part in parts]),
            np.concatenate([part.high for part in parts]),
            np.concatenate([part.missing for part in parts]),
            parts[0].n_rows,
        )

    def merge(self, first: Extent, second: Extent) -> Extent:
        """Take the wider range."""
        return Extent(
            np.minimum(first.low, second.low),
            np.maximum(first.high, second.high),
            first.missing + second.missing,
            first.n_rows + second.n_rows,
        )

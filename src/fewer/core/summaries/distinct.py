"""The different values of features that have few."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fewer.core.kernels import distinct
from fewer.core.summaries.summary import Summary

NO_WEIGHT = np.empty(0)


@dataclass(frozen=True)
class Distinct:
    """The different values of every feature.

    Attributes
    ----------
    values : ndarray of float64, shape (n_features, most)
        The first ``number`` of a row are the values in ascending order, if they are few; the rest means nothing.
    number : ndarray of int64
        How many different values there are, ``most + 1`` if more than fit.
    low, high : ndarray of float64
        Smallest and largest value of all, where asked for; inf and -inf where there is none.
    """

    values: np.ndarray
    number: np.ndarray
    low: np.ndarray
    high: np.ndarray

    @property
    def few(self) -> np.ndarray:
        """Which features have all their values here, a mask."""
        return self.number <= self.values.shape[1]


@dataclass(frozen=True)
class DistinctValues(Summary[Distinct]):
    """Different values of every feature, up to ``most`` of them; rows of weight 0 count as absent.

    Without ``extent`` a dense column is read only until it has too many values.
    """

    most: int
    extent: bool = True
    remembered = False
    words = "finding different values"

    def bytes_per_feature(self, block: Any) -> int:
        """Bound the tile by its results."""
        return 8 * self.most + 24

    def tile(self, block: Any, start: int, stop: int) -> Distinct:
        """Collect the values of features ``start`` to ``stop``."""
        n, X = stop - start, block.X
        weight = NO_WEIGHT if block.weight is None else block.weight
        found = Distinct(np.zeros((n, self.most)), np.zeros(n, np.int64), np.full(n, np.inf), np.full(n, -np.inf))
        out = (start, stop, found.values, found.number, found.low, found.high)
        if block.kind == "sparse":
            n_positive = block.n_rows if block.weight is None else int(np.count_nonzero(weight))
            distinct.sparse_distinct(X.indptr, X.indices, X.data, weight, n_positive, *out)
        else:
            distinct.dense_distinct(X, weight, self.extent, *out)
        return found

    def join(self, parts: list[Distinct]) -> Distinct:
        """Put the features side by side."""
        if len(parts) == 1:
            return parts[0]
        return Distinct(
            np.concatenate([part.values for part in parts]),
            np.concatenate([part.number for part in parts]),
            np.concatenate([part.low for part in parts]),
            np.concatenate([part.high for part in parts]),
        )

    def merge(self, first: Distinct, second: Distinct) -> Distinct:
        """Unite the values."""
        values, number = first.values.copy(), first.number.copy()
        distinct.merge_distinct(values, number, second.values, second.number)
        return Distinct(values, number, np.minimum(first.low, second.low), np.maximum(first.high, second.high))

"""Moments of features with missing values, each over the rows in which it has a value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fewer.core.summaries.moments import combine, row_weights, squares
from fewer.core.summaries.summary import Summary


@dataclass(frozen=True)
class FeatureMoments:
    """Weight, mean and sum of squared deviations of the values of each feature."""

    weight: np.ndarray
    mean: np.ndarray
    m2: np.ndarray


@dataclass(frozen=True)
class PresentMoments(Summary[FeatureMoments]):
    """Weight, mean and squared deviations of the chosen features, missing values left out."""

    features: tuple[int, ...]

    def width(self, block: Any) -> int:
        """Return the number of chosen features."""
        return len(self.features)

    def tile(self, block: Any, start: int, stop: int) -> FeatureMoments:
        """Summarise the chosen features number ``start`` to ``stop``."""
        weight = row_weights(block)
        return self.join([_feature(block, j, weight) for j in self.features[start:stop]])

    def join(self, parts: list[FeatureMoments]) -> FeatureMoments:
        """Put the features side by side."""
        return FeatureMoments(
            np.concatenate([part.weight for part in parts]),
            np.concatenate([part.mean for part in parts]),
            np.concatenate([part.m2 for part in parts]),
        )

    def merge(self, first: FeatureMoments, second: FeatureMoments) -> FeatureMoments:
        """Combine two row blocks."""
        return FeatureMoments(*combine((first.weight, first.mean, first.m2), (second.weight, second.mean, second.m2)))


def _feature(block: Any, j: int, weight: np.ndarray) -> FeatureMoments:
    """Summarise one feature of one row block."""
    zeros = 0.0
    if block.kind == "sparse":
        span = slice(block.X.indptr[j], block.X.indptr[j + 1])
        values, rows = block.X.data[span], block.X.indices[span]
        zeros = weight.sum() - weight[rows].sum() if len(rows) < block.n_rows else 0.0
        weight = weight[rows]
    else:
        values = block.X[:, j]
    here = values == values
    values, weight = np.append(values[here], 0.0), np.append(weight[here], zeros)
    total = weight.sum()
    mean = weight @ values / total if total > 0 else 0.0
    m2 = squares(weight, values - mean)
    return FeatureMoments(np.array([total]), np.array([mean]), np.array([m2]))

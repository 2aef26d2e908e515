"""What methods share that learn non-negative weights of numeric features from hits and misses."""

from __future__ import annotations

import numpy as np

from fewer.core.estimators.parts import Parts
from fewer.core.estimators.selector import BaseSelector
from fewer.core.records.errors import InputError
from fewer.core.records.ranking import Ranking
from fewer.core.records.result import Selection
from fewer.core.search import top_ranked
from fewer.core.summaries.extent import ColumnExtent
from fewer.core.views.view import View


class LearnedWeights(BaseSelector):
    """Learns one weight per feature and keeps the largest.

    It offers no random probes: weights are relative to each other, and those of probes would be so among themselves.
    """

    def _learn(self, data: View) -> Ranking:
        """Return the weights as scores."""
        raise NotImplementedError

    def _select(self, data: View, parts: Parts) -> Selection:
        refuse_lone_rows(type(self).__name__, data)
        return top_ranked(lambda: self._learn(data), parts.size)


def refuse_lone_rows(name: str, data: View) -> None:
    """Raise when no class has two rows, so that no row has a hit."""
    if np.bincount(data.whole().y).max() < 2:
        raise InputError(
            f"{name} compares rows with others of their class, but each of the {data.n_classes} classes has only one "
            "row; give at least one class two rows."
        )


def ranges(data: View) -> tuple[np.ndarray, np.ndarray]:
    """Return the smallest value and the range of every feature."""
    extent = data.fold(ColumnExtent())
    width = extent.high - extent.low
    data.check_finite(width)
    return extent.low, width


def unit_columns(X: np.ndarray, low: np.ndarray, width: np.ndarray) -> np.ndarray:
    """Return features moved and scaled to [0, 1] as float64; constant ones become 0."""
    scaled = np.subtract(X, low, dtype=np.float64)
    scaled /= np.where(width > 0, width, 1.0)
    return scaled


def weighted_columns(X: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return the columns times their weights, without those of weight zero, C-contiguous."""
    used = weights != 0
    # np.compress keeps rows together; indexing by a mask would put columns together.
    return X * weights if used.all() else np.compress(used, X, axis=1) * weights[used]

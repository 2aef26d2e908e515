"""How many independent rows tests may count on: fewer than there are, with weights or with groups of like rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fewer.core.folds.deal import Dealt
from fewer.core.summaries.moments import row_weights
from fewer.core.summaries.summary import Summary
from fewer.core.views.view import View

# Whole weights up to this mean count rows for the models; larger ones tell proportions.
MOST_COUNTED = 5.0


@dataclass(frozen=True)
class WeightSums(Summary[np.ndarray]):
    """Rows, sum of weights, and sum of their squares."""

    remembered = False
    words = "adding weights"

    def width(self, block: Any) -> int:
        """Say that the work is not cut by features."""
        return 1

    def tile(self, block: Any, start: int, stop: int) -> np.ndarray:
        """Add up one block."""
        weight = row_weights(block)
        return np.array([(weight > 0).sum(), weight.sum(), (weight**2).sum()])

    def join(self, parts: list[np.ndarray]) -> np.ndarray:
        """Return the only tile."""
        return parts[0]

    def merge(self, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        """Add two row blocks."""
        return first + second


def factor_and_share(data: View, dealt: Dealt) -> tuple[float, float]:
    """Return what weights are multiplied by, and which fraction of their sum tests count as independent rows.

    Weights that do not count rows tell proportions: one row weighs 1 in the mean. Tests count Kish's (1965) effective
    number of rows, the squared sum of the weights by the sum of their squares, which is never more than there are. Of
    groups whose rows have the same target only the groups count, as that many; the less alike their targets are, by
    the intraclass correlation, the more rows do.
    """
    factor, share = 1.0, 1.0
    if data.weights is not None:
        rows, total, squares = data.fold(WeightSums()).tolist()
        if not data.weights.whole or total > MOST_COUNTED * rows:
            factor = rows / total
        share = total / (squares * factor)
    if data.groups is not None:
        share /= _design_effect(np.asarray(data.groups), dealt)
    return factor, min(share, 1.0)


def _design_effect(groups: np.ndarray, dealt: Dealt) -> float:
    """Return by how much groups raise the variance of a mean, at most, given how alike the targets in them are."""
    y = dealt.view.whole().y
    target = y["value"][:, None] if dealt.numbers else (y["part"][:, None] == np.arange(dealt.n_parts)).astype(float)
    _, number, sizes = np.unique(groups, return_inverse=True, return_counts=True)
    n, k = len(number), len(sizes)
    mean_size = float((sizes**2).sum()) / n
    if k < 2 or k == n:
        return 1.0
    number, target = number.reshape(-1), target - target.mean(axis=0)
    sums = np.stack([np.bincount(number, column, minlength=k) for column in target.T], axis=1)
    between = float((sums**2 / sizes[:, None]).sum())
    within = max(float((target**2).sum()) - between, 0.0) / (n - k)
    between /= k - 1
    usual = (n - mean_size) / (k - 1)
    alike = between + (usual - 1.0) * within
    correlation = (between - within) / alike if alike > 0 else 0.0
    return 1.0 + (mean_size - 1.0) * float(np.clip(correlation, 0.0, 1.0))

"""Moments of every feature per fold and class, or per fold together with a numeric target."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fewer.core.kernels import fold_moments as kernels
from fewer.core.summaries.moments import row_weights
from fewer.core.summaries.summary import Summary


@dataclass(frozen=True, eq=False)
class FoldMoments:
    """Moments of x, and of the target in the rows that have x, each of shape (n_groups, n_features).

    Groups are folds, or folds times classes. ``of_target`` (n_folds, n_parts, 3) holds the weight of all rows, their sum
    of the target and of its squares.
    """

    total: np.ndarray
    mean: np.ndarray
    m2: np.ndarray
    mean_y: np.ndarray
    m2_y: np.ndarray
    product: np.ndarray
    of_target: np.ndarray

    def by_folds(self, n_folds: int, n_parts: int) -> FoldMoments:
        """Return the same with folds and groups within them as two axes."""
        shape = (n_folds, -1, self.total.shape[1])
        return FoldMoments(*(getattr(self, name).reshape(shape) for name in NAMES), self.of_target)

    def without(self, fold: int | None) -> FoldMoments:
        """Return the moments of all folds together but one, by groups within folds."""
        at = [f for f in range(self.total.shape[0]) if f != fold]
        w, x, y = self.total[at], self.mean[at], self.mean_y[at]
        total = w.sum(axis=0)
        weight = np.where(total > 0, total, 1.0)
        mean, mean_y = (w * x).sum(axis=0) / weight, (w * y).sum(axis=0) / weight
        dx, dy = x - mean, y - mean_y
        return FoldMoments(
            total,
            mean,
            self.m2[at].sum(axis=0) + (w * dx * dx).sum(axis=0),
            mean_y,
            self.m2_y[at].sum(axis=0) + (w * dy * dy).sum(axis=0),
            self.product[at].sum(axis=0) + (w * dx * dy).sum(axis=0),
            self.of_target[at].sum(axis=0),
        )


NAMES = ("total", "mean", "m2", "mean_y", "m2_y", "product")


@dataclass(frozen=True, eq=False)
class MomentsPerFold(Summary[FoldMoments]):
    """Moments per fold and class, or with a numeric target per fold, of features times a power of two each."""

    n_folds: int
    n_parts: int
    numbers: bool
    scale: np.ndarray

    remembered = False
    words = "means and variances of the folds"

    @property
    def n_groups(self) -> int:
        """Number of groups of rows."""
        return self.n_folds * (1 if self.numbers else self.n_parts)

    def bytes_per_feature(self, block: Any) -> int:
        """Bound the tile by its results."""
        return 48 * self.n_groups

    def tile(self, block: Any, start: int, stop: int) -> FoldMoments:
        """Summarise features ``start`` to ``stop``."""
        y, weight = block.y, row_weights(block)
        fold, part = np.ascontiguousarray(y["fold"]), np.ascontiguousarray(y["part"])
        group = fold if self.numbers else fold * self.n_parts + part
        value = np.ascontiguousarray(y["value"]) if self.numbers else np.empty(0)
        out = [np.zeros((self.n_groups, stop - start)) for _ in NAMES]
        n = self.n_folds * self.n_parts
        sums = [np.bincount(fold * self.n_parts + part, weight * y["value"] ** k, n) for k in range(3)]
        of_target = np.stack(sums, axis=1).reshape(self.n_folds, self.n_parts, 3)
        # What is not finite stays so, and is refused by whoever asks.
        with np.errstate(all="ignore"):
            if block.kind == "sparse":
                X, n_groups = block.X, self.n_groups
                per_group = [np.bincount(group, weight * y["value"] ** k, n_groups) for k in range(3)]
                kernels.group_moments_sparse(
                    X.indptr, X.indices, X.data, group, value, weight, per_group[0], np.stack(per_group[1:], axis=1),
                    self.scale, start, stop, *out,
                )  # fmt: skip
            else:
                kernels.group_moments(block.X, group, value, weight, self.scale, start, stop, *out)
        return FoldMoments(*out, of_target)

    def join(self, parts: list[FoldMoments]) -> FoldMoments:
        """Put the features side by side."""
        stacked = (np.concatenate([getattr(part, name) for part in parts], axis=1) for name in NAMES)
        return FoldMoments(*stacked, parts[0].of_target)

    def merge(self, first: FoldMoments, second: FoldMoments) -> FoldMoments:
        """Combine two row blocks (Chan, Golub and LeVeque 1983)."""
        pair = (np.stack([getattr(first, name), getattr(second, name)]) for name in NAMES)
        both = FoldMoments(*pair, np.stack([first.of_target, second.of_target])).without(None)
        return both

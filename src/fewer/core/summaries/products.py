"""Sums of products: of features with a numeric target, and of features with each other."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fewer.core.kernels import moments
from fewer.core.summaries.moments import (
    common_origin,
    origins,
    row_weights,
    squares,
    target_from_origin,
    target_range,
)
from fewer.core.summaries.results import Products, TargetProducts
from fewer.core.summaries.summary import Summary

ROWS_AT_ONCE = 4096


@dataclass(frozen=True)
class ProductsWithTarget(Summary[TargetProducts]):
    """Centred sums of squares and products of every feature with a numeric target."""

    words = "correlations"

    def bytes_per_feature(self, block: Any) -> int:
        """Bound the tile by its results."""
        return 32

    def tile(self, block: Any, start: int, stop: int) -> TargetProducts:
        """Summarise features ``start`` to ``stop``."""
        weight, (y, origin_y) = row_weights(block), target_from_origin(block)
        total = float(weight.sum())
        # A block may hold only rows of weight zero; its means are then never used.
        mean_y = float(weight @ y) / (total or 1.0)
        mean_y += float(weight @ (y - mean_y)) / (total or 1.0)
        origin = origins(block, start, stop)
        mean_x, m2_x, c_xy = np.zeros(stop - start), np.zeros(stop - start), np.zeros(stop - start)
        if block.kind == "sparse":
            X = block.X
            moments.target_products_sparse(
                X.indptr, X.indices, X.data, y, weight, total or 1.0, mean_y, start, stop, origin, mean_x, m2_x, c_xy
            )
        else:
            moments.target_products(block.X, weight * (y - mean_y), weight, start, stop, origin, mean_x, m2_x, c_xy)
        m2_y = squares(weight, y - mean_y)
        ends = target_range(y, block)
        return TargetProducts(total, mean_x, mean_y, m2_x, m2_y, c_xy, origin, origin_y, *ends)

    def join(self, parts: list[TargetProducts]) -> TargetProducts:
        """Put the features side by side."""
        one = parts[0]
        names = ("mean_x", "m2_x", "c_xy", "origin_x")
        mean_x, m2_x, c_xy, origin = (np.concatenate([getattr(p, name) for p in parts]) for name in names)
        return replace(one, mean_x=mean_x, m2_x=m2_x, c_xy=c_xy, origin_x=origin)

    def merge(self, first: TargetProducts, second: TargetProducts) -> TargetProducts:
        """Combine two row blocks."""
        if first.weight == 0 or second.weight == 0:
            return second if first.weight == 0 else first
        weight = first.weight + second.weight
        share = second.weight / weight
        origin, one, other = common_origin(first.origin_x, second.origin_x)
        mean_x = first.mean_x + one
        dx = second.mean_x + other - mean_x
        moved = second.origin_y - first.origin_y
        dy = second.mean_y + moved - first.mean_y
        cross = first.weight * share
        return TargetProducts(
            weight,
            mean_x + dx * share,
            first.mean_y + dy * share,
            first.m2_x + second.m2_x + dx**2 * cross,
            first.m2_y + second.m2_y + dy**2 * cross,
            first.c_xy + second.c_xy + dx * dy * cross,
            origin,
            first.origin_y,
            min(first.low_y, second.low_y + moved),
            max(first.high_y, second.high_y + moved),
        )


@dataclass(frozen=True)
class FeatureProducts(Summary[Products]):
    """Centred sums of products of all pairs of features (the Gram matrix of centred columns)."""

    def bytes_per_feature(self, block: Any) -> int:
        """One row of the result."""
        return 8 * int(block.n_features)

    def tile(self, block: Any, start: int, stop: int) -> Products:
        """Compute rows ``start`` to ``stop`` of the matrix."""
        weight = row_weights(block)
        total = float(weight.sum())
        X, origin = _from_origin(block)
        # What is not finite stays so, and is refused by whoever asks. A block may hold only rows of weight zero; its
        # means are then never used.
        with np.errstate(invalid="ignore", over="ignore"):
            mean = _sum(X, origin, weight) / (total or 1.0)
            if block.kind == "sparse":
                scaled = X[:, start:stop].multiply(weight[:, None])
                c = np.asarray((scaled.T @ X).todense()) - total * np.outer(mean[start:stop], mean)
            else:
                c = np.zeros((stop - start, block.n_features))
                for top in range(0, block.n_rows, ROWS_AT_ONCE):
                    centred = X[top : top + ROWS_AT_ONCE] - origin - mean
                    scaled = centred[:, start:stop] * weight[top : top + ROWS_AT_ONCE, None]
                    c += scaled.T @ centred
            mean = mean + origin
        return Products(total, mean, c)

    def join(self, parts: list[Products]) -> Products:
        """Stack rows of the matrix."""
        return Products(parts[0].weight, parts[0].mean, np.concatenate([part.c for part in parts]))

    def merge(self, first: Products, second: Products) -> Products:
        """Combine two row blocks."""
        weight = first.weight + second.weight
        share = second.weight / weight if weight else 0.0
        d = second.mean - first.mean
        c = first.c + second.c + np.outer(d, d) * (first.weight * share)
        return Products(weight, first.mean + d * share, c)


def _from_origin(block: Any) -> tuple[Any, np.ndarray]:
    """Return the numbers of a block and the value of each column from which its mean is counted.

    Without it a constant column varies by the rounding of its mean, and all such columns would vary alike. Sparse
    columns without zeros are returned less their origin; in the others the zeros keep squares far above rounding.
    """
    if block.kind != "sparse":
        return block.X, np.array(block.X[0], dtype=np.float64)
    sizes = np.diff(block.X.indptr)
    full = (sizes == block.n_rows) & (sizes > 0)
    origin = np.zeros(block.n_features)
    if not full.any():
        return block.X, origin
    origin[full] = block.X.data[block.X.indptr[:-1][full]]
    data = block.X.data - np.repeat(origin, sizes)
    return type(block.X)((data, block.X.indices, block.X.indptr), shape=block.X.shape), origin


def _sum(X: Any, origin: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Return the weighted sum of the rows less their origin, which sparse ones are already."""
    if not isinstance(X, np.ndarray):
        return np.asarray(weight @ X).ravel()
    tops = range(0, len(X), ROWS_AT_ONCE)
    parts = (weight[top : top + ROWS_AT_ONCE] @ (X[top : top + ROWS_AT_ONCE] - origin) for top in tops)
    return sum(parts, np.zeros(X.shape[1]))

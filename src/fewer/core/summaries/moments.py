"""Means and squared deviations per class, and of a numeric target per level."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fewer.core.kernels import contingency, moments
from fewer.core.summaries.results import LevelMoments, Moments
from fewer.core.summaries.summary import Summary


def row_weights(block: Any) -> np.ndarray:
    """Return the weight of every row, ones if none were given."""
    return np.ones(block.n_rows) if block.weight is None else block.weight


def origins(block: Any, start: int, stop: int) -> np.ndarray:
    """Return a number of every feature near which its values lie, to measure deviations from.

    It is the value of the first row that counts; 0 in a sparse column that does not store all its values, which has
    zeros. Deviations from it are exact where rounding matters, and those of a constant are 0.
    """
    row = 0 if block.weight is None or not block.weight.any() else int(np.argmax(block.weight > 0))
    if block.n_rows == 0:
        return np.zeros(stop - start)
    if block.kind != "sparse":
        return block.X[row, start:stop].astype(np.float64)
    out, full = np.zeros(stop - start), np.diff(block.X.indptr[start : stop + 1]) == block.n_rows
    out[full] = block.X.data[block.X.indptr[start:stop][full] + row]
    return out


def target_from_origin(block: Any) -> tuple[np.ndarray, float]:
    """Return a numeric target less the first of its values that counts, and that value."""
    y = np.asarray(block.y, dtype=float)
    origin = 0.0 if not len(y) else float(y[0] if block.weight is None else y[np.argmax(block.weight > 0)])
    return y - origin, origin


def target_range(y: np.ndarray, block: Any) -> tuple[float, float]:
    """Return the smallest and the largest value of the target among rows that count."""
    counts = y if block.weight is None else y[block.weight > 0]
    return float(counts.min(initial=np.inf)), float(counts.max(initial=-np.inf))


def squares(weight: np.ndarray, deviations: np.ndarray) -> float:
    """Return the sum of squares; one that overflows is infinite, and refused where it is used."""
    with np.errstate(over="ignore", invalid="ignore"):
        return float(weight @ deviations**2)


def common_origin(first: Any, second: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return one origin for two blocks, and what to add to the means of each to measure them from it."""
    # A block whose columns store all values may meet one that has zeros.
    origin = np.where((first == 0) | (second == 0), 0.0, first)
    return origin, first - origin, second - origin


@dataclass(frozen=True)
class ClassMoments(Summary[Moments]):
    """Weight, mean and sum of squared deviations per feature and class; of all rows together with n_classes=0."""

    n_classes: int = 0
    words = "means and variances"
    together = 32

    def bytes_per_feature(self, block: Any) -> int:
        """Bound the tile by its results."""
        return 32 * max(self.n_classes, 1)

    def tile(self, block: Any, start: int, stop: int) -> Moments:
        """Summarise features ``start`` to ``stop``."""
        n_classes = max(self.n_classes, 1)
        y = block.y if self.n_classes else np.zeros(block.n_rows, np.int64)
        weight = row_weights(block)
        # bincount of no rows at all counts in whole numbers.
        total = np.bincount(y, weights=weight, minlength=n_classes).astype(np.float64)
        mean, m2 = np.zeros((n_classes, stop - start)), np.zeros((n_classes, stop - start))
        origin = origins(block, start, stop)
        if block.kind == "sparse":
            X = block.X
            moments.class_moments_sparse(X.indptr, X.indices, X.data, y, weight, total, start, stop, origin, mean, m2)
        else:
            order, bounds = np.empty(block.n_rows, np.int64), np.empty(n_classes + 1, np.int64)
            contingency.group_rows(y, n_classes, order, bounds)
            moments.class_moments(block.X, order, bounds, weight, start, stop, origin, mean, m2)
        return Moments(total, mean.T, m2.T, origin)

    def join(self, parts: list[Moments]) -> Moments:
        """Put the features side by side."""
        if len(parts) == 1:
            return parts[0]
        stack = [np.concatenate([getattr(p, name) for p in parts]) for name in ("mean", "m2", "origin")]
        return Moments(parts[0].weight, *stack)

    def merge(self, first: Moments, second: Moments) -> Moments:
        """Combine two row blocks (Chan, Golub and LeVeque 1983)."""
        if not first.weight.any() or not second.weight.any():
            return first if first.weight.any() else second
        origin, one, other = common_origin(first.origin, second.origin)
        parts = (
            (first.weight, first.mean + one[:, None], first.m2),
            (second.weight, second.mean + other[:, None], second.m2),
        )
        return Moments(*combine(*parts), origin)


Triple = tuple[np.ndarray, np.ndarray, np.ndarray]


def combine(first: Triple, second: Triple) -> Triple:
    """Combine (weight, mean, sum of squared deviations) of two sets of rows."""
    weight = first[0] + second[0]
    share = np.divide(second[0], weight, out=np.zeros_like(weight), where=weight > 0)
    difference = second[1] - first[1]
    mean = first[1] + difference * share
    m2 = first[2] + second[2] + difference**2 * (first[0] * share)
    return weight, mean, m2


@dataclass(frozen=True)
class TargetByLevel(Summary[LevelMoments]):
    """Weight, mean and squared deviations of a numeric target at every level of every feature."""

    def bytes_per_feature(self, block: Any) -> int:
        """Bound the tile by its results."""
        return 24 * int(block.n_levels.max(initial=1))

    def tile(self, block: Any, start: int, stop: int) -> LevelMoments:
        """Summarise features ``start`` to ``stop``."""
        ends = np.concatenate([[0], np.cumsum(block.n_levels)]).astype(np.int64)
        weight, (y, origin) = row_weights(block), target_from_origin(block)
        total = weight.sum()
        # Deviations are taken from the mean of the block, so that its distance from the origin does not cancel them.
        shift = float(weight @ y / total) if total > 0 else 0.0
        sums = np.zeros((ends[stop] - ends[start], 3))
        if block.kind == "sparse codes":
            d, X = y - shift, block.X
            totals = np.array([total, weight @ d, squares(weight, d)])
            contingency.level_sums_sparse(
                X.indptr,
                X.indices,
                X.data,
                block.zero_code,
                y,
                weight,
                shift,
                totals,
                ends,
                start,
                stop,
                sums,
            )
        else:
            contingency.level_sums(block.rows, y, weight, shift, ends, start, stop, sums)
        w = sums[:, 0]
        mean = np.divide(sums[:, 1], w, out=np.zeros_like(w), where=w > 0)
        with np.errstate(over="ignore", invalid="ignore"):
            m2 = np.maximum(sums[:, 2] - mean * sums[:, 1], 0.0)
        offsets = ends[start : stop + 1] - ends[start]
        return LevelMoments(w, np.where(w > 0, mean + shift, 0.0), m2, offsets, origin, *target_range(y, block))

    def join(self, parts: list[LevelMoments]) -> LevelMoments:
        """Stack the levels."""
        shifts = np.cumsum([0, *(part.offsets[-1] for part in parts[:-1])])
        return LevelMoments(
            np.concatenate([p.weight for p in parts]),
            np.concatenate([p.mean for p in parts]),
            np.concatenate([p.m2 for p in parts]),
            np.concatenate([[0], *(part.offsets[1:] + shift for part, shift in zip(parts, shifts))]),
            parts[0].origin,
            parts[0].low,
            parts[0].high,
        )

    def merge(self, first: LevelMoments, second: LevelMoments) -> LevelMoments:
        """Combine two row blocks."""
        if not first.weight.any() or not second.weight.any():
            return first if first.weight.any() else second
        moved = second.origin - first.origin
        other = second.mean + np.where(second.weight > 0, moved, 0.0)
        combined = combine((first.weight, first.mean, first.m2), (second.weight, other, second.m2))
        ends = min(first.low, second.low + moved), max(first.high, second.high + moved)
        return LevelMoments(*combined, first.offsets, first.origin, *ends)

"""Exact quantiles of rows that are never together: counted, never sorted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from fewer.core.kernels import quantiles
from fewer.core.summaries.base import Summary
from fewer.core.summaries.extent import ColumnExtent

Fold = Callable[[Summary[Any]], Any]

# Memory for all counts of one pass; more features mean fewer parts per bracket and so more passes.
COUNT_BYTES = 256 * 2**20
MOST_BITS = 10
# Weights add up with rounding; a sum that misses its share by less than this has reached it.
WEIGHT_TOLERANCE = 1e-10


@dataclass(frozen=True)
class BracketCounts:
    """Weight of the values in every part of every bracket, (n_brackets, n_parts), and the outermost keys met."""

    counts: np.ndarray
    least: np.ndarray
    most: np.ndarray


@dataclass(frozen=True, eq=False)
class KeyCounts(Summary[BracketCounts]):
    """Counts values in the parts of brackets.

    Values are taken as 64-bit keys that order like them. Brackets ``offsets[j]`` to ``offsets[j + 1]`` belong to
    feature j, ascend and do not overlap; part p of bracket s holds the keys with ``(key - low[s]) >> shift[s] == p``.
    """

    offsets: np.ndarray
    low: np.ndarray
    high: np.ndarray
    shift: np.ndarray
    n_parts: int
    requires = ("dense", "sparse")
    remembered = False
    words = "finding quantiles"

    def bytes_per_feature(self, block: Any) -> int:
        """Bound the tile by its counts."""
        return 8 * self.n_parts * int(np.diff(self.offsets).max(initial=1))

    def tile(self, block: Any, start: int, stop: int) -> BracketCounts:
        """Count the values of features ``start`` to ``stop``."""
        n_brackets = int(self.offsets[stop] - self.offsets[start])
        weight = np.ones(block.n_rows, np.int64) if block.weight is None else block.weight
        counts = np.zeros((n_brackets, self.n_parts), weight.dtype)
        least = np.full(n_brackets, np.iinfo(np.uint64).max, np.uint64)
        most = np.zeros(n_brackets, np.uint64)
        brackets = (self.offsets, self.low, self.high, self.shift, start, stop, counts, least, most)
        X = block.X
        if block.kind == "sparse":
            rows = (block.n_rows, weight, weight.sum())
            quantiles.count_sparse(X.indptr, X.indices, X.data, *rows, *brackets)
        else:
            quantiles.count_dense(X, weight, *brackets)
        return BracketCounts(counts, least, most)

    def join(self, parts: list[BracketCounts]) -> BracketCounts:
        """Stack the brackets."""
        if len(parts) == 1:
            return parts[0]
        return BracketCounts(
            np.concatenate([part.counts for part in parts]),
            np.concatenate([part.least for part in parts]),
            np.concatenate([part.most for part in parts]),
        )

    def merge(self, first: BracketCounts, second: BracketCounts) -> BracketCounts:
        """Add the counts."""
        return BracketCounts(
            first.counts + second.counts,
            np.minimum(first.least, second.least),
            np.maximum(first.most, second.most),
        )


def order_statistics(fold: Fold, bins: int, wanted: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the k/bins quantiles of the wanted features, (n_features, bins - 1), and their largest values.

    The k-th quantile is the smallest value up to which at least k/bins of the weight lies; missing values are left
    out. Every pass over the data counts how many values lie in each part of a bracket around each
    quantile, the next pass looks into that part alone: the values found are the same, bit for bit, however the rows
    are cut into blocks. Features without values or not wanted are left at their smallest value.

    Parameters
    ----------
    fold : callable
        Computes a summary of all rows.
    bins : int
        Number of parts of equal weight.
    wanted : ndarray of bool
        The features to look at.
    """
    extent = fold(ColumnExtent())
    values = np.repeat(extent.low[:, None] + 0.0, bins - 1, axis=1)
    features = np.flatnonzero(wanted & (extent.low < extent.high))
    if len(features) and bins > 1:
        feature = np.repeat(features, bins - 1)
        low, high = _keys(extent.low)[feature], _keys(extent.high)[feature]
        found = _narrow_all(fold, bins, len(wanted), feature, low, high)
        values[features] = found.reshape(len(features), bins - 1)
    return values, extent.high


def _narrow_all(
    fold: Fold, bins: int, n_features: int, feature: np.ndarray, low: np.ndarray, high: np.ndarray
) -> np.ndarray:
    """Shrink the brackets of all wanted order statistics until each holds one key; return the values."""
    need, below = np.empty(0), np.empty(0)
    while len(still := np.flatnonzero(low < high)):
        # Order statistics of one feature ascend, so equal brackets are neighbours.
        first = np.r_[True, (np.diff(feature[still]) > 0) | (low[still][1:] != low[still][:-1])]
        slot, own = np.cumsum(first) - 1, still[first]
        counting = _brackets(feature[own], low[own], high[own], n_features)
        counted = fold(counting)
        if len(need) == 0:
            need = _needs(counted.counts.sum(axis=1), bins)
            below = np.zeros(len(need), need.dtype)
        new_low, new_high, new_below = low[still], high[still], below[still]
        quantiles.narrow(
            counted.counts, counted.least, counted.most, slot, need[still], counting.shift,
            new_low, new_high, new_below,
        )  # fmt: skip
        low[still], high[still], below[still] = new_low, new_high, new_below
    values = np.empty(len(low))
    quantiles.values_of(low, values)
    return values


def _brackets(feature: np.ndarray, low: np.ndarray, high: np.ndarray, n_features: int) -> KeyCounts:
    """Cut every bracket into as many parts as memory allows."""
    n_bits = int(np.clip(np.log2(COUNT_BYTES / (8 * len(low))), 1, MOST_BITS))
    shift = np.maximum(_bit_length(high - low) - n_bits, 0).astype(np.uint64)
    offsets = np.searchsorted(feature, np.arange(n_features + 1)).astype(np.int64)
    return KeyCounts(offsets, low, high, shift, 2**n_bits)


def _needs(total: np.ndarray, bins: int) -> np.ndarray:
    """Return the count or weight at which each quantile of each feature is reached."""
    k = np.arange(1, bins)
    if total.dtype.kind == "i":
        return ((k * total[:, None] + bins - 1) // bins).ravel()
    return ((k / bins - WEIGHT_TOLERANCE) * total[:, None]).ravel()


def _keys(values: np.ndarray) -> np.ndarray:
    """Return the keys of values."""
    keys = np.empty(len(values), np.uint64)
    quantiles.keys_of(values, keys)
    return keys


def _bit_length(numbers: np.ndarray) -> np.ndarray:
    """Return the number of bits of whole numbers; by halves, because a float holds only 53 bits."""
    upper = numbers >> np.uint64(32)
    half = np.where(upper > 0, upper, numbers & np.uint64(0xFFFFFFFF)).astype(np.float64)
    return np.frexp(half)[1] + np.where(upper > 0, 32, 0)

"""Exact quantiles of rows that are never together: counted, never sorted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from fewer.core.kernels import quantiles
from fewer.core.summaries.distinct import DistinctValues
from fewer.core.summaries.summary import Summary

Fold = Callable[[Summary[Any]], Any]
# Quantiles and largest values of the features that a mask marks.
Statistics = Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]

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


def frequency_edges(
    fold: Fold, bins: int, wanted: np.ndarray, in_memory: Statistics | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Return edges of equal frequency, (n_features, bins - 1), and the largest value of every feature.

    A feature of at most ``bins`` different values has all of them as edges. Otherwise the edges are the k/bins
    quantiles for k = 1 to bins (the last is the largest value), where the k-th is the smallest value up to which at
    least k/bins of the weight lies. Where several of them meet in one value, this is a level of its own: the first of
    them is replaced by the value before it, if there is one. So no feature has more than ``bins`` levels, and only a
    constant has one. Missing values and rows of weight 0 are left out. Edges ascend and may repeat; those of features
    that have no values or are not wanted mean nothing, and lie beyond their largest value.

    Parameters
    ----------
    fold : callable
        Computes a summary of all rows.
    bins : int
        Number of parts of equal weight.
    wanted : ndarray of bool
        The features to look at.
    in_memory : callable, optional
        A faster way to the quantiles and the largest values of the features that a mask marks, for rows that are
        together; what is not marked may hold anything.
    """
    seen = fold(DistinctValues(bins, extent=in_memory is None))
    many = wanted & ~seen.few
    if in_memory is None:
        low, high = seen.low, seen.high
        values = order_statistics(fold, bins, many, low, high)
    else:
        low, (values, high) = np.full(len(many), -np.inf), in_memory(many)
    _separate_heavy(fold, values, low, high, many)
    high = np.where(many, high, -np.inf)
    few = np.flatnonzero(wanted & seen.few & (seen.number > 0))
    last = seen.number[few] - 1
    places = np.minimum(np.arange(bins - 1), last[:, None])
    values[few], high[few] = np.take_along_axis(seen.values[few], places, axis=1), seen.values[few, last]
    return values, high


def order_statistics(fold: Fold, bins: int, wanted: np.ndarray, lowest: np.ndarray, highest: np.ndarray) -> np.ndarray:
    """Return the k/bins quantiles of the wanted features, (n_features, bins - 1), given the range of each.

    Every pass over the data counts how many values lie in each part of a bracket around each
    quantile, the next pass looks into that part alone: the values found are the same, bit for bit, however the rows
    are cut into blocks. Features that are not wanted are left at their smallest value.
    """
    values = np.repeat(lowest[:, None] + 0.0, bins - 1, axis=1)
    features = np.flatnonzero(wanted & (lowest < highest))
    if len(features) and bins > 1:
        feature = np.repeat(features, bins - 1)
        low, high = _keys(lowest)[feature], _keys(highest)[feature]
        found = _narrow_all(fold, bins, len(wanted), feature, low, high)
        values[features] = found.reshape(len(features), bins - 1)
    return values


def _separate_heavy(fold: Fold, values: np.ndarray, low: np.ndarray, high: np.ndarray, wanted: np.ndarray) -> None:
    """Replace the first of several quantiles that meet in one value by the largest value below it, if there is one."""
    same = np.column_stack([values[:, 1:], high]) == values if values.shape[1] else np.zeros(values.shape, bool)
    first = same & wanted[:, None] & (values > low[:, None])
    first[:, 1:] &= ~same[:, :-1]
    feature, place = np.nonzero(first)
    if not len(feature):
        return
    keys = _keys(values[feature, place])
    # The bracket of a value begins at the heavy value before it, which is there to be found.
    begin = np.where(np.r_[True, np.diff(feature) > 0], np.uint64(0), np.r_[np.uint64(0), keys[:-1]])
    offsets = np.searchsorted(feature, np.arange(len(values) + 1)).astype(np.int64)
    shift = np.full(len(keys), 63, np.uint64)
    counted = fold(KeyCounts(offsets, begin, keys - np.uint64(1), shift, 2))
    met = counted.least <= counted.most
    below = np.empty(int(met.sum()))
    quantiles.values_of(counted.most[met], below)
    values[feature[met], place[met]] = below


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

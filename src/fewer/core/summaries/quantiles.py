"""Exact quantiles of rows that are never together: bounds of ranks first, then the values between the bounds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from fewer.core.kernels import places, quantiles
from fewer.core.records.sized import Sized
from fewer.core.summaries.results import Edges
from fewer.core.summaries.summary import Summary

Fold = Callable[[Summary[Any]], Any]

# Memory for the values that the first pass keeps, in about so many tables of different numbers of row blocks, and for
# those inside the brackets, which the second collects. More of them take another pass.
SKETCH_BYTES, TABLES = 256 * 2**20, 8
COLLECT_BYTES = 2**30
ITEM_BYTES = 24
MOST_KEPT = 2**14
# Of one row block so many times fewer are kept: its part in the doubt about a rank is as small as the block.
FIRST_KEPT = 4
# Fewer values than this per bin would not tell where its edge lies.
LEAST_KEPT = 16
# Weights add up with rounding; a sum that misses its fraction by less than this has reached it.
WEIGHT_TOLERANCE = 1e-10


@dataclass(frozen=True)
class Ranked(Sized):
    """Values of some row blocks in ascending order, features ``offsets[f]`` to ``offsets[f + 1]``.

    Attributes
    ----------
    items : ndarray of float64, shape (3, n_values)
        The values, at least the weight of all values up to each, and at most that of the smaller ones.
    pruned : ndarray of bool
        Per feature whether values inside its brackets were left out; if not, both bounds are exact there.
    weighted : bool
        Whether rows have weights, or are counted.
    n_blocks : int
        Number of row blocks.
    """

    offsets: np.ndarray
    items: np.ndarray
    pruned: np.ndarray
    weighted: bool
    n_blocks: int = 1


@dataclass(frozen=True, eq=False)
class RankedValues(Summary[tuple[Ranked, ...]]):
    """Values of the listed features with bounds of their ranks.

    Of feature f, those in the brackets ``brackets[f]`` to ``brackets[f + 1]`` are kept, about ``most`` of them if
    they are more, and of those between two brackets the largest. Row blocks are merged like the digits of a binary
    number, so that values are left out only as often as that number has digits.
    """

    features: np.ndarray
    low: np.ndarray
    high: np.ndarray
    brackets: np.ndarray
    most: int
    remembered = False
    words = "finding quantiles"
    together = 16

    @property
    def narrow(self) -> bool:
        """Whether any bracket has an end; at first each is the whole line."""
        return not (np.isinf(self.low).all() and np.isinf(self.high).all())

    def width(self, block: Any) -> int:
        """Return the number of listed features."""
        return len(self.features)

    def bytes_per_feature(self, block: Any) -> int:
        """Bound the tile by its columns, sorted with their weights, and what is kept of them."""
        return (24 + 2 * ITEM_BYTES) * int(block.n_rows)

    def tile(self, block: Any, start: int, stop: int) -> tuple[Ranked, ...]:
        """Rank the values of the listed features number ``start`` to ``stop``."""
        first, n = self.brackets[start], stop - start
        rule = (self.low[first:], self.high[first:], self.brackets[start : stop + 1] - first, self.most)
        features = self.features[start:stop]
        counted = block.kind == "dense" and block.X.dtype == np.uint8 and block.weight is None and not self.narrow
        ordered, weight, starts = (
            _sorted_sparse(block, features)
            if block.kind == "sparse"
            else _counted_bytes(block, features)
            if counted
            else _sorted_dense(block, features, rule[:3], self.narrow)
        )
        offsets, pruned = np.zeros(n + 1, np.int64), np.zeros(n, bool)
        items = np.empty((3, len(ordered)))
        # Tables of one row block each keep fewer values, until so many are merged that these are pruned anyway.
        plain = block.kind == "dense" and block.weight is None and not self.narrow and not counted
        few = max(self.most // FIRST_KEPT, 2) if plain else 0
        used = quantiles.rank_columns(ordered, weight, starts, *rule, few, offsets, *items, pruned)
        return (Ranked(offsets, items[:, :used].copy(), pruned, block.weight is not None),)

    def join(self, parts: list[tuple[Ranked, ...]]) -> tuple[Ranked, ...]:
        """Put the features side by side."""
        if len(parts) == 1:
            return parts[0]
        tables = [part[0] for part in parts]
        offsets = _ends(np.concatenate([np.diff(table.offsets) for table in tables]))
        items = np.concatenate([table.items for table in tables], axis=1)
        return (Ranked(offsets, items, np.concatenate([table.pruned for table in tables]), tables[0].weighted),)

    def merge(self, first: tuple[Ranked, ...], second: tuple[Ranked, ...]) -> tuple[Ranked, ...]:
        """Merge tables of equally many row blocks."""
        tables = list(first)
        for table in second:
            tables.append(table)
            while len(tables) > 1 and tables[-2].n_blocks <= tables[-1].n_blocks:
                tables[-2:] = [self.united(tables[-2:])]
        return tuple(tables)

    def united(self, tables: Any) -> Ranked:
        """Merge all tables, those of few row blocks first."""
        *rest, last = tables
        for table in reversed(rest):
            last = self._both(table, last)
        return last

    def _both(self, one: Ranked, other: Ranked) -> Ranked:
        offsets, pruned = np.zeros(len(one.offsets), np.int64), one.pruned | other.pruned
        items = np.empty((3, one.items.shape[1] + other.items.shape[1]))
        rule = (self.low, self.high, self.brackets, self.most)
        quantiles.merge_ranked(
            one.offsets, *one.items, other.offsets, *other.items, *rule, offsets, *items, pruned
        )  # fmt: skip
        return Ranked(offsets, items[:, : offsets[-1]].copy(), pruned, one.weighted, one.n_blocks + other.n_blocks)


def frequency_edges(
    fold: Fold,
    bins: int,
    wanted: np.ndarray,
    divisors: tuple[int, ...] = (),
    room: tuple[int, int] | None = None,
) -> dict[int, Edges]:
    """Return edges of equal frequency, (n_features, bins - 1), and the largest value of every feature, by bins.

    A feature of at most ``bins`` different values has all of them as edges. Otherwise the edges are the k/bins
    quantiles for k = 1 to bins (the last is the largest value), where the k-th is the smallest value up to which at
    least k/bins of the weight lies. Where several of them meet in one value, this is a level of its own: the first of
    them is replaced by the value before it, if there is one. So no feature has more than ``bins`` levels, and only a
    constant has one. Missing values and rows of weight 0 are left out. Edges ascend and may repeat; those of features
    that have no values or are not wanted mean nothing, and lie beyond their largest value.

    The first pass over the rows bounds the rank of some values of each feature, the second collects all values
    between the bounds of each quantile: the edges are the same, bit for bit, however the rows are cut into blocks.
    The second is not needed where the first could keep all values, and a third only where memory is short.

    Parameters
    ----------
    fold : callable
        Computes a summary of all rows.
    bins : int
        Number of parts of equal weight.
    wanted : ndarray of bool
        The features to look at.
    divisors : tuple of int
        Divisors of ``bins`` whose edges are returned, too: they are among the same quantiles, and take no pass.
    room : tuple of int, optional
        Bytes for the tables of the first pass, and for what the second collects.
    """
    sketch, collected = room or (SKETCH_BYTES, COLLECT_BYTES)
    made = {b: Edges(np.zeros((len(wanted), b - 1)), np.full(len(wanted), -np.inf)) for b in (bins, *divisors)}
    features, first = np.flatnonzero(wanted), True
    low, end, brackets = np.full(len(features), -np.inf), np.full(len(features), np.inf), np.arange(len(features) + 1)
    kept = sketch // (TABLES * ITEM_BYTES * max(1, len(features)))
    # Never fewer than bins: only then has a feature of which values were left out more values than bins.
    most = max(bins, int(np.clip(kept, LEAST_KEPT * bins, MOST_KEPT)))
    while len(features):
        summary = RankedValues(features, low, end, brackets, most)
        found = summary.united(fold(summary))
        for b, known in made.items():
            need = _needs(found, b)
            some, largest = np.zeros(need.shape), np.full(len(features), -np.inf)
            quantiles.edges_of(found.offsets, *found.items[:2], need, b if first else 0, some, largest)
            known.edges[features], known.high[features] = some, largest
        left = np.flatnonzero(found.pruned & (bins > 1))
        low, end, brackets = _brackets(found, left, _needs(found, bins))
        # Those that are left have more values than bins; and if brackets were full again, they get more room.
        features, first = features[left], False
        most = max(2 * most, collected // (ITEM_BYTES * max(1, len(features))))
    return made


def edges_key(bins: int) -> tuple[str, int]:
    """Return under which name a view keeps edges of equal frequency of its columns, each row counted once."""
    return ("edges of equal frequency", bins)


def target_edges_key(bins: int) -> tuple[str, int]:
    """Return under which name a view keeps edges of equal frequency of its target, each row counted once."""
    return ("edges of the target", bins)


def _sorted_dense(
    block: Any, features: np.ndarray, brackets: Any, narrow: bool
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the listed columns one after another, ascending with missing values last, their weights, and the ends.

    Of columns with narrow brackets only the values inside are there, and one for each gap.
    """
    together = features[-1] - features[0] == len(features) - 1
    X = block.X[:, features[0] : features[-1] + 1] if together else np.take(block.X, features, axis=1)
    columns = np.array(X.T, dtype=np.float64, order="C")
    weight = np.empty(0) if block.weight is None else np.asarray(block.weight, float)
    if not narrow:
        starts = np.arange(len(features) + 1) * block.n_rows
        if block.weight is None:
            columns.sort(axis=1)
            return columns.ravel(), weight, starts
        order = np.argsort(columns, axis=1)
        return np.take_along_axis(columns, order, axis=1).ravel(), weight[order].ravel(), starts
    room = columns.size + len(brackets[0]) + len(features)
    values, amounts, feature = np.empty(room), np.empty(room), np.empty(room, np.int64)
    n = quantiles.take_inside(columns, weight, *brackets, values, amounts, feature)
    return _in_order(values[:n], amounts[:n], feature[:n], len(features))


def _counted_bytes(block: Any, features: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the different values of the listed columns one after another, how often each is there, and the ends."""
    counts = np.zeros((len(features), 256), np.int64)
    places.count_bytes(block.X, features, counts)
    feature, values = np.nonzero(counts)
    return values.astype(np.float64), counts[feature, values].astype(np.float64), _ends((counts > 0).sum(axis=1))


def _sorted_sparse(block: Any, features: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the same of CSC columns; each gets one zero with the weight of all that are not stored."""
    X, d = block.X[:, features], len(features)
    weight = np.ones(block.n_rows) if block.weight is None else np.asarray(block.weight, float)
    stored = np.diff(X.indptr)
    feature, amount = np.repeat(np.arange(d), stored), weight[X.indices]
    rest = np.where(stored < block.n_rows, weight.sum() - np.bincount(feature, amount, d), 0.0)
    values, feature = np.concatenate([X.data, np.zeros(d)]), np.concatenate([feature, np.arange(d)])
    return _in_order(values, np.concatenate([amount, rest]), feature, d)


def _in_order(values: np.ndarray, amounts: np.ndarray, feature: np.ndarray, d: int) -> Any:
    order = np.lexsort((values, feature))
    return values[order].astype(np.float64), amounts[order], _ends(np.bincount(feature, minlength=d))


def _brackets(found: Ranked, left: np.ndarray, need: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the brackets, from and to which value, in which the quantiles of the features that are left lie."""
    number = np.diff(found.offsets)
    mask = np.repeat(np.isin(np.arange(len(number)), left), number)
    low, high = np.empty(need[left].size), np.empty(need[left].size)
    brackets = np.zeros(len(left) + 1, np.int64)
    items = found.items[:, mask]
    n = quantiles.brackets_of(_ends(number[left]), *items, need[left], low, high, brackets)
    return low[:n], high[:n], brackets


def _needs(found: Ranked, bins: int) -> np.ndarray:
    """Return the count or weight at which each quantile of each feature is reached."""
    k, some = np.arange(1, bins), np.diff(found.offsets) > 0
    total = np.zeros(len(some))
    total[some] = found.items[1, found.offsets[1:][some] - 1]
    if found.weighted:
        return (k / bins - WEIGHT_TOLERANCE) * total[:, None]
    return ((k * total[:, None].astype(np.int64) + bins - 1) // bins).astype(np.float64)


def _ends(number: np.ndarray) -> np.ndarray:
    return np.concatenate([[0], np.cumsum(number)]).astype(np.int64)

"""Joint tables of every feature with an anchor: which way to count, on which runner, and the sums that follow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from fewer.core.criteria.level_bits import LevelBits, masks_of, sizes_of
from fewer.core.kernels import contingency, joint_cells
from fewer.core.measures.count_logs import CountLogs, SumLogs
from fewer.core.measures.joint_terms import JointTerms
from fewer.core.measures.running_sums import WholeSum
from fewer.core.summaries.counts import PairCounts, TargetCounts, joint_ids
from fewer.core.summaries.results import Counts
from fewer.core.views.view import View
from fewer.core.views.weights import WeightGrid

# Nanoseconds, measured with benchmarks/counting.py; only their ratios matter.
PLANE_CELL, PLANE_ROW = 2.5, 0.0018  # one cell of a table from bit planes: start, and per row
LANE_ROW, LANE_CELL = 0.022, 1.2  # lanes: one level of one row, and one cell of a table
# Beyond this total weight logarithms are taken one by one rather than from a table.
MOST_WEIGHT = 2**24
# Features with more levels than this are counted one by one; planes of more than this on average need too much memory.
MOST_LANES, MOST_PLANES = 64, 12
# A list of candidates shorter than this fraction of the packed ones is packed again.
REPACK = 0.5
TILE_BYTES = 2**24
# What features share with anchors is kept up to so many bytes.
REMEMBERED_BYTES = 2**28
# So many sums at once where there are several anchors: one call serves many, and few are held.
SUMS_AT_ONCE = 2**20


class JointSums:
    """Sums of n ln n for all features of a codes view; made once per view and shared by criteria.

    Counts of rows, or of the unit that all weights are multiples of, are summed in whole numbers: by `CountLogs`, or
    by `SumLogs` where they are too large for a table.
    """

    def __init__(self, view: View) -> None:
        self.view = view
        self.n_classes = max(view.n_classes, 1)
        counts = view.fold(TargetCounts(view.n_classes))
        unweighted = counts.table.dtype.kind == "i"
        # Rows at hand are counted here, by way of no tables, unless the runner counts elsewhere: on a device.
        self.fast = unweighted and view.kind == "codes" and not view.is_asked(TargetCounts(view.n_classes))
        self.grid = WeightGrid() if unweighted else view.weights or WeightGrid.of(view.whole().weight)
        totals = self.numbers(counts.of(0)).sum(axis=0)
        self.counted = int(totals.sum())
        self.tabled = unweighted or self.counted < MOST_WEIGHT
        self.rows = self.counted * self.grid.unit
        self.total: Any = self.logs(totals.sum())
        self.feature, self.feature_classes = self._from_counts(counts, self.n_classes)
        self.classes: Any = self.logs(totals).sum()
        self.relevance_sum = np.maximum(self.total + self.feature_classes - self.feature - self.classes, 0)
        self.relevance = self.relevance_sum / self.unit
        # What every feature shares with an anchor. Why features were dropped asks for it again.
        self._remembered: dict[int, np.ndarray] = {}
        self._some_only = False

    @classmethod
    def of(cls, view: View) -> JointSums:
        """Return the sums of a view, made when first asked for."""
        if "joint sums" not in view._memo:
            view._memo["joint sums"] = cls(view)
        return view._memo["joint sums"]

    @cached_property
    def _logs(self) -> CountLogs | SumLogs:
        return CountLogs.up_to(self.counted) if self.tabled else SumLogs.up_to(self.counted)

    @property
    def xlogx(self) -> np.ndarray:
        """T(x) = x ln x for whole numbers up to the number of rows, in whole numbers, where they are in a table."""
        return self._logs.terms  # type: ignore[union-attr]

    @property
    def unit(self) -> float:
        """What makes one nat per row."""
        return self._logs.scale * self.counted

    def numbers(self, table: np.ndarray) -> np.ndarray:
        """Return counts, or sums of weights, in whole numbers."""
        return table if table.dtype.kind == "i" else self.grid.multiples(table)

    def logs(self, counts: Any) -> Any:
        """T of counts."""
        return self._logs.of(counts)

    def running_sum(self) -> WholeSum:
        """Return a sum per feature, of nothing yet, for what is added over the chosen features."""
        return WholeSum(self.view.n_features)

    def nats(self, sums: Any) -> Any:
        """Return sums as nats per row; what rounding left below 0 becomes 0."""
        return np.maximum(sums, 0) / self.unit

    def entropy_of(self, sums: Any) -> Any:
        """Return the entropy that follows from a sum of T over one table."""
        return self.nats(self.total - sums)

    def with_feature(self, j: int) -> JointTerms:
        """Return the terms of every feature with feature ``j`` as anchor."""
        if self.fast:
            pair, triple = self._counted_with(j)
            groups = self.numbers(self.view.fold(TargetCounts(self.view.n_classes)).of(j))
        else:
            pair, triple, groups = self._from_tables(j, self.n_classes)
        terms = self._with_sums(groups.reshape(-1, self.n_classes), pair, triple)
        self._remember(j, terms.redundancy_sum)
        return terms

    def with_features(self, subset: Sequence[int]) -> JointTerms:
        """Return the terms of every feature with several features together as anchor; rows must be in memory."""
        ids, first_row = self._joined(subset)
        return self._terms(ids, len(first_row))

    def tells_all(self, subset: Sequence[int]) -> bool:
        """Return whether the chosen features leave no doubt about the class of any row they were learnt from."""
        ids, first_row = self._joined(subset)
        return bool((self._block.y == self._block.y[first_row][ids]).all())

    def redundancy_with(self, j: int) -> np.ndarray:
        """Return I(f; j) of every feature in nats."""
        return self.redundancy_sum_with(j) / self.unit

    def redundancy_sum_with(self, j: int) -> np.ndarray:
        """Return I(f; j) in the unit of the sums; cheaper than all terms, because the classes do not matter."""
        if j in self._remembered:
            return self._remembered[j]
        if not self.fast:
            pair = self._from_tables(j, 1)[0]
        else:
            pair = self._pairs_with([j])[0]
        return self._remember(j, np.maximum(self.total + pair - self.feature - self.feature[j], 0))

    def _remember(self, j: int, shared: np.ndarray) -> np.ndarray:
        """Keep what all features share with an anchor, while there is room."""
        if not self._some_only and 8 * len(shared) * (len(self._remembered) + 1) <= REMEMBERED_BYTES:
            self._remembered[j] = shared
        return shared

    def redundancy_of(self, candidates: np.ndarray, j: int) -> np.ndarray:
        """Return I(f; j) of the listed features, in the order of the list; only they are counted."""
        return self.among(candidates).redundancy_with(j)[candidates]

    def redundancies_of(
        self, candidates: np.ndarray, anchors: Sequence[int]
    ) -> Iterator[tuple[Sequence[int], np.ndarray]]:
        """Give some of the anchors and I(f; s) in nats, anchors by listed features; only these are counted."""
        narrow, step = self.among(candidates), max(1, SUMS_AT_ONCE // max(1, self.view.n_features))
        for some in (anchors[k : k + step] for k in range(0, len(anchors), step)):
            if all(s in self._remembered for s in some):
                yield some, np.array([self._remembered[s][candidates] for s in some]) / self.unit
            elif self.fast:
                pairs = narrow._pairs_with(some)[:, candidates]
                shared = self.total + pairs - self.feature[candidates] - self.feature[some][:, None]
                yield some, np.maximum(shared, 0) / self.unit
            else:
                yield some, np.array([narrow.redundancy_with(s)[candidates] for s in some])

    def _pairs_with(self, anchors: Sequence[int]) -> np.ndarray:
        """Return the sums of all features with each anchor, anchors by features; codes are in memory."""
        if len(self._many) or not all(self._planes_pay(self._levels(s)) for s in anchors):
            keys = (self._block.column(s).astype(np.int64) for s in anchors)
            return np.array([self._counted(k, self._levels(s), 1)[0] for s, k in zip(anchors, keys, strict=True)])
        pairs = np.zeros((len(anchors), self.view.n_features), np.int64)
        pairs[:, self._few] = self._plane_sums(*self.bits.of(anchors), 1)[0]
        return pairs

    def terms_of(self, candidates: np.ndarray, j: int) -> JointTerms:
        """Return the terms of the listed features with feature ``j`` as anchor; only they are counted."""
        terms = self.among(candidates).with_feature(j)
        chosen = ("feature", "feature_classes", "pair", "triple")
        return replace(terms, **{name: getattr(terms, name)[candidates] for name in chosen})

    def among(self, candidates: np.ndarray) -> JointSums:
        """Return sums that count few features beside the candidates; entries of the others mean nothing."""
        if not self.fast:
            return self
        narrow = vars(self).get("_narrow", self)
        n_listed = len(narrow._few) + len(narrow._many)
        listed = np.zeros(self.view.n_features, bool)
        listed[narrow._few] = listed[narrow._many] = True
        # Another list costs nothing, except that tiles of codes are packed again: that must pay.
        if "_tiles" in vars(narrow) and len(candidates) > REPACK * n_listed and listed[candidates].all():
            return narrow
        listed[:] = False
        listed[candidates] = True
        narrow = copy(self)
        narrow._some_only = True
        vars(narrow).pop("_tiles", None)
        vars(narrow).pop("_narrow", None)
        narrow._few, narrow._many = self._few[listed[self._few]], self._many[listed[self._many]]
        self._narrow = narrow
        return narrow

    def _joined(self, subset: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
        block = self.view.whole()
        return joint_ids([block.column(j) for j in subset], [self._levels(j) for j in subset], block.n_rows)

    def _levels(self, j: int) -> int:
        return int(np.asarray(self.view.n_levels)[j])

    def _terms(self, anchor: np.ndarray, n_anchor: int) -> JointTerms:
        y = self.view.whole().y if self.view.n_classes else np.zeros(len(anchor), np.int64)
        keys = anchor * self.n_classes + y
        pair, triple = self._counted(keys, n_anchor, self.n_classes)
        table = np.bincount(keys, minlength=n_anchor * self.n_classes).reshape(-1, self.n_classes)
        return self._with_sums(table, pair, triple)

    def _with_sums(self, table: np.ndarray, pair: np.ndarray, triple: np.ndarray) -> JointTerms:
        anchor, both = self.logs(table.sum(axis=1)).sum(), self.logs(table).sum()
        return JointTerms(
            self.unit, self.total, self.feature, self.feature_classes, anchor, both, self.classes, pair, triple
        )

    def _from_tables(self, j: int, n_classes: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the sums by way of stored tables, and the groups: for streams, clusters, weights and sparse codes.

        With one class for all rows the tables are as much smaller, and so is what a cluster moves.
        """
        summary, view = PairCounts(j, n_classes if n_classes > 1 else 0), self.view
        if view.is_asked(summary):
            counts = view.run.fold(summary, view.blocks)
            return *self._from_counts(counts, n_classes), self.numbers(counts.of(0)).sum(axis=0)
        block = view.whole()

        def work(start: int, stop: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
            counts = summary.tile(block, start, stop)
            return *self._from_counts(counts, n_classes), self.numbers(counts.of(0)).sum(axis=0)

        step = max(1, TILE_BYTES // max(1, summary.bytes_per_feature(block)))
        parts = view.run.scan(work, view.n_features, step)
        return np.concatenate([p[0] for p in parts]), np.concatenate([p[1] for p in parts]), parts[0][2]

    def _from_counts(self, counts: Counts, n_classes: int) -> tuple[np.ndarray, np.ndarray]:
        table = self.numbers(counts.table)
        if self.tabled:
            pair, triple = np.zeros(counts.n_features, np.int64), np.zeros(counts.n_features, np.int64)
            joint_cells.table_sums(table, counts.offsets, n_classes, self.xlogx, pair, triple)
            return pair, triple
        groups = table.reshape(len(table), -1, n_classes).sum(axis=2)
        return counts.per_feature(self.logs(groups).sum(axis=1)), counts.per_feature(self.logs(table).sum(axis=1))

    def _counted_with(self, j: int) -> tuple[np.ndarray, np.ndarray]:
        """Count every feature against one feature and the classes; planes that are there are masks already."""
        if len(self._many) or not self._planes_pay(self._levels(j) * self.n_classes):
            keys = self._block.column(j).astype(np.int64)
            keys = keys * self.n_classes + self._block.y if self.view.n_classes else keys
            return self._counted(keys, self._levels(j), self.n_classes)
        masks = self.bits.with_classes(j) if self.view.n_classes else self.bits.of([j])[0]
        pair, triple = np.zeros(self.view.n_features, np.int64), np.zeros(self.view.n_features, np.int64)
        sums = self._plane_sums(masks, np.array([0, len(masks)]), self.n_classes)
        pair[self._few], triple[self._few] = sums[0][0], sums[1][0]
        return pair, triple

    def _counted(self, keys: np.ndarray, n_anchor: int, n_classes: int) -> tuple[np.ndarray, np.ndarray]:
        """Count every feature against the groups, each feature in the way that is cheapest for its levels."""
        d, n_groups = self.view.n_features, n_anchor * n_classes
        pair, triple = np.zeros(d, np.int64), np.zeros(d, np.int64)
        if len(self._few):
            count = self._by_planes if self._planes_pay(n_groups) else self._by_lanes
            pair[self._few], triple[self._few] = count(keys, n_groups, n_classes)
        if len(self._many):
            pair[self._many], triple[self._many] = self._by_columns(keys, n_groups, n_classes)
        return pair, triple

    def _planes_pay(self, n_groups: int) -> bool:
        n = self.view.n_rows
        return self.planes_fit and n_groups * (PLANE_CELL + PLANE_ROW * n) < LANE_ROW * n + LANE_CELL * n_groups

    @cached_property
    def _few(self) -> np.ndarray:
        """Features with few levels, those of like number together, so that lanes of a tile have equal work."""
        levels = np.asarray(self.view.n_levels)
        few = np.flatnonzero(levels <= MOST_LANES) if self._block.rows.dtype.itemsize == 1 else np.empty(0, np.int64)
        return few[np.argsort(levels[few], kind="stable")]

    @cached_property
    def _many(self) -> np.ndarray:
        others = np.ones(self.view.n_features, bool)
        others[self._few] = False
        return np.flatnonzero(others)

    @cached_property
    def _block(self) -> Any:
        return self.view.whole()

    @cached_property
    def planes_fit(self) -> bool:
        """Whether bit planes of all features take at most about one and a half bytes per code."""
        return float(np.mean(np.asarray(self.view.n_levels))) <= MOST_PLANES

    @cached_property
    def _tiles(self) -> tuple[np.ndarray, np.ndarray]:
        """The codes of few levels in tiles of lanes, and the most levels in each tile."""
        n_tiles = -(-len(self._few) // joint_cells.LANES)
        tiles = np.zeros((n_tiles, self._block.n_rows, joint_cells.LANES), np.uint8)
        joint_cells.pack_tiles(self._block.rows, self._few, tiles)
        levels = np.asarray(self.view.n_levels)[self._few]
        most = [int(levels[t * joint_cells.LANES : (t + 1) * joint_cells.LANES].max()) for t in range(n_tiles)]
        return tiles, np.array(most, np.int64)

    @cached_property
    def bits(self) -> LevelBits:
        """Which rows hold each level."""
        return LevelBits(self.view)

    def _by_lanes(self, keys: np.ndarray, n_groups: int, n_classes: int) -> tuple[np.ndarray, np.ndarray]:
        tiles, levels = self._tiles
        order, bounds = _grouped(keys, n_groups)
        pair, triple = (
            np.empty(len(tiles) * joint_cells.LANES, np.int64),
            np.empty(len(tiles) * joint_cells.LANES, np.int64),
        )

        def work(first: int, last: int) -> None:
            joint_cells.lane_sums(tiles, levels, order, bounds, n_classes, self.xlogx, first, last, pair, triple)

        self.view.run.scan(work, len(tiles), 1)
        return pair[: len(self._few)], triple[: len(self._few)]

    def _by_planes(self, keys: np.ndarray, n_groups: int, n_classes: int) -> tuple[np.ndarray, np.ndarray]:
        pair, triple = self._plane_sums(masks_of(keys, n_groups), np.array([0, n_groups]), n_classes)
        return pair[0], triple[0]

    def _plane_sums(self, masks: np.ndarray, starts: np.ndarray, n_classes: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the sums of the features with few levels, one row per anchor; starts says where its groups begin."""
        planes, ends, few, sizes = self.bits.planes, self.bits.ends, self._few, sizes_of(masks)
        shape = len(starts) - 1, len(few)
        pair, triple = np.empty(shape, np.int64), np.empty(shape, np.int64)

        def work(first: int, last: int) -> None:
            joint_cells.plane_sums(
                planes, ends, few, masks, sizes, starts, n_classes, self.xlogx, first, last, pair, triple
            )

        self.view.run.scan(work, len(few), 512)
        return pair, triple

    def _by_columns(self, keys: np.ndarray, n_groups: int, n_classes: int) -> tuple[np.ndarray, np.ndarray]:
        order, bounds = _grouped(keys, n_groups)
        columns, many, levels = self._block.columns, self._many, np.asarray(self.view.n_levels)
        pair, triple = np.empty(len(many), np.int64), np.empty(len(many), np.int64)

        def work(first: int, last: int) -> None:
            joint_cells.column_sums(
                columns, many, levels, order, bounds, n_classes, self.xlogx, first, last, pair, triple
            )

        self.view.run.scan(work, len(many), 64)
        return pair, triple


def _grouped(keys: np.ndarray, n_groups: int) -> tuple[np.ndarray, np.ndarray]:
    order, bounds = np.empty(len(keys), np.int64), np.empty(n_groups + 1, np.int64)
    contingency.group_rows(keys, n_groups, order, bounds)
    return order, bounds

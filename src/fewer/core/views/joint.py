"""Joint tables of every feature with an anchor: which way to count, on which runner, and the sums that follow."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from scipy.special import xlogy

from fewer.core.kernels import bits, contingency, joint, lazy
from fewer.core.measures.joint import JointTerms
from fewer.core.summaries.counts import PairCounts, TargetCounts, joint_ids
from fewer.core.summaries.results import Counts
from fewer.core.views.view import View

# Nanoseconds, measured with benchmarks/counting.py; only their ratios matter.
PLANE_CELL, PLANE_ROW = 2.5, 0.0018  # one cell of a table from bit planes: start, and per row
LANE_ROW, LANE_CELL = 0.022, 1.2  # lanes: one level of one row, and one cell of a table
# Features with more levels than this are counted one by one.
MOST_LANES = 64


class JointSums:
    """Sums of n ln n for all features of a codes view; made once per view and shared by criteria."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.n_classes = max(view.n_classes, 1)
        counts = view.fold(TargetCounts(view.n_classes))
        unweighted = counts.table.dtype.kind == "i"
        # Whole weights are counted like repeated rows, by the same table of logarithms, so that ties stay ties.
        self.whole = unweighted or bool((counts.table == np.floor(counts.table)).all())
        self.fast = unweighted and view.run.in_memory and view.kind == "codes"
        totals = self._numbers(counts.of(0)).sum(axis=0)
        self.rows = float(totals.sum())
        self.feature, self.feature_classes = self._from_counts(counts)
        self.classes = float(self.logs(totals).sum())
        log_n = np.log(self.rows)
        information = log_n + (self.feature_classes - self.feature - self.classes) / self.rows
        self.relevance = np.maximum(information, 0.0)

    @classmethod
    def of(cls, view: View) -> JointSums:
        """Return the sums of a view, made when first asked for."""
        if "joint sums" not in view._memo:
            view._memo["joint sums"] = cls(view)
        return view._memo["joint sums"]

    @cached_property
    def xlogx(self) -> np.ndarray:
        """T(x) = x ln x for whole numbers up to the number of rows."""
        x = np.arange(int(self.rows) + 1, dtype=np.float64)
        return xlogy(x, x)

    def _numbers(self, table: np.ndarray) -> np.ndarray:
        return table.astype(np.int64, copy=False) if self.whole else table

    def logs(self, counts: np.ndarray) -> np.ndarray:
        """T of counts."""
        return self.xlogx[counts] if self.whole else xlogy(counts, counts)

    def with_feature(self, j: int) -> JointTerms:
        """Return the terms of every feature with feature ``j`` as anchor."""
        if self.fast:
            block = self.view.whole()
            return self._terms(block.column(j).astype(np.int64), int(self.view.n_levels[j]))  # type: ignore[index]
        counts = self.view.fold(PairCounts(j, self.n_classes))
        self.view._memo.pop(PairCounts(j, self.n_classes), None)
        pair, triple = self._from_counts(counts)
        groups = self._numbers(counts.of(0)).sum(axis=0)
        return self._with_sums(groups.reshape(-1, self.n_classes), pair, triple)

    def with_features(self, subset: Sequence[int]) -> JointTerms:
        """Return the terms of every feature with several features together as anchor; rows must be in memory."""
        block = self.view.whole()
        columns = [block.column(j) for j in subset]
        ids, first_row = joint_ids(columns, [int(self.view.n_levels[j]) for j in subset], block.n_rows)  # type: ignore[index]
        return self._terms(ids, len(first_row))

    def tells_all(self, subset: Sequence[int]) -> bool:
        """Return whether the chosen features leave no doubt about the class of any row they were learnt from."""
        block = self.view.whole()
        columns = [block.column(j) for j in subset]
        ids, first_row = joint_ids(columns, [int(self.view.n_levels[j]) for j in subset], block.n_rows)  # type: ignore[index]
        return bool((block.y == block.y[first_row][ids]).all())

    def redundancy_with(self, j: int) -> np.ndarray:
        """Return I(f; j) of every feature; cheaper than all terms, because the classes do not matter."""
        if not self.fast:
            return self.with_feature(j).redundancy
        column = self.view.whole().column(j).astype(np.int64)
        sums = self._counted(column, int(self.view.n_levels[j]), 1)[0]  # type: ignore[index]
        information = np.log(self.rows) + (sums - self.feature - self.feature[j]) / self.rows
        return np.maximum(information, 0.0)

    def _terms(self, anchor: np.ndarray, n_anchor: int) -> JointTerms:
        y = self.view.whole().y if self.view.n_classes else np.zeros(len(anchor), np.int64)
        keys = anchor * self.n_classes + y
        pair, triple = self._counted(keys, n_anchor, self.n_classes)
        table = np.bincount(keys, minlength=n_anchor * self.n_classes).reshape(-1, self.n_classes)
        return self._with_sums(table, pair, triple)

    def _with_sums(self, table: np.ndarray, pair: np.ndarray, triple: np.ndarray) -> JointTerms:
        anchor, both = float(self.logs(table.sum(axis=1)).sum()), float(self.logs(table).sum())
        return JointTerms(self.rows, self.feature, anchor, both, self.classes, self.relevance, pair, triple)

    def _from_counts(self, counts: Counts) -> tuple[np.ndarray, np.ndarray]:
        pair, triple = np.zeros(counts.n_features), np.zeros(counts.n_features)
        if self.whole:
            joint.table_sums(self._numbers(counts.table), counts.offsets, self.n_classes, self.xlogx, pair, triple)
            return pair, triple
        triple = counts.per_feature(xlogy(counts.table, counts.table).sum(axis=1))
        groups = counts.table.reshape(len(counts.table), -1, self.n_classes).sum(axis=2)
        return counts.per_feature(xlogy(groups, groups).sum(axis=1)), triple

    def _counted(self, keys: np.ndarray, n_anchor: int, n_classes: int) -> tuple[np.ndarray, np.ndarray]:
        """Count every feature against the groups, each feature in the way that is cheapest for its levels."""
        d, n_groups = self.view.n_features, n_anchor * n_classes
        pair, triple = np.empty(d), np.empty(d)
        if len(self._few):
            n = self.view.n_rows
            planes = n_groups * (PLANE_CELL + PLANE_ROW * n)
            by_planes = planes < LANE_ROW * n + LANE_CELL * n_groups
            count = self._by_planes if by_planes else self._by_lanes
            pair[self._few], triple[self._few] = count(keys, n_groups, n_classes)
        if len(self._many):
            pair[self._many], triple[self._many] = self._by_columns(keys, n_groups, n_classes)
        return pair, triple

    @cached_property
    def _few(self) -> np.ndarray:
        """Features with few levels, those of like number together, so that lanes of a tile have equal work."""
        levels = np.asarray(self.view.n_levels)
        few = np.flatnonzero(levels <= MOST_LANES) if self._block.rows.dtype.itemsize == 1 else np.empty(0, np.int64)
        return few[np.argsort(levels[few], kind="stable")]

    @cached_property
    def _many(self) -> np.ndarray:
        return np.setdiff1d(np.arange(self.view.n_features), self._few)

    @cached_property
    def _block(self) -> Any:
        return self.view.whole()

    @cached_property
    def _tiles(self) -> tuple[np.ndarray, np.ndarray]:
        """The codes of few levels in tiles of lanes, and the most levels in each tile."""
        n_tiles = -(-len(self._few) // joint.LANES)
        tiles = np.zeros((n_tiles, self._block.n_rows, joint.LANES), np.uint8)
        joint.pack_tiles(self._block.rows, self._few, tiles)
        levels = np.asarray(self.view.n_levels)[self._few]
        most = [int(levels[t * joint.LANES : (t + 1) * joint.LANES].max()) for t in range(n_tiles)]
        return tiles, np.array(most, np.int64)

    @cached_property
    def ends(self) -> np.ndarray:
        """Where the levels of every feature begin among all levels."""
        return np.concatenate([[0], np.cumsum(np.asarray(self.view.n_levels))]).astype(np.int64)

    def _by_lanes(self, keys: np.ndarray, n_groups: int, n_classes: int) -> tuple[np.ndarray, np.ndarray]:
        tiles, levels = self._tiles
        order, bounds = np.empty(len(keys), np.int64), np.empty(n_groups + 1, np.int64)
        contingency.group_rows(keys, n_groups, order, bounds)
        pair, triple = np.empty(len(tiles) * joint.LANES), np.empty(len(tiles) * joint.LANES)

        def work(first: int, last: int) -> None:
            joint.lane_sums(tiles, levels, order, bounds, n_classes, self.xlogx, first, last, pair, triple)

        self.view.run.scan(work, len(tiles), 1)
        return pair[: len(self._few)], triple[: len(self._few)]

    def masks_of(self, keys: np.ndarray, n_groups: int) -> tuple[np.ndarray, np.ndarray]:
        """Return a bit mask and the number of rows per group."""
        masks = np.zeros((n_groups, (len(keys) + 63) // 64), np.uint64)
        bits.pack_planes(keys[None, :], np.array([0, n_groups]), 0, 1, masks)
        return masks, np.bincount(keys, minlength=n_groups)

    def _by_planes(self, keys: np.ndarray, n_groups: int, n_classes: int) -> tuple[np.ndarray, np.ndarray]:
        masks, sizes = self.masks_of(keys, n_groups)
        pair, triple = np.empty(len(self._few)), np.empty(len(self._few))
        planes, ends, few = self._block.planes, self.ends, self._few

        def work(first: int, last: int) -> None:
            joint.plane_sums(planes, ends, few, masks, sizes, n_classes, self.xlogx, first, last, pair, triple)

        self.view.run.scan(work, len(few), 512)
        return pair, triple

    def _by_columns(self, keys: np.ndarray, n_groups: int, n_classes: int) -> tuple[np.ndarray, np.ndarray]:
        pair, triple = np.empty(len(self._many)), np.empty(len(self._many))
        columns, many, levels = self._block.columns, self._many, np.asarray(self.view.n_levels)

        def work(first: int, last: int) -> None:
            joint.column_sums(columns, many, levels, keys, n_groups, n_classes, self.xlogx, first, last, pair, triple)

        self.view.run.scan(work, len(many), 64)
        return pair, triple

    @property
    def lazy(self) -> bool:
        """Whether single tables can be looked at cheaply: few levels, in memory."""
        return self.fast and len(self._many) == 0


class LazyMinimum:
    """Bounds of a minimum over anchors, lowered only as far as needed to find the best candidate."""

    def __init__(self, sums: JointSums, kind: int, bounds: np.ndarray) -> None:
        self.sums, self.kind, self.bounds = sums, kind, bounds
        d = sums.view.n_features
        self.seen, self.partner = np.zeros(d, np.int64), np.full(d, -1, np.int64)
        self.anchors: list[float] = []
        self._masks: list[np.ndarray] = []
        self._sizes: list[np.ndarray] = []

    def add(self, j: int) -> None:
        """Make feature ``j`` the next anchor."""
        sums, block = self.sums, self.sums._block
        levels, n_classes = int(sums.view.n_levels[j]), sums.n_classes  # type: ignore[index]
        keys = block.column(j).astype(np.int64) * n_classes + block.y
        masks, sizes = sums.masks_of(keys, levels * n_classes)
        self._masks.append(masks)
        self._sizes.append(sizes)
        self.anchors.append(float(sums.relevance[j]))

    def refine(self, candidates: np.ndarray) -> int:
        """Lower the bounds of the candidates, given best bound first; return the number of tables looked at."""
        sums = self.sums
        starts = np.concatenate([[0], np.cumsum([len(sizes) for sizes in self._sizes])]).astype(np.int64)
        return lazy.refine_minimum(
            candidates, sums._block.planes, sums.ends, np.concatenate(self._masks), np.concatenate(self._sizes), starts,
            sums.n_classes, sums.xlogx, sums.rows, sums.classes, np.array(self.anchors), self.kind, self.bounds,
            self.seen, self.partner,
        )  # fmt: skip

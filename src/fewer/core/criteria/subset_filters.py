"""Subset criteria without an estimator: consistency, information with the class."""

from __future__ import annotations

import numpy as np

from fewer.core.criteria.joint_sums import JointSums
from fewer.core.criteria.shapes import Columns, SubsetScore, outside, sorted_members
from fewer.core.kernels import alike
from fewer.core.kernels.contingency import group_rows
from fewer.core.measures._tables import ratio
from fewer.core.measures.consistency import inconsistency_rate
from fewer.core.summaries.counts import SubsetCounts, joint_ids
from fewer.core.views.view import View

FEATURES_AT_ONCE = 32


class Agreement(SubsetScore):
    """The fraction of rows in the most frequent class of those alike: 1 - the inconsistency rate. Monotone."""

    requires = ("codes",)
    monotone = True

    def value(self, view: View, subset: Columns) -> float:
        """Return the fraction for a subset; for none that of the most frequent class."""
        members = tuple(sorted_members(subset).tolist())
        # Not through the view's memory, which would keep the tables of all subsets that a search visits.
        return 1.0 - inconsistency_rate(view.run.fold(SubsetCounts(members, view.n_classes), view.blocks))

    def values_added(self, view: View, subset: Columns, candidates: Columns) -> np.ndarray:
        """Return the fraction with each of the candidates: groups of rows alike are cut by one more feature."""
        members, candidates = outside(subset, candidates)
        block = view.whole()
        ids, first_row = joint_ids([block.column(j) for j in members], block.n_levels[members].tolist(), block.n_rows)
        rows, bounds = np.empty(len(ids), np.int64), np.empty(max(len(first_row), 1) + 1, np.int64)
        group_rows(ids, len(bounds) - 1, rows, bounds)
        weight = np.ones(block.n_rows, np.int64) if block.weight is None else block.weight
        weights, classes, total = weight[rows], block.y[rows], weight.sum()

        def work(start: int, stop: int) -> np.ndarray:
            some = candidates[start:stop]
            columns = np.stack([block.column(j) for j in some])
            out = np.zeros(len(some), weight.dtype)
            levels = np.ascontiguousarray(block.n_levels[some])
            alike.rows_right(columns, levels, rows, bounds, classes, weights, view.n_classes, 0, len(some), out)
            return out

        if not len(candidates):
            return np.empty(0)
        right = np.concatenate(view.run.scan(work, len(candidates), FEATURES_AT_ONCE))
        # The same two steps as for a single subset, so that the numbers are the same to the last bit.
        return 1.0 - ratio((total - right).astype(float), float(total))


class Information(SubsetScore):
    """The mutual information of a subset, taken as one variable, with the class, in nats. Monotone.

    Estimated by counting, it rises to the entropy of the class as soon as no two rows look alike: few features with few
    levels, or many rows.
    """

    requires = ("codes",)
    monotone = True

    def value(self, view: View, subset: Columns) -> float:
        """Return I(subset; class); 0 for none."""
        members, sums = sorted_members(subset), JointSums.of(view)
        if sums.fast:
            return float(sums.with_features(members.tolist()).anchor_relevance) if len(members) else 0.0
        counts = view.run.fold(SubsetCounts(tuple(members.tolist()), view.n_classes), view.blocks)
        table = sums.numbers(counts.table)
        cells, groups = sums.logs(table).sum(), sums.logs(table.sum(axis=1)).sum()
        return float(sums.nats(sums.total + cells - groups - sums.classes))

    def values_added(self, view: View, subset: Columns, candidates: Columns) -> np.ndarray:
        """Return I(subset, candidate; class)."""
        members, candidates = outside(subset, candidates)
        sums = JointSums.of(view)
        if not len(members):
            return sums.relevance[candidates]
        if not sums.fast:
            return super().values_added(view, members, candidates)
        return sums.among(candidates).with_features(members.tolist()).joint[candidates]

"""Subset criteria without an estimator: merit, consistency, information with the class."""

from __future__ import annotations

import numpy as np

from fewer.core.criteria.shapes import Columns, SubsetScore, inside, outside, sorted_members
from fewer.core.kernels import consistency
from fewer.core.kernels.contingency import group_rows
from fewer.core.measures._tables import ratio
from fewer.core.measures.consistency import inconsistency_rate
from fewer.core.summaries.counts import SubsetCounts, joint_ids
from fewer.core.views.joint import JointSums
from fewer.core.views.view import View

# Merits are rounded to this many decimals, so that round-off does not choose between features of equal merit.
DECIMALS = 12
FEATURES_AT_ONCE = 32
# Rows of the matrix of feature pairs that are remembered, in bytes.
REMEMBERED = 64 * 2**20


class Merit(SubsetScore):
    r"""The merit of correlation-based selection, :math:`k \bar r_{cf} / \sqrt{k + k (k - 1) \bar r_{ff}}`.

    r is the symmetrical uncertainty of a feature and the class, or of two features. No subset is worth 0. Not monotone.
    """

    requires = ("codes", "sparse codes")

    def value(self, view: View, subset: Columns) -> float:
        """Return the merit of a subset."""
        members = sorted_members(subset)
        return float(self._merits(view, members, np.zeros(1), np.zeros(1), len(members))[0])

    def values_added(self, view: View, subset: Columns, candidates: Columns) -> np.ndarray:
        """Return the merit with each of the candidates."""
        members, candidates = outside(subset, candidates)
        known = self.prepare(view)
        pairs = np.sum([known.row(int(j))[candidates] for j in members], axis=0) + np.zeros(len(candidates))
        return self._merits(view, members, known.with_classes[candidates], pairs, len(members) + 1)

    def values_removed(self, view: View, subset: Columns, candidates: Columns) -> np.ndarray:
        """Return the merit without each of the candidates."""
        members, candidates = inside(subset, candidates)
        known = self.prepare(view)
        # A feature is not a pair with itself.
        pairs = np.array([known.row(int(j))[members[members != j]].sum() for j in candidates])
        return self._merits(view, members, -known.with_classes[candidates], -pairs, len(members) - 1)

    def _merits(self, view: View, members: np.ndarray, classes: np.ndarray, pairs: np.ndarray, size: int) -> np.ndarray:
        """Return the merits when the sums over a subset change by so much."""
        known = self.prepare(view)
        among = sum(float(known.row(int(j))[members[k + 1 :]].sum()) for k, j in enumerate(members))
        above = known.with_classes[members].sum() + classes
        return np.round(ratio(above, np.sqrt(np.maximum(size + 2.0 * (among + pairs), 0.0))), DECIMALS)

    def _prepare(self, view: View) -> Uncertainties:
        return Uncertainties(view)


class Uncertainties:
    """Symmetrical uncertainties 2 I(A; B) / (H(A) + H(B)) of the features with the class and with each other."""

    def __init__(self, view: View) -> None:
        self.sums = JointSums.of(view)
        self.entropy = self.sums.entropy_of(self.sums.feature)
        class_entropy = float(self.sums.entropy_of(self.sums.classes))
        self.with_classes = self._of(self.sums.relevance, self.entropy + class_entropy)
        self._rows: dict[int, np.ndarray] = {}

    def row(self, j: int) -> np.ndarray:
        """Return the uncertainties of every feature with feature ``j``; the last rows are remembered."""
        if j not in self._rows:
            while self._rows and 8 * len(self.entropy) * (len(self._rows) + 1) > REMEMBERED:
                self._rows.pop(next(iter(self._rows)))
            self._rows[j] = self._of(self.sums.redundancy_with(j), self.entropy + self.entropy[j])
        return self._rows[j]

    def _of(self, information: np.ndarray, entropies: np.ndarray) -> np.ndarray:
        return np.minimum(ratio(2.0 * information, entropies), 1.0)


class Agreement(SubsetScore):
    """The share of rows in the most frequent class of those that look alike: 1 - the inconsistency rate. Monotone."""

    requires = ("codes",)
    monotone = True

    def value(self, view: View, subset: Columns) -> float:
        """Return the share for a subset; for none that of the most frequent class."""
        members = tuple(sorted_members(subset).tolist())
        # Not through the view's memory, which would keep the tables of all subsets that a search visits.
        return 1.0 - inconsistency_rate(view.run.fold(SubsetCounts(members, view.n_classes), view.blocks))

    def values_added(self, view: View, subset: Columns, candidates: Columns) -> np.ndarray:
        """Return the share with each of the candidates: groups of rows that look alike are cut by one more feature."""
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
            consistency.rows_right(columns, levels, rows, bounds, classes, weights, view.n_classes, 0, len(some), out)
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

"""Minima over anchors that look at no more tables than needed."""

from __future__ import annotations

import numpy as np

from fewer.core.criteria.joint_sums import JointSums
from fewer.core.kernels import lazy_tables


def can_be_lazy(sums: JointSums) -> bool:
    """Return whether single tables can be looked at cheaply: few levels, in memory, masks smaller than the codes."""
    if not (sums.fast and len(sums._many) == 0 and sums.planes_fit):
        return False
    most_groups = int(np.asarray(sums.view.n_levels).max()) * sums.n_classes
    return 4 * most_groups <= max(sums.view.n_features, 256)


class LazyMinimum:
    """Bounds of a minimum over anchors, lowered only as far as needed to find the best candidate."""

    def __init__(self, sums: JointSums, kind: int, bounds: np.ndarray) -> None:
        self.sums, self.kind, self.bounds = sums, kind, bounds
        self.seen = np.zeros(sums.view.n_features, np.int64)
        self._shifts: list[int] = []
        self._starts = [0]
        self._masks = np.empty((0, (sums.view.n_rows + 63) // 64), np.uint64)
        self._sizes = np.empty(0, np.int64)

    def add(self, j: int) -> None:
        """Make feature ``j`` the next anchor."""
        sums = self.sums
        self._append(*sums.anchor_masks(j, sums.n_classes))
        if self.kind == lazy_tables.CONDITIONAL:
            self._shifts.append(int(sums.feature[j] - sums.feature_classes[j]))
        else:
            self._shifts.append(int(sums.total - sums.classes))

    def _append(self, masks: np.ndarray, sizes: np.ndarray) -> None:
        used = self._starts[-1]
        if used + len(masks) > len(self._masks):
            # Grown by doubling: anchors come one by one, and each refinement reads all of them.
            room = max(2 * len(self._masks), used + len(masks))
            grown, grown_sizes = np.empty((room, self._masks.shape[1]), np.uint64), np.zeros(room, np.int64)
            grown[:used], grown_sizes[:used] = self._masks[:used], self._sizes[:used]
            self._masks, self._sizes = grown, grown_sizes
        self._masks[used : used + len(masks)], self._sizes[used : used + len(masks)] = masks, sizes
        self._starts.append(used + len(masks))

    def refine(self, candidates: np.ndarray) -> int:
        """Lower the bounds of the candidates, given best bound first; return the number of tables looked at."""
        sums = self.sums
        return lazy_tables.refine_minimum(
            candidates, sums.planes, sums.ends, self._masks, self._sizes, np.array(self._starts), sums.n_classes,
            sums.xlogx, sums.unit, int(sums.total), np.array(self._shifts), self.kind, self.bounds, self.seen,
        )  # fmt: skip

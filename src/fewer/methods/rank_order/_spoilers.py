"""Elimination by spoilers: the features that change sides most often between rows of one class."""

from __future__ import annotations

from typing import Any

import numpy as np

from fewer.core.kernels import row_orders as kernels
from fewer.core.summaries.pair_orders import OrderCounts
from fewer.core.views.view import View

ROWS_PER_TASK = 256


class MostInversions:
    r"""Remove the feature with the highest total spoiler count (Def. 9).

    Two rows of a class invert a pair of features if one has it in one order and the other in the opposite order,
    so :math:`tsp(i) = \sum_c \sum_j a_{ij}(c)\, a_{ji}(c)` over unordered pairs of rows, with
    :math:`a_{ij}(c)` rows of class c that have i before j. A removal subtracts one row of that table.
    """

    value = 0.0

    def start(self, view: View) -> None:
        """Count all inversions."""
        counts = view.fold(OrderCounts(view.n_classes))
        before = counts.before
        n = before.shape[1]
        most = int(((counts.rows // 2) * (counts.rows - counts.rows // 2)).sum())
        self.spoilers = np.zeros((n, n), next(t for t in (np.uint16, np.uint32, np.uint64) if most <= np.iinfo(t).max))

        def work(start: int, stop: int) -> None:
            kernels.pair_spoilers(before, start, stop, self.spoilers)

        view.run.scan(work, n, ROWS_PER_TASK)
        self.total = self.spoilers.sum(axis=1, dtype=np.int64)
        # Where nothing is ever above or below a feature, its order says nothing: such a feature leaves first.
        self.silent: Any = ~(before.any(axis=(0, 1)) | before.any(axis=(0, 2)))

    def worst(self, left: np.ndarray) -> int:
        """Return the feature with the most inversions."""
        silent = left[self.silent[left]]
        if len(silent):
            self.value = 0.0
            return int(silent[-1])
        at = len(left) - 1 - int(np.argmax(self.total[left][::-1]))
        self.value = float(self.total[left[at]])
        return int(left[at])

    def remove(self, feature: int) -> None:
        """Take the inversions with one feature away."""
        self.total -= self.spoilers[feature]

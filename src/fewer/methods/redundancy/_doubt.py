"""Rows whose class the chosen features do not settle yet."""

from __future__ import annotations

from typing import Any

import numpy as np

from fewer.core.kernels.alike import rows_right
from fewer.core.kernels.contingency import group_rows
from fewer.core.kernels.hashing import count_groups
from fewer.core.runners.runner import Runner
from fewer.core.summaries.counts import joint_ids

FEATURES_AT_ONCE = 32


class Doubt:
    """Rows in groups of more than one class; a feature that joins cuts the groups.

    Rows of pure groups stay right whatever joins, so they are only counted.

    Attributes
    ----------
    total : float
        Weight of all rows.
    settled : float
        Weight of the rows in pure groups.
    right : float
        Weight of the rows in the most frequent class of their group.
    """

    def __init__(self, block: Any, n_classes: int) -> None:
        self.block, self.n_classes = block, n_classes
        self.weight = np.ones(block.n_rows, np.int64) if block.weight is None else block.weight
        self.total, self.settled = float(self.weight.sum()), 0.0
        self._keep(np.flatnonzero(self.weight > 0), np.zeros(int((self.weight > 0).sum()), np.int64), 1)

    def __len__(self) -> int:
        return len(self.rows)

    def join(self, j: int) -> None:
        """Cut the groups by feature ``j``."""
        if not len(self):
            return
        groups = np.repeat(np.arange(len(self.bounds) - 1), np.diff(self.bounds))
        levels = [len(self.bounds) - 1, int(self.block.n_levels[j])]
        ids, first_row = joint_ids([groups, self.block.column(j)[self.rows]], levels, len(self))
        self._keep(self.rows, ids, len(first_row))

    def right_with_each(self, run: Runner) -> np.ndarray:
        """Return for every feature the weight of the rows that would be right if it joined."""
        block, d = self.block, self.block.n_features
        if not len(self):
            return np.full(d, self.settled)
        weight, classes = self.weight[self.rows], block.y[self.rows]

        def work(first: int, last: int) -> np.ndarray:
            columns = block.columns[first:last] if block.kind == "codes" else _dense(block, first, last)
            out = np.zeros(last - first, weight.dtype)
            rows_right(
                columns, block.n_levels, self.rows, self.bounds, classes, weight, self.n_classes, first, last, out
            )
            return out

        return self.settled + np.concatenate(run.scan(work, d, FEATURES_AT_ONCE))

    def _keep(self, rows: np.ndarray, ids: np.ndarray, n_groups: int) -> None:
        """Take over new groups; rows of pure ones are counted and left out."""
        table = np.zeros((n_groups, self.n_classes), self.weight.dtype)
        count_groups(ids, self.block.y[rows], self.weight[rows], table)
        pure = (table > 0).sum(axis=1) <= 1
        self.settled += float(table[pure].sum())
        self.right = self.settled + float(table[~pure].max(axis=1).sum()) if n_groups else self.settled
        doubtful = ~pure[ids]
        rows, ids = rows[doubtful], (np.cumsum(~pure) - 1)[ids[doubtful]]
        order, self.bounds = np.empty(len(rows), np.int64), np.empty(int((~pure).sum()) + 1, np.int64)
        group_rows(ids, len(self.bounds) - 1, order, self.bounds)
        self.rows = rows[order]


def _dense(block: Any, first: int, last: int) -> np.ndarray:
    return np.stack([block.column(j) for j in range(first, last)])

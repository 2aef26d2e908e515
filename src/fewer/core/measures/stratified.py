"""Tests of independence within strata: sums over tables of whole numbers that share the combinations they count."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import prod

import numpy as np

from fewer.core.measures.count_logs import CountLogs, SumLogs
from fewer.core.summaries.results import Counts
from fewer.core.summaries.strata import StrataCounts


@dataclass(frozen=True, eq=False)
class StrataTables:
    """Tables with what their columns say: columns of one stratum stand side by side, all of them have rows.

    Attributes
    ----------
    cells : ndarray of int64, shape (n_cells, n_given + 1)
        Combinations of levels of the given columns and, last, of the target, in ascending order.
    counts : Counts
        Rows of every level of every feature in every cell, or whole multiples of a unit of weight.
    """

    cells: np.ndarray
    counts: Counts

    @classmethod
    def of(cls, found: StrataCounts, table: np.ndarray) -> StrataTables:
        """Return the tables in whole numbers, without combinations that only rows of weight 0 have."""
        held = table[: found.counts.offsets[1]].sum(axis=0) > 0
        if not held.all():
            return cls(found.cells[held], Counts(table[:, held], found.counts.offsets))
        return cls(found.cells, Counts(table, found.counts.offsets))

    @cached_property
    def starts(self) -> np.ndarray:
        """The first column of every stratum."""
        new = (self.cells[1:, :-1] != self.cells[:-1, :-1]).any(axis=1)
        return np.concatenate([[0], np.flatnonzero(new) + 1])

    @cached_property
    def of_cells(self) -> np.ndarray:
        """Rows of every combination."""
        return self.counts.of(0).sum(axis=0)

    @cached_property
    def of_strata(self) -> np.ndarray:
        """Rows of every stratum."""
        return np.add.reduceat(self.of_cells, self.starts)

    @cached_property
    def levels_in_strata(self) -> np.ndarray:
        """Rows of every level of the features (lines) in every stratum."""
        return np.add.reduceat(self.counts.table, self.starts, axis=1)

    @property
    def target_levels(self) -> np.ndarray:
        """How many levels of the target occur in every stratum."""
        return np.diff(np.append(self.starts, len(self.cells)))

    @property
    def dof(self) -> np.ndarray:
        """Sum over the strata of (levels of the feature - 1)(levels of the target - 1), of those that occur there."""
        free = self.target_levels - 1
        return self.counts.per_feature((self.levels_in_strata > 0) @ free) - free.sum()

    @property
    def n_cells(self) -> np.ndarray:
        """Cells of the full tables: product of the numbers of levels of all columns, of those that occur at all."""
        return self.counts.occurring * prod(float(np.count_nonzero(np.bincount(column))) for column in self.cells.T)

    def likelihood_ratio(self, logs: CountLogs | SumLogs) -> np.ndarray:
        """G = 2 sum O ln(O n_z / (n_fz n_zt)), in whole numbers until the last step, so that equal ones are equal."""
        cells = self.counts.per_feature(logs.of(self.counts.table).sum(axis=1))
        levels = self.counts.per_feature(logs.of(self.levels_in_strata).sum(axis=1))
        sums = cells - levels - logs.of(self.of_cells).sum() + logs.of(self.of_strata).sum()
        return 2.0 * np.maximum(sums, 0) / logs.scale

    @cached_property
    def expected(self) -> np.ndarray:
        """E = n_fz n_zt / n_z of every cell, 0 where a level does not occur in a stratum."""
        return np.repeat(self.levels_in_strata / self.of_strata, self.target_levels, axis=1) * self.of_cells

    def chi_squared(self) -> np.ndarray:
        """Pearson's sum of (O - E)^2 / E over cells that can have rows, E = n_fz n_zt / n_z."""
        gap = (self.counts.table - self.expected) ** 2
        terms = np.divide(gap, self.expected, out=np.zeros(gap.shape), where=self.expected > 0)
        return self.counts.per_feature(terms.sum(axis=1))

    def expected_enough(self, unit: float) -> np.ndarray:
        """Whether no cell that can vary expects less than 1 row, and at most a fifth of them less than 5 (Cochran)."""
        levels = self.counts.per_feature((self.levels_in_strata > 0).astype(np.int64))
        # Where a feature or the target has one level in a stratum, nothing can vary.
        free = (levels > 1) & (self.target_levels > 1)
        free = np.repeat(np.repeat(free, np.diff(self.counts.offsets), axis=0), self.target_levels, axis=1)
        expected = np.where(free, self.expected * unit, 0.0)
        can, low = self._cells(expected > 0), self._cells((expected > 0) & (expected < 5.0))
        return (self._cells((expected > 0) & (expected < 1.0)) == 0) & (low <= can / 5.0)

    def _cells(self, wanted: np.ndarray) -> np.ndarray:
        return self.counts.per_feature(wanted.sum(axis=1))

"""The null distribution of one statistic of tables with given margins."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np
from scipy.special import gammaln

from fewer.core.kernels import exact_tables as kernels
from fewer.core.measures._pvalues import chi2_tail

# Tables that are listed one by one; cells of a grid, and how many additions it may cost; steps of rare levels.
MOST_TABLES, CELLS, MOST_WORK, MOST_STEPS = 20_000, 2048, 1e7, 5_000
# Statistics that differ by less than this fraction are equal.
SAME = 1e-9
# Largest fraction of the rows in rare levels for which the others are taken as many.
MOST_RARE = 0.2


class Steps(NamedTuple):
    """The ways to fill each level but the last, level after level."""

    starts: np.ndarray
    taken: np.ndarray
    log_weight: np.ndarray
    part: np.ndarray


@dataclass(frozen=True, eq=False)
class Null:
    """Tables with these margins, as likely as random permutations of the classes make them.

    The distribution of the statistic by three ways: tables listed one by one; summed up level by level on a grid of
    2,048 cells, which knows the statistic to about a thousandth; and, where rare levels (or rare classes) hold at most
    a fifth of the rows, these taken exactly and the others as chi-squared. Which of them, `table_tails` decides.

    Attributes
    ----------
    kind : int
        The statistic, of `kernels.exact_tables`.
    levels, classes : ndarray of int
        Totals above 0, ascending.
    transposed : bool
        Whether ``levels`` are those of the classes.
    """

    kind: int
    levels: np.ndarray
    classes: np.ndarray
    transposed: bool = False

    @property
    def n_rows(self) -> int:
        """Number of rows of the data."""
        return int(self.levels.sum())

    @cached_property
    def shares(self) -> np.ndarray:
        """Fractions of the classes."""
        return self.classes / self.n_rows

    def statistic(self, table: np.ndarray) -> float:
        """Return the statistic of a table of levels (rows) by classes."""
        rows, columns = table.sum(axis=1), table.sum(axis=0)
        expected = np.outer(rows, columns) / rows.sum()
        if self.kind == kernels.INFORMATION:
            # Without the terms expected - k, which cancel.
            return float((table * np.log(np.where(table > 0, table, 1) / np.where(table > 0, expected, 1))).sum())
        divisor = expected if self.kind == kernels.PEARSON else rows[:, None]
        return float(((table - expected) ** 2 / divisor).sum())

    def log_chance(self, table: np.ndarray) -> float:
        """Return the logarithm of the probability of a table itself, below which no p-value is."""
        margins = gammaln(self.levels + 1.0).sum() + gammaln(self.classes + 1.0).sum() - gammaln(self.n_rows + 1.0)
        return float(margins - gammaln(table + 1.0).sum())

    @property
    def other_way(self) -> Null:
        """The same tables with levels and classes exchanged."""
        return Null(self.kind, self.classes, self.levels, not self.transposed)

    def _weight(self, total: int) -> np.ndarray:
        """Return what the Gini gain divides the cells of a level by: the rows of the level of the feature."""
        return self.classes.astype(float) if self.transposed else np.full(len(self.classes), float(total))

    @cached_property
    def _ways(self) -> np.ndarray:
        """In how many ways each level but the last can be filled; infinity where that is too much work to know."""
        if self._bound > MOST_WORK:
            return np.full(len(self.levels) - 1, np.inf)
        return np.array([kernels.count_steps(int(t), self.classes, MOST_WORK) for t in self.levels[:-1]])

    @property
    def n_tables(self) -> float:
        """More than there are tables, or as many."""
        n_tables = 1.0
        for ways in self._ways.tolist():
            n_tables *= ways
            if n_tables > MOST_TABLES:
                return np.inf
        return n_tables

    @property
    def _most(self) -> np.ndarray:
        """How many rows of each class but the last can lie outside the last level."""
        return np.minimum(self.classes[:-1], self.n_rows - self.levels[-1])

    @cached_property
    def work(self) -> float:
        """How often a cell of the grid is added to."""
        return self._states * float(self._ways.sum())

    @property
    def _bound(self) -> float:
        """Less than the work, for margins so large that counting steps is work."""
        return self._states + float(self.levels[:-1].sum())

    @property
    def _states(self) -> float:
        """How many ways there are for the rows of some levels to lie in the classes."""
        # A float, and from logarithms: with many classes the product is out of range.
        return float(np.exp(min(np.log(self._most + 1.0).sum(), 700.0)))

    def _steps(self) -> Steps:
        """List the ways to fill each level but the last; for margins of which it is known that they are few."""
        ways = [kernels.count_steps(int(total), self.classes, MOST_WORK) for total in self.levels[:-1]]
        starts = np.concatenate([[0], np.cumsum(ways)]).astype(np.int64)
        taken = np.empty((starts[-1], len(self.classes) - 1), np.int64)
        log_weight, part = np.empty(starts[-1]), np.empty(starts[-1])
        for total, first, end in zip(self.levels[:-1].tolist(), starts, starts[1:]):
            here = taken[first:end], log_weight[first:end], part[first:end]
            kernels.fill_steps(self.kind, total, self._weight(total), self.classes, self.shares, *here)
        return Steps(starts, taken, log_weight, part)

    def listed(self, observed: np.ndarray) -> np.ndarray:
        """Add up the tables one by one."""
        limits, place = np.unique(observed * (1.0 - SAME), return_inverse=True)
        tails, total = np.zeros(len(limits)), int(self.levels[-1])
        scale = float(gammaln(self.levels + 1.0).sum() + gammaln(self.classes + 1.0).sum() - gammaln(self.n_rows + 1.0))
        kernels.enumerate_tables(
            self.kind, self.classes, self.shares, *self._steps(), total, self._weight(total), scale, limits, tails
        )
        return np.minimum(np.cumsum(tails[::-1])[::-1], 1.0)[place]

    def summed(self, observed: np.ndarray) -> np.ndarray:
        """Sum up the distribution level by level, on a grid up to the next power of two above each statistic."""
        out, key = np.empty(len(observed)), (self.kind, self.levels.tobytes(), self.classes.tobytes(), self.transposed)
        for cell, members in _grids(observed):
            tails = _summed_tails(*key, cell)
            # Each level is rounded by up to half a cell; the sum of these keeps the p-value from being too small.
            lowest = np.floor(observed[members] / cell - 0.5 * len(self.levels))
            out[members] = tails[np.maximum(lowest, 0).astype(np.int64)]
        return np.minimum(out, 1.0)

    @cached_property
    def _rare(self) -> np.ndarray:
        return self.levels * self.shares.min() < 5.0

    @property
    def few_are_rare(self) -> bool:
        """Whether some levels are rare, hold few of the rows, and can be filled in few ways."""
        rare = self.levels[self._rare]
        # What is left over for one common level alone would be lost: as much as all rare ones tell.
        few = 0 < len(rare) < len(self.levels) - 1 and rare.sum() <= MOST_RARE * self.n_rows
        return bool(few and sum(_compositions(int(t), len(self.classes)) for t in rare) <= MOST_STEPS)

    def split(self, observed: np.ndarray) -> np.ndarray:
        """Take rare levels exactly, as draws from the fractions of the classes, and the others as chi-squared."""
        rare, everything = self.levels[self._rare], np.full(len(self.classes), self.n_rows)
        few = Null(self.kind, np.append(rare, self.n_rows), everything, self.transposed)
        few.__dict__["shares"] = self.shares
        # Few, as `few_are_rare` says, however many classes there are.
        few.__dict__["_ways"] = np.array([kernels.count_steps(int(t), everything, MOST_WORK) for t in rare])
        steps, dof = few._steps(), (len(self.levels) - len(rare) - 1) * (len(self.classes) - 1)
        chance = np.exp(steps.log_weight + _log_shares(steps, rare, self.shares))
        out = np.empty(len(observed))
        for cell, members in _grids(observed):
            cells = np.zeros(CELLS)
            cells[0] = 1.0
            for first, end, total in zip(steps.starts, steps.starts[1:], rare):
                new = np.zeros(CELLS)
                moves = np.rint(steps.part[first:end] / cell).astype(np.int64)
                kernels.add_steps(cells, chance[first:end] * np.exp(gammaln(total + 1.0)), moves, new)
                cells = new
            rest = observed[members][:, None] * (1.0 - SAME) - cell * np.arange(CELLS)
            scale = 2.0 if self.kind == kernels.INFORMATION else 1.0
            tail = chi2_tail(np.maximum(rest, 0.0) * scale, dof) if dof else (rest <= cell).astype(float)
            out[members] = tail @ cells
        return np.minimum(out, 1.0)


@lru_cache(maxsize=512)
def _summed_tails(kind: int, levels: bytes, classes: bytes, transposed: bool, cell: float) -> np.ndarray:
    """Return the tail probabilities of the cells of a grid; kept, for many data sets have the same margins."""
    null = Null(kind, np.frombuffer(levels, np.int64), np.frombuffer(classes, np.int64), transposed)
    total = int(null.levels[-1])
    last = total, null._weight(total), null._most
    cells = kernels.grid_distribution(kind, null.classes, null.shares, *null._steps(), *last, cell, CELLS)
    return np.append(np.cumsum(cells[::-1])[::-1], 0.0)


def _grids(observed: np.ndarray) -> list[tuple[float, np.ndarray]]:
    """Return the width of a cell and which statistics are looked up on such a grid."""
    power = np.ceil(np.log2(np.maximum(observed, 2.0**-20) * 1.01))
    return [(float(2.0**p) / (CELLS - 1), np.flatnonzero(power == p)) for p in np.unique(power)]


def _compositions(total: int, n_classes: int) -> float:
    """Return in how many ways rows fall into classes."""
    return float(np.exp(gammaln(total + n_classes) - gammaln(total + 1.0) - gammaln(n_classes)))


def _log_shares(steps: Steps, rare: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """Return the logarithm of the product of the fractions of the classes that each step takes."""
    totals = np.repeat(rare, np.diff(steps.starts))
    rest = totals - steps.taken.sum(axis=1)
    return steps.taken @ np.log(shares[:-1]) + rest * np.log(shares[-1])

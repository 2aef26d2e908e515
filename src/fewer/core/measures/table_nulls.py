"""The null distribution of one statistic of tables with given margins, by the cheapest way that is exact enough."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np
from scipy.special import gammaincc, gammaln

from fewer.core.kernels import exact_tables as kernels
from fewer.core.measures._pvalues import chi2_tail
from fewer.core.measures.permutations import ENOUGH, STAGES

# Tables that are listed one by one; cells of a grid, and how many additions it may cost; steps of rare levels.
MOST_TABLES, CELLS, MOST_WORK, MOST_STEPS = 20_000, 2048, 2e7, 5_000
# How many cells of drawn tables may be drawn at all.
MOST_DRAWN = 2e7
# From so many levels on, with fewer rows for each on average, drawing the classes of the rows is quicker than levels.
MANY_LEVELS, FEW_ROWS = 200, 10
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

    Up to 20,000 tables are listed one by one. Of more the distribution is summed up level by level on a grid of 2,048
    cells, which knows the statistic to about a thousandth and gives the smallest p-values, too. Where that is too much
    work and rare levels (or rare classes) hold at most a fifth of the rows, these are exact and the others follow the
    chi-squared distribution. What is left is drawn: 999 tables, and ten times as many, up to 99,999, while fewer than
    20 of them reach the statistic; always the same ones. Where none does, the chi-squared approximation is believed;
    of hundreds of levels with few rows each, the gamma distribution of the mean and variance of 999 tables.

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

    def tails(self, observed: np.ndarray, approximate: np.ndarray) -> np.ndarray:
        """Return the probability of statistics at least as large as those observed.

        ``approximate`` p-values are believed where tables are drawn and none reaches the statistic.
        """
        if self.levels[-1] == 1 or self.classes[-1] == 1:
            # All tables are one, up to the order of levels.
            return np.ones(len(observed))
        ways = sorted((self, self._other_way), key=lambda way: way._work)
        if ways[0]._n_tables <= MOST_TABLES:
            return ways[0]._listed(observed)
        if ways[0]._work * CELLS <= MOST_WORK:
            return ways[0]._summed(observed)
        for way in ways:
            if way._few_are_rare:
                return way._split(observed)
        return self._drawn(observed, approximate)

    @property
    def _other_way(self) -> Null:
        return Null(self.kind, self.classes, self.levels, not self.transposed)

    def _weight(self, total: int) -> np.ndarray:
        """Return what the Gini gain divides the cells of a level by: the rows of the level of the feature."""
        return self.classes.astype(float) if self.transposed else np.full(len(self.classes), float(total))

    @cached_property
    def _ways(self) -> np.ndarray:
        """In how many ways each level but the last can be filled."""
        return np.array([kernels.count_steps(int(t), self.classes) for t in self.levels[:-1]], dtype=float)

    @property
    def _n_tables(self) -> float:
        """More than there are tables, or as many."""
        return float(np.prod(self._ways)) if self._ways.max() <= MOST_TABLES else np.inf

    @property
    def _most(self) -> np.ndarray:
        """How many rows of each class but the last can lie outside the last level."""
        return np.minimum(self.classes[:-1], self.n_rows - self.levels[-1])

    @cached_property
    def _work(self) -> float:
        """How often a cell of the grid is added to."""
        if self._bound > MOST_WORK:
            return np.inf
        return float(np.prod(self._most + 1.0) * self._ways.sum())

    @property
    def _bound(self) -> float:
        """Less than the work, for margins so large that counting steps is work."""
        return float(np.prod(self._most + 1.0) + self.levels[:-1].sum())

    def _steps(self) -> Steps:
        starts = np.concatenate([[0], np.cumsum(self._ways)]).astype(np.int64)
        taken = np.empty((starts[-1], len(self.classes) - 1), np.int64)
        log_weight, part = np.empty(starts[-1]), np.empty(starts[-1])
        for total, first, end in zip(self.levels[:-1].tolist(), starts, starts[1:]):
            here = taken[first:end], log_weight[first:end], part[first:end]
            kernels.fill_steps(self.kind, total, self._weight(total), self.classes, self.shares, *here)
        return Steps(starts, taken, log_weight, part)

    def _listed(self, observed: np.ndarray) -> np.ndarray:
        """Add up the tables one by one."""
        limits, place = np.unique(observed * (1.0 - SAME), return_inverse=True)
        tails, total = np.zeros(len(limits)), int(self.levels[-1])
        scale = float(gammaln(self.levels + 1.0).sum() + gammaln(self.classes + 1.0).sum() - gammaln(self.n_rows + 1.0))
        kernels.enumerate_tables(
            self.kind, self.classes, self.shares, *self._steps(), total, self._weight(total), scale, limits, tails
        )
        return np.minimum(np.cumsum(tails[::-1])[::-1], 1.0)[place]

    def _summed(self, observed: np.ndarray) -> np.ndarray:
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
    def _few_are_rare(self) -> bool:
        rare = self.levels[self._rare]
        few = 0 < len(rare) < len(self.levels) and rare.sum() <= MOST_RARE * self.n_rows
        return bool(few and sum(_compositions(int(t), len(self.classes)) for t in rare) <= MOST_STEPS)

    def _split(self, observed: np.ndarray) -> np.ndarray:
        """Take rare levels exactly, as draws from the fractions of the classes, and the others as chi-squared."""
        rare, everything = self.levels[self._rare], np.full(len(self.classes), self.n_rows)
        few = Null(self.kind, np.append(rare, self.n_rows), everything, self.transposed)
        few.__dict__["shares"] = self.shares
        steps, dof = few._steps(), (len(self.levels) - len(rare) - 1) * (len(self.classes) - 1)
        chance = np.exp(steps.log_weight + _log_shares(steps, rare, self.shares))
        out = np.empty(len(observed))
        for cell, members in _grids(observed):
            cells = np.zeros(CELLS)
            cells[0] = 1.0
            for first, end, total in zip(steps.starts, steps.starts[1:], rare):
                new = np.zeros(CELLS)
                moves = np.rint(steps.part[first:end] / cell).astype(np.int64)
                for p, move in zip(chance[first:end] * np.exp(gammaln(total + 1.0)), moves.tolist()):
                    kernels.add_scaled(cells, CELLS, p, move, new)
                cells = new
            rest = observed[members][:, None] * (1.0 - SAME) - cell * np.arange(CELLS)
            tail = chi2_tail(np.maximum(rest, 0.0) * self._scale, dof) if dof else (rest <= cell).astype(float)
            out[members] = tail @ cells
        return np.minimum(out, 1.0)

    @property
    def _scale(self) -> float:
        """What the statistic is multiplied by to be about chi-squared."""
        if self.kind != kernels.GINI:
            return 2.0 if self.kind == kernels.INFORMATION else 1.0
        of_class = self.levels if self.transposed else self.classes
        impurity = 1.0 - float(((of_class / self.n_rows) ** 2).sum())
        return (len(of_class) - 1) / impurity * (self.n_rows - 1.0) / self.n_rows

    def _drawn(self, observed: np.ndarray, approximate: np.ndarray) -> np.ndarray:
        """Count drawn tables; the observed one is one more."""
        n_levels = max(len(self.levels), len(self.classes))
        if n_levels >= MANY_LEVELS and self.n_rows < FEW_ROWS * n_levels:
            return self._of_many_levels(observed)
        most = MOST_DRAWN / (len(self.levels) * len(self.classes))
        out, open_ = np.empty(len(observed)), np.arange(len(observed))
        for n in (n for n in STAGES if n == STAGES[0] or n <= most):
            found = np.sort(self._draws(n))
            reached = n - np.searchsorted(found, observed[open_] * (1.0 - SAME))
            counted = (reached + 1.0) / (n + 1.0)
            out[open_] = np.where(reached > 0, counted, np.minimum(counted, approximate[open_]))
            open_ = open_[reached < ENOUGH]
            if not len(open_):
                break
        return out

    def _draws(self, n: int) -> np.ndarray:
        """Return the statistic of random tables, the same ones for the same margins."""
        rng, value = np.random.default_rng(0), np.zeros(n)
        left = np.tile(self.levels, (n, 1))
        for c, size in enumerate(self.classes.tolist()):
            wanted, below = np.full(n, size), left.sum(axis=1)
            for i, total in enumerate(self.levels.tolist()):
                below = below - left[:, i]
                if c == len(self.classes) - 1:
                    k = left[:, i].copy()
                else:
                    k = wanted if i == len(self.levels) - 1 else rng.hypergeometric(left[:, i], below, wanted)
                wanted, left[:, i] = wanted - k, left[:, i] - k
                value += self._parts(k, total, size)
        return value

    def _of_many_levels(self, observed: np.ndarray) -> np.ndarray:
        """Count tables drawn by giving the rows their classes in random order.

        So many parts add up to nearly a gamma distribution: that of drawn mean and variance tells what no draw does.
        """
        rng, shape, n = np.random.default_rng(0), (len(self.levels), len(self.classes)), STAGES[0]
        first = np.repeat(np.arange(shape[0]) * shape[1], self.levels)
        classes = np.repeat(np.arange(shape[1]), self.classes)
        value = np.empty(n)
        if self.kind == kernels.INFORMATION:
            # With given margins only the cells differ; their terms are looked up.
            counts = np.arange(self.n_rows + 1.0)
            terms = counts * np.log(np.maximum(counts, 1.0))
            rest = terms[self.levels].sum() + terms[self.classes].sum() - terms[-1]
        for i in range(n):
            rng.shuffle(classes)
            cells = np.bincount(first + classes, minlength=shape[0] * shape[1])
            if self.kind == kernels.INFORMATION:
                value[i] = terms[cells].sum() - rest
            else:
                value[i] = self._parts(cells.reshape(shape), self.levels[:, None], self.classes).sum()
        value.sort()
        reached = n - np.searchsorted(value, observed * (1.0 - SAME))
        mean, variance = float(value.mean()), float(value.var(ddof=1))
        if variance == 0.0:
            return np.ones(len(observed))
        tail = gammaincc(mean * mean / variance, np.maximum(observed, 0.0) * mean / variance)
        return np.where(reached < ENOUGH, np.minimum(tail, (reached + 1.0) / (n + 1.0)), (reached + 1.0) / (n + 1.0))

    def _parts(self, k: np.ndarray, level: Any, size: Any) -> np.ndarray:
        expected = level * size / self.n_rows
        if self.kind == kernels.INFORMATION:
            return k * np.log(np.where(k > 0, k, 1) / expected) * (k > 0)
        return (k - expected) ** 2 / (expected if self.kind == kernels.PEARSON else size if self.transposed else level)


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

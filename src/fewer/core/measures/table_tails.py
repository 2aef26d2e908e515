"""P-values of tables with given margins, by the cheapest way that is exact enough."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fewer.core.kernels.exact_tables import GINI
from fewer.core.measures.random_tables import Shuffles, gamma_tail
from fewer.core.measures.table_nulls import CELLS, MOST_TABLES, MOST_WORK, SAME, Null

# Tables that are listed one by one, per column; cells that may be drawn, per column; columns that can share work.
LISTED, MOST_DRAWN, MOST_SHARED = 2_000, 1e6, 100
# Tables after which a column is looked at; more are drawn while fewer than ENOUGH of them reach its statistic.
STAGES, ENOUGH = (199, 999, 9_999, 99_999), 50
# Margins whose draws are held at once.
AT_ONCE = 256


class Tails:
    """P-values of all tables with the same margins.

    Parameters
    ----------
    null : Null
        Tables with these margins.
    observed : ndarray
        Their statistics.
    approximate : ndarray
        P-values of an approximation, which bound those of statistics that no drawn table reaches.

    Attributes
    ----------
    pvalues : ndarray
        The p-values that are known so far.
    open : ndarray of int
        Those that are not known well.
    """

    def __init__(self, null: Null, observed: np.ndarray, approximate: np.ndarray) -> None:
        self.null, self.observed, self.approximate = null, observed, approximate
        self.pvalues, self.open, self.values = np.ones(len(observed)), np.arange(len(observed)), np.empty(0)

    def settle(self, pvalues: np.ndarray) -> None:
        """Take p-values for those that were not known."""
        self.pvalues[self.open] = pvalues
        self.open = self.open[:0]

    def list_tables(self) -> None:
        """List few tables one by one."""
        if self.null.levels[-1] == 1 or self.null.classes[-1] == 1:
            # All tables are one, up to the order of levels.
            return self.settle(np.ones(len(self.open)))
        way = min(self.null, self.null.other_way, key=lambda way: way.work)
        if way.n_tables <= min(MOST_TABLES, LISTED * len(self.open)):
            self.settle(way.listed(self.observed))

    def sum_up(self) -> None:
        """Find small p-values on a grid, or by rare levels, where one of these is affordable."""
        wanted, shared = self.observed[self.open], min(len(self.open), MOST_SHARED)
        ways = sorted((self.null, self.null.other_way), key=lambda way: way.work)
        if ways[0].work * CELLS <= MOST_WORK * shared:
            return self.settle(ways[0].summed(wanted))
        # Without rare levels a Gini gain is a sum of chi-squared variables of several weights.
        for way in ways if self.null.kind != GINI else ():
            if way.few_are_rare:
                return self.settle(way.split(wanted))

    def may_draw(self, n: int) -> bool:
        """Return whether so many tables are worth their time."""
        cells = len(self.null.levels) * len(self.null.classes)
        each = cells if Shuffles(self.null.classes).shuffles_for(self.null.levels) else 50 * cells
        return bool(len(self.open)) and n * each <= MOST_DRAWN * min(len(self.open), MOST_SHARED)

    def add(self, drawn: np.ndarray) -> None:
        """Count more drawn tables; the observed one is one more."""
        self.values = np.sort(np.concatenate([self.values, drawn]))
        n, wanted = len(self.values), self.observed[self.open]
        reached = n - np.searchsorted(self.values, wanted * (1.0 - SAME))
        counted = (reached + 1.0) / (n + 1.0)
        beyond = np.maximum(self.approximate[self.open], gamma_tail(self.values, wanted))
        self.pvalues[self.open] = np.where(reached > 0, counted, np.minimum(counted, beyond))
        self.open = self.open[reached < ENOUGH]


def settle_all(tails: Sequence[Tails]) -> None:
    """Find the p-values of tables with several margins that share those of the classes.

    Up to 2,000 tables per column with these margins, at most 20,000, are listed one by one. Of more 199 are drawn, and
    999 if fewer than 50 of these reach the statistic: a p-value far from small need not be known exactly. If that is
    not enough, the distribution is summed up on a grid, which gives the smallest p-values, too. Where that is too much
    work and rare levels hold at most a fifth of the rows, these are exact. What is left is drawn on, up to 99,999
    tables, always the same ones. Where none reaches the statistic, the tail is that of the gamma distribution with the
    mean and the variance of the draws, or the approximation where that is larger.
    """
    for first in range(0, len(tails), AT_ONCE):
        some = tails[first : first + AT_ONCE]
        shuffles = Shuffles(some[0].null.classes)
        for one in some:
            one.list_tables()
        for n in STAGES[:2]:
            draw(shuffles, [one for one in some if len(one.open)], n)
        for one in some:
            if len(one.open):
                one.sum_up()
        for n in STAGES[2:]:
            draw(shuffles, [one for one in some if one.may_draw(n)], n)
        for one in some:
            one.values = np.empty(0)


def draw(shuffles: Shuffles, tails: Sequence[Tails], n: int) -> None:
    """Draw tables until there are so many."""
    if tails:
        levels, kind = [one.null.levels for one in tails], tails[0].null.kind
        for one, drawn in zip(tails, shuffles.statistics(kind, levels, len(tails[0].values), n)):
            one.add(drawn)

"""One pair of columns within the strata of many sets of others, counted in memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.special import chdtri

from fewer.core.criteria.independence_contract import Answers, Y
from fewer.core.kernels import strata_sets
from fewer.core.measures._pvalues import chi2_tail
from fewer.core.measures.count_logs import CountLogs
from fewer.core.views.view import View

# Tables up to so many cells are counted cell by cell; a reliable one has far fewer than rows.
MOST_CELLS = 2**22
# A limit of the statistic is computed to about twelve digits; what lies beyond it by less is decided by its p-value.
MARGIN = 1.0 + 1e-9


@dataclass(frozen=True, eq=False)
class PairTables:
    """The codes column by column, y last, with the number of levels that each could have and has.

    Attributes
    ----------
    columns : ndarray of shape (n_features + 1, n_rows)
        Codes; y, where it holds classes, has the last line and so the number -1.
    levels, occurring : ndarray of int64
        Levels of every column: those that have a code, and those that occur; at last 1 for no column.
    """

    columns: np.ndarray
    levels: np.ndarray
    occurring: np.ndarray

    @classmethod
    def of(cls, view: View) -> PairTables | None:
        """Return the columns of a view, or None if they are not plain codes in memory without weights."""
        if not view.run.in_memory or view.kind != "codes" or view.whole().weight is not None:
            return None
        block = view.whole()
        levels = np.append(np.asarray(view.n_levels, np.int64), max(view.n_classes, 1))
        kind = np.uint8 if levels.max() <= 256 else np.uint16
        columns = np.zeros((block.n_features + 1, block.n_rows), kind)
        columns[:-1] = block.columns
        if view.n_classes:
            columns[-1] = block.y
        occurring = [np.count_nonzero(np.bincount(column)) for column in columns]
        # One more, so that the number -1, which stands for no column, changes no product.
        return cls(columns, np.append(levels, 1), np.array([*occurring, 1], np.float64))

    def first_independent(
        self, x: int, target: int, givens: Sequence[tuple[int, ...]], h: float, alpha: float, logs: CountLogs
    ) -> tuple[int, Answers] | None:
        """Count given one set after another, up to the first whose p-value is above alpha.

        Returns
        -------
        place : int
            Place of that set, or -1.
        answers : Answers
            One for every set up to there; sets that leave fewer than h rows per cell are not counted, their p-value
            is NaN. None instead of both if some table would be too large.
        """
        sets, x, target = self._lines(givens), x % len(self.columns), target % len(self.columns)
        most = self.columns.shape[1] / max(h * self.occurring[x] * self.occurring[target], 1e-300)
        counted = self.occurring[sets].prod(axis=1) <= most
        cells = int(self.levels[sets].prod(axis=1)[counted].max(initial=1) * self.levels[x] * self.levels[target])
        if cells > MOST_CELLS:
            return None
        limits = _limits(alpha, 1 << cells.bit_length())
        out, pvalue, start, place = np.zeros((len(sets), 2)), np.full(len(sets), np.nan), 0, -1
        while start < len(sets) and place < 0:
            rest = slice(start, None)
            args = (sets[rest], counted[rest], logs.terms, logs.scale, limits, out[rest])
            stop = start + strata_sets.first_independent(self.columns, self.levels, x, target, *args)
            some = np.arange(start, stop)[counted[start:stop]]
            pvalue[some] = chi2_tail(out[some, 0], out[some, 1])
            # The loop also stops where the p-value is alpha but for rounding.
            place = next((int(s) for s in some[-1:] if pvalue[s] > alpha), -1)
            start = stop
        return place, Answers(pvalue[:start], out[:start, 0], out[:start, 1], counted[:start])

    def _lines(self, givens: Sequence[tuple[int, ...]]) -> np.ndarray:
        """Return sets as lines of equal length, -1 for none; y has the number of the last column."""
        sizes = set(map(len, givens))
        width, y = max(sizes), len(self.columns) - 1
        if len(sizes) == 1:
            lines = np.array(givens, np.int64).reshape(len(givens), width)
            lines[lines == Y] = y
            return lines
        lines = np.full((len(givens), width), -1, np.int64)
        for line, given in zip(lines, givens):
            line[: len(given)] = [y if j == Y else j for j in given]
        return lines


@lru_cache(maxsize=64)
def _limits(alpha: float, n: int) -> np.ndarray:
    """Return what chi-squared of 0 to n degrees of freedom exceeds with probability alpha, or slightly more."""
    return np.append(0.0, chdtri(np.arange(1, n + 1), alpha) * MARGIN)

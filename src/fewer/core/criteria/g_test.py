"""Tests of independence by counting: the likelihood ratio G and Pearson's chi-squared, within strata."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from typing import cast

import numpy as np

from fewer.core.criteria.independence_contract import Answers, IndependenceTest, Memory, Y, pair_of
from fewer.core.criteria.joint_sums import MOST_WEIGHT
from fewer.core.criteria.pair_tables import PairTables
from fewer.core.measures._pvalues import chi2_as_normal, chi2_tail
from fewer.core.measures.count_logs import CountLogs, SumLogs
from fewer.core.measures.stratified import StrataTables
from fewer.core.records.errors import ParameterError, RequirementError
from fewer.core.summaries.strata import CountsInStrata, StrataCounts
from fewer.core.summaries.strata_lists import CountsInStrataLists
from fewer.core.views.view import View
from fewer.core.views.weights import WeightGrid

# Tables of one pass over rows that are not in memory; tables of one task of a thread; features of one.
PASS_BYTES, TASK_BYTES, TASK_FEATURES = 2**28, 2**24, 256
# Up to so many candidates are counted one after another.
FEW_CANDIDATES = 3


@dataclass(frozen=True)
class GTest(IndependenceTest):
    r"""Test by the likelihood ratio :math:`G = 2 \sum O_{fzt} \ln(O_{fzt} n_z / (n_{fz} n_{zt}))`, or chi-squared.

    Under independence about chi-squared, with degrees of freedom summed over the strata z, each
    (levels of the feature - 1)(levels of the target - 1), of those levels that occur in the stratum: an empty row or
    column of a stratum has nothing to vary. G is 2 N times the conditional mutual information in nats.

    Parameters
    ----------
    h : float, default=5.0
        A test is reliable if there are at least so many rows per cell of its table: the product of the numbers of
        levels of candidate, target and all given columns, of those that occur in the data. "chi2" must also expect
        rows enough in the single cells, see the notes. 0 takes every test for reliable.
    statistic : {"g", "chi2"}, default="g"
        Likelihood ratio, or Pearson's sum of (O - E)^2 / E.

    Notes
    -----
    The rule of reliability is the heuristic power size, h-ps, used with the algorithms of [1]_, which skip a test of
    fewer than h rows per cell; here it is computed and marked. Levels are counted that occur in the data rather than
    those that could, so that a level kept free for missing values changes nothing. Missing values are a level.

    The rule looks at the average cell only. False alarms of G among 2,000 independent samples with just enough rows,
    h for each cell, of columns of k levels (all columns alike; one standard error is 0.5 % and 0.2 %):

    ========================  ==========  ==========  ==========  ==========
    k levels, given columns   h=5, 0.05   h=5, 0.01   h=10, 0.05  h=10, 0.01
    ========================  ==========  ==========  ==========  ==========
    equal, 2, none            6.8 %       1.7 %       5.2 %       1.0 %
    equal, 3, none            6.5 %       1.5 %       6.4 %       1.6 %
    equal, 4, none            7.2 %       2.4 %       5.0 %       1.3 %
    equal, 2, one             7.5 %       1.9 %       5.4 %       1.1 %
    equal, 3, one             8.9 %       1.8 %       5.6 %       1.1 %
    equal, 2, two             7.6 %       1.9 %       5.5 %       1.4 %
    equal, 3, two             10.1 %      3.2 %       7.5 %       1.9 %
    equal, 2, three           10.3 %      2.8 %       5.8 %       1.3 %
    equal, 3, three           16.3 %      5.1 %       8.3 %       1.9 %
    one of 80 %, 2, none      4.9 %       0.4 %       7.5 %       0.9 %
    one of 80 %, 3, none      2.5 %       0.4 %       4.0 %       0.6 %
    one of 80 %, 4, none      1.8 %       0.4 %       2.5 %       0.4 %
    one of 80 %, 3, one       4.7 %       0.7 %       3.6 %       0.7 %
    one of 80 %, 3, two       4.4 %       0.9 %       6.2 %       0.7 %
    one of 80 %, 3, three     10.1 %      2.1 %       7.4 %       1.1 %
    ========================  ==========  ==========  ==========  ==========

    With h = 5 and three given columns there are up to three (five) times as many false alarms as alpha = 0.05 (0.01)
    promises; with h = 10 up to about twice. Where that matters choose h = 10, or "information", whose p-values hold
    for any number of rows. With one level of 90 % and three of 3 %, 200 rows, G is below 0.05 in 1 % of samples, but
    chi-squared in 14 to 17 %, and below 0.01 in 8 to 12 %. Therefore "chi2" is reliable only if, by the rule of Cochran
    (1954), no cell that can vary expects less than 1 row, and at most a fifth of them less than 5: join rare levels
    before.

    Counts are whole numbers (or whole multiples of the unit of all weights), so that answers are the same on any
    number of threads, streamed and on a cluster; G is summed in whole numbers, so that it is exactly the same with
    feature and target exchanged or levels renamed. Weights count rows: N is their sum.

    References
    ----------
    .. [1] C. F. Aliferis, A. Statnikov, I. Tsamardinos, S. Mani and X. D. Koutsoukos, "Local causal and Markov blanket
       induction for causal discovery and feature selection for classification, part I", JMLR 11, 2010.
    """

    h: float = 5.0
    statistic: str = "g"

    def __post_init__(self) -> None:
        if self.statistic not in ("g", "chi2"):
            raise ParameterError(
                f"GTest got statistic={self.statistic!r}, but knows 'g' and 'chi2'; choose one of them."
            )
        if not isinstance(self.h, Real) or not 0 <= self.h < np.inf:
            raise ParameterError(
                f"GTest got h={self.h!r}, but rows per cell are a finite number of 0 or more; choose such a number."
            )

    def check(self, view: View, columns: Sequence[int]) -> None:
        """Refuse a target that is not of classes."""
        if Y in columns and not view.n_classes:
            raise RequirementError(
                "GTest was asked about y, which holds no classes, but counts classes; discretize y, or use FisherZ for "
                "a numeric target."
            )

    def answer(self, view: View, candidates: tuple[int, ...], given: tuple[int, ...], target: int) -> Answers:
        """Count all candidates against the strata of the given columns times the target."""
        few = self._by_pairs(view, candidates, given, target) if len(candidates) <= FEW_CANDIDATES else None
        if few is not None:
            return few
        memory, levels = self.memory(view), np.asarray(view.n_levels)
        summary = CountsInStrata(candidates, given, target, view.n_classes)
        if view.run.in_memory:
            block = view.whole()
            if block.kind == "codes" and block.weight is None:
                # Made once per view: single columns are asked for again and again.
                block.columns  # noqa: B018
            cells, other = summary.combinations(block)
            step = max(1, min(TASK_FEATURES, TASK_BYTES // max(1, summary.bytes_per_feature(block))))

            def work(start: int, stop: int) -> Answers:
                return self._of_tables(view, memory, summary.tables(block, cells, other, start, stop))

            parts = view.run.scan(work, len(candidates), step)
        else:
            size = 8 * int(levels.max(initial=1)) * summary.most_cells(levels, view.n_rows)
            step, parts = max(1, PASS_BYTES // size), []
            for start in range(0, len(candidates), step):
                some = CountsInStrata(candidates[start : start + step], given, target, view.n_classes)
                parts.append(self._of_tables(view, memory, view.fold(some)))
        return Answers(*(np.concatenate(columns) for columns in zip(*parts)))

    def _by_pairs(self, view: View, candidates: tuple[int, ...], given: tuple[int, ...], target: int) -> Answers | None:
        """Count one candidate after another, where that is possible: tables of many take longer to begin with."""
        tables = self._pair_tables(view)
        if tables is None:
            return None
        logs = cast(CountLogs, _logs(self.memory(view), view.n_rows, weighted=False))
        answers = [tables.first_independent(j, target, [given], 0.0, 1.0, logs) for j in candidates]
        found = [answer[1] for answer in answers if answer is not None]
        if len(found) < len(candidates):
            return None
        pvalue, statistic, dof, _ = (np.concatenate(columns) for columns in zip(*found))
        levels = tables.occurring[:-1]
        cells = levels[list(candidates)] * np.prod(levels[[*given, target]])
        return Answers(pvalue, statistic, dof, view.n_rows >= self.h * cells)

    def enough_rows(
        self, view: View, candidates: Sequence[int], given: Sequence[int] = (), target: int | None = None
    ) -> np.ndarray:
        """Return of which candidates an answer would be reliable; for G the numbers of levels say so."""
        if self.statistic != "g":
            return super().enough_rows(view, candidates, given, target)
        levels, n_rows = self._occurring(view)
        others = [*given, Y if target is None else target]
        return n_rows >= self.h * levels[np.asarray(candidates, np.int64)] * np.prod(levels[others])

    def short_of_rows(self, view: View, x: int, given: Sequence[int], target: int) -> bool:
        """Return whether the numbers of levels say that rows are too few."""
        levels, n_rows = self._occurring(view)
        return bool(n_rows < self.h * levels[x] * levels[target] * np.prod(levels[list(given)]))

    def most_given(self, view: View, x: int, target: int, pool: Sequence[int]) -> int:
        """Return how many columns of a pool can be given at most, so that some answer about a pair is reliable."""
        levels, n_rows = self._occurring(view)
        needed, most = self.h * float(levels[x]) * float(levels[target]), 0
        # Columns of few levels leave most rows; plain numbers, because this is asked before every search.
        for n in sorted(levels[list(pool)].tolist()):
            needed *= n
            if n_rows < needed:
                break
            most += 1
        return most

    def _occurring(self, view: View) -> tuple[np.ndarray, float]:
        """Return how many levels of every column occur, y last, and the number of rows."""
        kept = self.memory(view).kept
        if "occurring" not in kept:
            everything = CountsInStrata(tuple(range(view.n_features)), (), Y, view.n_classes)
            if not view.n_classes:
                everything = CountsInStrata(tuple(range(view.n_features)), (), 0)
            counts = view.fold(everything).counts
            classes = np.count_nonzero(counts.of(0).sum(axis=0)) if view.n_classes else 1
            kept["occurring"] = np.append(counts.occurring, classes).astype(np.float64), float(counts.of(0).sum())
        return kept["occurring"]

    def first_separating(
        self, view: View, x: int, target: int, givens: Sequence[tuple[int, ...]], alpha: float
    ) -> tuple[int, Answers]:
        """Ask about one pair given one set after another.

        In memory in one loop, which does not count in vain; else many sets in one pass over the rows. Of these answers
        only the last is remembered: there may be millions.
        """
        tables, memory = self._pair_tables(view), self.memory(view)
        if givens and not view.run.in_memory:
            return self._in_passes(view, x, target, givens, alpha)
        if tables is None or not givens:
            return super().first_separating(view, x, target, givens, alpha)
        self._check_question(view, [x], frozenset(j for given in givens for j in given), target)
        logs = cast(CountLogs, _logs(memory, view.n_rows, weighted=False))
        answer = tables.first_independent(x, target, givens, self.h, alpha, logs)
        if answer is None:
            return super().first_separating(view, x, target, givens, alpha)
        return self._noted(view, x, target, givens, *answer)

    def _in_passes(
        self, view: View, x: int, target: int, givens: Sequence[tuple[int, ...]], alpha: float
    ) -> tuple[int, Answers]:
        self._check_question(view, [x], frozenset(j for given in givens for j in given), target)
        memory, levels = self.memory(view), np.asarray(view.n_levels)
        # The test is symmetric: where y is the candidate, the target takes its place.
        one, other = (target, Y) if x == Y else (x, target)
        n = len(givens)
        found = Answers(np.full(n, np.nan), np.zeros(n), np.zeros(n), np.zeros(n, bool))
        enough = [k for k, given in enumerate(givens) if not self.short_of_rows(view, x, given, target)]
        asked = [CountsInStrata((one,), tuple(sorted(set(givens[k]))), other, view.n_classes) for k in enough]
        sizes = [8 * int(levels[one]) * part.most_cells(levels, view.n_rows) for part in asked]
        start = 0
        while start < len(asked):
            stop = start + max(1, int(np.searchsorted(np.cumsum(sizes[start:]), PASS_BYTES)))
            tables = view.fold(CountsInStrataLists(tuple(asked[start:stop])))
            for k, counts in zip(enough[start:stop], tables):
                for column, values in zip(found, self._of_tables(view, memory, counts)):
                    column[k] = values[0]
                if found.reliable[k] and found.pvalue[k] > alpha:
                    answers = Answers(*(column[: k + 1] for column in found))
                    return self._noted(view, x, target, givens, k, answers)
            start = stop
        return self._noted(view, x, target, givens, -1, found)

    def _noted(
        self, view: View, x: int, target: int, givens: Sequence[tuple[int, ...]], place: int, found: Answers
    ) -> tuple[int, Answers]:
        """Count the questions and remember the last answer, if it separates."""
        memory = self.memory(view)
        memory.asked += len(found.pvalue)
        memory.computed += int(np.count_nonzero(~np.isnan(found.pvalue)))
        if place >= 0:
            row = tuple(column[place].item() for column in found)
            memory.known.setdefault(frozenset(givens[place]), {})[pair_of(x, target)] = row
        return place, found

    def strength(self, answers: Answers) -> np.ndarray:
        """Return statistics as about standard normal ones."""
        return chi2_as_normal(answers.statistic, answers.dof)

    def _pair_tables(self, view: View) -> PairTables | None:
        """Return what counts one pair at a time, where that is possible."""
        kept = self.memory(view).kept
        if "pairs" not in kept:
            kept["pairs"] = PairTables.of(view) if self.statistic == "g" else None
        return kept["pairs"]

    def _of_tables(self, view: View, memory: Memory, found: StrataCounts) -> Answers:
        table, unit = found.counts.table, 1.0
        weighted = table.dtype.kind == "f"
        if weighted:
            grid = view.weights or WeightGrid.of(view.whole().weight)
            table, unit = grid.multiples(table), grid.unit
        tables = StrataTables.of(found, table)
        total = int(tables.of_strata.sum())
        if self.statistic == "chi2":
            statistic = unit * tables.chi_squared()
        else:
            statistic = unit * tables.likelihood_ratio(_logs(memory, total, weighted))
        dof = tables.dof
        statistic = np.where(dof > 0, statistic, 0.0)
        reliable = total * unit >= self.h * tables.n_cells
        if self.statistic == "chi2" and self.h > 0:
            reliable &= tables.expected_enough(unit)
        return Answers(chi2_tail(statistic, dof), statistic, dof, reliable)


def _logs(memory: Memory, total: int, weighted: bool) -> CountLogs | SumLogs:
    if "logs" not in memory.kept:
        tabled = not weighted or total < MOST_WEIGHT
        memory.kept["logs"] = CountLogs.up_to(total) if tabled else SumLogs.up_to(total)
    return memory.kept["logs"]

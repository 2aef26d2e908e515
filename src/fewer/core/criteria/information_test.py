"""A test of independence by conditional mutual information, with permutations within strata."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from scipy.stats import random_table

from fewer.core.criteria.g_test import GTest
from fewer.core.criteria.independence_contract import Answers, IndependenceTest
from fewer.core.measures.count_logs import CountLogs
from fewer.core.measures.stratified import StrataTables
from fewer.core.records.errors import ParameterError, RequirementError
from fewer.core.summaries.strata import CountsInStrata
from fewer.core.views.view import View

# Cells of shuffled tables that are drawn at once.
MOST_CELLS = 2**20


@dataclass(frozen=True)
class ConditionalInformation(IndependenceTest):
    r"""Test by the conditional mutual information :math:`I(X; T | Z)`, in nats, against shuffles within the strata.

    The levels of the target are shuffled among the rows of every stratum of Z, which leaves all that Z tells about
    either of them and takes away whatever else X and T have in common. The p-value is (1 + b) / (1 + n_permutations),
    b the number of shuffles with at least as much information. It holds for any number of rows, where that of
    chi-squared is an approximation.

    Parameters
    ----------
    n_permutations : int, default=199
        Number of shuffles; 0 takes the chi-squared tail of 2 N I, which is the test of `GTest`. The smallest p-value is
        1 / (1 + n_permutations).
    h : float, default=1.0
        A test is reliable if there are at least so many rows per cell of its table, as for `GTest`. A p-value by
        permutations holds with fewer, but then says little: with one row in each stratum it is 1, whatever is true.
    random_state : int, default=0
        Seed; the shuffles depend on it and on the question only.

    Notes
    -----
    Rows must be in memory. Of a shuffle only the counts matter, whose distribution is known: tables are drawn at random
    from all with the margins that were seen [1]_, as often as a shuffle would make them, without moving rows, so that
    the time does not grow with their number. Informations are compared in whole numbers, so that equal ones are equal.
    The p-value of a question asked the other way round would differ by chance; the first answer is kept.

    References
    ----------
    .. [1] W. M. Patefield, "Algorithm AS 159: an efficient method of generating random r x c tables with given row and
       column totals", Journal of the Royal Statistical Society C 30, 1981.
    """

    n_permutations: int = 199
    h: float = 1.0
    random_state: int = 0

    requires: ClassVar[tuple[str, ...]] = ("codes",)
    needs_all_rows: ClassVar[bool] = True

    def __post_init__(self) -> None:
        for name, kind, words in (
            ("n_permutations", Integral, "shuffles are"),
            ("h", Real, "rows per cell are"),
            ("random_state", Integral, "a seed is"),
        ):
            value: Any = getattr(self, name)
            if not isinstance(value, kind) or not 0 <= float(value) < np.inf:  # type: ignore[arg-type]
                raise ParameterError(
                    f"ConditionalInformation got {name}={value!r}, but {words} 0 or more, and finite; choose such a "
                    "number."
                )

    def check(self, view: View, columns: Sequence[int]) -> None:
        """Refuse a target that is not of classes, and weights."""
        GTest().check(view, columns)
        if view.whole().weight is not None:
            raise RequirementError(
                "ConditionalInformation got rows with weights, but shuffles rows of equal weight; leave the weights "
                "out, or use GTest."
            )

    def short_of_rows(self, view: View, x: int, given: Sequence[int], target: int) -> bool:
        """Return whether the numbers of levels say that rows are too few."""
        return GTest(self.h).short_of_rows(view, x, given, target)

    def most_given(self, view: View, x: int, target: int, pool: Sequence[int]) -> int:
        """Return how many columns of a pool can be given at most, so that some answer about a pair is reliable."""
        return GTest(self.h).most_given(view, x, target, pool)

    def answer(self, view: View, candidates: tuple[int, ...], given: tuple[int, ...], target: int) -> Answers:
        """Count all candidates against the target, and against its shuffles."""
        if self.n_permutations == 0:
            tails = GTest(self.h).answer(view, candidates, given, target)
            return tails._replace(statistic=tails.statistic / (2.0 * view.n_rows))
        block = view.whole()
        summary = CountsInStrata(candidates, given, target, view.n_classes)
        found = summary.tables(block, *summary.combinations(block), 0, len(candidates))
        seen = StrataTables.of(found, found.counts.table)
        kept = self.memory(view).kept
        logs = kept.get("logs") or kept.setdefault("logs", CountLogs.up_to(block.n_rows))
        seed = [self.random_state, target + 1, *(j + 1 for j in given)]
        more = [self._more(seen, k, logs, np.random.default_rng([*seed, j + 1])) for k, j in enumerate(candidates)]
        pvalue = np.where(seen.dof > 0, (1.0 + np.array(more)) / (1.0 + self.n_permutations), 1.0)
        reliable = block.n_rows >= self.h * seen.n_cells
        value = seen.likelihood_ratio(logs) / (2.0 * block.n_rows)
        return Answers(pvalue, value, seen.dof.astype(np.float64), reliable)

    def _more(self, seen: StrataTables, k: int, logs: CountLogs, rng: np.random.Generator) -> int:
        """Return of how many shuffles the information of a candidate is at least as large.

        All shuffles have the margins of what was seen, so that the sums over the cells of all strata decide.
        """
        wanted, sums = 0, np.zeros(self.n_permutations, np.int64)
        for table in np.split(seen.counts.of(k), seen.starts[1:], axis=1):
            table = table[table.any(axis=1)]
            if min(table.shape) < 2:
                continue
            wanted += int(logs.of(table).sum())
            margins, step = (table.sum(axis=1), table.sum(axis=0)), max(1, MOST_CELLS // table.size)
            for start in range(0, self.n_permutations, step):
                some = sums[start : start + step]
                some += logs.of(random_table.rvs(*margins, size=len(some), random_state=rng)).sum(axis=(1, 2))
        return int(np.count_nonzero(sums >= wanted))

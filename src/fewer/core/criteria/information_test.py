"""A test of independence by conditional mutual information, with permutations within strata."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np

from fewer.core.criteria.g_test import GTest
from fewer.core.criteria.independence_contract import Answers, IndependenceTest
from fewer.core.measures.count_logs import CountLogs
from fewer.core.measures.stratified import StrataTables
from fewer.core.records.errors import ParameterError, RequirementError
from fewer.core.summaries.strata import CountsInStrata
from fewer.core.views.view import View


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
        Seed; the shuffles depend on it, the given columns and the target only.

    Notes
    -----
    Rows must be in memory. Informations are compared in whole numbers, so that equal ones are equal. The p-value of
    a question asked the other way round would differ by chance; the first answer is kept.
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
            if not isinstance(value, kind) or not float(value) >= 0:  # type: ignore[arg-type]
                raise ParameterError(
                    f"ConditionalInformation got {name}={value!r}, but {words} 0 or more; choose such a number."
                )

    def check(self, view: View, columns: Sequence[int]) -> None:
        """Refuse a target that is not of classes, and weights."""
        GTest().check(view, columns)
        if view.whole().weight is not None:
            raise RequirementError(
                "ConditionalInformation got rows with weights, but shuffles rows of equal weight; leave the weights "
                "out, or use GTest."
            )

    def answer(self, view: View, candidates: tuple[int, ...], given: tuple[int, ...], target: int) -> Answers:
        """Count all candidates against the target, and against its shuffles."""
        if self.n_permutations == 0:
            found = GTest(self.h).answer(view, candidates, given, target)
            return found._replace(statistic=found.statistic / (2.0 * view.n_rows))
        block = view.whole()
        summary = CountsInStrata(candidates, given, target, view.n_classes)
        cells, other = summary.combinations(block)
        kept = self.memory(view).kept
        logs = kept.get("logs") or kept.setdefault("logs", CountLogs.up_to(block.n_rows))

        def tables(numbers: np.ndarray) -> StrataTables:
            found = summary.tables(block, cells, numbers, 0, len(candidates))
            return StrataTables.of(found, found.counts.table)

        seen = tables(other)
        value, more = seen.likelihood_ratio(logs), np.zeros(len(candidates))
        shuffle = _Shuffles(
            seen, other, np.random.default_rng([self.random_state, target + 1, *(j + 1 for j in given)])
        )
        for _ in range(self.n_permutations):
            more += tables(shuffle.next()).likelihood_ratio(logs) >= value
        pvalue = np.where(seen.dof > 0, (1.0 + more) / (1.0 + self.n_permutations), 1.0)
        reliable = block.n_rows >= self.h * seen.n_cells
        return Answers(pvalue, value / (2.0 * block.n_rows), seen.dof.astype(np.float64), reliable)


class _Shuffles:
    """Numbers of combinations, shuffled among the rows of every stratum: the strata stay, the target changes places."""

    def __init__(self, tables: StrataTables, other: np.ndarray, rng: np.random.Generator) -> None:
        width = tables.target_levels
        stratum = np.repeat(np.arange(len(width)), width)[other]
        self.rows, self.rng = np.argsort(stratum, kind="stable"), rng
        self.stratum, self.sorted = stratum[self.rows], other[self.rows]

    def next(self) -> np.ndarray:
        """Return the next shuffle."""
        order = np.lexsort((self.rng.random(len(self.rows)), self.stratum))
        out = np.empty_like(self.sorted)
        out[self.rows] = self.sorted[order]
        return out

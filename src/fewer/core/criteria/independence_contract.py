"""The contract of a test of independence: asked in batches, remembered per fit, honest about too few rows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

import numpy as np

from fewer.core.records.errors import ParameterError, RequirementError
from fewer.core.summaries.strata import CLASSES
from fewer.core.views.view import View

# The number of y where columns are listed, among the candidates as well as among the given ones.
Y = CLASSES


class Answers(NamedTuple):
    """What a test says of every candidate, in the order in which they were asked.

    Attributes
    ----------
    pvalue : ndarray of float64
        Probability of a statistic as large as this if the candidate is independent of the target.
    statistic : ndarray of float64
        Larger is farther from independence; tells apart p-values that are 0 in floating point.
    dof : ndarray of float64
        Degrees of freedom; with none nothing could vary, the statistic is 0 and the p-value 1.
    reliable : ndarray of bool
        Whether there were rows enough. Where not, the p-value means little: it shows neither independence nor
        dependence.
    """

    pvalue: np.ndarray
    statistic: np.ndarray
    dof: np.ndarray
    reliable: np.ndarray


@dataclass
class Memory:
    """The questions of one fit and their answers.

    Attributes
    ----------
    asked, computed : int
        How many questions were asked, and how many of them were not known before.
    known : dict
        Answers by the given columns, then by the unordered pair.
    kept : dict
        What a test keeps beside the answers, such as products of columns.
    """

    asked: int = 0
    computed: int = 0
    known: dict[frozenset[int], dict[tuple[int, int], tuple[float, float, float, bool]]] = field(default_factory=dict)
    kept: dict[Any, Any] = field(default_factory=dict)


class IndependenceTest(ABC):
    """Base of all tests of conditional independence.

    A test is a small value (a frozen dataclass): tests of equal options share the memory of a view. Subclasses write
    `answer`; the base checks the question, looks it up and remembers it.

    Attributes
    ----------
    requires : tuple of str
        The views it can read: "dense", "sparse", "codes", "sparse codes".
    needs_all_rows : bool
        Whether all rows must be in memory, rather than summaries that add up.
    """

    requires: ClassVar[tuple[str, ...]] = ("codes", "sparse codes")
    needs_all_rows: ClassVar[bool] = False

    @abstractmethod
    def answer(self, view: View, candidates: tuple[int, ...], given: tuple[int, ...], target: int) -> Answers:
        """Test candidates against a target; columns are ascending and distinct, only ``given`` and ``target`` may be Y.

        A subclass need not look for repeated questions.
        """

    def check(self, view: View, columns: Sequence[int]) -> None:
        """Raise in one sentence if the test cannot use these columns of the view; by default it can use all."""

    def memory(self, view: View) -> Memory:
        """Return the questions that this test was asked about a view, with how many they were."""
        key = ("independence", self)
        if key not in view._memo:
            view._memo[key] = Memory()
        return view._memo[key]

    def pvalues(
        self,
        view: View,
        candidates: Sequence[int] | np.ndarray,
        given: Sequence[int] | np.ndarray = (),
        target: int | None = None,
    ) -> Answers:
        """Test every candidate for independence of the target, given the same other columns.

        Parameters
        ----------
        view : View
            The data, of a kind that the test requires.
        candidates : sequence of int
            Columns to test; Y (-1) is the target of the view.
        given : sequence of int, default=()
            Columns that are known; Y may be among them. Their order does not matter.
        target : int, default=None
            The column to test against; None is Y.

        Returns
        -------
        Answers
            One entry per candidate. A test is symmetric: a question that was asked the other way round is known.
        """
        against = Y if target is None else int(target)
        asked, known_columns = [int(j) for j in candidates], frozenset(int(j) for j in given)
        self._check_question(view, asked, known_columns, against)
        memory = self.memory(view)
        known = memory.known.setdefault(known_columns, {})
        new = sorted({j for j in asked if pair_of(j, against) not in known})
        memory.asked += len(asked)
        memory.computed += len(new)
        # The test is symmetric: where y is a candidate, the target takes its place.
        for some, other in (([j for j in new if j != Y], against), ([against] * (Y in new), Y)):
            if some:
                found = self.answer(view, tuple(some), tuple(sorted(known_columns)), other)
                rows = zip(*(column.tolist() for column in found))
                known.update(zip((pair_of(j, other) for j in some), rows))
        answers = [known[pair_of(j, against)] for j in asked]
        columns = np.array(answers, dtype=np.float64).reshape(-1, 4).T
        return Answers(columns[0], columns[1], columns[2], columns[3] > 0)

    def enough_rows(
        self, view: View, candidates: Sequence[int], given: Sequence[int] = (), target: int | None = None
    ) -> np.ndarray:
        """Return of which candidates an answer would be reliable; a test that can tell so without asking does."""
        return self.pvalues(view, candidates, given, target).reliable

    def short_of_rows(self, view: View, x: int, given: Sequence[int], target: int) -> bool:
        """Return whether it is known beforehand that rows are too few for an answer; by default it is not."""
        return False

    def most_given(self, view: View, x: int, target: int, pool: Sequence[int]) -> int:
        """Return how many columns of a pool can be given at most, so that some answer about a pair is reliable."""
        return len(pool)

    def first_separating(
        self, view: View, x: int, target: int, givens: Sequence[tuple[int, ...]], alpha: float
    ) -> tuple[int, Answers]:
        """Ask about one pair given one set of columns after another, up to the first that separates it.

        Parameters
        ----------
        view : View
            The data.
        x, target : int
            The pair.
        givens : sequence of tuple of int
            The sets, in the order in which they are asked.
        alpha : float
            A set separates if the answer is reliable and its p-value above this.

        Returns
        -------
        place : int
            Place of the first set that separates, -1 if none does.
        answers : Answers
            One entry per set up to there. Where an answer is not reliable its p-value may be NaN.
        """
        found: list[Answers] = []
        for place, given in enumerate(givens):
            if self.short_of_rows(view, x, given, target):
                found.append(Answers(np.array([np.nan]), np.zeros(1), np.zeros(1), np.zeros(1, bool)))
                continue
            found.append(self.pvalues(view, [x], given, target))
            if found[-1].reliable[0] and found[-1].pvalue[0] > alpha:
                return place, _joined(found)
        return -1, _joined(found)

    def strength(self, answers: Answers) -> np.ndarray:
        """Return how far from independence answers are, in a unit that tests of other degrees of freedom share."""
        return answers.statistic

    def _check_question(self, view: View, candidates: list[int], given: frozenset[int], target: int) -> None:
        """Refuse what is no question, or none that this test can answer about this view."""
        name, columns = type(self).__name__, [*candidates, *given, target]
        if view.kind not in self.requires:
            raise RequirementError(
                f"{name} reads {' or '.join(self.requires)}, but the view holds {view.kind}; "
                "discretize numbers for a test that counts, and pass numbers to one that correlates."
            )
        wrong = [j for j in columns if not Y <= j < view.n_features]
        if wrong:
            raise ParameterError(
                f"{name} was asked about column {wrong[0]}, but the view has columns 0 to {view.n_features - 1} and "
                f"{Y} for y; correct the question."
            )
        repeated = [j for j in columns if j in given and (j in candidates or j == target)]
        repeated += [j for j in candidates if j == target]
        if repeated:
            raise ParameterError(
                f"{name} was asked about column {repeated[0]} in two roles, but a column is a candidate, given or the "
                "target; leave it out of the others."
            )
        self.check(view, columns)


def _joined(answers: list[Answers]) -> Answers:
    if not answers:
        none = np.empty(0)
        return Answers(none, none, none, none > 0)
    return Answers(*(np.concatenate(columns) for columns in zip(*answers)))


def pair_of(first: int, second: int) -> tuple[int, int]:
    """Return two columns in ascending order, as answers are remembered by."""
    return (first, second) if first < second else (second, first)

"""Questions of independence as searches for blankets ask them: verdicts, separators, and what decided."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations, islice
from typing import NamedTuple

import numpy as np

from fewer.core.criteria.independence_contract import Answers, IndependenceTest, Y, pair_of
from fewer.core.criteria.information_test import ConditionalInformation
from fewer.core.views.view import View

# Sets that are handed over at once, and those of a first try: most separators are among the first sets.
FIRST_SETS, MOST_SETS = 16, 1024
# Sums of floats may differ by less than this between runners, and p-values with them.
CLOSE = 1e-9


class Asked(NamedTuple):
    """One answer: what was given, the p-value, how strong the dependence is, and whether there were rows enough.

    ``dependent`` and ``independent`` are both False where there were not: such an answer says nothing. ``free`` says
    whether anything could vary: if not, the given columns determine one of the pair.
    """

    given: tuple[int, ...]
    pvalue: float
    strength: float
    reliable: bool
    dependent: bool
    free: bool = True

    @property
    def independent(self) -> bool:
        """Whether the pair was found to be independent."""
        return self.reliable and not self.dependent

    @property
    def order(self) -> tuple[float, float]:
        """Sorts by falling association: by p-value, and by strength where p-values are 0 in floating point."""
        return (self.pvalue, -self.strength)


@dataclass
class Questions:
    """Asks one test about one view, at one level, and keeps what decided.

    Parameters
    ----------
    view : View
        The data, as the test reads them.
    test : IndependenceTest
        What is asked.
    alpha : float
        A reliable p-value above this says independent, any other reliable one dependent.
    max_k : int or None
        Most columns that are given when a separator is searched; None for no bound.
    called : str
        Name of y.

    Attributes
    ----------
    separators : dict
        The answer that separated a pair, by the pair in ascending order; the first one found.
    weakest : dict
        The weakest dependence found of a pair that no set separated so far.
    unsure : dict
        The last answer about a pair for which rows were too few.
    determined : set
        Pairs of which a separator was passed over because it determines one of them.
    near_alpha : int
        How many reliable p-values were within 1e-9 of alpha: rounding, and so the runner, may decide them. P-values by
        permutations count if they are at most one step of their grid away: one shuffle more or less may decide them.
    remarks : list of str
        What a search has to say about the whole result, such as why it ended.
    """

    view: View
    test: IndependenceTest
    alpha: float = 0.05
    max_k: int | None = 3
    called: str = "y"
    separators: dict[tuple[int, int], Asked] = field(default_factory=dict)
    weakest: dict[tuple[int, int], Asked] = field(default_factory=dict)
    unsure: dict[tuple[int, int], Asked] = field(default_factory=dict)
    determined: set[tuple[int, int]] = field(default_factory=set)
    near_alpha: int = 0
    remarks: list[str] = field(default_factory=list)
    _copies: dict[tuple[int, int], bool] = field(default_factory=dict, repr=False)

    def others(self, target: int) -> list[int]:
        """Return all columns but one, y first."""
        return [j for j in range(Y, self.view.n_features) if j != target]

    def ask(self, candidates: Sequence[int], given: Sequence[int], target: int) -> list[Asked]:
        """Ask about all candidates given the same columns."""
        given = tuple(sorted(given))
        answers = self._watched(self.test.pvalues(self.view, candidates, given, target))
        found = self._read(answers, [given] * len(candidates), candidates, target)
        for j, asked in zip(candidates, found):
            self._note(pair_of(j, target), asked)
        return found

    def first_separator(
        self,
        x: int,
        target: int,
        pool: Sequence[int],
        sizes: Iterable[int],
        must: tuple[int, ...] = (),
        free_only: bool = False,
    ) -> Asked | None:
        """Return the answer of the first subset of the pool that separates a pair, smaller ones first, or None.

        Parameters
        ----------
        x, target : int
            The pair.
        pool : sequence of int
            What may be given, in the order in which subsets are formed.
        sizes : iterable of int
            Sizes of the subsets.
        must : tuple of int
            Given in every one of them; they count for the size.
        free_only : bool
            Whether to pass over sets that determine one of the pair, given which nothing can vary.
        """
        reach = self.test.most_given(self.view, x, target, [*must, *pool])
        most = reach if self.max_k is None else min(reach, self.max_k)
        for size in sizes:
            if not len(must) <= size <= min(most, len(must) + len(pool)):
                continue
            sets, at_once = combinations(pool, size - len(must)), FIRST_SETS
            while some := [(*must, *given) for given in islice(sets, at_once)]:
                while some:
                    found, some = self._first(some, x, target, free_only)
                    if found is not None:
                        return found
                at_once = MOST_SETS
        return None

    def _first(
        self, givens: list[tuple[int, ...]], x: int, target: int, free_only: bool
    ) -> tuple[Asked | None, list[tuple[int, ...]]]:
        """Return the first answer that separates, if any, and the sets that are still to be asked."""
        place, answers = self.test.first_separating(self.view, x, target, givens, self.alpha)
        answers, pair = self._watched(answers), pair_of(x, target)
        if place >= 0:
            one = Answers(*(column[place : place + 1] for column in answers))
            found = self._read(one, [givens[place]], [x], target)[0]
            if free_only and found.independent and not found.free:
                self.determined.add(pair)
                return None, givens[place + 1 :]
            self._note(pair, found)
            return (found, []) if found.independent else (None, givens[place + 1 :])
        reliable = np.flatnonzero(answers.reliable)
        if len(reliable):
            # Of the dependences that were found the weakest is kept.
            least = reliable[answers.pvalue[reliable] == answers.pvalue[reliable].max()]
            k = int(least[0])
            if len(least) > 1:
                k = int(least[np.argmin(self.test.strength(Answers(*(column[least] for column in answers))))])
            one = Answers(*(column[k : k + 1] for column in answers))
            self._note(pair, self._read(one, [givens[k]], [x], target)[0])
        return None, []

    def _watched(self, answers: Answers) -> Answers:
        near = np.abs(answers.pvalue - self.alpha) < CLOSE + self.step
        self.near_alpha += int(np.count_nonzero(answers.reliable & near))
        return answers

    @property
    def step(self) -> float:
        """How far apart neighbouring p-values are, where permutations make them: 1 / (1 + n_permutations)."""
        if isinstance(self.test, ConditionalInformation) and self.test.n_permutations:
            return 1.0 / (1 + self.test.n_permutations)
        return 0.0

    def _read(
        self, answers: Answers, givens: Sequence[tuple[int, ...]], candidates: Sequence[int], target: int
    ) -> list[Asked]:
        reliable = answers.reliable.copy()
        for k in np.flatnonzero(reliable & (answers.dof <= 0)).tolist():
            if givens[k] and self._copied(candidates[k], target, givens[k]):
                reliable[k] = False
        dependent = reliable & (answers.pvalue <= self.alpha)
        columns = (answers.pvalue, self.test.strength(answers), reliable, dependent, answers.dof > 0)
        return [Asked(tuple(sorted(given)), *row) for given, row in zip(givens, zip(*(c.tolist() for c in columns)))]

    def _copied(self, x: int, target: int, given: tuple[int, ...]) -> bool:
        """Return whether one of the pair has nothing left to vary because a copy of higher number is given.

        Else each of two copies would separate the other from all that depends on both, and both would be lost; so it
        says nothing, and the lower number stays.
        """
        return any(z > a != Y and self._are_copies(a, z, b) for z in given for a, b in ((x, target), (target, x)))

    def _are_copies(self, a: int, z: int, other: int) -> bool:
        if (a, z) not in self._copies:
            both = ((z, a), (a, z))
            self._copies[a, z] = all(
                self.test.pvalues(self.view, [one], (two,), other).dof[0] <= 0 for one, two in both
            )
        return self._copies[a, z]

    def _note(self, pair: tuple[int, int], asked: Asked) -> None:
        if not asked.reliable:
            self.unsure[pair] = asked
        elif not asked.dependent:
            self.separators.setdefault(pair, asked)
        elif pair not in self.weakest or asked.order > self.weakest[pair].order:
            self.weakest[pair] = asked

    def by_association(self, candidates: Sequence[int], target: int) -> list[int]:
        """Return the candidates that depend on the target alone, the strongest first, ties by the lower number."""
        found = self.ask(candidates, (), target)
        return [j for _, j in sorted((asked.order, j) for j, asked in zip(candidates, found) if asked.dependent)]

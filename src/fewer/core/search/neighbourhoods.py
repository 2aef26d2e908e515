"""Parents and children of a target, and the blanket that follows from those of several."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import combinations

from fewer.core.criteria.independence_contract import pair_of
from fewer.core.search.questions import Asked, Questions
from fewer.core.search.twins import readmitted, strongest_lost, twins_of


def interleaved_neighbours(questions: Questions, target: int) -> list[int]:
    """Return who may be a parent or a child (HITON-PC): whoever comes, all are looked at again.

    Candidates come by falling association. After each, everyone leaves for good whom a subset of the others separates
    from the target; only subsets that hold the newcomer are new to those who were there before.
    """
    members: list[int] = []
    for newcomer in questions.by_association(questions.others(target), target):
        sizes = range(1, len(members) + 1)
        if questions.first_separator(newcomer, target, members, sizes) is not None:
            continue
        members.append(newcomer)
        for j in members[:-1]:
            rest = [i for i in members if i not in (j, newcomer)]
            if questions.first_separator(j, target, rest, range(1, len(rest) + 2), (newcomer,)) is not None:
                members.remove(j)
    return members


def max_min_neighbours(questions: Questions, target: int) -> list[int]:
    """Return who may be a parent or a child (MMPC): next comes whose weakest dependence is strongest.

    A candidate that some subset of the members separates is never looked at again; of the others the weakest
    dependence is kept, and only subsets that hold the newest member are asked. At last members leave that a subset of
    the others separates.
    """
    candidates = questions.by_association(questions.others(target), target)
    least: dict[int, Asked] = {}
    if candidates:
        least = dict(zip(candidates, questions.ask(candidates, (), target)))
    members: list[int] = []
    while least:
        newest = min(least, key=lambda j: (least[j].order, j))
        del least[newest]
        before, members = members, [*members, newest]
        most = len(members) if questions.max_k is None else min(questions.max_k, len(members))
        for size in range(1, most + 1):
            for some in combinations(before, size - 1):
                _narrow(questions, least, (*some, newest), target)
    for j in list(members):
        rest = [i for i in members if i != j]
        if questions.first_separator(j, target, rest, range(1, len(rest) + 1)) is not None:
            members.remove(j)
    return members


def _narrow(questions: Questions, least: dict[int, Asked], given: tuple[int, ...], target: int) -> None:
    """Drop candidates that are independent given some members; keep the weakest dependence of the others."""
    left = list(least)
    for j, asked in zip(left, questions.ask(left, given, target) if left else []):
        if asked.independent:
            del least[j]
        elif asked.reliable and asked.order > least[j].order:
            least[j] = asked


@dataclass
class Neighbourhoods:
    """The parents and children of any column, each found once, and what follows from them.

    Parameters
    ----------
    questions : Questions
        Whom to ask.
    find : callable
        Returns who may be a parent or a child of a column, such as `interleaved_neighbours`.
    symmetry : bool
        Whether a column is kept only if the target is found from there, too: its parents may separate it from the
        target where those of the target do not.

    Attributes
    ----------
    found : dict
        Who was found from a column.
    back : dict
        Who was lost together with near copies and came back, with these, by target.
    """

    questions: Questions
    find: Callable[[Questions, int], list[int]]
    symmetry: bool = True
    found: dict[int, list[int]] = field(default_factory=dict)
    back: dict[int, dict[int, list[int]]] = field(default_factory=dict)

    def one_way(self, target: int) -> list[int]:
        """Return who was found from the target."""
        if target not in self.found:
            self.found[target] = self.find(self.questions, target)
        return self.found[target]

    def of(self, target: int) -> list[int]:
        """Return parents and children of a column, the strongest first, then those that came back.

        Near copies may each separate the others from the target: one is found from there, but not the target from it.
        """
        kept = [j for j in self.one_way(target) if self._mutual(j, target)]
        lost = [j for j in self.one_way(target) if j not in kept]
        self.back[target] = readmitted(self.questions, target, kept, lost)
        return [*kept, *self.back[target]]

    def blanket(self, target: int, all_of_it: bool = True) -> tuple[list[int], dict[int, tuple[int, Asked]]]:
        """Return parents and children of a column, and its spouses as `spouses` does.

        As long as someone outside depends clearly on the target given all of them, it comes back as a neighbour.

        Parameters
        ----------
        target : int
            The column.
        all_of_it : bool
            Whether spouses are wanted; if not, they are looked for only where someone may have to come back.
        """
        near = self.of(target)
        back = self.back[target]
        while True:
            if not all_of_it and strongest_lost(self.questions, target, near, back) is None:
                return near, {}
            spouses = self.spouses(target, near)
            found = strongest_lost(self.questions, target, [*near, *spouses], back)
            if found is None:
                return near, spouses
            near = [*near, found[0]]
            back[found[0]] = found[1]

    def _mutual(self, j: int, target: int) -> bool:
        """Return whether the target is found from a neighbour, too.

        If only columns that determine the neighbour separate the two, that is no reason to doubt it: whatever is
        determined is independent of everything then.
        """
        if not self.symmetry or target in self.one_way(j):
            return True
        separator = self.questions.separators.get(pair_of(j, target))
        return separator is not None and not separator.free

    def spouses(self, target: int, neighbours: list[int]) -> dict[int, tuple[int, Asked]]:
        """Return the other parents of children, each with a child and the answer that showed it.

        A neighbour of a neighbour that some set separates from the target, but that depends on it when the neighbour
        is given as well, is another cause of that neighbour.
        """
        out: dict[int, tuple[int, Asked]] = {}
        for child in neighbours:
            for j in self.one_way(child):
                if j == target or j in neighbours or j in out:
                    continue
                separator = self._separator(j, target)
                if separator is None or child in separator.given:
                    continue
                asked = self.questions.ask([j], (*separator.given, child), target)[0]
                if asked.dependent and (self._mutual(j, child) or self._alone(j, child, [*neighbours, *out])):
                    out[j] = (child, asked)
        return out

    def _alone(self, j: int, child: int, there: list[int]) -> bool:
        """Return whether a column was lost to a child by near copies only, none of which is there."""
        twins = twins_of(self.questions, j, child)
        return bool(twins) and not set(twins) & set(there)

    def _separator(self, j: int, target: int) -> Asked | None:
        """Return what separates a pair: as it was found, or else a subset of the neighbours of either.

        A set that determines one of the pair says nothing about what they have in common, so it does not count.
        """
        questions, pair = self.questions, pair_of(j, target)
        found = questions.separators.get(pair)
        for node in (target, j):
            if found is not None and found.free:
                return found
            pool = [i for i in self.one_way(node) if i not in pair]
            found = questions.first_separator(j, target, pool, range(len(pool) + 1), free_only=True)
        return found

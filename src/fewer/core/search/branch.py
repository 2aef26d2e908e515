"""Branch and bound: the optimum of a monotone criterion without looking at all subsets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fewer.core.search.contract import SubsetSearch
from fewer.core.search.evaluations import Evaluations
from fewer.core.search.found import Found
from fewer.core.search.units import Subset, without


@dataclass(frozen=True)
class BranchAndBound(SubsetSearch):
    """Find the best subset of a criterion that never falls when a unit joins (Narendra and Fukunaga 1977).

    A tree takes units away one by one from all of them. What a node is worth bounds all below it, so that a node no
    better than the best subset of the wanted size is cut off. Branches without the units that matter most come first
    in size and are cut off soonest; the search dives where least is lost, so that the bound is good early. If smaller
    subsets are allowed it goes on to the smallest that is worth as much.

    Notes
    -----
    Of equally good subsets of the same size the first one found is kept, which need not have the lowest numbers.
    """

    needs_monotone: ClassVar[bool] = True

    def search(self, evaluations: Evaluations, rng: np.random.Generator) -> None:
        """Find the optimum of the largest allowed size, then look for smaller subsets as good."""
        everything = tuple(range(evaluations.n_units))
        evaluations.value(everything)
        evaluations.walk(everything)
        tree = _Tree(evaluations, everything)
        size: int | None = evaluations.high
        while size is not None and size >= evaluations.low:
            found = tree.best(size)
            size = None if found is None else size - 1


class _Tree:
    """The tree of removals; ``bound`` is the best subset of the wanted size so far."""

    def __init__(self, evaluations: Evaluations, everything: Subset) -> None:
        self.evaluations, self.everything = evaluations, everything
        self.bound: Found | None = None

    def best(self, size: int) -> Found | None:
        """Return the best subset of a size, or None if it is worse than that of the size before."""
        before = self.bound
        self.wanted = None if before is None else before.value
        self.bound = None
        if size == len(self.everything):
            self._reach(self.everything, self.evaluations.value(self.everything))
        else:
            self._branch(self.everything, np.array(self.everything, dtype=np.int64), len(self.everything) - size)
        return self.bound

    def _cut(self, value: float) -> bool:
        """Return whether nothing of use can be below a node of this value."""
        if self.wanted is not None and (value < self.wanted or self.bound is not None):
            return True
        return self.bound is not None and value <= self.bound.value

    def _reach(self, subset: Subset, value: float) -> None:
        if not self._cut(value):
            self.bound = Found(subset, value)
            self.evaluations.walk(subset)

    def _branch(self, subset: Subset, removable: np.ndarray, to_remove: int) -> None:
        """Take ``to_remove`` more units away, in an order in which no subset comes twice."""
        # A stack of its own: there may be more units than Python allows nested calls.
        stack = [self._children(subset, removable, to_remove)]
        while stack:
            child = next(stack[-1], None)
            if child is None:
                stack.pop()
            elif len(stack) == to_remove:
                self._reach(child[0], child[1])
            else:
                stack.append(self._children(child[0], child[2], to_remove - len(stack)))

    def _children(
        self, subset: Subset, removable: np.ndarray, to_remove: int
    ) -> Iterator[tuple[Subset, float, np.ndarray]]:
        """Yield subsets without one more unit, their values, and the units that may leave below; until all are cut."""
        values = self.evaluations.removed(subset, removable)
        order = np.argsort(values, kind="stable")
        # The i-th child may only lose units after i in this order: the lowest child has the largest tree.
        for i in range(len(order) - to_remove, -1, -1):
            value = float(values[order[i]])
            if self._cut(value):
                return
            yield without(subset, int(removable[order[i]])), value, removable[order[i + 1 :]]

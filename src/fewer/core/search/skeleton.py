"""The whole graph by separators: which columns are joined, and which directions follow (PC)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fewer.core.criteria.independence_contract import Y, pair_of
from fewer.core.graphs.patterns import completed
from fewer.core.search.questions import Questions


@dataclass(frozen=True, eq=False)
class Pattern:
    """A graph in which some edges have a direction.

    Attributes
    ----------
    marks : ndarray of bool, shape (n_features + 1, n_features + 1)
        Entry (i, j) says whether an edge leaves i for j; one without direction leaves both ways. y is the last.
    colliders : tuple of tuple of int
        The triples a -> c <- b of which a and b are not joined, a < b.
    conflicts : frozenset of tuple of int
        Edges, in ascending order, that two colliders direct in opposite ways; the first one won.
    """

    marks: np.ndarray
    colliders: tuple[tuple[int, int, int], ...]
    conflicts: frozenset[tuple[int, int]]

    def neighbours(self, node: int) -> list[int]:
        """Return who is joined to a node, y as -1."""
        return [_column(j, len(self.marks)) for j in np.flatnonzero(self.marks[node] | self.marks[:, node]).tolist()]

    def spouses(self, node: int) -> dict[int, int]:
        """Return the other ends of colliders that begin at a node, each with the first collider between."""
        out: dict[int, int] = {}
        for a, c, b in self.colliders:
            for end, other in ((a, b), (b, a)):
                if end == node:
                    out.setdefault(other, c)
        return out

    def edges(self) -> list[tuple[int, int, str]]:
        """Return both ends of every edge, y as -1, and how it is drawn: "->", "--", with "!" where colliders differ."""
        out = []
        for a, b in np.argwhere(np.triu(self.marks | self.marks.T)).tolist():
            ends = (_column(a, len(self.marks)), _column(b, len(self.marks)))
            word = "!" if pair_of(*ends) in self.conflicts else ""
            both = self.marks[a, b] and self.marks[b, a]
            out.append((*(ends if self.marks[a, b] else ends[::-1]), ("--" if both else "->") + word))
        return out


def pc_pattern(questions: Questions) -> Pattern:
    """Return the graph that the algorithm PC finds, in its stable version, whatever the order of the columns."""
    joined, at_size = skeleton(questions)
    nodes = sorted(joined)
    n = len(nodes)
    marks = np.zeros((n, n), bool)
    for a in nodes:
        marks[a, list(joined[a])] = True
    colliders = tuple(
        (a, c, b)
        for c in nodes
        for a in sorted(joined[c])
        for b in sorted(joined[c])
        if a < b and b not in joined[a] and not _separates(questions, a, c, b, at_size)
    )
    conflicts: set[tuple[int, int]] = set()
    for a, c, b in colliders:
        # Where another collider has directed an edge the other way, the first one stands and the second does not count.
        against = {pair_of(end, c) for end in (a, b) if not marks[end, c]}
        conflicts |= against
        if not against:
            marks[c, a] = marks[c, b] = False
    return Pattern(completed(marks), colliders, frozenset(conflicts))


def _separates(questions: Questions, a: int, c: int, b: int, at_size: dict[int, dict[int, list[int]]]) -> bool:
    """Return whether some set that was looked at separates two columns and holds a third, so that it is no collider.

    The first set that was found may lack the third by chance: given both, a collider would make the two dependent.
    Others of the size of the first are asked, too.
    """
    given = questions.separators[pair_of(a, b)].given
    if c in given or questions.ask([a], (*given, c), b)[0].independent:
        return True
    if not given:
        return False
    near = at_size[len(given)]
    pools = [[j for j in near[end] if j not in (a, b, c)] for end in (a, b) if c in near[end]]
    return any(questions.first_separator(a, b, pool, (len(given),), (c,)) is not None for pool in pools)


def skeleton(questions: Questions) -> tuple[dict[int, set[int]], dict[int, dict[int, list[int]]]]:
    """Return who is joined to every column: those pairs that no subset of the neighbours of one of them separates.

    Subsets grow one by one; the neighbours are those at the beginning of each size, so that the order of the columns
    does not matter. These are returned, too, by size.
    """
    nodes = list(range(Y, questions.view.n_features))
    joined: dict[int, set[int]] = {a: set(nodes) - {a} for a in nodes}
    for place, a in enumerate(nodes[:-1]):
        others = nodes[place + 1 :]
        for b, asked in zip(others, questions.ask(others, (), a)):
            if asked.independent:
                _part(joined, a, b)
    at_size: dict[int, dict[int, list[int]]] = {}
    size, most = 1, len(nodes) if questions.max_k is None else questions.max_k
    while any(len(some) > size for some in joined.values()) and size <= most:
        frozen = at_size[size] = {a: sorted(some) for a, some in joined.items()}
        for a in nodes:
            for b in frozen[a]:
                pool = [j for j in frozen[a] if j != b]
                if b in joined[a] and questions.first_separator(a, b, pool, (size,)) is not None:
                    _part(joined, a, b)
        size += 1
    return joined, at_size


def _part(joined: dict[int, set[int]], a: int, b: int) -> None:
    joined[a].discard(b)
    joined[b].discard(a)


def _column(j: int, n: int) -> int:
    return Y if j == n - 1 else j

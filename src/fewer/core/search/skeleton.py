"""The whole graph by separators: which columns are joined, and which directions follow (PC)."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from fewer.core.criteria.independence_contract import Y, pair_of
from fewer.core.graphs.patterns import completed, cycles, unshielded
from fewer.core.search.questions import Questions
from fewer.core.search.twins import readmitted, strongest_lost

Pair = tuple[int, int]
Triple = tuple[int, int, int]


@dataclass(frozen=True, eq=False)
class Pattern:
    """A graph in which some edges have a direction.

    Attributes
    ----------
    marks : ndarray of bool, shape (n_features + 1, n_features + 1)
        Entry (i, j) says whether an edge leaves i for j; one without direction leaves both ways. y is the last.
    colliders : tuple of tuple of int
        The triples a -> c <- b of which a and b are not joined, a < b, that tests have shown.
    conflicts : frozenset of tuple of int
        Edges, in ascending order, about whose direction tests contradict each other.
    unseen : frozenset of tuple of int
        Edges of which no test with rows enough has shown a dependence: nothing has parted them, that is all.
    unclear : frozenset of tuple of int
        Edges that a collider might direct, but rows are too few to tell.
    cycles : tuple of tuple of int
        Columns that directed edges connect in circles.
    back : dict
        Who was lost together with near copies and came back, with these, by column.
    """

    marks: np.ndarray
    colliders: tuple[Triple, ...]
    conflicts: frozenset[Pair]
    unseen: frozenset[Pair] = frozenset()
    unclear: frozenset[Pair] = frozenset()
    cycles: tuple[tuple[int, ...], ...] = ()
    back: dict[int, dict[int, list[int]]] = field(default_factory=dict)

    def neighbours(self, node: int) -> list[int]:
        """Return who is joined to a node by an edge that was seen, y as -1."""
        near = [_column(j, len(self.marks)) for j in np.flatnonzero(self.marks[node] | self.marks[:, node]).tolist()]
        return [j for j in near if pair_of(node, j) not in self.unseen]

    def spouses(self, node: int) -> dict[int, int]:
        """Return the other ends of colliders that begin at a node, each with the first collider between.

        Only those count whose edges both lead into the middle: what the graph shows.
        """
        directed, out = self.marks & ~self.marks.T, dict[int, int]()
        for a, c, b in self.colliders:
            for end, other in ((a, b), (b, a)):
                if end == node and directed[a, c] and directed[b, c]:
                    out.setdefault(other, c)
        return out

    def edges(self) -> list[tuple[int, int, str]]:
        """Return both ends of every edge, y as -1, and how it is drawn.

        "->" and "--" with "!" where tests contradict each other, "--?" where rows are too few to tell the direction,
        and "?" where they are too few to tell whether there is an edge.
        """
        out = []
        for a, b in np.argwhere(np.triu(self.marks | self.marks.T)).tolist():
            ends = (_column(a, len(self.marks)), _column(b, len(self.marks)))
            out.append((*(ends if self.marks[a, b] else ends[::-1]), self._drawn(a, b, pair_of(*ends))))
        return out

    def _drawn(self, a: int, b: int, pair: Pair) -> str:
        if pair in self.unseen:
            return "?"
        both = self.marks[a, b] and self.marks[b, a]
        sign = "!" if pair in self.conflicts else "?" if both and pair in self.unclear else ""
        return ("--" if both else "->") + sign


def pc_pattern(questions: Questions) -> Pattern:
    """Return the graph that the algorithm PC finds, in its stable version.

    Which pairs some set parts does not depend on the order of the columns. Which set is found first does, and so may
    who comes back of near copies, and directions about which tests contradict each other.
    """
    joined, at_size = skeleton(questions)
    back = _restored(questions, joined)
    while True:
        pattern = _with_directions(questions, joined, at_size, back)
        found = strongest_lost(questions, Y, [*pattern.neighbours(Y), *pattern.spouses(Y)], back[Y])
        if found is None:
            return pattern
        _join(joined, Y, found[0])
        back[Y][found[0]] = found[1]


def _with_directions(
    questions: Questions,
    joined: dict[int, set[int]],
    at_size: dict[int, dict[int, list[int]]],
    back: dict[int, dict[int, list[int]]],
) -> Pattern:
    """Return the graph of who is joined, with the directions that follow."""
    nodes = sorted(joined)
    marks = np.zeros((len(nodes), len(nodes)), bool)
    for a in nodes:
        marks[a, list(joined[a])] = True
    unseen = frozenset((a, b) for a in nodes for b in joined[a] if a < b and (a, b) not in questions.weakest)
    verdicts = {
        (a, c, b): _is_collider(questions, a, c, b, at_size, unseen)
        for c in nodes
        for a in sorted(joined[c])
        for b in sorted(joined[c])
        if a < b and b not in joined[a]
    }
    colliders = tuple(triple for triple, verdict in verdicts.items() if verdict)
    conflicts, standing = _directed(marks, colliders)
    unclear = [triple for triple, verdict in verdicts.items() if verdict is None]
    open_triples = [*unclear, *(triple for triple in colliders if triple not in standing)]
    n = len(nodes)
    marks = completed(marks, [(a % n, c % n, b % n) for a, c, b in open_triples])
    conflicts |= _contradicted(marks, colliders, standing)
    circles = tuple(tuple(_column(j, n) for j in group) for group in cycles(marks))
    for group in circles:
        conflicts |= {pair_of(a, b) for a in group for b in group if marks[a, b] and not marks[b, a]}
    loose = frozenset(pair_of(end, c) for a, c, b in unclear for end in (a, b))
    return Pattern(marks, colliders, frozenset(conflicts), unseen, loose, circles, back)


def _directed(marks: np.ndarray, colliders: tuple[Triple, ...]) -> tuple[set[Pair], set[Triple]]:
    """Direct the edges of colliders; return edges that two of them direct in opposite ways, and those that stand.

    Where another collider has directed an edge the other way, the first one stands and the second does not count.
    """
    conflicts, standing = set[Pair](), set[Triple]()
    for a, c, b in colliders:
        against = {pair_of(end, c) for end in (a, b) if not marks[end, c]}
        conflicts |= against
        if not against:
            marks[c, a] = marks[c, b] = False
            standing.add((a, c, b))
    return conflicts, standing


def _contradicted(marks: np.ndarray, colliders: tuple[Triple, ...], standing: set[Triple]) -> set[Pair]:
    """Take back directions that followed by rules but make colliders that no test has shown; return these edges.

    That happens only where tests contradict each other.
    """
    n, out = len(marks), set[Pair]()
    shown = {pair_of(end, c) for a, c, b in standing for end in (a, b)}
    for a, c, b in unshielded(marks):
        ends = (*sorted((_column(a, n), _column(b, n))), _column(c, n))
        if (ends[0], ends[2], ends[1]) in colliders:
            continue
        for end in ends[:2]:
            out.add(pair_of(end, ends[2]))
            if pair_of(end, ends[2]) not in shown:
                marks[ends[2], end] = True
    return out


def _is_collider(
    questions: Questions, a: int, c: int, b: int, at_size: dict[int, dict[int, list[int]]], unseen: frozenset[Pair]
) -> bool | None:
    """Return whether two columns that are not joined meet in a third, or None if rows are too few to tell.

    They do not if some set that was looked at separates them and holds the third. The first set that was found may lack
    it by chance: given both, a collider makes the two dependent, which a test with rows enough must show. Other sets of
    the size of the first are asked, too.
    """
    given = questions.separators[pair_of(a, b)].given
    if c in given:
        return False
    if pair_of(a, c) in unseen or pair_of(b, c) in unseen:
        return None
    asked = questions.ask([a], (*given, c), b)[0]
    if asked.independent:
        return False if asked.free else None
    near = at_size.get(len(given), {})
    pools = [[j for j in near[end] if j not in (a, b, c)] for end in (a, b) if near and c in near[end]]
    if any(
        questions.first_separator(a, b, pool, (len(given),), (c,), free_only=True) is not None
        for pool in pools
        if given
    ):
        return False
    return True if asked.dependent else None


def skeleton(questions: Questions) -> tuple[dict[int, set[int]], dict[int, dict[int, list[int]]]]:
    """Return who is joined to every column: those pairs that no subset of the neighbours of one of them separates.

    Subsets grow one by one; the neighbours are those at the beginning of each size, so that the order of the columns
    does not matter. These are returned, too, by size. A set that determines one of a pair parts it only at last, if the
    set is still joined to both; otherwise columns that determine each other would all be lost.
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
                if b in joined[a] and questions.first_separator(a, b, pool, (size,), free_only=True) is not None:
                    _part(joined, a, b)
        size += 1
    # Pairs with y first, so that of copies of y one stays, the lowest.
    for a, b in sorted(questions.determined, key=lambda pair: (Y in pair, pair[::-1]), reverse=True):
        pool = sorted(joined[a] & joined[b])
        if b in joined[a] and questions.first_separator(a, b, pool, range(1, len(pool) + 1)) is not None:
            _part(joined, a, b)
    return joined, at_size


def _restored(questions: Questions, joined: dict[int, set[int]]) -> dict[int, dict[int, list[int]]]:
    """Join columns again that were lost together with near copies, each of which separated the others."""
    out = {}
    for target in sorted(joined):
        lost = [j for j in questions.others(target) if j not in joined[target]]
        out[target] = readmitted(questions, target, sorted(joined[target]), lost)
    # Only now, so that it does not matter who was looked at first.
    for target, back in out.items():
        for j in back:
            _join(joined, target, j)
    return out


def _join(joined: dict[int, set[int]], a: int, b: int) -> None:
    joined[a].add(b)
    joined[b].add(a)


def _part(joined: dict[int, set[int]], a: int, b: int) -> None:
    joined[a].discard(b)
    joined[b].discard(a)


def _column(j: int, n: int) -> int:
    return Y if j == n - 1 else j

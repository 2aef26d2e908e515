"""What data can tell of a graph: the edges, the colliders, and the directions that follow."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from scipy.sparse.csgraph import connected_components

from fewer.core.graphs.dag import DAG


def colliders(graph: DAG) -> list[tuple[int, int, int]]:
    """Return the triples a -> c <- b, a < b, in which a and b are not adjacent."""
    joined = graph.matrix | graph.matrix.T
    return [
        (a, c, b)
        for c, parents in enumerate(graph.parents)
        for place, a in enumerate(parents)
        for b in parents[place + 1 :]
        if not joined[a, b]
    ]


def cpdag(graph: DAG) -> np.ndarray:
    """Return the completed pattern of a graph: the edges that all graphs with the same independences agree on.

    Entry (i, j) says whether an edge leaves i for j; an edge without direction leaves both ways.
    """
    marks = graph.matrix | graph.matrix.T
    for a, c, b in colliders(graph):
        marks[c, a] = marks[c, b] = False
    return completed(marks)


def completed(marks: np.ndarray, unclear: Iterable[tuple[int, int, int]] = ()) -> np.ndarray:
    """Direct what follows from the directed edges, by the rules R1 to R3 of Meek (1995), until nothing changes.

    They suffice where the directed edges are those of all colliders: no new collider and no cycle may come about. For
    an edge a - b without direction, it becomes a -> b if

    1. c -> a, and c is not adjacent to b (or c -> a <- b would be a new collider),
    2. a -> c -> b (or there would be a cycle), or
    3. a - c -> b and a - d -> b, c and d not adjacent (or 1 and 2 would contradict each other).

    Parameters
    ----------
    marks : ndarray of bool
        Entry (i, j) says whether an edge leaves i for j; an edge without direction leaves both ways.
    unclear : iterable of tuple of int
        Triples (end, middle, end) that may be colliders for all that is known: rules 1 and 3 do not rest on them.
    """
    marks = marks.copy()
    # Ends that might meet in a middle are as good as adjacent to the rules.
    joined = marks | marks.T
    shielded = dict.fromkeys(range(len(marks)), joined)
    for end, middle, other in unclear:
        if shielded[middle] is joined:
            shielded[middle] = joined.copy()
        shielded[middle][end, other] = shielded[middle][other, end] = True
    changed = True
    while changed:
        changed = False
        for a, b in np.argwhere(marks & marks.T).tolist():
            # An edge that was directed in this round is not looked at again.
            if marks[a, b] and marks[b, a] and _follows(marks, shielded[a], a, b):
                marks[b, a] = False
                changed = True
    return marks


def _follows(marks: np.ndarray, joined: np.ndarray, a: int, b: int) -> bool:
    directed = marks & ~marks.T
    into_b, loose = directed[:, b], marks[a] & marks[:, a]
    if (directed[:, a] & ~joined[b] & (np.arange(len(marks)) != b)).any() or (directed[a] & into_b).any():
        return True
    between = np.flatnonzero(loose & into_b)
    return not joined[np.ix_(between, between)][~np.eye(len(between), dtype=bool)].all()


def unshielded(marks: np.ndarray) -> list[tuple[int, int, int]]:
    """Return the triples a -> c <- b, a < b, of a pattern in which a and b are not adjacent."""
    directed, joined = marks & ~marks.T, marks | marks.T
    out = []
    for c in range(len(marks)):
        ends = np.flatnonzero(directed[:, c]).tolist()
        out += [(a, c, b) for place, a in enumerate(ends) for b in ends[place + 1 :] if not joined[a, b]]
    return out


def cycles(marks: np.ndarray) -> list[tuple[int, ...]]:
    """Return the groups of nodes that directed edges of a pattern connect in circles."""
    n, label = connected_components(marks & ~marks.T, connection="strong")
    groups = (np.flatnonzero(label == k) for k in range(n))
    return [tuple(group.tolist()) for group in groups if len(group) > 1]

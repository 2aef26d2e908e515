"""Directed acyclic graphs: relatives of a node, its Markov blanket, and d-separation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from numbers import Integral

import numpy as np

from fewer.core.records.errors import InputError


@dataclass(frozen=True)
class DAG:
    """A directed acyclic graph whose nodes are numbered from 0.

    Parameters
    ----------
    parents : tuple of tuple of int
        The parents of every node, in ascending order.
    """

    parents: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        n = len(self.parents)
        for node, parents in enumerate(self.parents):
            if list(parents) != sorted(set(parents)) or any(not 0 <= p < n or p == node for p in parents):
                raise InputError(
                    f"A DAG of {n} nodes got the parents {parents} of node {node}, but parents are other nodes from 0 "
                    f"to {n - 1}, each once and in ascending order; correct them."
                )
        if len(self.order) < n:
            left = sorted(set(range(n)) - set(self.order))
            raise InputError(
                f"A DAG got a cycle among the nodes {', '.join(map(str, left[:10]))}, but has none; turn or drop an "
                "edge."
            )

    @classmethod
    def of_edges(cls, n_nodes: int, edges: Iterable[tuple[int, int]]) -> DAG:
        """Return the graph of edges (from, to)."""
        parents: list[set[int]] = [set() for _ in range(n_nodes)]
        for start, end in edges:
            if not 0 <= end < n_nodes:
                raise InputError(
                    f"A DAG of {n_nodes} nodes got the edge ({start}, {end}), but nodes are 0 to {n_nodes - 1}; "
                    "correct the edge."
                )
            parents[end].add(start)
        return cls(tuple(tuple(sorted(some)) for some in parents))

    @property
    def n_nodes(self) -> int:
        """Number of nodes."""
        return len(self.parents)

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """The children of every node, in ascending order."""
        children: list[list[int]] = [[] for _ in self.parents]
        for node, parents in enumerate(self.parents):
            for parent in parents:
                children[parent].append(node)
        return tuple(map(tuple, children))

    @cached_property
    def order(self) -> tuple[int, ...]:
        """The nodes, parents before children; nodes on a cycle and behind it are missing."""
        waiting = [len(parents) for parents in self.parents]
        order = [node for node, n in enumerate(waiting) if n == 0]
        for node in order:
            for child in self.children[node]:
                waiting[child] -= 1
                if waiting[child] == 0:
                    order.append(child)
        return tuple(order)

    @cached_property
    def matrix(self) -> np.ndarray:
        """Whether an edge goes from i (line) to j (column)."""
        matrix = np.zeros((self.n_nodes, self.n_nodes), bool)
        for node, parents in enumerate(self.parents):
            matrix[list(parents), node] = True
        return matrix

    def ancestors(self, nodes: Iterable[int]) -> set[int]:
        """Return some nodes with all that lead to them."""
        waiting = self._checked(nodes)
        found = set(waiting)
        while waiting:
            new = set(self.parents[waiting.pop()]) - found
            found |= new
            waiting.extend(new)
        return found

    def spouses(self, node: int) -> tuple[int, ...]:
        """Return the other parents of the children of a node, in ascending order; they may be relatives otherwise."""
        self._checked([node])
        return tuple(sorted({p for child in self.children[node] for p in self.parents[child]} - {node}))

    def blanket(self, node: int) -> tuple[int, ...]:
        """Return the Markov blanket of a node: parents, children and spouses, in ascending order."""
        self._checked([node])
        return tuple(sorted({*self.parents[node], *self.children[node], *self.spouses(node)}))

    def moral(self) -> np.ndarray:
        """Return the moral graph: edges without direction, and parents of one child joined."""
        matrix = self.matrix | self.matrix.T
        for parents in self.parents:
            matrix[np.ix_(parents, parents)] = True
        np.fill_diagonal(matrix, False)
        return matrix

    def connected(self, node: int, given: Sequence[int] = ()) -> set[int]:
        """Return the nodes that are d-connected to a node given others, by letting a ball bounce (Shachter 1998).

        From a node that is not given, a ball goes on to the children, and to the parents if it came from a child. A
        given node sends a ball that came from a parent back to the parents, and stops any other.
        """
        known = set(self._checked([node, *given])[1:])
        if node in known:
            raise InputError(
                f"A DAG was asked what is connected to node {node} given {list(given)}, but a node that is given has "
                "nothing left to tell; leave it out of the given ones."
            )
        waiting, seen = [(node, True)], {(node, True)}
        while waiting:
            here, from_child = waiting.pop()
            moves: list[tuple[int, bool]] = []
            if here not in known:
                moves += [(child, False) for child in self.children[here]]
            if from_child != (here in known):
                moves += [(parent, True) for parent in self.parents[here]]
            new = set(moves) - seen
            seen |= new
            waiting.extend(new)
        return {here for here, _ in seen} - known - {node}

    def separated(self, first: int, second: int, given: Sequence[int] = ()) -> bool:
        """Return whether two nodes are d-separated by others."""
        self._checked([second])
        if first == second or second in given:
            raise InputError(
                f"A DAG was asked whether nodes {first} and {second} are separated given {list(given)}, but tells it "
                "of two nodes given others; name each node once."
            )
        return second not in self.connected(first, given)

    def _checked(self, nodes: Iterable[int]) -> list[int]:
        """Return nodes as a list; a negative number would count from the end and so name a node twice."""
        nodes = list(nodes)
        for node in nodes:
            if not isinstance(node, Integral) or not 0 <= node < self.n_nodes:
                raise InputError(
                    f"A DAG of {self.n_nodes} nodes was asked about node {node!r}, but nodes are 0 to "
                    f"{self.n_nodes - 1}; correct the number."
                )
        return nodes

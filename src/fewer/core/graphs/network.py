"""Discrete Bayesian networks: a graph with one table of probabilities per node."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fewer.core.graphs.dag import DAG
from fewer.core.records.errors import InputError, closest

# What probabilities of one line may lack to 1, by rounding in a file.
ROUNDING = 1e-6


@dataclass(frozen=True, eq=False)
class Network:
    """A joint distribution as the product of P(node | its parents).

    Attributes
    ----------
    names : tuple of str
        Names of the nodes.
    graph : DAG
        Who depends on whom directly.
    tables : tuple of ndarray
        Of every node the probabilities of its levels (last axis) given those of its parents, in ascending order.

    Examples
    --------
    >>> network = Network.of({"rain": ((), [0.8, 0.2]), "wet": (("rain",), [[0.9, 0.1], [0.2, 0.8]])})
    >>> network.probability("rain", {"wet": 1}).round(3).tolist()
    [0.333, 0.667]
    >>> network.do(wet=1).probability("rain").tolist()
    [0.8, 0.2]
    """

    names: tuple[str, ...]
    graph: DAG
    tables: tuple[np.ndarray, ...]

    @classmethod
    def of(cls, nodes: Mapping[str, tuple[Sequence[str], Any]]) -> Network:
        """Return the network of nodes, each given by its parents and a table whose axes are those parents and itself.

        Parameters
        ----------
        nodes : mapping of str to (sequence of str, array-like)
            Parents and probabilities of every node; the last axis holds its own levels and adds up to 1.
        """
        names = tuple(nodes)
        parents: list[tuple[int, ...]] = []
        tables: list[np.ndarray] = []
        for name, (given, table) in nodes.items():
            unknown = [p for p in given if p not in nodes]
            if unknown:
                raise InputError(
                    f"A network got the parent {unknown[0]!r} of {name!r}, but has nodes {', '.join(names)}; name one "
                    f"of them.{closest(unknown[0], names)}"
                )
            numbers = [names.index(p) for p in given]
            order = np.argsort(numbers, kind="stable")
            parents.append(tuple(int(numbers[k]) for k in order))
            values = np.asarray(table, dtype=np.float64)
            if values.ndim != len(given) + 1:
                raise InputError(
                    f"A network got a table of {values.ndim} axes for {name!r}, but it has {len(given)} parents; give "
                    "one axis for each, and one for its own levels."
                )
            tables.append(np.ascontiguousarray(np.transpose(values, (*order, len(given)))))
        return cls(names, DAG(tuple(parents)), tuple(tables))

    def __post_init__(self) -> None:
        levels = self.n_levels
        for node, (parents, table) in enumerate(zip(self.graph.parents, self.tables)):
            shape = tuple(levels[p] for p in (*parents, node))
            if table.shape != shape or (table < 0).any() or (np.abs(table.sum(axis=-1) - 1.0) > ROUNDING).any():
                raise InputError(
                    f"A network got a table of shape {table.shape} for {self.names[node]!r}, but needs probabilities "
                    f"of shape {shape} that add up to 1 along the last axis; correct it."
                )

    @property
    def n_nodes(self) -> int:
        """Number of nodes."""
        return len(self.names)

    @property
    def n_levels(self) -> tuple[int, ...]:
        """Number of levels of every node."""
        return tuple(table.shape[-1] for table in self.tables)

    def number(self, node: int | str) -> int:
        """Return the number of a node given by name or number."""
        if isinstance(node, str):
            if node not in self.names:
                raise InputError(
                    f"A network has no node {node!r}, but {', '.join(self.names)}; name one of them."
                    f"{closest(node, self.names)}"
                )
            return self.names.index(node)
        return self.graph._checked([int(node)])[0]

    def sample(self, n_samples: int, rng: np.random.Generator) -> np.ndarray:
        """Return rows of levels, (n_samples, n_nodes), drawn from parents to children."""
        rows = np.empty((n_samples, self.n_nodes), np.int64)
        for node in self.graph.order:
            steps = np.cumsum(self.tables[node][tuple(rows[:, p] for p in self.graph.parents[node])], axis=-1)
            # The last step is 1 but for rounding.
            rows[:, node] = (rng.random(n_samples)[:, None] >= steps[..., :-1]).sum(axis=-1)
        return rows

    def do(self, **levels: int) -> Network:
        """Return the network in which nodes are set to levels from outside: nothing that led to them does any more."""
        return self.manipulated({name: np.eye(self._levels_of(name))[level] for name, level in levels.items()})

    def manipulated(self, given: Mapping[int | str, Any]) -> Network:
        """Return the network in which nodes are drawn from given probabilities, whatever their parents are."""
        parents, tables = list(self.graph.parents), list(self.tables)
        for name, probabilities in given.items():
            node = self.number(name)
            parents[node], tables[node] = (), np.asarray(probabilities, dtype=np.float64)
        return replace(self, graph=DAG(tuple(parents)), tables=tuple(tables))

    def _levels_of(self, name: int | str) -> int:
        return self.n_levels[self.number(name)]

    def probability(self, of: int | str | Sequence[int | str], given: Mapping[Any, int] = {}) -> np.ndarray:
        """Return the exact probabilities of one node, or of several together, given levels of others.

        By eliminating one node after another, always one that makes the smallest table.

        Parameters
        ----------
        of : int, str or sequence of them
            Nodes; the axes of the result.
        given : mapping of node to level
            What is known.
        """
        wanted = [self.number(of)] if isinstance(of, (int, str)) else [self.number(node) for node in of]
        known = {self.number(node): int(level) for node, level in given.items()}
        needed = self.graph.ancestors([*wanted, *known])
        factors = [self._factor(node, known) for node in sorted(needed)]
        hidden = needed - set(wanted) - set(known)
        while hidden:
            node = min(sorted(hidden), key=lambda j: len(set().union(*(f[0] for f in factors if j in f[0]))))
            touched = [f for f in factors if node in f[0]]
            factors = [f for f in factors if node not in f[0]]
            axes = sorted(set().union(*(f[0] for f in touched)) - {node})
            factors.append((axes, _product(touched, axes)))
            hidden.remove(node)
        free = [node for node in wanted if node not in known]
        table = _product(factors, free)
        total = table.sum()
        if total <= 0:
            raise InputError("A network was asked given levels of probability 0; give levels that can occur together.")
        for axis, node in enumerate(wanted):
            if node in known:
                table = np.expand_dims(table, axis) * np.eye(self.n_levels[node])[known[node]].reshape(
                    [-1 if k == axis else 1 for k in range(table.ndim + 1)]
                )
        return table / total

    def _factor(self, node: int, known: Mapping[int, int]) -> tuple[list[int], np.ndarray]:
        """Return the table of a node with the axes of what is not known."""
        axes = [*self.graph.parents[node], node]
        return [j for j in axes if j not in known], self.tables[node][tuple(known.get(j, slice(None)) for j in axes)]


def _product(factors: Sequence[tuple[list[int], np.ndarray]], axes: Sequence[int]) -> np.ndarray:
    """Multiply tables and sum over all axes but the given ones; axes are numbered anew, of which einsum has few."""
    names: dict[int, int] = {}
    for some, _ in factors:
        for j in some:
            names.setdefault(j, len(names))
    parts: list[Any] = []
    for some, table in factors:
        parts += [table, [names[j] for j in some]]
    return np.asarray(np.einsum(*parts, [names[j] for j in axes], optimize="greedy"))

"""Discrete Bayesian networks: a graph with one table of probabilities per node."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from numbers import Integral
from typing import Any

import numpy as np

from fewer.core.graphs.dag import DAG
from fewer.core.graphs.network_checks import (
    check_level,
    check_table,
    check_wanted,
    read_nodes,
    read_numbers,
    refuse_cycle,
)
from fewer.core.records.errors import InputError, closest


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
        read = read_nodes(nodes)
        names, parents, tables = tuple(name for name, _, _ in read), [], []
        for _, given, table in read:
            order = np.argsort(given, kind="stable")
            parents.append(tuple(int(given[k]) for k in order))
            tables.append(np.ascontiguousarray(np.transpose(table, (*order, len(given)))))
        refuse_cycle(names, parents)
        return cls(names, DAG(tuple(parents)), tuple(tables))

    def __post_init__(self) -> None:
        if not len(self.names) == len(set(self.names)) == self.graph.n_nodes == len(self.tables):
            raise InputError(
                f"A network got {len(set(self.names))} different names, {self.graph.n_nodes} nodes and "
                f"{len(self.tables)} tables, but needs one name and one table for every node; make them equally many."
            )
        levels = self.n_levels
        for node, (parents, table) in enumerate(zip(self.graph.parents, self.tables)):
            check_table(self.names[node], table, tuple(levels[p] for p in (*parents, node)))

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
        if not isinstance(node, Integral):
            raise InputError(f"A network was asked about node {node!r}, but nodes have names and numbers; give one.")
        return self.graph._checked([int(node)])[0]

    def sample(self, n_samples: int, rng: np.random.Generator) -> np.ndarray:
        """Return rows of levels, (n_samples, n_nodes), drawn from parents to children."""
        if not isinstance(n_samples, Integral) or n_samples < 0 or not isinstance(rng, np.random.Generator):
            raise InputError(
                f"A network was asked for {n_samples!r} rows by {rng!r}, but draws 0 or more by a numpy Generator; "
                "pass for example 100 and numpy.random.default_rng(0)."
            )
        rows = np.empty((n_samples, self.n_nodes), np.int64)
        for node in self.graph.order:
            steps = np.cumsum(self.tables[node][tuple(rows[:, p] for p in self.graph.parents[node])], axis=-1)
            # The last step is 1 but for rounding.
            rows[:, node] = (rng.random(n_samples)[:, None] >= steps[..., :-1]).sum(axis=-1)
        return rows

    def do(self, /, **levels: int) -> Network:
        """Return the network in which nodes are set to levels from outside: nothing that led to them does any more."""
        return self.manipulated(
            {
                name: np.eye(n := self.n_levels[self.number(name)])[check_level(name, level, n)]
                for name, level in levels.items()
            }
        )

    def manipulated(self, given: Mapping[Any, Any]) -> Network:
        """Return the network in which nodes are drawn from given probabilities, whatever their parents are."""
        parents, tables = list(self.graph.parents), list(self.tables)
        for name, probabilities in given.items():
            node = self.number(name)
            table = read_numbers(self.names[node], probabilities)
            check_table(self.names[node], table, (self.n_levels[node],))
            parents[node], tables[node] = (), table
        return replace(self, graph=DAG(tuple(parents)), tables=tuple(tables))

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
        asked: list[Any] = list(of) if isinstance(of, Iterable) and not isinstance(of, str) else [of]
        wanted = [self.number(node) for node in asked]
        check_wanted(self.names, wanted)
        known = {}
        for name, level in given.items():
            node = self.number(name)
            known[node] = check_level(self.names[node], level, self.n_levels[node])
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

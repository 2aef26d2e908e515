"""A test of independence that knows the graph: what algorithms should find if tests never erred."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fewer.core.criteria.independence_contract import Answers, IndependenceTest, Y
from fewer.core.graphs.dag import DAG
from fewer.core.reading.memory import plain_view
from fewer.core.records.errors import ParameterError, RequirementError
from fewer.core.runners.threads import ThreadRunner
from fewer.core.views.view import View


@dataclass(frozen=True)
class DSeparation(IndependenceTest):
    """Read off a graph what is independent: p-value 1 and statistic 0 if d-separated, 0 and 1 if not.

    Parameters
    ----------
    graph : DAG
        The graph that made the data, or would.
    target : int, default=-1
        The node that is y; -1 is the last. The columns of the view are the other nodes, in ascending order.
    """

    graph: DAG
    target: int = -1

    requires: ClassVar[tuple[str, ...]] = ("dense", "sparse", "codes", "sparse codes")

    def __post_init__(self) -> None:
        n = self.graph.n_nodes
        if not -n <= self.target < n:
            raise ParameterError(
                f"DSeparation got target={self.target}, but the graph has nodes 0 to {n - 1}; choose one of them."
            )

    def check(self, view: View, columns: Sequence[int]) -> None:
        """Refuse a view that has other columns than the graph has nodes."""
        if view.n_features != self.graph.n_nodes - 1:
            raise RequirementError(
                f"DSeparation has a graph of {self.graph.n_nodes} nodes, but got a view of {view.n_features} columns "
                "and y, which must be one for every node; pass a view of all nodes, such as its view()."
            )

    def node(self, column: int) -> int:
        """Return the node of a column."""
        y = self.target % self.graph.n_nodes
        return y if column == Y else column + (column >= y)

    def view(self) -> View:
        """Return a view of the columns that the graph has, without rows."""
        return plain_view(np.empty((0, self.graph.n_nodes - 1)), ThreadRunner(1))

    def answer(self, view: View, candidates: tuple[int, ...], given: tuple[int, ...], target: int) -> Answers:
        """Find what is connected to the target."""
        connected = self.graph.connected(self.node(target), [self.node(j) for j in given])
        dependent = np.array([self.node(j) in connected for j in candidates])
        ones = np.ones(len(candidates))
        return Answers((~dependent).astype(float), dependent.astype(float), ones, ones > 0)

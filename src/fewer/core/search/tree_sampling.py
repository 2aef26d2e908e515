"""Uniform sampling of the leaves of a search tree, and a search that draws subsets so."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import comb
from typing import Any, ClassVar, TypeVar

import numpy as np

from fewer.core.records.errors import ParameterError
from fewer.core.records.params import whole_from
from fewer.core.search.contract import SubsetSearch
from fewer.core.search.evaluations import Evaluations
from fewer.core.search.units import Subset

Node = TypeVar("Node")
# Random walks that one subset may cost on average.
MOST_WALKS = 10_000


def uniform_leaf(
    root: Node,
    children: Callable[[Node], Sequence[Node]],
    rng: np.random.Generator,
    *,
    most_children: int,
    depth: int,
    max_tries: int = 1_000_000,
) -> Node:
    """Return a leaf of a tree, each with the same probability (Makawita, Tan and Liu; book ch. 3, section 3.7.2).

    A random walk from the root comes more often to leaves whose ancestors have few children. Keeping its leaf with the
    probability prod(f_i) / f_max**depth, f_i being the numbers of children on the way, takes that back; otherwise the
    walk is made again. Leaves may lie at different depths.

    Parameters
    ----------
    root : object
        Where walks start.
    children : callable
        Returns the children of a node, none for a leaf.
    rng : Generator
        Source of randomness.
    most_children : int
        f_max, the largest number of children of a node.
    depth : int
        Depth of the deepest leaf.
    max_tries : int, default=1000000
        After so many walks that were not kept the tree is too uneven.
    """
    for _ in range(max_tries):
        node, level = root, 0
        while True:
            below = children(node)
            if not len(below):
                # Levels that the walk did not need count as rejected by all but one of f_max children.
                if rng.random() < float(most_children) ** (level - depth):
                    return node
                break
            # Rejected level by level: the same probability, and a hopeless walk ends early.
            if rng.random() * most_children >= len(below):
                break
            node, level = below[int(rng.integers(len(below)))], level + 1
    raise ParameterError(
        f"uniform_leaf kept none of {max_tries} walks, because most nodes have far fewer than {most_children} children "
        f"or most leaves lie above depth {depth}; pass smaller bounds or more tries."
    )


@dataclass(frozen=True)
class TreeSampling(SubsetSearch):
    """Draw subsets uniformly from the tree that decides unit after unit whether it is in, and take the best.

    Branches that cannot end with an allowed size are no part of the tree. Of many units few subsets have an allowed
    size if that is narrow, and walks are hardly ever kept; `MonteCarlo` draws from the same distribution there.

    Parameters
    ----------
    max_iter : int, default=1000
        Number of subsets.
    """

    max_iter: int = 1000

    constraints: ClassVar[dict[str, Any]] = {"max_iter": [whole_from(1)]}

    def search(self, evaluations: Evaluations, rng: np.random.Generator) -> None:
        """Draw subsets."""
        n, low, high = evaluations.n_units, evaluations.low, evaluations.high
        if sum(comb(n, k) for k in range(low, high + 1)) * MOST_WALKS < 2**n:
            raise ParameterError(
                f"TreeSampling got sizes from {low} to {high} of {n} units, but needs more than {MOST_WALKS} walks for "
                "one subset of so few; allow more sizes, or use MonteCarlo, which draws the same subsets."
            )

        def children(node: tuple[int, Subset]) -> list[tuple[int, Subset]]:
            at, chosen = node
            if at == n:
                return []
            below = [(at + 1, (*chosen, at))] if len(chosen) < high else []
            return [*below, (at + 1, chosen)] if len(chosen) + n - at - 1 >= low else below

        root: tuple[int, Subset] = (0, ())
        evaluations.expected = evaluations.expected or self.max_iter
        for _ in range(self.max_iter):
            _, subset = uniform_leaf(root, children, rng, most_children=2, depth=n)
            evaluations.value(subset)
            found = evaluations.best
            assert found is not None  # all leaves have an allowed size
            if not evaluations.walked or evaluations.walked[-1].subset != found.subset:
                evaluations.walk(found.subset)

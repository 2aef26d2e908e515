"""How a tree grows whose splits are chosen by ReliefF or RReliefF, and how rows go down it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from fewer.core.neighbours.relief_pairs import ReliefPairs, asking_rows, relief_pairs
from fewer.core.records.ranking import steady
from fewer.core.views.view import View

# A gain below it is round-off: weights of pairs sum to at most 2 in size.
TIE = 1e-12


@dataclass(frozen=True)
class GrowthRules:
    """When a node is not split any more, and how its features are weighed."""

    n_neighbors: int
    min_weight: float
    max_depth: int | None
    min_samples_leaf: int
    n_samples: int | None
    random_state: Any


@dataclass(frozen=True)
class Split:
    """A test of one feature: values up to a cut, or one level, go to the first child.

    ``missing_first`` says where rows without a value go; ``weight`` is that of the feature in the node, ``gain`` that
    of the test in its place.
    """

    feature: int
    value: float
    nominal: bool
    missing_first: bool
    weight: float
    gain: float

    def first(self, column: np.ndarray) -> np.ndarray:
        """Return which rows go to the first child."""
        side = column == self.value if self.nominal else column <= self.value
        return np.where(np.isnan(column), self.missing_first, side)


@dataclass
class ReliefGrowth:
    """A binary tree, parents before children: rows (how many), depth, split and children (-1) of every node."""

    rows: list[int] = field(default_factory=list)
    depth: list[int] = field(default_factory=list)
    split: list[Split | None] = field(default_factory=list)
    first: list[int] = field(default_factory=list)
    second: list[int] = field(default_factory=list)

    def add(self, rows: int, depth: int) -> int:
        """Add a leaf of so many rows and return its number."""
        self.rows.append(rows)
        self.depth.append(depth)
        self.split.append(None)
        self.first.append(-1)
        self.second.append(-1)
        return len(self.rows) - 1

    @property
    def inner(self) -> list[tuple[int, Split]]:
        """Numbers and splits of the nodes that are split."""
        return [(node, split) for node, split in enumerate(self.split) if split is not None]

    def leaves(self, X: np.ndarray) -> np.ndarray:
        """Return the number of the leaf that every row comes to."""
        at = np.zeros(len(X), np.int64)
        # Parents come before their children.
        for node, split in self.inner:
            here = np.flatnonzero(at == node)
            at[here] = np.where(split.first(X[here, split.feature]), self.first[node], self.second[node])
        return at


def grow(data: View, rules: GrowthRules) -> tuple[ReliefGrowth, np.ndarray]:
    """Split nodes by the feature of the largest weight among their rows until none is above the least weight.

    Returns the tree, and the leaf of every row; the tree itself holds no rows, so that stored ones are small.
    """
    block, tree, at = data.whole(), ReliefGrowth(), np.zeros(data.n_rows, np.int64)
    X = np.asarray(block.X, dtype=np.float64)
    ahead = [(tree.add(data.n_rows, 0), np.arange(data.n_rows))]
    while ahead:
        node, rows = ahead.pop()
        depth, target = tree.depth[node], block.y[rows]
        at[rows] = node
        if (target == target[0]).all() or depth == rules.max_depth or len(rows) < 2 * rules.min_samples_leaf:
            continue
        split = _best_split(X[rows], data if len(rows) == data.n_rows else data.rows(rows), data.nominal, rules)
        if split is None:
            continue
        to_first = split.first(X[rows, split.feature])
        tree.split[node] = split
        sides = rows[to_first], rows[~to_first]
        tree.first[node], tree.second[node] = (tree.add(len(side), depth + 1) for side in sides)
        ahead += [(tree.second[node], sides[1]), (tree.first[node], sides[0])]
    return tree, at


def _best_split(X: np.ndarray, view: View, nominal: np.ndarray, rules: GrowthRules) -> Split | None:
    """Return the best test of the feature of largest weight; of the next one where its tests leave too few rows."""
    # Each class of a small node gives the rows that it has, so that a rare one takes no neighbours from the others.
    k = rules.n_neighbors
    pairs = relief_pairs(view, k, asking_rows(view, k, rules.n_samples, rules.random_state))
    weights = pairs.of_features()
    for j in np.argsort(-steady(weights), kind="stable").tolist():
        if weights[j] <= max(rules.min_weight, TIE):
            return None
        split = _test(X[:, j], j, bool(nominal[j]), float(weights[j]), pairs, rules.min_samples_leaf)
        if split is not None:
            return split
    return None


def _test(column: np.ndarray, j: int, nominal: bool, weight: float, pairs: ReliefPairs, fewest: int) -> Split | None:
    """Return the test of a feature with the largest gain, or None if none gains or leaves enough rows."""
    here = ~np.isnan(column)
    values, numbers, counts = np.unique(column[here], return_inverse=True, return_counts=True)
    if len(values) < 2:
        return None
    if nominal:
        gains = np.array([pairs.of_levels(np.where(here, column == v, np.nan)) for v in values])
        first = counts
    else:
        places = np.full(len(column), -1)
        places[here] = numbers
        gains, first = pairs.of_cuts(places, len(values)), np.cumsum(counts)[:-1]
    n_here, n_missing = int(here.sum()), int((~here).sum())
    # Rows without a value go with the larger part.
    with_first = 2 * first >= n_here
    size = first + np.where(with_first, n_missing, 0)
    gains = np.where((size >= fewest) & (len(column) - size >= fewest), gains, -np.inf)
    best = int(np.argmax(gains >= gains.max() - TIE))
    if gains[best] <= TIE:
        return None
    at = float(values[best]) if nominal else _between(values[best], values[best + 1])
    return Split(j, at, nominal, bool(with_first[best]), weight, float(gains[best]))


def _between(low: float, high: float) -> float:
    """Return the middle of two numbers, below the upper one."""
    middle = 0.5 * low + 0.5 * high
    return float(middle if middle < high else low)

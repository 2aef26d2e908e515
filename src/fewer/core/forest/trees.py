"""Trees on codes: what they are grown from, by which rules, and what is kept of each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from fewer.core.forest.binned import MOST_CODES, Binned
from fewer.core.kernels import forest_trees as kernels

MODES = {"in-bag": kernels.IN_BAG, "own": kernels.OWN, "reference": kernels.REFERENCE}
DEEP = 2**31 - 1
GOLDEN, FIRST, SECOND = (np.uint64(c) for c in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB))


@dataclass(frozen=True)
class TreeRules:
    """How a tree is grown.

    Attributes
    ----------
    max_features : int
        Features that are drawn at a node; more if none of them can be split.
    max_depth : int, optional
        Most splits from the root to a leaf; None for no bound.
    min_leaf : float
        Least in-bag weight of a leaf, where rows weigh 1 on average and count as often as they were drawn.
    select : {"in-bag", "own", "reference"}
        On which rows the feature of a split is chosen and its drop of impurity taken (the cut is always found in bag):
        in bag; out of bag, by means of these rows; out of bag, by the means in bag of node and children.
    bootstrap : bool
        Whether every tree draws as many rows as there are, with replacement; otherwise all rows are in bag.
    """

    max_features: int
    max_depth: int | None = None
    min_leaf: float = 1.0
    select: str = "in-bag"
    bootstrap: bool = True

    def settings(self, weight: np.ndarray) -> tuple[int, int, int, int, float]:
        """Return the rules as the kernel takes them, for rows of such weights."""
        depth, least = DEEP if self.max_depth is None else self.max_depth, (1 - 1e-9) * self.min_leaf * weight.mean()
        return int(self.bootstrap), MODES[self.select], depth, int(self.max_features), float(least)


@dataclass(frozen=True, eq=False)
class Tree:
    """One tree; the arrays are overwritten by the next tree of the same grower.

    ``nodes`` has a row per node (see `kernels.forest_trees`), ``drops`` the weighted drop of impurity of each split and
    ``means`` the in-bag mean of the target at each node; ``rows`` and ``out`` are the rows in and out of bag, those of
    a node side by side; ``bag`` holds in-bag weights.
    """

    nodes: np.ndarray
    drops: np.ndarray
    means: np.ndarray
    rows: np.ndarray
    out: np.ndarray
    bag: np.ndarray


@dataclass(frozen=True, eq=False)
class Grower:
    """Grows trees for one target on codes; each tree depends on nothing but the seed and its number.

    Attributes
    ----------
    data : Binned
        The codes.
    target : ndarray
        Numbers, or class numbers from 0 on.
    n_classes : int
        How many classes, 0 for numbers.
    rules : TreeRules
        How trees are grown.
    weight : ndarray, optional
        Of rows.
    """

    data: Binned
    target: np.ndarray
    n_classes: int
    rules: TreeRules
    weight: np.ndarray | None = None

    @cached_property
    def _target(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Weights, values, labels. Two classes are the numbers 0 and 1, whose Gini impurity is twice the variance."""
        n = len(self.target)
        # Equal weights are as good as none, and whole numbers do not round.
        equal = self.weight is None or np.ptp(self.weight) == 0
        weight = np.ones(n) if equal else np.array(self.weight, np.float64)
        many = self.n_classes > 2
        label = np.asarray(self.target if many else np.zeros(n), np.int64)
        value = np.zeros(n) if many else np.asarray(self.target, np.float64)
        # Sums of squares lose digits to a large common offset.
        value = value - (value.mean() if not self.n_classes else 0.0)
        return weight, value, label

    @property
    def scale(self) -> float:
        """What drops of impurity are multiplied by: 2 for two classes, else 1."""
        return 2.0 if self.n_classes == 2 else 1.0

    def trees(self, seed: int, numbers: Iterable[int]) -> Iterator[Tree]:
        """Yield trees by their numbers, each before the next is grown."""
        n, (weight, value, label) = len(self.target), self._target
        width = 1 + (self.n_classes if self.n_classes > 2 else 1)
        arrays, work = _tree_arrays(n, self.data.codes.shape[1]), _work_arrays(n, width)
        nodes, drops, means = np.empty((2 * n, 8), np.int64), np.empty(2 * n), np.empty((2 * n, width))
        settings = self.rules.settings(weight)
        for state in tree_states(seed, numbers):
            count, inside = kernels.grow_tree(
                self.data.columns,
                self.data.nominal,
                self.data.missing,
                weight,
                value,
                label,
                settings,
                state,
                arrays,
                work,
                nodes,
                drops,
                means,
            )
            rows, out, bag, _ = arrays
            yield Tree(nodes[:count], drops[:count], means[:count, 1:], rows[:inside], out[: n - inside], bag)


def _tree_arrays(n: int, p: int) -> tuple[np.ndarray, ...]:
    """Return room for rows in and out of bag, in-bag weights, and an order of features."""
    return np.empty(n, np.int32), np.empty(n, np.int32), np.empty(n), np.arange(p)


def _work_arrays(n: int, width: int) -> tuple[np.ndarray, ...]:
    """Return what `kernels.choose` works on, in its order."""
    sums = (np.zeros(width), np.zeros(width), np.zeros(width), np.zeros((2, width)))
    levels = (np.zeros((MOST_CODES, width)), np.zeros(MOST_CODES), np.zeros((MOST_CODES, width)))
    masks = (np.zeros(MOST_CODES, np.int64), np.zeros(MOST_CODES, bool), np.zeros(MOST_CODES, bool))
    return (*sums, *levels, *masks, np.zeros(n), np.zeros(n), np.zeros(n, np.int64), np.zeros(n, np.int32))


def tree_states(seed: int, numbers: Iterable[int]) -> np.ndarray:
    """Return the first state of the generator of each tree, (n_trees, 1): seed and number, mixed (splitmix64)."""
    number = np.fromiter(numbers, np.uint64)
    base = _mixed(np.array([seed % 2**64], np.uint64) + GOLDEN)
    state = _mixed(base + (number + np.uint64(1)) * GOLDEN)
    # The generator never leaves 0.
    return np.where(state == 0, GOLDEN, state)[:, None]


def _mixed(z: np.ndarray) -> np.ndarray:
    """Spread neighbouring numbers over all 64 bits; arrays of unsigned integers wrap, as is meant here."""
    z = (z ^ (z >> np.uint64(30))) * FIRST
    z = (z ^ (z >> np.uint64(27))) * SECOND
    return z ^ (z >> np.uint64(31))

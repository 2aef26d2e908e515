"""What ensembles of trees predict for the rows they were grown from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from fewer.core.forest.binned import Binned
from fewer.core.forest.trees import Grower, Tree, TreeRules
from fewer.core.kernels import forest_reads


class Predictions(NamedTuple):
    """Means over trees: of all trees, and of those for which a row was out of bag (of all where there is none)."""

    everywhere: np.ndarray
    outside: np.ndarray


def predictions(
    data: Binned,
    target: np.ndarray,
    rules: TreeRules,
    *,
    numbers: Iterable[int],
    seed: int,
    weight: np.ndarray | None = None,
) -> Predictions:
    """Return what bagged regression trees predict for their own rows.

    Parameters
    ----------
    data : Binned
        The columns.
    target : ndarray
        Numbers.
    rules : TreeRules
        How trees are grown.
    numbers, seed
        Which trees, see `tree_importances`.
    weight : ndarray, optional
        Of rows.
    """
    n, count = len(target), 0
    everywhere, outside, times = np.zeros(n), np.zeros(n), np.zeros(n, np.int64)
    for tree in Grower(data, target, 0, rules, weight).trees(seed, numbers):
        forest_reads.add_predictions(tree.nodes, tree.means, tree.rows, tree.out, everywhere, outside, times)
        count += 1
    middle = np.mean(target)
    everywhere = middle + everywhere / max(count, 1)
    return Predictions(everywhere, np.where(times > 0, middle + outside / np.maximum(times, 1), everywhere))


def boosted_trees(
    data: Binned,
    target: np.ndarray,
    rules: TreeRules,
    *,
    numbers: Iterable[int],
    seed: int,
    learning_rate: float = 0.1,
    weight: np.ndarray | None = None,
) -> Iterator[Tree]:
    """Yield regression trees, each grown on what those before it have left of the target (squared loss)."""
    left = np.asarray(target, np.float64)
    for number in numbers:
        grower = Grower(data, left, 0, rules, weight)
        tree = next(grower.trees(seed, [number]))
        yield tree
        said, times = np.zeros((2, len(left))), np.zeros(len(left), np.int64)
        forest_reads.add_predictions(tree.nodes, tree.means, tree.rows, tree.out, said[0], said[1], times)
        left = left - left.mean() - learning_rate * said[0]

"""Drops of impurity by tree and feature."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from fewer.core.forest.binned import Binned
from fewer.core.forest.trees import Grower, TreeRules


def tree_importances(
    codes: Any,
    target: np.ndarray,
    n_classes: int,
    *,
    numbers: Iterable[int],
    seed: int,
    max_features: int,
    max_depth: int | None = None,
    min_leaf: float = 1.0,
    weight: np.ndarray | None = None,
    select: str = "in-bag",
    bootstrap: bool = True,
) -> np.ndarray:
    """Return what each feature explains in each tree of a random forest.

    Parameters
    ----------
    codes : Binned, or ndarray of uint8 of shape (n_rows, n_features)
        The data, see `binned`.
    target : ndarray of shape (n_rows,)
        Numbers, or class numbers from 0 on.
    n_classes : int
        How many classes there are; 0 for numbers.
    numbers : iterable of int
        Which trees to grow; each depends on nothing but the seed and its number.
    seed : int
        The seed of the forest.
    max_features, max_depth, min_leaf, select, bootstrap
        See `TreeRules`.
    weight : ndarray of shape (n_rows,), optional
        Weights of rows.

    Returns
    -------
    ndarray of shape (n_trees, n_features)
        Sums over the splits of a feature of N(t) / N times the drop of the variance or Gini impurity (eq. 7.1 to 7.3
        of book ch. 7, with the weight of the node); not divided by their total.
    """
    data = Binned.of(codes)
    grower = Grower(data, target, n_classes, TreeRules(max_features, max_depth, min_leaf, select, bootstrap), weight)
    out = []
    for tree in grower.trees(seed, numbers):
        feature = tree.nodes[:, 0]
        inner = feature >= 0
        out.append(np.bincount(feature[inner], tree.drops[inner], minlength=data.codes.shape[1]))
    return grower.scale * np.array(out).reshape(-1, data.codes.shape[1])

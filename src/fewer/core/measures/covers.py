"""From counts of binary features to the tree of who covers whom (book ch. 16, section 16.3.4 and 16.3.5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from fewer.core.measures.redundancy import (
    correlated_sets,
    inclusion,
    pair_information,
    phi_redundancy,
    redundancy_matrix,
    redundant_by_matrix,
    redundant_by_tree,
    row_maxima,
    tree_parents,
)


@dataclass(frozen=True, eq=False)
class Covers:
    """Which term stands for which, by number: the result of `find_covers`.

    Attributes
    ----------
    best : ndarray of int64
        The best cover of each term, -1 if it has none.
    value : ndarray of float64
        R of each term and its best cover.
    parents : ndarray of int64
        The redundancy tree, -1 for a root.
    """

    best: np.ndarray
    value: np.ndarray
    parents: np.ndarray

    def redundant(self, rule: str = "tree") -> np.ndarray:
        """Return which terms are redundant by the ``"tree"`` or by the ``"matrix"``."""
        return redundant_by_tree(self.parents) if rule == "tree" else redundant_by_matrix(self.best)


def find_covers(
    pairs: Any, class_sizes: ArrayLike, scores: ArrayLike | None = None, *, tau: float = 0.5, clip: bool = False
) -> Covers:
    """Go the whole way from counts of pairs to the redundancy tree.

    Parameters
    ----------
    pairs, class_sizes : see `pair_information`
        n(t_i, t_j; c) and n(c).
    scores : array-like of shape (n_terms,), optional
        For ties, the information gain as a rule.
    tau : float, default=0.5
        See `correlated_sets`.
    clip : bool, default=False
        See `phi_redundancy`.
    """
    cover = inclusion(sum(pairs[1:], pairs[0]))
    phi = phi_redundancy(pair_information(pairs, class_sizes), clip=clip)
    best, value = row_maxima(redundancy_matrix(phi, cover, correlated_sets(cover, tau)), scores)
    return Covers(best, value, tree_parents(best, value, scores))

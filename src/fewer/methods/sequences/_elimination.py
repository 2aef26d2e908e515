"""Elimination of features by the weights of C-modified least squares."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse

from fewer.core.search.elimination import Blocks, lowest
from fewer.methods.sequences._modified_squares import fit_machines


class WeightBlocks(Blocks):
    """The features with the smallest squared weights, added up over classes, of a machine made of what is left.

    Columns are divided by their largest value, so that counts and marks compare.
    """

    least = 1
    what = "dropping features"

    def __init__(self, X: Any, y: np.ndarray, n_classes: int, l2: float) -> None:
        largest = np.asarray(abs(X).max(axis=0).todense()).ravel() if X.shape[0] else np.ones(X.shape[1])
        self.X = scipy.sparse.csc_array(X @ scipy.sparse.diags_array(1.0 / np.where(largest > 0, largest, 1.0)))
        self.y, self.n_classes, self.l2 = y, n_classes, l2
        self.scores = np.full(X.shape[1], np.nan)

    def begin(self) -> bool:
        """Weigh all features."""
        self.left = np.arange(self.X.shape[1])
        self.weights: np.ndarray | None = None
        self._weigh()
        return True

    def worst(self, left: np.ndarray, count: int) -> np.ndarray:
        """Return those with the smallest weights."""
        return lowest(self.scores, left, count)

    def leave(self, features: np.ndarray) -> None:
        """Weigh the rest again, beginning with the weights they had."""
        stays = ~np.isin(self.left, features)
        self.left = self.left[stays]
        if self.weights is not None:
            self.weights = self.weights[:, np.append(stays, True)]
        self._weigh()

    def _weigh(self) -> None:
        found = fit_machines(self.X[:, self.left], self.y, self.n_classes, self.l2, 1000, 1e-6, self.weights)
        self.weights = np.column_stack([found.weights, found.constants])
        self.scores[self.left] = (found.weights**2).sum(axis=0)
        self.value, self.evaluations = float(self.scores[self.left].mean()), len(self.left)

"""Scores of folds that add up to the score of all tested rows, where single folds are too small to tell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from fewer.core.views.row_splits import FOLDS, FOLDS_OF_MANY, MANY_ROWS


@dataclass(frozen=True, eq=False)
class BalancedAccuracy:
    """Balanced accuracy of folds that do not all hold every class.

    The recall of a class counts the more the fewer folds hold the class, so that the mean over the folds is the mean of
    the recalls of all tested classes, and a guess reaches one divided by their number. A single fold may be above 1.
    """

    labels: np.ndarray
    weights: np.ndarray

    @classmethod
    def over(cls, y: np.ndarray, tests: Sequence[np.ndarray]) -> BalancedAccuracy:
        """Return the score of the folds that test these rows."""
        labels, place = np.unique(y, return_inverse=True)
        holding = held(place.reshape(-1), tests, len(labels))
        tested = holding > 0
        return cls(labels[tested], len(tests) / holding[tested] / max(1, tested.sum()))

    def __call__(self, model: Any, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the score of a fitted estimator on the rows of a fold."""
        y, counts = np.asarray(y), np.ones(len(y)) if sample_weight is None else np.asarray(sample_weight, dtype=float)
        right = np.where(np.asarray(model.predict(X)) == y, counts, 0.0)
        total = 0.0
        for label, weight in zip(self.labels, self.weights):
            here = y == label
            if here.any():
                total += weight * float(right[here].sum() / counts[here].sum())
        return total


@dataclass(frozen=True, eq=False)
class PooledR2:
    """R squared of folds that are too small to know how much the target varies.

    Squared errors of a fold are divided by how much the target varies around the training mean over all folds, not in
    the fold itself: of few rows that is now too little, now too much, and the mean of such ratios is too low (of n
    normal rows by a factor of about n / (n - 3) in the errors). So the mean over the folds is that of all tested rows,
    and a guess, the training mean, reaches 0; a single fold may be below that.
    """

    spread: float

    @classmethod
    def over(
        cls, y: np.ndarray, splits: Sequence[tuple[np.ndarray, np.ndarray]], weight: np.ndarray | None = None
    ) -> PooledR2:
        """Return the score of folds that train and test on these rows."""
        y, weight = np.asarray(y, dtype=float), np.ones(len(y)) if weight is None else weight
        parts = [
            np.average((y[test] - np.average(y[train], weights=weight[train])) ** 2, weights=weight[test])
            for train, test in splits
        ]
        return cls(float(np.mean(parts)))

    def __call__(self, model: Any, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the score of a fitted estimator on the rows of a fold."""
        errors = float(np.average((np.asarray(y, dtype=float) - model.predict(X)) ** 2, weights=sample_weight))
        if self.spread > 0.0:
            return 1.0 - errors / self.spread
        return 1.0 if errors == 0.0 else 0.0


def held(place: np.ndarray, tests: Sequence[np.ndarray], n_classes: int) -> np.ndarray:
    """Return how many of the folds test rows of each class."""
    return np.sum([np.bincount(place[rows], minlength=n_classes) > 0 for rows in tests], axis=0)


def held_by_all(y: np.ndarray, tests: Sequence[np.ndarray]) -> bool:
    """Return whether all folds test rows of all classes."""
    labels, place = np.unique(y, return_inverse=True)
    return bool((held(place.reshape(-1), tests, len(labels)) == len(tests)).all())


def not_tested(y: np.ndarray, tests: Sequence[np.ndarray]) -> list[str]:
    """Return the classes of which no row is tested."""
    labels, place = np.unique(y, return_inverse=True)
    return [str(label) for label in labels[held(place.reshape(-1), tests, len(labels)) == 0]]


def balanced_folds(y: np.ndarray) -> int | None:
    """Return so few folds, but five, that each holds the rarest class; None if the usual number does.

    Examples
    --------
    >>> balanced_folds(np.repeat([0, 1], [92, 8])), balanced_folds(np.repeat([0, 1], [97, 3]))
    (8, 5)
    """
    counts = np.unique(y, return_counts=True)[1]
    usual = min(FOLDS if len(y) <= MANY_ROWS else FOLDS_OF_MANY, len(y) // 2)
    rarest = int(counts[counts > 1].min(initial=usual))
    return None if rarest >= usual else max(rarest, min(FOLDS_OF_MANY, usual))

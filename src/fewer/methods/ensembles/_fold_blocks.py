"""Recursive elimination on the training rows of a fold, with the score of what is left on its test rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.metrics import check_scoring

from fewer.core.criteria.model_input import take_columns, told_columns
from fewer.core.importance.fold_work import FoldWork
from fewer.core.importance.native import native_importance
from fewer.core.search.elimination import Blocks, eliminate, lowest
from fewer.core.stop import Count


class FoldBlocks(Blocks):
    """The least important features of a model that is fitted on one fold again and again.

    Attributes
    ----------
    curve : list of float
        The score on the test rows after every removal, that of all features first.
    """

    least = 1

    def __init__(self, work: FoldCurve, number: int) -> None:
        self.work, self.number = work, number
        self.left = np.arange(len(work.nominal))
        self.scores = np.full(len(work.nominal), np.nan)
        self.curve: list[float] = []

    def begin(self) -> bool:
        """Fit with all features."""
        self._fit()
        return True

    def worst(self, left: np.ndarray, count: int) -> np.ndarray:
        """Return those with the lowest importance."""
        return lowest(self.scores, left, count)

    def leave(self, features: np.ndarray) -> None:
        """Fit again with the rest."""
        self.left = np.setdiff1d(self.left, features)
        self._fit()

    def _fit(self) -> None:
        work, left = self.work, self.left
        X = take_columns(work.whole.X, left)
        model = told_columns(work.estimator, work.nominal[left], getattr(X, "columns", None))
        fold = replace(work.whole, model=model, X=X).fold(self.number)
        if work.ranked is None:
            self.scores[left] = native_importance(fold.model, len(left), "square")
        elif len(left) > work.least:
            self.scores[left] = work.ranked(self.number, left)
        scorer = check_scoring(fold.model, scoring=work.scoring)
        self.curve.append(float(scorer(fold.model, fold.X, fold.y, **fold.params)))


@dataclass(frozen=True, eq=False)
class FoldCurve:
    """Eliminates on the fold with a number and returns the scores by number of features, all of them first.

    Attributes
    ----------
    whole : FoldWork
        Fits with all features.
    estimator, scoring
        As given.
    nominal : ndarray of bool
        Which columns are.
    block, least : int
        How many features leave at once, and how many stay.
    ranked : callable, optional
        Returns importances of some columns on the training rows of a fold; by default the model reports them itself.
    """

    whole: FoldWork
    estimator: Any
    scoring: Any
    nominal: np.ndarray
    block: int
    least: int
    ranked: Callable[[int, np.ndarray], np.ndarray] | None = None

    def __call__(self, number: int) -> np.ndarray:
        """Eliminate on one fold."""
        blocks = FoldBlocks(self, number)
        if eliminate(len(self.nominal), blocks, Count(self.least), lambda n_left: self.block, heeds=False).interrupted:
            raise KeyboardInterrupt
        return np.array(blocks.curve)


def visited_sizes(n_features: int, block: int, least: int) -> list[int]:
    """Return the numbers of features that an elimination passes, all of them first.

    Examples
    --------
    >>> visited_sizes(10, 4, 1)
    [10, 6, 2, 1]
    """
    sizes = list(range(n_features, least, -block))
    return [*sizes, least]

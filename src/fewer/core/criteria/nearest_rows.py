"""k nearest neighbours, from squared distances that are kept per pair of rows."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from fewer.core.criteria.fast import FastCrossValidated, FoldModel, moved
from fewer.core.criteria.fold_scores import BY_CLASS
from fewer.core.criteria.folds import Folds
from fewer.core.kernels import evaluators_neighbours as kernels
from fewer.core.records.errors import ParameterError

# Pairs of a test row and a training row whose distances are kept; beyond, the estimator itself is faster than memory.
MOST_PAIRS = 2**26
# After this many moves of one feature the distances are summed again.
MOST_MOVES = 10_000
ROWS_AT_ONCE = 64
# A feature whose squares are longer by this factor leaves rounding behind when it is taken away.
DROWNED = 2.0**20
# Squared distances that differ by less than this fraction of the squared lengths are equal up to rounding.
ROUND_OFF = 16.0 * np.finfo(np.float64).eps


class NeighbourModel(FoldModel):
    """Votes or means of the k nearest rows; by_votes says that scores see all votes, not the winner alone."""

    def __init__(self, folds: Folds, n_neighbors: int, ties: str, by_votes: bool = False) -> None:
        super().__init__(folds)
        self.by_votes = by_votes and folds.n_classes > 0
        self.k, self.by_estimator = n_neighbors, ties == "estimator"
        self.n_outputs = max(folds.n_classes, 1)
        sizes = np.diff(folds.test_bounds) * np.diff(folds.train_bounds)
        self.starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        self.high, self.low = np.zeros(self.starts[-1]), np.zeros(self.starts[-1])
        self.targets = folds.numbers.astype(np.float64)
        self.length = (folds.columns**2).max(axis=1)
        self.members, self.moves = np.empty(0, np.int64), 0

    @property
    def _layout(self) -> tuple[np.ndarray, ...]:
        folds = self.folds
        return folds.test, folds.test_bounds, folds.train, folds.train_bounds, self.starts

    def move(self, members: np.ndarray, run: Any) -> None:
        """Add and take away the features in which the subset differs from the last one."""
        joining, leaving = moved(self.members, members)
        drowned = self._drowned(members, self.length[leaving].max(initial=0.0))
        if len(joining) + len(leaving) > len(members) or self.moves > MOST_MOVES or drowned:
            self.high[:], self.low[:] = 0.0, 0.0
            joining, leaving, self.moves = members, leaving[:0], 0

        def work(first: int, last: int) -> None:
            self._add(joining, 1.0, first, last, self.high, self.low)
            self._add(leaving, -1.0, first, last, self.high, self.low)

        if len(joining) + len(leaving):
            run.scan(work, len(self.folds.test), ROWS_AT_ONCE)
        self.members, self.moves = members, self.moves + len(joining) + len(leaving)

    def _add(self, features: np.ndarray, sign: float, first: int, last: int, high: np.ndarray, low: np.ndarray) -> None:
        for j in features:
            kernels.add_feature(self.folds.columns[j], sign, *self._layout, first, last, high, low)

    def _drowned(self, members: np.ndarray, length: Any) -> Any:
        """Return whether a feature so long has left less of the others than twice the precision can hold."""
        return length > DROWNED * self.length[members].max(initial=0.0)

    def answers(self, members: np.ndarray, candidates: np.ndarray, sign: int) -> tuple[np.ndarray, np.ndarray]:
        """Find the nearest rows when each candidate joins or leaves."""
        out = np.empty((len(candidates), len(self.folds.test), self.n_outputs))
        doubt = np.zeros((len(candidates), self.folds.n_folds), bool)
        self._find(members, candidates, sign, self.high, self.low, out, doubt)
        for c, j in enumerate(candidates if sign < 0 else ()):
            fewer = members[members != j]
            if self._drowned(fewer, self.length[j]):
                high, low = np.zeros_like(self.high), np.zeros_like(self.low)
                self._add(fewer, 1.0, 0, len(self.folds.test), high, low)
                doubt[c] = False
                self._find(fewer, candidates[c : c + 1], 0, high, low, out[c : c + 1], doubt[c : c + 1])
        return out, doubt

    def _find(
        self, members: np.ndarray, candidates: np.ndarray, sign: int, high: np.ndarray, low: np.ndarray,
        out: np.ndarray, doubt: np.ndarray,
    ) -> None:  # fmt: skip
        folds = self.folds
        moved = sign * self.length[candidates] if sign else np.zeros(len(candidates))
        room = ROUND_OFF * (self.length[members].sum() + moved) if self.by_estimator else np.full(len(candidates), -1.0)
        given = (folds.columns, candidates, float(sign), room, self.k, self._front(members, sign), *self._layout)
        kernels.nearest(*given, high, low, self.targets, folds.n_classes, out, doubt)
        if self.by_votes and self.by_estimator:
            # The mean of class numbers hangs on every tie between classes, the winner only on some.
            kernels.nearest(*given, high, low, self.targets, 0, np.empty((*out.shape[:2], 1)), doubt)

    def _front(self, members: np.ndarray, sign: int) -> int:
        """Return how many of the rows that are nearest so far to look at first, 0 for all at once."""
        if sign <= 0 or not len(members):
            return 0
        # Neighbours in a plane lie among about sqrt(n k) neighbours on a line; with more features fewer are needed.
        return 16 + 2 * math.isqrt(int(np.diff(self.folds.train_bounds).max()) * (self.k + 1))

    def probabilities(self, answers: np.ndarray) -> np.ndarray:
        """Return the fractions of the votes."""
        return answers / self.k


class NearestRows(FastCrossValidated):
    """`CrossValidated` for k nearest neighbours with the Euclidean distance and equal votes.

    The squared distances of all pairs of a test and a training row are kept, and each feature adds its fraction.

    Parameters
    ----------
    estimator : KNeighborsClassifier or KNeighborsRegressor
        With ``weights="uniform"`` and the Euclidean metric.
    scoring, cv, groups
        As for `CrossValidated`.
    ties : {"estimator", "lowest"}, default="estimator"
        What settles which of several training rows at the same distance, up to rounding, are among the nearest where
        the answer hangs on it: the estimator itself, whose choice follows the layout of its search tree, or the lower
        row number, which is faster on data with few distinct values and does not equal scikit-learn there.
    """

    def __init__(
        self, estimator: Any, scoring: Any = None, cv: Any = None, *, ties: str = "estimator", **more: Any
    ) -> None:
        super().__init__(estimator, scoring, cv, **more)
        if ties not in ("estimator", "lowest"):
            raise ParameterError(f"ties={ties!r} is not known to NearestRows; give 'estimator' or 'lowest'.")
        self.ties = ties

    def _model(self, folds: Folds) -> NeighbourModel | None:
        pairs = int((np.diff(folds.test_bounds) * np.diff(folds.train_bounds)).sum())
        if pairs > MOST_PAIRS:
            return None
        return NeighbourModel(folds, int(self.estimator.n_neighbors), self.ties, self.score_name not in BY_CLASS)

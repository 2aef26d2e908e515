"""How far apart the classes lie in the space of a subset, in units of the spread within classes."""

from __future__ import annotations

from typing import Any

import numpy as np

from fewer.core.criteria.folds import Folds
from fewer.core.criteria.linear_model import LinearModel, Task
from fewer.core.criteria.linear_scores import significant
from fewer.core.criteria.shapes import Columns, SubsetScore, inside, outside, sorted_members
from fewer.core.records.errors import RequirementError
from fewer.core.views.view import View

# Eigenvalues of the scatter within classes below this fraction of the largest are zero.
ZERO = 1e-12


class ClassScatter(SubsetScore):
    """Base of the criteria on the scatter within and between the given classes. Both are monotone.

    With the factor L of the scatter within classes, each feature adds one coordinate, u = L^-1 (class mean - mean), to
    the class means; in these coordinates the spread within classes is one in all directions.
    """

    requires = ("dense",)
    monotone = True

    def value(self, view: View, subset: Columns) -> float:
        """Return how far apart the classes are; 0 without features."""
        model, members = self.prepare(view), sorted_members(subset)
        if not len(members):
            return 0.0
        base = model.standing(members)
        if not np.isfinite(base.traces[0]):
            return self._exactly(model, members)
        return float(significant(self._worth(model, base.u[0].T)))

    def values_added(self, view: View, subset: Columns, candidates: Columns) -> np.ndarray:
        """Return how far apart the classes are with each of the candidates."""
        members, candidates = outside(subset, candidates)
        return self._changed(view, members, candidates, 1)

    def values_removed(self, view: View, subset: Columns, candidates: Columns) -> np.ndarray:
        """Return how far apart the classes are without each of the candidates."""
        members, candidates = inside(subset, candidates)
        if len(members) < 2:
            return np.zeros(len(candidates))
        return self._changed(view, members, candidates, -1)

    def _changed(self, view: View, members: np.ndarray, candidates: np.ndarray, sign: int) -> np.ndarray:
        model = self.prepare(view)
        base = model.standing(members)
        if not np.isfinite(base.traces[0]):
            return np.array([self.value(view, _changed(members, j, sign)) for j in candidates])
        gains, _, doubt = model.changes(base, candidates, sign)
        held = np.broadcast_to(base.u[0].T, (len(candidates), *base.u[0].T.shape))
        values = significant(self._worth(model, held, gains[:, 0], sign))
        for k in np.flatnonzero(doubt[:, 0]):
            values[k] = self._exactly(model, _changed(members, candidates[k], sign))
        return values

    def _exactly(self, model: LinearModel, members: np.ndarray) -> float:
        """Return the value where the scatter within classes is singular; infinite if the classes differ there."""
        numbers, X = model.folds.numbers, model.X[:, members]
        size = np.sqrt((X**2).mean(axis=0))
        X = X / np.where(size > 0, size, 1.0)
        counts = model.folds.class_counts[0]
        means = np.stack([X[numbers == c].mean(axis=0) for c in range(len(counts))])
        within = X - means[numbers]
        values, vectors = np.linalg.eigh(within.T @ within / len(X))
        none = values <= ZERO
        along = (means - counts @ means / counts.sum()) @ vectors
        if (along[:, none] ** 2 > ZERO).any():
            return np.inf
        u = np.where(none, 0.0, along / np.sqrt(np.where(none, 1.0, values)))
        return float(significant(self._worth(model, u)))

    def _prepare(self, view: View) -> LinearModel:
        block = view.whole()
        if block.weight is not None:
            raise RequirementError(
                f"{type(self).__name__} takes no sample_weight, but the data have weights; leave the weights out, or "
                "use a criterion that takes them, such as 'inconsistency'."
            )
        everything, nothing = np.arange(block.n_rows), np.empty(0, np.int64)
        folds = Folds(block.X, block.y, block.y, view.classes, [(everything, nothing)])
        return LinearModel(Task(folds, np.ones(block.n_rows)))

    def _worth(self, model: LinearModel, u: np.ndarray, gains: Any = 0.0, sign: int = 0) -> np.ndarray:
        """Return the value of class means (..., n_classes, n_coordinates) that get or lose one more coordinate."""
        raise NotImplementedError


class ScatterSeparability(ClassScatter):
    """The trace of (scatter within classes)^-1 (scatter between classes) (book ch. 2, section 2.4.2)."""

    def _worth(self, model: LinearModel, u: np.ndarray, gains: Any = 0.0, sign: int = 0) -> np.ndarray:
        counts = model.folds.class_counts[0]
        return ((u**2).sum(axis=-1) + sign * np.square(gains)) @ (counts / counts.sum())


class Mahalanobis(ClassScatter):
    """The squared Mahalanobis distance of the class means, of the two nearest ones if there are more than two classes.

    The covariance is the pooled one, with the number of rows less that of classes as divisor.
    """

    def _worth(self, model: LinearModel, u: np.ndarray, gains: Any = 0.0, sign: int = 0) -> np.ndarray:
        counts = model.folds.class_counts[0]
        n, n_classes = counts.sum(), len(counts)
        gains = np.broadcast_to(gains, u.shape[:-1])
        pairs = [
            ((u[..., a, :] - u[..., b, :]) ** 2).sum(axis=-1) + sign * (gains[..., a] - gains[..., b]) ** 2
            for a in range(n_classes)
            for b in range(a)
        ]
        return np.min(pairs, axis=0) * max(n - n_classes, 0) / n


def _changed(members: np.ndarray, j: int, sign: int) -> np.ndarray:
    return np.append(members, j) if sign > 0 else members[members != j]

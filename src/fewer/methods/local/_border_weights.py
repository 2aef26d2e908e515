"""Weights of features from the border of a support vector machine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.spatial.distance import cdist

from fewer.core.borders.contract import Decision
from fewer.core.borders.smooth_classifiers import decision_of
from fewer.core.borders.tangent_feet import tangent_feet

# Distances of one block, 8 MiB.
CELLS = 1 << 20
# Coefficients up to this part of C are those of vectors on their margin.
BOUND = 1.0 - 1e-9
# Rows of the other side that a search for the nearest point of the border aims at.
STARTS = 2


@dataclass(frozen=True, eq=False)
class SupportBorder:
    """The borders of a machine, and the support vectors on their margin.

    Attributes
    ----------
    decision : Decision
        One border for every pair of classes.
    model : SVC
        Says on which side of the borders a query is.
    points, codes : ndarray
        The training rows and their classes.
    vectors : ndarray of shape (n_vectors, n_features)
        Support vectors that are not bounded; all, if there are none.
    reach : float
        D, the mean distance of training rows from the nearest of them, eq. 11.26.
    """

    decision: Decision
    model: Any
    points: np.ndarray
    codes: np.ndarray
    vectors: np.ndarray
    reach: float

    @classmethod
    def of(cls, model: Any, points: np.ndarray, codes: np.ndarray) -> SupportBorder:
        """Return the border of a fitted machine."""
        size = np.abs(model.dual_coef_)
        free = ((size > 0) & (size < model.C * BOUND)).any(axis=0)
        vectors = model.support_vectors_[free] if free.any() else model.support_vectors_
        reach = float(_nearest_distance(points, vectors).mean())
        return cls(decision_of(model, points, "LaMaNNa"), model, points, codes, vectors, reach)

    def strengths(self, queries: np.ndarray) -> np.ndarray:
        """Return A of queries, eq. 11.24 and 11.25: large near the border, 0 far from it."""
        return np.maximum(self.reach - _nearest_distance(queries, self.vectors), 0.0)

    def gradients(self, queries: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the nearest points of the borders, nan for none, and the gradients there, 0 for none.

        Of several classes the borders of the class that the machine predicts count.
        """
        feet, slopes = np.full(queries.shape, np.nan), np.zeros(queries.shape)
        away, here = np.full(len(queries), np.inf), self.model.predict(queries)
        for c in np.unique(here).tolist():
            mine = np.flatnonzero(here == c)
            for other in (d for d in range(self.decision.n_classes) if d != c):
                border = self.decision.pair(c, other)
                found = tangent_feet(border, queries[mine], self.points[np.isin(self.codes, (c, other))], STARTS)
                nearer = found.distances < away[mine]
                at = mine[nearer]
                if len(at):
                    feet[at], away[at] = found.points[nearer], found.distances[nearer]
                    slopes[at] = border.gradients(feet[at])
        return feet, slopes


def _nearest_distance(rows: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Return how far the nearest of other rows is from every row."""
    step = max(1, CELLS // len(others))
    return np.concatenate([cdist(rows[a : a + step], others).min(axis=1) for a in range(0, len(rows), step)])

"""Random prototypes: a few rows that classify all others."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np

from fewer.core.estimators.classifier import VotingClassifier
from fewer.core.records.errors import RequirementError
from fewer.core.records.params import Interval
from fewer.core.records.tags import MethodTags
from fewer.core.views.view import View
from fewer.methods.prototypes._prototype_climb import checked_count, squared_distances

# Distances that are kept for the next draw, 64 MiB; beyond that they are computed again.
MOST_KEPT = 1 << 23


class MC1(VotingClassifier):
    """Classify by the nearest of a few prototypes, the best of many random draws of rows.

    The draw that classifies most training rows rightly is kept, Monte Carlo selection of prototypes [1]_, [2]_.

    Parameters
    ----------
    n_prototypes : int or None, default=None
        Number of rows that stand for all others; None for the number of classes.
    n_neighbors : int, default=1
        Number of nearest rows, here prototypes, that vote.
    max_iter : int, default=100
        Most iterations: draws after the first; they end early when one makes no mistake.
    leave_self_out : bool, default=False
        Whether a training row that is a prototype is evaluated by the other prototypes only.
    random_state : int, Generator or None, default=None
        Seed of the random part; the same number gives the same result.

    Attributes
    ----------
    prototypes_ : ndarray of shape (n_prototypes,)
        Row numbers of the prototypes, ascending.
    accuracy_ : float
        Fraction of the training rows that the prototypes classify rightly.
    n_iter_ : int
        Number of draws, the first included.
    classes_ : ndarray of shape (n_classes,)
        The labels of the classes.
    n_features_in_ : int
        Number of features seen during `fit`.
    feature_names_in_ : ndarray of str
        Names of the features, when X had names.

    See Also
    --------
    RMHCPrototypes : Climbs to good prototypes, and chooses features with them.

    Notes
    -----
    Distances are Euclidean: bring the features to one scale first. Of equally good draws the first is kept, of equal
    distances the lower row number is nearer, of equally many votes the first class wins. As in [1]_, prototypes are
    evaluated on themselves too, at distance 0, unless ``leave_self_out`` is set. A draw without a row of some class has
    all rows of that class wrong.

    References
    ----------
    .. [1] H. Liu and H. Motoda (eds.), "Computational Methods of Feature Selection", 2008, section 3.6.2, Fig. 3.3.
    .. [2] D. B. Skalak, "Prototype and feature selection by sampling and random mutation hill climbing algorithms",
       ICML 1994.

    Examples
    --------
    >>> X = [[0.0], [1.0], [2.0], [10.0], [11.0], [12.0]]
    >>> found = MC1(random_state=0).fit(X, ["low", "low", "low", "high", "high", "high"])
    >>> found.accuracy_, found.predict([[3.0], [9.0]]).tolist()
    (1.0, ['low', 'high'])
    """

    method_tags = MethodTags(
        targets=("classes",),
        views=("dense",),
        deterministic=False,
        invariance=(),
        cost="max_iter*n_prototypes*n*d",
    )
    _parameter_constraints: dict = {
        "n_prototypes": [None, Interval(Integral, 1, None, closed="left")],
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "leave_self_out": ["boolean"],
        "random_state": "no_validation",
    }

    def __init__(
        self,
        n_prototypes: int | None = None,
        *,
        n_neighbors: int = 1,
        max_iter: int = 100,
        leave_self_out: bool = False,
        random_state: Any = None,
    ) -> None:
        self.n_prototypes = n_prototypes
        self.n_neighbors = n_neighbors
        self.max_iter = max_iter
        self.leave_self_out = leave_self_out
        self.random_state = random_state

    def _learn(self, data: View) -> None:
        X, codes = np.asarray(data.whole().X, np.float64), data.whole().y
        count = checked_count("MC1", self.n_prototypes, data.n_classes, data.n_rows)
        needed = self.n_neighbors + self.leave_self_out
        if count < needed:
            raise RequirementError(
                f"MC1 got {count} prototypes (n_prototypes={self.n_prototypes}), but n_neighbors={self.n_neighbors} "
                f"and leave_self_out={self.leave_self_out} need {needed}; raise n_prototypes or lower n_neighbors."
            )
        best, right = self._best_draw(X, codes, count)
        self.prototypes_ = best
        self.accuracy_ = right / len(X)
        self._kept, self._codes = X[best], codes[best]

    def _best_draw(self, X: np.ndarray, codes: np.ndarray, count: int) -> tuple[np.ndarray, int]:
        rng = np.random.default_rng(self.random_state)
        columns = np.ascontiguousarray(X.T)
        known: dict[int, np.ndarray] = {}
        keeps = len(X) * min(len(X), count * (self.max_iter + 1)) <= MOST_KEPT
        best, most = np.empty(0, np.int64), -1
        for draw in range(self.max_iter + 1):
            rows = np.sort(rng.choice(len(X), count, replace=False))
            for row in (r for r in rows.tolist() if r not in known):
                known[row] = squared_distances(columns, X[row])
            distances = np.array([known[row] for row in rows.tolist()])
            if self.leave_self_out:
                distances[np.arange(count), rows] = np.inf
            right = int((self._nearest_votes(distances, codes[rows]).argmax(axis=1) == codes).sum())
            if right > most:
                best, most = rows, right
            if not keeps:
                known.clear()
            self.n_iter_ = draw + 1
            if most == len(X):
                break
        return best, most

    def _nearest_votes(self, distances: np.ndarray, codes: np.ndarray) -> np.ndarray:
        """Return the votes for each class, (n_rows, n_classes), by distances of (n_prototypes, n_rows)."""
        if self.n_neighbors == 1:
            nearest = distances.argmin(axis=0)[None]
        else:
            nearest = np.argsort(distances, axis=0, kind="stable")[: self.n_neighbors]
        return (codes[nearest][:, :, None] == np.arange(len(self.classes_))).sum(axis=0)

    def _votes(self, rows: np.ndarray) -> np.ndarray:
        columns = np.ascontiguousarray(rows.T, np.float64)
        distances = np.array([squared_distances(columns, row) for row in self._kept])
        return self._nearest_votes(distances, self._codes)

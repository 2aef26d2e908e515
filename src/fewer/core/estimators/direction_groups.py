"""What clusterers of directions share: units of length 1, starts, centres, and what these say of features."""

from __future__ import annotations

from typing import Any

import numpy as np

from fewer.core.clustering.by_label import rows_added
from fewer.core.clustering.directions import (
    Directions,
    first_centres,
    group_directions,
    nearest,
    sizes,
    unit_rows,
)
from fewer.core.clustering.told import key_words, progress_table, refuse_too_many, shares
from fewer.core.estimators.clusterer import BaseClusterer, by_weight, rows_of
from fewer.core.records.errors import ParameterError
from fewer.core.records.params import StrOptions, number_from, whole_from
from fewer.core.records.result import Selection
from fewer.core.records.rounding import TOLERANCE
from fewer.core.records.tags import MethodTags
from fewer.core.views.view import View

TAGS = MethodTags(
    targets=("none",), views=("dense",), handles_sparse=True, deterministic=False, invariance=(), cost="n*d*n_clusters"
)
CONSTRAINTS: dict = {
    "n_clusters": [whole_from(1)],
    "init": [StrOptions({"k-means++", "random"}), "array-like"],
    "n_init": [whole_from(1)],
    "max_iter": [whole_from(1)],
    "tol": [number_from(0)],
    "random_state": "no_validation",
}


class DirectionGroups(BaseClusterer):
    """Base of clusterers by direction. What rows are tied to each other, and what moves them, is theirs to say."""

    method_tags = TAGS
    _parameter_constraints: dict = CONSTRAINTS
    n_clusters: int
    init: Any
    n_init: int
    max_iter: int
    tol: float
    random_state: Any
    n_features_in_: int

    def _tied(self, data: View) -> np.ndarray:
        """Return the number of the unit that every row belongs to."""
        return np.arange(data.n_rows)

    def _settling(self, data: View, place: np.ndarray) -> dict[str, Any]:
        """Return what else `group_directions` is given; `place` says where every unit is now, -1 for nowhere."""
        return {}

    def _placed(self, rows: Any) -> Any:
        """Return rows of length 1 in the space where they are grouped, of length 1 there or 0."""
        return rows

    def _in_features(self, centres: np.ndarray) -> np.ndarray:
        """Return directions of that space as directions of the features."""
        return centres

    def _group(self, data: View) -> None:
        name, rng = type(self).__name__, np.random.default_rng(self.random_state)
        rows = self._placed(unit_rows(rows_of(data))[0])
        tied = self._tied(data)
        U = rows if len(tied) == tied.max() + 1 else rows_added(rows, tied, int(tied.max()) + 1)
        live = np.flatnonzero(sizes(U) > TOLERANCE)
        refuse_too_many(name, self.n_clusters, len(live), "rows that have a direction")
        place = np.full(U.shape[0], -1)
        place[live] = np.arange(len(live))
        # A copy of all rows is worth a look.
        U, more = U if len(live) == U.shape[0] else U[live], self._settling(data, place)
        best: Directions | None = None
        for start in self._starts(U, rng):
            found = group_directions(U, start, self.max_iter, self.tol, **more)
            # A start that is better by rounding only is not better.
            higher = best is not None and found.objective > best.objective * (1 + TOLERANCE)
            if best is None or found.violated < best.violated or (found.violated == best.violated and higher):
                best = found
        assert best is not None
        units = np.full(len(place), -1, np.int64)
        units[live] = best.labels
        self.labels_ = units[tied]
        self.cluster_centers_ = self._in_features(best.centres)
        self.objective_, self.n_iter_ = best.objective, len(best.history)
        title = "Sum of similarities after every iteration"
        self.progress_ = progress_table(title, "objective", best.history, best.reseeded, 1)
        self._lengths = best.lengths

    def _starts(self, U: Any, rng: np.random.Generator) -> list[np.ndarray] | Any:
        if isinstance(self.init, str):
            return (first_centres(U, self.n_clusters, rng, self.init) for _ in range(self.n_init))
        given = np.asarray(self.init, dtype=np.float64)
        if given.shape != (self.n_clusters, self.n_features_in_):
            raise ParameterError(
                f"{type(self).__name__} got init of shape {given.shape}, but needs one centre per cluster and one "
                f"number per feature; give an array of shape ({self.n_clusters}, {self.n_features_in_})."
            )
        centres = self._placed(unit_rows(given)[0])
        if not (sizes(centres) > TOLERANCE).all():
            raise ParameterError(
                f"{type(self).__name__} got init with a centre of zeros, but a centre must have a direction; give "
                "each a number that is not 0."
            )
        return [centres]

    def predict(self, X: Any) -> np.ndarray:
        """Return the cluster whose centre is nearest in direction to every row, -1 for rows of zeros."""
        rows = self._placed(unit_rows(self._rows(X))[0])
        return np.where(sizes(rows) > TOLERANCE, nearest(rows, self._placed(self.cluster_centers_)), -1)

    def _selection(self, data: View) -> Selection:
        # Centres weigh as much as their groups are long; their spread about the common mean tells groups apart.
        lengths = self._lengths[:, None]
        middle = (lengths * self.cluster_centers_).sum(axis=0) / max(lengths.sum(), TOLERANCE)
        apart = self.cluster_centers_ - middle
        each = lengths * apart**2
        words = key_words(np.where(apart > 0, each, 0.0) / max(each.sum(), np.finfo(float).tiny))
        return by_weight(shares(each.sum(axis=0)), keywords=words, objective=self.progress_)

"""What nearest neighbours by weights of ReliefF or RReliefF share, whether they predict classes or numbers."""

from __future__ import annotations

import warnings
from numbers import Integral
from typing import Any

import numpy as np

from fewer.core.estimators.row_model import RowModel
from fewer.core.neighbours.relief_weights import class_shares, relieff_weights, rrelieff_weights, sampled_rows
from fewer.core.neighbours.row_space import as_ramp, range_space
from fewer.core.neighbours.weighted_rows import MixedRows, weighted_rows
from fewer.core.records.errors import InputError, NothingFoundWarning
from fewer.core.records.params import Interval, StrOptions
from fewer.core.records.ranking import steady
from fewer.core.records.reasons import IRRELEVANT, Reasons
from fewer.core.records.result import Selection
from fewer.core.runners.threads import ThreadRunner
from fewer.core.views.view import View

# A weight that is 0 on paper is not made a metric of by rounding.
ROUNDING = 1e-12
ONE_OR_MORE = Interval(Integral, 1, None, closed="left")


class WeighedNeighbours(RowModel):
    """Weighs features by (R)ReliefF and finds the nearest rows by what is above 0 of the weights."""

    _parameter_constraints: dict = {
        "n_neighbors": [ONE_OR_MORE],
        "relief_neighbors": [ONE_OR_MORE],
        "n_samples": [ONE_OR_MORE, None],
        "metric": [StrOptions({"manhattan", "euclidean"})],
        # as_ramp reads it and says in one sentence what is allowed.
        "ramp": "no_validation",
        "categorical_features": ["array-like", None],
        "random_state": [None, Interval(Integral, 0, None, closed="left"), np.random.Generator],
        "n_jobs": [None, ONE_OR_MORE, Interval(Integral, None, -1, closed="right")],
    }
    _known: MixedRows

    def __init__(
        self,
        n_neighbors: int = 5,
        *,
        relief_neighbors: int = 10,
        n_samples: int | None = None,
        metric: str = "manhattan",
        ramp: tuple[float, float] | None = None,
        categorical_features: Any = None,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.relief_neighbors = relief_neighbors
        self.n_samples = n_samples
        self.metric = metric
        self.ramp = ramp
        self.categorical_features = categorical_features
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _learn(self, data: View) -> None:
        name, y = type(self).__name__, data.whole().y
        ramp = as_ramp(name, self.ramp)
        rows = sampled_rows(name, self.n_samples, data.n_rows, self.random_state)
        space, k = range_space(data, ramp), self.relief_neighbors
        if data.n_classes:
            weights = relieff_weights(data.run, space, y, class_shares(y, data.n_classes), k, rows)
        else:
            weights = rrelieff_weights(data.run, space, y, k, rows)
        self.relief_weights_, self.feature_weights_ = weights, np.where(weights > ROUNDING, weights, 0.0)
        if not self.feature_weights_.any():
            warnings.warn(
                f"{name}: none of the {data.n_features} features has a weight above 0 (the largest is "
                f"{weights.max():.3g}), so that all count alike; ask for other relief_neighbors, or use a plain "
                "nearest neighbour rule.",
                NothingFoundWarning,
                stacklevel=4,
            )
            self.feature_weights_ = np.ones(data.n_features)
        self._known = weighted_rows(data, self.feature_weights_, ramp, squared=self.metric == "euclidean")
        self._targets = y

    def _selection(self, data: View) -> Selection:
        """Return the features with a weight above 0."""
        scores = self.relief_weights_
        order = np.argsort(-steady(scores), kind="stable")
        kept = order[scores[order] > ROUNDING]
        rule = "a weight above 0 counts in the distance"
        if not len(kept):
            rule = "no weight is above 0, and all features count alike in the distance"
        reasons = Reasons.of_kept(data.n_features, kept, IRRELEVANT, threshold=0.0, above=True, rule=rule)
        return Selection.build(kept, order, reasons, scores)

    def kneighbors(self, X: Any, n_neighbors: int | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Return distances and row numbers of the nearest fitted rows, both (n_samples, n_neighbors), nearest first.

        The largest weight counts 1 in the distances.
        """
        return self._nearest(self._rows(X), self.n_neighbors if n_neighbors is None else n_neighbors)

    def _nearest(self, rows: np.ndarray, wanted: int) -> tuple[np.ndarray, np.ndarray]:
        if wanted > len(self._targets):
            raise InputError(
                f"{type(self).__name__} looks for {wanted} neighbours, but was fitted on n_samples = "
                f"{len(self._targets)}; choose a smaller n_neighbors."
            )
        with ThreadRunner(self.n_jobs) as run:
            distance, index = self._known.nearest(rows, wanted, run)
        return (np.sqrt(distance) if self.metric == "euclidean" else distance), index

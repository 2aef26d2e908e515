"""What clusterers by centres share: starts, the best of several descents, new rows, tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from fewer.core.clustering.centres import nearest
from fewer.core.clustering.descent import Descent, best_of
from fewer.core.clustering.points import Points, read_points
from fewer.core.clustering.starts import checked_clusters, started
from fewer.core.clustering.weightings import FixedWeights
from fewer.core.estimators.clusterer import BaseClusterer, by_weight
from fewer.core.records.params import whole_from
from fewer.core.records.result import Selection
from fewer.core.records.result_table import ResultTable
from fewer.core.records.tags import MethodTags
from fewer.core.views.view import View

CENTRES = MethodTags(
    targets=("none",),
    views=("dense", "sparse"),
    handles_sparse=True,
    deterministic=False,
    invariance=(),
    cost="n_init*max_iter*n_clusters*n*d",
)
CONSTRAINTS: dict[str, Any] = {
    "n_clusters": [whole_from(1)],
    # `started` reads it and says in one sentence what is allowed.
    "init": "no_validation",
    "n_init": [whole_from(1)],
    "max_iter": [whole_from(1)],
    "random_state": [None, whole_from(0), np.random.Generator],
}
# Nominal columns whose modes the table of clusters shows.
MOST_MODES = 20


class CentreClusterer(BaseClusterer):
    """Base of clusterers whose clusters have centres, and whose features may have weights.

    Attributes
    ----------
    cluster_centers_ : ndarray of shape (n_clusters, n_features)
        Means, or modes as level numbers.
    objective_ : float
        What the descent made small.
    n_iter_ : int
        Iterations of the best descent.
    """

    method_tags = CENTRES
    n_clusters: int
    init: Any
    n_init: int
    max_iter: int
    random_state: Any

    def predict(self, X: Any) -> np.ndarray:
        """Return the cluster whose centre is nearest, of every row.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            New rows; nominal levels that `fit` has not seen differ from every centre.

        Returns
        -------
        labels : ndarray of int, shape (n_samples,)
            Number of the cluster.
        """
        rows = self._rows(X)
        frame, centres, weights, offsets = self._told
        parts = (frame.place(rows[start : start + 4096]) for start in range(0, rows.shape[0], 4096))
        return np.concatenate([nearest(points, centres, weights, offsets) for points in parts])

    def _weighting(self, points: Points, rng: np.random.Generator) -> FixedWeights:
        """Return how features are weighted."""
        raise NotImplementedError

    def _group(self, data: View) -> None:
        points = read_points(data)
        checked_clusters(type(self).__name__, self.n_clusters, len(points))
        rng = np.random.default_rng(self.random_state)
        self._keep(self._best(points, rng))

    def _best(self, points: Points, rng: np.random.Generator) -> Descent:
        """Return the best of several descents."""
        return best_of(self._descents(points, rng), self.n_init)[0]

    def _descents(self, points: Points, rng: np.random.Generator) -> Iterator[Descent]:
        """Yield a descent per start; there is one start if it is given and weights start equal."""
        for _ in range(self.n_init):
            weighting = self._weighting(points, rng)
            yield self._descent(points, weighting, rng)
            drawn = isinstance(self.init, str) and self.init != "first"
            if not drawn and getattr(self, "start_weights", "uniform") != "random":
                return

    def _descent(self, points: Points, weighting: FixedWeights, rng: np.random.Generator) -> Descent:
        weights = weighting.start(points.frame.varying, self.n_clusters)
        name = type(self).__name__
        centres = started(name, points, self.n_clusters, self.init, weighting.effective(weights), rng)
        return Descent(points, weighting, centres, weights).run(self.max_iter)

    def _keep(self, found: Descent) -> None:
        """Store what was found, without the rows."""
        frame, rule = found.points.frame, found.weighting
        self.labels_ = found.labels
        self.cluster_centers_ = found.centres.table(found.points)
        self.objective_ = float(found.told(found.path[-1:])[0])
        self.n_iter_ = len(found.path)
        self._told = (frame, found.centres, rule.effective(found.weights), rule.offsets(found.weights))
        self._path = found.table()
        self._learn_weights(found)

    def _learn_weights(self, found: Descent) -> None:
        """Store ``weights_``, if the method has any."""
        self.weights_ = found.weights[0] if len(found.weights) == 1 else found.weights

    def _clusters(self, data: View) -> ResultTable:
        rows = np.bincount(self.labels_, minlength=self.n_clusters)
        columns: dict[str, Any] = {"cluster": np.arange(self.n_clusters), "rows": rows}
        for j in list(data.labels)[:MOST_MODES]:
            name = f"mode of {data.names[j] if data.names is not None else j}"
            columns[name] = data.labels[j][self.cluster_centers_[:, j].astype(np.int64)]
        return ResultTable("Rows per cluster", columns)

    def _selection(self, data: View) -> Selection | None:
        return by_weight(self._importance(), objective=self._path) if hasattr(self, "weights_") else None

    def _importance(self) -> np.ndarray:
        """Return weights of which larger ones matter more."""
        return self.weights_

"""The descent of all weighted versions of k-means: assign rows, move centres, weigh features, until nothing falls."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from fewer.core.clustering.centres import Centres, nearest, own_distances, updated
from fewer.core.clustering.points import Points
from fewer.core.clustering.weightings import FixedWeights
from fewer.core.records.result_table import ResultTable
from fewer.core.runners import progress


@dataclass(eq=False)
class Descent:
    """Where a descent is, and how it came there.

    Attributes
    ----------
    points : Points
        The rows.
    weighting : FixedWeights
        How features are weighted for given clusters.
    centres : Centres
        A centre per cluster.
    weights : ndarray of shape (1, n_features) or (n_clusters, n_features)
        The weights that were learned.
    labels : ndarray of int, shape (n_rows,)
        The nearest centre of every row under these weights.
    path : list of float
        The objective after each iteration.
    reseeded : list of int
        How many empty clusters each iteration started again.
    converged : bool
        Whether the descent ended before it had to.
    unitless : bool
        Whether the objective does not change with the units of the data.
    """

    points: Points
    weighting: FixedWeights
    centres: Centres
    weights: np.ndarray
    labels: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))
    dispersions: np.ndarray = field(default_factory=lambda: np.zeros((0, 0)))
    path: list[float] = field(default_factory=list)
    reseeded: list[int] = field(default_factory=list)
    converged: bool = False
    unitless: bool = False

    @property
    def objective(self) -> float:
        """The objective at the end."""
        return self.path[-1]

    def nearest(self, points: Points) -> np.ndarray:
        """Return the nearest centre of rows under the weights."""
        rule = self.weighting
        return nearest(points, self.centres, rule.effective(self.weights), rule.offsets(self.weights))

    def run(self, max_iter: int) -> Descent:
        """Descend until no row changes its cluster, or the objective no longer falls."""
        varying = self.points.frame.varying
        for _ in range(max_iter):
            labels = self.nearest(self.points)
            if len(self.path) and np.array_equal(labels, self.labels):
                self.converged = True
                break
            labels, counts, n_new = self.refilled(labels)
            centres, dispersions = updated(self.points, labels, self.centres, counts)
            weights = self.weighting.step(dispersions, counts, self.weights, varying)
            value = self.weighting.objective(dispersions, counts, weights)
            if self.path and not n_new and value >= self.path[-1]:
                self.converged = True
                break
            self.centres, self.weights, self.labels, self.dispersions = centres, weights, labels, dispersions
            self.path.append(value)
            self.reseeded.append(n_new)
        # Rows lie at their nearest centres under the final weights, however the descent ended.
        self.labels = self.nearest(self.points)
        return self

    def refilled(self, labels: np.ndarray) -> tuple[np.ndarray, np.ndarray, int]:
        """Give every empty cluster the row that is farthest from its own centre, if one is away from it.

        Returns
        -------
        labels, counts : ndarrays
            Cluster of every row, and rows of every cluster.
        n_new : int
            How many clusters were empty and have a row now.
        """
        counts = np.bincount(labels, minlength=len(self.centres)).astype(np.float64)
        empty = np.flatnonzero(counts == 0)
        if not len(empty):
            return labels, counts, 0
        away = own_distances(self.points, self.centres, self.weighting.effective(self.weights), labels)
        labels, n_new = labels.copy(), 0
        for c in empty:
            # A row that is alone would leave another cluster empty.
            candidates = np.where(counts[labels] > 1, away, 0.0)
            row = int(candidates.argmax())
            if candidates[row] <= 0:
                break
            counts[labels[row]] -= 1
            labels[row], counts[c], away[row] = c, 1, 0.0
            n_new += 1
        logging.getLogger("fewer").info("k-means: %d of %d empty clusters start again", n_new, len(empty))
        return labels, counts, n_new

    def told(self, values: list[float]) -> np.ndarray:
        """Return objectives as they are defined, in the units of the data; infinite where that is too large."""
        given, factor = np.asarray(values, dtype=np.float64), np.float64(self.weighting.factor)
        with np.errstate(over="ignore", under="ignore", invalid="ignore"):
            told = given * (1.0 if self.unitless else factor * self.points.frame.per_unit)
        return np.where(given == 0, 0.0, told)

    def table(self) -> ResultTable:
        """Return the objective after each iteration, in the units of the data."""
        path = self.told(self.path)
        columns = {"iteration": np.arange(1, len(path) + 1), "objective": path, "clusters started again": self.reseeded}
        return ResultTable("How the objective fell", columns, "curve")


def best_of(descents: Iterable[Descent], n_init: int) -> tuple[Descent, list[Descent]]:
    """Return the descent whose objective is smallest, the first of equal ones, and all of them."""
    found = []
    for done, descent in enumerate(descents, start=1):
        found.append(descent)
        if progress.report("descending", done, n_init):
            break
    least = min(descent.objective for descent in found)
    # Descents that meet in the same clusters differ by rounding.
    return next(descent for descent in found if descent.objective <= least + 1e-12 * abs(least)), found


def average_dispersion(points: Points) -> float:
    """Return the average distance of a value from the mean of its column, over the features that vary.

    It is the offset of subspace k-means: the average dispersion of all features in the data.
    """
    return float(variances(points).sum()) / max(1, int(points.frame.varying.sum()))


def variances(points: Points) -> np.ndarray:
    """Return the dispersion of every feature around its mean or mode, per row."""
    whole = Centres(np.zeros((1, points.numbers.shape[1])), np.zeros((1, points.codes.shape[1]), np.int64))
    return updated(points, np.zeros(len(points), np.int64), whole)[1][0] / len(points)

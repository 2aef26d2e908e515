"""Clusters of rows by any clusterer, and the category utility of features for them."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning

from fewer.core.clustering.standard_columns import standard_columns
from fewer.core.measures.category import NORMAL, category_utility, normal_category_utility
from fewer.core.records.errors import ParameterError
from fewer.core.summaries.results import Counts, Moments
from fewer.core.views.view import View


def check_clusterer(name: str, clusterer: Any, needed: str) -> None:
    """Raise unless a clusterer was given, or a number of clusters for k-means."""
    if isinstance(clusterer, Integral) and not isinstance(clusterer, bool) and int(clusterer) >= 1:
        return
    if isinstance(clusterer, (type, str)) or not hasattr(clusterer, needed):
        raise ParameterError(
            f"{name} got clusterer={clusterer!r}, but takes a number of clusters for k-means, from 1 on, or a "
            f"clusterer with {needed}; pass one such as 3 or sklearn.cluster.KMeans(3)."
        )


def as_clusterer(clusterer: Any, n_distinct: int, seed: int) -> Any:
    """Return a new clusterer; k-means where a number of clusters was given, at most one per distinct row."""
    if not isinstance(clusterer, Integral):
        return clone(clusterer)
    return KMeans(min(int(clusterer), n_distinct), n_init=10, random_state=seed)


def labels_of(points: np.ndarray, clusterer: Any, seed: int) -> np.ndarray:
    """Return the cluster of every row, from 0; rows that a clusterer leaves out, by -1, are a cluster like others."""
    n_distinct = len(np.unique(points, axis=0))
    if n_distinct == 1:
        return np.zeros(len(points), np.int64)
    with warnings.catch_warnings():
        # Fewer different rows than clusters are an answer here.
        warnings.simplefilter("ignore", ConvergenceWarning)
        found = as_clusterer(clusterer, n_distinct, seed).fit_predict(points)
    return np.unique(found, return_inverse=True)[1].astype(np.int64)


@dataclass(frozen=True, eq=False)
class ClusterRows:
    """Rows as clusterers and category utility read them: standardized numbers, and levels.

    Attributes
    ----------
    X : ndarray of shape (n_rows, n_features)
        Numbers of mean 0 and variance 1, and level numbers.
    nominal : ndarray of bool of shape (n_features,)
        Which columns hold level numbers.
    """

    X: np.ndarray
    nominal: np.ndarray

    @classmethod
    def of(cls, view: View) -> ClusterRows:
        """Read the rows of a view."""
        X = np.array(view.whole().X, dtype=np.float64)
        X[:, ~view.nominal] = standard_columns(X[:, ~view.nominal])[0]
        for j in np.flatnonzero(view.nominal):
            X[:, j] = np.unique(X[:, j], return_inverse=True)[1]
        return cls(X, view.nominal)

    @property
    def constant(self) -> np.ndarray:
        """Which columns have one value in all rows."""
        return (self.X[:1] == self.X).all(axis=0)

    def points(self, members: np.ndarray) -> np.ndarray:
        """Return some columns as coordinates; two levels are 1 apart."""
        parts = [
            (self.X[:, [j]] == np.unique(self.X[:, j])) * np.sqrt(0.5) if self.nominal[j] else self.X[:, [j]]
            for j in members.tolist()
        ]
        return np.hstack(parts) if parts else np.zeros((len(self.X), 1))

    def counts(self, j: int, labels: np.ndarray) -> np.ndarray:
        """Return how often the levels of a nominal column occur in the clusters, levels by clusters."""
        table = np.zeros((int(self.X[:, j].max()) + 1, int(labels.max()) + 1))
        np.add.at(table, (self.X[:, j].astype(np.int64), labels), 1.0)
        return table

    def moments(self, columns: np.ndarray, labels: np.ndarray) -> Moments:
        """Return means and squared deviations of columns by cluster."""
        member = np.eye(int(labels.max()) + 1)[labels]
        weight, X = member.sum(axis=0), self.X[:, columns]
        mean = X.T @ member / weight
        return Moments(weight, mean, ((X - mean.T[labels]) ** 2).T @ member)

    def utilities(self, labels: np.ndarray, acuity: float) -> np.ndarray:
        """Return what every feature adds to the category utility of clusters; 0 for constant columns."""
        out = np.zeros(self.X.shape[1])
        numbers = np.flatnonzero(~self.nominal & ~self.constant)
        out[numbers] = normal_category_utility(self.moments(numbers, labels), acuity) if len(numbers) else 0.0
        for j in np.flatnonzero(self.nominal).tolist():
            table = self.counts(j, labels)
            out[j] = category_utility(Counts(table, np.array([0, len(table)])))[0]
        return out

    def placements(self, j: int, labels: np.ndarray, acuity: float, some: np.ndarray) -> np.ndarray:
        """Return by how much K n CU rises by feature j if a row were added once more to each cluster, (n_some, K)."""
        size = np.bincount(labels).astype(np.float64)
        if self.nominal[j]:
            table = self.counts(j, labels)
            squares = (table**2).sum(axis=0)
            return (squares + 2.0 * table[self.X[some, j].astype(np.int64)] + 1.0) / (size + 1.0) - squares / size
        found = self.moments(np.array([j]), labels)
        apart = (self.X[some, j][:, None] - found.mean) ** 2 * (size / (size + 1.0))
        after = np.sqrt((found.m2 + apart) / (size + 1.0))
        before = np.sqrt(found.m2 / size)
        return NORMAL * ((size + 1.0) / np.maximum(after, acuity) - size / np.maximum(before, acuity))

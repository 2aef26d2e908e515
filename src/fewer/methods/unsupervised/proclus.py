"""PROCLUS: medoids with columns of their own."""

from __future__ import annotations

from typing import Any

import numpy as np

from fewer.core.clustering.projected import MedoidSearch, distances_to, farthest_first, reach
from fewer.core.clustering.subspaces import by_subspace, checked_clusters, clusters_table, unit_ranges
from fewer.core.estimators.clusterer import BaseClusterer, rows_of
from fewer.core.records.errors import InputError
from fewer.core.records.params import number_from, whole_from
from fewer.core.records.result import Selection
from fewer.core.records.result_table import ResultTable
from fewer.core.records.tags import MethodTags
from fewer.core.views.view import View


class PROCLUS(BaseClusterer):
    r"""Divide the rows among medoids, each of which looks at columns of its own.

    The columns of a medoid are those in which the rows around it lie unusually near to it: with :math:`X_{ij}` the
    mean absolute difference of the rows around medoid i to it in column j, the smallest :math:`Z_{ij} = (X_{ij} - \bar
    X_i) / s_i` of all medoids are taken, two or more of each. Rows belong to the medoid that is nearest by the mean
    absolute difference over its columns. Medoids of small clusters are replaced by others of a pool as long as rows
    come nearer to the centres of their clusters [1]_.

    Parameters
    ----------
    n_clusters : int, default=3
        Number of clusters.
    mean_dim : float, default=3
        Columns per cluster in the mean; clusters may have different numbers of them, at least two.
    medoids : array-like of int or None, default=None
        Numbers of the rows that are the first medoids; None draws them from the pool.
    sample_factor : int, default=30
        Rows that are drawn for each cluster, from which the pool is taken.
    pool_factor : int, default=5
        Rows in the pool for each cluster, far from each other.
    min_fraction : float, default=0.1
        Medoids of clusters with less than this fraction of an equal share of the rows are replaced.
    max_failures : int, default=20
        How many replacements in a row may fail to improve the clusters.
    random_state : int, Generator or None, default=None
        Seed of the random part; the same number gives the same result.

    Attributes
    ----------
    labels_ : ndarray of int, shape (n_samples,)
        Cluster of every row, -1 for outliers: rows farther from every medoid than the nearest other medoid is.
    clusters_ : ResultTable
        Rows and subspace of every cluster.
    medoids_ : ndarray of int
        Row numbers of the medoids.
    subspaces_ : list of tuple of int
        The columns of every cluster.
    costs_ : list of float
        Mean distance of rows to the centre of their cluster whenever it became smaller.
    selection_ : Selection
        The columns, by the fraction of rows whose cluster is in a subspace with the column.

    Notes
    -----
    The data of the paper lie between 0 and 100 in every column; here columns are divided by their range. A constant
    column, from which every row has the difference 0, would be the first choice of every medoid; it is left out.
    Clusters that no row is left in are dropped. The spheres outside of which rows are outliers are those of the paper,
    and wide: they reach to the nearest other medoid. Most rows of a background that fills the space lie in some sphere
    and are given to a cluster.

    See Also
    --------
    CLIQUE : Finds clusters in all subspaces, which may share rows.
    COSA : Weighs columns for every row.

    References
    ----------
    .. [1] C. C. Aggarwal, C. Procopiuc, J. L. Wolf, P. S. Yu and J. S. Park, "Fast algorithms for projected
       clustering", SIGMOD 1999.
    .. [2] H. Liu and H. Motoda (eds.), Computational Methods of Feature Selection, section 10.7, 2008.

    Examples
    --------
    >>> from fewer.synth import make_subspace_clusters
    >>> data = make_subspace_clusters(n_background=0, random_state=0)
    >>> PROCLUS(2, random_state=0).fit(data.X).subspaces_
    [(3, 4, 5), (0, 1, 2)]
    """

    method_tags = MethodTags(
        targets=("none",), views=("dense",), deterministic=False, invariance=("scale_untied",), cost="n*d*k per swap"
    )
    _parameter_constraints: dict = {
        "n_clusters": [whole_from(1)],
        "mean_dim": [number_from(1)],
        "medoids": ["array-like", None],
        "sample_factor": [whole_from(1)],
        "pool_factor": [whole_from(1)],
        "min_fraction": [number_from(0)],
        "max_failures": [whole_from(0)],
        "random_state": "no_validation",
    }

    def __init__(
        self,
        n_clusters: int = 3,
        mean_dim: float = 3,
        medoids: Any = None,
        sample_factor: int = 30,
        pool_factor: int = 5,
        min_fraction: float = 0.1,
        max_failures: int = 20,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.mean_dim = mean_dim
        self.medoids = medoids
        self.sample_factor = sample_factor
        self.pool_factor = pool_factor
        self.min_fraction = min_fraction
        self.max_failures = max_failures
        self.random_state = random_state

    def _group(self, data: View) -> None:
        X, k = rows_of(data), self.n_clusters
        checked_clusters(type(self).__name__, k, len(X))
        given = None if self.medoids is None else self._given(len(X))
        self._low, self._width = unit_ranges(X)
        self._live = np.flatnonzero(self._width > 0)
        if not len(self._live):
            # One row, or rows that are all the same: one cluster, in no column.
            self.labels_, self.medoids_ = np.zeros(len(X), np.int64), np.zeros(1, np.int64)
            self.subspaces_, self.costs_ = [()], [0.0]
            return
        rng = np.random.default_rng(self.random_state)
        rows = self._scaled(X)
        sample = np.sort(rng.choice(len(rows), min(len(rows), self.sample_factor * k), replace=False))
        first = int(rng.integers(len(sample)))
        pool = sample[farthest_first(rows[sample], first, max(k, self.pool_factor * k))]
        start = rng.choice(pool, k, replace=False) if given is None else given
        total = round(k * min(float(self.mean_dim), rows.shape[1]))
        search = MedoidSearch(rows, k, total, self.min_fraction, self.max_failures, rng)
        best, costs = search.run(start, pool)
        found = search.refined(best)
        self.costs_ = costs
        self._keep(found.medoids, found.columns, rows)

    def _given(self, n_rows: int) -> np.ndarray:
        """Return the given medoids."""
        init = np.asarray(self.medoids)
        good = init.ndim == 1 and init.dtype.kind in "iu" and len(init) == len(np.unique(init)) == self.n_clusters
        if not good or init.min() < 0 or init.max() >= n_rows:
            raise InputError(
                f"PROCLUS got medoids={self.medoids!r}, but needs the numbers, from 0 to {n_rows - 1}, of "
                f"n_clusters={self.n_clusters} different rows; pass these, or medoids=None."
            )
        return init.astype(np.int64)

    def _keep(self, medoids: np.ndarray, columns: list[np.ndarray], rows: np.ndarray) -> None:
        """Store what was found; rows beyond the reach of all medoids are outliers."""
        self._points, self._columns, self._reach = rows[medoids], columns, reach(rows[medoids], columns)
        labels = self._labels_of(rows)
        left = np.unique(labels[labels >= 0])
        self._number = np.full(len(medoids) + 1, -1, np.int64)
        self._number[left] = np.arange(len(left))
        self.labels_ = self._number[labels]
        self.medoids_ = medoids[left]
        self.subspaces_ = [tuple(self._live[columns[i]].tolist()) for i in left]

    def _scaled(self, X: np.ndarray) -> np.ndarray:
        return np.ascontiguousarray((X[:, self._live] / 2 - self._low[self._live]) / self._width[self._live])

    def _labels_of(self, rows: np.ndarray) -> np.ndarray:
        away = distances_to(rows, self._points, self._columns)
        return np.where((away <= self._reach).any(axis=1), away.argmin(axis=1), -1)

    def predict(self, X: Any) -> np.ndarray:
        """Return the cluster of new rows, -1 for outliers.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of int, shape (n_samples,)
            Cluster numbers.
        """
        rows = np.asarray(self._rows(X), dtype=np.float64)
        if not len(self._live):
            return np.zeros(len(rows), np.int64)
        return self._number[self._labels_of(self._scaled(rows))]

    def _clusters(self, data: View) -> ResultTable:
        rows = np.bincount(self.labels_[self.labels_ >= 0], minlength=len(self.medoids_))
        return clusters_table(self.subspaces_, rows.tolist(), data.names)

    def _selection(self, data: View) -> Selection:
        return by_subspace(self.labels_, self.subspaces_, data.n_features)

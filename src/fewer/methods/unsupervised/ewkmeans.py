"""Entropy-weighted k-means: weights of every cluster that their entropy keeps apart from 0."""

from __future__ import annotations

from typing import Any

import numpy as np

from fewer.core.clustering.points import Points
from fewer.core.clustering.weightings import EntropyWeights, FixedWeights
from fewer.core.records.params import number_above
from fewer.methods.unsupervised._centre_clusterer import CONSTRAINTS, CentreClusterer


class EWKMeans(CentreClusterer):
    r"""Group rows around centres and weigh features for every cluster, the weights spread by their entropy.

    Rows, centres and weights are changed in turn so that :math:`\sum_l [ \sum_{i \in l} \sum_j w_{lj} (x_{ij} -
    z_{lj})^2 + \gamma \sum_j w_{lj} \ln w_{lj} ]` falls [1]_, with :math:`\sum_j w_{lj} = 1` in every cluster l. With
    :math:`D_{lj}` the dispersion of feature j in cluster l, :math:`w_{lj}` is in proportion to :math:`\exp(-D_{lj} /
    \gamma)`.

    Parameters
    ----------
    n_clusters : int, default=3
        Number of clusters.
    gamma : float, default=1.0
        How much the entropy counts: large values make weights equal, small ones give one feature all weight. It is
        compared with sums over the rows of a cluster, so that it should grow with their number.
    init : {"k-means++", "random", "first"} or array-like of shape (n_clusters, n_features), default="k-means++"
        Centres at the start: rows far apart, random rows (Forgy), the first rows (MacQueen), or these.
    n_init : int, default=10
        How many descents are made from drawn starts; the one with the smallest objective is kept.
    max_iter : int, default=100
        Most iterations of a descent.
    random_state : int, Generator or None, default=None
        Seed of the random part; the same number gives the same result.

    Attributes
    ----------
    labels_ : ndarray of int, shape (n_samples,)
        Cluster of every row: the nearest centre under the final weights.
    weights_ : ndarray of shape (n_clusters, n_features)
        Weights of every cluster, sum 1; 0 for a column with one value.
    cluster_centers_ : ndarray of shape (n_clusters, n_features)
        Means.
    objective_ : float
        The objective at the end.
    n_iter_ : int
        Iterations of the best descent.
    clusters_ : ResultTable
        Rows of every cluster.
    selection_ : Selection
        Features of at least an equal share of the weight in some cluster, and the table of weights.

    See Also
    --------
    SubspaceKMeans : Weights by a power instead of their entropy.

    Notes
    -----
    Bring numbers to one scale first. A column with one value would have the smallest dispersion in every cluster; it
    gets no weight. Weights start equal.

    References
    ----------
    .. [1] L. Jing, M. K. Ng and J. Z. Huang, "An entropy weighting k-means algorithm for subspace clustering of
       high-dimensional sparse data", IEEE Transactions on Knowledge and Data Engineering 19, 2007.

    Examples
    --------
    >>> X = [[0, 0, 5], [1, 0, 1], [0, 1, 9], [8, 9, 2], [9, 8, 7], [9, 9, 4]]
    >>> found = EWKMeans(2, random_state=0).fit(X)
    >>> found.labels_.tolist(), found.weights_.round(2).tolist()
    ([1, 1, 1, 0, 0, 0], [[0.5, 0.5, 0.0], [0.5, 0.5, 0.0]])
    """

    _parameter_constraints: dict = {**CONSTRAINTS, "gamma": [number_above(0)]}

    def __init__(
        self,
        n_clusters: int = 3,
        *,
        gamma: float = 1.0,
        init: Any = "k-means++",
        n_init: int = 10,
        max_iter: int = 100,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.gamma = gamma
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.random_state = random_state

    def _weighting(self, points: Points, rng: np.random.Generator) -> FixedWeights:
        start = np.full(points.n_features, 1.0 / points.n_features)
        with np.errstate(over="ignore", under="ignore"):
            gamma = np.clip(self.gamma / np.float64(points.frame.unit) / points.frame.unit, 1e-280, 1e280)
        return EntropyWeights(start, float(gamma))

"""Subspace k-means: weights of features for every cluster."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np

from fewer.core.clustering.descent import Descent, average_dispersion
from fewer.core.clustering.points import Points
from fewer.core.clustering.weightings import ClusterPowerWeights, FixedWeights
from fewer.core.records.params import Interval, number_from
from fewer.methods.unsupervised._centre_clusterer import CONSTRAINTS, CentreClusterer
from fewer.methods.unsupervised._powers import checked_power, important


class SubspaceKMeans(CentreClusterer):
    r"""Group rows around centres and weigh features for every cluster, by how little they vary within it (FWKM).

    Rows, centres and weights are changed in turn so that :math:`\sum_l \sum_{i \in l} \sum_j w_{lj}^\beta [(x_{ij} -
    z_{lj})^2 + \sigma]` falls, eq. 10.10 and 10.15 of [1]_, with :math:`\sum_j w_{lj} = 1` in every cluster l. With
    :math:`D_{lj}` the part of feature j and cluster l without its weight, :math:`w_{lj} = 1 / \sum_t (D_{lj} /
    D_{lt})^{1/(\beta-1)}`. The offset :math:`\sigma` keeps a feature that is constant within a cluster, such as a word
    that does not occur in it, from taking all weight.

    Parameters
    ----------
    n_clusters : int, default=3
        Number of clusters.
    beta : float, default=2.0
        Power of the weights: above 1 (larger is flatter), below 0, 0 for equal weights, or 1, which gives one feature
        all weight.
    offset : float, default=1.0
        The offset of distances, in average dispersions of a feature in the data; large ones make weights equal.
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
    offset_ : float
        The offset :math:`\sigma`.
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
    WKMeans : One weight per feature for all clusters.
    EWKMeans : Weights spread by their entropy instead of a power.
    fewer.evaluate.cluster_words.cluster_keywords : The words that tell a cluster, by its weights.

    Notes
    -----
    The source has :math:`\sigma` in the weights only; the objective then need not fall, because :math:`\sigma \sum_j
    w_{lj}^\beta` differs between clusters. Here it is in the choice of the nearest centre, too. The right side of eq.
    10.12 is printed with the weights of the wrong cluster. Sparse rows stay sparse.

    References
    ----------
    .. [1] H. Liu and H. Motoda (eds.), "Computational Methods of Feature Selection", 2008, section 10.5.
    .. [2] L. Jing, M. K. Ng, J. Xu and J. Z. Huang, "Subspace clustering of text documents with feature weighting
       k-means algorithm", PAKDD 2005.

    Examples
    --------
    >>> X = [[1, 2, 3, 0, 6], [2, 3, 1, 0, 6], [3, 1, 2, 0, 6], [0, 0, 1, 3, 2], [0, 0, 2, 1, 3], [0, 0, 3, 2, 1]]
    >>> found = SubspaceKMeans(2, init=[X[0], X[3]]).fit(X)
    >>> found.labels_.tolist(), found.weights_.round(3).tolist()[0]
    ([0, 0, 0, 1, 1, 1], [0.174, 0.174, 0.174, 0.239, 0.239])
    """

    _parameter_constraints: dict = {
        **CONSTRAINTS,
        "beta": [Interval(Real, None, None, closed="neither")],
        "offset": [number_from(0)],
    }

    def __init__(
        self,
        n_clusters: int = 3,
        *,
        beta: float = 2.0,
        offset: float = 1.0,
        init: Any = "k-means++",
        n_init: int = 10,
        max_iter: int = 100,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.beta = beta
        self.offset = offset
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.random_state = random_state

    def _weighting(self, points: Points, rng: np.random.Generator) -> FixedWeights:
        beta = checked_power(type(self).__name__, self.beta)
        return ClusterPowerWeights(points.equal_shares(), beta, self.offset * average_dispersion(points))

    def _learn_weights(self, found: Descent) -> None:
        self.weights_ = found.weights
        self.offset_ = float(self.offset * average_dispersion(found.points) * found.points.frame.per_unit)

    def _importance(self) -> np.ndarray:
        return important(self.weights_, self.beta)

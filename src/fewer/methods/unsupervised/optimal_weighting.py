"""Optimal variable weighting: conjugate gradients between changes of the clusters."""

from __future__ import annotations

from typing import Any

import numpy as np

from fewer.core.clustering.optimal_weights import ConjugateWeights
from fewer.core.clustering.points import Points
from fewer.core.clustering.weightings import FixedWeights
from fewer.core.records.params import whole_from
from fewer.methods.unsupervised._centre_clusterer import CONSTRAINTS, CentreClusterer


class OptimalWeights(CentreClusterer):
    r"""Group rows around centres, with weights of features that a few conjugate gradients improve after every change.

    The weights follow De Soete, for k-means as Makarenkov and Legendre have it [2]_: :math:`L(w) = \sum_l \frac{1}{n_l}
    \sum_{i,i' \in l} \sum_j w_j (x_{ij} - x_{i'j})^2` shall be small, with :math:`w_j \ge 0` and sum 1;
    it is twice the weighted sum of squares within clusters.

    Parameters
    ----------
    n_clusters : int, default=3
        Number of clusters.
    n_steps : int, default=2
        Conjugate gradients after every change of the clusters; many put all weight on one feature.
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
    weights_ : ndarray of shape (n_features,)
        Weight of every feature, sum 1; 0 for a column with one value.
    cluster_centers_ : ndarray of shape (n_clusters, n_features)
        Means.
    objective_ : float
        The weighted sum of squares within clusters, L / 2.
    n_iter_ : int
        Iterations of the best descent.
    clusters_ : ResultTable
        Rows of every cluster.
    selection_ : Selection
        Features of at least an equal share of the weight.

    See Also
    --------
    WKMeans : A power of the weights keeps them apart from 0, in closed form.

    Notes
    -----
    For given clusters L is linear in w, so that its minimum gives one feature all weight. Here :math:`w_j = v_j^2 /
    \sum_t v_t^2`, and v takes ``n_steps`` steps of Polak and Ribiere's conjugate gradients, each to the minimum along
    its direction, between assignments; the descent ends when no row changes its cluster, before the weights are driven
    to a corner. Bring numbers to one scale first.

    References
    ----------
    .. [1] H. Liu and H. Motoda (eds.), "Computational Methods of Feature Selection", 2008, section 10.7.
    .. [2] V. Makarenkov and P. Legendre, "Optimal variable weighting for ultrametric and additive trees and k-means
       partitioning", Journal of Classification 18, 2001.

    Examples
    --------
    >>> X = [[0, 0, 5], [1, 0, 1], [0, 1, 9], [8, 9, 2], [9, 8, 7], [9, 9, 4]]
    >>> found = OptimalWeights(2, random_state=0).fit(X)
    >>> found.labels_.tolist(), found.selection_.indices.tolist()
    ([1, 1, 1, 0, 0, 0], [0, 1])
    """

    _parameter_constraints: dict = {**CONSTRAINTS, "n_steps": [whole_from(1)]}

    def __init__(
        self,
        n_clusters: int = 3,
        *,
        n_steps: int = 2,
        init: Any = "k-means++",
        n_init: int = 10,
        max_iter: int = 100,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.n_steps = n_steps
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.random_state = random_state

    def _weighting(self, points: Points, rng: np.random.Generator) -> FixedWeights:
        return ConjugateWeights(np.full(points.n_features, 1.0 / points.n_features), self.n_steps)

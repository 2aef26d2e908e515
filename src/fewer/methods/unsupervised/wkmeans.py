"""W-k-means: one weight per feature, learned with the clusters."""

from __future__ import annotations

from dataclasses import replace
from numbers import Real
from typing import Any

import numpy as np

from fewer.core.clustering.points import Points
from fewer.core.clustering.weightings import FixedWeights, PowerWeights
from fewer.core.records.params import Interval, StrOptions
from fewer.methods.unsupervised._centre_clusterer import CENTRES, CONSTRAINTS, CentreClusterer
from fewer.methods.unsupervised._powers import checked_power, important


class WKMeans(CentreClusterer):
    r"""Group rows around centres and weigh features: those that vary least within clusters get most weight.

    Rows, centres and weights are changed in turn so that
    :math:`P = \sum_l \sum_{i \in l} \sum_j w_j^\beta d(x_{ij}, z_{lj})` falls, eq. 10.1 of [1]_, with :math:`\sum_j w_j
    = 1`, squared differences of numbers and 1 for different levels of nominal columns: k-means, k-modes or k-prototypes
    with weights. With :math:`D_j` the part of feature j in P without its weight, :math:`w_j = 1 / \sum_t (D_j /
    D_t)^{1/(\beta-1)}`.

    Parameters
    ----------
    n_clusters : int, default=3
        Number of clusters.
    beta : float, default=2.0
        Power of the weights: above 1 (larger is flatter), below 0, 0 for equal weights, or 1, which gives one feature
        all weight.
    init : {"k-means++", "random", "first"} or array-like of shape (n_clusters, n_features), default="k-means++"
        Centres at the start: rows far apart, random rows (Forgy), the first rows (MacQueen), or these.
    start_weights : {"uniform", "random"}, default="uniform"
        Weights at the start: equal, or drawn for every descent.
    n_init : int, default=10
        How many descents are made from drawn starts; the one with the smallest objective is kept.
    max_iter : int, default=100
        Most iterations of a descent.
    categorical_features : array-like of int, str or bool, default=None
        Nominal columns besides those whose dtype says so.
    random_state : int, Generator or None, default=None
        Seed of the random part; the same number gives the same result.

    Attributes
    ----------
    labels_ : ndarray of int, shape (n_samples,)
        Cluster of every row: the nearest centre under the final weights.
    weights_ : ndarray of shape (n_features,)
        Weight of every feature, sum 1; 0 for a column with one value. With a negative ``beta`` small ones matter, and
        ``selection_`` has the powers as scores.
    cluster_centers_ : ndarray of shape (n_clusters, n_features)
        Means; modes of nominal columns as level numbers.
    objective_ : float
        P at the end.
    n_iter_ : int
        Iterations of the best descent.
    clusters_ : ResultTable
        Rows of every cluster, and the modes of nominal columns.
    selection_ : Selection
        Features of at least an equal share of the weight.

    See Also
    --------
    WKMeansSelector : The same as a selector.
    SubspaceKMeans : Weights of its own for every cluster.

    Notes
    -----
    Bring numbers to one scale first: :math:`D_j` depends on it. The source gives weight 0 to a feature with :math:`D_j
    = 0`. For a column with one value that is done here; one that has become constant only within clusters tells them
    best, and its loss would raise P, against Theorem 2: it keeps its weight and the others share the rest. An
    empty cluster starts again at the row farthest from its centre, the only step that may raise P.

    References
    ----------
    .. [1] H. Liu and H. Motoda (eds.), "Computational Methods of Feature Selection", 2008, sections 10.2 and 10.3.
    .. [2] J. Z. Huang, M. K. Ng, H. Rong and Z. Li, "Automated variable weighting in k-means type clustering", IEEE
       Transactions on Pattern Analysis and Machine Intelligence 27, 2005.

    Examples
    --------
    >>> X = [[0, 0, 5], [1, 0, 1], [0, 1, 9], [8, 9, 2], [9, 8, 7], [9, 9, 4]]
    >>> found = WKMeans(2, random_state=0).fit(X)
    >>> found.labels_.tolist(), found.weights_.round(2).tolist()
    ([1, 1, 1, 0, 0, 0], [0.49, 0.49, 0.01])
    """

    method_tags = replace(CENTRES, handles_nominal=True)
    _parameter_constraints: dict = {
        **CONSTRAINTS,
        "beta": [Interval(Real, None, None, closed="neither")],
        "start_weights": [StrOptions({"uniform", "random"})],
        "categorical_features": ["array-like", None],
    }

    def __init__(
        self,
        n_clusters: int = 3,
        *,
        beta: float = 2.0,
        init: Any = "k-means++",
        start_weights: str = "uniform",
        n_init: int = 10,
        max_iter: int = 100,
        categorical_features: Any = None,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.beta = beta
        self.init = init
        self.start_weights = start_weights
        self.n_init = n_init
        self.max_iter = max_iter
        self.categorical_features = categorical_features
        self.random_state = random_state

    def _weighting(self, points: Points, rng: np.random.Generator) -> FixedWeights:
        start = points.equal_shares()
        if self.start_weights == "random":
            start = rng.dirichlet(np.ones(len(start))) * (start > 0)
        return PowerWeights(start, checked_power(type(self).__name__, self.beta))

    def _importance(self) -> np.ndarray:
        return important(self.weights_, self.beta)

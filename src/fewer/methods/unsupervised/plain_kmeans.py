"""Plain k-means by Forgy and by MacQueen: what weighted versions are compared with."""

from __future__ import annotations

from typing import Any

import numpy as np

from fewer.core.clustering.descent import Descent
from fewer.core.clustering.one_by_one import run_one_by_one
from fewer.core.clustering.points import Points
from fewer.core.clustering.starts import started
from fewer.core.clustering.weightings import FixedWeights
from fewer.core.records.params import StrOptions
from fewer.methods.unsupervised._centre_clusterer import CONSTRAINTS, CentreClusterer


class PlainKMeans(CentreClusterer):
    r"""Group rows around centres, all features alike: the baseline of versions that weigh features.

    Rows and means are changed in turn so that :math:`\sum_l \sum_{i \in l} \|x_i - \mu_l\|^2` falls, eq. 2.1 of
    [1]_. Forgy's version moves the means after all rows are assigned; MacQueen's moves the two means that a
    row leaves and joins at once.

    Parameters
    ----------
    n_clusters : int, default=3
        Number of clusters.
    update : {"forgy", "macqueen"}, default="forgy"
        Whether means move after a pass over all rows, or after every single row that changes its cluster.
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
        Cluster of every row: the nearest centre.
    cluster_centers_ : ndarray of shape (n_clusters, n_features)
        Means.
    objective_ : float
        The sum of squared distances to the means.
    n_iter_ : int
        Iterations of the best descent.
    clusters_ : ResultTable
        Rows of every cluster.

    See Also
    --------
    WKMeans : Weighs the features.

    Notes
    -----
    It weighs nothing, and so selects nothing. An empty cluster starts again at the row farthest from its centre. A row
    that is alone in its cluster stays there in MacQueen's version.

    References
    ----------
    .. [1] H. Liu and H. Motoda (eds.), "Computational Methods of Feature Selection", 2008, section 2.2.1.
    .. [2] E. Forgy, "Cluster analysis of multivariate data: efficiency vs. interpretability of classifications",
       Biometrics 21, 1965.
    .. [3] J. MacQueen, "Some methods for classification and analysis of multivariate observations", Proceedings of the
       Fifth Berkeley Symposium, 1967.

    Examples
    --------
    >>> found = PlainKMeans(2, init="first").fit([[0.0], [1.0], [10.0], [11.0]])
    >>> found.labels_.tolist(), round(found.objective_, 9)
    ([0, 0, 1, 1], 1.0)
    """

    _parameter_constraints: dict = {**CONSTRAINTS, "update": [StrOptions({"forgy", "macqueen"})]}

    def __init__(
        self,
        n_clusters: int = 3,
        *,
        update: str = "forgy",
        init: Any = "k-means++",
        n_init: int = 10,
        max_iter: int = 100,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.update = update
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.random_state = random_state

    def _weighting(self, points: Points, rng: np.random.Generator) -> FixedWeights:
        return FixedWeights(np.ones(points.n_features))

    def _descent(self, points: Points, weighting: FixedWeights, rng: np.random.Generator) -> Descent:
        if self.update == "forgy":
            return super()._descent(points, weighting, rng)
        weights = weighting.start(points.frame.varying, self.n_clusters)
        centres = started(type(self).__name__, points, self.n_clusters, self.init, weights, rng)
        return run_one_by_one(Descent(points, weighting, centres, weights), self.max_iter)

    def _learn_weights(self, found: Descent) -> None:
        """All features count alike."""

"""SYNCLUS: k-means, and weights by a regression of the clusters on distances, in turn."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from fewer.core.clustering.descent import Descent
from fewer.core.clustering.optimal_weights import PairRegression
from fewer.core.clustering.points import Points
from fewer.core.clustering.starts import started
from fewer.core.clustering.weightings import FixedWeights
from fewer.methods.unsupervised._centre_clusterer import CENTRES, CONSTRAINTS, CentreClusterer


class SYNCLUS(CentreClusterer):
    r"""Group rows by k-means, weigh features so that distances tell the clusters, and so on in turn.

    Given clusters, weights :math:`w_j \ge 0` make the stress :math:`\sum_{i,i'} (\delta_{ii'} - a \sum_j w_j (x_{ij} -
    x_{i'j})^2 - c)^2` smallest over all pairs of rows, :math:`\delta` being 0 within and 1 between clusters; given
    weights, k-means finds clusters [1]_, [2]_.

    Parameters
    ----------
    n_clusters : int, default=3
        Number of clusters.
    init : {"k-means++", "random", "first"} or array-like of shape (n_clusters, n_features), default="k-means++"
        Centres at the start: rows far apart, random rows (Forgy), the first rows (MacQueen), or these.
    n_init : int, default=10
        How many descents are made from drawn starts; the one with the smallest objective is kept.
    max_iter : int, default=100
        Most iterations of a descent. Here an iteration is a whole k-means, which has no more than as many.
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
        The stress per pair of rows that the weights leave, least over the factors a and c.
    n_iter_ : int
        Number of regressions up to the one whose weights are kept.
    clusters_ : ResultTable
        Rows of every cluster.
    selection_ : Selection
        Features of at least an equal share of the weight.

    See Also
    --------
    WKMeans : Weights in closed form, much faster.

    Notes
    -----
    The source says what alternates and that the cost is of the kind of a stress; the regression is from the literature.
    Its sums over pairs follow from moments of the columns, :math:`n d^2` operations and no pair in memory. The two
    stages minimise different things, so that they may come in a circle: the iteration ends with the first clusters
    that have been there before, and the weights of least stress are kept, with the k-means that belongs to them; the
    stress may rise on the way.

    References
    ----------
    .. [1] H. Liu and H. Motoda (eds.), "Computational Methods of Feature Selection", 2008, section 10.7.
    .. [2] W. S. DeSarbo, J. D. Carroll, L. A. Clark and P. E. Green, "Synthesized clustering: a method for amalgamating
       alternative clustering bases with differential weighting of variables", Psychometrika 49, 1984.

    Examples
    --------
    >>> X = [[0, 0, 5], [1, 0, 1], [0, 1, 9], [8, 9, 2], [9, 8, 7], [9, 9, 4]]
    >>> found = SYNCLUS(2, random_state=0).fit(X)
    >>> found.labels_.tolist(), bool(found.weights_[2] < 0.1)
    ([1, 1, 1, 0, 0, 0], True)
    """

    method_tags = replace(
        CENTRES, views=("dense",), handles_sparse=False, cost="n_init*max_iter*(max_iter*n_clusters*n*d + n*d^2)"
    )
    _parameter_constraints: dict = CONSTRAINTS

    def __init__(
        self,
        n_clusters: int = 3,
        *,
        init: Any = "k-means++",
        n_init: int = 10,
        max_iter: int = 100,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.random_state = random_state

    def _weighting(self, points: Points, rng: np.random.Generator) -> FixedWeights:
        varying = points.frame.varying
        return FixedWeights(varying / max(1, varying.sum()))

    def _descent(self, points: Points, weighting: FixedWeights, rng: np.random.Generator) -> Descent:
        """Return the k-means under the weights of least stress."""
        pairs, weights = PairRegression.of(points), weighting.start(points.frame.varying, self.n_clusters)
        centres = started(type(self).__name__, points, self.n_clusters, self.init, weights, rng)
        seen, path, least, last, start = set(), [], np.inf, 1, centres
        for _ in range(self.max_iter):
            found = Descent(points, weighting, centres, weighting.start(points.frame.varying, 1)).run(self.max_iter)
            fitted, stress = pairs.weights(found.labels)
            if found.labels.tobytes() in seen:
                break
            path.append(stress)
            if fitted is None:
                break
            seen.add(found.labels.tobytes())
            weighting, centres = FixedWeights(fitted), found.centres
            if stress < least:
                least, last, weights, start = stress, len(path), fitted[None], centres
        end = Descent(points, FixedWeights(weights), start, weights).run(self.max_iter)
        # What came after the least stress is not kept, and not told.
        end.path, end.unitless = path[:last], True
        end.reseeded = [0] * len(end.path)
        return end

"""Spherical k-means with pairs of rows that belong together, or apart."""

from __future__ import annotations

from typing import Any

import numpy as np

from fewer.core.estimators.direction_groups import DirectionGroups
from fewer.core.estimators.paired_fit import PairedFit, lifted
from fewer.core.views.view import View


class PCSKMeans(PairedFit, DirectionGroups):
    r"""Group rows by their direction so that given pairs of rows share a cluster, or do not (PCSKM).

    As `SphericalKMeans`, but in each iteration rows that belong together go as one to
    :math:`\arg\max_k (\sum_i x_i)^T \mu_k`, and a pair that belongs apart goes to the two different clusters with the
    largest :math:`x_i^T \mu_k + x_j^T \mu_{k'}` (fig. 15.1 of [1]_). Without pairs it is spherical k-means.

    Parameters
    ----------
    n_clusters : int, default=3
        Number of clusters.
    init : {"k-means++", "random"} or array-like of shape (n_clusters, n_features), default="k-means++"
        Centres to begin with: rows drawn at random, each more likely the worse it fits those before it, or all rows
        alike; or the centres themselves.
    n_init : int, default=3
        Number of starts, of which the best result is kept; given centres are one start.
    max_iter : int, default=100
        Most iterations.
    tol : float, default=1e-6
        The iterations end when the objective changes by a smaller fraction.
    random_state : int, Generator or None, default=None
        Seed of the random part; the same number gives the same result.

    Attributes
    ----------
    labels_ : ndarray of int, shape (n_samples,)
        Cluster of every row, -1 for rows of zeros that are tied to no other, and for tied rows that cancel out.
    n_violated_ : int
        Pairs, of those given, that the labels do not meet.
    cluster_centers_ : ndarray of shape (n_clusters, n_features)
        The centres.
    objective_ : float
        Sum of the similarities of all rows to their centres.
    progress_ : ResultTable
        The objective after every iteration, and how many empty clusters got a row in it.
    n_iter_ : int
        Iterations of the best start.
    clusters_ : ResultTable
        Rows per cluster.
    selection_ : Selection
        Features by their share of the spread of the centres; the table "keywords" names those of each cluster.

    See Also
    --------
    SphericalKMeans : The same without pairs.
    ConstrainedCoClustering : Groups words beside documents.

    Notes
    -----
    The source defines the steps for rows in one pair. Here chains of rows that belong together are one unit, and pairs
    that belong apart are pairs of units, placed in the order in which they were given: a unit that has its place keeps
    it, and its partner takes the best cluster that none of its partners is in, or the best at all if there is none; to
    find out whether all pairs can be met is NP-complete. With pairs that belong apart the objective may fall: the
    iteration with the fewest pairs violated, then the largest objective, is kept. Centres move once per iteration, not
    after every row as the figure may be read.

    References
    ----------
    .. [1] W. Tang and S. Zhong, "Pairwise constraints-guided dimensionality reduction", chapter 15 of H. Liu and H.
       Motoda (eds.), "Computational Methods of Feature Selection", 2008.

    Examples
    --------
    >>> X = [[1, 0], [1, 0.2], [1, 0.4], [0.2, 1], [0, 1], [-0.2, 1]]
    >>> found = PCSKMeans(2, init=[[1, 0], [0, 1]]).fit(X, pairs=([[2, 3]], [[4, 5]]))
    >>> found.labels_.tolist(), found.n_violated_
    ([0, 0, 1, 1, 0, 1], 0)
    """

    def __init__(
        self,
        n_clusters: int = 3,
        *,
        init: Any = "k-means++",
        n_init: int = 3,
        max_iter: int = 100,
        tol: float = 1e-6,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def _tied(self, data: View) -> np.ndarray:
        return self._wishes(data).groups

    def _settling(self, data: View, place: np.ndarray) -> dict[str, Any]:
        apart = lifted(self._wishes(data), place)
        return {} if apart is None else {"bound": apart.units, "settle": apart.place}

    def _group(self, data: View) -> None:
        super()._group(data)
        self.n_violated_ = self._wishes(data).violations(self.labels_)

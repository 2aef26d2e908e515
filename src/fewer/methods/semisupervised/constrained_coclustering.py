"""Information-theoretic co-clustering with pairs of rows that belong together, or apart."""

from __future__ import annotations

from typing import Any

import numpy as np

from fewer.core.clustering.by_label import columns_added, rows_added
from fewer.core.clustering.information_blocks import Joint, Repair, own_divergence, profile_worth
from fewer.core.estimators.information_groups import InformationGroups
from fewer.core.estimators.paired_fit import PairedFit, lifted
from fewer.core.views.view import View


class ConstrainedCoClustering(PairedFit, InformationGroups):
    r"""Group rows and columns of counts at once, so that given pairs of rows share a cluster, or do not.

    As `InformationCoClustering`, but rows that belong together are one row with their summed mass, and after each step
    of the rows, of every pair that belongs apart and shares a cluster, the member that is farther from it by
    :math:`D_{KL}(p(Y | x) \| q(Y | \hat x))` moves to another cluster (section 15.3 of [1]_). Without pairs it is
    `InformationCoClustering`.

    Parameters
    ----------
    n_clusters : int, default=3
        Number of clusters.
    n_column_clusters : int or None, default=None
        Number of groups of columns; None for as many as clusters.
    init : {"k-means++", "random"} or tuple of two arrays, default="k-means++"
        Groups to begin with: of a short run of k-means, or drawn at random; or labels of all rows and of all columns.
    n_init : int, default=3
        Number of starts, of which the best result is kept; given labels are one start.
    max_iter : int, default=100
        Most iterations.
    tol : float, default=1e-6
        The iterations end when the objective changes by a smaller fraction.
    random_state : int, Generator or None, default=None
        Seed of the random part; the same number gives the same result.

    Attributes
    ----------
    labels_ : ndarray of int, shape (n_samples,)
        Cluster of every row, -1 for rows of zeros that are tied to no other.
    n_violated_ : int
        Pairs, of those given, that the labels do not meet.
    column_labels_ : ndarray of int, shape (n_features,)
        Group of every column, -1 for columns of zeros.
    blocks_ : ndarray of shape (n_clusters, n_column_clusters)
        Joint distribution of the groups.
    loss_, information_ : float
        Information that the groups lose, and that rows and columns have about each other, in nats; of the rows after
        those that belong together were merged.
    progress_ : ResultTable
        The loss at the start and after every step, of rows and columns in turn, and how many empty groups got a member.
    n_iter_ : int
        Iterations of the best start.
    clusters_ : ResultTable
        Rows per cluster.
    selection_ : Selection
        Features by their share of what single columns tell about the clusters of rows; with the tables "keywords" and
        "columns".

    See Also
    --------
    InformationCoClustering : The same without pairs.
    PCSKMeans : Clusters of directions with pairs.

    Notes
    -----
    The source does not say which other cluster: here the nearest that holds no partner, or else the nearest other one.
    Moves may raise the loss; the iteration with the fewest pairs violated, then the smallest loss, is kept. The source
    finds that fewer than about 100 pairs can be worse than none.

    References
    ----------
    .. [1] W. Tang and S. Zhong, "Pairwise constraints-guided dimensionality reduction", chapter 15 of H. Liu and H.
       Motoda (eds.), "Computational Methods of Feature Selection", 2008.

    Examples
    --------
    >>> X = [[5, 4, 0, 0], [4, 5, 1, 0], [0, 0, 5, 4], [0, 1, 4, 5], [3, 3, 3, 3]]
    >>> found = ConstrainedCoClustering(2, random_state=0).fit(X, pairs=([[0, 4]], [[1, 2]]))
    >>> bool(found.labels_[0] == found.labels_[4]), found.n_violated_
    (True, 0)
    """

    def __init__(
        self,
        n_clusters: int = 3,
        *,
        n_column_clusters: int | None = None,
        init: Any = "k-means++",
        n_init: int = 3,
        max_iter: int = 100,
        tol: float = 1e-6,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.n_column_clusters = n_column_clusters
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def _tied(self, data: View) -> np.ndarray:
        return self._wishes(data).groups

    def _repairing(self, data: View, joint: Joint, place: np.ndarray) -> Repair | None:
        apart = lifted(self._wishes(data), place)
        if apart is None:
            return None
        k, bound = self.n_clusters, apart.units

        def repair(rows: np.ndarray, columns: np.ndarray) -> int:
            l = int(columns.max()) + 1
            A = columns_added(joint.P, columns, l)
            blocks = np.asarray(rows_added(A, rows, k))
            worth = profile_worth(A[bound] / joint.rows[bound, None], blocks)
            return apart.repair(rows, own_divergence(joint, bound, columns)[:, None] - worth)

        return repair

    def _group(self, data: View) -> None:
        super()._group(data)
        self.n_violated_ = self._wishes(data).violations(self.labels_)

"""COSA: clustering of objects on subsets of attributes."""

from __future__ import annotations

import math
import warnings

import numpy as np
from scipy.cluster.hierarchy import linkage
from sklearn.exceptions import ConvergenceWarning

from fewer.core.clustering.attribute_weights import mean_gap, row_weights, tree_labels
from fewer.core.clustering.subspaces import checked_clusters, unit_ranges
from fewer.core.estimators.clusterer import BaseClusterer, by_weight, rows_of
from fewer.core.records.params import StrOptions, number_above, number_from, whole_from
from fewer.core.records.result import Selection
from fewer.core.records.tags import MethodTags
from fewer.core.views.view import View

# Beyond these, weights are all on one column, or equal, to the last digit.
SCALES = (1e-290, 1e290)


class COSA(BaseClusterer):
    r"""Group rows that are near in columns of their own: every row weighs the columns by the rows around it.

    With :math:`d_{ijl} = |x_{il} - x_{jl}| / s_l` and :math:`S_{il}` the mean of it over the nearest rows of i, row i
    has the weights :math:`w_{il} \propto e^{-S_{il} / \lambda}`. The distance of two rows is the larger of
    :math:`-\eta \ln \sum_l w_l e^{-d_{ijl} / \eta}` by the weights of either, so that being near in the few columns of
    large weight is enough. Distances, nearest rows and weights are found in turn, :math:`\eta` growing from
    :math:`\lambda` by a tenth of it; a linkage of the distances gives the clusters [1]_.

    Parameters
    ----------
    n_clusters : int, default=3
        Number of clusters.
    weight_scale : float, default=0.2
        :math:`\lambda`: large values give all columns equal weights, small ones all weight to the column in which the
        nearest rows lie closest.
    n_neighbors : int or None, default=None
        Number of nearest rows that the weights of a row come from; None is the square root of the number of rows.
    linkage : {"average", "complete", "single"}, default="average"
        How the distance of clusters follows from those of their rows.
    max_iter : int, default=100
        Most iterations.
    tol : float, default=0.01
        The weights are found when none changes by more than this.

    Attributes
    ----------
    labels_ : ndarray of int, shape (n_samples,)
        Cluster of every row, numbered by their first rows.
    clusters_ : ResultTable
        Rows of every cluster.
    weights_ : ndarray of shape (n_clusters, n_features)
        Mean weights of the rows of every cluster; each line sums to 1.
    row_weights_ : ndarray of shape (n_samples, n_features)
        Weights of the columns for every row; each line sums to 1.
    distances_ : ndarray of shape (n_samples * (n_samples - 1) / 2,)
        Distance of all pairs, as `scipy.spatial.distance.squareform` reads it.
    moves_ : list of float
        Largest change of a weight in every iteration.
    n_iter_ : int
        Number of iterations.
    eta_ : float
        The last :math:`\eta`.
    selection_ : Selection
        The columns by their largest weight in a cluster.

    Notes
    -----
    The scale :math:`s_l` is the mean absolute difference of all pairs of rows. A constant column has none; it is left
    out and has weight 0. A row is not among its own nearest rows. Weights that have not settled after `max_iter`
    iterations give a warning. Rows at distance 0 stay together, and there are fewer clusters where these are all; of
    joins at equal distances the last ones are undone. Memory is that of the distances of all pairs.

    See Also
    --------
    PROCLUS : Chooses columns for every cluster, with time that grows with the rows, not their pairs.

    References
    ----------
    .. [1] J. H. Friedman and J. J. Meulman, "Clustering objects on subsets of attributes", Journal of the Royal
       Statistical Society B 66, 2004.
    .. [2] H. Liu and H. Motoda (eds.), Computational Methods of Feature Selection, sections 2.5.2 and 10.7, 2008.

    Examples
    --------
    >>> from fewer.synth import make_subspace_clusters
    >>> data = make_subspace_clusters(150, n_background=0, random_state=0)
    >>> found = COSA(2).fit(data.X)
    >>> sorted(found.selection_.indices.tolist())
    [0, 1, 2, 3, 4, 5]
    """

    method_tags = MethodTags(
        targets=("none",), views=("dense",), invariance=("row_order_untied", "scale_untied"), cost="n^2*d per iteration"
    )
    _parameter_constraints: dict = {
        "n_clusters": [whole_from(1)],
        "weight_scale": [number_above(0)],
        "n_neighbors": [whole_from(1), None],
        "linkage": [StrOptions({"average", "single", "complete"})],
        "max_iter": [whole_from(1)],
        "tol": [number_from(0)],
    }

    def __init__(
        self,
        n_clusters: int = 3,
        weight_scale: float = 0.2,
        n_neighbors: int | None = None,
        linkage: str = "average",
        max_iter: int = 100,
        tol: float = 0.01,
    ) -> None:
        self.n_clusters = n_clusters
        self.weight_scale = weight_scale
        self.n_neighbors = n_neighbors
        self.linkage = linkage
        self.max_iter = max_iter
        self.tol = tol

    def _group(self, data: View) -> None:
        X = rows_of(data)
        n, d = X.shape
        checked_clusters(type(self).__name__, self.n_clusters, n)
        low, width = unit_ranges(X)
        live = np.flatnonzero(width > 0)
        self.row_weights_ = np.zeros((n, d))
        if not len(live):
            # One row, or rows that are all the same: no column tells anything.
            self.labels_, self.distances_ = np.zeros(n, np.int64), np.zeros(n * (n - 1) // 2)
            self.weights_, self.moves_, self.eta_ = np.zeros((1, d)), [0.0], float(self.weight_scale)
            self.n_iter_ = 1
            return
        rows = (X[:, live] / 2 - low[live]) / width[live]
        rows = np.ascontiguousarray(rows / np.array([mean_gap(column) for column in rows.T]))
        near = math.isqrt(n) if self.n_neighbors is None else self.n_neighbors
        scale = float(np.clip(self.weight_scale, *SCALES))
        found = row_weights(rows, scale, min(near, n - 1), self.max_iter, self.tol)
        self.row_weights_[:, live] = found.weights
        self.distances_, self.moves_, self.eta_ = found.distances, found.moves, found.eta
        self.n_iter_ = len(found.moves)
        if found.moves[-1] > self.tol:
            warnings.warn(
                f"COSA stopped at max_iter={self.max_iter} while weights still changed by {found.moves[-1]:.2g}, where "
                f"tol={self.tol:g} was meant; raise max_iter or tol.",
                ConvergenceWarning,
                stacklevel=4,
            )
        self.labels_ = tree_labels(linkage(found.distances, self.linkage), self.n_clusters)
        groups = range(self.labels_.max() + 1)
        self.weights_ = np.array([self.row_weights_[self.labels_ == c].mean(axis=0) for c in groups])

    def _selection(self, data: View) -> Selection:
        return by_weight(self.weights_)

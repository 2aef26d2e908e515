"""Convex k-means: weights of blocks of features from a grid, chosen by how clusters stand apart."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from fewer.core.clustering.descent import Descent
from fewer.core.clustering.fisher_ratio import block_numbers, fisher_ratio, simplex_grid
from fewer.core.clustering.points import Points
from fewer.core.clustering.weightings import FixedWeights
from fewer.core.records.params import whole_from
from fewer.methods.unsupervised._centre_clusterer import CONSTRAINTS, CentreClusterer


class ConvexKMeans(CentreClusterer):
    r"""Group rows by k-means under many weights of blocks of features, and keep the clusters that stand apart best.

    For every vector of weights on a grid k-means finds clusters; those are kept whose generalised Fisher ratio
    :math:`Q = \prod_b \Gamma_b / \Lambda_b` is smallest [1]_, [2]_: over blocks b of features, the distortion within
    clusters by that between them.

    Parameters
    ----------
    n_clusters : int, default=3
        Number of clusters.
    blocks : array-like of shape (n_features,) or None, default=None
        Block of every feature, numbers or texts; None makes every feature a block.
    grid_steps : int or None, default=None
        Weights are multiples of 1 / ``grid_steps`` that sum to 1; None is as many as give no more than 200 vectors.
        Equal weights are always there.
    init : {"k-means++", "random", "first"} or array-like of shape (n_clusters, n_features), default="k-means++"
        Centres at the start: rows far apart, random rows (Forgy), the first rows (MacQueen), or these.
    n_init : int, default=1
        How many descents are made from drawn starts; the one with the smallest objective is kept. Here so many for
        every vector of weights.
    max_iter : int, default=100
        Most iterations of a descent.
    random_state : int, Generator or None, default=None
        Seed of the random part; the same number gives the same result.

    Attributes
    ----------
    labels_ : ndarray of int, shape (n_samples,)
        Cluster of every row: the nearest centre under the final weights.
    weights_ : ndarray of shape (n_features,)
        Weight of every feature, sum 1; equal within a block, 0 for a column with one value.
    ratio_ : float
        The generalised Fisher ratio Q of the clusters; 0 if some block is constant within them.
    cluster_centers_ : ndarray of shape (n_clusters, n_features)
        Means.
    objective_ : float
        The weighted sum of squares within clusters.
    n_iter_ : int
        Iterations of the best descent.
    clusters_ : ResultTable
        Rows of every cluster.
    selection_ : Selection
        Features of at least an equal share of the weight.

    See Also
    --------
    WKMeans : Finds weights in the course of one descent.

    Notes
    -----
    A grid may miss the best weights, and its size is exponential in the number of blocks. Blocks whose columns have
    one value each take no part in Q. Where the clusters of some block coincide, so that nothing is between them, Q is
    infinite.

    References
    ----------
    .. [1] H. Liu and H. Motoda (eds.), "Computational Methods of Feature Selection", 2008, section 10.7.
    .. [2] D. S. Modha and W. S. Spangler, "Feature weighting in k-means clustering", Machine Learning 52, 2003.

    Examples
    --------
    >>> X = [[0, 0, 5], [1, 0, 1], [0, 1, 9], [8, 9, 2], [9, 8, 7], [9, 9, 4]]
    >>> found = ConvexKMeans(2, blocks=["place", "place", "noise"], random_state=0).fit(X)
    >>> found.labels_.tolist()
    [1, 1, 1, 0, 0, 0]
    """

    _parameter_constraints: dict = {
        **CONSTRAINTS,
        "blocks": ["array-like", None],
        "grid_steps": [whole_from(1), None],
    }

    def __init__(
        self,
        n_clusters: int = 3,
        *,
        blocks: Any = None,
        grid_steps: int | None = None,
        init: Any = "k-means++",
        n_init: int = 1,
        max_iter: int = 100,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.blocks = blocks
        self.grid_steps = grid_steps
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.random_state = random_state

    def _best(self, points: Points, rng: np.random.Generator) -> Descent:
        blocks = block_numbers(type(self).__name__, self.blocks, points.frame.varying)
        grid = simplex_grid(type(self).__name__, int(blocks.max(initial=0)) + 1, self.grid_steps)
        best, self.ratio_ = None, np.inf
        for found in self._on_grid(points, grid, blocks, rng):
            ratio = fisher_ratio(points, found, blocks)
            # The same clusters have the same ratio but for rounding.
            if best is None or ratio < self.ratio_ * (1 - 1e-12):
                best, self.ratio_ = found, ratio
        assert best is not None
        return best

    def _on_grid(
        self, points: Points, grid: np.ndarray, blocks: np.ndarray, rng: np.random.Generator
    ) -> Iterator[Descent]:
        """Yield the best descent of every vector of weights; blocks of -1 have none."""
        for shares in grid:
            weights = np.where(blocks >= 0, shares[blocks], 0.0)
            self._shares = weights / max(weights.sum(), 1e-300)
            yield super()._best(points, rng)
        del self._shares

    def _weighting(self, points: Points, rng: np.random.Generator) -> FixedWeights:
        return FixedWeights(self._shares)

"""Spherical k-means with pairs of rows that belong together, or apart."""

from __future__ import annotations

from typing import Any

import numpy as np

from fewer.core.clustering.directions import sizes, unit_rows
from fewer.core.estimators.clusterer import rows_of
from fewer.core.estimators.direction_groups import CONSTRAINTS, DirectionGroups
from fewer.core.estimators.paired_fit import PairedFit, lifted
from fewer.core.estimators.projector import projected
from fewer.core.records.errors import RequirementError
from fewer.core.records.params import whole_from
from fewer.core.records.rounding import TOLERANCE
from fewer.core.views.view import View
from fewer.methods.semisupervised._pair_axes import pair_axes

# Must-links and cannot-links count alike in the axes.
EQUAL = 0.5


class PCSKMeans(PairedFit, DirectionGroups):
    r"""Group rows by their direction so that given pairs of rows share a cluster, or do not (PCSKM).

    As `SphericalKMeans`, but in each iteration rows that belong together go as one to
    :math:`\arg\max_k (\sum_i x_i)^T \mu_k`, and a pair that belongs apart goes to the two different clusters with the
    largest :math:`x_i^T \mu_k + x_j^T \mu_{k'}` (fig. 15.1 of [1]_). Without pairs it is spherical k-means. With
    ``n_components`` rows of length 1 are first projected on the axes of `ConstraintProjection` and brought to length 1
    again (PCSKM+P).

    Parameters
    ----------
    n_clusters : int, default=3
        Number of clusters.
    n_components : int or None, default=None
        Most axes, made of the pairs, on which rows are grouped; 30 in the source. None groups rows as they are,
        as does `fit` without pairs.
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
        Cluster of every row, -1 for rows of zeros, be it on the axes, that are tied to no other, and for rows that
        belong together and cancel out.
    n_violated_ : int
        Pairs, of those given, that the labels do not meet.
    components_ : ndarray of shape (n_axes, n_features) or None
        The axes, if rows were projected.
    cluster_centers_ : ndarray of shape (n_clusters, n_features)
        The centres, by the features also where they were found on the axes.
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
    ConstraintProjection : The axes alone, with other weights of must-links.

    Notes
    -----
    The source defines the steps for rows in one pair. Here chains of rows that belong together are one unit, and pairs
    that belong apart are pairs of units, placed in the order in which they were given: a unit that has its place keeps
    it, and its partner takes the best cluster that none of its partners is in, or the best at all if there is none; to
    find out whether all pairs can be met is NP-complete. With pairs that belong apart the objective may fall: the
    iteration with the fewest pairs violated, then the largest objective, is kept. Centres move once per iteration, not
    after every row as the figure may be read.

    Only axes are used that draw apart more than they draw together, at most one per cannot-link; the source takes 30
    whatever they are worth. A text that shares no word with any pair has no direction on the axes, and gets no cluster.

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

    _parameter_constraints: dict = {**CONSTRAINTS, "n_components": [None, whole_from(1)]}

    def __init__(
        self,
        n_clusters: int = 3,
        *,
        n_components: int | None = None,
        init: Any = "k-means++",
        n_init: int = 3,
        max_iter: int = 100,
        tol: float = 1e-6,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.n_components = n_components
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
        asked = None if data.pairs is None else self.n_components
        self.components_ = None if asked is None else self._axes(data, asked)
        super()._group(data)
        self.n_violated_ = self._wishes(data).violations(self.labels_)

    def _axes(self, data: View, most: int) -> np.ndarray:
        pairs = self._wishes(data)
        axes, _ = pair_axes(unit_rows(rows_of(data))[0], pairs, EQUAL, min(most, data.n_features))
        found = axes.components
        if not len(found):
            raise RequirementError(
                f"{type(self).__name__} got n_components={most} with {len(pairs.cannot)} cannot-links and "
                f"{len(pairs.must)} must-links, of which no direction draws apart more than it draws together; add "
                "cannot-links, or pass n_components=None."
            )
        return found

    def _placed(self, rows: Any) -> Any:
        if self.components_ is None:
            return rows
        placed = projected(rows, self.components_, None)
        # What is left by rounding of a row that no axis meets is no direction.
        placed[sizes(placed) <= TOLERANCE] = 0.0
        return unit_rows(placed)[0]

    def _in_features(self, centres: np.ndarray) -> np.ndarray:
        return centres if self.components_ is None else centres @ self.components_

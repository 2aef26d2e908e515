"""k-means of directions: the length of a row does not matter."""

from __future__ import annotations

from typing import Any

from fewer.core.estimators.direction_groups import DirectionGroups


class SphericalKMeans(DirectionGroups):
    r"""Group rows by their direction: each goes to the centre that it makes the smallest angle with.

    Rows are brought to length 1, and :math:`\sum_i x_i^T \mu_{y_i}` is maximised over labels and over centres of length
    1 [1]_: :math:`y_i = \arg\max_k x_i^T \mu_k`, then :math:`\mu_k` is the direction of the sum of its rows, and so on
    until no label changes. It never falls. This is k-means for texts, where a long document is like a short one about
    the same; weight the words first, by tf.idf. Sparse matrices stay sparse.

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
        Cluster of every row, -1 for rows of zeros, which have no direction.
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
    PCSKMeans : The same where some rows are known to belong together, or apart.
    InformationCoClustering : Groups words beside documents, from counts as they are.

    Notes
    -----
    An empty cluster gets the row that fits its own cluster worst, which cannot lower the objective; while no row fits
    badly (fewer directions than clusters) it stays empty. A cluster whose rows sum to nothing keeps its centre. Of
    centres that are equally near up to rounding a row keeps its own, or takes the first.

    References
    ----------
    .. [1] I. S. Dhillon and D. S. Modha, "Concept decompositions for large sparse text data using clustering", Machine
       Learning 42, 2001.

    Examples
    --------
    >>> X = [[1, 0.1, 0], [20, 0, 1], [0, 3, 0.2], [0.1, 1, 0]]
    >>> found = SphericalKMeans(2, random_state=0).fit(X)
    >>> bool(found.labels_[0] == found.labels_[1] != found.labels_[2] == found.labels_[3])
    True
    >>> found.selection_.indices.tolist()
    [0, 1]
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

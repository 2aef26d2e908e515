"""Groups of rows and groups of columns that tell about each other what rows and columns do."""

from __future__ import annotations

from typing import Any

from fewer.core.estimators.information_groups import InformationGroups


class InformationCoClustering(InformationGroups):
    r"""Group rows and columns of counts at once, so that the groups lose little of what they tell about each other.

    The numbers, divided by their sum, are a joint distribution p(X, Y) of rows and columns. Wanted are groups of both
    with the smallest loss :math:`I(X; Y) - I(\hat X; \hat Y) = D_{KL}(p \| q)`,
    :math:`q(x, y) = p(\hat x, \hat y)\, p(x | \hat x)\, p(y | \hat y)` [1]_. In turn, every row goes to the group with
    the smallest :math:`D_{KL}(p(Y | x) \| q(Y | \hat x))`, and every column to that with the smallest
    :math:`D_{KL}(p(X | y) \| q(X | \hat y))`; the loss never rises. Made for documents and words, as counts without
    any weighting; sparse matrices stay sparse.

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
        Cluster of every row, -1 for rows of zeros.
    column_labels_ : ndarray of int, shape (n_features,)
        Group of every column, -1 for columns of zeros.
    blocks_ : ndarray of shape (n_clusters, n_column_clusters)
        Joint distribution of the groups.
    loss_, information_ : float
        Information that the groups lose, and that rows and columns have about each other, in nats.
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
    ConstrainedCoClustering : The same where some rows are known to belong together, or apart.
    BregmanCoClustering : Other losses, of which this is one.

    Notes
    -----
    The start is spherical k-means of the roots of p(Y|x), then of the columns by the clusters of rows; from random
    labels the descent often ends early. A group in which a row has a column group of its own is infinitely far. An
    empty group gets the member that loses most, which cannot raise the loss. Of groups that are equally near up to
    rounding a row keeps its own, or takes the first. A new row (`predict`) that is infinitely far from every cluster
    goes to the one that lacks least of it.

    References
    ----------
    .. [1] I. S. Dhillon, S. Mallela and D. S. Modha, "Information-theoretic co-clustering", KDD 2003.

    Examples
    --------
    >>> X = [[5, 5, 5, 0, 0, 0], [5, 5, 5, 0, 0, 0], [0, 0, 0, 5, 5, 5]]
    >>> X += [[0, 0, 0, 5, 5, 5], [4, 4, 0, 4, 4, 4], [4, 4, 4, 0, 4, 4]]
    >>> found = InformationCoClustering(3, n_column_clusters=2, random_state=0).fit(X)
    >>> round(found.loss_ / 0.6931471805599453, 6)
    0.095702
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

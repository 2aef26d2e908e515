"""Machete: cuts along the feature that matters most at the query."""

from __future__ import annotations

from typing import Any

from fewer.methods.local._local_metric import LocalMetricClassifier
from fewer.methods.local._peeled import PeeledClassifier


class Machete(PeeledClassifier):
    r"""Classify by the rows that are left when all others were cut away along the features that matter at the query.

    With :math:`I_i^2(z) = \sum_j (P(j) - P(j|x_i=z_i))^2`, the classes of a region against those near the query along
    feature i, the relevance is :math:`r_i^2 = I_i^2 / \sum_k I_k^2` (11.6). Each peel keeps the rows that are nearest
    along the most relevant feature; when ``n_neighbors`` are left, they vote [1]_, [2]_.

    Parameters
    ----------
    n_neighbors : int, default=5
        Number of nearest rows that are left, and vote.
    peel : float, default=0.9
        Fraction of the rows that a peel leaves; small ones are greedier.
    window : float, default=0.1
        Fraction of the rows of a region, at least 10 rows, that are near the query along a feature.
    standardize : bool, default=True
        Whether features are brought to mean 0 and variance 1 first.
    random_state : int, Generator or None, default=None
        Seed of the random part; the same number gives the same result. It draws the training rows of `selection_` if
        there are more than 500.
    n_jobs : int or None, default=None
        Number of threads.

    Attributes
    ----------
    selection_ : Selection
        Features by their mean weight at training rows; computed when it is asked for first.
    classes_ : ndarray of shape (n_classes,)
        The labels of the classes.
    n_features_in_ : int
        Number of features seen during `fit`.
    feature_names_in_ : ndarray of str
        Names of the features, when X had names.

    See Also
    --------
    Scythe : Lets all features take part in a peel, each by its relevance.

    Notes
    -----
    Window and size of a peel are not in [1]_. Where no feature is relevant, a peel goes by the distance of all; where
    all rows of a region are of one class, the nearest of them stand for it. `local_relevance` is the fraction of the
    peels along each feature, and distances of neighbours, which only order them, are weighted by it; with another
    ``n_neighbors`` the peels go on until that many rows are left. Ties: the lower feature; of rows that are equally far
    along it those stay that are nearest by all features, then the lower; in a window they share the places that are
    left, so that a feature of which all rows of a region have the same value is not relevant, however rows are sorted.
    Of equally many votes the class of the nearest voter wins. Early peels decide much: predictions vary from sample to
    sample.

    References
    ----------
    .. [1] H. Liu and H. Motoda (eds.), "Computational Methods of Feature Selection", 2008, section 11.3.1.
    .. [2] J. H. Friedman, "Flexible metric nearest neighbor classification", Stanford University, 1994.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> found = Machete().fit(X, y)
    >>> found.predict(X[[0, 60]]).tolist(), found.peels(X[:1])[0].columns["feature"][:2]
    ([0, 1], [2, 2])
    """

    _parameter_constraints: dict = {**LocalMetricClassifier._shared, **PeeledClassifier._peeling}

    def __init__(
        self,
        n_neighbors: int = 5,
        *,
        peel: float = 0.9,
        window: float = 0.1,
        standardize: bool = True,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.peel = peel
        self.window = window
        self.standardize = standardize
        self.random_state = random_state
        self.n_jobs = n_jobs

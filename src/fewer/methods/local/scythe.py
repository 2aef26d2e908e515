"""Scythe: cuts along all features, each by how much it matters at the query."""

from __future__ import annotations

from numbers import Real
from typing import Any

from fewer.core.records.params import Interval
from fewer.methods.local._local_metric import LocalMetricClassifier
from fewer.methods.local._peeled import PeeledClassifier


class Scythe(PeeledClassifier):
    r"""Classify by the rows that are left when far ones were cut away, features counting by their relevance.

    As `Machete`, but each peel keeps the rows of smallest :math:`\sum_i r_i^2 (x_i - z_i)^2` in place of those nearest
    along one feature [1]_, [2]_; the relevance is estimated again after every peel.

    Parameters
    ----------
    n_neighbors : int, default=5
        Number of nearest rows that are left, and vote.
    peel : float, default=0.9
        Fraction of the rows that a peel leaves; small ones are greedier.
    window : float, default=0.1
        Fraction of the rows of a region, at least 10 rows, that are near the query along a feature.
    sharpness : float, default=1.0
        Power of the relevance: 0 for equal weights, infinite for the strongest feature alone, as `Machete` does.
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
    Machete : Peels along one feature at a time.

    Notes
    -----
    [1]_ says that features influence each split in proportion to their relevance; the distance, window, size of a peel
    and the power are choices made here. Where no feature is relevant, all count alike. `local_relevance` is the mean
    over the peels of what each feature counted, and distances of neighbours are weighted by it. Ties are those of
    `Machete`; of equally many votes the class of the nearest voter wins.

    References
    ----------
    .. [1] H. Liu and H. Motoda (eds.), "Computational Methods of Feature Selection", 2008, section 11.3.1.
    .. [2] J. H. Friedman, "Flexible metric nearest neighbor classification", Stanford University, 1994.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> found = Scythe().fit(X, y)
    >>> found.predict(X[[0, 77]]).tolist(), found.local_relevance(X[:1]).sum().round(9)
    ([0, 1], np.float64(1.0))
    """

    _parameter_constraints: dict = {
        **LocalMetricClassifier._shared,
        **PeeledClassifier._peeling,
        "sharpness": [Interval(Real, 0, None, closed="both")],
    }

    def __init__(
        self,
        n_neighbors: int = 5,
        *,
        peel: float = 0.9,
        window: float = 0.1,
        sharpness: float = 1.0,
        standardize: bool = True,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.peel = peel
        self.window = window
        self.sharpness = sharpness
        self.standardize = standardize
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _sharpness(self) -> float:
        return float(self.sharpness)

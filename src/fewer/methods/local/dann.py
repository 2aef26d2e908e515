"""Discriminant adaptive nearest neighbours."""

from __future__ import annotations

from typing import Any

import numpy as np

from fewer.core.records.params import FRACTION, number_from, whole_from
from fewer.core.views.view import View
from fewer.methods.local._discriminant import MOST_NUMBERS, LocalScatter, nearest_by_forms
from fewer.methods.local._local_metric import Found, LocalMetricClassifier

# So many queries share the products of pairs of features.
QUERIES = 512


class DANN(LocalMetricClassifier):
    r"""Classify by the nearest rows where distances count most along what separates the classes around the query.

    Among the ``n_around`` nearest rows of a query, weighted by the tricube, W is the scatter within classes and B that
    of their centres. Neighbours vote by
    :math:`D = (x - x_0)' \Sigma (x - x_0)`, :math:`\Sigma = W^{-1/2} (W^{-1/2} B W^{-1/2} + \epsilon I) W^{-1/2}`
    [2]_, section 11.3.2 of [1]_.

    Parameters
    ----------
    n_neighbors : int, default=5
        Number of nearest rows that vote.
    n_around : int or None, default=None
        Number of nearest rows from which the metric of a query is estimated; None for a fifth, at least 50.
    epsilon : float, default=1.0
        How much all directions count beside those that separate the classes.
    max_iter : int, default=1
        Most iterations: how often the metric is estimated, after the first time among the nearest rows by the last one.
    shrinkage : float, default=0.1
        How far W is drawn towards the mean of its diagonal, 0 for not at all.
    standardize : bool, default=True
        Whether features are brought to mean 0 and variance 1 first.
    random_state : int, Generator or None, default=None
        Seed of the random part; the same number gives the same result. It draws the training rows of `selection_` if
        there are more than 500.
    n_jobs : int or None, default=None
        Number of threads.

    Attributes
    ----------
    n_iter_ : int
        How often the metric of a query is estimated.
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
    SubDANN : First projects on the axes along which classes differ around most rows.
    ADAMENN : Weights of single features, for many of them.

    Notes
    -----
    [1]_ prints :math:`\Sigma = W^{-1} B W^{-1}`, in which most directions count nothing; the form with epsilon is that
    of [2]_. W is singular where there are fewer neighbours than features; it is drawn towards the mean of its diagonal,
    which neither source does. `local_relevance` reads the metric by its diagonal: what a step along one feature alone
    would count, as a fraction of all. Of equally many votes the class of the nearest voter wins.

    References
    ----------
    .. [1] H. Liu and H. Motoda (eds.), "Computational Methods of Feature Selection", 2008, chapter 11.
    .. [2] T. Hastie and R. Tibshirani, "Discriminant adaptive nearest neighbor classification", IEEE Transactions on
       Pattern Analysis and Machine Intelligence 18, 1996.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> found = DANN().fit(X, y)
    >>> found.predict(X[[0, 77]]).tolist(), found.local_relevance(X[:2]).sum(axis=1).round(9).tolist()
    ([0, 1], [1.0, 1.0])
    """

    _parameter_constraints: dict = {
        **LocalMetricClassifier._shared,
        "n_around": [None, whole_from(1)],
        "epsilon": [number_from(0)],
        "max_iter": [whole_from(1)],
        "shrinkage": [FRACTION],
    }

    def __init__(
        self,
        n_neighbors: int = 5,
        *,
        n_around: int | None = None,
        epsilon: float = 1.0,
        max_iter: int = 1,
        shrinkage: float = 0.1,
        standardize: bool = True,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.n_around = n_around
        self.epsilon = epsilon
        self.max_iter = max_iter
        self.shrinkage = shrinkage
        self.standardize = standardize
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _prepare(self, data: View) -> None:
        self.n_iter_ = self.max_iter
        self._scatter = self._scatter_of(self._points)

    def _scatter_of(self, points: np.ndarray) -> LocalScatter:
        around = max(len(points) // 5, 50) if self.n_around is None else self.n_around
        return LocalScatter(points, self._codes, len(self.classes_), min(around, len(points)))

    def metric_at(self, X: Any) -> np.ndarray:
        """Return the metric of every row, on the scales of the method.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The queries.

        Returns
        -------
        ndarray of shape (n_samples, n_varying, n_varying)
            Symmetric, without negative eigenvalues; features that are constant in the training rows are left out.
        """
        return np.concatenate(self._by_block(self._rows(X), self._forms))

    def _forms(self, queries: np.ndarray) -> np.ndarray:
        return self._scatter.forms(queries, self.epsilon, self.shrinkage, self.max_iter)

    def _nearest_at(self, queries: np.ndarray, k: int) -> Found:
        return nearest_by_forms(self._scatter.points, queries, self._forms(queries), k)

    def _relevance_at(self, queries: np.ndarray) -> np.ndarray:
        return shares(np.einsum("ijj->ij", self._forms(queries)))

    def _block(self) -> int:
        return max(1, min(QUERIES, MOST_NUMBERS // self._points.shape[1] ** 2))


def shares(diagonals: np.ndarray) -> np.ndarray:
    """Return rows of numbers as fractions of their sums; equal ones where there is nothing."""
    positive = np.maximum(diagonals, 0.0)
    total = positive.sum(axis=1, keepdims=True)
    return np.divide(positive, total, out=np.full(positive.shape, 1.0 / positive.shape[1]), where=total > 0)

"""Large margin nearest neighbours by the gradient of a support vector machine."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np

from fewer.core.records.params import Interval, StrOptions
from fewer.core.views.view import View
from fewer.methods.local._border_weights import SupportBorder
from fewer.methods.local._local_metric import LocalMetricClassifier

POWERS = {"linear": 1, "quadratic": 2}


class LaMaNNa(LocalMetricClassifier):
    r"""Classify by the nearest rows, features counting as they turn the border of a support vector machine near by.

    At the nearest point d of the border, :math:`R_j = |\partial f / \partial x_j (d)|` (11.20). The weights of squared
    differences are :math:`w_j \propto e^{A R_j}` (11.22), where :math:`A = \max(D - B, 0)` (11.25) falls with the
    distance B of the query from the nearest support vector on the margin, D being the mean of these distances [1]_,
    [2]_: near the border neighbourhoods are stretched along it, far away all features count alike.

    Parameters
    ----------
    n_neighbors : int, default=5
        Number of nearest rows that vote.
    kernel : {"rbf", "linear"}, default="rbf"
        The kernel of the support vector machine, as scikit-learn's `SVC` writes them.
    C : float, default=1.0
        Cost of errors: the larger, the fewer rows may lie on the wrong side of their margin.
    gamma : {"scale", "auto"} or float, default="scale"
        Factor of squared distances in the kernel, as scikit-learn's ``SVC`` takes it.
    weighting : {"exponential", "linear", "quadratic"}, default="exponential"
        Whether weights are exponential, or proportional to R_j or its square, whatever the distance (11.21).
    normalize_gradient : bool, default=True
        Whether gradients are brought to length 1, so that the scale of f plays no part.
    standardize : bool, default=True
        Whether features are brought to mean 0 and variance 1 first.
    random_state : int, Generator or None, default=None
        Seed of the random part; the same number gives the same result. It draws the training rows of `selection_` if
        there are more than 500.
    n_jobs : int or None, default=None
        Number of threads.

    Attributes
    ----------
    svm_ : SVC or None
        The machine, fitted on the scales of the method; None if there is one class only.
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
    ADAMENN : Weights from neighbours alone.

    Notes
    -----
    [1]_ has no algorithm for the nearest point of the border: rows of the other side are aimed at, the crossings are
    slid along the border, and the best of several starts is kept. The scale of the gradient, which multiplies A, is
    arbitrary; it is brought to length 1. Several classes are not in the sources: of the borders between the class that
    the machine predicts and each other class the nearest counts. Where no support vector is on the margin, all of them
    stand for the border; where no border is found, all features count alike. Of equally many votes the class of the
    nearest voter wins.

    References
    ----------
    .. [1] H. Liu and H. Motoda (eds.), "Computational Methods of Feature Selection", 2008, section 11.4.
    .. [2] C. Domeniconi, D. Gunopulos and J. Peng, "Large margin nearest neighbor classifiers", IEEE Transactions on
       Neural Networks 16, 2005.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> found = LaMaNNa().fit(X, y)
    >>> found.predict(X[[0, 77]]).tolist(), found.local_relevance(X[[77]]).sum().round(9).item()
    ([0, 1], 1.0)
    """

    _parameter_constraints: dict = {
        **LocalMetricClassifier._shared,
        "kernel": [StrOptions({"rbf", "linear"})],
        "C": [Interval(Real, 0, None, closed="neither")],
        "gamma": [StrOptions({"scale", "auto"}), Interval(Real, 0, None, closed="neither")],
        "weighting": [StrOptions({"exponential", "linear", "quadratic"})],
        "normalize_gradient": ["boolean"],
    }

    def __init__(
        self,
        n_neighbors: int = 5,
        *,
        kernel: str = "rbf",
        C: float = 1.0,
        gamma: Any = "scale",
        weighting: str = "exponential",
        normalize_gradient: bool = True,
        standardize: bool = True,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.kernel = kernel
        self.C = C
        self.gamma = gamma
        self.weighting = weighting
        self.normalize_gradient = normalize_gradient
        self.standardize = standardize
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _prepare(self, data: View) -> None:
        from sklearn.svm import SVC

        self.svm_, self._border = None, None
        # Rows that are all equal have no border between them.
        if len(self.classes_) > 1 and self._points.any():
            self.svm_ = SVC(C=self.C, kernel=self.kernel, gamma=self.gamma).fit(self._points, self._codes)
            self._border = SupportBorder.of(self.svm_, self._points, self._codes)

    def foot_points(self, X: Any) -> np.ndarray:
        """Return the nearest points of the border, on the scales of the method; nan where none was found.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The queries.

        Returns
        -------
        ndarray of shape (n_samples, n_varying)
            Features that are constant in the training rows are left out.
        """
        return np.concatenate(self._by_block(self._rows(X), lambda queries: self._found(queries)[0]))

    def _found(self, queries: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        if self._border is None:
            return np.full(queries.shape, np.nan), np.zeros(queries.shape)
        return self._border.gradients(queries)

    def _weights_at(self, queries: np.ndarray) -> np.ndarray:
        relevance = np.abs(self._found(queries)[1])
        if self.normalize_gradient:
            length = np.sqrt((relevance**2).sum(axis=1, keepdims=True))
            relevance = np.divide(relevance, length, out=relevance, where=length > 0)
        if self.weighting == "exponential":
            strength = np.zeros(len(queries)) if self._border is None else self._border.strengths(queries)
            powers = np.exp(strength[:, None] * (relevance - relevance.max(axis=1, keepdims=True)))
            return powers / powers.sum(axis=1, keepdims=True)
        powers = relevance ** POWERS[self.weighting]
        total = powers.sum(axis=1, keepdims=True)
        return np.divide(powers, total, out=np.full(powers.shape, 1.0 / powers.shape[1]), where=total > 0)

"""Discriminant adaptive nearest neighbours on a few common axes."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np

from fewer.core.records.errors import InputError
from fewer.core.records.params import FRACTION, Interval, number_from, whole_from
from fewer.core.views.view import View
from fewer.methods.local._discriminant import LocalScatter, nearest_by_forms, shrunk
from fewer.methods.local._local_metric import Found, LocalMetricClassifier
from fewer.methods.local.dann import DANN, shares


class SubDANN(DANN):
    r"""Classify as `DANN` does, on the axes along which classes differ around most training rows.

    The rows are sphered by their scatter within classes; around every training row the scatter B of the class centres
    is computed as in `DANN`; the leading eigenvectors of the mean of all B are the axes [2]_, section 11.3.2 of [1]_.

    Parameters
    ----------
    n_neighbors : int, default=5
        Number of nearest rows that vote.
    n_components : int, float or None, default=None
        Number of axes, or the fraction of the sum of eigenvalues that they hold together at least; None for the axes
        whose eigenvalue is above the mean of all, at least one less than there are classes.
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
    components_ : ndarray of shape (n_components, n_features)
        The axes, on the scales of the method.
    eigenvalues_ : ndarray of shape (n_features,)
        How much the classes differ along all axes, largest first.
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
    DANN : The same in the space of all features.

    Notes
    -----
    [1]_ says that local information is pooled over all training rows; how is from [2]_. Sphering is by the scatter
    within classes of all rows, drawn towards the mean of its diagonal by ``shrinkage``. With A the axes and S the
    metric on them, `local_relevance` reads the metric A' S A of the features by its diagonal. Of equally many votes the
    class of the nearest voter wins.

    References
    ----------
    .. [1] H. Liu and H. Motoda (eds.), "Computational Methods of Feature Selection", 2008, chapter 11.
    .. [2] T. Hastie and R. Tibshirani, "Discriminant adaptive nearest neighbor classification", IEEE Transactions on
       Pattern Analysis and Machine Intelligence 18, 1996.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> found = SubDANN(n_components=2).fit(X, y)
    >>> found.components_.shape, found.predict(X[[0, 77]]).tolist()
    ((2, 4), [0, 1])
    """

    _parameter_constraints: dict = {
        **LocalMetricClassifier._shared,
        "n_components": [None, Interval(Integral, 1, None, closed="left"), FRACTION],
        "n_around": [None, whole_from(1)],
        "epsilon": [number_from(0)],
        "max_iter": [whole_from(1)],
        "shrinkage": [FRACTION],
    }

    def __init__(
        self,
        n_neighbors: int = 5,
        *,
        n_components: float | None = None,
        n_around: int | None = None,
        epsilon: float = 1.0,
        max_iter: int = 1,
        shrinkage: float = 0.1,
        standardize: bool = True,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        super().__init__(
            n_neighbors,
            n_around=n_around,
            epsilon=epsilon,
            max_iter=max_iter,
            shrinkage=shrinkage,
            standardize=standardize,
            random_state=random_state,
            n_jobs=n_jobs,
        )
        self.n_components = n_components

    def _prepare(self, data: View) -> None:
        self.n_iter_ = self.max_iter
        points = self._points
        whole = isinstance(self.n_components, Integral)
        if whole and self.n_components > points.shape[1]:
            raise InputError(
                f"SubDANN got n_components={self.n_components}, but {points.shape[1]} features vary; choose at most as "
                "many, or a fraction of the sum of eigenvalues."
            )
        sphering = sphered_by(points, self._codes, len(self.classes_), self.shrinkage)
        pooled = self._scatter_of(points @ sphering).mean_between()
        values, vectors = np.linalg.eigh(pooled)
        values, vectors = np.maximum(values[::-1], 0.0), vectors[:, ::-1]
        # The sign of an eigenvector means nothing; its largest part is positive here, on every machine.
        vectors = vectors * np.sign(vectors[np.abs(vectors).argmax(axis=0), np.arange(len(values))])
        n_axes = int(self.n_components) if whole else _enough(values, self.n_components, len(self.classes_) - 1)  # type: ignore[arg-type]
        self.eigenvalues_ = values
        self._axes = (sphering @ vectors[:, :n_axes]).T
        self.components_ = self._scaling.spread(self._axes)
        self._scatter: LocalScatter = self._scatter_of(points @ self._axes.T)

    def _nearest_at(self, queries: np.ndarray, k: int) -> Found:
        there = queries @ self._axes.T
        return nearest_by_forms(self._scatter.points, there, self._forms(there), k)

    def _relevance_at(self, queries: np.ndarray) -> np.ndarray:
        forms = self._forms(queries @ self._axes.T)
        return shares(np.einsum("ka,ikl,la->ia", self._axes, forms, self._axes, optimize=True))

    def metric_at(self, X: Any) -> np.ndarray:
        """Return the metric of every row on the axes, (n_samples, n_components, n_components)."""
        return np.concatenate(self._by_block(self._rows(X), lambda queries: self._forms(queries @ self._axes.T)))


def _enough(values: np.ndarray, fraction: float | None, least: int) -> int:
    """Return how many of the largest eigenvalues hold a fraction of their sum, or are above the mean; one at least."""
    total = values.sum()
    if not total > 0:
        return len(values)
    if fraction is None:
        return min(len(values), max(1, least, int((values > total / len(values) * (1 + 1e-9)).sum())))
    return min(len(values), int(np.searchsorted(np.cumsum(values), fraction * total * (1 - 1e-12)) + 1))


def sphered_by(points: np.ndarray, codes: np.ndarray, n_classes: int, shrinkage: float) -> np.ndarray:
    """Return the symmetric matrix after which the scatter within classes is the identity."""
    centred = points.copy()
    for c in range(n_classes):
        centred[codes == c] -= points[codes == c].mean(axis=0)
    values, vectors = np.linalg.eigh(shrunk(centred.T @ centred / len(points), shrinkage))
    large = values > 1e-12 * values.max()
    return (vectors[:, large] / np.sqrt(values[large])) @ vectors[:, large].T

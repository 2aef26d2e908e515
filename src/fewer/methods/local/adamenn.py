"""Adaptive metric nearest neighbours."""

from __future__ import annotations

from typing import Any

import numpy as np

from fewer.core.kernels import neighbourhoods
from fewer.core.neighbours.query_spaces import WeightedRows, near_sets
from fewer.core.records.params import StrOptions, number_from, whole_from
from fewer.core.views.view import View
from fewer.methods.local._local_metric import LocalMetricClassifier

POWERS = {"linear": 1, "quadratic": 2}


class ADAMENN(LocalMetricClassifier):
    r"""Classify by the nearest rows, the features weighted by how well each foretells the classes around the query.

    Around a training row z, :math:`r_i(z) = \sum_j [P(j|z) - P(j|x_i=z_i)]^2 / P(j|x_i=z_i)` (11.12) is small where
    feature i alone tells the classes as z does. Its mean over the ``n_around`` nearest rows of a query gives
    :math:`R_i = \max_l \bar r_l - \bar r_i` and the weights :math:`w_i \propto e^{c R_i}` (11.14) of the squared
    differences [1]_, [2]_.

    Parameters
    ----------
    n_neighbors : int, default=5
        Number of nearest rows that vote.
    n_around : int or None, default=None
        Number of nearest rows from which the metric of a query is estimated, K0; None for a tenth, at least 20.
    n_near : int, default=3
        Number of rows next to z, itself among them, whose classes are P(j|z), K1.
    n_wide : int or None, default=None
        Number of rows around z among which single features are looked at, K2; None for 15 in 100, at least 20.
    n_along : int or None, default=None
        Number of these that are nearest along a feature, whose classes are P(j|x_i=z_i), L; None for half of them.
    strength : float, default=5.0
        The factor c of the exponential weights; 0 makes all equal.
    weighting : {"exponential", "linear", "quadratic"}, default="exponential"
        Whether weights are exponential, or proportional to R_i or its square, which leaves the worst feature none.
    max_iter : int, default=1
        Most iterations: how often the metric is estimated, after the first time among the nearest rows by the last one.
    standardize : bool, default=True
        Whether features are brought to mean 0 and variance 1 first.
    random_state : int, Generator or None, default=None
        Seed of the random part; the same number gives the same result. It draws the training rows of `selection_` if
        there are more than 500.
    n_jobs : int or None, default=None
        Number of threads.

    Attributes
    ----------
    relevance_table_ : ndarray of shape (n_samples, n_varying)
        r_i(z) of every training row z and feature i that varies; small is relevant.
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
    DANN : A full metric in place of weights, for few features.
    LaMaNNa : Weights from the border of a support vector machine.

    Notes
    -----
    Neighbourhoods of z are those of the plain distance, which the paper does not say; r_i(z) then depends on training
    rows only and is computed once, in `fit`. [1]_ does not discuss denominators of 0: one below half a vote, 1 / (2 K1)
    or 1 / (2 L) if L is smaller, counts as that, because with less one stray neighbour of z makes the feature look
    useless that tells the classes best; classes that neither estimate knows are skipped. Numbers of rows are at most
    those there are. The paper repeats its steps zero or five times: ``max_iter`` of 1 or 6. Rows that are equally near
    along a feature share the places that are left among L, so that the order of rows plays no part; of equally many
    votes the class of the nearest voter wins.

    References
    ----------
    .. [1] H. Liu and H. Motoda (eds.), "Computational Methods of Feature Selection", 2008, section 11.3.3.
    .. [2] C. Domeniconi, J. Peng and D. Gunopulos, "Locally adaptive metric nearest neighbor classification", IEEE
       Transactions on Pattern Analysis and Machine Intelligence 24, 2002.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> found = ADAMENN().fit(X, y)
    >>> found.predict(X[[0, 77]]).tolist(), found.local_relevance(X[[77]]).argmax().item()
    ([0, 1], 2)
    """

    _parameter_constraints: dict = {
        **LocalMetricClassifier._shared,
        "n_around": [None, whole_from(1)],
        "n_near": [whole_from(1)],
        "n_wide": [None, whole_from(1)],
        "n_along": [None, whole_from(1)],
        "strength": [number_from(0)],
        "weighting": [StrOptions({"exponential", "linear", "quadratic"})],
        "max_iter": [whole_from(1)],
    }

    def __init__(
        self,
        n_neighbors: int = 5,
        *,
        n_around: int | None = None,
        n_near: int = 3,
        n_wide: int | None = None,
        n_along: int | None = None,
        strength: float = 5.0,
        weighting: str = "exponential",
        max_iter: int = 1,
        standardize: bool = True,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.n_around = n_around
        self.n_near = n_near
        self.n_wide = n_wide
        self.n_along = n_along
        self.strength = strength
        self.weighting = weighting
        self.max_iter = max_iter
        self.standardize = standardize
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _prepare(self, data: View) -> None:
        self.n_iter_ = self.max_iter
        n = len(self._points)
        self._around = min(n, max(n // 10, 20) if self.n_around is None else self.n_around)
        wide = min(n, max(n * 15 // 100, 20) if self.n_wide is None else self.n_wide)
        along = min(wide, max(1, wide // 2) if self.n_along is None else self.n_along)
        self.relevance_table_ = np.empty(self._points.shape)

        def fill(start: int, stop: int) -> None:
            self._fill(start, stop, wide, along)

        data.run.scan(fill, n, self._block())

    def _fill(self, start: int, stop: int, wide: int, along: int) -> None:
        """Write the lines of the table from start to stop."""
        X, n_classes = self._points, len(self.classes_)
        queries, all_rows = WeightedRows(X[start:stop], np.ones((stop - start, X.shape[1]))), WeightedRows(X)
        for (first, outer, _), (_, inner, _) in zip(
            near_sets(queries, all_rows, wide), near_sets(queries, all_rows, self.n_near)
        ):
            rows = np.arange(start + first, start + first + len(outer))
            out, floor = self.relevance_table_[rows[0] : rows[-1] + 1], 0.5 / min(along, inner.shape[1])
            neighbourhoods.chi_table(X, self._codes, n_classes, rows, inner, outer, along, floor, out)

    def _weights_at(self, queries: np.ndarray) -> np.ndarray:
        weights = np.full(queries.shape, 1.0 / queries.shape[1])
        for _ in range(self.max_iter):
            found = near_sets(WeightedRows(queries, weights), WeightedRows(self._points), self._around)
            mean = np.empty(queries.shape)
            for start, index, _ in found:
                neighbourhoods.mean_rows(self.relevance_table_, index, mean[start : start + len(index)])
            weights = self._weights_of(mean.max(axis=1, keepdims=True) - mean)
        return weights

    def _weights_of(self, relevance: np.ndarray) -> np.ndarray:
        """Return the weights by R_i; all equal where no feature is better than another."""
        if self.weighting == "exponential":
            powers = np.exp(self.strength * (relevance - relevance.max(axis=1, keepdims=True)))
            return powers / powers.sum(axis=1, keepdims=True)
        powers = relevance ** POWERS[self.weighting]
        total = powers.sum(axis=1, keepdims=True)
        return np.divide(powers, total, out=np.full(powers.shape, 1.0 / powers.shape[1]), where=total > 0)

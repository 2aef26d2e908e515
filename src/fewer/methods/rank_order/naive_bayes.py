"""Naive Bayes on the order of features: each pair votes by which of the two is smaller."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np

from fewer.core.estimators.classifier import BaseClassifier
from fewer.core.kernels.order_pairs import sum_before
from fewer.core.records.params import Interval, StrOptions
from fewer.core.records.tags import MethodTags
from fewer.core.views.view import View
from fewer.methods.rank_order._pairs import count_before, count_known, known, refuse_too_many


class RankOrderNB(BaseClassifier):
    r"""Classify by which features are smaller than which, with naive Bayes on all pairs.

    An instance becomes its boolean order features (Definition 4 of [1]_), one per pair of features, and these are
    taken as independent given the class:

        log P(c | x) = log P(c) + sum over i < j of log P(b_ij | c) + const,
        P(f_i < f_j | c) = (n_ij(c) + alpha) / (n(c) + 2 alpha)

    Only the order inside a row matters, so that a change of scale which differs from row to row changes nothing. All
    features must share one scale of measurement.

    Parameters
    ----------
    alpha : float, default=1.0
        Laplace smoothing: rows added to every outcome of every pair in every class.
    ties : {"half", "state"}, default="half"
        What equal values are: half of each of the two orders, or a third outcome beside them.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels of the classes.
    class_log_prior_ : ndarray of shape (n_classes,)
        Logarithm of the fraction of each class.
    pair_weights_ : ndarray of shape (n_classes, n_features, n_features)
        What it adds to the log likelihood of a class that the first feature is smaller than the second, beyond what
        a tie would.
    tie_weights_ : ndarray of shape (n_classes, n_features, n_features)
        What a tie adds.
    n_features_in_ : int
        Number of features seen during `fit`.
    feature_names_in_ : ndarray of str
        Names of the features, when X had names.

    Notes
    -----
    The text assumes that no values are equal and offers a third state where some are. With ``ties="half"`` a tie counts
    as half a row for either order, and votes with the mean of both logarithms; without ties both settings differ only
    in the smoothing, 2 alpha or 3 alpha. With ``ties="state"`` a tie has its own probability, for
    ratings and counts where being equal says something. A pair with a missing value says nothing, in `fit` and in
    `predict`. With a single feature there are no pairs, and the most frequent class is predicted.

    Tables of all pairs are kept in memory, so there is a limit of about 3,000 features for two classes.

    See Also
    --------
    KendallKNN : Nearest neighbours by the number of pairs in different order.

    References
    ----------
    .. [1] D. J. Slotta, J. P. C. Vergara, N. Ramakrishnan and L. S. Heath, "Algorithms for feature selection in
       rank-order spaces", 2005.

    Examples
    --------
    >>> X = [[1, 2, 3], [10, 20, 15], [3, 2, 1], [30, 20, 10]]
    >>> RankOrderNB().fit(X, ["up", "up", "down", "down"]).predict([[5, 7, 9], [9, 8, 7]]).tolist()
    ['up', 'down']
    """

    method_tags = MethodTags(
        targets=("classes",),
        views=("ranks",),
        handles_nan=True,
        handles_weights=True,
        weights_count_rows=True,
        invariance=("monotone_together", "row_order"),
        cost="n*d^2",
    )
    # Columns that cannot be compared have an order that says little.
    poor_score = True
    _parameter_constraints: dict = {
        "alpha": [Interval(Real, 0, None, closed="neither")],
        "ties": [StrOptions({"half", "state"})],
    }

    def __init__(self, alpha: float = 1.0, *, ties: str = "half") -> None:
        self.alpha = alpha
        self.ties = ties

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> RankOrderNB:
        """Count the order of every pair of features in every class.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Numbers that can be compared with each other, or ordered categoricals of the same categories; NaN or None
            where a value is missing.
        y : array-like of shape (n_samples,)
            The classes.
        sample_weight : array-like of shape (n_samples,), optional
            How often each row counts; a row of weight 0 is as good as absent.

        Returns
        -------
        self : object
            The fitted classifier.
        """
        return self._fit(X, y, sample_weight)

    def _learn(self, data: View) -> None:
        block, n_classes = data.whole(), data.n_classes
        refuse_too_many(type(self).__name__, data.n_features, n_classes)
        weight = np.ones(data.n_rows) if block.weight is None else block.weight
        self.class_log_prior_ = np.log(np.bincount(block.y, weight, n_classes) / weight.sum())
        less = count_before(block.X, block.y, weight, n_classes)
        self.pair_weights_, self.tie_weights_ = self._weights(less, count_known(block.X, block.y, weight, n_classes))

    def _weights(self, less: np.ndarray, here: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return log P(i before j) - log P(tie) and log P(tie), which for halved ties is the mean of both orders."""
        more = less.transpose(0, 2, 1)
        if self.ties == "half":
            ordered = np.log((less + here - more) / 2 + self.alpha) - np.log(here + 2 * self.alpha)
            tied = (ordered + ordered.transpose(0, 2, 1)) / 2
        else:
            total = np.log(here + 3 * self.alpha)
            ordered = np.log(less + self.alpha) - total
            tied = np.log(np.maximum(here - less - more, 0) + self.alpha) - total
        own = np.arange(less.shape[1])
        ordered[:, own, own] = tied[:, own, own] = 0.0
        return ordered - tied, tied

    def predict_joint_log_proba(self, X: Any) -> np.ndarray:
        """Return log P(c) + log P(order of x | c) for every row and class."""
        return self._votes(self._rows(X))

    def _votes(self, rows: np.ndarray) -> np.ndarray:
        here = known(rows)
        if here is None:
            ties = self.tie_weights_.sum(axis=(1, 2))[None, :] / 2
        else:
            ties = np.stack([((here @ table) * here).sum(axis=1) for table in self.tie_weights_], axis=1) / 2
        orders = np.empty((len(rows), len(self.classes_)))
        sum_before(np.ascontiguousarray(rows, np.float64), 0, len(rows), self.pair_weights_, orders)
        return self.class_log_prior_ + ties + orders

    def predict_log_proba(self, X: Any) -> np.ndarray:
        """Return the logarithm of the probability of every class, (n_samples, n_classes)."""
        joint = self.predict_joint_log_proba(X)
        return joint - np.logaddexp.reduce(joint, axis=1, keepdims=True)

    def predict_proba(self, X: Any) -> np.ndarray:
        """Return the probability of every class, (n_samples, n_classes)."""
        return np.exp(self.predict_log_proba(X))

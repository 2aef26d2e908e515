"""Naive Bayes on the order of features: each pair votes by which of the two is smaller."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from fewer.core.kernels.order_pairs import sum_before
from fewer.core.reading.frames import comparable
from fewer.core.reading.rows import of_weight
from fewer.core.records.params import Interval, StrOptions
from fewer.core.records.tags import MethodTags
from fewer.methods.rank_order._pairs import count_before, count_known, known, refuse_too_many


class RankOrderNB(ClassifierMixin, BaseEstimator):
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
        Logarithm of the share of each class.
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
        kind="classifier",
        task="classification",
        views=("ranks",),
        handles_nan=True,
        handles_weights=True,
        weights_count_rows=True,
        invariance=("monotone_together", "row_order"),
        cost="n*d^2",
    )
    _parameter_constraints: dict = {
        "alpha": [Interval(Real, 0, None, closed="neither")],
        "ties": [StrOptions({"half", "state"})],
    }

    def __init__(self, alpha: float = 1.0, *, ties: str = "half") -> None:
        self.alpha = alpha
        self.ties = ties

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> RankOrderNB:
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
        self._validate_params()
        X, y, weight, _ = of_weight(type(self).__name__, X, y, sample_weight, fewest=1)
        X, y = validate_data(self, comparable(X, "RankOrderNB"), y, ensure_all_finite="allow-nan")
        weight = np.ones(len(X)) if weight is None else weight
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        refuse_too_many(type(self).__name__, X.shape[1], len(self.classes_))
        n_classes = len(self.classes_)
        self.class_log_prior_ = np.log(np.bincount(codes, weight, n_classes) / weight.sum())
        less = count_before(X, codes, weight, n_classes)
        self.pair_weights_, self.tie_weights_ = self._learn(less, count_known(X, codes, weight, n_classes))
        return self

    def _learn(self, less: np.ndarray, here: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
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
        check_is_fitted(self)
        X = validate_data(self, comparable(X, "RankOrderNB"), reset=False, ensure_all_finite="allow-nan")
        here = known(X)
        if here is None:
            ties = self.tie_weights_.sum(axis=(1, 2))[None, :] / 2
        else:
            ties = np.stack([((here @ table) * here).sum(axis=1) for table in self.tie_weights_], axis=1) / 2
        orders = np.empty((len(X), len(self.classes_)))
        sum_before(np.ascontiguousarray(X, np.float64), 0, len(X), self.pair_weights_, orders)
        return self.class_log_prior_ + ties + orders

    def predict_log_proba(self, X: Any) -> np.ndarray:
        """Return the logarithm of the probability of every class, (n_samples, n_classes)."""
        joint = self.predict_joint_log_proba(X)
        return joint - np.logaddexp.reduce(joint, axis=1, keepdims=True)

    def predict_proba(self, X: Any) -> np.ndarray:
        """Return the probability of every class, (n_samples, n_classes)."""
        return np.exp(self.predict_log_proba(X))

    def predict(self, X: Any) -> np.ndarray:
        """Return the most probable class of every row; of equal ones the first."""
        best = self.predict_joint_log_proba(X).argmax(axis=1)
        return self.classes_[best]

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        # The data of scikit-learn's checks have columns that cannot be compared, so that their order says little.
        tags.classifier_tags.poor_score = True
        return tags

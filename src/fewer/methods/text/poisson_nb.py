"""Naive Bayes on counts: in every class each term has a Poisson distribution."""

from __future__ import annotations

from typing import Any

import numpy as np

from fewer.core.estimators.classifier import BaseClassifier
from fewer.core.records.params import number_above
from fewer.core.records.tags import MethodTags
from fewer.core.views.view import View
from fewer.methods.text._term_rows import class_sums, refuse_negative


class PoissonNB(BaseClassifier):
    r"""Classify documents by how often terms occur, with naive Bayes and Poisson distributions.

    In class k term j occurs as a Poisson variable of mean :math:`\lambda_{kj}` (section 14.2.3 of [1]_), so that the
    class has the largest :math:`\ln P_k + \sum_j (x_j \ln \lambda_{kj} - \lambda_{kj})`. The mean is that of the
    posterior under a Gamma prior, :math:`(N_{kj} + \alpha) / (n_k + 1 / \beta)`, with :math:`N_{kj}` the occurrences of
    the term in the :math:`n_k` documents of the class and :math:`P_k` their fraction.

    Parameters
    ----------
    alpha : float, default=0.1
        Shape of the prior of every mean.
    beta : float, default=25.0
        Scale of the prior of every mean; the larger, the less the prior says.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels of the classes.
    class_log_prior_ : ndarray of shape (n_classes,)
        Logarithm of the fraction of each class.
    means_ : ndarray of shape (n_classes, n_features)
        How often a term is expected in a document of the class.
    n_features_in_ : int
        Number of features seen during `fit`.
    feature_names_in_ : ndarray of str
        Names of the features, when X had names.

    Notes
    -----
    The text gives the model and no estimate; the posterior mean is that of its Gamma prior, with the values that it
    prints for the scores read as they are for `PIPPoisson`. Documents are taken to be equally long: the sum of the
    means, which a long document exceeds in every class, is part of the model. Sparse counts are never made dense.

    See Also
    --------
    Rocchio : Compares the directions of documents, whatever their length.

    References
    ----------
    .. [1] S. Eyheramendy and D. Madigan, "A Bayesian feature selection score based on naive Bayes models", ch. 14 of
       H. Liu and H. Motoda (eds.), "Computational Methods of Feature Selection", 2008.

    Examples
    --------
    >>> X = [[3, 0, 1], [2, 1, 0], [0, 4, 1], [1, 3, 0]]
    >>> PoissonNB().fit(X, ["a", "a", "b", "b"]).predict([[2, 0, 0], [0, 2, 1]]).tolist()
    ['a', 'b']
    """

    method_tags = MethodTags(
        targets=("classes",),
        views=("sparse", "dense"),
        handles_sparse=True,
        handles_weights=True,
        weights_count_rows=True,
        nonnegative=True,
    )
    _parameter_constraints: dict = {"alpha": [number_above(0)], "beta": [number_above(0)]}

    def __init__(self, alpha: float = 0.1, beta: float = 25.0) -> None:
        self.alpha = alpha
        self.beta = beta

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> PoissonNB:
        """Add up the counts of every class.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            How often every term occurs in every document.
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
        block = data.whole()
        X = refuse_negative(type(self).__name__, block.X)
        weight = np.ones(data.n_rows) if block.weight is None else np.asarray(block.weight, dtype=np.float64)
        documents = np.bincount(block.y, weight, data.n_classes)
        occurrences = class_sums(X, block.y, weight, data.n_classes)
        data.check_finite(occurrences.T)
        self.class_log_prior_ = np.log(documents / weight.sum())
        self.means_ = (occurrences + self.alpha) / (documents[:, None] + 1.0 / self.beta)

    def _votes(self, rows: Any) -> np.ndarray:
        rows = refuse_negative(type(self).__name__, rows)
        expected = self.class_log_prior_ - self.means_.sum(axis=1)
        return np.asarray(rows @ np.log(self.means_).T) + expected

    def predict_joint_log_proba(self, X: Any) -> np.ndarray:
        """Return log P(k) + log P(x | k) for every row and class, but for the factorials, which classes share."""
        return self._votes(self._rows(X))

    def predict_log_proba(self, X: Any) -> np.ndarray:
        """Return the logarithm of the probability of every class, (n_samples, n_classes)."""
        joint = self.predict_joint_log_proba(X)
        return joint - np.logaddexp.reduce(joint, axis=1, keepdims=True)

    def predict_proba(self, X: Any) -> np.ndarray:
        """Return the probability of every class, (n_samples, n_classes)."""
        return np.exp(self.predict_log_proba(X))

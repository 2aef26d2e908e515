"""One direction per class: its documents less those of the others."""

from __future__ import annotations

from typing import Any

import numpy as np

from fewer.core.estimators.classifier import BaseClassifier
from fewer.core.records.params import number_above, number_from
from fewer.core.records.tags import MethodTags
from fewer.core.views.view import View
from fewer.methods.text._term_rows import class_sums, unit_rows


class Rocchio(BaseClassifier):
    r"""Say the class whose prototype points most nearly where the document does.

    The prototype of class k is :math:`\beta` times the mean of its documents, each brought to length 1, less
    :math:`\gamma` times that of all others; the class of a document is the one with the largest cosine between the two
    [1]_. Chapter 16 of [2]_ evaluates terms with this classifier.

    Parameters
    ----------
    beta : float, default=16.0
        Weight of the documents of the class.
    gamma : float, default=4.0
        Weight of the other documents; 0 leaves the mean direction of the class.
    nonnegative : bool, default=False
        Whether what is negative in a prototype becomes 0.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels of the classes.
    prototypes_ : ndarray of shape (n_classes, n_features)
        The prototypes.
    majority_ : int
        Place in `classes_` of the most frequent class, of equal ones the first.
    n_features_in_ : int
        Number of features seen during `fit`.
    feature_names_in_ : ndarray of str
        Names of the features, when X had names.

    Notes
    -----
    The text names the classifier and neither its variant nor its weights; 16 and 4 are customary. A document without
    any term, which has no direction, goes to the most frequent class; as a document of `fit` it counts among those of
    its class. Values of terms are as given: `TextValues` makes tf.idf of counts. Sparse rows are never made dense.

    See Also
    --------
    PoissonNB : Compares how often terms occur, not their proportions.

    References
    ----------
    .. [1] J. Rocchio, "Relevance feedback in information retrieval", in: G. Salton (ed.), "The SMART Retrieval
       System", 1971.
    .. [2] H. Liu and H. Motoda (eds.), "Computational Methods of Feature Selection", 2008.

    Examples
    --------
    >>> made = Rocchio().fit([[1, 0], [1, 0], [0, 1]], [0, 0, 1])
    >>> made.prototypes_.tolist()
    [[16.0, -4.0], [-4.0, 16.0]]
    >>> made.predict([[2, 1], [0, 3]]).tolist()
    [0, 1]
    """

    method_tags = MethodTags(
        targets=("classes",),
        views=("sparse", "dense"),
        handles_sparse=True,
        handles_weights=True,
        weights_count_rows=True,
    )
    _parameter_constraints: dict = {
        "beta": [number_above(0)],
        "gamma": [number_from(0)],
        "nonnegative": ["boolean"],
    }

    def __init__(self, beta: float = 16.0, gamma: float = 4.0, *, nonnegative: bool = False) -> None:
        self.beta = beta
        self.gamma = gamma
        self.nonnegative = nonnegative

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Rocchio:
        """Average the directions of the documents of every class.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Values of the terms of every document.
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
        weight = np.ones(data.n_rows) if block.weight is None else np.asarray(block.weight, dtype=np.float64)
        documents = np.bincount(block.y, weight, data.n_classes)
        own = class_sums(unit_rows(block.X), block.y, weight, data.n_classes)
        data.check_finite(own.T)
        others, elsewhere = own.sum(axis=0) - own, documents.sum() - documents
        away = np.divide(others, elsewhere[:, None], out=np.zeros_like(own), where=elsewhere[:, None] > 0)
        made = self.beta * own / documents[:, None] - self.gamma * away
        self.prototypes_ = np.maximum(made, 0.0) if self.nonnegative else made
        self.majority_ = int(documents.argmax())

    def decision_function(self, X: Any) -> np.ndarray:
        """Return the cosine of every row with every prototype, (n_samples, n_classes).

        For two classes what speaks for the second, (n_samples,): the difference of the cosines. A row of zeros has the
        cosine 1 with the prototype of the most frequent class and -1 with others.
        """
        votes = self._votes(self._rows(X))
        return votes[:, 1] - votes[:, 0] if len(self.classes_) == 2 else votes

    def _votes(self, rows: Any) -> np.ndarray:
        rows = unit_rows(rows)
        votes = np.asarray(rows @ unit_rows(self.prototypes_).T)
        empty = np.asarray(abs(rows).sum(axis=1)).ravel() == 0
        votes[empty] = np.where(np.arange(len(self.classes_)) == self.majority_, 1.0, -1.0)
        return votes

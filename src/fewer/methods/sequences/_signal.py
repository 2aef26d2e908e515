"""Base of models of signals: the probability of a sequence in every class."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from fewer.core.estimators.classifier import BaseClassifier
from fewer.core.reading.rows import refuse_other_length
from fewer.core.reading.targets import read_target
from fewer.core.records.errors import InputError
from fewer.core.records.tags import MethodTags
from fewer.methods.sequences._base import read_letters, tell_of_texts


class SignalModel(BaseClassifier):
    """A classifier of sequences of one length. A method implements `_learn_class` and `_log_likelihood`.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels of the classes.
    class_log_prior_ : ndarray of shape (n_classes,)
        Logarithm of the fraction of each class.
    length_ : int
        Length of the sequences.
    """

    reads_tables = False
    method_tags = MethodTags(targets=("classes",), views=("sequences",), handles_nominal=True, cost="n*d")
    alphabet: Any

    def fit(self, X: Any, y: Any = None) -> Any:
        """Learn from sequences of known class.

        Parameters
        ----------
        X : list, array or series of str, or frame
            One sequence per row: texts, one column of texts, or one column of single letters per position. All of one
            length.
        y : array-like of shape (n_samples,)
            The classes.

        Returns
        -------
        self : object
            The fitted classifier.
        """
        self._validate_params()
        name = type(self).__name__
        letters = read_letters(self, X)
        length = letters.common_length(name)
        y, classes = class_numbers_of(name, y, self.method_tags, letters.n_rows)
        self.length_, self.classes_ = length, classes
        self.class_log_prior_ = np.log(np.bincount(y, minlength=len(classes)) / len(y))
        codes, size = letters.matrix(), letters.alphabet.size
        self.models_ = [self._learn_class(codes[y == c], size) for c in range(len(classes))]
        return self

    def _learn_class(self, codes: np.ndarray, size: int) -> Any:
        """Return what is known of one class, from its sequences as codes, -1 where a letter is unknown."""
        raise NotImplementedError

    def _log_likelihood(self, model: Any, codes: np.ndarray) -> np.ndarray:
        """Return log P(sequence | class) of every row; unknown letters say nothing."""
        raise NotImplementedError

    def _rows(self, X: Any) -> np.ndarray:
        check_is_fitted(self, "models_")
        letters = read_letters(self, X)
        letters.common_length(type(self).__name__, self.length_)
        return letters.matrix()

    def log_likelihood(self, X: Any) -> np.ndarray:
        """Return log P(sequence | class), (n_samples, n_classes)."""
        codes = self._rows(X)
        return np.column_stack([self._log_likelihood(model, codes) for model in self.models_])

    def _votes(self, rows: np.ndarray) -> np.ndarray:
        likely = np.column_stack([self._log_likelihood(model, rows) for model in self.models_])
        return likely + self.class_log_prior_

    def decision_function(self, X: Any) -> np.ndarray:
        """Return the log odds of the second of two classes, or log P(class) + log P(sequence | class) of several."""
        votes = self._votes(self._rows(X))
        return votes[:, 1] - votes[:, 0] if len(self.classes_) == 2 else votes

    def predict_log_proba(self, X: Any) -> np.ndarray:
        """Return the logarithm of the probability of every class, (n_samples, n_classes)."""
        votes = self._votes(self._rows(X))
        return votes - np.logaddexp.reduce(votes, axis=1, keepdims=True)

    def predict_proba(self, X: Any) -> np.ndarray:
        """Return the probability of every class, (n_samples, n_classes)."""
        return np.exp(self.predict_log_proba(X))

    def __sklearn_tags__(self) -> Tags:
        return tell_of_texts(super().__sklearn_tags__())


def class_numbers_of(name: str, y: Any, tags: MethodTags, n_rows: int) -> tuple[np.ndarray, np.ndarray]:
    """Return class numbers and labels, at least two of them."""
    if y is None:
        raise InputError(
            f"{name} learns from classes and requires y to be passed, but the target y is None; pass one label per "
            "sequence."
        )
    target = read_target(name, y, tags)
    refuse_other_length(name, n_rows, target.values)
    return np.asarray(target.values), np.asarray(target.classes)


def letter_counts(codes: np.ndarray, size: int) -> np.ndarray:
    """Return how often each letter stands at each position, (n_positions, size)."""
    n, length = codes.shape
    at = np.broadcast_to(np.arange(length) * size, (n, length))
    known = codes >= 0
    return np.bincount((at + codes)[known], minlength=length * size).reshape(length, size).astype(np.float64)


def looked_up(table: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """Return table[i, letter] of every row and position i, 0 for an unknown letter."""
    positions = np.arange(codes.shape[1])
    return np.where(codes >= 0, table[positions, np.maximum(codes, 0)], 0.0)

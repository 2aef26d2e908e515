"""Selectors that also predict: the model that selected the features answers for new rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted, validate_data

from fewer.core.estimators.parts import Parts
from fewer.core.estimators.selector import BaseSelector
from fewer.core.records.target_kinds import known_labels
from fewer.core.views.sparse_input import check_structure
from fewer.core.views.view import View


class PredictingSelector(BaseSelector):
    """Base of selectors with a model inside. `_select` sets ``coef_`` and ``intercept_`` if the model is linear.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
        Coefficients of the columns as they were given, 0 for features that the model does not use.
    intercept_ : float
        What the model says of a row of zeros.
    """

    coef_: np.ndarray
    intercept_: Any

    def _linear(self, X: Any) -> np.ndarray:
        """Return what the linear model says of new rows."""
        return np.asarray(self._rows(X) @ self.coef_.T) + self.intercept_

    def _rows(self, X: Any) -> Any:
        """Return new rows as those of `fit` were read."""
        check_is_fitted(self, "selection_")
        tags = self._tags_in_use()
        return validate_data(
            self,
            check_structure(type(self).__name__, X),
            reset=False,
            accept_sparse="csr" if tags.handles_sparse else False,
            ensure_all_finite="allow-nan" if tags.handles_nan else True,
        )


class RegressingSelector(RegressorMixin, PredictingSelector):
    """Base of selectors that predict numbers; a method whose model is not linear overrides `predict`."""

    def predict(self, X: Any) -> np.ndarray:
        """Return the predicted number of every row.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows with all features that `fit` saw.

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        return self._linear(X)


class ClassifyingSelector(ClassifierMixin, PredictingSelector):
    """Base of selectors that predict classes; a method whose model is not linear overrides `decision_function`.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes, in the order of the columns of `decision_function`; of two classes the second has positive values.
    """

    classes_: np.ndarray

    def _run(self, data: View, parts: Parts, begin: float) -> BaseSelector:
        self.classes_ = known_labels(np.asarray(data.classes))
        return super()._run(data, parts, begin)

    def decision_function(self, X: Any) -> np.ndarray:
        """Return what speaks for the second of two classes, or for each of several.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows with all features that `fit` saw.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_classes)
        """
        return self._linear(X)

    def predict(self, X: Any) -> np.ndarray:
        """Return the class of every row; of equal ones the first.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows with all features that `fit` saw.

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        votes = self.decision_function(X)
        return self.classes_[(votes > 0).astype(np.int64) if votes.ndim == 1 else votes.argmax(axis=1)]

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = not self._tags_in_use().binary_only
        return tags

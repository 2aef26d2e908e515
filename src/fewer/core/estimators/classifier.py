"""BaseClassifier: read, learn, store; predict by votes."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils import Tags

from fewer.core.estimators.row_model import RowModel
from fewer.core.views.view import View


class BaseClassifier(ClassifierMixin, RowModel):
    """Base of every classifier. A method implements `_learn` and `_votes`, and declares `method_tags`.

    `_learn` gets rows in memory, whose class numbers are places in `classes_`. A classifier that weighs features on
    the way implements `_selection`, too, and then has `selection_`.
    """

    contract: ClassVar[str] = "classifier"
    # Whether the data of scikit-learn's checks are not what the method is made for.
    poor_score: ClassVar[bool] = False
    classes_: np.ndarray

    def fit(self, X: Any, y: Any = None) -> Any:
        """Learn from rows of known class.

        Parameters
        ----------
        X : array-like, data frame or Table in memory of shape (n_samples, n_features)
            The data. A `Table` carries its own target.
        y : array-like of shape (n_samples,)
            The classes.

        Returns
        -------
        self : object
            The fitted classifier.
        """
        return self._fit(X, y)

    def _know(self, data: View) -> None:
        self.classes_ = np.asarray(data.classes)

    def predict(self, X: Any) -> np.ndarray:
        """Return the class with most votes of every row; of equal ones the first."""
        best = self._votes(self._rows(X)).argmax(axis=1)
        return self.classes_[best]

    def _votes(self, rows: np.ndarray) -> np.ndarray:
        """Return what speaks for each class, (n_rows, n_classes)."""
        raise NotImplementedError

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = self.poor_score
        return tags


class VotingClassifier(BaseClassifier):
    """A classifier whose votes are counts, so that their fractions are probabilities."""

    def predict_proba(self, X: Any) -> np.ndarray:
        """Return the fraction of votes for every class, (n_samples, n_classes)."""
        votes = self._votes(self._rows(X))
        return votes / votes.sum(axis=1, keepdims=True)

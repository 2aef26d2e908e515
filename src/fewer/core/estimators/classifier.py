"""BaseClassifier: read, learn, store; predict by votes."""

from __future__ import annotations

import time
from typing import Any, ClassVar

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted, validate_data

from fewer.core.estimators.selector import tell_scikit_learn, with_facts
from fewer.core.estimators.whole_rows import read_rows
from fewer.core.reading.frames import comparable
from fewer.core.reading.table_views import is_table
from fewer.core.records.result import Selection
from fewer.core.records.tags import MethodTags
from fewer.core.runners.threads import ThreadRunner
from fewer.core.views.sparse_input import check_structure
from fewer.core.views.view import View


class BaseClassifier(ClassifierMixin, BaseEstimator):
    """Base of every classifier. A method implements `_learn` and `_votes`, and declares `method_tags`.

    A classifier that weighs features on the way implements `_selection`, too, and then has `selection_`.
    """

    contract: ClassVar[str] = "classifier"
    method_tags: ClassVar[MethodTags]
    # Whether the data of scikit-learn's checks are not what the method is made for.
    poor_score: ClassVar[bool] = False

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

    def _fit(self, X: Any, y: Any, weight: Any = None) -> Any:
        self.check()
        begin = time.perf_counter()
        with ThreadRunner(getattr(self, "n_jobs", None)) as run:
            data = self._placed(read_rows(self, X if is_table(X) else self._plain(X), y, weight, run))
            self.classes_ = np.asarray(data.classes)
            self._learn(data)
            selection = self._selection(data)
        if selection is not None:
            self.selection_ = with_facts(self, self.method_tags, selection.settled(), data, begin)
        return self

    def check(self) -> None:
        """Raise, before any work and without data, if parameters are not allowed."""
        self._validate_params()

    def predict(self, X: Any) -> np.ndarray:
        """Return the class with most votes of every row; of equal ones the first."""
        best = self._votes(self._rows(X)).argmax(axis=1)
        return self.classes_[best]

    def _learn(self, data: View) -> None:
        """Learn from rows in memory, whose class numbers are places in `classes_`."""
        raise NotImplementedError

    def _votes(self, rows: np.ndarray) -> np.ndarray:
        """Return what speaks for each class, (n_rows, n_classes)."""
        raise NotImplementedError

    def _selection(self, data: View) -> Selection | None:
        """Return which features the classifier uses and why, if it weighs them."""
        return None

    def _placed(self, data: View) -> View:
        """Return the data with the classes in the order that the method needs."""
        return data

    def _plain(self, X: Any) -> Any:
        """Return X; where features are compared with each other, ordered categoricals as numbers that compare alike."""
        return comparable(X, type(self).__name__) if "ranks" in self.method_tags.views else X

    def _rows(self, X: Any) -> np.ndarray:
        """Return new rows as those of `fit` were read."""
        check_is_fitted(self)
        finite: Any = "allow-nan" if self.method_tags.handles_nan else True
        return validate_data(
            self, check_structure(type(self).__name__, self._plain(X)), reset=False, ensure_all_finite=finite
        )

    def __sklearn_tags__(self) -> Tags:
        tags = tell_scikit_learn(super().__sklearn_tags__(), self.method_tags)
        tags.classifier_tags.poor_score = self.poor_score
        return tags


class VotingClassifier(BaseClassifier):
    """A classifier whose votes are counts, so that their fractions are probabilities."""

    def predict_proba(self, X: Any) -> np.ndarray:
        """Return the fraction of votes for every class, (n_samples, n_classes)."""
        votes = self._votes(self._rows(X))
        return votes / votes.sum(axis=1, keepdims=True)

"""BaseRegressor: read, learn, store; predict numbers."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from sklearn.base import RegressorMixin

from fewer.core.estimators.row_model import RowModel


class BaseRegressor(RegressorMixin, RowModel):
    """Base of every regressor. A method implements `_learn` and `_answers`, and declares `method_tags`.

    A regressor that weighs features on the way implements `_selection`, too, and then has `selection_`.
    """

    contract: ClassVar[str] = "regressor"

    def fit(self, X: Any, y: Any) -> Any:
        """Learn from rows of known target.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The data.
        y : array-like of shape (n_samples,)
            Numbers.

        Returns
        -------
        self : object
            The fitted regressor.
        """
        return self._fit(X, y)

    def predict(self, X: Any) -> np.ndarray:
        """Return the predicted number of every row."""
        return self._answers(self._rows(X))

    def _answers(self, rows: np.ndarray) -> np.ndarray:
        """Return the predicted number of every row as `fit` has read rows."""
        raise NotImplementedError

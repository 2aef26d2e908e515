"""What projections that learn from pairs of rows have in common."""

from __future__ import annotations

from typing import Any

import numpy as np

from fewer.core.estimators.projector import BaseProjector
from fewer.core.reading.table_views import is_table
from fewer.core.reading.targets import partly_labelled
from fewer.core.records.errors import InputError
from fewer.core.records.tags import MethodTags
from fewer.core.views.pairs import Pairs
from fewer.core.views.view import View

ON_PAIRS = MethodTags(
    targets=("none",), views=("dense",), handles_sparse=True, invariance=("row_order",), cost="pairs^2*d"
)


class PairProjector(BaseProjector):
    """Adds `pairs` to `fit`, and labels of some rows in their place."""

    # Which of them it learns from, for messages.
    _learns_from = "pairs that belong together and pairs that do not"

    def fit(self, X: Any, y: Any = None, pairs: Any = None) -> Any:
        """Find the axes.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The data.
        y : array-like of shape (n_samples,), optional
            Labels of some rows, -1 or a missing value for the others; used if no pairs are given: rows of one label
            belong together, rows of different labels do not.
        pairs : Pairs or tuple of must-links and cannot-links, optional
            Rows that belong together and rows that do not.

        Returns
        -------
        self : object
            The fitted projector.
        """
        if pairs is None and y is None and is_table(X) and X.target is not None:
            X = X.with_unlabelled().read_for("classification")
            y = partly_labelled(np.concatenate([batch.y for batch in X.batches()]), np.asarray(X.classes)).values
        if pairs is None and y is not None:
            pairs = Pairs.of_labels(y)
        return self._fit(X, None, pairs)

    def _pairs(self, data: View) -> Pairs:
        """Return the pairs, or explain that there are none."""
        if data.n_rows == 1:
            raise InputError(
                f"{type(self).__name__} learns from {self._learns_from}, but got one sample, which makes no pair; pass "
                "two rows or more."
            )
        if data.pairs is None or not self._enough(data.pairs):
            given = "none" if data.pairs is None else f"{data.pairs.n_must} and {data.pairs.n_cannot}"
            raise InputError(
                f"{type(self).__name__} learns from {self._learns_from}, but got {given}; pass "
                "fit(X, pairs=fewer.Pairs(n_rows, must_link, cannot_link)), or labels of some rows "
                f"(n_samples={data.n_rows}) as y."
            )
        return data.pairs

    def _enough(self, pairs: Pairs) -> bool:
        return bool(pairs.n_must or pairs.n_cannot)

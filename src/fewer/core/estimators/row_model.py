"""RowModel: read, learn, store; what classifiers and regressors share."""

from __future__ import annotations

import time
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np
import scipy.sparse
from sklearn.base import BaseEstimator
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted, validate_data

from fewer.core.estimators.origin import with_facts
from fewer.core.estimators.told_tags import tell_scikit_learn
from fewer.core.estimators.whole_rows import read_rows
from fewer.core.reading.frames import comparable
from fewer.core.reading.new_rows import holds_text, read_again, refuse_missing
from fewer.core.reading.table_views import is_table
from fewer.core.records.result import Selection
from fewer.core.records.tags import MethodTags
from fewer.core.runners.threads import ThreadRunner
from fewer.core.views.sparse_input import check_structure
from fewer.core.views.view import View


class RowModel(BaseEstimator):
    """Base of what learns from rows and answers for new ones. A method implements `_learn` and declares `method_tags`.

    One that weighs features on the way implements `_selection`, too, and then has `selection_`. One that takes nominal
    columns has the parameter ``categorical_features``.
    """

    method_tags: ClassVar[MethodTags]
    # Whether a table in memory is taken, as the command line gives it.
    reads_tables: ClassVar[bool] = True
    # Labels of the levels of nominal columns, by the number of the column.
    _labels_of_levels: Mapping[int, np.ndarray] = MappingProxyType({})

    def _fit(self, X: Any, y: Any, weight: Any = None) -> Any:
        self.check()
        begin = time.perf_counter()
        with ThreadRunner(getattr(self, "n_jobs", None)) as run:
            data = self._placed(read_rows(self, X if is_table(X) else self._plain(X), y, weight, run))
            self._labels_of_levels = dict(data.labels)
            self._know(data)
            self._learn(data)
            selection = self._selection(data)
        if selection is not None:
            self.selection_ = with_facts(self, self.method_tags, selection.settled(), data, begin)
        return self

    def check(self) -> None:
        """Raise, before any work and without data, if parameters are not allowed."""
        self._validate_params()

    def _know(self, data: View) -> None:
        """Store what is known of the target before anything is learned."""

    def _learn(self, data: View) -> None:
        """Learn from rows in memory."""
        raise NotImplementedError

    def _selection(self, data: View) -> Selection | None:
        """Return which features the model uses and why, if it weighs them."""
        return None

    def _placed(self, data: View) -> View:
        """Return the data with the classes in the order that the method needs."""
        return data

    def _plain(self, X: Any) -> Any:
        """Return X; where features are compared with each other, ordered categoricals as numbers that compare alike."""
        return comparable(X, type(self).__name__) if "ranks" in self.method_tags.views else X

    def _rows(self, X: Any) -> np.ndarray:
        """Return new rows as those of `fit` were read; levels that it has not seen are -1."""
        check_is_fitted(self)
        name, missing = type(self).__name__, self.method_tags.handles_nan
        X = self._plain(X)
        if self._labels_of_levels or holds_text(X, name):
            return read_again(self, X, self._labels_of_levels, missing=missing)
        rows = validate_data(
            self,
            check_structure(name, X),
            reset=False,
            accept_sparse="csr" if self.method_tags.handles_sparse else False,
            ensure_all_finite="allow-nan",
        )
        if not missing:
            refuse_missing(name, rows.data if scipy.sparse.issparse(rows) else rows)
        return rows

    def __sklearn_tags__(self) -> Tags:
        return tell_scikit_learn(super().__sklearn_tags__(), self.method_tags)

"""What all discretizers share: cuts for the views, and a scikit-learn transformer on top."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from fewer.core.discretize.cuts import Cuts
from fewer.core.runners.runner import Runner
from fewer.core.runners.threads import ThreadRunner
from fewer.core.summaries.summary import Result, Summary
from fewer.core.views.blocks import DenseBlock, SparseBlock
from fewer.core.views.sparse_input import check_structure, tidy

NUMBERS = (np.float64, np.float32, np.int64, np.int32, np.uint8, np.uint16)


@dataclass(frozen=True, eq=False)
class LocalData:
    """One table in memory, as the discretizers see data."""

    block: DenseBlock | SparseBlock
    run: Runner
    n_classes: int = 0
    names: tuple[str, ...] | None = None

    @property
    def kind(self) -> str:
        """Return "dense" or "sparse"."""
        return self.block.kind

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return self.block.n_rows

    @property
    def n_features(self) -> int:
        """Number of columns."""
        return self.block.n_features

    @property
    def nominal(self) -> np.ndarray:
        """All columns are numeric."""
        return np.zeros(self.n_features, dtype=bool)

    @property
    def labels(self) -> dict[int, list[str]]:
        """No column has levels."""
        return {}

    def name_of(self, j: int) -> str:
        """Return the name of a column, for messages."""
        return repr(self.names[j]) if self.names is not None else str(j)

    def whole(self) -> DenseBlock | SparseBlock:
        """Return the table."""
        return self.block

    def known(self, key: Any) -> Any:
        """Nothing is known beforehand."""
        return None

    def fold(self, summary: Summary[Result]) -> Result:
        """Compute a summary of all rows."""
        return self.run.fold(summary, [self.block])


class Discretizer(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    """Base of all discretizers: subclasses learn cut points in `_learn`.

    A missing value does not take part in learning; `transform` gives it the number after the last level of its
    feature. Values outside the range seen in `fit` belong to the outermost levels.
    """

    _parameter_constraints: dict = {}

    def cuts(self, data: Any) -> Cuts:
        """Learn the cut points of all features from data on any runner; leaves the discretizer as it was."""
        self._validate_params()
        return self._learn(data)

    def _learn(self, data: Any) -> Cuts:
        """Return the cut points."""
        raise NotImplementedError

    def fit(self, X: Any, y: Any = None) -> Discretizer:
        """Learn the cut points.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Numbers; NaN is missing.
        y : array-like of shape (n_samples,), optional
            Classes, for the discretizers that use them; others leave them aside.

        Returns
        -------
        self : Discretizer
            With the attribute ``cuts_``.
        """
        X, y, n_classes = self._checked(X, y)
        block = SparseBlock(X, y) if sparse.issparse(X) else DenseBlock(X, y)
        names = tuple(self.feature_names_in_) if hasattr(self, "feature_names_in_") else None
        with ThreadRunner() as run:
            self._store(LocalData(block, run, n_classes, names))
        return self

    def _store(self, data: Any) -> None:
        """Keep what was learned."""
        self.cuts_ = self.cuts(data)

    def transform(self, X: Any) -> np.ndarray:
        """Return level numbers, (n_samples, n_features), int64."""
        check_is_fitted(self)
        X = self._numbers(X, reset=False)
        if not sparse.issparse(X):
            return self.cuts_.encode(X)[0].astype(np.int64)
        codes, zero_code, _ = self.cuts_.encode_sparse(X)
        dense = np.tile(zero_code, (X.shape[0], 1))
        dense[X.indices, np.repeat(np.arange(X.shape[1]), np.diff(X.indptr))] = codes
        return dense

    def _checked(self, X: Any, y: Any) -> tuple[Any, np.ndarray | None, int]:
        """Return checked X, class numbers if this discretizer uses them, and the number of classes."""
        if not self.__sklearn_tags__().target_tags.required:
            return self._numbers(X, reset=True), None, 0
        X, y = self._numbers(X, y, reset=True)
        check_classification_targets(y)
        classes, numbers = np.unique(y, return_inverse=True)
        return X, numbers.astype(np.int64), len(classes)

    def _numbers(self, X: Any, y: Any = "no_validation", *, reset: bool) -> Any:
        """Check the input and bring it to the layout that the kernels read."""
        X = check_structure(type(self).__name__, X)
        rules = {"dtype": NUMBERS, "order": "C", "accept_sparse": "csc", "ensure_all_finite": "allow-nan"}
        checked = validate_data(self, X, y, reset=reset, **rules)
        if isinstance(checked, tuple):
            return _tidy(checked[0]), checked[1]
        return _tidy(checked)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = True
        tags.transformer_tags.preserves_dtype = []
        return tags


def columns_of(X: Any, start: int, stop: int) -> np.ndarray:
    """Return features ``start`` to ``stop`` of a table, dense or CSC, one per row, as float64 of their own."""
    columns = X[:, start:stop]
    dense = columns.toarray() if sparse.issparse(columns) else columns
    return np.array(dense.T, dtype=np.float64, order="C")


def _tidy(X: Any) -> Any:
    """Return a sparse matrix with sorted indices and no stored zeros, as a copy if it was not so."""
    return tidy(X) if sparse.issparse(X) else np.ascontiguousarray(X)

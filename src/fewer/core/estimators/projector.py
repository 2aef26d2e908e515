"""BaseProjector: read, find axes, store; say which features the axes are made of."""

from __future__ import annotations

import time
from typing import Any, ClassVar

import numpy as np
import scipy.sparse
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted, validate_data

from fewer.core.estimators.clusterer import by_weight
from fewer.core.estimators.origin import with_facts
from fewer.core.estimators.told_tags import tell_scikit_learn
from fewer.core.estimators.whole_rows import read_rows
from fewer.core.records.result import Selection
from fewer.core.records.result_table import ResultTable
from fewer.core.records.tags import MethodTags
from fewer.core.runners.threads import ThreadRunner
from fewer.core.views.sparse_input import check_structure
from fewer.core.views.view import View


class BaseProjector(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Base of every method that makes new axes of all features. A method implements `_axes`, declares `method_tags`.

    `_axes` sets ``components_`` and may set ``mean_`` (subtracted before; None for nothing) and ``strengths_`` (what
    each axis is worth, for the weights of features; equal without).

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        The axes; a row is projected on them after ``mean_`` was subtracted.
    selection_ : Selection
        The features that the axes are made of, by weight: over the axes, the mean of their squared parts, each axis
        counted by its strength.
    """

    contract: ClassVar[str] = "projector"
    method_tags: ClassVar[MethodTags]
    components_: np.ndarray
    mean_: np.ndarray | None = None
    strengths_: np.ndarray | None = None

    def fit(self, X: Any, y: Any = None) -> Any:
        """Find the axes.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The data.
        y : array-like of shape (n_samples,), optional
            The target, for methods that use it.

        Returns
        -------
        self : object
            The fitted projector.
        """
        return self._fit(X, y)

    def _fit(self, X: Any, y: Any, pairs: Any = None) -> Any:
        self.check()
        begin = time.perf_counter()
        with ThreadRunner(getattr(self, "n_jobs", None)) as run:
            data = read_rows(self, X, y, None, run).with_pairs(type(self).__name__, pairs)
            self._axes(data)
            selection = self._selection(data)
        self.selection_ = with_facts(self, self.method_tags, selection.settled(), data, begin)
        return self

    def check(self) -> None:
        """Raise, before any work and without data, if parameters are not allowed."""
        self._validate_params()

    def _axes(self, data: View) -> None:
        """Set ``components_`` and what belongs to them."""
        raise NotImplementedError

    def _selection(self, data: View) -> Selection:
        """Return which features the axes are made of, with the axes as a table."""
        columns = {f"axis {k}": axis for k, axis in enumerate(self.components_)}
        axes = ResultTable("Axes", {"feature": np.arange(data.n_features), **columns}, "matrix", ("feature",))
        return by_weight(feature_weights(self.components_, self.strengths_), axes=axes)

    def transform(self, X: Any) -> np.ndarray:
        """Return rows on the new axes.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples, n_components)
        """
        return self.on_axes(self._rows(X))

    def on_axes(self, rows: Any) -> Any:
        """Return rows that were checked already on the new axes."""
        return projected(rows, self.components_, self.mean_)

    def _rows(self, X: Any) -> Any:
        """Return new rows as those of `fit` were read."""
        check_is_fitted(self, "selection_")
        tags = self.method_tags
        return validate_data(
            self,
            check_structure(type(self).__name__, X),
            reset=False,
            accept_sparse="csr" if tags.handles_sparse else False,
            dtype=(np.float64, np.float32),
        )

    @property
    def _n_features_out(self) -> int:
        """Number of axes, for scikit-learn's names of them."""
        return len(self.components_)

    def __sklearn_tags__(self) -> Tags:
        return tell_scikit_learn(super().__sklearn_tags__(), self.method_tags)


def projected(rows: Any, components: np.ndarray, mean: np.ndarray | None) -> np.ndarray:
    """Return rows, less a mean, on axes; sparse rows are never made dense."""
    if scipy.sparse.issparse(rows):
        out = np.asarray(rows @ components.T)
        return out if mean is None else out - mean @ components.T
    # Subtracted first: rows far from the origin keep their digits.
    return (rows if mean is None else rows - mean) @ components.T


def feature_weights(components: np.ndarray, strengths: np.ndarray | None = None) -> np.ndarray:
    """Return how much of the axes is made of each feature; the weights sum to 1.

    Each axis is brought to length 1; the squares of its parts count by the strength of the axis.

    Examples
    --------
    >>> feature_weights(np.array([[3.0, 4.0, 0.0], [0.0, 0.0, 2.0]]), np.array([3.0, 1.0])).tolist()
    [0.27, 0.48, 0.25]
    """
    largest = np.abs(components).max(axis=1, keepdims=True)
    axes = np.divide(components, largest, out=np.zeros(components.shape), where=largest > 0)
    squares = axes**2
    lengths = squares.sum(axis=1, keepdims=True)
    parts = np.divide(squares, lengths, out=np.zeros(squares.shape), where=lengths > 0)
    counted = np.ones(len(parts)) if strengths is None else np.asarray(strengths, dtype=np.float64)
    weights = counted @ parts
    total = weights.sum()
    return weights / total if total > 0 else np.full(components.shape[1], 1.0 / components.shape[1])

"""What projections on the normals of borders have in common: scaled rows, eigenvectors, fractions."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any

import numpy as np

from fewer.core.estimators.clusterer import by_weight
from fewer.core.estimators.projector import BaseProjector, feature_weights
from fewer.core.measures.principal import largest_signs
from fewer.core.records.errors import InputError
from fewer.core.records.params import Interval
from fewer.core.records.ranking import steady
from fewer.core.records.result import Selection
from fewer.core.records.result_table import ResultTable
from fewer.core.views.view import View

# Eigenvalues below this part of their sum are rounding.
NOTHING = 1e-10
COMPONENTS = [None, Interval(Integral, 1, None, closed="left"), Interval(Real, 0, 1, closed="right")]


class BorderProjector(BaseProjector):
    """Base of projections that learn axes from classes. A method implements `_matrix` of scaled rows.

    Attributes
    ----------
    axes_ : ndarray of shape (n_components, n_features)
        The axes for features as they were scaled, each of length 1, its largest part positive.
    eigenvalues_ : ndarray of shape (n_features,)
        All of them, largest first, summing to 1.
    explained_fraction_ : float
        Sum of the eigenvalues of the axes that are kept.
    """

    n_components: Any
    axes_: np.ndarray
    eigenvalues_: np.ndarray
    explained_fraction_: float

    def fit(self, X: Any, y: Any = None) -> Any:
        """Find the axes.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The data.
        y : array-like of shape (n_samples,)
            The classes.

        Returns
        -------
        self : object
            The fitted projector.
        """
        return self._fit(X, y)

    def _axes(self, data: View) -> None:
        X, codes = np.asarray(data.whole().X, dtype=np.float64), np.asarray(data.whole().y)
        if data.n_classes < 2:
            raise InputError(
                f"{type(self).__name__} learns from borders between classes, but y has {data.n_classes} class; pass "
                "rows of two classes or more."
            )
        scale_rows = getattr(self, "standardize", True)
        self.mean_ = X.mean(axis=0) if scale_rows else np.zeros(X.shape[1])
        self.scale_ = spreads(X, self.mean_) if scale_rows else np.ones(X.shape[1])
        values, vectors = self._found(data, (X - self.mean_) / self.scale_, codes)
        values = np.where(values > NOTHING * values.sum(), values, 0.0)
        self.eigenvalues_ = values / values.sum()
        kept = self._n_kept(self.eigenvalues_)
        self.axes_ = vectors[:, :kept].T
        self.components_ = self.axes_ / self.scale_
        self.strengths_ = self.eigenvalues_[:kept]
        self.explained_fraction_ = float(min(1.0, self.strengths_.sum()))

    def _found(self, data: View, rows: np.ndarray, codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return eigenvalues, largest first, and eigenvectors in columns."""
        self.matrix_ = self._matrix(data, rows, codes)
        return eigenvectors(self.matrix_)

    def _matrix(self, data: View, rows: np.ndarray, codes: np.ndarray) -> np.ndarray:
        """Return the mean of N N^T over normals N of the border, of trace 1."""
        raise NotImplementedError

    def _n_kept(self, values: np.ndarray) -> int:
        """Return the number of axes: as many as asked for, or as the fraction needs; None for those that matter."""
        wanted = self.n_components
        if wanted is None:
            return max(1, int((values > 0).sum()))
        if isinstance(wanted, Integral):
            return min(int(wanted), len(values))
        # Rounding must not ask for one axis more.
        return 1 + int((np.cumsum(values)[:-1] < float(wanted) - 1e-9).sum())

    def _selection(self, data: View) -> Selection:
        columns = {f"axis {k}": axis for k, axis in enumerate(self.axes_)}
        axes = ResultTable("Axes", {"feature": np.arange(data.n_features), **columns}, "matrix", ("feature",))
        numbers = np.arange(1, len(self.eigenvalues_) + 1)
        sums = np.cumsum(self.eigenvalues_)
        held = {"axes": numbers, "fraction": sums, "eigenvalue": self.eigenvalues_}
        curve = ResultTable("Fraction that the first axes hold", held, "curve")
        return by_weight(feature_weights(self.axes_, self.strengths_), axes=axes, eigenvalues=curve)


def eigenvectors(matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return eigenvalues of a symmetric matrix, largest first, and its vectors in columns, largest parts positive.

    Examples
    --------
    >>> values, vectors = eigenvectors(np.diag([0.2, 0.8]))
    >>> values.tolist(), np.abs(vectors).tolist()
    ([0.8, 0.2], [[0.0, 1.0], [1.0, 0.0]])
    """
    values, vectors = np.linalg.eigh((matrix + matrix.T) / 2)
    order = np.argsort(-steady(values), kind="stable")
    values, vectors = np.maximum(values[order], 0.0), vectors[:, order]
    return values, vectors * largest_signs(np.round(vectors, 9))


def spreads(X: np.ndarray, mean: np.ndarray) -> np.ndarray:
    """Return standard deviations of columns, 1 for constant ones; numbers of any size keep their digits."""
    about = X - mean
    largest = np.abs(about).max(axis=0)
    spread = largest * np.sqrt(np.mean((about / np.where(largest > 0, largest, 1.0)) ** 2, axis=0))
    constant = largest <= 1e-14 * np.abs(X).max(axis=0)
    return np.where(constant | (spread == 0), 1.0, spread)

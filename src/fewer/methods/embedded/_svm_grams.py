"""Kernel matrices that lose features without being computed again, and what they would be without each feature."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.spatial.distance import pdist, squareform

from fewer.core.kernels.svm_follow import lose_products
from fewer.core.kernels.svm_without import gaussian_without, polynomial_without


class Gram:
    """The kernel matrix of the features that are left: linear, x'z.

    Parameters
    ----------
    X : ndarray of shape (n_rows, n_features)
        The rows.
    gamma, coef0, degree
        As in scikit-learn's kernels.

    Attributes
    ----------
    still : ndarray of int64
        Which of all features have one value.
    """

    def __init__(self, X: np.ndarray, gamma: float = 1.0, coef0: float = 0.0, degree: int = 1) -> None:
        self.gamma, self.coef0, self.degree = gamma, coef0, degree
        self._features = np.ascontiguousarray(X.T, dtype=np.float64)
        self._means = self._features.mean(axis=1)
        self.still = np.flatnonzero(self._features.max(axis=1) == self._features.min(axis=1))
        self._numbers = np.arange(X.shape[1])
        self._places = np.arange(X.shape[1])
        self.n_left = X.shape[1]
        self._sizes, self._room = self._parts(), np.empty((len(X), len(X)))
        self._refresh()

    @property
    def features(self) -> np.ndarray:
        """One row per feature that is left, in the order of `numbers`."""
        return self._features[: self.n_left]

    @property
    def means(self) -> np.ndarray:
        """The means of the features that are left."""
        return self._means[: self.n_left]

    @property
    def numbers(self) -> np.ndarray:
        """The features that are left."""
        return self._numbers[: self.n_left]

    @property
    def matrix(self) -> np.ndarray:
        """The kernel matrix of the features that are left."""
        return self.base

    @property
    def follows(self) -> bool:
        """Whether the matrix has an inverse to be expected, which loses a feature by one product, too."""
        return type(self) is Gram and 4 * self.n_left >= 5 * self.features.shape[1]

    def row(self, feature: int) -> np.ndarray:
        """Return a copy of the values of a feature that is left."""
        return self._features[self._places[feature]].copy()

    def remove(self, feature: int) -> None:
        """Take a feature away: the last one moves to its place, and the matrix is updated by one product."""
        place, last = self._places[feature], self.n_left - 1
        self._lose(self._features[place])
        self._size -= self._sizes[feature]
        moved = self._numbers[last]
        self._features[place], self._means[place] = self._features[last], self._means[last]
        self._numbers[place], self._places[moved] = moved, place
        self.n_left = last
        # Each update leaves the rounding of a large matrix in one that shrinks: computed again whenever it is halved.
        if self._size < 0.5 * self._fresh:
            self._refresh()

    def _refresh(self) -> None:
        self.base = self._full()
        self._size = self._fresh = float(self._sizes[self.numbers].sum())

    def _parts(self) -> np.ndarray:
        """Return how much every feature adds to the size of the matrix."""
        return np.square(self._features).sum(axis=1)

    def _full(self) -> np.ndarray:
        return self.features.T @ self.features

    def _lose(self, x: np.ndarray) -> None:
        lose_products(self.base, x)

    def without(self, left: np.ndarray, right: np.ndarray, means: bool = False) -> np.ndarray:
        """Return left'K right as it would be without each feature, or with each replaced by its mean."""
        change = (self.features @ left) * (self.features @ right)
        if means:
            change -= self.means**2 * left.sum() * right.sum()
        return float(left @ self.base @ right) - change

    def slopes(self, weights: np.ndarray) -> np.ndarray:
        """Return the derivative of w'Kw by the scale of each feature."""
        return 2.0 * (self.features @ weights) ** 2

    def diagonal_slopes(self, weights: np.ndarray) -> np.ndarray:
        """Return the derivative of Σ w_h K_hh by the scale of each feature."""
        return 2.0 * self.features**2 @ weights


class PolynomialGram(Gram):
    """The matrix of (γ x'z + c)^degree."""

    @property
    def matrix(self) -> np.ndarray:
        """The kernel matrix of the features that are left."""
        return (self.gamma * self.base + self.coef0) ** self.degree

    def without(self, left: np.ndarray, right: np.ndarray, means: bool = False) -> np.ndarray:
        """Return left'K right as it would be without each feature, or with each replaced by its mean."""
        out = np.empty(self.n_left)
        standing = self.means if means else np.zeros(self.n_left)
        polynomial_without(self.base, self.features, standing, left, right, self.gamma, self.coef0, self.degree, out)
        return out

    def slopes(self, weights: np.ndarray) -> np.ndarray:
        """Return the derivative of w'Kw by the scale of each feature."""
        inner = self.degree * (self.gamma * self.base + self.coef0) ** (self.degree - 1)
        return 2.0 * self.gamma * _forms(inner, self.features * weights)

    def diagonal_slopes(self, weights: np.ndarray) -> np.ndarray:
        """Return the derivative of Σ w_h K_hh by the scale of each feature."""
        inner = self.degree * (self.gamma * self.base.diagonal() + self.coef0) ** (self.degree - 1)
        return 2.0 * self.gamma * (self.features**2 @ (weights * inner))


class GaussianGram(Gram):
    """The matrix of exp(-γ |x - z|²)."""

    @property
    def matrix(self) -> np.ndarray:
        """The kernel matrix of the features that are left."""
        return np.exp(-self.gamma * self.base)

    def _full(self) -> np.ndarray:
        return squareform(pdist(np.ascontiguousarray(self.features.T), "sqeuclidean"))

    def _lose(self, x: np.ndarray) -> None:
        np.subtract(x[:, None], x, out=self._room)
        self.base -= np.square(self._room, out=self._room)
        np.maximum(self.base, 0.0, out=self.base)

    def _parts(self) -> np.ndarray:
        return self._features.var(axis=1)

    def without(self, left: np.ndarray, right: np.ndarray, means: bool = False) -> np.ndarray:
        """Return left'K right as it would be without each feature, which is as with its mean for all rows."""
        out = np.empty(self.n_left)
        gaussian_without(self.base, self.features, left, right, self.gamma, out)
        return out

    def slopes(self, weights: np.ndarray) -> np.ndarray:
        """Return the derivative of w'Kw by the scale of each feature."""
        K = self.matrix
        squares = self.features**2 @ (weights * (K @ weights))
        return -4.0 * self.gamma * (squares - _forms(K, self.features * weights))

    def diagonal_slopes(self, weights: np.ndarray) -> np.ndarray:
        """Return zeros: K_hh is 1, whatever the scales."""
        return np.zeros(self.n_left)


GRAMS: dict[str, type[Gram]] = {"linear": Gram, "poly": PolynomialGram, "rbf": GaussianGram}


def gamma_of(gamma: Any, X: np.ndarray) -> float:
    """Return gamma as a number; "scale" is one by the sum of the variances of all columns, as in scikit-learn."""
    if not isinstance(gamma, str):
        return float(gamma)
    variance = float(X.var())
    return 1.0 / (X.shape[1] * variance) if variance > 0 else 1.0


def _forms(A: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return r'Ar of every row r."""
    return np.einsum("ij,ij->i", rows @ A, rows)

"""Support vector machines: h = sum of coefficient times kernel, one for every pair of classes."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse

from fewer.core.borders.contract import Border, Decision, Reversed
from fewer.core.borders.linear_borders import Plane

# Numbers in one table of kernel values.
CELLS = 4_000_000
KERNELS = ("linear", "poly", "rbf", "sigmoid")


class KernelBorder(Border):
    r"""h = sum_i c_i K(x, s_i) + b with support vectors s_i."""

    def __init__(self, vectors: np.ndarray, weights: np.ndarray, b: float, kernel: str, params: dict[str, float]):
        self.vectors, self.weights, self.b = vectors, weights, b
        self.kernel, self.gamma = kernel, params["gamma"]
        self.degree, self.coef0 = params["degree"], params["coef0"]

    def values(self, rows: np.ndarray) -> np.ndarray:
        """Return h, block by block."""
        return np.concatenate([self._kernel(block) @ self.weights for block in self._blocks(rows)]) + self.b

    def gradients(self, rows: np.ndarray) -> np.ndarray:
        """Return the sum of coefficients times the derivatives of the kernel by x."""
        return np.concatenate([self._slopes(block) for block in self._blocks(rows)])

    def _blocks(self, rows: np.ndarray) -> list[np.ndarray]:
        size = max(1, CELLS // max(1, len(self.vectors)))
        return [rows[at : at + size] for at in range(0, max(1, len(rows)), size)]

    def _kernel(self, rows: np.ndarray) -> np.ndarray:
        if self.kernel == "rbf":
            from scipy.spatial.distance import cdist

            return np.exp(-self.gamma * cdist(rows, self.vectors, "sqeuclidean"))
        inner = self.gamma * (rows @ self.vectors.T) + self.coef0
        return inner**self.degree if self.kernel == "poly" else np.tanh(inner)

    def _slopes(self, rows: np.ndarray) -> np.ndarray:
        if self.kernel == "rbf":
            # dK/dx = -2 gamma (x - s) K; s - x is summed about a point near both, so that no digits are lost.
            weighted = self._kernel(rows) * self.weights
            centre = self.vectors.mean(axis=0)
            pulled = weighted @ (self.vectors - centre) - weighted.sum(axis=1, keepdims=True) * (rows - centre)
            return 2 * self.gamma * pulled
        inner = self.gamma * (rows @ self.vectors.T) + self.coef0
        if self.kernel == "poly":
            slope = self.degree * inner ** (self.degree - 1) if self.degree else np.zeros(inner.shape)
        else:
            slope = 1.0 - np.tanh(inner) ** 2
        return self.gamma * ((slope * self.weights) @ self.vectors)


class KernelDecision(Decision):
    """SVC or NuSVC: as many decision functions as pairs of classes."""

    def __init__(self, model: Any):
        self.classes = np.asarray(model.classes_)
        self.kernel = model.kernel
        # scikit-learn keeps the number that gamma="scale" stands for only here.
        gamma = float(getattr(model, "_gamma", 1.0))
        self.params = {"gamma": gamma, "degree": float(model.degree), "coef0": float(model.coef0)}
        self.vectors = _dense(model.support_vectors_)
        self.dual = _dense(model.dual_coef_)
        self.intercepts = np.asarray(model.intercept_, dtype=np.float64)
        self.ends = np.concatenate([[0], np.cumsum(model.n_support_)])

    def pair(self, first: int, second: int) -> Border:
        """Return the border of two classes, made of their own support vectors."""
        if first > second:
            return Reversed(self.pair(second, first))
        n = self.n_classes
        if n == 2:
            # Of two classes the function is positive for the second.
            return self._border(self.vectors, -self.dual[0], -float(self.intercepts[0]))
        mine, other = (slice(self.ends[c], self.ends[c + 1]) for c in (first, second))
        vectors = np.vstack([self.vectors[mine], self.vectors[other]])
        weights = np.concatenate([self.dual[second - 1, mine], self.dual[first, other]])
        at = first * n - first * (first + 1) // 2 + second - first - 1
        return self._border(vectors, weights, float(self.intercepts[at]))

    def _border(self, vectors: np.ndarray, weights: np.ndarray, b: float) -> Border:
        if self.kernel == "linear":
            return Plane(weights @ vectors, b)
        used = weights != 0
        return KernelBorder(vectors[used], weights[used], b, self.kernel, self.params)


def _dense(found: Any) -> np.ndarray:
    return np.asarray(found.toarray() if scipy.sparse.issparse(found) else found, dtype=np.float64)

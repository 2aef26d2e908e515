"""Classifiers behind steps that scale, rotate or choose columns: gradients by the chain rule."""

from __future__ import annotations

from typing import Any

import numpy as np

from fewer.core.borders.contract import Border, Decision


class SteppedBorder(Border):
    """h of rows after steps that are affine: z = A x + const."""

    def __init__(self, border: Border, transform: Any, matrix: np.ndarray):
        self.border, self.transform, self.matrix = border, transform, matrix
        self.analytic = border.analytic
        if border.plane is not None:
            w, b = border.plane
            zero = np.asarray(transform(np.zeros((1, matrix.shape[1]))), dtype=np.float64)[0]
            self.plane = (w @ matrix, float(w @ zero + b))

    def values(self, rows: np.ndarray) -> np.ndarray:
        """Return h of the rows as the steps make them."""
        return self.border.values(np.asarray(self.transform(rows), dtype=np.float64))

    def gradients(self, rows: np.ndarray) -> np.ndarray:
        """Return A^T times the gradient after the steps."""
        return self.border.gradients(np.asarray(self.transform(rows), dtype=np.float64)) @ self.matrix


class SteppedDecision(Decision):
    """The borders of a classifier behind affine steps."""

    def __init__(self, inner: Decision, transform: Any, matrix: np.ndarray):
        self.inner, self.transform, self.matrix = inner, transform, matrix
        self.classes = inner.classes

    def pair(self, first: int, second: int) -> Border:
        """Return the border of two classes."""
        return SteppedBorder(self.inner.pair(first, second), self.transform, self.matrix)


def affine_matrix(steps: list[Any], n_features: int) -> np.ndarray | None:
    """Return A of fitted steps one after the other, or None if one is not known to be affine."""
    matrix = np.eye(n_features)
    for step in steps:
        if step is None or step == "passthrough":
            continue
        found = _matrix(step, len(matrix))
        if found is None:
            return None
        matrix = found @ matrix
    return matrix


def _matrix(step: Any, width: int) -> np.ndarray | None:
    """Return the matrix of one fitted step."""
    from sklearn.decomposition import PCA
    from sklearn.preprocessing import MaxAbsScaler, MinMaxScaler, RobustScaler, StandardScaler

    if isinstance(step, (StandardScaler, RobustScaler, MaxAbsScaler)):
        # None for those that only subtract.
        scale = np.ones(width) if step.scale_ is None else np.asarray(step.scale_, dtype=np.float64)
        return np.diag(1.0 / scale)
    if isinstance(step, MinMaxScaler):
        return None if step.clip else np.diag(step.scale_)
    if isinstance(step, PCA):
        lengths = np.sqrt(step.explained_variance_) if step.whiten else np.ones(len(step.components_))
        return np.asarray(step.components_ / lengths[:, None])
    if hasattr(step, "get_support"):
        return np.eye(width)[np.asarray(step.get_support())]
    components = getattr(step, "components_", None)
    if getattr(step, "contract", "") == "projector" and components is not None:
        return np.asarray(components, dtype=np.float64)
    return None

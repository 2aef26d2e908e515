"""Multi-layer perceptrons: h is the difference of two outputs before the last activation."""

from __future__ import annotations

from typing import Any

import numpy as np

from fewer.core.borders.contract import Border, Decision


def _activated(kind: str, inner: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return activations and their derivatives; at the corner of relu, whose slope jumps, the derivative is 0."""
    if kind == "tanh":
        out = np.tanh(inner)
        return out, 1.0 - out**2
    if kind == "logistic":
        from scipy.special import expit

        out = expit(inner)
        return out, out * (1.0 - out)
    if kind == "relu":
        return np.maximum(inner, 0.0), (inner > 0).astype(np.float64)
    return inner, np.ones(inner.shape)


class PerceptronBorder(Border):
    """h = v a + c with the activations a of the last hidden layer."""

    def __init__(self, model: Any, weights: np.ndarray, constant: float):
        self.layers = list(zip(model.coefs_[:-1], model.intercepts_[:-1]))
        self.activation = model.activation
        self.weights, self.constant = weights, constant

    def values(self, rows: np.ndarray) -> np.ndarray:
        """Return h."""
        out = rows
        for coefficients, intercepts in self.layers:
            out = _activated(self.activation, out @ coefficients + intercepts)[0]
        return out @ self.weights + self.constant

    def gradients(self, rows: np.ndarray) -> np.ndarray:
        """Return the gradient of h, layer by layer backwards: W^T diag(a') v for one hidden layer."""
        out, slopes = rows, []
        for coefficients, intercepts in self.layers:
            out, slope = _activated(self.activation, out @ coefficients + intercepts)
            slopes.append(slope)
        back = np.broadcast_to(self.weights, (len(rows), len(self.weights)))
        for (coefficients, _), slope in zip(reversed(self.layers), reversed(slopes)):
            back = (back * slope) @ coefficients.T
        return np.array(back)


class PerceptronDecision(Decision):
    """MLPClassifier: outputs are equal where what they are activated by is, which has digits where they have not."""

    def __init__(self, model: Any):
        self.classes = np.asarray(model.classes_)
        self.model = model
        last, constants = model.coefs_[-1], np.asarray(model.intercepts_[-1])
        if last.shape[1] == 1:
            last, constants = np.hstack([-last, last]) / 2, np.append(-constants, constants) / 2
        self.last, self.constants = last, constants

    def pair(self, first: int, second: int) -> Border:
        """Return the border of two classes."""
        weights = self.last[:, first] - self.last[:, second]
        return PerceptronBorder(self.model, weights, float(self.constants[first] - self.constants[second]))

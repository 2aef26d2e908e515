"""Classifiers whose classes have linear scores: the border of two classes is a plane."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse

from fewer.core.borders.contract import Border, Decision


class Plane(Border):
    """h = w x + b."""

    def __init__(self, w: np.ndarray, b: float):
        self.plane = (w, b)
        self.w, self.b = w, b

    def values(self, rows: np.ndarray) -> np.ndarray:
        """Return w x + b."""
        return rows @ self.w + self.b

    def gradients(self, rows: np.ndarray) -> np.ndarray:
        """Return w for every row."""
        return np.broadcast_to(self.w, rows.shape).copy()


class LinearDecision(Decision):
    """Linear scores of classes; of two classes one score, positive for the second."""

    def __init__(self, coefficients: np.ndarray, intercepts: np.ndarray, classes: np.ndarray):
        if len(coefficients) == 1:
            coefficients = np.vstack([-coefficients, coefficients]) / 2
            intercepts = np.append(-intercepts, intercepts) / 2
        self.coefficients = coefficients
        self.intercepts = intercepts
        self.classes = classes

    def pair(self, first: int, second: int) -> Border:
        """Return the plane on which two classes have the same score."""
        w = self.coefficients[first] - self.coefficients[second]
        return Plane(w, float(self.intercepts[first] - self.intercepts[second]))


def linear_decision(model: Any) -> LinearDecision | None:
    """Return the scores of a classifier that has coefficients and a decision function, or None."""
    if not hasattr(model, "decision_function") or hasattr(model, "kernel") or not hasattr(model, "intercept_"):
        return None
    coefficients = getattr(model, "coef_", None)
    if coefficients is None:
        return None
    if scipy.sparse.issparse(coefficients):
        coefficients = coefficients.toarray()
    coefficients = np.atleast_2d(np.asarray(coefficients, dtype=np.float64))
    classes = np.asarray(model.classes_)
    if len(coefficients) != (len(classes) if len(classes) > 2 else 1):
        return None
    intercepts = np.broadcast_to(np.asarray(model.intercept_, dtype=np.float64), (len(coefficients),))
    return LinearDecision(coefficients, intercepts, classes)

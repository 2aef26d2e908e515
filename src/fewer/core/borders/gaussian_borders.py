"""Classes that are normal distributions: quadratic discriminant analysis, naive Bayes with normal features."""

from __future__ import annotations

from typing import Any

import numpy as np

from fewer.core.borders.contract import Border, Decision


class GaussianClass:
    r"""ln of prior times density: constant - |W (x - m)|^2 / 2."""

    def __init__(self, mean: np.ndarray, white: np.ndarray, constant: float):
        self.mean, self.white, self.constant = mean, white, constant

    def values(self, rows: np.ndarray) -> np.ndarray:
        """Return the logarithms."""
        return self.constant - 0.5 * (self._whitened(rows) ** 2).sum(axis=1)

    def gradients(self, rows: np.ndarray) -> np.ndarray:
        """Return -S^-1 (x - m)."""
        inner = self._whitened(rows)
        return -(inner * self.white if self.white.ndim == 1 else inner @ self.white.T)

    def _whitened(self, rows: np.ndarray) -> np.ndarray:
        return (rows - self.mean) * self.white if self.white.ndim == 1 else (rows - self.mean) @ self.white


class GaussianBorder(Border):
    """h = ln P_1 p_1 - ln P_2 p_2."""

    def __init__(self, first: GaussianClass, second: GaussianClass):
        self.first, self.second = first, second

    def values(self, rows: np.ndarray) -> np.ndarray:
        """Return h."""
        return self.first.values(rows) - self.second.values(rows)

    def gradients(self, rows: np.ndarray) -> np.ndarray:
        """Return S_2^-1 (x - m_2) - S_1^-1 (x - m_1)."""
        return self.first.gradients(rows) - self.second.gradients(rows)


class GaussianDecision(Decision):
    """One normal distribution per class."""

    def __init__(self, parts: list[GaussianClass], classes: np.ndarray):
        self.parts = parts
        self.classes = classes

    def pair(self, first: int, second: int) -> Border:
        """Return the border of two classes."""
        return GaussianBorder(self.parts[first], self.parts[second])


def normal_class(mean: np.ndarray, covariance: np.ndarray, prior: float = 1.0) -> GaussianClass:
    """Return the class of a normal distribution with mean, covariance matrix and prior."""
    variances, axes = np.linalg.eigh(covariance)
    constant = np.log(prior) - 0.5 * (np.log(variances).sum() + len(mean) * np.log(2 * np.pi))
    return GaussianClass(np.asarray(mean, dtype=np.float64), axes / np.sqrt(variances), float(constant))


def quadratic_decision(model: Any) -> GaussianDecision:
    """Return the classes of QuadraticDiscriminantAnalysis."""
    parts = []
    for c, prior in enumerate(model.priors_):
        variances = np.asarray(model.scalings_[c])
        constant = float(np.log(prior) - 0.5 * np.log(variances).sum())
        parts.append(GaussianClass(model.means_[c], model.rotations_[c] / np.sqrt(variances), constant))
    return GaussianDecision(parts, np.asarray(model.classes_))


def naive_decision(model: Any) -> GaussianDecision:
    """Return the classes of GaussianNB."""
    constants = np.log(model.class_prior_) - 0.5 * np.log(model.var_).sum(axis=1)
    parts = [GaussianClass(m, 1 / np.sqrt(v), float(c)) for m, v, c in zip(model.theta_, model.var_, constants)]
    return GaussianDecision(parts, np.asarray(model.classes_))

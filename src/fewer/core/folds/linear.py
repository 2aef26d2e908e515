"""Linear models of the first features of an order: discriminant analysis for classes, ridge for numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from fewer.core.folds.design import Design
from fewer.core.kernels.fold_models import linear_hits
from fewer.core.summaries.moments import row_weights
from fewer.core.summaries.summary import Summary

# How far the covariance within classes is drawn to a multiple of the identity; the penalty of ridge per row.
SHRINKAGE, PENALTY = 0.1, 0.01
# Scores that differ by less are equal, whatever the order in which sums were added.
NEAR = 1e-9


@dataclass(frozen=True, eq=False)
class Learned:
    """What models learn from: sums over some folds.

    Attributes
    ----------
    weight : ndarray of shape (n_parts,)
        Weight of the rows by class.
    products, sums, with_target
        As of `FoldProducts`, of one fold.
    mean_y : float
        Mean of a numeric target.
    """

    weight: np.ndarray
    products: np.ndarray
    sums: np.ndarray
    with_target: np.ndarray
    mean_y: float

    @property
    def correlations(self) -> np.ndarray:
        """Of all pairs of columns."""
        sums = self.sums.sum(axis=0)
        centred = self.products - np.outer(sums, sums) / max(float(self.weight.sum()), 1e-300)
        width = np.sqrt(np.maximum(np.diag(centred), 0.0))
        width = np.where(width > 0, width, np.inf)
        return np.clip(centred / np.outer(width, width), -1.0, 1.0)


def discriminant(learned: Learned, columns: np.ndarray, prior: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return weights (n_columns, n_classes) and constants of the scores of the classes, by shrunken covariances."""
    weight = np.where(learned.weight > 0, learned.weight, 1.0)
    means = learned.sums[:, columns] / weight[:, None]
    within = learned.products[np.ix_(columns, columns)] - (means * learned.weight[:, None]).T @ means
    within /= max(1.0, float(learned.weight.sum()) - int((learned.weight > 0).sum()))
    size = float(np.trace(within)) / len(columns)
    # Features that do not vary within classes tell them apart perfectly; a small spread keeps that finite.
    shrunk = (1.0 - SHRINKAGE) * within + SHRINKAGE * max(size, 1e-6) * np.eye(len(columns))
    weights = _solved(shrunk, means.T)
    with np.errstate(divide="ignore"):
        return weights, -0.5 * (means.T * weights).sum(axis=0) + np.log(prior)


def ridge(learned: Learned, columns: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return weights (n_columns, 1) and the constant of a ridge regression."""
    total = float(learned.weight.sum())
    mean = learned.sums[:, columns].sum(axis=0) / total
    centred = learned.products[np.ix_(columns, columns)] - total * np.outer(mean, mean)
    with_target = learned.with_target[columns] - total * mean * learned.mean_y
    weights = _solved(centred + PENALTY * total * np.eye(len(columns)), with_target)
    return weights[:, None], np.array([learned.mean_y - mean @ weights])


def _solved(matrix: np.ndarray, right: np.ndarray) -> np.ndarray:
    return cho_solve(cho_factor(matrix, lower=True, check_finite=False), right, check_finite=False)


@dataclass(frozen=True, eq=False)
class LinearModels:
    """One model per fold and size: weights (n_columns, n_sizes * n_outputs) and constants (n_sizes, n_outputs)."""

    weights: tuple[np.ndarray, ...]
    constants: tuple[np.ndarray, ...]

    @classmethod
    def of(cls, learned: list[Learned], columns: list[list[np.ndarray]], prior: np.ndarray | None) -> LinearModels:
        """Learn, without each fold, from the columns of the first features of its order, size after size.

        Parameters
        ----------
        learned : list of Learned
            The sums over the other folds.
        columns : list of lists of arrays
            The columns of the first features, by fold and size.
        prior : ndarray of shape (n_folds, n_classes), optional
            How likely the classes are; None for a numeric target.
        """
        weights, constants = [], []
        for f, (sums, sizes) in enumerate(zip(learned, columns)):
            n_outputs = 1 if prior is None else prior.shape[1]
            w = np.zeros((len(sums.products), len(sizes), n_outputs))
            c = np.zeros((len(sizes), n_outputs))
            for s, chosen in enumerate(sizes):
                w[chosen, s], c[s] = ridge(sums, chosen) if prior is None else discriminant(sums, chosen, prior[f])
            weights.append(w.reshape(len(w), -1))
            constants.append(c)
        return cls(tuple(weights), tuple(constants))


@dataclass(frozen=True, eq=False)
class LinearScores(Summary[np.ndarray]):
    """What linear models tell of the rows of the fold that they have not seen, (n_folds, n_sizes, n_parts or 1).

    Weight of the rows of each class that are told rightly, or the sum of squared errors of a numeric target.
    """

    design: Design
    models: LinearModels
    n_parts: int
    numbers: bool

    remembered = False
    words = "testing linear models"

    def width(self, block: Any) -> int:
        """Say that the work is not cut by features."""
        return 1

    def tile(self, block: Any, start: int, stop: int) -> np.ndarray:
        """Test the rows of one block."""
        weight, (n_sizes, n_outputs) = row_weights(block), self.models.constants[0].shape
        out = np.zeros((len(self.models.weights), n_sizes, 1 if self.numbers else self.n_parts))
        for rows, Z in self.design.pieces(block):
            fold = block.y["fold"][rows]
            for f, (w, c) in enumerate(zip(self.models.weights, self.models.constants)):
                here = fold == f
                told = (Z[here] @ w).reshape(-1, n_sizes, n_outputs) + c
                own = weight[rows][here]
                if self.numbers:
                    out[f, :, 0] += own @ (told[:, :, 0] - block.y["value"][rows][here, None]) ** 2
                    continue
                linear_hits(told, np.ascontiguousarray(block.y["part"][rows][here]), own, NEAR, out[f])
        return out

    def join(self, parts: list[np.ndarray]) -> np.ndarray:
        """Return the only tile."""
        return parts[0]

    def merge(self, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        """Add two row blocks."""
        return first + second

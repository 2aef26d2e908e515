"""Weights by a few steps of conjugate gradients, and by a regression of clusters on distances of pairs of rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.optimize

from fewer.core.clustering.points import Points
from fewer.core.clustering.weightings import FixedWeights


def conjugate_steps(dispersions: np.ndarray, weights: np.ndarray, n_steps: int) -> np.ndarray:
    """Return weights after steps of Polak and Ribiere's conjugate gradients towards a smaller weighted dispersion.

    Weights are :math:`v_j^2 / \\sum_t v_t^2`, so that they stay on the simplex; each step goes to the minimum along its
    direction. Enough steps put all weight on the smallest dispersion.

    Parameters
    ----------
    dispersions : ndarray of shape (n_features,)
        Dispersion of every feature within clusters.
    weights : ndarray of shape (n_features,)
        Where the steps begin; weights of 0 stay.
    n_steps : int
        Number of steps.
    """
    used = weights > 0
    scale = dispersions[used].max(initial=0.0)
    if not scale > 0:
        return weights
    D, v = dispersions[used] / scale, np.sqrt(weights[used])
    v /= np.sqrt(v @ v)
    value = v @ (D * v)
    gradient = 2.0 * (D * v - value * v)
    direction = -gradient
    for _ in range(n_steps):
        if not gradient @ gradient > 1e-30:
            break
        new, least = _along(D, v, direction)
        if least >= value:
            break
        v, value = new, least
        before, gradient = gradient, 2.0 * (D * v - value * v)
        turn = max(0.0, gradient @ (gradient - before) / (before @ before))
        direction = -gradient + turn * direction
    out = np.zeros_like(weights)
    out[used] = v * v / (v @ v)
    return out


def _along(D: np.ndarray, v: np.ndarray, direction: np.ndarray) -> tuple[np.ndarray, float]:
    """Return the unit vector of smallest value in the plane of v and a direction: a problem of two by two."""
    across = direction - (direction @ v) * v
    length = np.sqrt(across @ across)
    if not length > 0:
        return v, float(v @ (D * v))
    basis = np.column_stack([v, across / length])
    _, vectors = np.linalg.eigh(basis.T @ (D[:, None] * basis))
    # Not to the other side: the next direction is made from this one.
    new = basis @ vectors[:, 0] * (1.0 if vectors[0, 0] >= 0 else -1.0)
    new /= np.sqrt(new @ new)
    return new, float(new @ (D * new))


@dataclass(frozen=True)
class ConjugateWeights(FixedWeights):
    """A few conjugate steps of the weights for every change of the clusters."""

    n_steps: int

    def start(self, varying: np.ndarray, n_clusters: int) -> np.ndarray:
        """Return equal weights of the features that vary."""
        return varying[None] / max(1, varying.sum())

    def step(self, dispersions: np.ndarray, counts: np.ndarray, weights: np.ndarray, varying: np.ndarray) -> np.ndarray:
        """Return weights that are a few steps better."""
        return conjugate_steps(dispersions.sum(axis=0), weights[0], self.n_steps)[None]


@dataclass(frozen=True, eq=False)
class PairRegression:
    """Least squares of "in different clusters" on squared differences, over all pairs of two rows, without the pairs.

    Sums over pairs follow from moments of centred columns: with columns a and b,
    :math:`\\sum_{ij} (a_i - a_j)^2 (b_i - b_j)^2 = 2n \\sum a^2 b^2 + 2 \\sum a^2 \\sum b^2 + 4 (\\sum ab)^2`.
    """

    columns: np.ndarray
    scales: np.ndarray
    used: np.ndarray
    products: np.ndarray
    totals: np.ndarray

    @classmethod
    def of(cls, points: Points) -> PairRegression:
        """Sum up all rows once; columns with one value take no part."""
        used = points.frame.varying
        X = points.numbers[:, used]
        X = X - X.mean(axis=0)
        scales = np.sqrt((X * X).mean(axis=0))
        X = X / scales
        squares, n = X * X, len(X)
        totals = squares.sum(axis=0)
        products = 2 * n * (squares.T @ squares) + 2 * np.outer(totals, totals) + 4 * (X.T @ X) ** 2
        return cls(X, scales, used, products, totals)

    def weights(self, labels: np.ndarray) -> tuple[np.ndarray | None, float]:
        """Return the best weights, sum 1, and the stress that is left per pair; None for them if none is above 0."""
        n = len(labels)
        pairs = max(1.0, float(n) * (n - 1))
        counts = np.bincount(labels).astype(np.float64)
        within = np.zeros(self.columns.shape[1])
        for c in np.flatnonzero(counts):
            rows = self.columns[labels == c]
            within += 2 * counts[c] * ((rows - rows.mean(axis=0)) ** 2).sum(axis=0)
        apart = float(n) ** 2 - (counts**2).sum()
        if not apart > 0:
            return None, 0.0
        each = 2 * n * self.totals
        # The intercept is free: everything is seen from its mean over pairs.
        left = self.products - np.outer(each, each) / pairs
        right = (each - within) - each * apart / pairs
        factors, stress = _non_negative(left / pairs, right / pairs)
        out = np.zeros(len(self.used))
        out[self.used] = factors / self.scales**2
        # Beside the weights the intercept alone: what the share of pairs in different clusters leaves.
        stress = max(0.0, stress + apart / pairs - (apart / pairs) ** 2)
        return (out / out.sum() if out.sum() > 0 else None), stress


def _non_negative(left: np.ndarray, right: np.ndarray) -> tuple[np.ndarray, float]:
    """Return the a >= 0 that make a'La - 2 r'a smallest, and that value."""
    values, vectors = np.linalg.eigh(left)
    kept = values > 1e-12 * max(values.max(initial=0.0), 1e-300)
    root = np.sqrt(values[kept])[:, None] * vectors[:, kept].T
    target = (vectors[:, kept].T @ right) / np.sqrt(values[kept])
    if not len(target):
        return np.zeros(len(right)), 0.0
    found, _ = scipy.optimize.nnls(root, target)
    return found, float(found @ left @ found - 2 * right @ found)

"""How many Gaussians: components are merged, two at a time, and the best number is kept."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fewer.core.clustering.gaussians import DEFAULT, Climb, Gaussians, climb, started_gaussians


@dataclass(frozen=True, eq=False)
class MergedGaussians:
    """Mixtures of K, K - 1, ..., 1 components, each made of the one before by merging two.

    Attributes
    ----------
    best : Gaussians
        The one of largest BIC; of equal ones that with fewer components.
    sizes, bic : ndarray
        Number of components and BIC of each.
    """

    best: Gaussians
    sizes: np.ndarray
    bic: np.ndarray


def bic_gaussians(
    X: np.ndarray,
    max_components: int,
    n_starts: int,
    rng: np.random.Generator,
    how: Climb = DEFAULT,
    *,
    min_components: int = 1,
) -> MergedGaussians:
    """Choose the number of components by BIC: the two whose merging costs least are merged again and again.

    Parameters
    ----------
    X : ndarray of shape (n_rows, n_features)
        Rows.
    max_components, min_components : int
        Where to begin and where to end.
    n_starts, rng, how
        As for `started_gaussians`.
    """
    X = np.ascontiguousarray(X, dtype=np.float64)
    model = started_gaussians(X, max_components, n_starts, rng, how)
    best, sizes, values = model, [len(model)], [model.bic(X)]
    while len(model) > min_components:
        model = climb(X, *merged(model), how)
        value = model.bic(X)
        if value >= max(values):
            best = model
        sizes.append(len(model))
        values.append(value)
    return MergedGaussians(best, np.array(sizes), np.array(values))


def merged(model: Gaussians) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return weights, means and covariances with the two components merged that are nearest to each other.

    The distance is that of Bouman: pi_a / 2 ln(|R_ab| / |R_a|) + pi_b / 2 ln(|R_ab| / |R_b|), R_ab the covariance of
    both together; times the number of rows it is what their likelihood loses. Of equal pairs the first is merged.
    """
    weights, means, covariances = model.weights, model.means, model.covariances
    heights = np.linalg.slogdet(covariances)[1]
    best, pair = np.inf, (0, 1)
    for a in range(len(weights)):
        for b in range(a + 1, len(weights)):
            _, _, both = _joined(weights, means, covariances, a, b)
            height = np.linalg.slogdet(np.diag(np.diag(both)) if model.how.diagonal else both)[1]
            cost = 0.5 * float(weights[a] * (height - heights[a]) + weights[b] * (height - heights[b]))
            if cost < best:
                best, pair = cost, (a, b)
    a, b = pair
    weight, mean, both = _joined(weights, means, covariances, a, b)
    weights, means, covariances = weights.copy(), means.copy(), covariances.copy()
    weights[a], means[a] = weight, mean
    covariances[a] = np.diag(np.diag(both)) if model.how.diagonal else both
    return np.delete(weights, b), np.delete(means, b, axis=0), np.delete(covariances, b, axis=0)


def _joined(
    weights: np.ndarray, means: np.ndarray, covariances: np.ndarray, a: int, b: int
) -> tuple[float, np.ndarray, np.ndarray]:
    """Return weight, mean and covariance of two components together."""
    weight = float(weights[a] + weights[b])
    part = float(weights[a]) / weight if weight > 0 else 0.5
    gap = means[a] - means[b]
    mean = part * means[a] + (1.0 - part) * means[b]
    spread = part * covariances[a] + (1.0 - part) * covariances[b] + part * (1.0 - part) * np.outer(gap, gap)
    return weight, mean, spread

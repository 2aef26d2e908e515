"""How features are weighted for given clusters: the step that tells weighted versions of k-means apart."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

# Powers of weights are no larger, so that their products with squares stay finite.
MOST = 1e150


def power_weights(dispersions: np.ndarray, beta: float) -> np.ndarray:
    """Return the weights that minimise the sum of weight ** beta times dispersion, per row (Theorem 1, eq. 10.8).

    Where the dispersion is 0 the weight is 0, as the source has it; for ``beta=1`` the smallest dispersion, the first
    of equal ones, has all weight.

    Parameters
    ----------
    dispersions : ndarray of shape (n_features,) or (n_clusters, n_features)
        How far rows are from their centres.
    beta : float
        Above 1, below 0, or 1.

    Examples
    --------
    >>> power_weights(np.array([1.0, 2.0, 4.0]), 2.0).round(6).tolist()
    [0.571429, 0.285714, 0.142857]
    """
    table = np.atleast_2d(np.asarray(dispersions, dtype=np.float64))
    out, used = np.zeros_like(table), table > 0
    if beta == 1:
        rows = np.flatnonzero(used.any(axis=1))
        seen = np.where(used, table, np.inf)[rows]
        # Rounding must not choose among equal ones.
        out[rows, (seen <= seen.min(axis=1, keepdims=True) * (1 + 1e-12)).argmax(axis=1)] = 1.0
    else:
        # In logarithms: with beta near 1 the powers are beyond every number.
        logs = np.full_like(table, -np.inf)
        logs[used] = -np.log(table[used]) / (beta - 1.0)
        top = logs.max(axis=1, keepdims=True)
        out = np.exp(logs - np.where(np.isfinite(top), top, 0.0))
        out /= np.maximum(out.sum(axis=1, keepdims=True), 1e-300)
    return out.reshape(np.shape(dispersions))


@dataclass(frozen=True)
class FixedWeights:
    """Weights that stay as they are; ordinary k-means."""

    weights: np.ndarray

    def start(self, varying: np.ndarray, n_clusters: int) -> np.ndarray:
        """Return the weights at the start, a row for all clusters."""
        return np.atleast_2d(self.weights).astype(np.float64)

    def effective(self, weights: np.ndarray) -> np.ndarray:
        """Return what distances of single features are multiplied by."""
        return weights

    def offsets(self, weights: np.ndarray) -> np.ndarray | float:
        """Return what the distance to every centre has besides."""
        return 0.0

    def step(self, dispersions: np.ndarray, counts: np.ndarray, weights: np.ndarray, varying: np.ndarray) -> np.ndarray:
        """Return new weights for given clusters."""
        return weights

    @property
    def factor(self) -> float:
        """What the objective is multiplied by to be that of the definition."""
        return 1.0

    def objective(self, dispersions: np.ndarray, counts: np.ndarray, weights: np.ndarray) -> float:
        """Return what the descent makes small."""
        return float((self.effective(weights) * dispersions).sum())


@dataclass(frozen=True)
class PowerWeights(FixedWeights):
    """One weight per feature, to a power (W-k-means, eq. 10.1).

    A feature that has become constant within every cluster keeps its weight; the others share the rest. Powers are of
    weights in equal shares of the features, so that they stay near 1; `factor` makes up for it.
    """

    beta: float

    @property
    def n_used(self) -> int:
        """Number of features that had a weight."""
        return max(1, int(np.count_nonzero(self.weights)))

    @property
    def factor(self) -> float:
        """The power of an equal share; 0 or infinite where that is beyond every number."""
        with np.errstate(over="ignore", under="ignore"):
            return float(np.float64(self.n_used) ** -self.beta)

    def start(self, varying: np.ndarray, n_clusters: int) -> np.ndarray:
        """Return the weights that were given, among the features that vary."""
        weights = np.where(varying, self.weights, 0.0)
        total = weights.sum()
        return np.atleast_2d(weights / total if total > 0 else weights)

    def effective(self, weights: np.ndarray) -> np.ndarray:
        """Return the powers; of a weight of 0 it is 0 for negative powers, too."""
        if self.beta == 0:
            return (weights > 0).astype(np.float64)
        out = np.zeros_like(weights)
        with np.errstate(over="ignore", under="ignore"):
            np.power(weights * self.n_used, self.beta, out=out, where=weights > 0)
        return np.minimum(out, MOST)

    def step(self, dispersions: np.ndarray, counts: np.ndarray, weights: np.ndarray, varying: np.ndarray) -> np.ndarray:
        """Return the best weights."""
        if self.beta == 0:
            return weights
        total = np.where(varying, dispersions.sum(axis=0), 0.0)
        held = np.where(total > 0, 0.0, weights[0])
        if not (total > 0).any():
            return weights
        return (held + power_weights(total, self.beta) * (1.0 - held.sum()))[None]


@dataclass(frozen=True)
class ClusterPowerWeights(PowerWeights):
    """One weight per feature and cluster, to a power, with an offset of distances (subspace k-means, eq. 10.10, 10.15).

    The offset is in the objective and in the choice of the nearest centre, too, without which nothing descends.
    """

    sigma: float

    def start(self, varying: np.ndarray, n_clusters: int) -> np.ndarray:
        """Return equal rows."""
        return np.repeat(super().start(varying, n_clusters), n_clusters, axis=0)

    def offsets(self, weights: np.ndarray) -> np.ndarray:
        """Return the offsets of all features, weighted."""
        return self.sigma * self.effective(weights).sum(axis=1)

    def step(self, dispersions: np.ndarray, counts: np.ndarray, weights: np.ndarray, varying: np.ndarray) -> np.ndarray:
        """Return the best weights of every cluster; an empty one keeps its own."""
        if self.beta == 0:
            return weights
        total = np.where(varying, dispersions + self.sigma * counts[:, None], 0.0)
        out = weights.copy()
        for c in np.flatnonzero(counts > 0):
            held = np.where(varying & (total[c] <= 0), weights[c], 0.0)
            if (total[c] > 0).any():
                out[c] = held + power_weights(total[c], self.beta) * (1.0 - held.sum())
        return out

    def objective(self, dispersions: np.ndarray, counts: np.ndarray, weights: np.ndarray) -> float:
        """Return the weighted dispersions with their offsets."""
        return float((self.effective(weights) * (dispersions + self.sigma * counts[:, None])).sum())


@dataclass(frozen=True)
class EntropyWeights(FixedWeights):
    """One weight per feature and cluster, kept apart by their entropy (Jing, Ng and Huang 2007)."""

    gamma: float

    def start(self, varying: np.ndarray, n_clusters: int) -> np.ndarray:
        """Return equal weights of the features that vary."""
        return np.repeat(varying[None] / max(1, varying.sum()), n_clusters, axis=0)

    def step(self, dispersions: np.ndarray, counts: np.ndarray, weights: np.ndarray, varying: np.ndarray) -> np.ndarray:
        """Return shares that fall exponentially with the dispersion; an empty cluster keeps its own."""
        logs = np.where(varying, -dispersions / self.gamma, -np.inf)
        top = logs.max(axis=1, keepdims=True)
        new = np.exp(logs - np.where(np.isfinite(top), top, 0.0))
        new /= np.maximum(new.sum(axis=1, keepdims=True), 1e-300)
        return np.where(counts[:, None] > 0, new, weights)

    def objective(self, dispersions: np.ndarray, counts: np.ndarray, weights: np.ndarray) -> float:
        """Return the weighted dispersions less gamma times the entropies of all clusters."""
        logs = np.log(np.where(weights > 0, weights, 1.0))
        return float((weights * dispersions).sum() + self.gamma * (weights * logs).sum())

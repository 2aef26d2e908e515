"""A mixture with saliencies of features, by expectation and maximisation of what a message about the rows takes."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from fewer.core.kernels.saliency import saliency_pass

# Parameters of one Gaussian: R of a component, S of the noise.
R = S = 2
# Smallest variance, in columns of variance 1; the exact maximum among variances that are no smaller.
FLOOR = 1e-4
# Spread of the components at the start, in columns of variance 1.
WIDE = 0.3


@dataclass(frozen=True, eq=False)
class SalientMixture:
    """Components, noise and saliencies (Law, Figueiredo and Jain 2004).

    p(x) = sum_j alpha_j prod_l [ rho_l N(x_l; mean_jl, variance_jl) + (1 - rho_l) N(x_l; noise_l) ].

    Attributes
    ----------
    weights : ndarray of shape (n_components,)
        alpha.
    means, variances : ndarray of shape (n_components, n_features)
        Of the components.
    noise_mean, noise_variance : ndarray of shape (n_features,)
        Of the noise common to all.
    saliency : ndarray of shape (n_features,)
        rho; 0 is irrelevant.
    """

    weights: np.ndarray
    means: np.ndarray
    variances: np.ndarray
    noise_mean: np.ndarray
    noise_variance: np.ndarray
    saliency: np.ndarray

    def __len__(self) -> int:
        return len(self.weights)

    @classmethod
    def at(cls, means: np.ndarray) -> SalientMixture:
        """Return the start with these means, for columns of mean 0 and variance 1: every saliency is a half."""
        k, d = means.shape
        wide = np.full((k, d), WIDE)
        return cls(np.full(k, 1.0 / k), means.copy(), wide, np.zeros(d), np.ones(d), np.full(d, 0.5))

    def without(self, gone: np.ndarray) -> SalientMixture:
        """Return the same without some components."""
        left = np.setdiff1d(np.arange(len(self)), gone)
        weights = self.weights[left] / self.weights[left].sum()
        return replace(self, weights=weights, means=self.means[left], variances=self.variances[left])


@dataclass(frozen=True, eq=False)
class SalientFit:
    """A mixture that was fitted, and how.

    Attributes
    ----------
    model : SalientMixture
        The mixture.
    memberships : ndarray of shape (n_rows, n_components)
        Probabilities of the components given each row.
    log_likelihood, message_length : float
        Of the rows under it.
    history : list of tuple
        Components left, features in doubt and what the iteration minimises, for every iteration; as long as the first
        two stay, the last never rises.
    """

    model: SalientMixture
    memberships: np.ndarray
    log_likelihood: float
    message_length: float
    history: list[tuple[int, int, float]]


def message_length(likelihood: float, n_rows: int, model: SalientMixture) -> float:
    """Return -L + (K + N) / 2 ln M + R / 2 sum ln(M alpha_j rho_l) + S / 2 sum ln(M (1 - rho_l)), in nats.

    The first sum goes over components and features with rho_l > 0, the second over features with rho_l < 1.
    """
    rho, k = model.saliency, len(model)
    inside, outside = rho[rho > 0], rho[rho < 1]
    shared = k * np.log(inside).sum() + len(inside) * np.log(model.weights).sum()
    of_components = 0.5 * R * (shared + k * len(inside) * np.log(n_rows))
    of_noise = 0.5 * S * np.log(n_rows * (1.0 - outside)).sum()
    return float(-likelihood + 0.5 * (k + len(rho)) * np.log(n_rows) + of_components + of_noise)


def climb_salient(
    X: np.ndarray,
    model: SalientMixture,
    *,
    mml: bool = True,
    tol: float = 1e-5,
    max_iter: int = 500,
    floor: np.ndarray | float = FLOOR,
) -> SalientFit:
    """Fit a mixture from a given one, by expectation and maximisation.

    With ``mml`` components and features pay for their parameters in every step, and those that cannot are dropped for
    good; without, the likelihood is maximised, and never falls.

    Parameters
    ----------
    X : ndarray of shape (n_rows, n_features)
        Rows of columns of mean 0 and variance 1.
    model : SalientMixture
        Where to start.
    mml : bool, default=True
        Whether parameters are paid for.
    tol : float, default=1e-5
        Relative change of what is minimised at which the climb ends.
    max_iter : int, default=500
        Most iterations.
    floor : float or ndarray of shape (n_features,), default=1e-4
        Smallest variance.
    """
    n, d = X.shape
    history: list[tuple[int, int, float]] = []
    for iteration in range(max_iter + 1):
        k = len(model)
        memberships, relevant, noise = np.empty((n, k)), np.empty((3, k, d)), np.empty((3, d))
        likelihood = saliency_pass(
            X,
            model.weights,
            model.means,
            model.variances,
            model.noise_mean,
            model.noise_variance,
            model.saliency,
            memberships,
            relevant,
            noise,
        )
        now = (k, _doubtful(model), -likelihood + (_price(model) if mml else 0.0))
        settled = bool(history) and history[-1][:2] == now[:2]
        settled = settled and history[-1][2] - now[2] <= tol * abs(now[2])
        history.append(now)
        if settled or iteration == max_iter:
            break
        model = _maximised(model, memberships.sum(axis=0), relevant, noise, mml, floor)
    return SalientFit(model, memberships, likelihood, message_length(likelihood, n, model), history)


def _doubtful(model: SalientMixture) -> int:
    """Return how many features are neither relevant nor noise for good."""
    return int(((model.saliency > 0) & (model.saliency < 1)).sum())


def _price(model: SalientMixture) -> float:
    """Return the part of the message length that the steps can change, with all features in the price of components."""
    rho, (k, d) = model.saliency, model.means.shape
    doubt = rho[(rho > 0) & (rho < 1)]
    out = 0.5 * R * d * np.log(model.weights).sum() if _pays(model) else 0.0
    return float(out + 0.5 * k * R * np.log(doubt).sum() + 0.5 * S * np.log(1.0 - doubt).sum())


def _pays(model: SalientMixture) -> bool:
    return bool((model.weights > 0).all())


def _maximised(
    model: SalientMixture,
    rows: np.ndarray,
    relevant: np.ndarray,
    noise: np.ndarray,
    mml: bool,
    floor: np.ndarray | float,
) -> SalientMixture:
    """Return the model that is best for given memberships; components that cannot pay are gone."""
    k, d = model.means.shape
    means, variances = _moments(model.means, model.variances, relevant, floor)
    noise_mean, noise_variance = _moments(model.noise_mean, model.noise_variance, noise, floor)
    inside, outside = relevant[0].sum(axis=0), noise[0]
    paid = np.maximum(rows - 0.5 * R * d, 0.0) if mml else rows
    # Where no component can pay, none is dropped in this step.
    weights = (paid if paid.any() else rows) / (paid.sum() or rows.sum())
    if mml:
        inside, outside = np.maximum(inside - 0.5 * k * R, 0.0), np.maximum(outside - 0.5 * S, 0.0)
    both = inside + outside
    saliency = np.where(both > 0, inside / np.where(both > 0, both, 1.0), model.saliency)
    # What is decided stays so.
    saliency = np.where((model.saliency == 0) | (model.saliency == 1), model.saliency, saliency)
    out = SalientMixture(weights, means, variances, noise_mean, noise_variance, saliency)
    return out.without(np.flatnonzero(weights == 0)) if (weights == 0).any() else out


def _moments(
    mean: np.ndarray, variance: np.ndarray, sums: np.ndarray, floor: np.ndarray | float
) -> tuple[np.ndarray, np.ndarray]:
    """Return means and variances from sums about the means before; those of nothing stay."""
    some = sums[0] > 1e-10
    size = np.where(some, sums[0], 1.0)
    shift = sums[1] / size
    spread = np.maximum(sums[2] / size - shift**2, floor)
    return np.where(some, mean + shift, mean), np.where(some, spread, variance)

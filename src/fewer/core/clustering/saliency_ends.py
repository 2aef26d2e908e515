"""Features whose saliency lies between 0 and 1, though the message would be shorter at one of the ends."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.special import logsumexp

from fewer.core.clustering.salient_mixture import SalientFit, SalientMixture, climb_salient

# Changes of the message length, in nats, that are no gain.
NO_GAIN = 1e-6


def decided(
    X: np.ndarray, fit: SalientFit, *, tol: float = 1e-5, max_iter: int = 500, floor: np.ndarray | float
) -> SalientFit:
    """Move saliencies to 0 or 1 where that shortens the message, and climb again, until nothing is gained.

    The steps of `climb_salient` follow the slope of the message length, which near the ends rises before it falls: at
    0 the parameters of a feature in all components are saved, at 1 those of its noise. All features that gain alone are
    moved together; if that does not help, the one that gains most.

    Parameters
    ----------
    X : ndarray of shape (n_rows, n_features)
        Rows of columns of mean 0 and variance 1.
    fit : SalientFit
        Where to start.
    tol, max_iter, floor
        As for `climb_salient`.
    """
    better: SalientFit | None = fit
    while better is not None:
        fit, better = better, _moved(X, better, tol, max_iter, floor)
    return fit


def _moved(X: np.ndarray, fit: SalientFit, tol: float, max_iter: int, floor: np.ndarray | float) -> SalientFit | None:
    """Return a fit with a shorter message and more saliencies at their ends, None if there is none."""
    gains, moved = end_gains(X, fit, floor)
    largest = gains.max(axis=0)
    if not (largest > NO_GAIN).any():
        return None
    for some in (largest > NO_GAIN, np.arange(len(largest)) == largest.argmax()):
        model = _at_ends(fit.model, moved, some & (gains[0] >= gains[1]), some & (gains[0] < gains[1]))
        # A climb charges components for all features; a message that it makes longer is taken as it was.
        for most in (max_iter, 0):
            tried = climb_salient(X, model, tol=tol, max_iter=most, floor=floor)
            if tried.message_length < fit.message_length - 0.5 * NO_GAIN:
                return tried if most else replace(tried, history=fit.history)
    return None


def end_gains(X: np.ndarray, fit: SalientFit, floor: np.ndarray | float) -> tuple[np.ndarray, SalientMixture]:
    """Return by how much the message is shorter with each saliency at 0 and at 1, and the parameters it has there.

    Gains have two rows, for 0 and for 1, and are -inf for what is decided. Memberships are as they are; at 0 the noise
    is that of the whole column, at 1 the components are those of the rows that belong to them.
    """
    model, w = fit.model, fit.memberships
    n, d = X.shape
    sizes = np.maximum(w.sum(axis=0), 1e-10)
    means = w.T @ X / sizes[:, None]
    floor = np.broadcast_to(floor, d)
    variances = np.stack([part @ (X - mean) ** 2 / size for part, mean, size in zip(w.T, means, sizes)])
    moved = replace(
        model,
        means=means,
        variances=np.maximum(variances, floor),
        noise_mean=X.mean(axis=0),
        noise_variance=np.maximum(X.var(axis=0), floor),
    )
    gains = np.full((2, d), -np.inf)
    with np.errstate(divide="ignore"):
        logs = np.log(w)
    for j in np.flatnonzero((model.saliency > 0) & (model.saliency < 1)):
        rho, x = model.saliency[j], X[:, j]
        inside = np.log(rho) + _log_normal(x[:, None], model.means[:, j], model.variances[:, j])
        outside = np.log(1.0 - rho) + _log_normal(x, model.noise_mean[j], model.noise_variance[j])
        left = logs - np.logaddexp(inside, outside[:, None])
        at_0 = logsumexp(left, axis=1) + _log_normal(x, moved.noise_mean[j], moved.noise_variance[j])
        at_1 = logsumexp(left + _log_normal(x[:, None], moved.means[:, j], moved.variances[:, j]), axis=1)
        paid = np.log(n * model.weights).sum()
        gains[0, j] = at_0.sum() + paid + len(model) * np.log(rho) + np.log(1.0 - rho)
        gains[1, j] = at_1.sum() + len(model) * np.log(rho) + np.log(n * (1.0 - rho))
    return gains, moved


def _at_ends(model: SalientMixture, moved: SalientMixture, at_0: np.ndarray, at_1: np.ndarray) -> SalientMixture:
    """Return the model with some saliencies at 0 and some at 1, and the parameters that belong to that."""
    return replace(
        model,
        means=np.where(at_1, moved.means, model.means),
        variances=np.where(at_1, moved.variances, model.variances),
        noise_mean=np.where(at_0, moved.noise_mean, model.noise_mean),
        noise_variance=np.where(at_0, moved.noise_variance, model.noise_variance),
        saliency=np.where(at_0, 0.0, np.where(at_1, 1.0, model.saliency)),
    )


def _log_normal(x: np.ndarray, mean: np.ndarray, variance: np.ndarray) -> np.ndarray:
    return np.asarray(-0.5 * ((x - mean) ** 2 / variance + np.log(2.0 * np.pi * variance)))

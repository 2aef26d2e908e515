"""Data on which ensembles of trees are tried: random functions of Friedman, and a linear model that trees find hard."""

from __future__ import annotations

from typing import Any

import numpy as np

from fewer.synth.checks import choice, counts, generator, numbered, numbers
from fewer.synth.synthetic import Synthetic

# Of equation 7.4.
LINEAR = (-0.25, 0.1, 0.05, 0.025, 0.015)


def make_friedman_random_function(
    n_samples: int = 400,
    n_relevant: int = 10,
    n_noise: int = 10,
    n_terms: int = 20,
    mean_extra: float = 2.0,
    eig_low: float = 0.1,
    eig_high: float = 2.0,
    noise: float = 0.0,
    mixed: bool = False,
    nominal: bool = False,
    task: str = "regression",
    random_state: Any = None,
) -> Synthetic:
    """Make a random weighted sum of Gaussian bumps, each over a few of the relevant features.

    ``F(x) = sum_l a_l exp(-(z_l - m_l)' V_l (z_l - m_l) / 2)`` with ``a_l`` uniform on [-1, 1]; ``z_l`` is a random
    subset of ``min(n_relevant, floor(1.5 + r))`` relevant features, r exponential; ``m_l`` is standard normal as the
    features are; the precision ``V_l`` has random orthogonal eigenvectors, and the square roots of its eigenvalues are
    uniform. The importance of a feature is the sum of the ``|a_l|`` of its terms; a feature of no term is irrelevant.

    Parameters
    ----------
    n_samples : int, default=400
        Number of samples.
    n_relevant : int, default=10
        Number of features from which terms draw theirs.
    n_noise : int, default=10
        Number of further features.
    n_terms : int, default=20
        Number of bumps.
    mean_extra : float, default=2.0
        Mean of r; 2 makes terms of about 3 features, 3 of about 4.
    eig_low : float, default=0.1
        Least square root of an eigenvalue.
    eig_high : float, default=2.0
        Largest square root of an eigenvalue.
    noise : float, default=0.0
        Mean absolute noise, normal, as a multiple of the mean absolute deviation of F from its median.
    mixed : bool, default=False
        Whether a random half of the features is put into 2 to 32 levels of equal frequency, after F was computed.
    nominal : bool, default=False
        Whether those levels are numbered at random and called nominal; needs ``mixed``.
    task : {"regression", "classification"}, default="regression"
        Whether y is F, or whether F is above its median.
    random_state : int, Generator or None, default=None
        Seed.

    Returns
    -------
    Synthetic

    References
    ----------
    .. [1] J. H. Friedman, "Greedy function approximation: a gradient boosting machine", Annals of Statistics, 2001.
    .. [2] E. Tuv, A. Borisov and K. Torkkola, "Ensemble-based variable selection using independent probes", in
       Computational Methods of Feature Selection, 2008, section 7.4.2.1.
    """
    where = "make_friedman_random_function"
    counts(where, 1, n_samples=n_samples, n_relevant=n_relevant, n_terms=n_terms)
    counts(where, 0, n_noise=n_noise)
    numbers(where, 0.0, mean_extra=mean_extra, eig_low=eig_low, noise=noise)
    numbers(where, eig_low, eig_high=eig_high)
    choice(where, ("regression", "classification"), task=task)
    rng = generator(where, random_state)
    X = rng.normal(size=(n_samples, n_relevant + n_noise))
    F, importance = np.zeros(n_samples), np.zeros(n_relevant + n_noise)
    for _ in range(n_terms):
        some = rng.permutation(n_relevant)[: min(n_relevant, int(1.5 + rng.exponential(mean_extra)))]
        weight = rng.uniform(-1.0, 1.0)
        F += weight * _bump(X[:, some], eig_low, eig_high, rng)
        importance[some] += abs(weight)
    away = np.abs(F - np.median(F)).mean()
    # The mean of |e| of a normal e is its standard deviation times sqrt(2 / pi).
    F = F + rng.normal(size=n_samples) * noise * away * np.sqrt(np.pi / 2.0)
    X, levels = _levels(X, nominal, rng) if mixed else (X, ())
    y = F if task == "regression" else (np.median(F) < F).astype(np.int64)
    return Synthetic(
        X,
        y,
        numbered("x", X.shape[1]),
        tuple(np.flatnonzero(importance > 0).tolist()),
        task=task,
        description=f"A random sum of {n_terms} Gaussian bumps over {n_relevant} of {X.shape[1]} features.",
        nominal=levels if nominal else (),
        importance=tuple(importance.tolist()),
    )


def _bump(Z: np.ndarray, low: float, high: float, rng: np.random.Generator) -> np.ndarray:
    """Return a Gaussian bump with a random centre and precision, from 0 to 1."""
    k = Z.shape[1]
    basis, triangle = np.linalg.qr(rng.normal(size=(k, k)))
    # With these signs the basis is uniform among all orthogonal ones.
    basis = basis * np.sign(np.diag(triangle))
    away = (Z - rng.normal(size=k)) @ basis * rng.uniform(low, high, size=k)
    return np.exp(-0.5 * (away**2).sum(axis=1))


def _levels(X: np.ndarray, nominal: bool, rng: np.random.Generator) -> tuple[np.ndarray, tuple[int, ...]]:
    """Return X with a random half of its columns as level numbers, and which."""
    X, half = X.copy(), np.sort(rng.permutation(X.shape[1])[: X.shape[1] // 2])
    for j in half:
        n_levels = int(rng.integers(2, 33))
        codes = X[:, j].argsort().argsort() * n_levels // len(X)
        X[:, j] = rng.permutation(n_levels)[codes] if nominal else codes
    return X, tuple(half.tolist())


def make_linear_hard_for_trees(
    n_samples: int = 200, n_noise: int = 15, noise: float = 0.01, random_state: Any = None
) -> Synthetic:
    """Make a sum of five features of very different weights, of which trees see the largest only.

    ``y = -0.25 x0 + 0.1 x1 + 0.05 x2 + 0.025 x3 + 0.015 x4 + 0.01 e``, all standard normal (eq. 7.4). The five explain
    82.4, 13.2, 3.3, 0.8 and 0.3 % of the variance of the sum; their variances are 625, 100, 25, 6.25 and 2.25 times
    that of the noise.

    Parameters
    ----------
    n_samples : int, default=200
        Number of samples.
    n_noise : int, default=15
        Number of irrelevant features.
    noise : float, default=0.01
        Standard deviation of the noise.
    random_state : int, Generator or None, default=None
        Seed.

    Returns
    -------
    Synthetic

    References
    ----------
    .. [1] E. Tuv, A. Borisov and K. Torkkola, "Ensemble-based variable selection using independent probes", in
       Computational Methods of Feature Selection, 2008, section 7.4.2.2.
    """
    where = "make_linear_hard_for_trees"
    counts(where, 1, n_samples=n_samples)
    counts(where, 0, n_noise=n_noise)
    numbers(where, 0.0, noise=noise)
    rng = generator(where, random_state)
    X = rng.normal(size=(n_samples, len(LINEAR) + n_noise))
    y = X[:, : len(LINEAR)] @ np.array(LINEAR) + noise * rng.normal(size=n_samples)
    return Synthetic(
        X,
        y,
        numbered("x", X.shape[1]),
        tuple(range(len(LINEAR))),
        task="regression",
        description="A sum of five features with weights from 0.25 to 0.015, and noise.",
        importance=tuple(abs(w) for w in LINEAR) + (0.0,) * n_noise,
    )

"""The toy problems of Weston and others: few relevant features among many with large noise."""

from __future__ import annotations

from typing import Any

import numpy as np

from fewer.synth.checks import balanced_labels, counts, generator, numbered, numbers
from fewer.synth.synthetic import Synthetic

CENTRES = np.array([[[-0.75, -3.0], [0.75, 3.0]], [[3.0, -3.0], [-3.0, 3.0]]])


def make_weston_linear(
    n_samples: int = 100, n_irrelevant: int = 196, noise: float = 20.0, random_state: Any = None
) -> Synthetic:
    """Make two classes of which most show in three features and the others in three more.

    With s = +1 for class 1 and -1 for class 0: with probability 0.7 the features i = 1, 2, 3 are s times
    N(i, 1) and features 4, 5, 6 are N(0, 1); else features 1, 2, 3 are N(0, 1) and i = 4, 5, 6 are s times
    N(i - 3, 1).

    Parameters
    ----------
    n_samples : int, default=100
        Number of samples.
    n_irrelevant : int, default=196
        Number of noise features.
    noise : float, default=20.0
        Standard deviation of the noise features; the text prints N(0, 20), which may also mean the variance.
    random_state : int, Generator or None, default=None
        Seed.

    Returns
    -------
    Synthetic

    References
    ----------
    .. [1] J. Weston et al., "Feature selection for SVMs", NIPS 13, 2001.
    """
    y, X, rng = _start("make_weston_linear", n_samples, 6, n_irrelevant, noise, random_state)
    sign = (2 * y - 1)[:, None]
    shown = sign * (rng.normal(size=(n_samples, 3)) + np.array([1.0, 2.0, 3.0]))
    hidden = rng.normal(size=(n_samples, 3))
    usual = rng.random((n_samples, 1)) < 0.7
    X[:, :3] = np.where(usual, shown, hidden)
    X[:, 3:6] = np.where(usual, hidden, shown)
    words = f"Linear toy problem: 6 relevant features, {n_irrelevant} of noise with spread {noise:g}."
    return Synthetic(X, y, numbered("x", X.shape[1], start=1), tuple(range(6)), description=words)


def make_weston_nonlinear(
    n_samples: int = 100, n_irrelevant: int = 50, noise: float = 20.0, random_state: Any = None
) -> Synthetic:
    """Make two classes of two normals each, with equal class means.

    The two relevant features are normal with unit covariance; class 0 is centred at (-3/4, -3) or (3/4, 3),
    class 1 at (3, -3) or (-3, 3), with equal probability.

    Parameters
    ----------
    n_samples : int, default=100
        Number of samples.
    n_irrelevant : int, default=50
        Number of noise features.
    noise : float, default=20.0
        Standard deviation of the noise features; the text prints N(0, 20), which may also mean the variance.
    random_state : int, Generator or None, default=None
        Seed.

    Returns
    -------
    Synthetic

    References
    ----------
    .. [1] J. Weston et al., "Feature selection for SVMs", NIPS 13, 2001.
    """
    y, X, rng = _start("make_weston_nonlinear", n_samples, 2, n_irrelevant, noise, random_state)
    X[:, :2] = CENTRES[y, rng.integers(0, 2, size=n_samples)] + rng.normal(size=(n_samples, 2))
    words = f"Nonlinear toy problem: 2 relevant features, {n_irrelevant} of noise with spread {noise:g}."
    return Synthetic(X, y, numbered("x", X.shape[1], start=1), (0, 1), description=words)


def _start(
    where: str, n_samples: int, n_relevant: int, n_irrelevant: int, noise: float, random_state: Any
) -> tuple[np.ndarray, np.ndarray, np.random.Generator]:
    """Return balanced classes, features of noise of which the first are to be replaced, and the generator."""
    counts(where, 1, n_samples=n_samples)
    counts(where, 0, n_irrelevant=n_irrelevant)
    numbers(where, noise=noise)
    rng = generator(where, random_state)
    y = balanced_labels(n_samples, 2, rng)
    return y, noise * rng.normal(size=(n_samples, n_relevant + n_irrelevant)), rng

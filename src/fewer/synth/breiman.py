"""Breiman's benchmark data: two overlapping normals, a normal in a wider one, and mixed triangular waves."""

from __future__ import annotations

from typing import Any

import numpy as np

from fewer.synth.checks import balanced_labels, counts, generator, numbered
from fewer.synth.synthetic import Synthetic

CENTRES = np.array([7, 15, 11])
PAIRS = np.array([[0, 1], [0, 2], [1, 2]])


def make_twonorm(
    n_samples: int = 400, n_features: int = 20, n_irrelevant: int = 0, random_state: Any = None
) -> Synthetic:
    """Make two normal classes with unit covariance, at distance 4 along the diagonal.

    Class means are plus and minus ``2 / sqrt(n_features)`` in every feature; the Bayes error is Phi(-2) =
    2.275 %.

    Parameters
    ----------
    n_samples : int, default=400
        Number of samples.
    n_features : int, default=20
        Number of relevant features.
    n_irrelevant : int, default=0
        Number of further standard normal features.
    random_state : int, Generator or None, default=None
        Seed.

    Returns
    -------
    Synthetic

    References
    ----------
    .. [1] L. Breiman, "Bias, variance, and arcing classifiers", University of California, Berkeley, 1996.
    """
    y, noise, names = _start("make_twonorm", n_samples, n_features, n_irrelevant, random_state)
    noise[:, :n_features] += ((2 * y - 1) * 2.0 / np.sqrt(n_features))[:, None]
    words = "Two normal classes whose means are 4 standard deviations apart along the diagonal."
    return Synthetic(noise, y, names, tuple(range(n_features)), description=words)


def make_ringnorm(
    n_samples: int = 400, n_features: int = 20, n_irrelevant: int = 0, random_state: Any = None
) -> Synthetic:
    """Make a narrow normal class inside a wide one.

    Class 0 is N(0, 4 I), class 1 is N(a, I) with ``a = 2 / sqrt(n_features)`` in every feature; with 20
    features the Bayes error is about 1.25 %.

    Parameters
    ----------
    n_samples : int, default=400
        Number of samples.
    n_features : int, default=20
        Number of relevant features.
    n_irrelevant : int, default=0
        Number of further standard normal features.
    random_state : int, Generator or None, default=None
        Seed.

    Returns
    -------
    Synthetic

    References
    ----------
    .. [1] L. Breiman, "Bias, variance, and arcing classifiers", University of California, Berkeley, 1996.
    """
    y, noise, names = _start("make_ringnorm", n_samples, n_features, n_irrelevant, random_state)
    wide, narrow = 2.0 * noise[:, :n_features], noise[:, :n_features] + 2.0 / np.sqrt(n_features)
    noise[:, :n_features] = np.where(y[:, None] == 0, wide, narrow)
    words = "A normal class inside one of twice its standard deviation, with slightly shifted mean."
    return Synthetic(noise, y, names, tuple(range(n_features)), description=words)


def make_waveform(
    n_samples: int = 400, n_irrelevant: int = 0, binary: bool = False, random_state: Any = None
) -> Synthetic:
    """Make three classes, each a random mixture of two of three triangular waves, plus noise.

    At points t = 1, ..., 21 the waves are ``max(6 - |t - c|, 0)`` with c = 7, 15 and 11; classes 0, 1 and 2
    mix waves 1 and 2, 1 and 3, 2 and 3 by ``u`` and ``1 - u`` with u uniform on [0, 1], and every point gets
    standard normal noise. The first and the last point lie outside all waves and are irrelevant. The Bayes
    error of the three classes is about 14 %. The classes have equal numbers of rows, up to one.

    Parameters
    ----------
    n_samples : int, default=400
        Number of samples.
    n_irrelevant : int, default=0
        Number of further standard normal features; 19 make the data known as waveform40.
    binary : bool, default=False
        Whether classes 1 and 2 are merged into class 1, which then has two thirds of the rows; the Bayes error is
        another one.
    random_state : int, Generator or None, default=None
        Seed.

    Returns
    -------
    Synthetic

    References
    ----------
    .. [1] L. Breiman et al., Classification and Regression Trees, 1984, section 2.6.2.
    """
    counts("make_waveform", 1, n_samples=n_samples)
    counts("make_waveform", 0, n_irrelevant=n_irrelevant)
    rng = generator("make_waveform", random_state)
    y = balanced_labels(n_samples, 3, rng)
    waves = np.maximum(6.0 - np.abs(np.arange(1, 22) - CENTRES[:, None]), 0.0)
    share = rng.random((n_samples, 1))
    X = rng.normal(size=(n_samples, 21 + n_irrelevant))
    X[:, :21] += share * waves[PAIRS[y, 0]] + (1.0 - share) * waves[PAIRS[y, 1]]
    words = f"Random mixtures of two of three triangular waves, {n_irrelevant} added noise features."
    labels = np.minimum(y, 1) if binary else y
    return Synthetic(X, labels, numbered("t", 21 + n_irrelevant, start=1), tuple(range(1, 20)), description=words)


def make_waveform40(n_samples: int = 5000, random_state: Any = None) -> Synthetic:
    """Make the waveform data with 19 irrelevant features, 40 in all.

    Parameters
    ----------
    n_samples : int, default=5000
        Number of samples.
    random_state : int, Generator or None, default=None
        Seed.

    Returns
    -------
    Synthetic

    See Also
    --------
    make_waveform : The definition.
    """
    return make_waveform(n_samples, n_irrelevant=19, random_state=random_state)


def _start(
    where: str, n_samples: int, n_features: int, n_irrelevant: int, random_state: Any
) -> tuple[np.ndarray, np.ndarray, tuple[str, ...]]:
    """Return balanced classes, standard normal features and their names."""
    counts(where, 1, n_samples=n_samples, n_features=n_features)
    counts(where, 0, n_irrelevant=n_irrelevant)
    rng = generator(where, random_state)
    y = balanced_labels(n_samples, 2, rng)
    width = n_features + n_irrelevant
    return y, rng.normal(size=(n_samples, width)), numbered("x", width)

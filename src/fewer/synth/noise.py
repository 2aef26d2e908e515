"""Data in which there is nothing, or less than it seems."""

from __future__ import annotations

from typing import Any

import numpy as np

from fewer.core.records.errors import InputError
from fewer.synth.checks import balanced_labels, counts, flipped, generator, numbered, numbers
from fewer.synth.synthetic import Synthetic


def make_noise(n_samples: int = 100, n_features: int = 1000, n_classes: int = 2, random_state: Any = None) -> Synthetic:
    """Make standard normal features and classes that have nothing to do with them.

    Selecting on all data and then cross-validating gives far better than chance here, selecting inside each
    fold does not.

    Parameters
    ----------
    n_samples : int, default=100
        Number of samples.
    n_features : int, default=1000
        Number of features.
    n_classes : int, default=2
        Number of classes, as equal in size as possible.
    random_state : int, Generator or None, default=None
        Seed.

    Returns
    -------
    Synthetic
    """
    counts("make_noise", 1, n_samples=n_samples, n_features=n_features)
    counts("make_noise", 2, n_classes=n_classes)
    rng = generator("make_noise", random_state)
    y = balanced_labels(n_samples, n_classes, rng)
    X = rng.normal(size=(n_samples, n_features))
    return Synthetic(X, y, numbered("x", n_features), (), description="Noise with random labels.")


def make_two_clusters_irrelevant(
    n_samples: int = 200,
    gap: float = 2.0,
    width: float = 0.2,
    spread: float = 10.0,
    n_irrelevant: int = 1,
    random_state: Any = None,
) -> Synthetic:
    """Make two clusters on one feature that wider irrelevant features hide.

    The clusters are normal with standard deviation ``width``, their centres ``gap`` apart; irrelevant
    features are uniform on [0, spread]. With the default values 2-means finds the clusters on the first
    feature alone, but splits along an irrelevant one on all features.

    Parameters
    ----------
    n_samples : int, default=200
        Number of samples.
    gap : float, default=2.0
        Distance between the centres.
    width : float, default=0.2
        Standard deviation within a cluster.
    spread : float, default=10.0
        Range of the irrelevant features.
    n_irrelevant : int, default=1
        Number of irrelevant features.
    random_state : int, Generator or None, default=None
        Seed.

    Returns
    -------
    Synthetic

    References
    ----------
    .. [1] H. Liu and H. Motoda (eds.), Computational Methods of Feature Selection, 2008, figure 1.1.
    """
    counts("make_two_clusters_irrelevant", 1, n_samples=n_samples)
    counts("make_two_clusters_irrelevant", 0, n_irrelevant=n_irrelevant)
    numbers("make_two_clusters_irrelevant", gap=gap, width=width, spread=spread)
    rng = generator("make_two_clusters_irrelevant", random_state)
    y = balanced_labels(n_samples, 2, rng)
    first = gap * y + width * rng.normal(size=n_samples)
    X = np.column_stack([first, rng.uniform(0.0, spread, size=(n_samples, n_irrelevant))])
    words = f"Two clusters {gap:g} apart on the first feature; {n_irrelevant} uniform on [0, {spread:g}]."
    return Synthetic(X, y, numbered("x", 1 + n_irrelevant), (0,), task="none", description=words)


def add_noise_features(X: Any, n_irrelevant: int = 50, random_state: Any = None) -> np.ndarray:
    """Append independent standard normal features to data.

    Whether a method can tell the given features from the added ones is shown by `feature_recovery_roc`. Methods that
    need features of one scale bring the added ones to it like the others.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        The data.
    n_irrelevant : int, default=50
        Number of features to add.
    random_state : int, Generator or None, default=None
        Seed.

    Returns
    -------
    ndarray of shape (n_samples, n_features + n_irrelevant)
        The given features first.

    References
    ----------
    .. [1] H. Liu and H. Motoda (eds.), Computational Methods of Feature Selection, 2008, section 12.7.1.

    Examples
    --------
    >>> add_noise_features([[1.0], [2.0]], 3, random_state=0).shape
    (2, 4)
    """
    counts("add_noise_features", 0, n_irrelevant=n_irrelevant)
    given = np.asarray(X)
    if given.ndim != 2:
        raise InputError(
            f"add_noise_features needs rows and columns, but X has {given.ndim} dimension(s); pass an array of shape "
            "(n_samples, n_features)."
        )
    rng = generator("add_noise_features", random_state)
    return np.hstack([given, rng.normal(size=(len(given), n_irrelevant))])


def flip_labels(y: Any, fraction: float = 0.1, random_state: Any = None) -> np.ndarray:
    """Give a fraction of the rows, drawn at random, another class.

    Meant for training data only: tests stay clean.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        Class labels.
    fraction : float, default=0.1
        Fraction of the rows, rounded to whole ones, whose label is replaced by one of the other labels.
    random_state : int, Generator or None, default=None
        Seed.

    Returns
    -------
    ndarray of shape (n_samples,)
        The labels with mistakes.

    References
    ----------
    .. [1] H. Liu and H. Motoda (eds.), Computational Methods of Feature Selection, 2008, section 12.7.1.

    Examples
    --------
    >>> y = np.array(["a", "b"] * 10)
    >>> int((flip_labels(y, 0.1, random_state=0) != y).sum())
    2
    """
    numbers("flip_labels", 0.0, 1.0, fraction=fraction)
    labels, codes = np.unique(np.asarray(y), return_inverse=True)
    if len(labels) < 2:
        raise InputError(
            f"flip_labels got {len(labels)} class(es) in y, but a label can only be replaced by another one; pass at "
            "least two classes."
        )
    return labels[flipped(codes.ravel(), fraction, len(labels), generator("flip_labels", random_state))]

"""Groups of rows to be found without a target: which features show them, and which hide them."""

from __future__ import annotations

from typing import Any

import numpy as np

from fewer.core.records.errors import InputError, ParameterError
from fewer.synth.checks import balanced_labels, counts, generator, numbered, numbers
from fewer.synth.synthetic import Synthetic


def make_cluster_irrelevant(n_samples: int = 200, gap: float = 6.0, random_state: Any = None) -> Synthetic:
    """Make two normal clusters that the first of two features separates; the second has one mode.

    Parameters
    ----------
    n_samples : int, default=200
        Number of samples.
    gap : float, default=6.0
        Distance between the centres, in standard deviations.
    random_state : int, Generator or None, default=None
        Seed.

    Returns
    -------
    Synthetic

    References
    ----------
    .. [1] H. Liu and H. Motoda (eds.), Computational Methods of Feature Selection, 2008, figure 2.2.
    """
    where = "make_cluster_irrelevant"
    counts(where, 1, n_samples=n_samples)
    numbers(where, gap=gap)
    rng = generator(where, random_state)
    y = balanced_labels(n_samples, 2, rng)
    X = rng.normal(size=(n_samples, 2))
    X[:, 0] += gap * y
    words = f"Two clusters {gap:g} apart on the first feature; the second is irrelevant."
    return Synthetic(X, y, numbered("x", 2), (0,), task="none", description=words)


def make_cluster_redundant(
    n_samples: int = 200, gap: float = 6.0, blur: float = 0.3, random_state: Any = None
) -> Synthetic:
    """Make two normal clusters that each of two features separates, the second nearly a copy of the first.

    Parameters
    ----------
    n_samples : int, default=200
        Number of samples.
    gap : float, default=6.0
        Distance between the centres, in standard deviations.
    blur : float, default=0.3
        Standard deviation of the noise in redundant copies.
    random_state : int, Generator or None, default=None
        Seed.

    Returns
    -------
    Synthetic

    References
    ----------
    .. [1] H. Liu and H. Motoda (eds.), Computational Methods of Feature Selection, 2008, figure 2.3.
    """
    where = "make_cluster_redundant"
    counts(where, 1, n_samples=n_samples)
    numbers(where, gap=gap, blur=blur)
    rng = generator(where, random_state)
    y = balanced_labels(n_samples, 2, rng)
    first = gap * y + rng.normal(size=n_samples)
    X = np.column_stack([first, first + blur * rng.normal(size=n_samples)])
    words = f"Two clusters {gap:g} apart on the first feature, which the second repeats."
    return Synthetic(X, y, numbered("x", 2), (0,), {1: 0}, task="none", description=words)


def make_dim_dependent_clusters(n_samples: int = 300, random_state: Any = None) -> Synthetic:
    """Make three clusters on two features, of which the first alone shows two.

    The centres are (0, 0), (0, 6) and (6, 3), the variances 1: how many clusters there are depends on the features.

    Parameters
    ----------
    n_samples : int, default=300
        Number of samples.
    random_state : int, Generator or None, default=None
        Seed.

    Returns
    -------
    Synthetic

    References
    ----------
    .. [1] H. Liu and H. Motoda (eds.), Computational Methods of Feature Selection, 2008, figure 2.6.
    """
    where = "make_dim_dependent_clusters"
    counts(where, 1, n_samples=n_samples)
    rng = generator(where, random_state)
    y = balanced_labels(n_samples, 3, rng)
    centres = np.array([[0.0, 0.0], [0.0, 6.0], [6.0, 3.0]])
    X = centres[y] + rng.normal(size=(n_samples, 2))
    words = "Three clusters on two features, two of which coincide on the first."
    return Synthetic(X, y, numbered("x", 2), (0, 1), task="none", description=words)


def make_noise_feature_clusters(
    n_samples: int = 200, gap: float = 6.0, n_irrelevant: int = 1, random_state: Any = None
) -> Synthetic:
    """Make two compact clusters on two features, beside uniform ones of a comparable range.

    The clusters are normal with variance 1, their centres ``gap`` apart in both features; irrelevant features are
    uniform on [-2, gap + 2].

    Parameters
    ----------
    n_samples : int, default=200
        Number of samples.
    gap : float, default=6.0
        Distance between the centres, in standard deviations.
    n_irrelevant : int, default=1
        Number of irrelevant features.
    random_state : int, Generator or None, default=None
        Seed.

    Returns
    -------
    Synthetic

    References
    ----------
    .. [1] H. Liu and H. Motoda (eds.), Computational Methods of Feature Selection, 2008, figure 10.1.
    """
    where = "make_noise_feature_clusters"
    counts(where, 1, n_samples=n_samples)
    counts(where, 0, n_irrelevant=n_irrelevant)
    numbers(where, gap=gap)
    rng = generator(where, random_state)
    y = balanced_labels(n_samples, 2, rng)
    near = gap * y[:, None] + rng.normal(size=(n_samples, 2))
    X = np.column_stack([near, rng.uniform(-2.0, gap + 2.0, size=(n_samples, n_irrelevant))])
    words = f"Two clusters {gap:g} apart on each of two features; {n_irrelevant} uniform feature(s)."
    return Synthetic(X, y, numbered("x", 2 + n_irrelevant), (0, 1), task="none", description=words)


def make_subspace_clusters(
    n_samples: int = 400,
    n_clusters: int = 2,
    n_own: int = 3,
    n_irrelevant: int = 4,
    n_background: int = 100,
    width: float = 0.02,
    random_state: Any = None,
) -> Synthetic:
    """Make clusters that each show in features of their own, and rows in no cluster.

    All features are uniform on [0, 1], but those of cluster c, ``n_own`` features that no other cluster has, are for
    its rows normal around a centre between 0.2 and 0.8. Rows in no cluster are the last label.

    Parameters
    ----------
    n_samples : int, default=400
        Number of samples.
    n_clusters : int, default=2
        Number of clusters, as equal in size as possible.
    n_own : int, default=3
        Number of features of each cluster.
    n_irrelevant : int, default=4
        Number of features that are uniform for all rows.
    n_background : int, default=100
        How many of the samples are in no cluster.
    width : float, default=0.02
        Standard deviation within a cluster.
    random_state : int, Generator or None, default=None
        Seed.

    Returns
    -------
    Synthetic
    """
    where = "make_subspace_clusters"
    counts(where, 1, n_samples=n_samples, n_clusters=n_clusters, n_own=n_own)
    counts(where, 0, n_irrelevant=n_irrelevant, n_background=n_background)
    numbers(where, width=width)
    if n_background + n_clusters > n_samples:
        raise ParameterError(
            f"{where} got n_background={n_background} of n_samples={n_samples}, but {n_clusters} clusters need as many "
            "rows at least; pass a smaller n_background."
        )
    rng = generator(where, random_state)
    y = np.full(n_samples, n_clusters)
    y[: n_samples - n_background] = balanced_labels(n_samples - n_background, n_clusters, rng)
    y = rng.permutation(y)
    n_relevant = n_clusters * n_own
    X = rng.random((n_samples, n_relevant + n_irrelevant))
    for c in range(n_clusters):
        rows, own = np.flatnonzero(y == c), np.arange(c * n_own, (c + 1) * n_own)
        centre = rng.uniform(0.2, 0.8, n_own)
        X[np.ix_(rows, own)] = centre + width * rng.normal(size=(len(rows), n_own))
    words = f"{n_clusters} cluster(s) in {n_own} feature(s) each; {n_background} rows in none."
    names, relevant = numbered("x", n_relevant + n_irrelevant), tuple(range(n_relevant))
    return Synthetic(X, y, names, relevant, task="none", description=words)


def make_uniform_cube(n_samples: int = 25, n_features: int = 3, random_state: Any = None) -> Synthetic:
    """Make rows that are uniform on [0, 2] in every feature: nothing to find, and ever emptier.

    With the same seed the first features are the same whatever their number. `unit_box_counts` says how many rows
    are left in the unit box of the first feature, the first two and so on.

    Parameters
    ----------
    n_samples : int, default=25
        Number of samples.
    n_features : int, default=3
        Number of features.
    random_state : int, Generator or None, default=None
        Seed.

    Returns
    -------
    Synthetic

    References
    ----------
    .. [1] H. Liu and H. Motoda (eds.), Computational Methods of Feature Selection, 2008, figure 2.1.
    """
    where = "make_uniform_cube"
    counts(where, 1, n_samples=n_samples, n_features=n_features)
    rng = generator(where, random_state)
    X = np.column_stack([rng.uniform(0.0, 2.0, n_samples) for _ in range(n_features)])
    words = f"Uniform on [0, 2] in {n_features} feature(s)."
    return Synthetic(X, np.zeros(n_samples, np.int64), numbered("x", n_features), (), task="none", description=words)


def unit_box_counts(X: Any) -> np.ndarray:
    """Return how many rows lie in [0, 1] on the first feature, on the first two features, and so on.

    Of M rows uniform on [0, 2] about M / 2^k are expected in the box of k features.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        The data.

    Returns
    -------
    ndarray of int, shape (n_features,)
        Numbers of rows, which never grow.

    References
    ----------
    .. [1] H. Liu and H. Motoda (eds.), Computational Methods of Feature Selection, 2008, figure 2.1.

    Examples
    --------
    >>> unit_box_counts([[0.5, 0.5], [0.5, 1.5], [1.5, 0.5]]).tolist()
    [2, 1]
    """
    given = np.asarray(X)
    if given.ndim != 2 or given.dtype.kind not in "biuf":
        raise InputError(
            f"unit_box_counts needs rows and columns of numbers, but X has {given.ndim} dimension(s) of {given.dtype}; "
            "pass an array of numbers of shape (n_samples, n_features)."
        )
    return np.logical_and.accumulate((given >= 0) & (given <= 1), axis=1).sum(axis=0)

"""What it tells about the classes that a feature is there, from counts per class (book ch. 18, section 18.3.2).

Every function takes the number of rows of each class that have the feature, (n_features, n_classes), and the number of
rows of each class; all logarithms are natural. With ``smoothing`` so many rows are added to every cell of the table of
presence by class.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import xlogy

from fewer.core.measures.information import information_gain
from fewer.core.summaries.results import Counts


def presence_gain(present: ArrayLike, class_sizes: ArrayLike) -> np.ndarray:
    """Return the information gain IG of presence, in nats; 0 for a feature that is there always or never.

    Examples
    --------
    >>> presence_gain([[30, 10]], [50, 50]).round(6).tolist()
    [0.086305]
    """
    there, sizes = _checked(present, class_sizes)
    if not len(there):
        return np.zeros(0)
    table = np.stack([there, sizes - there], axis=1).reshape(-1, len(sizes))
    return np.asarray(information_gain(Counts(table, np.arange(0, len(table) + 1, 2))))


def presence_chi2(present: ArrayLike, class_sizes: ArrayLike) -> np.ndarray:
    """Return CHI, the chi-squared statistic of presence against one class and the rest, of the largest class.

    For two classes it is Pearson's statistic without correction. The chapter does not say how the numbers of several
    classes are put together; Yang and Pedersen (1997) take the largest, too.

    Examples
    --------
    >>> presence_chi2([[30, 10]], [50, 50]).round(6).tolist()
    [16.666667]
    """
    there, sizes = _checked(present, class_sizes)
    total, rows = sizes.sum(), there.sum(axis=1, keepdims=True)
    # N (N_fc N_nn - N_nc N_fn)^2 / ..., with N_fc N - rows * size for the difference of products.
    below = sizes * (total - sizes) * rows * (total - rows)
    above = (there * total - rows * sizes) ** 2 * total
    return np.divide(above, below, out=np.zeros(there.shape), where=below > 0).max(axis=1)


def presence_information(present: ArrayLike, class_sizes: ArrayLike, smoothing: float = 0.0) -> np.ndarray:
    """Return MI(f, c) = log P(f, c) / (P(f) P(c)) of every feature and class; -inf where they never meet.

    Examples
    --------
    >>> presence_information([[30, 10]], [50, 50]).round(6).tolist()
    [[0.405465, -0.693147]]
    """
    there, sizes = _checked(present, class_sizes)
    there, sizes = there + smoothing, sizes + 2 * smoothing
    expected = there.sum(axis=1, keepdims=True) * (sizes / sizes.sum())
    # A feature that is nowhere says nothing.
    lift = np.divide(there, expected, out=np.ones(there.shape), where=expected > 0)
    with np.errstate(divide="ignore"):
        return np.log(lift)


def presence_mi_avg(present: ArrayLike, class_sizes: ArrayLike, smoothing: float = 0.0) -> np.ndarray:
    """Return MI_avg = sum_c P(c) MI(f, c), as printed.

    It is -KL(P(c) || P(c | f)), so never above 0 and largest, 0, for a feature that is independent of the classes, and
    -inf where a class never has the feature: larger is not better.

    Examples
    --------
    >>> presence_mi_avg([[30, 10], [20, 20]], [50, 50]).round(6).tolist()
    [-0.143841, 0.0]
    """
    shares = _shares(class_sizes, smoothing)
    each = presence_information(present, class_sizes, smoothing)
    return np.where(shares > 0, shares * each, 0.0).sum(axis=1) + 0.0


def presence_mi_max(present: ArrayLike, class_sizes: ArrayLike, smoothing: float = 0.5) -> np.ndarray:
    """Return the largest MI(f, c) of all classes."""
    return presence_information(present, class_sizes, smoothing).max(axis=1)


def presence_mi_abs(present: ArrayLike, class_sizes: ArrayLike, smoothing: float = 0.5) -> np.ndarray:
    """Return sum_c P(c) |MI(f, c)|, which is 0 only for a feature that is independent of the classes."""
    shares = _shares(class_sizes, smoothing)
    each = np.abs(presence_information(present, class_sizes, smoothing))
    return np.where(shares > 0, shares * each, 0.0).sum(axis=1)


def presence_kl(present: ArrayLike, class_sizes: ArrayLike) -> np.ndarray:
    """Return KL = sum_c P(c | f) log P(c | f) / P(c); it does not look at how frequent the feature is.

    Examples
    --------
    >>> presence_kl([[30, 10], [0, 0]], [50, 50]).round(6).tolist()
    [0.130812, 0.0]
    """
    there, sizes = _checked(present, class_sizes)
    rows, shares = there.sum(axis=1, keepdims=True), sizes / sizes.sum()
    given = np.divide(there, rows, out=np.zeros(there.shape), where=rows > 0)
    lift = np.divide(given, shares, out=np.ones(there.shape), where=shares > 0)
    return np.maximum(xlogy(given, lift).sum(axis=1), 0.0) + 0.0


def _checked(present: ArrayLike, class_sizes: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    sizes = np.asarray(class_sizes, dtype=np.float64)
    return np.asarray(present, dtype=np.float64).reshape(-1, len(sizes)), sizes


def _shares(class_sizes: ArrayLike, smoothing: float) -> np.ndarray:
    sizes = np.asarray(class_sizes, dtype=np.float64) + 2 * smoothing
    return sizes / sizes.sum()


# Scores by name; those by which features can be selected, because larger is better.
PRESENCE_SCORES: dict[str, Callable[..., np.ndarray]] = {
    "ig": presence_gain,
    "chi2": presence_chi2,
    "kl": presence_kl,
    "mi_max": presence_mi_max,
    "mi_abs": presence_mi_abs,
}

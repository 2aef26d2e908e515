"""How far apart the classes, or the parts of a mixture, lie in units of their spread."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr

from fewer.core.measures._pairs import two_classes
from fewer.core.measures._scatter import class_scatter, signed_ratio
from fewer.core.summaries.results import Moments

# Beyond this many standard deviations nothing overlaps; squares of it are still finite.
_FAR = 1e75


def signal_to_noise(moments: Moments) -> np.ndarray:
    """Return (m_1 - m_0) / (s_1 + s_0) with sample standard deviations (Golub et al., Science 286, 1999).

    Parameters
    ----------
    moments : Moments
        Of two classes; a class with one row has standard deviation 0, one with more that weigh less than two rows
        that of the population.

    Returns
    -------
    ndarray of shape (n_features,)
        With the sign of class 1 minus class 0; 0 for a constant feature, infinite if the classes differ
        while no value varies within a class.
    """
    pair = two_classes(moments, "signal_to_noise")
    return signed_ratio(pair.difference, np.sqrt(pair.mean_squares).sum(axis=1))


def fisher_score(moments: Moments) -> np.ndarray:
    """Return sum_c n_c (m_c - m)^2 / sum_c n_c v_c with population variances v_c.

    Fisher's criterion for one feature (Duda, Hart and Stork, Pattern Classification, 2001, section 3.8). The
    order of the features is that of `f_test`: F is this times (n - C) / (C - 1).

    Parameters
    ----------
    moments : Moments
        Rows, means and sums of squared deviations per feature and class.

    Returns
    -------
    ndarray of shape (n_features,)
        0 for a constant feature, infinite if the classes differ while no value varies within a class.
    """
    scatter = class_scatter(moments)
    return signed_ratio(scatter.between, scatter.within)


def correlation_ratio(moments: Moments) -> np.ndarray:
    """Return eta^2, the fraction of the sum of squares of a feature that lies between the classes.

    With `fisher_score` S it is S / (1 + S), and F is S (n - C) / (C - 1); both order features alike, but eta^2 does not
    change when all weights are multiplied.

    Parameters
    ----------
    moments : Moments
        Rows, means and sums of squared deviations per feature and class.

    Returns
    -------
    ndarray of shape (n_features,)
        In [0, 1]; 0 for a constant feature.
    """
    return class_scatter(moments).explained


def mixture_overlap(weight: ArrayLike, mean: ArrayLike, variance: ArrayLike) -> np.ndarray:
    """Return the error of the best guess of the component, epsilon of paper-microarray, eq. 6.1 to 6.3.

    epsilon = w_0 P(guess 1 | component 0) + w_1 P(guess 0 | component 1), where the guess is the component
    with the larger posterior: the integral of min(w_0 f_0, w_1 f_1). Small is good. The guess changes at the
    roots of a quadratic (one root for equal variances); without a root the lighter component is never guessed
    and epsilon is its weight.

    Parameters
    ----------
    weight, mean, variance : array-like of shape (n_features, 2)
        Two Gaussian components per feature; the weights of a feature sum to 1. A component of variance 0 is
        a point, which overlaps only with an equal point.

    Returns
    -------
    ndarray of shape (n_features,)
        In [0, 0.5].
    """
    weight, mean, variance = (np.asarray(part, dtype=np.float64) for part in (weight, mean, variance))
    by_width = np.argsort(variance, axis=1, kind="stable")
    weight, mean, variance = (np.take_along_axis(part, by_width, axis=1) for part in (weight, mean, variance))
    lighter = weight.min(axis=1)
    point = variance[:, 0] <= 0
    plain = (lighter > 0) & ~point
    narrow = np.sqrt(np.where(point, 1.0, variance[:, 0]))
    gap = mean[:, 1] - mean[:, 0]
    with np.errstate(over="ignore"):
        shift = np.clip(gap / narrow, -_FAR, _FAR)
        stretch = np.clip(np.sqrt(np.where(point, 1.0, variance[:, 1])) / narrow, 1.0, _FAR)
    odds = np.log(np.where(plain, weight[:, 1], 1.0)) - np.log(np.where(plain, weight[:, 0], 1.0))
    error = _overlap(weight, shift, stretch, odds)
    apart = point & ((variance[:, 1] > 0) | (gap != 0))
    return np.where(plain, np.minimum(error, lighter), np.where(apart, 0.0, lighter))


def _overlap(weight: np.ndarray, shift: np.ndarray, stretch: np.ndarray, odds: np.ndarray) -> np.ndarray:
    """Error for components N(0, 1) and N(shift, stretch^2), stretch >= 1, odds = log of the weight ratio.

    The first is guessed where A u^2 + 2 shift u + K < 0, A = stretch^2 - 1,
    K = 2 stretch^2 (odds - log stretch) - shift^2: between the roots, of which one is infinite for A = 0.
    """
    excess = (stretch - 1.0) * (stretch + 1.0)
    lead = odds - np.log(stretch)
    inner = shift**2 - 2.0 * excess * lead
    has_root = inner > 0
    # Of the two textbook forms of each root, the one that adds numbers of equal sign.
    sign = np.where(shift < 0, -1.0, 1.0)
    sum_ = -(shift + sign * stretch * np.sqrt(np.where(has_root, inner, 1.0)))
    constant = 2.0 * stretch**2 * lead - shift**2
    flat = excess <= 0
    with np.errstate(over="ignore"):
        far = np.where(flat, np.copysign(np.inf, sum_), sum_ / np.where(flat, 1.0, excess))
        near = constant / sum_
    low, high = np.minimum(far, near), np.maximum(far, near)
    missed = ndtr(low) + ndtr(-high)
    taken = _between((low - shift) / stretch, (high - shift) / stretch)
    error = weight[:, 0] * missed + weight[:, 1] * taken
    return np.where(has_root, error, weight.min(axis=1))


def _between(low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """P(low < Z < high) of a standard normal, from the tail on the same side."""
    upper = low > 0
    return ndtr(np.where(upper, -low, high)) - ndtr(np.where(upper, -high, low))

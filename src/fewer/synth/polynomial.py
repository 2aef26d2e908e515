"""Targets made for rankers: the sign of a polynomial, and two features that help only together."""

from __future__ import annotations

from typing import Any

import numpy as np

from fewer.core.records.errors import ParameterError
from fewer.synth.checks import away_from_zero, counts, flipped, generator, numbered, numbers
from fewer.synth.synthetic import Synthetic


def make_polynomial(
    n_samples: int = 100,
    n_features: int = 50,
    n_relevant: int = 5,
    degree: int = 2,
    n_copies: int = 0,
    noise: float = 0.0,
    random_state: Any = None,
) -> Synthetic:
    r"""Make two classes divided by the median of a polynomial.

    Features are uniform on [-1, 1]. With the relevant ones :math:`v_1, \dots, v_r`,

    .. math:: P(v) = \prod_{j=1}^{d} \Big( \sum_{i=1}^{r} c_{ij} v_i + b_j \Big),

    and y is 1 where P is above its median (eqs. 12 and 13 of [1]_). Then the next ``n_copies * n_relevant``
    features become multiples of the relevant ones, and noise is added to features and labels.

    Parameters
    ----------
    n_samples : int, default=100
        Number of samples, n in the text.
    n_features : int, default=50
        Number of features, m in the text.
    n_relevant : int, default=5
        Number of relevant features, r in the text.
    degree : int, default=2
        Degree of the polynomial, d in the text.
    n_copies : int, default=0
        Number of groups of redundant features, eta in the text.
    noise : float, default=0.0
        Variance of the noise in the features and fraction of wrong labels, sigma in the text.
    random_state : int, Generator or None, default=None
        Seed.

    Returns
    -------
    Synthetic

    Notes
    -----
    The text gives the range of the coefficients c, absolute values in [1, 2], but neither that of the
    constants b nor that of the factors of the copies; the same range is used for all three, so that none of
    them vanishes.

    References
    ----------
    .. [1] J. R. Quevedo, A. Bahamonde and O. Luaces, "A simple and efficient method for variable ranking
       according to their usefulness for learning", Computational Statistics and Data Analysis 52, 2007.
    """
    counts("make_polynomial", 1, n_samples=n_samples, n_features=n_features, n_relevant=n_relevant, degree=degree)
    counts("make_polynomial", 0, n_copies=n_copies)
    numbers("make_polynomial", 0.0, 1.0, noise=noise)
    if n_relevant * (1 + n_copies) > n_features:
        raise ParameterError(
            f"make_polynomial got n_features={n_features}, but {n_relevant} relevant features and {n_copies} "
            f"copies of each need {n_relevant * (1 + n_copies)}; pass more features or fewer copies."
        )
    rng = generator("make_polynomial", random_state)
    X = rng.uniform(-1.0, 1.0, size=(n_samples, n_features))
    relevant = X[:, :n_relevant]
    factors = relevant @ away_from_zero((n_relevant, degree), rng) + away_from_zero((degree,), rng)
    values = factors.prod(axis=1)
    y = (values > np.median(values)).astype(np.int64)
    redundant = {j: j % n_relevant for j in range(n_relevant, n_relevant * (1 + n_copies))}
    if redundant:
        copies = list(redundant)
        X[:, copies] = X[:, list(redundant.values())] * away_from_zero((len(copies),), rng)
    X += np.sqrt(noise) * rng.normal(size=X.shape)
    words = f"Sign of a polynomial of degree {degree} in {n_relevant} features, noise {noise:g}."
    relevant_numbers = tuple(range(n_relevant))
    labels = flipped(y, noise, 2, rng)
    return Synthetic(X, labels, numbered("x", n_features), relevant_numbers, redundant, description=words)


def make_anticorrelated(
    n_per_class: int = 100,
    sigma: float = 1.0,
    distance: float = 0.5,
    n_irrelevant: int = 0,
    random_state: Any = None,
) -> Synthetic:
    r"""Make two strongly anti-correlated features that separate two classes only together.

    The classes lie on two parallel lines of slope -1, their centres ``distance`` apart across the lines;
    along the lines each feature is normal with standard deviation ``sigma`` within a class. The correlation
    of the two features is :math:`-(1 - q) / (1 + q)` with :math:`q = (distance / sigma)^2 / 8`.

    Parameters
    ----------
    n_per_class : int, default=100
        Number of samples of each class.
    sigma : float, default=1.0
        Standard deviation of the features within a class.
    distance : float, default=0.5
        Distance between the lines, d in the text; the text tries 0.4 to 0.6 times sigma.
    n_irrelevant : int, default=0
        Number of further normal features with standard deviation ``sigma``.
    random_state : int, Generator or None, default=None
        Seed.

    Returns
    -------
    Synthetic

    References
    ----------
    .. [1] J. R. Quevedo, A. Bahamonde and O. Luaces, "A simple and efficient method for variable ranking
       according to their usefulness for learning", Computational Statistics and Data Analysis 52, 2007,
       section 5.2.
    """
    counts("make_anticorrelated", 1, n_per_class=n_per_class)
    counts("make_anticorrelated", 0, n_irrelevant=n_irrelevant)
    numbers("make_anticorrelated", sigma=sigma, distance=distance)
    rng = generator("make_anticorrelated", random_state)
    y = rng.permutation(np.repeat([0, 1], n_per_class))
    along = sigma * rng.normal(size=2 * n_per_class)
    across = (y - 0.5) * distance / np.sqrt(2.0)
    noise = sigma * rng.normal(size=(2 * n_per_class, n_irrelevant))
    X = np.column_stack([across + along, across - along, noise])
    words = f"Two classes on parallel lines of slope -1, {distance:g} apart, spread {sigma:g} along them."
    return Synthetic(X, y, numbered("x", 2 + n_irrelevant), (0, 1), description=words)

"""How many components of a mixture with saliencies: the smallest is dropped again and again."""

from __future__ import annotations

from typing import Any

import numpy as np

from fewer.core.clustering.saliency_ends import decided
from fewer.core.clustering.salient_mixture import FLOOR, SalientFit, SalientMixture, climb_salient
from fewer.core.clustering.standard_columns import distinct_rows, rounding_variances


def first_means(X: np.ndarray, max_components: int, rng: np.random.Generator) -> np.ndarray:
    """Return different rows, drawn at random; fewer where fewer differ."""
    rows = rng.permutation(len(X))
    return np.ascontiguousarray(X[rows[distinct_rows(X[rows], max_components)]])


def salient_components(
    X: np.ndarray,
    means: np.ndarray,
    *,
    min_components: int = 1,
    tol: float = 1e-5,
    max_iter: int = 500,
) -> tuple[SalientFit, list[SalientFit]]:
    """Begin with many components, drop the smallest again and again, and return the fit of least message length.

    No variance falls below what rounding leaves. Of every number of components, saliencies are moved to 0 or 1 where
    that shortens the message.

    Parameters
    ----------
    X : ndarray of shape (n_rows, n_features)
        Rows of columns of mean 0 and variance 1.
    means : ndarray of shape (n_components, n_features)
        Where to begin, see `first_means`.
    min_components : int, default=1
        Where to end.
    tol, max_iter
        As for `climb_salient`.

    Returns
    -------
    best : SalientFit
        Of equal ones that with fewer components.
    fits : list of SalientFit
        All, from many components to few.
    """
    X = np.ascontiguousarray(X, dtype=np.float64)
    how: dict[str, Any] = {"tol": tol, "max_iter": max_iter, "floor": np.maximum(FLOOR, rounding_variances(X))}
    found = climb_salient(X, SalientMixture.at(means), **how)
    fits = [decided(X, found, **how)]
    while len(found.model) > min_components:
        # Of equal weights the last goes.
        weights = found.model.weights
        smallest = len(weights) - 1 - int(np.argmin(weights[::-1]))
        found = climb_salient(X, found.model.without(np.array([smallest])), **how)
        # What is decided with many components is not decided for fewer.
        fits.append(decided(X, found, **how))
    best = min(fits, key=lambda fit: (fit.message_length, len(fit.model)))
    return best, fits

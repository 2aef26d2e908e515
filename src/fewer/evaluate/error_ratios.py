"""How far each method is from the best on every data set."""

from __future__ import annotations

from typing import Any

import numpy as np

from fewer.core.records.errors import InputError


def robustness_ratio(errors: Any, floor: Any = None) -> np.ndarray:
    r"""Return the error of every method as a multiple of the smallest on each data set, :math:`b_m = e_m / \min_k e_k`.

    A method that is near the best everywhere has ratios near 1 everywhere; look at their median, quartiles and range.

    Parameters
    ----------
    errors : array-like of shape (n_methods, n_sets)
        Error rates, not negative.
    floor : float or array-like of shape (n_sets,), optional
        Smaller errors count as this, such as half an error, ``0.5 / n_test``; needed where the best makes none.

    Returns
    -------
    ndarray of shape (n_methods, n_sets)
        At least 1.

    References
    ----------
    .. [1] H. Liu and H. Motoda (eds.), "Computational Methods of Feature Selection", 2008, section 11.5.

    Examples
    --------
    >>> robustness_ratio([[4.0, 11.0], [3.0, 22.0]]).round(2).tolist()
    [[1.33, 1.0], [1.0, 2.0]]
    """
    rates = np.asarray(errors, dtype=np.float64)
    if rates.ndim != 2 or not rates.size or not np.isfinite(rates).all() or (rates < 0).any():
        raise InputError(
            f"robustness_ratio takes error rates of methods by data sets, but errors has shape {rates.shape} or holds "
            "missing or negative numbers; pass one row per method and one column per set."
        )
    if floor is not None:
        rates = np.maximum(rates, np.asarray(floor, dtype=np.float64))
    best = rates.min(axis=0)
    if (best <= 0).any():
        raise InputError(
            f"The smallest error of set {int(np.flatnonzero(best <= 0)[0])} is 0, so that no ratio to it is defined; "
            "pass floor=, such as 0.5 / n_test."
        )
    return rates / best

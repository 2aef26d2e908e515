"""Errors of predictions in proportion to those of a guess."""

from __future__ import annotations

import numpy as np

from fewer.core.records.errors import InputError


def relative_absolute_error(predicted: np.ndarray, actual: np.ndarray) -> float:
    r"""Return :math:`\sum_i |p_i - a_i| / \sum_i |\bar a - a_i|`: 0 if all is right, 1 if the mean is always predicted.

    Parameters
    ----------
    predicted : array-like of shape (n_rows,)
        Values, or probabilities of the second of two classes.
    actual : array-like of shape (n_rows,)
        True values, or 0 and 1.
    """
    p, a = np.asarray(predicted, dtype=np.float64), np.asarray(actual, dtype=np.float64)
    guess = float(np.abs(a.mean() - a).sum()) if len(a) else 0.0
    if guess == 0:
        raise InputError(
            "relative_absolute_error got actual values that are all alike, beside which no error is relative; give "
            "rows of two classes or of different values."
        )
    return float(np.abs(p - a).sum()) / guess

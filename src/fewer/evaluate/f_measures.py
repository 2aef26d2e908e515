"""F1 averaged over classes, and the area under a curve of scores over numbers of features."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from fewer.core.records.errors import InputError


def weighted_f1(y: Any, predicted: Any) -> float:
    """Return the mean of the F1 of all classes, each weighted by its rows in ``y``.

    Chapter 14 of the book calls this "micro"; the usual micro-averaged F1, of pooled counts, is another number.

    Parameters
    ----------
    y, predicted : array-like of shape (n_samples,) or (n_samples, n_labels)
        Classes, or 0 and 1 for every label of rows that may have several.

    Returns
    -------
    float
        From 0 to 1; a class without a right prediction has 0.

    Examples
    --------
    >>> round(weighted_f1([0, 0, 0, 1], [0, 0, 1, 1]), 4)
    0.7667
    """
    return _f1(y, predicted, "weighted")


def macro_f1(y: Any, predicted: Any) -> float:
    """Return the mean of the F1 of all classes, each of equal weight.

    Parameters
    ----------
    y, predicted : array-like of shape (n_samples,) or (n_samples, n_labels)
        Classes, or 0 and 1 for every label of rows that may have several.

    Returns
    -------
    float
        From 0 to 1; a class without a right prediction has 0.

    Examples
    --------
    >>> round(macro_f1([0, 0, 0, 1], [0, 0, 1, 1]), 4)
    0.7333
    """
    return _f1(y, predicted, "macro")


def _f1(y: Any, predicted: Any, average: str) -> float:
    from sklearn.metrics import f1_score

    return float(f1_score(y, predicted, average=average, zero_division=0.0))


def selection_curve_area(sizes: ArrayLike, scores: ArrayLike) -> float:
    """Return the area under scores against numbers of features, by trapezoids (book ch. 14, section 14.4).

    Parameters
    ----------
    sizes : array-like of shape (n_sizes,)
        Numbers of features, ascending, two at least.
    scores : array-like of shape (n_sizes,)
        A score of each.

    Returns
    -------
    float
        At most the largest less the smallest size, if scores are at most 1: 990 for 10 to 1,000 features.

    Examples
    --------
    >>> selection_curve_area([10, 100, 1000], [1.0, 1.0, 1.0])
    990.0
    """
    across, up = np.asarray(sizes, dtype=np.float64), np.asarray(scores, dtype=np.float64)
    if across.ndim != 1 or across.shape != up.shape or len(across) < 2 or not (np.diff(across) > 0).all():
        raise InputError(
            f"selection_curve_area got sizes of shape {across.shape} and scores of shape {up.shape}, but takes two or "
            "more ascending sizes with a score each; pass such."
        )
    if not np.isfinite(up).all():
        raise InputError(
            "selection_curve_area got a score that is no finite number, but needs all of them; leave out such sizes."
        )
    return float(np.trapezoid(up, across))

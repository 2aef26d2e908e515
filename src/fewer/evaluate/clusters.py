"""How well clusters agree with known groups."""

from __future__ import annotations

from typing import Any

import numpy as np

from fewer.core.records.errors import InputError
from fewer.core.records.target_kinds import is_missing


def nmi(labels: Any, groups: Any) -> float:
    r"""Return the normalised mutual information of two partitions, :math:`I(\hat Z; Z) / ((H(\hat Z) + H(Z)) / 2)`.

    It is 1 exactly if both partitions are the same up to the names of their parts, and 0 if one tells nothing about the
    other (eq. 15.9 of Tang and Zhong 2008). Two partitions of one part each are the same: 1.

    Parameters
    ----------
    labels : array-like of shape (n_samples,)
        Cluster of every row; -1, for rows in no cluster, is a part as others are.
    groups : array-like of shape (n_samples,)
        What the clusters are compared with.

    Returns
    -------
    float

    Examples
    --------
    >>> round(nmi([0, 0, 1, 1, 2, 2], [0, 0, 0, 1, 1, 1]), 10)
    0.515803743
    """
    first, second = np.asarray(labels), np.asarray(groups)
    if first.ndim != 1 or first.shape != second.shape or not len(first):
        raise InputError(
            f"nmi got labels of shape {first.shape} and groups of shape {second.shape}, but compares two lists of the "
            "same rows; give one label per row in each."
        )
    a, b = (_numbered(part) for part in (labels, groups))
    code, pairs = np.unique(a.astype(np.int64) * (int(b.max()) + 1) + b, return_counts=True)
    sizes = [np.bincount(part) for part in (a, b)]
    if len(sizes[0]) == len(sizes[1]) == len(code):
        # The same partition: no rounding.
        return 1.0
    whole = len(first)
    h_first, h_second, both = (_entropy(counts, whole) for counts in (*sizes, pairs))
    # Independent partitions must not be below 0 by rounding.
    return float(min(max(2.0 * (h_first + h_second - both) / (h_first + h_second), 0.0), 1.0))


def _numbered(labels: Any) -> np.ndarray:
    """Return numbers of labels in the order of their first mention; all missing values are one label."""
    given = list(labels) if isinstance(labels, list | tuple) else np.asarray(labels).tolist()
    number: dict[Any, int] = {}
    return np.array([number.setdefault(None if is_missing(v) else v, len(number)) for v in given], np.int64)


def _entropy(counts: np.ndarray, whole: int) -> float:
    share = counts / whole
    return float(-(share * np.log(share)).sum())

"""How well clusters agree with known classes, counted in rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment

from fewer.core.records.errors import InputError, ParameterError

WAYS = ("optimal", "majority")


def clustering_accuracy(labels: Any, classes: Any, matching: str = "optimal") -> float:
    """Return the fraction of rows whose cluster stands for their class (book, section 10.6.1).

    The source does not say which class a cluster stands for. By the optimal matching every cluster stands for at most
    one class and every class for at most one cluster, so that most rows are right; by majority every cluster stands for
    its most frequent class, so that many small clusters are always right. Rows without a cluster are wrong.

    Parameters
    ----------
    labels : array-like of int, shape (n_samples,)
        Cluster of every row, -1 for none.
    classes : array-like of shape (n_samples,)
        Class of every row.
    matching : {"optimal", "majority"}, default="optimal"
        What a cluster stands for.

    Examples
    --------
    >>> clustering_accuracy([0, 0, 1, 2], ["a", "a", "a", "b"])
    0.75
    >>> clustering_accuracy([0, 0, 1, 2], ["a", "a", "a", "b"], "majority")
    1.0
    """
    labels, classes = np.asarray(labels), np.asarray(classes)
    if matching not in WAYS:
        raise ParameterError(
            f"clustering_accuracy got matching={matching!r}, but takes 'optimal' or 'majority'; pass one of these."
        )
    if labels.ndim != 1 or labels.shape != classes.shape or not len(labels):
        raise InputError(
            f"clustering_accuracy got labels of shape {labels.shape} and classes of shape {classes.shape}, but needs "
            "one of each per row; pass two lists of one length."
        )
    some = labels != -1
    if not some.any():
        return 0.0
    clusters, rows = np.unique(labels[some], return_inverse=True)
    try:
        known, columns = np.unique(classes[some], return_inverse=True)
    except TypeError:
        raise InputError(
            "clustering_accuracy got classes of different kinds, such as None beside texts, but needs values that can "
            "be ordered; leave out rows without a class or give it a name."
        ) from None
    table = np.zeros((len(clusters), len(known)), np.int64)
    np.add.at(table, (rows, columns), 1)
    if matching == "majority":
        return float(table.max(axis=1).sum() / len(labels))
    return float(table[linear_sum_assignment(table, maximize=True)].sum() / len(labels))

"""Sums of rows, or of columns, that carry the same label; for dense arrays and sparse ones, which stay sparse."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import scipy.sparse

from fewer.core.records.rounding import steady

# Numbers of a table that are worked on together.
AT_ONCE = 2**22


def membership(labels: np.ndarray, n_groups: int) -> scipy.sparse.csr_array:
    """Return which group everything is in, (n, n_groups), ones and zeros; a label below 0 is in none."""
    inside = np.asarray(labels) >= 0
    ends = np.concatenate([[0], np.cumsum(inside)])
    shape = (len(labels), n_groups)
    return scipy.sparse.csr_array((np.ones(ends[-1]), np.asarray(labels)[inside], ends), shape=shape)


def rows_added(X: Any, labels: np.ndarray, n_groups: int) -> Any:
    """Return the sum of the rows of every group: an array, or a sparse array where X is one.

    Examples
    --------
    >>> rows_added(np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), np.array([1, 0, 1]), 2).tolist()
    [[3.0, 4.0], [6.0, 8.0]]
    """
    return membership(labels, n_groups).T.tocsr() @ X


def columns_added(X: Any, labels: np.ndarray, n_groups: int) -> np.ndarray:
    """Return the sum over the columns of every group in every row, a dense array of shape (n_rows, n_groups)."""
    if scipy.sparse.issparse(X):
        return (X @ membership(labels, n_groups)).toarray()
    return np.ascontiguousarray((membership(labels, n_groups).T.tocsr() @ X.T).T)


def dense(X: Any) -> np.ndarray:
    """Return a few rows, or sums of rows, as an array."""
    return X.toarray() if scipy.sparse.issparse(X) else np.asarray(X)


def without_gaps(X: Any) -> Any:
    """Return a sparse array with few zeros as a dense one, which is no larger and loses no digits in differences.

    Examples
    --------
    >>> type(without_gaps(scipy.sparse.csr_array([[1.0, 2.0], [3.0, 0.0]]))).__name__
    'ndarray'
    """
    full = scipy.sparse.issparse(X) and 2 * X.nnz > X.shape[0] * X.shape[1]
    return np.ascontiguousarray(X.toarray()) if full else X


def spans(n_rows: int, width: int) -> Iterator[slice]:
    """Return ranges of rows, together all of them, whose tables of so many columns are small."""
    step = max(1, AT_ONCE // max(1, width))
    return (slice(start, min(start + step, n_rows)) for start in range(0, n_rows, step))


def best_label(worth: np.ndarray, current: np.ndarray, slack: np.ndarray) -> np.ndarray:
    """Return the best group of every row: the one it is in, or else the first, of those that rounding leaves equal.

    Parameters
    ----------
    worth : ndarray of shape (n_rows, n_groups)
        How well every row fits every group; minus infinity where it must not go.
    current : ndarray of int, shape (n_rows,)
        The groups they are in, -1 for none.
    slack : ndarray of shape (n_rows,)
        By how much the best may be missed.

    Examples
    --------
    >>> best_label(np.array([[1.0, 1.0], [0.0, 1.0]]), np.array([1, 0]), np.zeros(2)).tolist()
    [1, 1]
    """
    line = worth.max(axis=1) - slack
    out = (worth >= line[:, None]).argmax(axis=1)
    here = worth[np.arange(len(worth)), current]
    return np.where((current >= 0) & (here >= line), current, out)


def fill_empty(labels: np.ndarray, misfit: np.ndarray, least: np.ndarray, n_groups: int) -> int:
    """Give empty groups the rows that fit worst and have company, in place; return how many got one.

    Parameters
    ----------
    labels : ndarray of int, shape (n_rows,)
        Groups, which are changed.
    misfit : ndarray of shape (n_rows,)
        How badly every row fits the group it is in.
    least : ndarray of shape (n_rows,)
        What the misfit must exceed: a row that fits up to rounding would only make a copy of its group.
    n_groups : int
        Number of groups.
    """
    counts, done = np.bincount(labels, minlength=n_groups), 0
    if counts.all():
        return 0
    for group in np.flatnonzero(counts == 0):
        free = np.where((counts[labels] > 1) & (misfit > least), misfit, -np.inf)
        worst = int(np.argmax(steady(free)))
        if free[worst] == -np.inf:
            break
        counts[labels[worst]] -= 1
        labels[worst], counts[group] = group, 1
        done += 1
    return done

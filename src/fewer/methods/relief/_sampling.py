"""Rows spread over the data: one from each leaf of a k-d tree."""

from __future__ import annotations

import numpy as np


def leaves(Z: np.ndarray, bucket: int) -> list[np.ndarray]:
    """Cut the rows at the median of the feature of largest variance until at most ``bucket`` rows are together.

    Equal values stay together: the cut moves to the next place between two different values. Equal rows are never
    parted, even if there are more of them.

    Parameters
    ----------
    Z : ndarray of shape (n_rows, n_features)
        Numbers of comparable scale.
    bucket : int
        The largest number of rows in a leaf.
    """
    done, todo = [], [np.arange(len(Z))]
    while todo:
        rows = todo.pop()
        column = Z[rows, int(np.argmax(Z[rows].var(axis=0, dtype=np.float64)))] if len(rows) > bucket else None
        if column is None or column.min() == column.max():
            done.append(rows)
            continue
        order = np.argsort(column, kind="stable")
        places = 1 + np.flatnonzero(np.diff(column[order]) > 0)
        cut = places[np.argmin(np.abs(places - len(rows) / 2))]
        todo += [np.sort(rows[order[cut:]]), np.sort(rows[order[:cut]])]
    return done


def leaf_sample(Z: np.ndarray, bucket: int, rng: np.random.Generator) -> np.ndarray:
    """Return one random row of every leaf, sorted."""
    return np.sort([int(rng.choice(rows)) for rows in leaves(Z, bucket)])

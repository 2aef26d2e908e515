"""Spherical k-means: rows of length 1 go to the centre whose direction is nearest (Dhillon and Modha 2001)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy.sparse

from fewer.core.clustering.by_label import best_label, dense, fill_empty, rows_added, spans
from fewer.core.records.rounding import TOLERANCE

# A unit whose misfit is a smaller part of it fits perfectly.
FITS = 1e3 * TOLERANCE
# What changes the nearest centres of some units: their places, their similarities to all centres, all labels.
Settle = Callable[[np.ndarray, np.ndarray], int]


@dataclass(frozen=True, eq=False)
class Directions:
    """Groups of units by direction.

    Attributes
    ----------
    labels : ndarray of int64, shape (n_units,)
        Group of every unit.
    centres : ndarray of shape (n_clusters, n_features)
        Directions of length 1.
    lengths : ndarray of shape (n_clusters,)
        Length of the sum of every group; together they are the objective.
    history : tuple of float
        Objective after every iteration.
    reseeded : tuple of int
        How many empty groups got a new unit in every iteration.
    violated : int
        Wishes that the labels do not meet.
    """

    labels: np.ndarray
    centres: np.ndarray
    lengths: np.ndarray
    history: tuple[float, ...]
    reseeded: tuple[int, ...]
    violated: int = 0

    @property
    def objective(self) -> float:
        """Sum of the similarities of all units to their centres."""
        return float(self.lengths.sum())


def unit_rows(X: Any) -> tuple[Any, np.ndarray]:
    """Return the rows in length 1, and which rows have a direction; the others are left at 0."""
    sparse = scipy.sparse.issparse(X)
    # Powers of two change no digit, and bring squares into range.
    largest = np.asarray(abs(X).max(axis=1).toarray()).ravel() if sparse else np.abs(X).max(axis=1)
    power = -np.frexp(largest)[1]
    if sparse:
        rows = np.repeat(np.arange(X.shape[0]), np.diff(X.indptr))
        values = np.ldexp(X.data.astype(np.float64), power[rows])
        length = np.sqrt(np.bincount(rows, values**2, minlength=X.shape[0]))
        values /= length[rows] + (length[rows] == 0)
        return scipy.sparse.csr_array((values, X.indices, X.indptr), shape=X.shape), length > 0
    values = np.ldexp(X, power[:, None])
    length = np.sqrt((values**2).sum(axis=1))
    return values / (length + (length == 0))[:, None], length > 0


def sizes(U: Any) -> np.ndarray:
    """Return the lengths of units."""
    if not scipy.sparse.issparse(U):
        return np.sqrt((U * U).sum(axis=1))
    squares = scipy.sparse.csr_array((U.data**2, U.indices, U.indptr), shape=U.shape)
    return np.sqrt(squares @ np.ones(U.shape[1]))


def first_centres(U: Any, n_clusters: int, rng: np.random.Generator, how: str) -> np.ndarray:
    """Return directions of units drawn at random, each more likely the worse it fits those before ("k-means++")."""
    n, length = U.shape[0], sizes(U)
    chosen: list[int] = []
    misfit = length.copy()
    for _ in range(n_clusters):
        free = np.ones(n) if how == "random" or not misfit.max() > TOLERANCE * length.max() else misfit.copy()
        free[chosen] = 0.0
        chosen.append(int(rng.choice(n, p=free / free.sum())))
        centre = dense(U[[chosen[-1]]])[0] / length[chosen[-1]]
        misfit = np.maximum(np.minimum(misfit, length - U @ centre), 0.0)
    return dense(U[chosen]) / length[chosen, None]


def group_directions(
    U: Any,
    centres: np.ndarray,
    max_iter: int,
    tol: float,
    bound: np.ndarray | None = None,
    settle: Settle | None = None,
) -> Directions:
    """Move units to their nearest centre and centres to the direction of their units, in turn.

    The sum of similarities never falls, also where an empty group gets the unit that fits its own group worst; where
    `settle` moves units it may, and the best iteration is kept.

    Parameters
    ----------
    U : ndarray or CSR array of shape (n_units, n_features)
        Rows of length 1, or sums of those that stay together; none is 0.
    centres : ndarray of shape (n_clusters, n_features)
        Directions to begin with.
    max_iter : int
        Most iterations.
    tol : float
        The end, when the objective grows by a smaller fraction.
    bound : ndarray of int, optional
        Units that `settle` may move.
    settle : callable, optional
        Is given all labels, which it changes, and the similarities of the bound units; returns how many wishes are
        not met.
    """
    length, k = sizes(U), len(centres)
    labels, history, reseeded = np.full(U.shape[0], -1), [], []
    best: Directions | None = None
    for _ in range(max_iter):
        new, own, kept = _assigned(U, centres, labels, length, bound)
        violated = settle(new, kept) if settle is not None else 0
        if bound is not None:
            own[bound] = kept[np.arange(len(bound)), new[bound]]
        same = bool((new == labels).all())
        reseeded.append(fill_empty(new, length - own, FITS * length, k))
        labels = new
        centres, lengths = _moved(U, labels, centres, k)
        history.append(float(lengths.sum()))
        found = Directions(labels.copy(), centres, lengths, (), (), violated)
        if best is None or (violated, -found.objective) < (best.violated, -best.objective):
            best = found
        gain = np.inf if len(history) < 2 else history[-1] - history[-2]
        if (same or 0 <= gain < tol * history[-1]) and not reseeded[-1]:
            break
    assert best is not None
    return replace(best, history=tuple(history), reseeded=tuple(reseeded))


def similarities(U: Any, centres: np.ndarray) -> np.ndarray:
    """Return the products of units and centres."""
    return np.asarray(U @ np.ascontiguousarray(centres.T))


def nearest(U: Any, centres: np.ndarray) -> np.ndarray:
    """Return the nearest centre of every unit, of equal ones the first."""
    return _assigned(U, centres, np.full(U.shape[0], -1), sizes(U), None)[0]


def _assigned(
    U: Any, centres: np.ndarray, labels: np.ndarray, length: np.ndarray, bound: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the nearest centres, how near they are, and all similarities of the bound units."""
    new, own = np.empty(U.shape[0], np.int64), np.empty(U.shape[0])
    for part in spans(U.shape[0], len(centres)):
        near = similarities(U[part], centres)
        new[part] = best_label(near, labels[part], TOLERANCE * length[part])
        own[part] = near[np.arange(len(near)), new[part]]
    kept = np.empty((0, len(centres))) if bound is None else similarities(U[bound], centres)
    return new, own, kept


def _moved(U: Any, labels: np.ndarray, centres: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the directions of the sums of all groups, and their lengths; a sum that vanishes keeps its centre."""
    sums = dense(rows_added(U, labels, k))
    lengths = np.sqrt((sums**2).sum(axis=1))
    stays = lengths <= TOLERANCE
    lengths[stays] = 0.0
    return np.where(stays[:, None], centres, sums / np.where(stays, 1.0, lengths)[:, None]), lengths

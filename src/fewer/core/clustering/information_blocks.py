"""Information-theoretic co-clustering (Dhillon, Mallela and Modha 2003) of a sparse joint distribution.

The row step of the paper compares p(Y|x) with q(Y|x^) = p(Y|Y^) p(Y^|x^); only sums over the columns of each group
matter for that, so that a step costs the entries of the matrix and one small product.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy.sparse
import scipy.special

from fewer.core.clustering.by_label import best_label, columns_added, fill_empty, rows_added, spans
from fewer.core.clustering.directions import FITS, first_centres, group_directions
from fewer.core.records.rounding import TOLERANCE

# Is given the labels of rows, which it changes, and of columns; returns how many wishes are not met.
Repair = Callable[[np.ndarray, np.ndarray], int]
# Iterations that spherical k-means gets to make a start.
START = 10


@dataclass(frozen=True, eq=False)
class Joint:
    """A joint distribution of rows and columns without empty ones.

    Attributes
    ----------
    P, T : CSR array
        Probabilities by rows, and the same by columns.
    rows, columns : ndarray
        Probability of every row and of every column.
    information : float
        What rows and columns tell about each other, in nats.
    """

    P: Any
    T: Any
    rows: np.ndarray
    columns: np.ndarray
    information: float

    @classmethod
    def of(cls, X: Any) -> Joint:
        """Return numbers, none negative, as probabilities that sum to 1."""
        P = scipy.sparse.csr_array(X, dtype=np.float64)
        # Powers of two keep the sum of very large, or very small, numbers in range, and change no digit.
        values = np.ldexp(P.data, -np.frexp(P.data.max(initial=0.0))[1])
        P = scipy.sparse.csr_array((values / values.sum(), P.indices, P.indptr), shape=P.shape)
        rows, columns = np.asarray(P.sum(axis=1)).ravel(), np.asarray(P.sum(axis=0)).ravel()
        places = np.repeat(np.arange(P.shape[0]), np.diff(P.indptr))
        with np.errstate(divide="ignore", invalid="ignore"):
            terms = P.data * (np.log(P.data / rows[places]) - np.log(columns[P.indices]))
        return cls(P, P.T.tocsr(), rows, columns, float(terms[P.data > 0].sum()))


@dataclass(frozen=True, eq=False)
class InformationBlocks:
    """Groups of rows and groups of columns.

    Attributes
    ----------
    rows, columns : ndarray of int64
        Group of every row and of every column.
    joint : ndarray of shape (n_row_groups, n_column_groups)
        Probability of every block.
    loss : float
        Information that the groups lose, in nats.
    history : tuple of float
        The loss at the start and after every step, of rows and of columns in turn.
    reseeded : tuple of int
        How many empty groups got a member, per entry of the history.
    violated : int
        Wishes that the labels of the rows do not meet.
    """

    rows: np.ndarray
    columns: np.ndarray
    joint: np.ndarray
    loss: float
    history: tuple[float, ...] = ()
    reseeded: tuple[int, ...] = ()
    violated: int = 0


def mutual_information(joint: np.ndarray) -> float:
    """Return what rows and columns of a table of probabilities tell about each other, in nats.

    Examples
    --------
    >>> round(mutual_information(np.array([[0.3, 0.0], [0.0, 0.3], [0.2, 0.2]])) / 0.6931471805599453, 12)
    0.6
    """
    product = joint.sum(axis=1, keepdims=True) * joint.sum(axis=0, keepdims=True)
    return float(scipy.special.rel_entr(joint, product).sum())


def inform_blocks(
    data: Joint,
    start: tuple[np.ndarray, np.ndarray],
    shape: tuple[int, int],
    max_iter: int,
    tol: float,
    repair: Repair | None = None,
) -> InformationBlocks:
    """Move rows, then columns, to the group whose distribution is nearest, until the loss falls no more.

    The loss never rises, also where an empty group gets a member, because a finer partition loses no more. Where
    `repair` moves rows it may, and the best state is kept.

    Parameters
    ----------
    data : Joint
        The distribution.
    start : tuple of two arrays of int
        Groups of rows and of columns to begin with.
    shape : tuple of two ints
        Number of groups of rows and of columns.
    max_iter : int
        Most iterations, each a step of the rows and one of the columns.
    tol : float
        The end, when an iteration saves a smaller fraction of the information of rows and columns.
    repair : callable, optional
        Is called after each step of the rows.
    """
    (rows, columns), (k, l) = (np.array(labels, np.int64) for labels in start), shape
    history, reseeded = [_loss(data, rows, columns, shape)[0]], [0]
    best: InformationBlocks | None = None
    for _ in range(max_iter):
        before = rows, columns
        rows, new = _step(data.P, data.rows, rows, columns, k, l)
        violated = 0 if repair is None else repair(rows, columns)
        history, reseeded = [*history, _loss(data, rows, columns, shape)[0]], [*reseeded, new]
        columns, new = _step(data.T, data.columns, columns, rows, l, k)
        loss, joint = _loss(data, rows, columns, shape)
        history, reseeded = [*history, loss], [*reseeded, new]
        if best is None or (violated, loss) < (best.violated, best.loss):
            best = InformationBlocks(rows.copy(), columns, joint, loss, violated=violated)
        same = bool((before[0] == rows).all() and (before[1] == columns).all())
        quiet = 0 <= history[-3] - loss <= tol * data.information
        if (same or quiet) and not any(reseeded[-2:]):
            break
    assert best is not None
    return replace(best, history=tuple(history), reseeded=tuple(reseeded))


def informed_start(data: Joint, shape: tuple[int, int], rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Return groups of rows by spherical k-means of the roots of p(Y|x), then of columns by those of p(x^|y)."""
    rows = _directed(_conditional(data.P, data.rows).sqrt(), shape[0], rng)
    profile = columns_added(data.T, rows, shape[0]) / data.columns[:, None]
    return rows, _directed(np.sqrt(profile), shape[1], rng)


def profile_worth(A: np.ndarray, joint: np.ndarray) -> np.ndarray:
    """Return sum_y^ p(y^|x) ln p(y^|x^) of every row and group; minus infinity where the group has none of what x has.

    Parameters
    ----------
    A : ndarray of shape (n_rows, n_column_groups)
        p(y^|x), each row sums to 1.
    joint : ndarray of shape (n_row_groups, n_column_groups)
        Probability of every block.
    """
    whole = joint.sum(axis=1)
    logs = np.zeros_like(joint)
    share = joint / (whole + (whole == 0))[:, None]
    np.log(share, out=logs, where=share > 0)
    worth = A @ logs.T
    missing = (A > 0).astype(np.float64) @ (share == 0).T.astype(np.float64)
    worth[missing > 0.5] = -np.inf
    return worth


def own_divergence(data: Joint, some: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """Return sum_y p(y|x) ln [p(y|x) / p(y|y^)] of some rows: what `profile_worth` leaves out of the divergence."""
    groups = np.bincount(columns, data.columns)
    P = data.P[some]
    places = np.repeat(np.arange(len(some)), np.diff(P.indptr))
    here = P.data / data.rows[some][places]
    terms = scipy.special.rel_entr(here, (data.columns / groups[columns])[P.indices])
    return np.bincount(places, terms, minlength=len(some))


def nearest_profile(A: np.ndarray, joint: np.ndarray) -> np.ndarray:
    """Return the nearest group of new rows; where all are infinitely far, the one that lacks least of the row."""
    worth = profile_worth(A, joint)
    far = ~np.isfinite(worth.max(axis=1))
    if far.any():
        outside = A[far] @ (joint == 0).T.astype(np.float64)
        outside[:, joint.sum(axis=1) == 0] = np.inf
        worth[far] = -outside
    return best_label(worth, np.full(len(A), -1), TOLERANCE * (1 + np.abs(worth.max(axis=1))))


def _conditional(P: Any, mass: np.ndarray) -> Any:
    values = P.data / np.repeat(mass, np.diff(P.indptr))
    return scipy.sparse.csr_array((values, P.indices, P.indptr), shape=P.shape)


def _directed(U: Any, n_groups: int, rng: np.random.Generator) -> np.ndarray:
    return group_directions(U, first_centres(U, n_groups, rng, "k-means++"), START, 1e-4).labels


def _loss(data: Joint, rows: np.ndarray, columns: np.ndarray, shape: tuple[int, int]) -> tuple[float, np.ndarray]:
    """Return the information that groups lose, and the probabilities of the blocks."""
    joint = np.asarray(rows_added(columns_added(data.P, columns, shape[1]), rows, shape[0]))
    # Rounding must not make a loss of nothing negative.
    return max(data.information - mutual_information(joint), 0.0), joint


def _step(P: Any, mass: np.ndarray, labels: np.ndarray, others: np.ndarray, k: int, l: int) -> tuple[np.ndarray, int]:
    """Return the nearest group of every row given groups of columns, and how many empty groups got one."""
    A = columns_added(P, others, l)
    joint = np.asarray(rows_added(A, labels, k))
    A /= mass[:, None]
    new, worst = np.empty_like(labels), np.empty(len(labels))
    for part in spans(len(labels), k + l):
        worth = profile_worth(A[part], joint)
        line = worth.max(axis=1)
        # A row that no group can hold stays; that is never so in a group that holds it.
        slack = np.where(np.isfinite(line), TOLERANCE * (1 + np.abs(line)), 0.0)
        new[part] = best_label(worth, labels[part], slack)
        own = np.where(np.isfinite(line), worth[np.arange(len(worth)), new[part]], 0.0)
        worst[part] = mass[part] * (scipy.special.xlogy(A[part], A[part]).sum(axis=1) - own)
    return new, fill_empty(new, worst, FITS * mass, k)

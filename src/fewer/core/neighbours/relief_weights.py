"""The weights of ReliefF and RReliefF: how much more a feature differs from near misses than from near hits."""

from __future__ import annotations

from typing import Any

import numpy as np

from fewer.core.neighbours.spaces import Space
from fewer.core.neighbours.sums import neighbour_sums
from fewer.core.neighbours.topk import Slots
from fewer.core.records.errors import InputError

# Below this fraction of all rows a sum of differences of the target is round-off.
NOTHING = 1e-12


def relieff_weights(
    run: Any, space: Space, y: np.ndarray, shares: np.ndarray, k: int, rows: np.ndarray | None = None, **more: Any
) -> np.ndarray:
    """Return the weight of every feature by Algorithm 9.3.1 of the book.

    Parameters
    ----------
    run : Runner
        Its threads do the work.
    space : Space
        The rows.
    y : ndarray of int of shape (n_rows,)
        Class number of every row.
    shares : ndarray of shape (n_classes,)
        Fraction of every class, or what stands for it.
    k : int
        Neighbours of each class.
    rows : ndarray of int, optional
        The rows that look for neighbours; all if not given.
    **more
        ``sigma``, ``average_ties`` and ``part`` of `neighbour_sums`; the weights of parts add up.
    """
    slots = Slots.by_class(y, len(shares))
    sums = neighbour_sums(run, space, k, slots, class_factors(shares), rows=rows, **more)
    return sums.differences[0] / (space.n_rows if rows is None else len(rows))


def rrelieff_weights(
    run: Any, space: Space, y: np.ndarray, k: int, rows: np.ndarray | None = None, **more: Any
) -> np.ndarray:
    """Return the weight of every feature by Algorithm 9.3.2 of the book, for a target of numbers; see above."""
    return weights_of_sums(*rrelieff_sums(run, space, y, k, rows, **more))


def rrelieff_sums(
    run: Any, space: Space, y: np.ndarray, k: int, rows: np.ndarray | None = None, **more: Any
) -> tuple[np.ndarray, np.ndarray, float, float]:
    """Return the sums of Algorithm 9.3.2: N_dF, N_dY&dF, N_dY and the number of rows; those of parts add up."""
    n, span = space.n_rows, float(y.max() - y.min())
    position = (y - y.min()) / (span if span > 0 else 1.0)

    def by_target(rows: np.ndarray, others: np.ndarray) -> np.ndarray:
        return np.stack([np.ones(len(rows)), np.abs(position[rows] - position[others])])

    slots = Slots.one(n, n)
    sums = neighbour_sums(run, space, k, slots, np.ones((1, 1)), rows=rows, multiply=by_target, **more)
    return sums.differences[0], sums.differences[1], float(sums.weights[1]), float(sums.weights[0])


def weights_of_sums(n_df: np.ndarray, n_both: np.ndarray, n_dy: float, m: float) -> np.ndarray:
    """Return the weights of Algorithm 9.3.2 from its sums over m rows; a part that would divide by zero is 0."""
    weights = np.zeros(len(n_df))
    if n_dy > NOTHING * m:
        weights += n_both / n_dy
    if m - n_dy > NOTHING * m:
        weights -= (n_df - n_both) / (m - n_dy)
    return weights


def class_factors(shares: np.ndarray) -> np.ndarray:
    """Return what neighbours of a class (column) count for a row of a class (row): -1 the own, p_y / (1 - p) others."""
    rest = 1.0 - shares
    factors = np.where(rest > 0, 1.0 / np.where(rest > 0, rest, 1.0), 0.0)[:, None] * shares
    np.fill_diagonal(factors, -1.0)
    return factors


def class_shares(y: np.ndarray, n_classes: int) -> np.ndarray:
    """Return the fraction of every class among the rows."""
    return np.bincount(y, minlength=n_classes) / len(y)


def sampled_rows(
    name: str, n_samples: int | None, n_rows: int, random_state: Any, kind: str = "rows"
) -> np.ndarray | None:
    """Return the rows that ask for neighbours, drawn without replacement and sorted; None stands for all."""
    if n_samples is None:
        return None
    if n_samples > n_rows:
        raise InputError(
            f"{name} got n_samples={n_samples}, but X has {n_rows} {kind} and none is drawn twice; give at most that "
            f"many, or None for all {kind}."
        )
    return np.sort(np.random.default_rng(random_state).choice(n_rows, n_samples, replace=False))

"""Rows in groups by normalised cuts of a graph of similar rows (Shi and Malik 2000)."""

from __future__ import annotations

import numpy as np
import scipy.linalg
import scipy.spatial.distance

from fewer.core.records.rounding import TOLERANCE

# Numbers are at most so many robust deviations from the middle: one far row must not make all others alike.
FAR = 6.0
# Rows are never less similar than by so many powers of e, so that every row is tied to others.
APART = 30.0
# Half the spread of a normal sample in its quartiles.
QUARTILES = 1.3489795003921634


def alone(n_rows: int) -> int:
    """Return how many rows are too few for a state."""
    return max(1, n_rows // 100) if n_rows >= 10 else 0


def robust_columns(X: np.ndarray) -> np.ndarray:
    """Return columns about their medians in robust deviations, no further than `FAR`; constant ones are 0.

    The largest and the smallest hundredth of a column, at least one number each from ten rows on, are brought to the
    next number inside: what one row has alone is no state.
    """
    few = alone(len(X))
    ends = np.partition(X, [few, len(X) - 1 - few], axis=0)
    X = np.clip(X, ends[few], ends[len(X) - 1 - few])
    low, middle, high = np.quantile(X, [0.25, 0.5, 0.75], axis=0)
    moved = X / 2 - middle / 2
    spread = (high / 2 - low / 2) / QUARTILES
    # Half of the numbers may be equal.
    spread = np.where(spread > 0, spread, np.abs(moved).mean(axis=0))
    with np.errstate(over="ignore"):
        return np.clip(moved / np.where(spread > 0, spread, 1.0), -FAR, FAR)


def similar_rows(rows: np.ndarray) -> np.ndarray:
    """Return how similar rows are: exp(-d^2 / (2 m)), m the median of the squared distances; a row with itself 0."""
    squares = scipy.spatial.distance.pdist(rows, "sqeuclidean")
    apart = squares[squares > TOLERANCE]
    middle = float(np.median(apart)) if len(apart) else 1.0
    return scipy.spatial.distance.squareform(np.exp(-np.minimum(squares / (2 * middle), APART)))


def cut_in_two(W: np.ndarray) -> tuple[np.ndarray, float]:
    """Return which rows are on the other side of the cut, and its value cut/vol(A) + cut/vol(B).

    Rows are ordered by the second generalised eigenvector of (D - W) y = a D y; of all places to cut that order the one
    of the smallest value wins. Values that are equal up to rounding: the more even cut, then the first.
    """
    n, degree = len(W), W.sum(axis=1)
    root = np.sqrt(degree)
    _, vectors = scipy.linalg.eigh(W / np.outer(root, root), subset_by_index=[n - 2, n - 1])
    place = vectors[:, 0] / root
    # The sign of a vector is free: the first row is on the lower side.
    place = place if place[0] <= np.median(place) else -place
    order = np.argsort(np.round(place / max(np.abs(place).max(), TOLERANCE), 9), kind="stable")
    sorted_places = np.round(place[order] / max(np.abs(place).max(), TOLERANCE), 9)
    volume = np.cumsum(degree[order])[:-1]
    inner = np.diag(np.cumsum(np.cumsum(W[np.ix_(order, order)], axis=0), axis=1))[:-1]
    crossing = np.maximum(volume - inner, 0.0)
    value = crossing / volume + crossing / (degree.sum() - volume)
    value[np.diff(sorted_places) == 0] = np.inf
    if not np.isfinite(value).any():
        return np.zeros(n, bool), np.inf
    near = np.flatnonzero(value <= value.min() + 1e-9)
    best = int(near[np.argmin(np.abs(near + 1 - n / 2), axis=0)])
    other = np.zeros(n, bool)
    other[order[best + 1 :]] = True
    return other, float(value[best])


def cut_rows(rows: np.ndarray, n_groups: int) -> tuple[np.ndarray, float]:
    """Return groups of rows, made by cutting the group with the best cut again and again, and the sum of the cuts.

    Rows of one group all of which are equal are not cut; there may then be fewer groups.
    """
    W = similar_rows(rows)
    labels, total = np.zeros(len(rows), np.int64), 0.0
    cuts: dict[int, tuple[np.ndarray, float]] = {}
    while labels.max() + 1 < n_groups:
        for group in set(labels.tolist()) - set(cuts):
            inside = np.flatnonzero(labels == group)
            alike = len(inside) < 2 or float(np.ptp(rows[inside], axis=0).max(initial=0.0)) <= TOLERANCE
            cuts[group] = (np.zeros(len(inside), bool), np.inf) if alike else cut_in_two(W[np.ix_(inside, inside)])
        group = min(cuts, key=lambda g: (cuts[g][1], g))
        other, value = cuts.pop(group)
        if not np.isfinite(value):
            break
        labels[np.flatnonzero(labels == group)[other]] = labels.max() + 1
        total += value
    # Numbered by their first rows.
    first = np.unique(labels, return_index=True)[1]
    return np.argsort(np.argsort(first))[labels], total

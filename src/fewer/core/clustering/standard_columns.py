"""Columns of mean 0 and variance 1, for models whose numbers depend on units."""

from __future__ import annotations

import numpy as np

# Values of a column of variance 1 that differ by no more are the same.
SAME = 1e-6


def standard_columns(X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return columns of mean 0 and variance 1, and which ones are constant; those are 0.

    Differences from the first value keep their digits where a column lies far from 0, and are divided by the largest
    before they are squared, so that units do not matter.

    Examples
    --------
    >>> Z, constant = standard_columns(np.array([[1e9, 5.0], [1e9 + 2.0, 5.0]]))
    >>> Z.tolist(), constant.tolist()
    ([[-1.0, 0.0], [1.0, 0.0]], [False, True])
    """
    given = np.asarray(X)
    constant = (given == given[:1]).all(axis=0)
    # Halves, because the difference of two large numbers of other signs may overflow.
    out = 0.5 * given.astype(np.float64)
    out -= out[:1].copy()
    largest = np.abs(out).max(axis=0, initial=0.0)
    constant |= largest == 0
    out /= np.where(constant, 1.0, largest)
    out -= out.mean(axis=0)
    size = np.sqrt((out**2).mean(axis=0))
    out /= np.where(constant, 1.0, size)
    out[:, constant] = 0.0
    return np.ascontiguousarray(out), constant


def rounding_variances(Z: np.ndarray) -> np.ndarray:
    """Return the least variance of a Gaussian in each column: h^2 / (2 pi) for values that are h apart at least.

    A value stands for an interval of width h, and a Gaussian with a density above 1 / h would give it a probability
    above 1. Next to nothing unless values repeat, because many values that do not are close to each other somewhere.

    Examples
    --------
    >>> rounding_variances(np.array([[0.0], [0.6], [1.8], [0.6]])).round(6).tolist()
    [0.057296]
    """
    gaps = np.diff(np.sort(Z, axis=0), axis=0)
    # What differs by rounding of the machine is equal.
    steps = np.where(gaps > SAME, gaps, np.inf).min(axis=0, initial=np.inf)
    return np.asarray(np.where(np.isfinite(steps), steps, 0.0) ** 2 / (2.0 * np.pi))


def distinct_rows(X: np.ndarray, most: int) -> np.ndarray:
    """Return the numbers of the first ``most`` rows that differ from those before them.

    Examples
    --------
    >>> distinct_rows(np.array([[1.0], [1.0], [2.0], [3.0]]), 2).tolist()
    [0, 2]
    """
    seen: set[bytes] = set()
    out = []
    for i, row in enumerate(np.ascontiguousarray(X) + 0.0):
        key = row.tobytes()
        if key not in seen:
            seen.add(key)
            out.append(i)
            if len(out) == most:
                break
    return np.array(out, dtype=np.int64)

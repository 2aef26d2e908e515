"""Which columns are held as bits: levels, and numbers of few values at equal steps."""

from __future__ import annotations

import numpy as np

from fewer.core.kernels import few_values
from fewer.core.neighbours.gapped_space import GAP, MOST_CLASSES, MOST_GAPPED_LEVELS, gapped_space
from fewer.core.neighbours.joint_space import SpacePart
from fewer.core.neighbours.level_space import MOST_LEVELS, level_space
from fewer.core.neighbours.spaces import Space

# A number that rises in so many steps is as many bits; with more it is faster to subtract.
MOST_STEPS = 4
# Fewer columns than bits of a word gain nothing.
FEWEST_COLUMNS = 64
# Rows that are looked at before all are.
SAMPLE = 64


def few_valued(
    X: np.ndarray,
    low: np.ndarray,
    width: np.ndarray,
    nominal: np.ndarray,
    complete: np.ndarray,
    most_steps: int,
    label: np.ndarray,
    squared: bool = False,
) -> list[SpacePart]:
    """Return the columns that bits hold, as parts of a space; none where it would not pay.

    A number with two values differs by 0 or 1, as levels do. One that takes whole numbers in a range of m differs by
    the fraction of the m steps that lie between two values, each of which is a bit.

    Parameters
    ----------
    X : ndarray of shape (n_rows, n_features)
        Numbers, level numbers in nominal columns, NaN where a value is missing.
    low, width : ndarray of shape (n_features,)
        The smallest number of every column, and its range.
    nominal, complete : ndarray of bool of shape (n_features,)
        Which columns hold levels, and which have no missing values.
    most_steps : int
        How many steps a number may have.
    label : ndarray of int of shape (n_rows,)
        Classes, whose known values stand for missing ones.
    squared : bool, default=False
        Whether differences are squared.
    """
    most = np.where(complete, MOST_LEVELS, MOST_GAPPED_LEVELS if label.max(initial=0) < MOST_CLASSES else 0)
    levels = np.flatnonzero(nominal & (low >= 0) & (low + width < most))
    steps = _steps(X, low, width, np.flatnonzero(~nominal & (most > 0) & (width > 0)), most_steps)
    n_steps = int(np.count_nonzero(steps))
    # Beside numbers that must be subtracted anyway, a few bits save nothing.
    if not len(levels) and 2 * n_steps < X.shape[1]:
        n_steps = 0
    if len(levels) + n_steps < FEWEST_COLUMNS:
        return []
    if not n_steps:
        steps[:] = 0
    parts, two = [], np.flatnonzero(steps == 1)
    for kind in (complete, ~complete):
        some, pairs = levels[kind[levels]], two[kind[two]]
        if len(some) + len(pairs):
            columns = np.empty((len(some) + len(pairs), len(X)), np.uint8)
            few_values.write_levels(X, some, np.uint8(GAP), columns[: len(some)])
            few_values.write_above(X, pairs, low[pairs], np.uint8(GAP), columns[None, len(some) :])
            sizes = np.concatenate([(low + width)[some].astype(np.int64) + 1, np.full(len(pairs), 2)])
            space = _space(columns, sizes, label, squared, kind is complete)
            parts.append(SpacePart(space, np.concatenate([some, pairs])))
        for m in range(2, most_steps + 1):
            which = np.flatnonzero((steps == m) & kind)
            if len(which):
                # A whole number from 0 to m is m bits: whether it is beyond each step.
                columns = np.empty((m, len(which), len(X)), np.uint8)
                few_values.write_above(X, which, low[which], np.uint8(GAP), columns)
                columns, sizes = columns.reshape(-1, len(X)), np.full(m * len(which), 2)
                space = _space(columns, sizes, label, squared, kind is complete)
                parts.append(SpacePart(space, np.tile(which, m), 1.0 / m))
    return parts


def _space(columns: np.ndarray, sizes: np.ndarray, label: np.ndarray, squared: bool, complete: bool) -> Space:
    return level_space(columns, sizes) if complete else gapped_space(columns, sizes, label, squared)


def _steps(X: np.ndarray, low: np.ndarray, width: np.ndarray, which: np.ndarray, most: int) -> np.ndarray:
    """Return in how many equal steps each column rises, 0 where they are more than wanted or not equal."""
    steps = np.zeros(X.shape[1], np.int64)
    two, whole = np.ones(len(which), bool), np.ones(len(which), bool)
    numbers = X.dtype.kind == "f"
    # A look at some rows spares most columns the look at all; whole numbers need no look at whether they are whole.
    for rows in (slice(0, SAMPLE), slice(SAMPLE, None)):
        open_ = (two & (width[which] != 1.0)) | (numbers & whole & (width[which] <= most))
        at = np.flatnonzero(open_)
        some, still = which[at], (two[at], whole[at])
        few_values.refute_steps(X[rows], some, low[some], width[some], *still)
        two[at], whole[at] = still
    steps[which] = np.where(two, 1, np.where(whole & (width[which] <= most), np.rint(width[which]), 0))
    return steps

"""Which columns have other values in some rows than in others: in the second half than in the first, or in a group."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from fewer.core.hygiene.log_tail import log_tail
from fewer.core.hygiene.look import Looks
from fewer.core.hygiene.strata import Strata

# From which population stability index on values are said to drift: 0.25 is the usual line of a large change. Files
# are often in some order, so that more is asked of their halves than of given groups.
STABILITY, OF_HALVES = 0.25, 0.5
# The chance that any column of noise is said to drift.
CHANCE = 1e-3
# Levels with fewer rows than this are taken together.
FEW = 10
# A column that changes from row to row less often than this part of what a random order would make is sorted.
SORTED = 0.1
# If more columns than this part drift, that is said of the rows, not of the columns.
NATURE, MANY = 0.05, 5
ALL_ROWS = -1


def stability(counted: Strata) -> tuple[np.ndarray, np.ndarray]:
    """Return the population stability index of every column, and whether it is more than noise.

    What noise adds to the index is taken off. The two halves of the rows have equally many rows of each class. Given
    groups need not, so that they are compared within each class, and the index is the mean; of several groups it is the
    one of each group against the others, the largest.
    """
    parts = counted.table.shape[2]
    if counted.halves:
        counted = replace(counted, table=counted.table.sum(axis=1, keepdims=True))
    both = [_against(counted, part) for part in range(1 if parts == 2 else parts)]
    index, log_chance = np.stack([one for one, _ in both]), np.stack([one for _, one in both])
    best = np.argmax(index, axis=0)[None]
    sure = np.take_along_axis(log_chance, best, axis=0)[0] + np.log(index.size) < np.log(CHANCE)
    return np.take_along_axis(index, best, axis=0)[0], sure


def _against(counted: Strata, part: int) -> tuple[np.ndarray, np.ndarray]:
    """Compare one part of the rows with the others."""
    d = len(counted.offsets) - 1
    column = counted.columns_of()
    index, statistic, dof = np.zeros(d), np.zeros(d), np.zeros(d)
    whole = counted.table.sum() / d
    for k in range(counted.table.shape[1]):
        own = counted.table[:, k, part].astype(float)
        other = counted.table[:, k].sum(axis=1) - own
        few = own + other < FEW
        cells = [(np.where(few, 0.0, own), np.where(few, 0.0, other), column)]
        mine, theirs = (counted.per_column(np.where(few, side, 0.0)) for side in (own, other))
        cells.append((mine, theirs, np.arange(d)))
        a, b = counted.per_column(own), counted.per_column(other)
        if min(a.max(), b.max()) < FEW:
            continue
        levels = np.zeros(d)
        psi, chi = np.zeros(d), np.zeros(d)
        for mine, theirs, at in cells:
            here = mine + theirs > 0
            p, q = (mine + 0.5) / (a[at] + 1), (theirs + 0.5) / (b[at] + 1)
            levels += np.bincount(at, here, d)
            psi += np.bincount(at, np.where(here, (p - q) * np.log(p / q), 0.0), d)
            expected = (mine + theirs) * a[at] / (a[at] + b[at])
            rest = np.maximum(mine + theirs - expected, 1e-300)
            gap = (mine - expected) ** 2 * (1 / np.maximum(expected, 1e-300) + 1 / rest)
            chi += np.bincount(at, np.where(here, gap, 0.0), d)
        free = np.maximum(levels - 1, 0)
        share = (a + b) / whole
        index += share * (psi - free * (1 / np.maximum(a, 1) + 1 / np.maximum(b, 1)))
        statistic, dof = statistic + chi, dof + free
    return index, log_tail(statistic, np.maximum(dof, 1))


def drifting(counted: Strata, looks: Looks, skip: np.ndarray) -> dict[int, str]:
    """Return the columns that drift, and by how much; not those by which the rows are sorted."""
    index, sure = stability(counted)
    line = OF_HALVES if counted.halves else STABILITY
    drifts = sure & (index >= line) & ~skip & ~_sorted(counted, looks)
    if drifts.sum() > max(MANY, NATURE * len(drifts)):
        part = f"{int(drifts.sum()):,} of {len(drifts):,} columns have other values"
        order = "the rows are in an order that matters, and shuffling them hides it"
        return {ALL_ROWS: f"{part} in one part of the rows than in the others: {order}"}
    where = "in the second half of the rows than in the first" if counted.halves else "in one row group than in others"
    return {
        int(j): f"other values {where} (population stability index {index[j]:.2f}, {line} is large)"
        for j in np.flatnonzero(drifts)
    }


def _sorted(counted: Strata, looks: Looks) -> np.ndarray:
    """Return by which columns the rows are sorted, or nearly so."""
    rows = counted.by_level.astype(float)
    total = counted.per_column(rows)
    same = counted.per_column(rows**2) / np.maximum(total, 1) ** 2
    changes = looks.steps[:, 2] + looks.steps[:, 3]
    expected = (1 - same) * looks.n_rows
    one_way = looks.steps[:, 2:].min(axis=1) < 0.01 * looks.n_rows
    return (changes < SORTED * expected) | one_way

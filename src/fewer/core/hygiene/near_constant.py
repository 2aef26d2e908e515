"""Columns with little in them: mostly missing, or one value in nearly all rows."""

from __future__ import annotations

import numpy as np

from fewer.core.hygiene.leaks import log_chance
from fewer.core.hygiene.look import Looks
from fewer.core.hygiene.strata import Strata

MOSTLY = 0.5
# What part of the rows may have another value than the most frequent one; one may, from this number of rows on.
OTHERS, LEAST_ROWS = 0.005, 100
# If more columns than this part are near-constant, that is the nature of the data, as of counts of words.
NATURE, MANY = 0.1, 5
CHANCE = 0.01


def mostly_missing(looks: Looks, skip: np.ndarray, fraction: float = MOSTLY) -> dict[int, str]:
    """Return the columns of which more than this fraction is missing, and how much."""
    part = looks.missing / looks.n_rows
    return {int(j): f"{part[j]:.1%} of its values are missing" for j in np.flatnonzero((part > fraction) & ~skip)}


def near_constant(looks: Looks, counted: Strata, skip: np.ndarray) -> dict[int, str]:
    """Return the columns with one value in nearly all rows, unless the others tell of the target."""
    most = counted.largest(counted.by_level)
    rows = counted.per_column(counted.by_level)
    near = (rows - most <= np.maximum(1, OTHERS * rows)) & ~skip & ~looks.constant
    if looks.n_rows < LEAST_ROWS or near.sum() > max(MANY, NATURE * len(near)):
        return {}
    if counted.n_known > 1:
        near &= log_chance(counted) + np.log(len(near)) > np.log(CHANCE)
    return {
        int(j): f"one value in all rows but {rows[j] - most[j]:.0f} of {looks.n_rows:,}" for j in np.flatnonzero(near)
    }

"""Which columns give a target of numbers away by its ranges: bands of it, or missing where it is low or high."""

from __future__ import annotations

import numpy as np

from fewer.core.hygiene.look import Looks
from fewer.core.hygiene.strata import Strata

# How much of what levels of such sizes could tell of the order of the target they must tell.
TOLD = 0.98
# At least this part of the rows, and so many of them, must have another level than the most frequent one: a rare mark
# may well be that of the largest targets.
OTHERS, FEWEST = 0.1, 20
# More levels than these are no bands but a column of numbers, and there must be so many rows of each on average.
MOST_LEVELS, ROWS_PER_LEVEL = 19, 10


def fraction_told(table: np.ndarray) -> float:
    """Return how much levels tell of the order of a target, as a part of what levels of such sizes could tell.

    That is the variance of the mean rank of the target between levels (R squared times the variance), divided by the
    same of levels that lie one after another along the target: 1 for bands of it.

    Parameters
    ----------
    table : ndarray of shape (n_levels, n_bins)
        How many rows each level has in each bin of the target, the lowest bin first.
    """
    table = np.asarray(table, dtype=float)
    table = table[table.sum(axis=1) > 0]
    sizes, columns = table.sum(axis=1), table.sum(axis=0)
    upper = np.cumsum(columns)
    # The mean rank of each bin, less the mean of all.
    place = (upper - columns / 2) / max(sizes.sum(), 1.0) - 0.5
    order = np.argsort(table @ place / sizes, kind="stable")
    ends = np.cumsum(sizes[order])
    common = np.minimum(ends[:, None], upper) - np.maximum(ends[:, None] - sizes[order][:, None], upper - columns)
    best = float(((np.maximum(common, 0.0) @ place) ** 2 / sizes[order]).sum())
    return float(((table @ place) ** 2 / sizes).sum()) / best if best > 1e-12 else 0.0


def bands(looks: Looks, counted: Strata, skip: np.ndarray, sure: np.ndarray) -> dict[int, str]:
    """Return the columns that are bands of a target of numbers, or are missing where it is low or high, and how.

    Parameters
    ----------
    looks, counted : Looks, Strata
        What was seen of the columns.
    skip : ndarray of bool
        Columns that are left out.
    sure : ndarray of bool
        Columns that tell more than chance does.
    """
    found: dict[int, str] = {}
    for j in np.flatnonzero(sure & ~skip & (looks.missing < looks.n_rows)).tolist():
        table = counted.by_class[counted.offsets[j] : counted.offsets[j + 1]]
        if looks.missing[j]:
            both = np.stack([table[-1], table[:-1].sum(axis=0)])
            told = _told(both)
            if told >= TOLD:
                found[j] = _missing_words(both, told)
                continue
            table = table[:-1]
        told, levels = _told(table), int((table.sum(axis=1) > 0).sum())
        if told >= TOLD and 2 * looks.missing[j] < looks.n_rows:
            where = ", where it is given," if looks.missing[j] else ""
            found[j] = (
                f"its {levels} values{where} divide the target into ranges that do not overlap or hardly do "
                f"({told:.1%} of what so many ranges can tell): is it made of the target, or known beforehand?"
            )
    return found


def _told(table: np.ndarray) -> float:
    """Return how much a few levels tell; 0 where they are too many or too uneven."""
    sizes = table.sum(axis=1)
    rows, levels = int(sizes.sum()), int((sizes > 0).sum())
    others = rows - int(sizes.max(initial=0))
    if not 2 <= levels <= min(MOST_LEVELS, rows // ROWS_PER_LEVEL) or others < max(FEWEST, OTHERS * rows):
        return 0.0
    return fraction_told(table)


def _missing_words(both: np.ndarray, told: float) -> str:
    """Say which targets rows have in which a column is missing."""
    absent, given = (both @ np.arange(both.shape[1])) / both.sum(axis=1)
    which = "highest" if absent > given else "lowest"
    part = both[0].sum() / both.sum()
    return (
        f"it is missing in the {part:.0%} of the rows with the {which} targets ({told:.1%} of what missing values can "
        "tell): is it known beforehand?"
    )

"""P-values of contingency tables whose counts are too small for the chi-squared approximation.

All are conditional on both margins, under which the classes of the rows are a random permutation, and all ask for the
probability of a table whose statistic is at least as large as that of the observed one: the p-value is that of the
score. Streamed counts give the same p-values as rows in memory, for nothing but the counts is used.
"""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from fewer.core.kernels.exact_tables import GINI, INFORMATION, PEARSON, fisher_tails
from fewer.core.measures._tables import Margins, ratio
from fewer.core.measures.table_nulls import Null
from fewer.core.summaries.results import Counts

KINDS = {"chi2": PEARSON, "information": INFORMATION, "gini": GINI}
# Below these expected counts in some cell the approximation is not trusted. Sums for two by two are cheap, and its
# steps are coarse, so they are taken earlier.
FEWEST, FEWEST_OF_TWO = 5.0, 20.0


def exact_pvalues(counts: Counts, approximate: np.ndarray, statistic: str) -> np.ndarray:
    """Return p-values, exact ones for tables with small expected counts and those given for all others.

    Two levels and two classes: hypergeometric sums, if an expected count is below 20. Other tables, if one is below 5:
    see `Null`. Weights that are not whole numbers count no rows; their p-values are left as they are.

    Parameters
    ----------
    counts : Counts
        Levels by classes.
    approximate : ndarray of shape (n_features,)
        P-values of the chi-squared approximation.
    statistic : {"chi2", "information", "gini"}
        What tables are ordered by. With fixed margins the gain ratio, the distance and the symmetrical uncertainty have
        the order of the information.

    Returns
    -------
    ndarray of shape (n_features,)

    Examples
    --------
    >>> pvalues = exact_pvalues(Counts(np.array([[48, 0], [0, 2]]), np.array([0, 2])), np.zeros(1), "chi2")
    >>> round(float(pvalues[0]), 6)
    0.000816
    """
    tables = Margins.of(counts)
    smallest, two = _smallest_expected(tables), tables.dof == 1
    small = (tables.dof > 0) & (smallest < np.where(two, FEWEST_OF_TWO, FEWEST))
    if not small.any() or not (counts.table.dtype.kind in "iu" or (tables.cells == np.rint(tables.cells)).all()):
        return approximate
    out, kind = np.array(approximate, dtype=np.float64), KINDS[statistic]
    of_two = np.flatnonzero(small & two)
    if len(of_two):
        out[of_two] = _of_two_by_two(counts, of_two, kind)
    others = np.flatnonzero(small & ~two)
    if len(others):
        out[others] = _of_tables(counts, others, kind, out[others])
    return out


def _smallest_expected(tables: Margins) -> np.ndarray:
    """Return the smallest expected count among levels and classes that occur, infinity of none, per feature."""
    starts = tables.counts.offsets[:-1]
    level = np.minimum.reduceat(np.where(tables.rows > 0, tables.rows, np.inf), starts)
    column = np.where(tables.columns > 0, tables.columns, np.inf).min(axis=1)
    return ratio(level * column, tables.total, otherwise=np.inf)


def _occurring(counts: Counts, j: int) -> np.ndarray:
    """Return the table of one feature, whole numbers, without empty levels and classes."""
    table = np.rint(counts.of(j)).astype(np.int64)
    return table[table.any(axis=1)][:, table.any(axis=0)]


def _of_two_by_two(counts: Counts, features: np.ndarray, kind: int) -> np.ndarray:
    if counts.n_columns == 2 and (np.diff(counts.offsets)[features] == 2).all():
        tables = np.rint(counts.table[counts.offsets[features][:, None] + [0, 1]]).astype(np.int64)
    else:
        tables = np.stack([_occurring(counts, j) for j in features.tolist()])
    out = np.empty(len(features))
    row, column, total = tables[:, 0].sum(axis=1), tables[:, :, 0].sum(axis=1), tables.sum(axis=(1, 2))
    fisher_tails(kind, np.ascontiguousarray(tables[:, 0, 0]), row, column, total, out)
    return out


def _of_tables(counts: Counts, features: np.ndarray, kind: int, approximate: np.ndarray) -> np.ndarray:
    """Return the p-values of larger tables; features with equal margins share one null distribution."""
    groups: dict[tuple[bytes, bytes], list[int]] = defaultdict(list)
    tables = [_occurring(counts, j) for j in features.tolist()]
    for place, table in enumerate(tables):
        margins = np.sort(table.sum(axis=1)), np.sort(table.sum(axis=0))
        groups[margins[0].tobytes(), margins[1].tobytes()].append(place)
    out = np.empty(len(features))
    for members in groups.values():
        first = tables[members[0]]
        null = Null(kind, np.sort(first.sum(axis=1)), np.sort(first.sum(axis=0)))
        observed = np.array([null.statistic(tables[i]) for i in members])
        out[members] = null.tails(observed, approximate[members])
    return out

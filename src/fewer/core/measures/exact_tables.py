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
from fewer.core.measures.table_tails import Tails, settle_all
from fewer.core.summaries.results import Counts

KINDS = {"chi2": PEARSON, "information": INFORMATION, "gini": GINI}
# Below this expected count in some cell the approximation is not trusted; below the second one it is not if it is small
# and some level or class holds less than this fraction of the rows, where the tail is heavier than that of chi-squared.
FEWEST, FEWEST_OF_UNEVEN, UNEVEN, DOUBTED = 5.0, 20.0, 0.1, 0.02


def exact_pvalues(counts: Counts, approximate: np.ndarray, statistic: str) -> np.ndarray:
    """Return p-values, exact ones for tables with small expected counts and those given for all others.

    Two levels and two classes: hypergeometric sums. Other tables, if an expected count is below 5, or below 20 where a
    level or class holds less than a tenth of the rows and the approximation is below 0.02: see `settle_all`. Sums of
    weights are rounded to whole numbers of rows for that. No p-value is smaller than the probability of the table
    itself.

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
    (smallest, rarest), two = _smallest(tables), tables.dof == 1
    doubted = (smallest < FEWEST_OF_UNEVEN) & (rarest < UNEVEN) & (approximate < DOUBTED)
    out, kind = np.array(approximate, dtype=np.float64), KINDS[statistic]
    for of_kind, some in ((_of_two_by_two, two), (_of_tables, (tables.dof > 1) & ((smallest < FEWEST) | doubted))):
        chosen = np.flatnonzero(some)
        if len(chosen):
            out[chosen] = of_kind(counts, chosen, kind, out[chosen])
    return out


def _smallest(tables: Margins) -> tuple[np.ndarray, np.ndarray]:
    """Return the smallest expected count, and the smallest fraction of a level or class, of those that occur."""
    starts = tables.counts.offsets[:-1]
    level = np.minimum.reduceat(np.where(tables.rows > 0, tables.rows, np.inf), starts)
    column = np.where(tables.columns > 0, tables.columns, np.inf).min(axis=1)
    expected = ratio(level * column, tables.total, otherwise=np.inf)
    return expected, ratio(np.minimum(level, column), tables.total, otherwise=np.inf)


def _occurring(counts: Counts, j: int) -> np.ndarray:
    """Return the table of one feature, whole numbers, without empty levels and classes."""
    table = np.rint(counts.of(j)).astype(np.int64)
    return table[table.any(axis=1)][:, table.any(axis=0)]


def _of_two_by_two(counts: Counts, features: np.ndarray, kind: int, approximate: np.ndarray) -> np.ndarray:
    if counts.n_columns == 2 and (np.diff(counts.offsets)[features] == 2).all():
        tables = np.rint(counts.table[counts.offsets[features][:, None] + [0, 1]]).astype(np.int64)
        whole = np.arange(len(features))
    else:
        found = [_occurring(counts, j) for j in features.tolist()]
        # Weights that are small beside 1 may round to fewer levels or classes.
        whole = np.array([i for i, table in enumerate(found) if table.shape == (2, 2)], dtype=np.int64)
        tables = np.array([found[i] for i in whole.tolist()], dtype=np.int64).reshape(-1, 2, 2)
    row, column, total = tables[:, 0].sum(axis=1), tables[:, :, 0].sum(axis=1), tables.sum(axis=(1, 2))
    tails, out = np.empty(len(whole)), approximate.copy()
    fisher_tails(kind, np.ascontiguousarray(tables[:, 0, 0]), row, column, total, tails)
    out[whole] = np.where(total > 0, tails, approximate[whole])
    return out


def _of_tables(counts: Counts, features: np.ndarray, kind: int, approximate: np.ndarray) -> np.ndarray:
    """Return the p-values of larger tables; features with equal margins share one null distribution."""
    groups: dict[tuple[bytes, bytes], list[int]] = defaultdict(list)
    tables = [_occurring(counts, j) for j in features.tolist()]
    for place, table in enumerate(tables):
        if min(table.shape) > 1:
            margins = np.sort(table.sum(axis=1)), np.sort(table.sum(axis=0))
            groups[margins[0].tobytes(), margins[1].tobytes()].append(place)
    out = approximate.copy()
    tails: dict[bytes, list[tuple[list[int], Tails]]] = defaultdict(list)
    for (_, classes), members in groups.items():
        first = tables[members[0]]
        # With two classes the Gini gain and Pearson's statistic have the same order.
        one = PEARSON if kind == GINI and first.shape[1] == 2 else kind
        null = Null(one, np.sort(first.sum(axis=1)), np.sort(first.sum(axis=0)))
        observed = np.array([null.statistic(tables[i]) for i in members])
        tails[classes].append((members, Tails(null, observed, approximate[members])))
    for several in tails.values():
        settle_all([found for _, found in several])
        for members, found in several:
            lowest = [found.null.log_chance(tables[i]) for i in members]
            out[members] = np.maximum(found.pvalues, np.exp(lowest))
    return out

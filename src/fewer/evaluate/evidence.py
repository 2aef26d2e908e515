"""What rows say of features and pairs of them, whichever method chose: relevance, constants, copies, twins."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from scipy.stats import rankdata
from sklearn.metrics import normalized_mutual_info_score

from fewer.core.discretize.named import EqualFrequency
from fewer.core.folds.orders import FALSE_DISCOVERIES
from fewer.core.folds.sums import sums_of
from fewer.core.hygiene.examine import constant_columns, copies_of
from fewer.core.hygiene.strata import look_at
from fewer.core.stop.significance import adjust
from fewer.core.views.view import View
from fewer.evaluate.data import Data

# Bins of a numeric column, as the default recipe has them, and rows by which pairs are looked at.
N_BINS, MOST_ROWS = 10, 2_000
# Relevant features among which twins are looked for, nominal ones apart because their pairs are counted one by one,
# and how alike twins are.
MOST_RELATED, MOST_NOMINAL, TWINS = 2_000, 40, 0.9


def gather(data: Data, chosen: np.ndarray) -> dict[str, Any]:
    """Return what all rows say about features and pairs of them.

    Parameters
    ----------
    data : Data
        The data.
    chosen : ndarray of int
        Features that some method chose; twins are looked for among these and the relevant ones.

    Returns
    -------
    dict
        ``alone``: p-value of each feature alone being unrelated to the target, the same as `fewer.select` has;
        ``pvalue``: the same adjusted for the number of features that methods may choose from (Benjamini and Hochberg);
        NaN of constants and of what was left out, a copy has that of its original. ``constant``: numbers of features;
        ``copies``: pairs of a feature and the earlier one with the same values; ``twins``: triples of two features and
        how alike they are, at least 0.9.
    """
    constant, copies = _same(data)
    alone, adjusted = np.full(data.n_features, np.nan), np.full(data.n_features, np.nan)
    alone[data.columns] = pvalues(replace(data.view, groups=data.groups), data.columns)
    adjusted[data.columns] = adjust(alone[data.columns], "bh")
    for values in (alone, adjusted):
        for j, first in copies.items():
            values[j] = values[first]
        values[constant] = np.nan
    with np.errstate(invalid="ignore"):
        relevant = np.argsort(adjusted, kind="stable")[: np.count_nonzero(adjusted <= FALSE_DISCOVERIES)]
    some = np.setdiff1d(chosen, constant)[:MOST_RELATED]
    related = np.setdiff1d(np.concatenate([relevant[:MOST_RELATED], some]), list(copies))
    return {
        "alone": alone,
        "pvalue": adjusted,
        "constant": constant,
        "copies": sorted(copies.items()),
        "twins": _twins(data, related, np.arange(0, data.n_rows, -(-data.n_rows // MOST_ROWS))),
    }


def pvalues(view: View, columns: np.ndarray) -> np.ndarray:
    """Return the p-value of each of some features alone, as the default recipe finds it."""
    rows = view.columns(columns)
    if view.classes is None:
        # A power of two changes neither order nor bins, and keeps squares of the target within range.
        y = np.asarray(rows.whole().y, dtype=np.float64)
        rows = rows.with_target(np.ldexp(y, -int(np.frexp(np.abs(y).max())[1])))
    return sums_of(rows, EqualFrequency(N_BINS)).relevance(None).pvalue


def column_of(data: Data, j: int) -> np.ndarray:
    """Return the values of a feature, level numbers of a nominal one, NaN where missing."""
    column = data.X[:, [j]].toarray()[:, 0] if data.sparse else data.X[:, j]
    return np.asarray(column, dtype=float)


def centred_ranks(column: np.ndarray) -> np.ndarray:
    """Return centred ranks; missing values have the mean rank."""
    here = ~np.isnan(column)
    out = np.zeros(len(column))
    if here.any():
        ranks = rankdata(column[here])
        out[here] = ranks - ranks.mean()
    return out


def levels_of(column: np.ndarray, nominal: bool) -> np.ndarray:
    """Return level numbers, at most ten of about equal frequency for quantities; missing values are a level."""
    if not nominal:
        return EqualFrequency(N_BINS).fit_transform(column[:, None])[:, 0]
    return np.where(np.isnan(column), -1, column).astype(np.int64)


def _same(data: Data) -> tuple[list[int], dict[int, int]]:
    """Return constant columns, and columns with the same values as an earlier one."""
    looks = look_at(data.view)
    # What floats have made equal is neither constant nor a copy.
    large = {int(j) for j in data.view.facts.get("large", ())}
    copies = {j: first for j, first in copies_of(data.view, looks).items() if not {j, first} & large}
    return sorted(constant_columns(looks).keys() - large), copies


def _twins(data: Data, features: np.ndarray, rows: np.ndarray) -> list[tuple[int, int, float]]:
    """Return pairs of features that tell nearly the same, and how alike they are."""
    numbers, nominal = features[~data.nominal[features]], features[data.nominal[features]][:MOST_NOMINAL]
    out = []
    if len(numbers) > 1:
        ranks = np.array([centred_ranks(column_of(data, int(j))[rows]) for j in numbers])
        length = np.sqrt((ranks**2).sum(axis=1, keepdims=True))
        like = np.abs(ranks / np.where(length > 0, length, np.inf) @ (ranks / np.where(length > 0, length, np.inf)).T)
        for a, b in np.argwhere(np.triu(like, 1) >= TWINS):
            out.append((int(numbers[a]), int(numbers[b]), min(1.0, float(like[a, b]))))
    levels = {int(j): levels_of(column_of(data, int(j))[rows], True) for j in nominal}
    for place, a in enumerate(levels):
        for b in list(levels)[place + 1 :]:
            like_pair = float(normalized_mutual_info_score(levels[a], levels[b]))
            if like_pair >= TWINS:
                out.append((a, b, min(1.0, like_pair)))
    return sorted(out)

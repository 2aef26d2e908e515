"""Which columns give the target away."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.special import gammaln

from fewer.core.hygiene.bands import bands
from fewer.core.hygiene.log_tail import log_tail
from fewer.core.hygiene.look import PER_COLUMN, Looks
from fewer.core.hygiene.strata import Strata, strata
from fewer.core.views.view import View

LEAST_ROWS = 20
# How much of the errors of a guess a column must avoid by itself to be called (nearly) perfect: for classes and for
# numbers, and where the column is one of a block of similar columns. The best column of the mushroom data avoids
# 97 %, and is no leak.
PERFECT = {"classes": 0.975, "numbers": 0.95}
PERFECT_ALIKE = {"classes": 0.995, "numbers": 0.98}
# By so much more of the entropy of the target it must take away than the best of the other columns, if there are
# enough rows to tell the two apart; the large gap is enough if so many rows are not of the most frequent class.
FEWEST = 10
GAP, LARGE_GAP = 0.1, 0.3
# More suspects than so many, or a twentieth of the columns, or half of them, are no leaks but an easy problem.
MOST = 5
# The chance that pure noise has such a column at all.
CHANCE = 1e-3
# So many columns of the same kind and scale are a block of similar columns, if they are this part of all.
BLOCK, BLOCK_PART = 5, 0.3
# Missing values give the target away if nearly all rows with or without them are of one class, which has at most this
# part of all rows, and they are at least this part of the class.
PURE, MOST_COMMON, COVERED = 0.99, 0.8, 0.2
# Columns that might be perfect are looked at again with so many bins.
FINE_BINS, LOOKED_AGAIN, PROMISING = 200, 50, 0.7


def leaks(view: View, looks: Looks, counted: Strata, skip: np.ndarray) -> dict[int, str]:
    """Return the columns that predict the target alone, perfectly or nearly so, or by what is missing, and how."""
    target = "numbers" if looks.numbers else "classes"
    if view.n_classes < 2 and not looks.numbers:
        return {}
    given = _missing_tells(looks, counted)
    found = {j: _missing_words(view, looks, j, *given[j]) for j in given if not skip[j]}
    few = min(max(MOST, len(skip) // 20), len(skip) // 2)
    if looks.numbers:
        sure = log_chance(counted) + np.log(len(skip)) < np.log(CHANCE)
        ranges = bands(looks, counted, skip, sure)
        found = {**ranges, **found} if len(ranges) <= max(few, 1) else found
    known = uncertainty_gone(counted)
    avoided = _avoided(view, looks, counted, known)
    # Those that are suspects already must not hide others.
    aside = skip | np.isin(np.arange(len(skip)), list(found))
    avoided[aside], known[aside] = -1.0, 0.0
    line = np.where(_alike(view, looks), PERFECT_ALIKE[target], PERFECT[target])
    group = np.flatnonzero(avoided >= line)
    if not 0 < len(group) <= few or not _stands_out(known, group, counted):
        return found
    for j in group.tolist():
        found.setdefault(j, _words(target, avoided[j], bool(looks.missing[j]), len(group) - 1))
    return found


def _words(target: str, avoided: float, absent: bool, others: int) -> str:
    how = "perfectly" if avoided >= 0.9995 else f"so well that {avoided:.1%} of the errors of a guess are gone"
    what = "the target" if target == "classes" else "in which tenth the target is"
    where = ", where it is given," if absent else ""
    also = f"as {'does' if others == 1 else 'do'} {others} other suspect{'s' * (others > 1)}, " if others else ""
    than = "all other columns" if others else "any other column"
    return f"it alone{where} predicts {what} {how}, {also}far better than {than}: is it known beforehand?"


def _stands_out(known: np.ndarray, group: np.ndarray, counted: Strata) -> bool:
    """Return whether the best of the other columns is far behind, more than chance makes it.

    They are compared by bins, which are as coarse for all of them; that a few rows of one column are separated
    perfectly, and those of another but for one, is no difference.
    """
    best, worst = float(np.delete(known, group).max(initial=0.0)), float(known[group].min())
    by_class = counted.by_class[: counted.offsets[1]].sum(axis=0)
    errors = float(by_class.sum() - by_class.max())
    behind, ahead = (1 - best) * errors, (1 - worst) * errors
    far = worst - best >= LARGE_GAP and errors >= FEWEST
    return far or (worst - best >= GAP and behind - ahead > 3 * np.sqrt(behind + 1))


def _avoided(view: View, looks: Looks, counted: Strata, known: np.ndarray) -> np.ndarray:
    """Return what part of the errors of a guess every column avoids; 0 where chance may do as well."""
    d = len(counted.offsets) - 1
    part, unsure = errors_avoided(counted), log_chance(counted)
    promising = np.flatnonzero(((part >= PROMISING) | (known >= PROMISING / 2)) & ~view.nominal)
    bins = min(FINE_BINS, looks.n_rows // 10)
    if len(promising) and bins > 20:
        best = promising[np.argsort(-known[promising], kind="stable")[:LOOKED_AGAIN]]
        fine = strata(view.columns(best), _of_columns(looks, best), bins)
        part[best] = np.maximum(part[best], errors_avoided(fine))
    apart = _ranges_apart(view, looks)
    unsure = np.where(apart, np.minimum(unsure, _log_chance_apart(looks)), unsure)
    part[apart] = 1.0
    return np.where(unsure + np.log(d) < np.log(CHANCE), part, 0.0)


def _of_columns(looks: Looks, columns: np.ndarray) -> Looks:
    return replace(looks, **{name: getattr(looks, name)[columns] for name in PER_COLUMN})


def errors_avoided(counted: Strata) -> np.ndarray:
    """Return what part of the errors of a guess every column avoids, if each row is told the class of the others.

    A row counts as right if its class is the most frequent one among the other rows of its level, without a tie; so
    levels of single rows, as names have them, tell nothing.
    """
    table = counted.by_class
    first = table.max(axis=1)
    top = np.argmax(table, axis=1)
    others = table.copy()
    others[np.arange(len(table)), top] = 0
    right = counted.per_column(np.where(first - 1 > others.max(axis=1), first, 0))
    totals = counted.per_column(table)
    rows, guess = totals.sum(axis=1), totals.max(axis=1)
    return (right - guess) / np.maximum(rows - guess, 1)


def log_chance(counted: Strata) -> np.ndarray:
    """Return the logarithm of the p-value of a likelihood-ratio test of levels and classes."""
    shared, levels, classes = _shared_information(counted)
    return log_tail(2 * shared, np.maximum(1, (levels - 1) * (classes - 1)))


def uncertainty_gone(counted: Strata) -> np.ndarray:
    """Return what part of the entropy of the target every column takes away, less what noise is likely to take."""
    shared, levels, classes = _shared_information(counted)
    totals = counted.per_column(counted.by_class).astype(float)
    rows = totals.sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        whole = -np.where(totals > 0, totals * np.log(totals / rows[:, None]), 0.0).sum(axis=1)
    noise = (levels - 1) * (classes - 1) / 2
    return np.clip((shared - noise) / np.maximum(whole, 1e-300), 0.0, 1.0)


def _shared_information(counted: Strata) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return rows times mutual information of levels and classes, and how many of both occur."""
    table = counted.by_class.astype(float)
    totals, rows = counted.per_column(table), table.sum(axis=1)
    column = counted.columns_of()
    with np.errstate(divide="ignore", invalid="ignore"):
        expected = rows[:, None] * totals[column] / totals[column].sum(axis=1, keepdims=True)
        terms = np.where(table > 0, table * np.log(table / expected), 0.0).sum(axis=1)
    levels = counted.per_column((rows > 0).astype(int))
    return counted.per_column(terms), levels, (totals > 0).sum(axis=1)


def _ranges_apart(view: View, looks: Looks) -> np.ndarray:
    """Return in which columns of numbers the values of each class lie apart from those of all others."""
    if not looks.low.shape[1] or looks.n_rows < LEAST_ROWS:
        return np.zeros(view.n_features, bool)
    order = np.argsort(looks.low, axis=1)
    low, high = np.take_along_axis(looks.low, order, axis=1), np.take_along_axis(looks.high, order, axis=1)
    apart = (high[:, :-1] < low[:, 1:]).all(axis=1) & np.isfinite(low).all(axis=1)
    return apart & ~view.nominal & (looks.missing * 2 < looks.n_rows)


def _log_chance_apart(looks: Looks) -> float:
    """Return the logarithm of the chance that noise puts the classes one after another."""
    sizes = np.sum(looks.sizes, axis=0)[:-1]
    return float(gammaln(len(sizes) + 1) + gammaln(sizes + 1).sum() - gammaln(sizes.sum() + 1))


def _alike(view: View, looks: Looks) -> np.ndarray:
    """Return which columns are of one kind and scale with many others."""
    width = looks.ranges[:, 1] - looks.ranges[:, 0]
    with np.errstate(divide="ignore", invalid="ignore"):
        scale = np.where(np.isfinite(width) & (width > 0), np.round(np.log10(width)), 0).astype(int)
    out = np.zeros(len(width), bool)
    kind = np.where(view.nominal, 0, np.where(looks.whole, 1, 2))
    for one in np.unique(kind):
        of_kind = kind == one
        for size in np.unique(scale[of_kind]):
            near = of_kind & (abs(scale - size) <= (0 if one == 0 else 1))
            if near.sum() > max(BLOCK, BLOCK_PART * len(width)):
                out |= of_kind & (scale == size)
    return out


def _missing_tells(looks: Looks, counted: Strata) -> dict[int, tuple[bool, int, float]]:
    """Return the columns whose missing values tell the class: whether they or the others do, which, and how surely."""
    found: dict[int, tuple[bool, int, float]] = {}
    by_class = counted.by_class
    for j in np.flatnonzero((looks.missing > 0) & (looks.missing < looks.n_rows)).tolist():
        table = by_class[counted.offsets[j] : counted.offsets[j + 1]]
        totals = table.sum(axis=0)
        for missing, side in ((True, table[-1]), (False, totals - table[-1])):
            top, rows = int(np.argmax(side)), side.sum()
            common = totals[top] / totals.sum()
            unlikely = rows * np.log(max(common, 1e-300)) + np.log(2 * len(looks.missing)) < np.log(CHANCE)
            pure = rows > 0 and side[top] >= PURE * rows
            if pure and unlikely and common <= MOST_COMMON and side[top] >= COVERED * totals[top]:
                found.setdefault(j, (missing, top, float(side[top] / rows)))
    return found


def _missing_words(view: View, looks: Looks, j: int, missing: bool, top: int, purity: float) -> str:
    which = "missing" if missing else "given"
    if looks.numbers or view.classes is None:
        return f"where it is {which}, {purity:.1%} of the rows have a target in the same tenth: is it known beforehand?"
    share = "all" if purity == 1.0 else f"{purity:.1%} of the"
    return f"where it is {which}, {share} rows are of the class {view.classes[top]}: is it known beforehand?"

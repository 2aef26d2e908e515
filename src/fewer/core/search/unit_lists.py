"""Groups and fixed features in a list that a method made of single features."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from fewer.core.records.ranking import Ranking
from fewer.core.records.reasons import IRRELEVANT, KEPT, NOT_REACHED, Reasons
from fewer.core.records.result import Selection
from fewer.core.records.trace import Trace
from fewer.core.search.units import Units
from fewer.core.stop import Count, Fraction, Stop
from fewer.core.stop.rule import AnyOf, Cut

FIXED = "it was to be kept always"


def rest_of_size(size: Stop, units: Units) -> int:
    """Return how many units may join those that are always in, for a size that counts both."""
    return max(size.wanted(len(units) + units.n_fixed).high - units.n_fixed, 0)


def n_for_size(order: Iterable[int], units: Units, size: Stop) -> int:
    """Return how many features of an order it takes until as many units as a size asks for are begun."""
    place, left, seen = _unit_of(units), rest_of_size(size, units), set[int]()
    for n, j in enumerate(order):
        if len(seen) >= left:
            return n
        seen.update({int(place[j])} - {-1})
    return units.n_features


def by_best_member(found: Selection, units: Units, size: Stop | None) -> Selection:
    """Return the units of which a feature was kept, in the order of their best one, as many as a size asks for."""
    most = None if size is None else rest_of_size(size, units)
    rule = "" if size is None else size.cut(Ranking(np.zeros(len(units) + units.n_fixed))).rule
    return _selection(found, units, _units_in(found.indices, units)[:most], found.reasons, rule)


def cut_units(found: Selection, units: Units, rule: Stop) -> Selection:
    """Return the units that a rule keeps of a ranking, where each stands for its best member.

    Parameters
    ----------
    found : Selection
        Scores, and p-values where there are any, of all features.
    units : Units
        What moves as one; what is always in is no candidate, but counts where the rule counts.
    rule : Stop
        Cuts a ranking.
    """
    ranking = unit_ranking(found, units)
    cut = _cut(rule, ranking, units)
    kept = [int(u) for u in ranking.order if cut.kept[u]]
    place = _unit_of(units)
    moving = place >= 0
    kind = np.full(units.n_features, NOT_REACHED, dtype=np.uint8)
    kind[moving] = np.where(cut.irrelevant[place[moving]], IRRELEVANT, NOT_REACHED)

    def told(values: np.ndarray | float | bool) -> np.ndarray:
        wide = np.full(units.n_features, np.nan)
        wide[moving] = np.broadcast_to(np.asarray(values, dtype=float), (len(units),))[place[moving]]
        return wide

    columns = dict(found.columns)
    if ranking.pvalues is not None:
        alone = np.asarray(columns["pvalue"], dtype=float)
        columns["pvalue"] = np.where(moving, told(ranking.pvalues), alone)
        if not np.array_equal(columns["pvalue"], alone, equal_nan=True):
            columns["pvalue alone"] = alone
    measured: dict[str, Any] = {"p-value": columns.get("pvalue")}
    needs = tuple(
        replace(need, values=measured.get(need.quantity, told(need.values)), line=told(need.line)) for need in cut.needs
    )
    above = told(cut.above) == 1.0
    reasons = replace(found.reasons, kind=kind, threshold=np.full(units.n_features, np.nan), above=above, needs=needs)
    line = told(cut.threshold)
    best = told(ranking.scores)
    # Members of a group are held against its line by the score of the best one.
    plain = np.isclose(best, np.asarray(found.scores, dtype=float), rtol=0, atol=0, equal_nan=True)
    reasons = replace(reasons, threshold=np.where(plain, line, np.nan))
    return _selection(replace(found, reasons=_blank(found), columns=columns), units, kept, reasons, cut.rule)


def unit_ranking(found: Selection, units: Units) -> Ranking:
    """Return the ranking of the units that may move: best score, and the smallest p-value times the members."""
    scores = np.asarray(found.scores, dtype=float)
    pvalues = found.columns.get("pvalue")
    best = np.array([scores[list(group)].max() for group in units.groups])
    if pvalues is None:
        return Ranking(best)
    known = np.where(np.isnan(pvalues), 1.0, pvalues)
    least = np.array([min(known[list(group)].min() * len(group), 1.0) for group in units.groups])
    return Ranking(best, least)


def _cut(rule: Stop, ranking: Ranking, units: Units) -> Cut:
    """Return the cut of a rule; one that counts units counts those that are always in."""
    if isinstance(rule, (Count, Fraction)):
        most = rest_of_size(rule, units)
        whole = rule.cut(Ranking(np.zeros(len(units) + units.n_fixed)))
        if most == 0:
            return Cut(np.zeros(len(units), dtype=bool), rule=whole.rule)
        return replace(Count(most).cut(ranking), rule=whole.rule)
    if isinstance(rule, AnyOf):
        # The stricter of all rules holds, as without groups.
        cuts = [_cut(one, ranking, units) for one in rule.rules]
        kept = np.logical_and.reduce([cut.kept for cut in cuts])
        irrelevant = np.logical_or.reduce([cut.irrelevant for cut in cuts])
        needs = tuple(need for cut in cuts for need in cut.needs)
        return Cut(kept, rule="; ".join(cut.rule for cut in cuts if cut.rule), irrelevant=irrelevant, needs=needs)
    return rule.cut(ranking)


def _selection(found: Selection, units: Units, kept: list[int], said: Reasons, rule: str) -> Selection:
    """Return the fixed units and the kept ones, each whole, with what was said of the others."""
    rank = found.ranking
    first = sorted(units.fixed_columns, key=lambda j: (rank[j], j))
    indices = np.array([*first, *(j for u in kept for j in _members(units.groups[u], rank))], dtype=np.int64)
    kind = np.where(said.kind == KEPT, NOT_REACHED, said.kind).astype(np.uint8)
    kind[indices] = KEPT
    note = {j: words for j, words in said.note.items() if kind[j] != KEPT or j in found.indices}
    fixed = f"{units.n_fixed} fixed" if units.n_fixed else ""
    words = "; ".join(part for part in (rule or said.rule, fixed) if part)
    reasons = replace(said, kind=kind, note=note, rule=words)
    order = [j for u in _units_in(found.order, units) for j in _members(units.groups[u], rank)]
    return Selection.build(
        indices, order, reasons, found.scores, Trace(list(found.trace)), found.columns,
        then=-rank.astype(float), tables=found.tables, meta=found.meta,
    )  # fmt: skip


def _blank(found: Selection) -> Reasons:
    """Return reasons without what is said of lines, which belongs to single features."""
    return Reasons.of_kept(found.n_features, found.indices, NOT_REACHED, note=found.reasons.note)


def fixed_said(found: Selection, units: Units) -> Selection:
    """Return a selection that says of the fixed features why they are kept."""
    note = dict(found.reasons.note)
    for j in units.fixed_columns:
        note[j] = FIXED if j not in note else f"{FIXED}; {note[j]}"
    return replace(found, reasons=replace(found.reasons, note=note))


def _members(group: tuple[int, ...], rank: np.ndarray) -> list[int]:
    return sorted(group, key=lambda j: (rank[j], j))


def _unit_of(units: Units) -> np.ndarray:
    """Return the number of the unit of every feature, -1 of those that are always in."""
    place = np.full(units.n_features, -1, dtype=np.int64)
    for u, group in enumerate(units.groups):
        place[list(group)] = u
    return place


def _units_in(order: np.ndarray, units: Units) -> list[int]:
    """Return the units that may move in the order of their first feature in a list."""
    place = _unit_of(units)
    return [u for u in dict.fromkeys(place[order].tolist()) if u >= 0]

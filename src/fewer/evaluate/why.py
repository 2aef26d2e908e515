"""Why a comparison keeps features and drops others: the headline's features as a Selection."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from fewer.core.folds.orders import FALSE_DISCOVERIES
from fewer.core.folds.said import OF_FEATURES
from fewer.core.hygiene.findings import in_words
from fewer.core.records.needs import AT_MOST, Need
from fewer.core.records.numerals import numeral
from fewer.core.records.reasons import DOUBT, IRRELEVANT, KEPT, NO_PVALUE, NOT_REACHED, REDUNDANT, Reasons
from fewer.core.records.result import Selection, after

if TYPE_CHECKING:
    from fewer.evaluate.comparison import Comparison
    from fewer.evaluate.headline import Headline

# Chosen in half of the splits a feature is no noise for its method, whatever its p-value.
OFTEN = 0.5
CONSTANT, SAME = "it has one value in all rows", "the same values"
# The note of what no method saw, where nothing else is known of it.
LEFT_OUT = "left out before the comparison, see its findings"


def selection_of(c: Comparison, head: Headline) -> Selection:
    """Return the features of a headline as a selection with the reason of every feature.

    The method was fitted to all rows with the largest size; what it chose later than needed is not reached here. A
    dropped feature is irrelevant if it has one value, or if alone it cannot be told from chance; redundant if it is a
    copy or a twin of a kept one, or if its method found so; else not reached. Where features were tested alone, no
    other line makes one irrelevant, and the p-values of the method have a name of their own.
    """
    fitted, kept = c.selections[head.method], np.asarray(head.features, dtype=np.int64)
    known = _Known.of(c, kept, head)
    kind = np.array(fitted.reasons.kind, copy=True)
    kind[np.setdiff1d(np.flatnonzero(kind == KEPT), kept)] = NOT_REACHED
    kind[kept] = KEPT
    # What was redundant to later ones alone is not any more.
    own = replace(fitted.reasons, kind=kind).settled(fitted.scores)
    own = own if known.need is None else _without_lines(own)
    kind, related, amount = np.array(own.kind), dict(own.related), dict(own.amount)
    notes: dict[int, str] = {}
    times = dict(zip(head.features, head.frequency))
    looked = {one["number"]: one for one in sorted(c.meta.get("findings", ()), key=lambda one: one["left_out"])}
    unseen = {j for j, one in looked.items() if one["left_out"] and 0 <= j not in known.told_by_rows}
    for j in range(fitted.n_features):
        words = [*_found(looked.get(j), j in known.told_by_rows), own.note.get(j, "").replace(LEFT_OUT, "")]
        words += known.words(j)
        # What was left out is told by why; how it would fare alone is no reason.
        told = IRRELEVANT if j in unseen else None if j in times else known.kind(j)
        if told is not None:
            kind[j] = told
            related.pop(j, None)
            amount.pop(j, None)
        if told == REDUNDANT:
            partner, by = known.partner[j]
            related[j], amount[j] = (partner,), by
        if j in times:
            words.append(f"chosen in {round(times[j] * c.n_folds)} of {c.n_folds} fold{'' if c.n_folds == 1 else 's'}")
        elif j not in unseen:
            words.append(_rule(own.rule, int(kind[j]), len(kept), told))
            words.append(known.like(j) if kind[j] == NOT_REACHED else "")
        notes[j] = "; ".join(dict.fromkeys(word for word in words if word))
    needs = (*own.needs, *known.needs_without(unseen))
    reasons = replace(own, kind=kind, related=related, amount=amount, rule="", note=notes, needs=needs)
    return replace(
        fitted,
        indices=kept,
        order=after(kept, fitted.order),
        reasons=reasons,
        names=c.names,
        columns={**known.renamed(fitted.columns), **known.columns},
        meta={**fitted.meta, "method": head.method},
    )


def _without_lines(own: Reasons) -> Reasons:
    """Return the reasons of a method without its lines and p-values, and so without what is irrelevant by them."""
    kind = np.where(own.kind == IRRELEVANT, NOT_REACHED, own.kind).astype(np.uint8)
    note = {j: words for j, words in own.note.items() if not words.startswith((DOUBT, NO_PVALUE))}
    return replace(own, kind=kind, threshold=float("nan"), needs=(), note=note)


def _found(finding: Mapping[str, Any] | None, told_by_rows: bool) -> list[str]:
    """Return what a look at the columns found, unless the rows themselves say why a column was left out."""
    if finding is None or (finding["left_out"] and told_by_rows):
        return []
    return [in_words(finding["kind"], finding["words"], finding["left_out"])]


def _rule(own: str, kind: int, n_kept: int, told: int | None) -> str:
    """Return what drew the line for a dropped feature: that few are enough, or the rule of its method."""
    if kind == NOT_REACHED:
        return f"{n_kept:,} feature{' is' if n_kept == 1 else 's are'} enough"
    return own.rstrip(".") if told is None else ""


@dataclass(frozen=True)
class _Known:
    """What the rows say about features, seen from those that are kept."""

    names: tuple[str, ...]
    kept: frozenset[int]
    constant: frozenset[int]
    copies: Mapping[int, list[int]]
    twins: Mapping[int, list[tuple[int, float]]]
    partner: Mapping[int, tuple[int, float]]
    irrelevant: frozenset[int]
    need: Need | None
    nearest: Mapping[int, tuple[int, float]]
    columns: Mapping[str, np.ndarray]

    @classmethod
    def of(cls, c: Comparison, kept: np.ndarray, head: Headline) -> _Known:
        """Read the evidence of a comparison; comparisons stored by older versions have none."""
        inside, found = frozenset(kept.tolist()), c.evidence
        groups: dict[int, list[int]] = {}
        for j, first in found.get("copies", ()):
            groups.setdefault(int(first), [int(first)]).append(int(j))
        copies = {j: group for group in groups.values() for j in group}
        twins = _twins(found.get("twins", ()), copies)
        partner: dict[int, tuple[int, float]] = {}
        for j in {*copies, *twins} - inside:
            same = [i for i in copies.get(j, ()) if i in inside]
            like = [(by, -i) for i, by in twins.get(j, ()) if i in inside]
            if same:
                partner[j] = same[0], 1.0
            elif like:
                partner[j] = -max(like)[1], max(like)[0]
        pvalue = np.asarray(found.get("pvalue", ()), dtype=float)
        need, low = None, frozenset[int]()
        if len(pvalue):
            # The line of the default recipe: stricter where nothing is shown to be better than a guess.
            line = FALSE_DISCOVERIES if head.beats_chance else OF_FEATURES
            need = Need("adjusted p-value", pvalue, line, how=AT_MOST, why="for one feature alone")
            often = np.zeros(c.n_features)
            for f in range(c.n_folds):
                often[c.chosen(head.method, head.size, f)] += 1.0 / c.n_folds
            low = frozenset(np.flatnonzero(need.failed & (often < OFTEN)).tolist())
        constant = frozenset(int(j) for j in found.get("constant", ()))
        columns = {"adjusted_pvalue": pvalue} if len(pvalue) else {}
        return cls(c.names, inside, constant, copies, twins, partner, low, need, _nearest(c, inside), columns)

    @property
    def told_by_rows(self) -> set[int]:
        """Constants and copies, of which the rows themselves say what they are."""
        return {*self.constant, *self.copies}

    def renamed(self, columns: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
        """Return the columns of a method, its p-values by another name if there are those of one test for all."""
        return {"method_pvalue" if name == "pvalue" and self.columns else name: of for name, of in columns.items()}

    def needs_without(self, unseen: set[int]) -> tuple[Need, ...]:
        """Return what a feature alone had to reach, of all but those that no method saw."""
        if self.need is None:
            return ()
        values = self.need.values.copy()
        values[list(unseen)] = np.nan
        return (replace(self.need, values=values),)

    def kind(self, j: int) -> int | None:
        """Return what the rows say a dropped feature is; None if nothing."""
        if j in self.constant:
            return IRRELEVANT
        if j in self.partner and (j in self.copies or j not in self.irrelevant):
            return REDUNDANT
        return IRRELEVANT if j in self.irrelevant else None

    def words(self, j: int) -> list[str]:
        """Return what is to be said of a feature beside its kind: one value, copies, twins that are dropped, too."""
        if j in self.constant:
            return [CONSTANT]
        others = [i for i in self.copies.get(j, ()) if i != j]
        near = [i for i in others if (i in self.kept) == (j in self.kept)]
        if j in self.partner and self.partner[j][0] in others:
            return [f"{SAME} in every row"]
        out = [f"{SAME} as {', '.join(self.names[i] for i in near)} in every row"] if near else []
        if j in self.partner or j in self.kept:
            return out
        dropped = [(i, by) for i, by in self.twins.get(j, ()) if i not in others]
        if dropped:
            i, by = max(dropped, key=lambda one: (one[1], -one[0]))
            out.append(f"nearly the same as {self.names[i]} ({numeral(by, '.3g')}), which is dropped, too")
        return out

    def like(self, j: int) -> str:
        """Return which kept feature a feature is like."""
        near = self.nearest.get(j)
        return "" if near is None else f"most like {self.names[near[0]]}, {near[1]:.2f}"


def _twins(pairs: Any, copies: Mapping[int, list[int]]) -> dict[int, list[tuple[int, float]]]:
    """Return the twins of each feature, those of a copy being those of its original."""
    out: dict[int, list[tuple[int, float]]] = {}
    for a, b, by in pairs:
        for i in copies.get(int(a), [int(a)]):
            for j in copies.get(int(b), [int(b)]):
                out.setdefault(i, []).append((j, float(by)))
                out.setdefault(j, []).append((i, float(by)))
    return out


def _nearest(c: Comparison, kept: frozenset[int]) -> dict[int, tuple[int, float]]:
    """Return the kept feature that each of the most often chosen others is most like."""
    if not c.related or not len(c.related["features"]):
        return {}
    features, matrix = [int(j) for j in c.related["features"]], np.asarray(c.related["matrix"], dtype=float)
    inside = [place for place, j in enumerate(features) if j in kept]
    out = {}
    for place, j in enumerate(features):
        if j not in kept and inside:
            near = max(inside, key=lambda i: (matrix[place, i], -i))
            if np.isfinite(matrix[place, near]):
                out[j] = features[near], float(matrix[place, near])
    return out

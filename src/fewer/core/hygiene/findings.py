"""What a look at the columns has found, and a selection that knows it."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from fewer.core.records.reasons import FLAG, IRRELEVANT, KEPT, REDUNDANT
from fewer.core.records.result import Selection, after
from fewer.core.views.view import View

# What is left out, and what is flagged and kept.
LEFT_OUT = ("constant", "duplicate", "identifier", "date")
FLAGGED = ("leak", "mostly missing", "near-constant", "drift")


@dataclass(frozen=True)
class Finding:
    """What was found of one column.

    Attributes
    ----------
    feature : str
        Name of the column.
    kind : str
        One of "constant", "duplicate", "identifier", "date", "leak", "mostly missing", "near-constant", "drift".
    words : str
        What was found, without the name.
    related : tuple of str
        The column that a duplicate repeats.
    left_out : bool
        Whether the column was left out; if not, it was looked at like all others.
    number : int
        Number of the column; -1 for what is true of all rows, and for dates of a file.
    """

    feature: str
    kind: str
    words: str
    related: tuple[str, ...] = ()
    left_out: bool = False
    number: int = -1

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        plain = asdict(self)
        return {**plain, "related": list(self.related)}


@dataclass(frozen=True)
class Findings:
    """What was found of all columns.

    Attributes
    ----------
    left : ndarray of int
        Numbers of the columns that go on.
    findings : tuple of Finding
        One or more per column, those that were left out first.
    copies : dict of int to int
        Columns with the same values as an earlier one, and that one.
    """

    left: np.ndarray
    findings: tuple[Finding, ...] = ()
    copies: dict[int, int] | None = None

    def of(self, kind: str) -> list[int]:
        """Return the numbers of the columns with a finding of this kind."""
        return [finding.number for finding in self.findings if finding.kind == kind]

    def to_list(self) -> list[dict[str, Any]]:
        """Return plain values, for `Selection.meta`."""
        return [finding.to_dict() for finding in self.findings]

    def noted(self, ranked: Selection) -> Selection:
        """Return a ranking of all columns with the findings, identifiers and dates at its end."""
        last = [f.number for f in self.findings if f.kind in ("identifier", "date")]

        def with_last(order: np.ndarray) -> np.ndarray:
            behind = np.isin(order, last)
            return np.concatenate([order[~behind], order[behind]])

        note = dict(ranked.reasons.note)
        for finding in self.findings:
            if finding.number >= 0 and ranked.reasons.kind[finding.number] == KEPT:
                what = called(finding.kind, finding.words)
                said = note.get(finding.number)
                note[finding.number] = f"{said}; {what}" if said else what
        reasons = replace(ranked.reasons, note=note)
        meta = {**ranked.meta, "findings": self.to_list()}
        return replace(
            ranked, indices=with_last(ranked.indices), order=with_last(ranked.order), reasons=reasons, meta=meta
        )

    def widened(self, chosen: Selection, data: View) -> Selection:
        """Return a selection among the columns that are left as one among all columns, with the findings as reasons."""
        # What is left out without a finding was named by the caller.
        wide = chosen.on(self.left, data.n_features, note="left out as drop= says")
        said, names = wide.reasons, data.names or wide.feature_names
        kind, related, amount, note = said.kind, dict(said.related), dict(said.amount), dict(said.note)
        here = [finding for finding in self.findings if finding.number >= 0]
        gone = [finding for finding in here if finding.left_out and finding.kind != "duplicate"]
        for finding in gone:
            kind[finding.number] = IRRELEVANT
            note[finding.number] = in_words(finding.kind, finding.words, True)
        out = {finding.number for finding in here if finding.left_out}
        copies = {j: first for j, first in (self.copies or {}).items() if j in out}
        for j, first in copies.items():
            # A copy of what was not kept shares its fate.
            kept = kind[first] == KEPT
            kind[j] = REDUNDANT if kept else kind[first]
            note[j] = f"the same values {'' if kept else f'as {names[first]} '}in every row"
            to = (first,) if kept else related.get(first, ())
            if to:
                related[j], amount[j] = to, 1.0 if kept else amount.get(first, 1.0)
        for finding in here:
            if not finding.left_out:
                before, flag = note.get(finding.number, ""), in_words(finding.kind, finding.words, False)
                note[finding.number] = f"{before}; {flag}" if before else flag
        scores = wide.scores
        if scores is not None:
            scores[[f.number for f in gone if f.kind == "constant"]] = 0.0
            scores[list(copies)] = scores[list(copies.values())]
        needs = tuple(need.copied(copies) for need in said.needs)
        reasons = replace(said, kind=kind, related=related, amount=amount, note=note, needs=needs)
        facts: dict[str, Any] = {name: chosen.meta[name] for name in ("value", "without_leaks") if name in chosen.meta}
        facts["findings"] = self.to_list()
        return replace(wide, order=after(wide.order, list(copies)), reasons=reasons, scores=scores, meta=facts)


def called(kind: str, words: str) -> str:
    """Return what a column is called, and why."""
    names = {"identifier": "an identifier", "date": "a date", "leak": "a leak suspect", "drift": "drifting"}
    return f"{names.get(kind, kind)}: {words}"


def in_words(kind: str, words: str, left_out: bool) -> str:
    """Return a finding as the note of a reason."""
    if left_out:
        return words if kind == "constant" else f"left out as {called(kind, words)}"
    return f"{FLAG} {called(kind, words)}"

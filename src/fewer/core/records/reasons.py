"""Why each feature was kept or dropped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from fewer.core.records.evidence import Evidence, read_evidence
from fewer.core.records.html_text import facts_html
from fewer.core.records.needs import AT_LEAST, MORE_THAN, Need, apart, fails, floats
from fewer.core.records.numerals import numeral

KEPT, IRRELEVANT, REDUNDANT, NOT_REACHED = range(4)
# With what notes begin that say why a p-value may be far from true, or why there is none.
DOUBT, NO_PVALUE = "the p-value is doubtful:", "it has no p-value,"
# With what notes begin on columns that deserve a look, whatever became of them.
FLAG = "flagged as"
KIND_NAMES = ("kept", "irrelevant", "redundant", "not reached")


@dataclass(frozen=True)
class Reason:
    """Why one feature was kept or dropped; reads as a sentence.

    ``threshold`` is what the score had to reach (``how``: at least, or more than). Where another quantity decided, it
    is named by ``quantity``, with what was ``measured`` and what was ``needed``, and ``threshold`` is None.
    ``limit`` is the p-value that the rule names, if it does.
    """

    feature: str
    kind: str
    score: float | None = None
    rank: int | None = None
    threshold: float | None = None
    related: tuple[str, ...] = ()
    amount: float | None = None
    rule: str = ""
    note: str = ""
    pvalue: float | None = None
    quantity: str = ""
    measured: float | None = None
    needed: float | None = None
    unit: str = ""
    how: str = AT_LEAST
    why: str = ""
    limit: float | None = None

    def __str__(self) -> str:
        words = f"{self.feature} {'was kept' if self.kind == 'kept' else f'is {self.kind}'}"
        if self.related:
            words += f" to {', '.join(self.related)}" + ("" if self.amount is None else f" by {numeral(self.amount)}")
        facts = [] if self.rank is None else [f"rank {self.rank}"]
        facts += [*self._numbers(), *(text for text in (self.rule, self.note) if text)]
        return words + (f": {'; '.join(facts)}." if facts else ".")

    def _repr_html_(self) -> str:
        facts = {"feature": self.feature, "status": self.kind, "redundant to": ", ".join(self.related)}
        shown = {"by": self.amount, "rank": self.rank, "score": self.score, "p-value": self.pvalue}
        return facts_html(str(self), facts | {k: "" if v is None else numeral(v) for k, v in shown.items()})

    def _numbers(self) -> list[str]:
        """Return the score, the p-value and what decided, each beside what it had to reach."""
        facts = []
        score, threshold, pvalue, needed = self.score, self.threshold, self.pvalue, self.needed
        if threshold is not None:
            shown, line = apart(threshold if score is None else score, threshold)
            facts += [] if score is None else [f"score {shown}"]
            facts.append(f"needed {self.side}{line}")
        elif score is not None:
            facts.append(f"score {numeral(score)}")
        if pvalue is not None:
            # The rule says which p-value was needed, with as many digits as it takes.
            limit = pvalue if self.limit is None else self.limit
            facts.append(f"p-value {apart(pvalue, limit, 3)[0]}")
        if self.measured is not None and needed is not None and self.quantity != "p-value":
            facts += self.decided(*apart(self.measured, needed))
        return facts

    @property
    def side(self) -> str:
        """The words between "needed" and the number."""
        return "" if self.how == AT_LEAST else f"{self.how} "

    def decided(self, measured: str, needed: str) -> list[str]:
        """Return in words what was measured and what was needed, given both as text."""
        unit, why = f" {self.unit}" if self.unit else "", f" {self.why}" if self.why else ""
        return [f"{self.quantity} {measured}{unit}", f"needed {self.side}{needed}{why}"]


@dataclass(frozen=True)
class Reasons:
    """The reasons of all features, by columns: 100,000 features need 100,000 bytes and no objects.

    ``kind`` holds one of the constants of this module per feature; ``threshold`` what a score had to reach (NaN
    where no such number exists), or to exceed where ``above``; ``needs`` what other quantities had to reach;
    ``related`` the features that make a feature redundant, and ``amount`` by how much; ``rule`` says in words what drew
    the line; ``note`` adds words to single features, ``tested`` the test of independence that decided.

    Reasons are meant to be true, and `settled` makes them so: a feature is irrelevant only if its own score or another
    quantity measured of it is on the wrong side of a line, or a note says what is wrong with it. That enough others
    were found is no such line. It is redundant only to features that are kept, or redundant to kept ones themselves.
    """

    kind: np.ndarray
    threshold: float | np.ndarray = float("nan")
    rule: str = ""
    related: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    amount: Mapping[int, float] = field(default_factory=dict)
    note: Mapping[int, str] = field(default_factory=dict)
    above: bool | np.ndarray = False
    needs: tuple[Need, ...] = ()
    tested: Mapping[int, Evidence] = field(default_factory=dict)

    @classmethod
    def of_kept(cls, n_features: int, kept: Sequence[int] | np.ndarray, dropped: int, **more: object) -> Reasons:
        """Return reasons that know two kinds: kept, and ``dropped`` for all others."""
        kind = np.full(n_features, dropped, dtype=np.uint8)
        kind[np.asarray(kept, dtype=np.int64)] = KEPT
        return cls(kind, **more)  # type: ignore[arg-type]

    def threshold_of(self, j: int) -> float | None:
        """Return what the score of feature ``j`` had to reach, if there is such a number."""
        value = float(np.broadcast_to(self.threshold, np.shape(self.kind))[j])
        return None if np.isnan(value) else value

    def failed(self, scores: np.ndarray | None) -> np.ndarray:
        """Return which features are on the wrong side of some line, their own scores or another quantity."""
        out = np.zeros(len(self.kind), dtype=bool)
        if scores is not None:
            out |= fails(scores, self.threshold, self._how)
        for need in self.needs:
            out |= need.failed
        return out

    @property
    def _how(self) -> np.ndarray:
        """On which side of the threshold scores had to be."""
        return np.where(self.above, MORE_THAN, AT_LEAST)

    def settled(self, scores: np.ndarray | None) -> Reasons:
        """Return the reasons without claims that their numbers do not bear out; such features are not reached."""
        kind = np.array(self.kind, dtype=np.uint8)
        noted = np.zeros(len(kind), dtype=bool)
        # A doubt about a p-value, or a flag, is no reason why a feature was dropped.
        doubted = (DOUBT, NO_PVALUE, FLAG)
        noted[[j for j, words in self.note.items() if words and not words.startswith(doubted)]] = True
        noted[list(self.tested)] = True
        kind[(kind == IRRELEVANT) & ~noted & ~self.failed(scores)] = NOT_REACHED
        kind[_ungrounded(kind, self.related)] = NOT_REACHED
        redundant = {int(j) for j in np.flatnonzero(kind == REDUNDANT)}
        related = {j: to for j, to in self.related.items() if j in redundant}
        amount = {j: by for j, by in self.amount.items() if j in redundant}
        return replace(self, kind=kind, related=related, amount=amount)

    def spread(self, numbers: np.ndarray, n_features: int, others: int = NOT_REACHED, words: str = "") -> Reasons:
        """Return the same of more features: feature ``j`` becomes ``numbers[j]``, others are of a kind and noted so."""
        kind, threshold = np.full(n_features, others, dtype=np.uint8), np.full(n_features, np.nan)
        note = dict.fromkeys(np.setdiff1d(np.arange(n_features), numbers).tolist(), words) if words else {}
        above = np.zeros(n_features, dtype=bool)
        kind[numbers], threshold[numbers], above[numbers] = self.kind, self.threshold, self.above
        return Reasons(
            kind,
            threshold,
            self.rule,
            {int(numbers[j]): tuple(int(numbers[i]) for i in to) for j, to in self.related.items()},
            {int(numbers[j]): by for j, by in self.amount.items()},
            note | {int(numbers[j]): said for j, said in self.note.items()},
            above,
            tuple(need.spread(numbers, n_features) for need in self.needs),
            {int(numbers[j]): test.on(numbers) for j, test in self.tested.items()},
        )

    def score_need(self, quantity: str, scores: np.ndarray | None) -> tuple[Need, ...]:
        """Return all needs with that of the score among them, by another name; for scores that will be replaced."""
        if scores is None or np.isnan(self.threshold).all():
            return self.needs
        out = tuple(
            Need(quantity, np.where(mask, scores, np.nan), self.threshold, how=how)
            for how, mask in ((AT_LEAST, ~np.asarray(self.above)), (MORE_THAN, np.asarray(self.above)))
            if np.any(mask)
        )
        return (*out, *self.needs)

    def decided(self, j: int, score: float | None) -> dict[str, object]:
        """Return what `Reason` is told about the line that irrelevant feature ``j`` did not reach."""
        line, how = self.threshold_of(j), str(np.broadcast_to(self._how, np.shape(self.kind))[j])
        if line is not None and (score is None or bool(fails(score, line, how))):
            return {"threshold": line, "how": how}
        for need in self.needs:
            if need.failed[j]:
                words = {"quantity": need.quantity, "unit": need.unit, "how": need.how, "why": need.why}
                return {**words, "measured": float(need.values[j]), "needed": need.line_of(j)}
        return {}

    def said(self, j: int, names: Sequence[str]) -> str:
        """Return what is said of feature ``j`` beside numbers: its note and the test that decided."""
        test = self.tested.get(j)
        return "; ".join(
            words for words in (self.note.get(j, ""), "" if test is None else test.sentence(names)) if words
        )

    def limit(self, j: int) -> float | None:
        """Return the p-value that the rule names, from which that of feature ``j`` is to be told apart."""
        return next((need.line_of(j) for need in self.needs if need.quantity == "p-value"), None)

    def to_dict(self) -> dict:
        """Return plain lists and dictionaries."""
        threshold = np.asarray(self.threshold, dtype=float)
        return {
            "kind": [int(k) for k in self.kind],
            "threshold": threshold.tolist(),
            "above": np.asarray(self.above, dtype=bool).tolist(),
            "needs": [need.to_dict() for need in self.needs],
            "rule": self.rule,
            "related": {str(j): [int(i) for i in to] for j, to in self.related.items()},
            "amount": {str(j): float(a) for j, a in self.amount.items()},
            "note": {str(j): n for j, n in self.note.items()},
        } | ({"tested": {str(j): test.to_list() for j, test in self.tested.items()}} if self.tested else {})

    @classmethod
    def from_dict(cls, data: dict) -> Reasons:
        """Make reasons of what `to_dict` returned, now or before there were ``above`` and ``needs``."""
        above = data.get("above", False)
        return cls(
            np.asarray(data["kind"], dtype=np.uint8),
            floats(data["threshold"]),
            data["rule"],
            {int(j): tuple(to) for j, to in data["related"].items()},
            {int(j): float(a) for j, a in data["amount"].items()},
            {int(j): n for j, n in data["note"].items()},
            np.asarray(above, dtype=bool) if isinstance(above, list) else bool(above),
            tuple(Need.from_dict(need) for need in data.get("needs", ())),
            read_evidence(data.get("tested", {})),
        )


def _ungrounded(kind: np.ndarray, related: Mapping[int, tuple[int, ...]]) -> list[int]:
    """Return redundant features from which relations do not lead to kept ones only."""
    redundant = [int(j) for j in np.flatnonzero(kind == REDUNDANT)]
    waiting = {j: {int(i) for i in related.get(j, ()) if kind[i] != KEPT} for j in redundant}
    followers: dict[int, list[int]] = {}
    for j, partners in waiting.items():
        for i in partners:
            followers.setdefault(i, []).append(j)
    sound = [j for j in redundant if related.get(j) and not waiting[j]]
    for j in sound:  # grows while it is read
        for follower in followers.get(j, ()):
            waiting[follower].discard(j)
            if not waiting[follower]:
                sound.append(follower)
    return sorted(set(redundant) - set(sound))

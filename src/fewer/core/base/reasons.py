"""Why each feature was kept or dropped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

KEPT, IRRELEVANT, REDUNDANT, NOT_REACHED = range(4)
KIND_NAMES = ("kept", "irrelevant", "redundant", "not reached")


@dataclass(frozen=True)
class Reason:
    """Why one feature was kept or dropped; reads as a sentence."""

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

    def __str__(self) -> str:
        words = f"{self.feature} {'was kept' if self.kind == 'kept' else f'is {self.kind}'}"
        if self.related:
            words += f" to {', '.join(self.related)}" + ("" if self.amount is None else f" by {self.amount:.6g}")
        facts = []
        if self.rank is not None:
            facts.append(f"rank {self.rank}")
        if self.score is not None:
            facts.append(f"score {self.score:.6g}")
        if self.pvalue is not None:
            facts.append(f"p-value {self.pvalue:.3g}")
        if self.threshold is not None:
            facts.append(f"needed {self.threshold:.6g}")
        if self.rule:
            facts.append(self.rule)
        if self.note:
            facts.append(self.note)
        return words + (f": {'; '.join(facts)}." if facts else ".")


@dataclass(frozen=True)
class Reasons:
    """The reasons of all features, by columns: 100,000 features need 100,000 bytes and no objects.

    ``kind`` holds one of the constants of this module per feature; ``threshold`` what a score had to reach (NaN
    where no such number exists); ``related`` the features that make a feature redundant, and ``amount`` by how much;
    ``rule`` says in words what drew the line; ``note`` adds words to single features.
    """

    kind: np.ndarray
    threshold: float | np.ndarray = float("nan")
    rule: str = ""
    related: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    amount: Mapping[int, float] = field(default_factory=dict)
    note: Mapping[int, str] = field(default_factory=dict)

    @classmethod
    def of_kept(cls, n_features: int, kept: Sequence[int] | np.ndarray, dropped: int, **more: object) -> Reasons:
        """Return reasons that know two kinds: kept, and ``dropped`` for all others."""
        kind = np.full(n_features, dropped, dtype=np.uint8)
        kind[np.asarray(kept, dtype=np.int64)] = KEPT
        return cls(kind, **more)  # type: ignore[arg-type]

    def threshold_of(self, j: int) -> float | None:
        """Return what the score of feature ``j`` had to reach, if there is such a number."""
        value = float(self.threshold) if np.ndim(self.threshold) == 0 else float(np.asarray(self.threshold)[j])
        return None if np.isnan(value) else value

    def to_dict(self) -> dict:
        """Return plain lists and dictionaries."""
        threshold = np.asarray(self.threshold, dtype=float)
        return {
            "kind": [int(k) for k in self.kind],
            "threshold": threshold.tolist(),
            "rule": self.rule,
            "related": {str(j): [int(i) for i in to] for j, to in self.related.items()},
            "amount": {str(j): float(a) for j, a in self.amount.items()},
            "note": {str(j): n for j, n in self.note.items()},
        }

    @classmethod
    def from_dict(cls, data: dict) -> Reasons:
        """Make reasons of what `to_dict` returned."""
        threshold = data["threshold"]
        return cls(
            np.asarray(data["kind"], dtype=np.uint8),
            np.asarray([np.nan if t is None else t for t in threshold])
            if isinstance(threshold, list)
            else (float("nan") if threshold is None else float(threshold)),
            data["rule"],
            {int(j): tuple(to) for j, to in data["related"].items()},
            {int(j): float(a) for j, a in data["amount"].items()},
            {int(j): n for j, n in data["note"].items()},
        )

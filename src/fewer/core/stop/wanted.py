"""What a rule asks of a search through subsets: sizes, gains, limits of work."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Wanted:
    """What a search through subsets shall find.

    Attributes
    ----------
    low, high : int
        Fewest and most units, those that are always in included.
    choose : {"best", "parsimonious"}
        Which of the visited subsets is the answer.
    gain : float or None
        What a step must gain, where a rule says so.
    patience : int or None
        How many steps in a row may fail, where a rule says so.
    seconds, evaluations : number or None
        Limits of work, where a rule gives some.
    free : bool
        Whether the size was left to the search.
    """

    low: int
    high: int
    choose: str = "best"
    gain: float | None = None
    patience: int | None = None
    seconds: float | None = None
    evaluations: int | None = None
    free: bool = False

    @classmethod
    def joined(cls, parts: Sequence[Wanted]) -> Wanted:
        """Return what several rules ask for at once: sizes become upper bounds, of two limits the stricter holds."""

        def given(name: str) -> list:
            return [value for value in (getattr(part, name) for part in parts) if value is not None]

        return cls(
            low=1,
            high=min(part.high for part in parts),
            choose="parsimonious" if any(part.choose == "parsimonious" for part in parts) else "best",
            gain=max(given("gain"), default=None),
            patience=min(given("patience"), default=None),
            seconds=min(given("seconds"), default=None),
            evaluations=min(given("evaluations"), default=None),
            free=True,
        )

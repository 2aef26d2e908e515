"""Rules that fix the number of features: all, so many, a fraction, or the best of a range."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fewer.core.records.errors import ParameterError
from fewer.core.records.ranking import Ranking
from fewer.core.records.trace import Trace
from fewer.core.stop.checks import as_fraction, whole
from fewer.core.stop.rule import Cut, Stop, text_of
from fewer.core.stop.wanted import Wanted

CHOICES = ("best", "parsimonious")


@dataclass(frozen=True)
class All(Stop):
    """Keep every feature; a search goes on until nothing is left to move."""

    abilities: ClassVar[tuple[str, ...]] = ("cut", "done", "subsets")
    word: ClassVar[str] = "all"

    def cut(self, ranking: Ranking) -> Cut:
        """Keep every feature."""
        return Cut(np.ones(len(ranking.scores), dtype=bool), rule="all features were asked for")

    def done(self, trace: Trace, n_left: int, *, drops: bool = False) -> bool:
        """Return whether all features are in the subset; a search that drops features ends at once."""
        return drops or n_left == 0

    def wanted(self, n_units: int) -> Wanted:
        """Ask for everything."""
        return Wanted(n_units, n_units)

    def at_most(self, n: int) -> Stop:
        """Return the number itself."""
        return Count(n)


@dataclass(frozen=True)
class Count(Stop):
    """Keep the ``n`` best features, or all of them when there are fewer.

    Parameters
    ----------
    n : int
        Number of features, at least 1.
    """

    n: int

    abilities: ClassVar[tuple[str, ...]] = ("cut", "done", "subsets")

    def __post_init__(self) -> None:
        object.__setattr__(self, "n", whole("Count", "n", self.n))

    def cut(self, ranking: Ranking) -> Cut:
        """Keep the first ``n`` features of the ranking."""
        d = len(ranking.scores)
        asked = "the best was asked for" if self.n == 1 else f"the {self.n} best were asked for"
        return Cut(best(ranking, self.n), rule=asked if d > self.n else f"{asked} and there are {d}")

    def done(self, trace: Trace, n_left: int, *, drops: bool = False) -> bool:
        """Return whether the subset has grown or shrunk to ``n`` features."""
        return n_left <= self.n if drops else n_left == 0 or trace.size() >= self.n

    def wanted(self, n_units: int) -> Wanted:
        """Ask for this number."""
        return Wanted(min(self.n, n_units), min(self.n, n_units))

    def at_most(self, n: int) -> Stop:
        """Return the number itself: a size that was asked for gives way to another."""
        return Count(n)

    def __str__(self) -> str:
        return str(self.n)


@dataclass(frozen=True)
class Fraction(Stop):
    """Keep a fraction of the features: the fraction of their number, a half rounded up, and at least one.

    Parameters
    ----------
    fraction : float
        Between 0 and 1, both excluded.
    """

    fraction: float

    abilities: ClassVar[tuple[str, ...]] = ("cut", "done", "subsets")

    def __post_init__(self) -> None:
        advice = "pass All() for all features or Count(n) for a number of them"
        object.__setattr__(self, "fraction", as_fraction("Fraction", "fraction", self.fraction, advice))

    def count(self, n_features: int) -> int:
        """Return how many of ``n_features`` are kept."""
        # 0.29 * 50 is a little below 14.5 in binary; the small addend lets a half be a half.
        return max(1, math.floor(self.fraction * n_features + 0.5 + 1e-9))

    def cut(self, ranking: Ranking) -> Cut:
        """Keep the fraction from the top of the ranking."""
        d = len(ranking.scores)
        n = self.count(d)
        return Cut(best(ranking, n), rule=f"a fraction of {self.fraction:g} was asked for, {n} of {d} features")

    def done(self, trace: Trace, n_left: int, *, drops: bool = False) -> bool:
        """Return whether the subset has grown or shrunk to the fraction."""
        moved = trace.size()
        if drops:
            return n_left <= self.count(n_left - moved)
        return n_left == 0 or moved >= self.count(n_left + moved)

    def wanted(self, n_units: int) -> Wanted:
        """Ask for the number that the fraction comes to."""
        return Wanted(self.count(n_units), self.count(n_units))

    def at_most(self, n: int) -> Stop:
        """Return the number itself."""
        return Count(n)

    def __str__(self) -> str:
        return text_of(self.fraction)


@dataclass(frozen=True)
class Between(Stop):
    """Let a search through subsets find the size, within bounds.

    Parameters
    ----------
    low : int, default=1
        Fewest features.
    high : int, optional
        Most features; all by default.
    choose : {"best", "parsimonious"}, default="best"
        The best subset, or the smallest within one standard error of the best.

    Examples
    --------
    >>> str(Between(2, 10)), str(Between()), str(Between(2, 10, "parsimonious"))
    ('2-10', 'best', 'parsimonious:2-10')
    """

    low: int = 1
    high: int | None = None
    choose: str = "best"

    abilities: ClassVar[tuple[str, ...]] = ("subsets",)

    def __post_init__(self) -> None:
        if self.choose not in CHOICES:
            raise ParameterError(f"Between got choose={self.choose!r}, but knows 'best' and 'parsimonious'; pass one.")
        object.__setattr__(self, "low", whole("Between", "low", self.low))
        if self.high is not None:
            object.__setattr__(self, "high", whole("Between", "high", self.high, self.low))

    def wanted(self, n_units: int) -> Wanted:
        """Ask for the range, as far as there are features."""
        high = n_units if self.high is None else min(self.high, n_units)
        free = self.high is None and self.low == 1
        return Wanted(min(self.low, n_units), high, self.choose, free=free)

    def at_most(self, n: int) -> Stop:
        """Return the range with a lower upper end."""
        high = n if self.high is None else min(n, self.high)
        return Between(min(self.low, high), high, self.choose)

    def __str__(self) -> str:
        if self.high is None:
            return self.choose if self.low == 1 else f"Between(low={self.low}, choose={self.choose!r})"
        return f"{'parsimonious:' if self.choose == 'parsimonious' else ''}{self.low}-{self.high}"


def best(ranking: Ranking, n: int) -> np.ndarray:
    """Return the mask of the first ``n`` features of a ranking."""
    kept = np.zeros(len(ranking.scores), dtype=bool)
    kept[ranking.order[:n]] = True
    return kept

"""Rules that fix the number of features: all, so many, or a share."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fewer.core.base.ranking import Ranking
from fewer.core.base.trace import Trace
from fewer.core.stop.base import Cut, Stop, text_of
from fewer.core.stop.checks import share, whole


@dataclass(frozen=True)
class All(Stop):
    """Keep every feature; a search goes on until nothing is left to move."""

    abilities: ClassVar[tuple[str, ...]] = ("cut", "done")
    word: ClassVar[str] = "all"

    def cut(self, ranking: Ranking) -> Cut:
        """Keep every feature."""
        return Cut(np.ones(len(ranking.scores), dtype=bool), rule="all features were asked for")

    def done(self, trace: Trace, n_left: int, *, drops: bool = False) -> bool:
        """Return whether all features are in the subset; a search that drops features ends at once."""
        return drops or n_left == 0


@dataclass(frozen=True)
class Count(Stop):
    """Keep the ``n`` best features, or all of them when there are fewer.

    Parameters
    ----------
    n : int
        Number of features, at least 1.
    """

    n: int

    abilities: ClassVar[tuple[str, ...]] = ("cut", "done")

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

    def __str__(self) -> str:
        return str(self.n)


@dataclass(frozen=True)
class Fraction(Stop):
    """Keep a share of the features: share times their number, a half rounded up, and at least one.

    Parameters
    ----------
    share : float
        Between 0 and 1, both excluded.
    """

    share: float

    abilities: ClassVar[tuple[str, ...]] = ("cut", "done")

    def __post_init__(self) -> None:
        advice = "pass All() for all features or Count(n) for a number of them"
        object.__setattr__(self, "share", share("Fraction", "share", self.share, advice))

    def count(self, n_features: int) -> int:
        """Return how many of ``n_features`` are kept."""
        # 0.29 * 50 is a little below 14.5 in binary; the small addend lets a half be a half.
        return max(1, math.floor(self.share * n_features + 0.5 + 1e-9))

    def cut(self, ranking: Ranking) -> Cut:
        """Keep the share from the top of the ranking."""
        d = len(ranking.scores)
        n = self.count(d)
        return Cut(best(ranking, n), rule=f"a share of {self.share:g} was asked for, {n} of {d} features")

    def done(self, trace: Trace, n_left: int, *, drops: bool = False) -> bool:
        """Return whether the subset has grown or shrunk to the share."""
        moved = trace.size()
        if drops:
            return n_left <= self.count(n_left - moved)
        return n_left == 0 or moved >= self.count(n_left + moved)

    def __str__(self) -> str:
        return text_of(self.share)


def best(ranking: Ranking, n: int) -> np.ndarray:
    """Return the mask of the first ``n`` features of a ranking."""
    kept = np.zeros(len(ranking.scores), dtype=bool)
    kept[ranking.order[:n]] = True
    return kept

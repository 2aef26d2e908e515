"""Rules that look at the scores: a threshold, fixed or by their average, or the largest gap between neighbours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from fewer.core.records.errors import ParameterError
from fewer.core.records.needs import apart
from fewer.core.records.numerals import numeral
from fewer.core.records.ranking import Ranking
from fewer.core.records.trace import Trace
from fewer.core.stop.checks import number, whole
from fewer.core.stop.rule import Cut, Stop, text_of
from fewer.core.stop.sizes import best

AVERAGES: dict[str, Any] = {"mean": np.mean, "median": np.median}


@dataclass(frozen=True)
class Threshold(Stop):
    """Keep features whose score reaches a value; end a search when the last step's value is below it.

    Parameters
    ----------
    value : float
        The smallest score that is kept.
    """

    value: float

    abilities: ClassVar[tuple[str, ...]] = ("cut", "done")
    word: ClassVar[str] = "threshold"
    main: ClassVar[str] = "value"

    def __post_init__(self) -> None:
        object.__setattr__(self, "value", number("Threshold", "value", self.value))

    def cut(self, ranking: Ranking) -> Cut:
        """Keep scores of at least ``value``."""
        return Cut(ranking.scores >= self.value, self.value, f"score >= {numeral(self.value)} needed", relevance=True)

    def done(self, trace: Trace, n_left: int, *, drops: bool = False) -> bool:
        """Return whether the last value is below ``value``."""
        return len(trace) > 0 and trace[-1].value < self.value

    def steps_kept(self, trace: Trace) -> int:
        """Leave out a last step that fell below ``value``."""
        return len(trace) - self.done(trace, 0)


@dataclass(frozen=True)
class Average(Stop):
    """Keep features whose score reaches the average of all scores, or a multiple of it.

    Parameters
    ----------
    of : {"mean", "median"}, default="mean"
        Which average.
    times : float, default=1.0
        What it is multiplied by.

    Examples
    --------
    >>> str(Average()), str(Average("median", 1.25))
    ('mean', '1.25*median')
    """

    of: str = "mean"
    times: float = 1.0

    abilities: ClassVar[tuple[str, ...]] = ("cut",)

    def __post_init__(self) -> None:
        if self.of not in AVERAGES:
            raise ParameterError(f"Average got of={self.of!r}, but knows 'mean' and 'median'; pass one of them.")
        object.__setattr__(self, "times", number("Average", "times", self.times))

    def cut(self, ranking: Ranking) -> Cut:
        """Keep scores of at least that much."""
        line = float(self.times * AVERAGES[self.of](ranking.scores))
        words = f"score >= {numeral(line)} needed, which is {'the ' if self.times == 1 else ''}{self} of the scores"
        return Cut(ranking.scores >= line, line, words, relevance=True)

    def __str__(self) -> str:
        return self.of if self.times == 1 else f"{text_of(self.times)}*{self.of}"


@dataclass(frozen=True)
class TopGap(Stop):
    """Cut at the largest drop between consecutive sorted scores, the elbow of the curve.

    Of equal drops the first counts. If all scores are equal there is no elbow, and all features are kept, or
    the first ``max_features`` of them.

    Parameters
    ----------
    min_features : int, default=1
        Fewest features that are kept.
    max_features : int, optional
        Most features that are kept.
    """

    min_features: int = 1
    max_features: int | None = None

    abilities: ClassVar[tuple[str, ...]] = ("cut",)
    word: ClassVar[str] = "gap"

    def __post_init__(self) -> None:
        object.__setattr__(self, "min_features", whole("TopGap", "min_features", self.min_features))
        if self.max_features is not None:
            object.__setattr__(self, "max_features", whole("TopGap", "max_features", self.max_features))
            if self.max_features < self.min_features:
                raise ParameterError(
                    f"TopGap got max_features={self.max_features}, below min_features={self.min_features}; "
                    "pass max_features of at least min_features, or None."
                )

    def cut(self, ranking: Ranking) -> Cut:
        """Keep the features above the largest drop."""
        ordered = ranking.scores[ranking.order]
        d = len(ordered)
        last = d if self.max_features is None else min(self.max_features, d)
        gaps = _drops(ordered)[self.min_features - 1 : min(last, d - 1)]
        if not gaps.any():
            words = "no gap between the scores where the cut may lie" + ("" if last == d else f", so {last} are kept")
            return Cut(best(ranking, last), rule=words)
        n = self.min_features + int(np.argmax(gaps))
        high, low = apart(ordered[n - 1], ordered[n])
        words = f"the largest gap between scores lies between {high} and {low}"
        return Cut(best(ranking, n), float(ordered[n - 1]), words, relevance=True)


def _drops(ordered: np.ndarray) -> np.ndarray:
    """Return by how much each score is above the next one."""
    above, below = ordered[:-1].astype(float), ordered[1:].astype(float)
    # Two infinite scores are equal; their difference would be NaN.
    return np.subtract(above, below, out=np.zeros(len(above)), where=above != below)

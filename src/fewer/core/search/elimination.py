"""Backward elimination: start with all features and remove the worst, one by one or in blocks, again and again."""

from __future__ import annotations

import math
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from numbers import Integral
from typing import Protocol

import numpy as np

from fewer.core.criteria.shapes import RankingCriterion
from fewer.core.records.errors import SearchWarning
from fewer.core.records.rounding import TOLERANCE, steady
from fewer.core.records.trace import Step, Trace
from fewer.core.runners import progress
from fewer.core.search.interrupts import is_driven
from fewer.core.stop import Count, Stop
from fewer.core.views.view import View


class EliminationCriterion(Protocol):
    """Says which of the features that are left is worth least; keeps its own sums.

    ``value`` is what the criterion thought of the feature that `worst` returned last.
    """

    value: float

    def start(self, view: View) -> None:
        """Read the data and make all features candidates."""

    def worst(self, left: np.ndarray) -> int:
        """Return the feature to remove, of equal ones the highest number."""

    def remove(self, feature: int) -> None:
        """Take a feature away."""


class Blocks:
    """Base of what chooses blocks of features to remove.

    Attributes
    ----------
    value : float
        What is known after the last removal.
    evaluations : int
        How many features were looked at for it.
    least : int
        How many features always stay.
    what : str
        Told to whoever listens to progress.
    """

    value: float = math.nan
    evaluations: int = 0
    least: int = 0
    what: str = "removing features"

    def begin(self) -> bool:
        """Read the data; return whether `value` is that of all features, for a first step without removal."""
        raise NotImplementedError

    def worst(self, left: np.ndarray, count: int) -> np.ndarray:
        """Return so many features to remove, worst first, of equal ones the highest number first."""
        raise NotImplementedError

    def leave(self, features: np.ndarray) -> None:
        """Take features away and set `value` and `evaluations`."""
        raise NotImplementedError


class OneByOne(Blocks):
    """Blocks of one feature, chosen by a criterion that keeps its own sums."""

    def __init__(self, view: View, criterion: EliminationCriterion) -> None:
        self.view, self.criterion = view, criterion

    def begin(self) -> bool:
        """Start the criterion."""
        self.criterion.start(self.view)
        return False

    def worst(self, left: np.ndarray, count: int) -> np.ndarray:
        """Ask for the worst feature."""
        worst = self.criterion.worst(left)
        self.value, self.evaluations = float(self.criterion.value), len(left)
        return np.array([worst])

    def leave(self, features: np.ndarray) -> None:
        """Take it away."""
        self.criterion.remove(int(features[0]))


class RankedBlocks(Blocks):
    """The features with the lowest scores of a ranking, which is made again of what is left.

    The value is the mean score of the features that are left.

    Parameters
    ----------
    view : View
        The data.
    criterion : RankingCriterion
        Scores them.
    scores_last : bool, default=True
        Whether a feature that is left alone is scored again; otherwise its last score among others stays.

    Attributes
    ----------
    scores : ndarray of shape (n_features,)
        The last score of every feature.
    """

    least = 1
    what = "dropping features"

    def __init__(self, view: View, criterion: RankingCriterion, scores_last: bool = True) -> None:
        self.data, self.criterion, self.scores_last = view, criterion, scores_last
        self.scores = np.full(view.n_features, np.nan)

    def begin(self) -> bool:
        """Score all features."""
        self.view, self.left = self.data, np.arange(self.data.n_features)
        self._score()
        return True

    def worst(self, left: np.ndarray, count: int) -> np.ndarray:
        """Return those with the lowest scores."""
        return lowest(self.scores, left, count)

    def leave(self, features: np.ndarray) -> None:
        """Score the rest again."""
        stays = ~np.isin(self.left, features)
        self.left = self.left[stays]
        if len(self.left) == 1 and not self.scores_last:
            self.value, self.evaluations = float(self.scores[self.left[0]]), 0
            return
        # In memory the copy of a copy is the smaller work; where rows come by in batches, each change is made again for
        # every batch, and one is enough.
        in_memory = self.data.run.in_memory
        self.view = self.view.columns(np.flatnonzero(stays)) if in_memory else self.data.columns(self.left)
        self._score()

    def _score(self) -> None:
        self.scores[self.left] = self.criterion.scores(self.view).scores
        self.value, self.evaluations = float(self.scores[self.left].mean()), len(self.left)


def lowest(scores: np.ndarray, left: np.ndarray, count: int) -> np.ndarray:
    """Return so many of the features that are left with the lowest scores, worst first."""
    backward = left[::-1]
    if count < len(left) // 8:
        # A few of many are not worth an order of all: those near the last of the few, or below, hold them.
        values = scores[backward]
        last = values.min() if count == 1 else np.partition(values, count - 1)[count - 1]
        if np.isfinite(last):
            backward = backward[values <= last + 4.0 * TOLERANCE * abs(last)]
            if len(backward) == count:
                return backward if count == 1 else backward[np.argsort(steady(scores[backward]), kind="stable")]
    # Stable on the reversed numbers: of scores that agree to twelve digits the higher number is the worse.
    return backward[np.argsort(steady(scores[backward]), kind="stable")][:count]


@dataclass(frozen=True, eq=False)
class Elimination:
    """What a backward elimination did.

    Attributes
    ----------
    removed : ndarray of int64
        The removed features, in the order in which they left.
    left : ndarray of int64
        The features that stayed, in the order of their numbers.
    trace : Trace
        One step per removal, with the value of the criterion.
    interrupted : bool
        Whether the user (Ctrl-C) or a callback stopped the search before its end.
    """

    removed: np.ndarray
    left: np.ndarray
    trace: Trace
    interrupted: bool = False

    @property
    def order(self) -> np.ndarray:
        """All features, best first: those that stayed, then the others, the last removed one first."""
        return np.concatenate([self.left, self.removed[::-1]])

    @property
    def steps(self) -> np.ndarray:
        """The step at which each feature left, from 1; those that stayed share the next number."""
        steps = np.full(len(self.left) + len(self.removed), len(self.removed) + 1, dtype=np.int64)
        steps[self.removed] = np.arange(1, len(self.removed) + 1)
        return steps

    @property
    def rounds(self) -> np.ndarray:
        """The number of the block with which each feature left, from 1; 0 for those that stayed."""
        rounds = np.zeros(len(self.left) + len(self.removed), dtype=np.int64)
        blocks = [list(step.removed) for step in self.trace if step.removed]
        for number, block in enumerate(blocks, 1):
            rounds[block] = number
        return rounds

    @property
    def sizes(self) -> np.ndarray:
        """How many features were left after every step of the trace."""
        return (
            len(self.left) + len(self.removed) - np.cumsum([len(step.removed) for step in self.trace], dtype=np.int64)
        )


def said_interrupted(found: Elimination, stacklevel: int = 5) -> str:
    """Warn if an elimination was interrupted, and return why it ended in words; an empty text if it was not."""
    if not found.interrupted:
        return ""
    words = f"The elimination was interrupted with {len(found.left)} features left."
    warnings.warn(words, SearchWarning, stacklevel=stacklevel + 1)
    return "the elimination was interrupted"


def backward_elimination(view: View, criterion: EliminationCriterion, stop: Stop | None = None) -> Elimination:
    """Remove the worst feature again and again until the stop rule has enough.

    Parameters
    ----------
    view : View
        The data.
    criterion : EliminationCriterion
        Chooses what to remove.
    stop : Stop, optional
        A rule that can end a search; by default a single feature is left, so that all features are ordered.

    Returns
    -------
    Elimination
        Also when the user interrupts the search: with what has been removed until then.
    """
    return eliminate(view.n_features, OneByOne(view, criterion), Count(1) if stop is None else stop)


def eliminate(
    n_features: int,
    blocks: Blocks,
    stop: Stop,
    wanted: Callable[[int], int] = lambda n_left: 1,
    heeds: bool = True,
) -> Elimination:
    """Remove blocks of features until the stop rule has enough.

    Parameters
    ----------
    n_features : int
        Number of features.
    blocks : Blocks
        Chooses what to remove.
    stop : Stop
        A rule that can end a search.
    wanted : callable, optional
        Returns how many of so many features shall leave next; never more leave than the rule allows. By default one.
    heeds : bool, default=True
        Whether it ends, as if interrupted, when a callback asks for it.

    Returns
    -------
    Elimination
        Also when the user interrupts the search: with what has been removed until then.
    """
    here, trace, begin = np.ones(n_features, bool), Trace(), time.perf_counter()
    removed: list[int] = []
    interrupted = False

    def record(block: tuple[int, ...]) -> None:
        nonlocal begin
        now = time.perf_counter()
        trace.append(Step(removed=block, value=blocks.value, evaluations=blocks.evaluations, seconds=now - begin))
        begin = now

    block: tuple[int, ...] = ()
    try:
        if blocks.begin():
            record(())
            progress.report(blocks.what, 0, n_features)
        while (n_left := n_features - len(removed)) > blocks.least and not stop.done(trace, n_left, drops=True):
            count = min(max(1, wanted(n_left)), n_left - blocks.least)
            worst = blocks.worst(np.flatnonzero(here), _allowed(stop, trace, n_left, count))
            block = tuple(int(j) for j in worst)
            here[worst] = False
            removed.extend(block)
            blocks.leave(worst)
            record(block)
            block = ()
            if progress.report(blocks.what, len(removed), n_features) and heeds:
                interrupted = True
                break
    except KeyboardInterrupt:
        if not (removed or len(trace)) or is_driven():
            raise
        interrupted = True
        if block:
            record(block)
    return Elimination(np.array(removed, dtype=np.int64), np.flatnonzero(here), trace, interrupted)


def block_size(step: int | float, of: int) -> int:
    """Return how many of so many features leave at once: a number, or a fraction of them, rounded down, at least one.

    Examples
    --------
    >>> block_size(3, 10), block_size(0.25, 10), block_size(0.01, 10)
    (3, 2, 1)
    """
    # 0.29 * 100 is a little below 29 in binary; the small addend lets it be 29.
    return int(step) if isinstance(step, Integral) else max(1, math.floor(step * of + 1e-9))


def _allowed(stop: Stop, trace: Trace, n_left: int, wanted: int) -> int:
    """Return how many may leave before a rule that counts features has enough; rules on values wait for the scores."""
    least, most = 1, wanted
    while least < most:
        some = (least + most) // 2
        tried = Trace([*trace.steps, Step(removed=tuple(range(some)))])
        if stop.done(tried, n_left - some, drops=True):
            most = some
        else:
            least = some + 1
    return least

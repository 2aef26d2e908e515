"""Backward elimination: start with all features and remove the worst again and again."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Protocol

import numpy as np

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
        Whether the user stopped the search (Ctrl-C) before its end.
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
    stop = Count(1) if stop is None else stop
    n_features = view.n_features
    here, trace, begin = np.ones(n_features, bool), Trace(), time.perf_counter()
    removed: list[int] = []
    interrupted = False
    try:
        criterion.start(view)
        while len(removed) < n_features and not stop.done(trace, n_features - len(removed), drops=True):
            left = np.flatnonzero(here)
            worst = criterion.worst(left)
            value = float(criterion.value)
            criterion.remove(worst)
            now = time.perf_counter()
            trace.append(Step(removed=(worst,), value=value, evaluations=len(left), seconds=now - begin))
            here[worst], begin = False, now
            removed.append(worst)
            progress.report("removing features", len(removed), n_features)
    except KeyboardInterrupt:
        if not removed or is_driven():
            raise
        interrupted = True
    return Elimination(np.array(removed, dtype=np.int64), np.flatnonzero(here), trace, interrupted)

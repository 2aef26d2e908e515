"""One step after the other in one direction: forward and backward selection."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from numbers import Real
from typing import Any, ClassVar

import numpy as np

from fewer.core.records.params import Interval, StrOptions, number_from, whole_from
from fewer.core.search.contract import SubsetSearch
from fewer.core.search.evaluations import Evaluations
from fewer.core.search.moves import outside
from fewer.core.search.units import Subset
from fewer.core.stop import Wanted


@dataclass(frozen=True)
class Sequential(SubsetSearch):
    """Add the best unit again and again, or remove the worst (book ch. 1, section 1.1).

    Of equal values the lower unit number is added, and the higher one removed. As long as the subset has not an allowed
    size, steps are taken whatever they cost.

    Parameters
    ----------
    direction : {"forward", "backward"}, default="forward"
        Whether to start with nothing and add, or with everything and remove.
    step : int or float, default=1
        How many units move at once: a number, or a fraction of those that may move; a fraction moves one at least. Each
        is evaluated alone, together they are evaluated once.
    tol : float, default=0.0
        A forward step must gain more than this over the best value so far. A backward step may lose this much
        against it.
    patience : int or None, default=1
        How many steps in a row may fail before the search ends; None goes on to the last allowed size and answers
        with the best.
    """

    direction: str = "forward"
    step: int | float = 1
    tol: float = 0.0
    patience: int | None = 1

    by_loss: ClassVar[bool] = False
    takes_gains: ClassVar[bool] = True
    constraints: ClassVar[dict[str, Any]] = {
        "direction": [StrOptions({"forward", "backward"})],
        "step": [whole_from(1), Interval(Real, 0, 1, closed="neither")],
        "tol": [number_from(0)],
        "patience": [None, whole_from(1)],
    }

    def following(self, wanted: Wanted) -> Sequential:
        """Let a rule that was given in place of a size say what a step must gain, and how many may fail."""
        if wanted.patience is None:
            return self
        # A rule may ask for a negative gain, which is a loss that a backward step may make.
        gain = wanted.gain or 0.0
        tol = gain if self.direction == "forward" else max(-gain, 0.0)
        return replace(self, tol=tol, patience=wanted.patience)

    def search(self, evaluations: Evaluations, rng: np.random.Generator) -> None:
        """Walk from one end towards the other."""
        forward = self.direction == "forward"
        here: Subset = () if forward else tuple(range(evaluations.n_units))
        best = evaluations.value(here)
        evaluations.walk(here)
        evaluations.keep(here)
        waited = 0
        while len(here) != (evaluations.high if forward else evaluations.low):
            here, value = take_step(here, forward, self._size(here, evaluations), evaluations)
            evaluations.walk(here)
            if self._forced(here, evaluations):
                good = True
            else:
                good = value > best + self.tol if forward else value >= best - self.tol
            if good:
                best = value if forward or self._forced(here, evaluations) else max(best, value)
                evaluations.keep(here)
                waited = 0
                continue
            waited += 1
            if self.patience is not None and waited >= self.patience:
                return

    def _forced(self, here: Subset, evaluations: Evaluations) -> bool:
        """Return whether the step before this subset was none that a result could do without."""
        if self.direction == "forward":
            return len(here) <= evaluations.low
        return len(here) >= evaluations.high

    def _size(self, here: Subset, evaluations: Evaluations) -> int:
        """Return how many units move now, so that the first and the last allowed size are not stepped over."""
        forward = self.direction == "forward"
        left = evaluations.n_units - len(here) if forward else len(here)
        wanted = max(1, math.floor(self.step * left)) if isinstance(self.step, float) else int(self.step)
        ends = (evaluations.low, evaluations.high)
        ahead = [e - len(here) for e in ends] if forward else [len(here) - e for e in ends]
        return min([wanted, *(a for a in ahead if a > 0)])


def take_step(here: Subset, forward: bool, size: int, evaluations: Evaluations) -> tuple[Subset, float]:
    """Return the subset after the best units joined or the worst left, and its value."""
    if forward:
        candidates = outside(here, evaluations)
        values = evaluations.added(here, candidates, best_only=size == 1)
        chosen = candidates[np.argsort(-values, kind="stable")[:size]]
        there = tuple(sorted({*here, *chosen.tolist()}))
    else:
        # Reversed, so that of equal values the higher number leaves.
        candidates = np.array(here[::-1], dtype=np.int64)
        values = evaluations.removed(here, candidates, best_only=size == 1)
        gone = set(candidates[np.argsort(-values, kind="stable")[:size]].tolist())
        there = tuple(u for u in here if u not in gone)
    return there, float(values.max()) if size == 1 else evaluations.value(there)

"""Simulated annealing: accept losses while hot, climb when cold."""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Real
from typing import Any, ClassVar

import numpy as np

from fewer.core.records.params import Interval, number_above, whole_from
from fewer.core.search.contract import SubsetSearch
from fewer.core.search.evaluations import Evaluations
from fewer.core.search.moves import flipped, random_masks, starting
from fewer.core.search.units import Subset


@dataclass(frozen=True)
class Annealing(SubsetSearch):
    """Move to random neighbours: always to better ones, to worse ones with probability exp(-loss / temperature).

    The temperature falls by a constant factor from step to step, and with it the number of units that move at once,
    from a quarter of them to one (book ch. 3, Fig. 3.6).

    Parameters
    ----------
    initial_temperature : float, optional
        By default twice the standard deviation of the values of 20 random subsets, so that typical losses are accepted
        at first.
    final_temperature : float, optional
        By default a thousandth of the initial one.
    cooling : float, default=0.95
        Factor from one temperature to the next, between 0 and 1; large is slow.
    moves : int, default=1
        Moves tried at each temperature.
    start : {"random", "empty", "full"} or sequence of int, default="random"
        First subset.
    return_current : bool, default=False
        Whether to answer with the subset where the search ends, as the figure does, rather than with the best seen.
    """

    initial_temperature: float | None = None
    final_temperature: float | None = None
    cooling: float = 0.95
    moves: int = 1
    start: Any = "random"
    return_current: bool = False

    constraints: ClassVar[dict[str, Any]] = {
        "initial_temperature": [None, number_above(0)],
        "final_temperature": [None, number_above(0)],
        "cooling": [Interval(Real, 0, 1, closed="neither")],
        "moves": [whole_from(1)],
        "start": "no_validation",
        "return_current": ["boolean"],
    }

    def search(self, evaluations: Evaluations, rng: np.random.Generator) -> None:
        """Cool down."""
        hot = self.initial_temperature or self._typical_loss(evaluations, rng)
        cold = self.final_temperature or 1e-3 * hot
        here: Subset = starting(self.start, rng, evaluations)
        value = evaluations.value(here)
        evaluations.walk(here)
        if self.return_current:
            evaluations.keep(here)
        steps = temperatures(hot, cold, self.cooling)
        evaluations.expected = evaluations.expected or evaluations.count + self.moves * len(steps)
        for temperature in steps:
            flips = max(1, round(evaluations.n_units / 4 * temperature / hot))
            for _ in range(self.moves):
                there = flipped(rng, here, flips, evaluations)
                new = evaluations.value(there)
                # One draw each time, so that the sequence of random numbers does not depend on values.
                luck = rng.random()
                if new >= value or luck < math.exp(-(value - new) / temperature):
                    here, value = there, new
                    evaluations.walk(here)
                    if self.return_current:
                        evaluations.keep(here)

    def _typical_loss(self, evaluations: Evaluations, rng: np.random.Generator) -> float:
        """Return twice the standard deviation of values of random subsets; 1 if they are all the same."""
        values = evaluations.values(random_masks(rng, 20, evaluations))
        values = values[np.isfinite(values)]
        return (2.0 * float(values.std()) if len(values) else 0.0) or 1.0


def temperatures(hot: float, cold: float, cooling: float) -> np.ndarray:
    """Return the falling temperatures from ``hot`` while they are above ``cold``.

    Examples
    --------
    >>> len(temperatures(1.0, 1e-3, 0.95))
    135
    """
    if hot <= cold:
        return np.empty(0)
    # Round-off must not add a step where the last temperature is the final one.
    return hot * cooling ** np.arange(math.ceil(math.log(cold / hot) / math.log(cooling) - 1e-9))

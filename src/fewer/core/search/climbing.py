"""Hill climbing: to the best neighbour, or to any random one that is better."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from fewer.core.records.params import number_from, whole_from
from fewer.core.search.contract import SubsetSearch
from fewer.core.search.evaluations import Evaluations
from fewer.core.search.moves import flipped, outside, random_subset, starting
from fewer.core.search.units import Subset, with_unit, without


@dataclass(frozen=True)
class HillClimbing(SubsetSearch):
    """Put in or take out the unit that helps most, until none helps (Xing et al.).

    If only one size is allowed, units change places instead.

    Parameters
    ----------
    start : {"empty", "full", "random"} or sequence of int, default="empty"
        First subset.
    restarts : int, default=0
        How many more climbs are made from random subsets.
    tol : float, default=0.0
        A step must gain more than this.
    """

    start: Any = "empty"
    restarts: int = 0
    tol: float = 0.0

    constraints: ClassVar[dict[str, Any]] = {
        "start": "no_validation",
        "restarts": [whole_from(0)],
        "tol": [number_from(0)],
    }

    def search(self, evaluations: Evaluations, rng: np.random.Generator) -> None:
        """Climb from each start."""
        self._climb(starting(self.start, rng, evaluations), evaluations)
        for _ in range(self.restarts):
            self._climb(random_subset(rng, evaluations), evaluations)

    def _climb(self, here: Subset, evaluations: Evaluations) -> None:
        value = evaluations.value(here)
        evaluations.walk(here)
        while True:
            subsets, values = self._neighbours(here, evaluations)
            if not subsets:
                return
            at = int(np.argmax(values))
            allowed = evaluations.low <= len(here) <= evaluations.high
            if allowed and not values[at] > value + self.tol:
                return
            here, value = subsets[at], float(values[at])
            evaluations.walk(here)

    def _neighbours(self, here: Subset, evaluations: Evaluations) -> tuple[list[Subset], np.ndarray]:
        """Return the neighbours of a subset that are allowed or nearer to what is allowed, and their values."""
        low, high, free = evaluations.low, evaluations.high, outside(here, evaluations)
        if low == high == len(here):
            swaps = [with_unit(without(here, u), v) for u in here for v in free.tolist()]
            return swaps, evaluations.values(swaps) if swaps else np.empty(0)
        subsets: list[Subset] = []
        values: list[np.ndarray] = []
        if len(here) < high and len(free):
            subsets += [with_unit(here, u) for u in free.tolist()]
            values.append(evaluations.added(here, free))
        if len(here) > low and here:
            subsets += [without(here, u) for u in here]
            values.append(evaluations.removed(here, here))
        return subsets, np.concatenate(values) if values else np.empty(0)


@dataclass(frozen=True)
class RandomMutation(SubsetSearch):
    """Random mutation hill climbing: flip a random unit and keep that if it helps (book ch. 3, Fig. 3.5).

    Parameters
    ----------
    max_iter : int, default=1000
        Number of flips tried.
    flips : int, default=1
        Units that move in each of them.
    accept_equal : bool, default=False
        Whether a flip that changes nothing is kept too.
    restarts : int, default=0
        How many more climbs are made, each of ``max_iter`` flips; only these find the optimum for certain in the
        limit, a longer climb does not.
    start : {"random", "empty", "full"} or sequence of int, default="random"
        First subset.

    Notes
    -----
    The figure never takes a failed flip back; the text does, and so does this search.
    """

    max_iter: int = 1000
    flips: int = 1
    accept_equal: bool = False
    restarts: int = 0
    start: Any = "random"

    constraints: ClassVar[dict[str, Any]] = {
        "max_iter": [whole_from(1)],
        "flips": [whole_from(1)],
        "accept_equal": ["boolean"],
        "restarts": [whole_from(0)],
        "start": "no_validation",
    }

    def search(self, evaluations: Evaluations, rng: np.random.Generator) -> None:
        """Climb from each start."""
        for climb in range(self.restarts + 1):
            here = random_subset(rng, evaluations) if climb else starting(self.start, rng, evaluations)
            value = evaluations.value(here)
            evaluations.walk(here)
            for _ in range(self.max_iter):
                there = flipped(rng, here, self.flips, evaluations)
                new = evaluations.value(there)
                away = not evaluations.low <= len(here) <= evaluations.high
                if new > value or away or (self.accept_equal and new == value):
                    here, value = there, new
                    evaluations.walk(here)

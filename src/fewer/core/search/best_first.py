"""Best-first search: always expand the most promising subset that is still open."""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from fewer.core.records.params import StrOptions, number_from, whole_from
from fewer.core.search.contract import SubsetSearch
from fewer.core.search.evaluations import Evaluations
from fewer.core.search.moves import outside, starting
from fewer.core.search.units import Subset, with_unit, without

# How far from an allowed size, minus the value, the size, where the subset comes from, the unit that moved (negative if
# it left: of equal ones the higher number leaves first) and the unit. Subsets on the way to an allowed size go first;
# otherwise a search might never get there.
Entry = tuple[int, float, int, int, int, int]


@dataclass(frozen=True)
class BestFirst(SubsetSearch):
    """Expand the best open subset; end after some expansions without a better one (Xing et al., Kohavi and John).

    Parameters
    ----------
    direction : {"forward", "backward", "both"}, default="forward"
        Whether expanding adds each unit, removes each, or both.
    patience : int, default=5
        Expansions in a row that may fail to improve the best value.
    epsilon : float, default=0.0
        By how much the best value must rise to count as improved.
    start : {"empty", "full", "random"} or sequence of int, default=None
        First subset; None takes "full" for "backward", else "empty".

    Notes
    -----
    The first expansions are those of greedy selection, so that the result is never worse than its.
    """

    direction: str = "forward"
    patience: int = 5
    epsilon: float = 0.0
    start: Any = None

    constraints: ClassVar[dict[str, Any]] = {
        "direction": [StrOptions({"forward", "backward", "both"})],
        "patience": [whole_from(1)],
        "epsilon": [number_from(0)],
    }

    def search(self, evaluations: Evaluations, rng: np.random.Generator) -> None:
        """Expand until nothing is open or patience is spent."""
        start = ("full" if self.direction == "backward" else "empty") if self.start is None else self.start
        first = starting(start, rng, evaluations)
        value = evaluations.value(first)
        evaluations.walk(first)
        bases = [first]
        # Entries name a subset by the one it came from and the unit that moved; -1 is the start itself.
        open_ones: list[Entry] = [(0, -value, len(first), 0, 0, -1)]
        closed: set[Subset] = set()
        reached, waited = -np.inf, 0
        while open_ones and waited < self.patience:
            *_, base, _, unit = heapq.heappop(open_ones)
            here = bases[base] if unit < 0 else _changed(bases[base], unit)
            if here in closed:
                continue
            closed.add(here)
            bases.append(here)
            self._expand(here, len(bases) - 1, open_ones, evaluations)
            best = evaluations.best
            if best is not None and best.value > reached + self.epsilon:
                reached, waited = best.value, 0
            elif best is not None:
                waited += 1
            if best is not None and best.subset != evaluations.walked[-1].subset:
                evaluations.walk(best.subset)

    def _expand(self, here: Subset, base: int, open_ones: list[Entry], evaluations: Evaluations) -> None:
        """Open all neighbours of a subset."""
        low, high = evaluations.low, evaluations.high
        if self.direction == "both" and low == high:
            # A single allowed size is left and entered again.
            low, high = max(low - 1, 0), min(high + 1, evaluations.n_units)
        found: list[tuple[int, int, float]] = []
        if self.direction != "backward" and len(here) < high:
            units = outside(here, evaluations)
            found += [(len(here) + 1, u, v) for u, v in zip(units.tolist(), evaluations.added(here, units).tolist())]
        if self.direction != "forward" and len(here) > low:
            found += [(len(here) - 1, u, v) for u, v in zip(here, evaluations.removed(here, here).tolist())]
        for size, unit, value in found:
            if size != {"forward": high, "backward": low}.get(self.direction):
                away = max(evaluations.low - size, size - evaluations.high, 0)
                tie = unit if size > len(here) else -unit
                heapq.heappush(open_ones, (away, -value, size, base, tie, unit))


def _changed(subset: Subset, unit: int) -> Subset:
    return without(subset, unit) if unit in subset else with_unit(subset, unit)

"""Which missing cells to ask for: those of largest benefit, ties by lot, within what may still be spent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from fewer.core.estimators.acquisition_state import AcquisitionState
from fewer.core.kernels.acquisition import TIE, candidate_cells, drawn
from fewer.core.reading.partial_table import PartialTable
from fewer.core.records.errors import InputError, ParameterError

# Numbers of draws from here on are for the second and later of several questions.
LATER = 2**31


@dataclass(frozen=True, eq=False)
class CellChoice:
    """Chooses among the cells of a state by what an engine expects of them."""

    state: AcquisitionState
    engine: Any
    costs: np.ndarray
    max_cost: float | None
    fraction: float
    by_cost: bool

    def best(self, n: int) -> tuple[list[int], list[float]]:
        """Return up to n cells, the best first, and their benefits.

        Draws depend on the seed and on the number of values told, so that asking again asks the same.
        """
        open_cells = self._affordable()
        seed, step = self.state.seed, len(self.state.told)
        if self.fraction < 1.0:
            n_missing = int(open_cells.sum())
            n_candidates = min(n_missing, max(n, 1, int(np.ceil(self.fraction * n_missing - 1e-9))))
            cells = np.empty(n_missing, dtype=np.int64)
            candidate_cells(open_cells, n_candidates, seed, step, cells)
            cells = cells[:n_candidates]
        else:
            cells = np.flatnonzero(open_cells)
        benefits = self.engine.benefits(cells)
        known = np.full(len(cells), np.nan) if benefits is None else benefits
        worth = np.zeros(len(cells)) if benefits is None else benefits
        if self.by_cost:
            worth = worth / self.costs[cells % len(self.costs)]
        return self._first(cells, known, worth.copy(), n, seed, step)

    def _first(
        self, cells: np.ndarray, known: np.ndarray, worth: np.ndarray, n: int, seed: int, step: int
    ) -> tuple[list[int], list[float]]:
        chosen: list[int] = []
        left = 0.0 if self.max_cost is None else self.max_cost - self._spent
        while len(chosen) < min(n, len(cells)) and worth.max() >= 0.0:
            tied = np.flatnonzero(worth >= worth.max() * (1.0 - TIE))
            number = 0 if not chosen else LATER + len(chosen)
            place = int(tied[drawn(seed, step, number, len(tied))])
            chosen.append(place)
            worth[place] = -1.0
            if self.max_cost is not None:
                left -= self.costs[cells[place] % len(self.costs)]
                worth[~_within(self.costs[cells % len(self.costs)], left)] = -1.0
        return [int(cells[place]) for place in chosen], [float(known[place]) for place in chosen]

    @property
    def _spent(self) -> float:
        return float(sum(self.costs[one.column] for one in self.state.told))

    def _affordable(self) -> np.ndarray:
        """Cells that may be asked for and whose cost is still within the limit."""
        cells = self.state.open_cells
        if self.max_cost is None:
            return cells
        return cells & np.tile(_within(self.costs, self.max_cost - self._spent), len(self.state.codes))

    def stopped(self, budget: int | None, max_cost: float | None, tol: float | None, patience: int, path: list) -> str:
        """Return which stop rule is met, in words."""
        n_told = len(self.state.told)
        if not self.state.open_cells.any():
            return "no value is left to ask for"
        if budget is not None and n_told >= budget:
            return f"the budget of {budget} values is spent"
        if max_cost is not None and not self._affordable().any():
            return f"no missing value costs at most what is left of {max_cost:g}"
        if tol is not None and n_told >= patience:
            change = float(np.abs(np.diff(np.array(path[-patience - 1 :]), axis=0)).max())
            if change < tol:
                return f"the last {patience} values changed no relevance by {tol:g}"
        return ""


def _within(costs: np.ndarray, left: float) -> np.ndarray:
    """Return which costs are at most what is left; sums of fractions are not exact."""
    return costs <= left + 1e-9 * costs


def column_costs(where: str, given: Any, table: PartialTable) -> np.ndarray:
    """Return what a value of every column costs: 1, or what a mapping by column or a list says."""
    costs = np.ones(len(table.names))
    if isinstance(given, Mapping):
        for name, cost in given.items():
            costs[table.column(f"{where}: costs", name)] = _cost(where, cost)
        return costs
    if given is None:
        return costs
    found = [_cost(where, cost) for cost in given]
    if len(found) != len(costs):
        raise InputError(
            f"{where} got {len(found)} costs for {len(costs)} columns; give one per column, or those of some by name."
        )
    return np.array(found)


def _cost(where: str, given: Any) -> float:
    try:
        cost = float(given)
    except (TypeError, ValueError):
        cost = float("nan")
    if not (np.isfinite(cost) and cost > 0):
        raise ParameterError(f"{where} got the cost {given!r}, but a cost is a finite number above 0; give such ones.")
    return cost


def number_of_seed(where: str, random_state: Any, state: Any) -> int:
    """Return a number from 0 to 2^32 - 1 for all draws; with a state file it must be known, or be drawn once."""
    if isinstance(random_state, (int, np.integer)):
        return int(np.random.SeedSequence(int(random_state)).generate_state(1)[0])
    if state is not None and random_state is not None:
        raise ParameterError(
            f"{where} with a state file got random_state={random_state!r}, but takes a whole number or None there; "
            "pass for example random_state=0."
        )
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**32, dtype=np.uint64))
    return int(np.random.default_rng(random_state).integers(2**32))

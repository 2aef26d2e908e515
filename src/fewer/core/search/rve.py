"""Randomized variable elimination: remove many at random, and put them back if that hurts."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from fewer.core.criteria.shapes import Criterion
from fewer.core.records.errors import ParameterError
from fewer.core.records.params import StrOptions, check_value, number_above, number_from, whole_from
from fewer.core.search.contract import MANY_UNITS, SubsetSearch
from fewer.core.search.evaluations import Evaluations
from fewer.core.search.rve_schedule import Cost, expected_failures, rve_schedule
from fewer.core.search.sequential import take_step
from fewer.core.search.units import Subset
from fewer.core.stop import Stop, Wanted

REMOVALS: dict[str, Any] = {
    "cost": [StrOptions({"unit", "linear"}), callable],
    "tol": [number_from(0)],
    "strict": ["boolean"],
    "reference": [StrOptions({"latest", "best"})],
    "max_iter": [None, whole_from(1)],
}


@dataclass(frozen=True)
class RandomizedElimination(SubsetSearch):
    """Remove as many random units at once as is cheapest on average (book ch. 3, Fig. 3.8).

    A removal stands if the value does not fall; the number of relevant units must be known. If more units are left in
    the end than allowed, those that cost least are removed all the same.

    Parameters
    ----------
    n_relevant : int, optional
        Number of units that stay, those that are always in included; by default the size that was asked for.
    cost : {"unit", "linear"} or callable, default="unit"
        What an evaluation costs, see `rve_schedule`.
    tol : float, default=0.0
        Loss that is accepted.
    strict : bool, default=False
        Whether a removal must raise the value, as the text has it; learners that ignore irrelevant variables then never
        lose one.
    reference : {"latest", "best"}, default="latest"
        Whether losses count from the value after the last removal or from the best value so far.
    max_iter : int, optional
        Most removals tried; by default ten times as many as expected, and 100 more.
    """

    n_relevant: int | None = None
    cost: Cost = "unit"
    tol: float = 0.0
    strict: bool = False
    reference: str = "latest"
    max_iter: int | None = None

    constraints: ClassVar[dict[str, Any]] = {"n_relevant": [None, whole_from(0)], **REMOVALS}

    def following(self, wanted: Wanted) -> RandomizedElimination:
        """Take the size that was asked for as the number of relevant units."""
        return replace(self, n_relevant=wanted.high) if self.n_relevant is None else self

    def check(self, who: str, criterion: Criterion, size: Stop, extras: Iterable[str] = ()) -> None:
        """Raise before any work starts if it does not know how many units are relevant, too."""
        super().check(who, criterion, size, extras)
        wanted = size.wanted(MANY_UNITS)
        if self.n_relevant is None and wanted.low != wanted.high:
            raise ParameterError(
                f"{who} got n_features_to_select={str(size)!r}, but must know how many features are relevant; pass a "
                "number or a fraction, or use RVErS."
            )

    def search(self, evaluations: Evaluations, rng: np.random.Generator) -> None:
        """Remove units until the relevant ones are left."""
        wanted = evaluations.high
        if self.n_relevant is not None:
            wanted = max(self.n_relevant - evaluations.units.n_fixed, evaluations.low)
        schedule = rve_schedule(max(evaluations.n_units, wanted), wanted, self.cost)
        removals = _Removals(evaluations, rng, self.tol, self.strict, self.reference)
        most = self.max_iter
        if most is None:
            unit = schedule if self.cost == "unit" else rve_schedule(max(evaluations.n_units, wanted), wanted)
            most = 10 * math.ceil(float(unit.cost[evaluations.n_units])) + 100
        for _ in range(most):
            n = len(removals.here)
            if n <= wanted:
                break
            removals.tried(int(schedule.remove[n]))
        removals.fit_size()


@dataclass(frozen=True)
class RandomizedEliminationSearch(SubsetSearch):
    """Randomized variable elimination with a search for the number of relevant units (RVErS).

    Failed removals in a row say that more units are relevant than assumed, successful ones that fewer are; the assumed
    number is halved in between (Stracuzzi and Utgoff 2004).

    Parameters
    ----------
    min_relevant, max_relevant : int, optional
        Bounds of the number of relevant units, those that are always in included; by default the sizes that were
        asked for.
    cost : {"unit", "linear"} or callable, default="unit"
        What an evaluation costs, see `rve_schedule`.
    fail_factor : float, default=3.0
        c1, how many times the expected failures are needed to raise the number.
    success_factor : float, default=0.3
        c2, how much of the difference of number and expected failures must succeed to lower it.
    tol : float, default=0.0
        Loss that is accepted.
    strict : bool, default=False
        Whether a removal must raise the value.
    reference : {"latest", "best"}, default="latest"
        Whether losses count from the value after the last removal or from the best value so far.
    max_iter : int, optional
        Most removals tried; by default 100 and 20 for each unit.

    Notes
    -----
    The published algorithm ends when its bounds have met and removals fail again, even if more units are left than
    assumed; with 3 of 100 relevant that leaves irrelevant units in half of the runs. Here the upper bound goes back to
    the number of units left, and the search ends when single units resist.
    """

    min_relevant: int | None = None
    max_relevant: int | None = None
    cost: Cost = "unit"
    fail_factor: float = 3.0
    success_factor: float = 0.3
    tol: float = 0.0
    strict: bool = False
    reference: str = "latest"
    max_iter: int | None = None

    constraints: ClassVar[dict[str, Any]] = {
        "min_relevant": [None, whole_from(0)],
        "max_relevant": [None, whole_from(1)],
        "fail_factor": [number_above(0)],
        "success_factor": [number_above(0)],
        **REMOVALS,
    }

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.max_relevant is not None:
            check_value("RVErS", "max_relevant", self.max_relevant, [whole_from(max(self.min_relevant or 0, 1))])

    def following(self, wanted: Wanted) -> RandomizedEliminationSearch:
        """Take the sizes that were asked for as bounds where none are given."""
        low = wanted.low if self.min_relevant is None else self.min_relevant
        return replace(self, min_relevant=low, max_relevant=self.max_relevant or max(wanted.high, low, 1))

    def search(self, evaluations: Evaluations, rng: np.random.Generator) -> None:
        """Remove units while narrowing down how many are relevant."""
        removals = _Removals(evaluations, rng, self.tol, self.strict, self.reference)
        self._narrow(removals, evaluations)
        removals.fit_size()

    def _narrow(self, removals: _Removals, evaluations: Evaluations) -> None:
        n_all, fixed = evaluations.n_units, evaluations.units.n_fixed
        floor = evaluations.low
        low = max((self.min_relevant or 1) - fixed, floor, 1)
        high = n_all if self.max_relevant is None else min(max(self.max_relevant - fixed, low), n_all)
        plans: dict[int, np.ndarray] = {}
        r = -(-(low + high) // 2)
        succeeded = failed = 0
        for _ in range(100 + 20 * n_all if self.max_iter is None else self.max_iter):
            n = len(removals.here)
            if n <= max(floor, 1):
                return
            # With as many relevant units as there are no removal could succeed: one of them is tried all the same.
            assumed = min(r, n - 1)
            if assumed not in plans:
                plans[assumed] = rve_schedule(n, assumed, self.cost).remove
            k = min(int(plans[assumed][n]), n - floor)
            failures = expected_failures(n, assumed, k)
            if removals.tried(k):
                succeeded, failed = succeeded + 1, 0
            else:
                succeeded, failed = 0, failed + 1
            n, high = len(removals.here), min(high, len(removals.here))
            if n <= low:
                r = low = high = n
            if failed and failed >= self.fail_factor * failures:
                if low >= high and r >= n - 1:
                    return
                if low >= high:
                    # More units are left than assumed, and yet they resist: the upper bound was lowered too far.
                    high = n
                # Rounded up, or the last step of the halving would never be taken.
                low = min(max(r, low + 1), high)
                r, succeeded, failed = -(-(low + high) // 2), 0, 0
            elif succeeded >= max(1.0, self.success_factor * (r - failures)):
                high = max(min(r, high), low)
                r, succeeded, failed = (low + high) // 2, 0, 0


class _Removals:
    """The units that are left, and what they are worth."""

    def __init__(
        self, evaluations: Evaluations, rng: np.random.Generator, tol: float, strict: bool, reference: str
    ) -> None:
        self.evaluations, self.rng, self.tol, self.strict, self.latest = (
            evaluations,
            rng,
            tol,
            strict,
            reference == "latest",
        )
        self.here: Subset = tuple(range(evaluations.n_units))
        self.value = self.best = evaluations.value(self.here)
        evaluations.walk(self.here)
        evaluations.keep(self.here)

    def tried(self, k: int) -> bool:
        """Remove k random units and return whether that stands."""
        gone = set(self.rng.choice(self.here, size=k, replace=False).tolist())
        there = tuple(u for u in self.here if u not in gone)
        value = self.evaluations.value(there)
        against = self.value if self.latest else self.best
        if not (value > against if self.strict else value >= against - self.tol):
            return False
        self.here, self.value, self.best = there, value, max(self.best, value)
        self.evaluations.walk(there)
        self.evaluations.keep(there)
        return True

    def fit_size(self) -> None:
        """Remove the units that cost least, half of those too many at a time, if more are left than allowed."""
        while len(self.here) > self.evaluations.high:
            too_many = len(self.here) - self.evaluations.high
            self.here, self.value = take_step(self.here, False, -(-too_many // 2), self.evaluations)
            self.evaluations.walk(self.here)
            self.evaluations.keep(self.here)

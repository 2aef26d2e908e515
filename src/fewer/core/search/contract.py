"""The one contract of a search: a problem in, a selection out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from fewer.core.criteria.shapes import Criterion, as_ranking, as_stepwise, as_subset
from fewer.core.records.errors import ParameterError, RequirementError
from fewer.core.records.params import check_value
from fewer.core.records.result import Selection
from fewer.core.search.checkpoint import Checkpoint, search_facts
from fewer.core.search.evaluations import Evaluations
from fewer.core.search.outcome import Outcome, run_search, selection_of
from fewer.core.search.units import Units, size_range
from fewer.core.stop import All, Budget, Stop, Wanted
from fewer.core.views.view import View

if TYPE_CHECKING:
    from fewer.core.criteria.shapes import SubsetScore

# More units than any data have: what a rule asks for before the data are known.
MANY_UNITS = 10**9
SHAPES: dict[str, Callable[[Any], Criterion]] = {"ranking": as_ranking, "stepwise": as_stepwise, "subset": as_subset}


@dataclass(frozen=True, eq=False)
class Problem:
    """What a search is asked.

    Attributes
    ----------
    view : View
        The data, as the criterion reads them.
    criterion : Criterion
        What features or subsets are worth.
    size : Stop
        How many, and when it is enough.
    units : Units, optional
        What moves as one and what is always in; by default each column moves alone.
    max_evaluations, max_seconds : number, optional
        Limits of work.
    checkpoint : str or path, optional
        File of evaluations.
    seed : int, Generator or None
        Source of randomness.
    who : str
        Named in messages.
    """

    view: View
    criterion: Criterion
    size: Stop = field(default_factory=All)
    units: Units | None = None
    max_evaluations: int | None = None
    max_seconds: float | None = None
    checkpoint: Any = None
    seed: Any = 0
    who: str = "The search"

    @property
    def moving(self) -> Units:
        """What moves as one and what is always in."""
        return Units.of(self.view.n_features) if self.units is None else self.units


class Search:
    """Base of all searches; small frozen values.

    Attributes
    ----------
    shape : {"ranking", "stepwise", "subset"}
        What it asks the criterion for.
    serves : tuple of str
        The rules it can follow: those that can "cut" a ranking, end a search when it is "done", or say what a search
        through "subsets" shall find.
    constraints : dict
        What its fields may be, as scikit-learn writes it; said here for the search and for all selectors with it.
    """

    shape: ClassVar[str] = "subset"
    serves: ClassVar[tuple[str, ...]] = ("subsets",)
    constraints: ClassVar[dict[str, Any]] = {}

    def __post_init__(self) -> None:
        for name, allowed in self.constraints.items():
            check_value(type(self).__name__, name, getattr(self, name), allowed)

    def run(self, problem: Problem) -> Selection:
        """Search and say what was found, and why the rest was not."""
        raise NotImplementedError

    def check(self, who: str, criterion: Criterion, size: Stop, extras: Iterable[str] = ()) -> None:
        """Raise before any work starts if criterion, search and size do not fit each other."""
        SHAPES[self.shape](criterion)
        size.check(who, [*self.serves, *extras])


class SubsetSearch(Search):
    """Base of the searches through subsets: they ask `Evaluations` for values, in whatever order they like.

    Attributes
    ----------
    takes_gains : bool
        Whether rules such as "gain:0.01" can end it.
    by_loss : bool
        Whether kept features are ordered by what is lost without them, rather than by when they joined.
    needs_monotone : bool
        Whether the criterion must never fall when a feature joins.
    """

    takes_gains: ClassVar[bool] = False
    by_loss: ClassVar[bool] = True
    needs_monotone: ClassVar[bool] = False

    def search(self, evaluations: Evaluations, rng: np.random.Generator) -> None:
        """Search until done; `Evaluations` ends it earlier if the budget is spent."""
        raise NotImplementedError

    def sized(self, wanted: Wanted) -> Wanted:
        """Return what the search makes of the size that was asked for."""
        return wanted

    def following(self, wanted: Wanted) -> SubsetSearch:
        """Return the search with what the size that was asked for says about its parameters."""
        return self

    def explained(self, selection: Selection, outcome: Outcome) -> Selection:
        """Add to the selection what the search knows besides."""
        return selection

    def check(self, who: str, criterion: Criterion, size: Stop, extras: Iterable[str] = ()) -> None:
        """Raise before any work starts if criterion, search and size do not fit each other."""
        super().check(who, criterion, size, extras)
        if size.wanted(MANY_UNITS).patience is not None and not self.takes_gains:
            raise RequirementError(
                f"{who} got n_features_to_select={str(size)!r}, but has no steps whose gain could end it; pass a "
                "number, 'best' or 'parsimonious', or use SequentialSelector."
            )
        if self.needs_monotone and not as_subset(criterion).monotone:
            raise RequirementError(
                f"{who} needs a criterion that never falls when a feature joins, but {type(criterion).__name__} does "
                "not say so (monotone = True); choose another search."
            )

    def run(self, problem: Problem) -> Selection:
        """Search and say what was found."""
        view, units, criterion = problem.view, problem.moving, as_subset(problem.criterion)
        asked = problem.size.wanted(len(units) + units.n_fixed)
        search, wanted = self.following(asked), self.sized(asked)
        evaluations = Evaluations(
            view,
            criterion,
            units=units,
            min_features=wanted.low,
            max_features=wanted.high,
            budget=_budget(problem, wanted),
            checkpoint=_opened(problem, criterion, search, units, wanted),
        )
        outcome = run_search(search, evaluations, _seeded(problem.seed), wanted.choose)
        return search.explained(selection_of(outcome, by_loss=self.by_loss), outcome)


def _seeded(seed: Any) -> np.random.Generator:
    # Lists of numbers and other sources that numpy takes are refused, as by all methods.
    if seed is None or isinstance(seed, np.random.Generator) or (isinstance(seed, (int, np.integer)) and seed >= 0):
        return np.random.default_rng(seed)
    raise ParameterError(
        f"The search got random_state={seed!r}, but needs a whole number from 0 on, a Generator or None; pass for "
        "example random_state=0."
    )


def _budget(problem: Problem, wanted: Wanted) -> Budget | None:
    """Return the limits of the work; of two limits the stricter holds."""
    seconds = [s for s in (problem.max_seconds, wanted.seconds) if s is not None]
    counts = [n for n in (problem.max_evaluations, wanted.evaluations) if n is not None]
    return Budget(min(seconds, default=None), min(counts, default=None)) if seconds or counts else None


def _opened(
    problem: Problem, criterion: SubsetScore, search: SubsetSearch, units: Units, wanted: Wanted
) -> Checkpoint | None:
    """Return the file of evaluations, if one was asked for."""
    if problem.checkpoint is None:
        return None
    sizes = size_range(units, wanted.low, wanted.high)
    facts = search_facts(problem.view, criterion, search, problem.seed, units, sizes)
    return Checkpoint(problem.checkpoint, facts, len(units))

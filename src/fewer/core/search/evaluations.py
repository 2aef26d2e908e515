"""The one way in which a search sees a criterion: remembered, counted, limited, written down."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from fewer.core.criteria.shapes import SubsetScore
from fewer.core.records.trace import Step, Trace
from fewer.core.runners import progress
from fewer.core.runners.elsewhere import PORTIONS, elsewhere
from fewer.core.search.checkpoint import Checkpoint
from fewer.core.search.found import Found, SearchOver
from fewer.core.search.keys import Keys
from fewer.core.search.units import Subset, Units, as_units, size_range, with_unit, without
from fewer.core.stop import Budget
from fewer.core.views.view import View

# With a checkpoint or a clock so many candidates are evaluated at once, so that little is lost and time is kept.
PORTION = 64


class Evaluations:
    """Values of subsets of units, each computed once.

    A strategy asks for values of subsets of unit numbers; columns, groups and fixed features are the business of this
    object. It knows the best subset so far, how many subsets were evaluated, and when it is enough: then it raises
    `SearchOver`, which `run_search` understands. A value that is NaN counts as minus infinity.

    Parameters
    ----------
    view : View
        The data.
    criterion : SubsetScore
        Gives a subset of columns one number, larger is better; what `values_added` and `values_removed` return must not
        depend on which candidates are asked for together.
    units : Units, optional
        What moves as one and what is always in; by default each column moves alone.
    min_features, max_features : int, optional
        Fewest and most units of a result, those that are always in included. Smaller and larger subsets may be
        visited on the way, but are no results.
    budget : Budget, optional
        Most evaluations, and most seconds of this run.
    checkpoint : Checkpoint, optional
        Where evaluations are written, and from where those of an earlier run are taken.

    Attributes
    ----------
    n_units : int
        Number of units that may move.
    low, high : int
        Fewest and most moving units of a result.
    best : Found or None
        The best subset of allowed size; of equal values the one with fewer units, then with lower numbers.
    best_of_size : dict of int to Found
        The best subset for each number of moving units.
    count : int
        Number of different subsets whose value was asked for.
    computed : int
        How many of them the criterion had to evaluate; the others came from the checkpoint.
    trace : Trace
        What the strategy did, step by step.
    expected : int or None
        How many evaluations the strategy expects, for the progress display.
    """

    def __init__(
        self,
        view: View,
        criterion: SubsetScore,
        *,
        units: Units | None = None,
        min_features: int = 1,
        max_features: int | None = None,
        budget: Budget | None = None,
        checkpoint: Checkpoint | None = None,
    ) -> None:
        self.view, self.criterion, self.budget, self.checkpoint = view, criterion, budget, checkpoint
        self.units = Units.of(view.n_features) if units is None else units
        self.n_units = len(self.units)
        self.low, self.high = size_range(self.units, min_features, max_features)
        self.best: Found | None = None
        self.best_of_size: dict[int, Found] = {}
        self.count = self.computed = 0
        self.trace = Trace()
        self.walked: list[Found] = []
        self._most = None if budget is None else budget.evaluations
        self._seconds = np.inf if budget is None or budget.seconds is None else budget.seconds
        self.expected: int | None = self._most
        self._keys = Keys(self.n_units)
        self._memo: dict[int, float] = {}
        self._kept: Found | None = None
        self._begin = self._last_walk = time.perf_counter()
        self._count_at_walk = 0
        self._asked = False
        self._stored = {self._keys.of(s): value for s, value in (checkpoint.found if checkpoint else ())}

    def value(self, subset: Iterable[int]) -> float:
        """Return the value of one subset of units."""
        return float(self.values([subset])[0])

    def values(self, subsets: Sequence[Any] | np.ndarray) -> np.ndarray:
        """Return the values of subsets, each given as numbers or as a mask of units."""
        members = [as_units(subset) for subset in subsets]
        keys = [self._keys.of(subset) for subset in members]
        return self._ask(keys, members.__getitem__, lambda new: self._by_value(new, members.__getitem__))

    def added(
        self, subset: Iterable[int], candidates: Sequence[int] | np.ndarray, *, best_only: bool = False
    ) -> np.ndarray:
        """Return the values of a subset with each of the candidates, which are outside it.

        With ``best_only`` the best value is exact, and others may be upper bounds below it, where the criterion gives
        up hopeless candidates; bounds are never remembered as values.
        """
        return self._neighbours(self.criterion.values_added, as_units(subset), candidates, with_unit, best_only)

    def removed(
        self, subset: Iterable[int], candidates: Sequence[int] | np.ndarray, *, best_only: bool = False
    ) -> np.ndarray:
        """Return the values of a subset without each of the candidates, which are inside it; as `added`."""
        return self._neighbours(self.criterion.values_removed, as_units(subset), candidates, without, best_only)

    def known(self, subset: Iterable[int]) -> float | None:
        """Return the value of a subset if it was evaluated, else None."""
        return self._memo.get(self._keys.of(subset))

    def known_changed(self, subset: Iterable[int], units: Sequence[int]) -> np.ndarray:
        """Return what is known of a subset with each of some units put in or taken out; NaN where nothing is."""
        keys = self._keys.changed(self._keys.of(subset), units)
        return np.array([self._memo.get(key, np.nan) for key in keys], dtype=float)

    def fold_values(self, subset: Iterable[int]) -> np.ndarray | None:
        """Return the scores of a subset in every fold, or None if the criterion has no folds."""
        if not self.criterion.has_folds:
            return None
        return np.asarray(self.criterion.fold_values(self.view, self.units.columns(as_units(subset))), float)

    def walk(self, subset: Iterable[int]) -> None:
        """Record that the search now stands at a subset whose value is known."""
        here, now = as_units(subset), time.perf_counter()
        before = set(self.units.columns(self.walked[-1].subset)) if self.walked else set()
        after = set(self.units.columns(here))
        found = Found(here, self._memo[self._keys.of(here)])
        added, removed = tuple(sorted(after - before)), tuple(sorted(before - after))
        self.trace.append(Step(added, removed, found.value, self.count - self._count_at_walk, now - self._last_walk))
        self.walked.append(found)
        self._last_walk, self._count_at_walk = now, self.count

    def keep(self, subset: Iterable[int]) -> None:
        """Make a subset whose value is known the answer, for strategies that do not answer with the best one."""
        here = as_units(subset)
        self._kept = Found(here, self._memo[self._keys.of(here)])

    @property
    def answer(self) -> Found | None:
        """What the search answers now: what it kept, else the best, else the best of the size nearest to allowed."""
        if self._kept is not None and self.low <= len(self._kept.subset) <= self.high:
            return self._kept
        if self.best is not None or not self.best_of_size:
            return self.best
        return self.best_of_size[min(self.best_of_size, key=lambda k: (max(self.low - k, k - self.high), k))]

    def parsimonious(self) -> Found | None:
        """Return the smallest subset whose value is within one standard error of the best.

        The standard error is the standard deviation of the best subset's fold scores over the root of their number.
        """
        scores = None if self.best is None else self.fold_values(self.best.subset)
        if self.best is None or scores is None or len(scores) < 2:
            return self.best
        if not np.isfinite(scores).all():
            return self.best
        enough = self.best.value - float(np.std(scores, ddof=1)) / np.sqrt(len(scores))
        sizes = [k for k in sorted(self.best_of_size) if self.low <= k <= self.high]
        return next(self.best_of_size[k] for k in sizes if self.best_of_size[k].value >= enough)

    def _neighbours(
        self,
        delta: Callable[..., np.ndarray],
        subset: Subset,
        candidates: Any,
        change: Callable[[Subset, int], Subset],
        best_only: bool,
    ) -> np.ndarray:
        """Return values of subsets that differ by one unit, by the criterion's own short cut where it has one."""
        candidates = np.asarray(candidates, dtype=np.int64)
        numbers = candidates.tolist()
        keys = self._keys.changed(self._keys.of(subset), numbers)
        bounds = self.criterion.give_up
        # Who needs every value gets none from a short cut that gives up.
        quick = delta if self.criterion.by_one and (best_only or not bounds) else None

        def member(i: int) -> Subset:
            return change(subset, numbers[i])

        def compute(new: list[int]) -> Iterator[tuple[list[int], np.ndarray]]:
            alone = new
            if quick is not None:
                short = [i for i in new if self.units.single[numbers[i]]]
                alone = [i for i in new if not self.units.single[numbers[i]]]
                timed = self.checkpoint is not None or self._seconds < np.inf
                portion = PORTION if timed else max(len(short), 1)
                for start in range(0, len(short), portion):
                    some = short[start : start + portion]
                    columns = self.units.first[candidates[some]]
                    yield some, np.asarray(quick(self.view, self.units.columns(subset), columns), dtype=float)
            yield from self._by_value(alone, member)

        size = len(change(subset, numbers[0])) if numbers else None
        return self._ask(keys, member, compute, size, bounds and best_only)

    def _ask(
        self,
        keys: list[int],
        member: Callable[[int], Subset],
        compute: Callable[[list[int]], Iterator[tuple[list[int], np.ndarray]]],
        size: int | None = None,
        bounds: bool = False,
    ) -> np.ndarray:
        """Return values by key; compute those that nobody asked for yet, as far as the budget goes."""
        first = {key: i for i, key in reversed(list(enumerate(keys))) if key not in self._memo}
        asked = sorted(first.values())
        room = len(asked)
        if self._most is not None:
            room = min(room, self._most - self.count)
        passing: dict[int, float] = {}
        try:
            for some, values in self._portions(keys, member, compute, asked[:room], bounds):
                if bounds:
                    passing.update(zip(some, values))
                else:
                    self._note(keys, member, some, values, size)
                self._check_clock()
        finally:
            if passing:
                # Of bounds and values only the best is known to be a value.
                best = max(passing.values())
                top = [i for i, value in passing.items() if value == best]
                self.count += len(passing) - len(top)
                self._note(keys, member, top, [best] * len(top), size)
        if room < len(asked):
            raise SearchOver(f"the budget of {self.count} evaluations was spent")
        self._check_clock()
        others = {keys[i]: value for i, value in passing.items()}
        return np.array([self._memo[key] if key in self._memo else others[key] for key in keys], dtype=float)

    def _portions(
        self, keys: list[int], member: Callable[[int], Subset], compute: Any, asked: list[int], bounds: bool
    ) -> Iterator[tuple[list[int], list[float]]]:
        """Yield the values that the checkpoint knows, then portions of others, which it is told."""
        stored = [i for i in asked if keys[i] in self._stored]
        if stored:
            yield stored, [self._stored.pop(keys[i]) for i in stored]
        known = set(stored)
        new = [i for i in asked if i not in known]
        for some, values in compute(new) if new else ():
            values = np.where(np.isnan(values), -np.inf, values)
            if self.checkpoint is not None:
                exact = values == values.max() if bounds else np.ones(len(some), dtype=bool)
                self.checkpoint.add((member(some[k]), float(values[k])) for k in np.flatnonzero(exact))
            self.computed += len(some)
            yield some, values.tolist()

    def _note(
        self,
        keys: list[int],
        member: Callable[[int], Subset],
        some: Sequence[int],
        values: Sequence[float],
        size: int | None,
    ) -> None:
        """Remember values, and the best of them."""
        for i, value in zip(some, values):
            self._memo[keys[i]] = value
            rival = None if size is None else self.best_of_size.get(size)
            if rival is not None and value < rival.value:
                # Not worth writing out the members of one of very many candidates.
                continue
            found = Found(member(i), value)
            n = len(found.subset)
            if found.beats(self.best_of_size.get(n)):
                self.best_of_size[n] = found
                if self.low <= n <= self.high and found.beats(self.best):
                    self.best = found
        self.count += len(some)
        self._asked |= progress.report("evaluating subsets", self.count, self.expected)

    def _by_value(self, new: list[int], member: Callable[[int], Subset]) -> Iterator[tuple[list[int], np.ndarray]]:
        """Yield values of subsets computed one by one, or side by side if the criterion allows it."""
        run = self.view.run
        threads = getattr(run, "n_threads", 1) if self.criterion.parallel_values else 1
        place = elsewhere(getattr(run, "n_jobs", None)) if self.criterion.sends_values else None
        # Small portions, so that little is lost when the process ends and the clock is looked at often.
        portion = PORTIONS * place.slots if place is not None else 1 if threads == 1 else 4 * threads
        for start in range(0, len(new), portion):
            some = new[start : start + portion]
            columns = [self.units.columns(member(i)) for i in some]
            if place is not None:
                yield some, self.criterion.values_of(self.view, columns)
                continue

            def work(a: int, b: int, columns: list[tuple[int, ...]] = columns) -> list[float]:
                return [float(self.criterion.value(self.view, c)) for c in columns[a:b]]

            parts = run.scan(work, len(some), 1) if threads > 1 else [work(0, len(some))]
            yield some, np.array([v for part in parts for v in part], dtype=float)

    def _check_clock(self) -> None:
        if self._asked and self.best is not None:
            raise SearchOver("a callback asked to stop it")
        if time.perf_counter() - self._begin >= self._seconds:
            raise SearchOver(f"the budget of {self._seconds:g} seconds was spent")

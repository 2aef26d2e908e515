"""BaseAcquirer: read a table with gaps, ask for some of the values, take what is told, say which features matter."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from fewer.core.estimators.acquired import acquired_selection
from fewer.core.estimators.acquisition_state import (
    TOLD_ONLY,
    UNMEASURED,
    Acquisition,
    AcquisitionState,
    Question,
    open_state,
    read_state,
    unreadable,
)
from fewer.core.estimators.cell_choice import CellChoice, column_costs, number_of_seed
from fewer.core.estimators.told_tags import tell_scikit_learn
from fewer.core.estimators.whole_rows import read_rows
from fewer.core.reading.frames import is_frame
from fewer.core.reading.partial_table import MISSING, partial_table
from fewer.core.records.domains import is_missing
from fewer.core.records.errors import FileError, InputError, ParameterError
from fewer.core.records.result import Selection
from fewer.core.records.tags import MethodTags
from fewer.core.runners.threads import ThreadRunner
from fewer.core.stop import as_stop


class BaseAcquirer(BaseEstimator):
    """Base of every method that asks for missing values. A method implements `_open`, and declares `method_tags`.

    `_open` returns an object with ``relevances()``, ``known(row, column)``, called after every value that was told, and
    ``benefits(cells)``, or None if all missing cells are alike. Constructors have all parameters named below.

    Attributes
    ----------
    relevances_ : ndarray of shape (n_features,)
        Estimated relevances by all that is known now.
    trajectory_ : ndarray of shape (n_acquired + 1, n_features)
        Estimates at first and after every value that was told.
    acquisitions_ : list of Acquisition
        What was told, in order.
    selection_ : Selection
        Features by estimated relevance, with what was acquired of each.
    domains_ : dict
        Values that every column can take.
    classes_ : ndarray
        The classes.
    """

    contract: ClassVar[str] = "acquirer"
    method_tags: ClassVar[MethodTags]
    n_features_to_select: Any
    budget: int | None
    max_cost: float | None
    costs: Any
    tol: float | None
    patience: int
    bins: int
    random_state: Any

    def fit(self, X: Any, y: Any) -> Any:
        """Estimate relevances from what is known; `ask` then says what to measure next.

        Parameters
        ----------
        X : array-like, data frame or Table in memory of shape (n_samples, n_features)
            The data, NaN or None where a value is missing.
        y : array-like of shape (n_samples,)
            The classes, all known.

        Returns
        -------
        self : object
            The acquirer, ready to ask.
        """
        return self.start(X, y)

    def start(
        self,
        X: Any,
        y: Any = None,
        *,
        domains: Mapping[Any, Any] | None = None,
        row_names: Sequence[Any] | None = None,
        state: str | Path | None = None,
    ) -> Any:
        """Begin, or go on where the state file ends.

        Parameters
        ----------
        X, y
            As in `fit`.
        domains : mapping of column to list, or to ``{"edges": [...]}``, optional
            Values that a column can take, or edges of bins for numbers. Columns that are not named can take the values
            that are known (of categorical columns, all categories); those without a known value must be named.
        row_names : sequence, optional
            Names of the rows, by which values may be told, too; as text, since numbers are places from 0.
        state : str or path, optional
            File that keeps all: every value is on the disk before `tell` returns.

        Returns
        -------
        self : object
            The acquirer, ready to ask.
        """
        self.check()
        self._began = time.perf_counter()
        name = type(self).__name__
        with ThreadRunner(None) as run:
            data = read_rows(self, X, y, None, run)
            declared = {**_categories(X), **dict(domains or {})}
            table = partial_table(name, data, declared, self.bins, row_names)
        begun = AcquisitionState(table, number_of_seed(name, self.random_state, state))
        events: list = []
        if state is not None:
            begun, events = open_state(state, begun, name, self._plain_parameters())
        return self._go_on(begun, events)

    @classmethod
    def restore(cls, state: str | Path) -> Any:
        """Return the acquirer of a state file as it was after the last value that was told.

        Parameters
        ----------
        state : str or path
            A file that `start` made.

        Returns
        -------
        acquirer : object
            It asks what the one that wrote the file would have asked next.
        """
        method, parameters, begun, events = read_state(state)
        if method != cls.__name__:
            raise FileError(
                f"{cls.__name__}.restore got the state file {state} of {method}, but reads its own only; use "
                f"{method}.restore."
            )
        made = cls(**parameters)
        made.check()
        made._began = time.perf_counter()
        made.n_features_in_ = len(begun.table.names)
        made.feature_names_in_ = np.asarray(begun.table.names, dtype=object)
        return made._go_on(begun, events)

    def check(self) -> None:
        """Raise, before any work and without data, if parameters are not allowed."""
        self._validate_params()
        as_stop(self.n_features_to_select).check(type(self).__name__, ("cut",))

    def ask(self, n: int | None = None) -> Any:
        """Return what to measure next; the same until something is told.

        Parameters
        ----------
        n : int, optional
            How many values to ask for at once: those of the largest benefits now, the first as by default.

        Returns
        -------
        Question or None, or list of Question
            None, or an empty list, where a stop rule is met; ``stopped_`` says which.
        """
        check_is_fitted(self, "relevances_")
        if n is not None and (isinstance(n, bool) or not isinstance(n, (int, np.integer)) or n < 1):
            raise ParameterError(
                f"{type(self).__name__}.ask got n={n!r}, but takes a whole number from 1 on; pass one."
            )
        cells, benefits = self._choice().best(1 if n is None else int(n)) if not self.stopped_ else ([], [])
        asked = [self._question(int(cell), float(benefit)) for cell, benefit in zip(cells, benefits)]
        return asked if n is not None else asked[0] if asked else None

    def tell(self, row: Any, column: Any, value: Any, *, replace: bool = False) -> Any:
        """Take a value that was measured, whether it was asked for or not.

        Parameters
        ----------
        row, column : int or str
            Where it is: a number from 0, as in a `Question`, or a name as text.
        value : object
            The value, inside the domain of the column.
        replace : bool, default=False
            Whether it may correct a value that was told before, in whose place it then stands: relevances,
            ``trajectory_`` and what is asked for next are as if it had been told at once.

        Returns
        -------
        self : object
            The acquirer.
        """
        return self.tell_many([(row, column, value)], replace=replace)

    def tell_many(self, values: Iterable[tuple[Any, Any, Any]], *, replace: bool = False) -> Any:
        """Take several values, given as row, column and value: all of them, or none if one cannot be taken."""
        check_is_fitted(self, "relevances_")
        where, state = f"{type(self).__name__}.tell", self._state
        taken: dict[tuple[int, int], tuple[int, str]] = {}
        for one in values:
            if isinstance(one, (str, Mapping)) or not isinstance(one, Iterable) or len(one := tuple(one)) != 3:
                raise InputError(
                    f"{where} got {one!r} among several values, but takes row, column and value of each; give three."
                )
            i, f, level = state.checked(where, *one, replace)
            value = one[2]
            if (i, f) in taken:
                raise InputError(
                    f"{where} got {state.table.names[f]!r} of row {state.table.row_name(i)} twice, but takes each "
                    "value once; leave one of them out."
                )
            taken[i, f] = level, str(value).strip()
        before = {(one.row, one.column): one.benefit for one in state.told}
        events = []
        for (i, f), (level, text) in taken.items():
            benefit = before[i, f] if (i, f) in before else self._benefit(i, f)
            event = {"tell": [i, f, level], "value": text, "benefit": None if benefit != benefit else benefit}
            events.append({**event, "replace": True} if (i, f) in before else event)
        return self._add(events)

    def take_back(self, row: Any, column: Any) -> Any:
        """Make a value that was told missing again, as if it had not been told."""
        check_is_fitted(self, "relevances_")
        i, f = self._state.cell(f"{type(self).__name__}.take_back", row, column, TOLD_ONLY)
        return self._add([{"take back": [i, f]}])

    def withdraw(self, row: Any, column: Any) -> Any:
        """Never ask for a value that cannot be measured; it stays missing, and may still be told."""
        check_is_fitted(self, "relevances_")
        i, f = self._state.cell(f"{type(self).__name__}.withdraw", row, column, UNMEASURED)
        return self._add([{"withdraw": [i, f]}])

    def run(self, oracle: Callable[[Question], Any]) -> Any:
        """Ask and tell until a stop rule is met.

        Parameters
        ----------
        oracle : callable
            Returns the value of a `Question`; None or NaN if it cannot be measured.

        Returns
        -------
        self : object
            The acquirer.
        """
        while (question := self.ask()) is not None:
            value = oracle(question)
            if is_missing(value):
                self.withdraw(question.row, question.column)
            else:
                self.tell(question.row, question.column, value)
        return self

    def known_levels(self) -> np.ndarray:
        """Return the level number of every cell in its domain, -1 where missing, (n_samples, n_features)."""
        check_is_fitted(self, "relevances_")
        return self._state.codes.copy()

    def emptied(self, seed: int) -> Any:
        """Return a copy that knows the domains and classes, but no value; for evaluations on complete tables."""
        check_is_fitted(self, "relevances_")
        again, table = copy(self), self._state.table
        again.random_state = seed
        nothing = replace(table, codes=np.full_like(table.codes, MISSING))
        return again._go_on(AcquisitionState(nothing, number_of_seed(type(self).__name__, seed, None)), [])

    @property
    def acquisitions_(self) -> list[Acquisition]:
        """What was told, in order."""
        check_is_fitted(self, "relevances_")
        return list(self._state.told)

    @property
    def trajectory_(self) -> np.ndarray:
        """Estimates at first and after every value that was told."""
        check_is_fitted(self, "relevances_")
        return np.array(self._path)

    @property
    def spent_(self) -> float:
        """What the values that were told cost."""
        check_is_fitted(self, "relevances_")
        return float(sum(self._costs[one.column] for one in self._state.told))

    @property
    def stopped_(self) -> str:
        """Why nothing more is asked for; empty as long as something is."""
        check_is_fitted(self, "relevances_")
        return self._choice().stopped(self.budget, self.max_cost, self.tol, self.patience, self._path)

    @property
    def selection_(self) -> Selection:
        """Features by estimated relevance, with what was acquired of each."""
        check_is_fitted(self, "relevances_")
        return acquired_selection(self, self._state, self._path, self._costs, self._began)

    def _open(self, state: AcquisitionState) -> Any:
        """Return what estimates relevances and, where it does, benefits."""
        raise NotImplementedError

    def _go_on(self, state: AcquisitionState, events: list) -> Any:
        """Take over a state and what was told since."""
        table = state.table
        self._costs = column_costs(type(self).__name__, self.costs, table)
        self._state, self.classes_ = state, np.asarray(table.labels)
        self.domains_ = dict(zip(table.names, (d.to_dict() for d in table.domains)))
        self._engine = self._open(state)
        self.relevances_ = self._engine.relevances()
        self._path = [self.relevances_]
        try:
            for event in events:
                self._take(event)
        except (ValueError, KeyError, TypeError, IndexError) as error:
            raise unreadable(state.journal.path if state.journal else "") from error
        return self

    def _add(self, events: list) -> Any:
        """Write events, then take them over; corrections begin again from the first with what stands."""
        self._state.write(events)
        if any("take back" in event or "replace" in event for event in events):
            return self._go_on(*self._state.corrected(events))
        for event in events:
            self._take(event)
        return self

    def _take(self, event: Mapping[str, Any]) -> None:
        cell = self._state.take(event)
        if cell is not None:
            self._engine.known(*cell)
            self.relevances_ = self._engine.relevances()
            self._path.append(self.relevances_)

    def _choice(self) -> CellChoice:
        fraction = float(getattr(self, "candidate_fraction", 1.0))
        by_cost = bool(getattr(self, "by_cost", False))
        return CellChoice(self._state, self._engine, self._costs, self.max_cost, fraction, by_cost)

    def _question(self, cell: int, benefit: float) -> Question:
        table = self._state.table
        row, column = divmod(cell, len(table.names))
        label = table.labels[table.classes[row]]
        return Question(
            row, column, table.row_name(row), table.names[column], label, benefit, float(self._costs[column])
        )

    def _benefit(self, row: int, column: int) -> float:
        """Return the benefit that is expected of a cell now."""
        found = self._engine.benefits(np.array([row * len(self._state.table.names) + column]))
        return float("nan") if found is None else float(found[0])

    def _plain_parameters(self) -> dict[str, Any]:
        """Return the parameters as JSON holds them."""
        given = self.get_params(deep=False)
        return {name: value.tolist() if isinstance(value, np.ndarray) else value for name, value in given.items()}

    def __sklearn_tags__(self) -> Tags:
        return tell_scikit_learn(super().__sklearn_tags__(), self.method_tags)


def _categories(X: Any) -> dict[int, list[str]]:
    """Return the categories of categorical columns, which say all that a column can hold."""
    if not is_frame(X):
        return {}
    found = {place: getattr(X[name].dtype, "categories", None) for place, name in enumerate(X.columns)}
    return {place: [str(level) for level in levels] for place, levels in found.items() if levels is not None}

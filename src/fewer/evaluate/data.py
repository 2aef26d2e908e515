"""The data of a comparison, read and checked once, and its folds as the methods and the estimators see them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from fewer.api import _resolve
from fewer.core.hygiene.examine import examine
from fewer.core.reading.asked import named, of_all, target_numbers, with_notes, with_target
from fewer.core.reading.dask_parts import is_dask
from fewer.core.reading.dates import read_dates
from fewer.core.reading.memory import read_memory
from fewer.core.reading.suited import suited
from fewer.core.reading.table_views import is_table, read_table
from fewer.core.records.errors import FewerError, InputError, InputTypeError, ParameterError
from fewer.core.records.tags import MethodTags
from fewer.core.records.target_kinds import OF_TASK
from fewer.core.runners.runner import Runner
from fewer.core.runners.threads import ThreadRunner
from fewer.core.views.view import View
from fewer.evaluate.encode import FoldColumns

TASKS = ("classification", "regression")
# Takes whatever some method can take; what a single method cannot take is said when it is asked.
EVERYTHING = MethodTags(
    targets=("classes", "numbers"),
    views=("codes",),
    handles_sparse=True,
    handles_nan=True,
    handles_nominal=True,
    handles_dates=True,
    handles_weights=True,
)


@dataclass(frozen=True, eq=False)
class Data:
    """A table in memory with its target, read once as it is; ``missing`` says whether values are."""

    view: View
    names: tuple[str, ...]
    missing: bool
    facts: dict[str, Any]
    # The columns that methods may choose from, where not all.
    left: np.ndarray | None = None
    # Rows of one group are dependent.
    groups: np.ndarray | None = None

    @property
    def X(self) -> Any:
        """Numbers, nominal columns as level numbers, NaN where missing; dense or as CSC."""
        return self.view.whole().X

    @cached_property
    def y(self) -> np.ndarray:
        """The target as given, labels or numbers."""
        return np.asarray(self.view.target)

    @property
    def weight(self) -> np.ndarray | None:
        """How much each row counts; None if all count alike."""
        return self.view.whole().weight

    @property
    def task(self) -> str:
        """What the target is for."""
        return "regression" if self.view.classes is None else "classification"

    @property
    def nominal(self) -> np.ndarray:
        """Which columns are nominal."""
        return self.view.nominal

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return self.view.n_rows

    @property
    def n_features(self) -> int:
        """Number of columns."""
        return self.view.n_features

    @property
    def columns(self) -> np.ndarray:
        """Numbers of the columns that methods may choose from."""
        return np.arange(self.n_features) if self.left is None else self.left

    @property
    def sparse(self) -> bool:
        """Whether X is a sparse matrix."""
        return self.view.kind == "sparse"

    @property
    def n_classes(self) -> int:
        """Number of classes; 0 with a numeric target."""
        return self.view.n_classes

    def with_note(self, words: str) -> Data:
        """Return the same data with one more sentence about them."""
        return replace(self, facts={**self.facts, "notes": [*self.facts.get("notes", ()), words]})

    def rows(self, rows: np.ndarray | None, run: Runner) -> View:
        """Return some rows, or all, of the columns that methods may choose from, as a fit to them would see them."""
        whole = replace(self.view, run=run, names=self.names).columns(self.columns)
        return whole if rows is None else whole.rows(rows)


def read(
    X: Any,
    y: Any,
    where: str = "compare",
    task: str | None = None,
    categorical: Any = None,
    weight: Any = None,
    names: Any = None,
    dates: str = "leave out",
    keep: Any = None,
) -> Data:
    """Read and check a table and its target, without the rows whose weight is 0.

    Parameters
    ----------
    X : array-like, data frame, sparse matrix, Table or path
        The data.
    y : array-like or str
        The target, or the name of its column.
    where : str, default="compare"
        Named in messages.
    task : {"classification", "regression"}, optional
        What the target is for. By default text, booleans, and whole numbers with at most 20 different values are
        classes.
    categorical : array-like, optional
        Nominal columns besides those whose dtype says so.
    weight : array-like, optional
        How much each row counts; a table brings its own.
    names : list of str, optional
        Names of the columns of an array.
    dates : {"leave out", "expand"}, default="leave out"
        What becomes of date columns of a data frame or file.
    keep : str or list, optional
        Columns that are not left out: dates of a file among them become days since 1970.
    """
    if task is not None and task not in TASKS:
        raise ParameterError(f"{where} got task={task!r}, but knows 'classification' and 'regression'; pass one.")
    X, y = _resolve(X, y)
    X = read_dates(X, dates, keep)
    if is_dask(X):
        raise InputTypeError(f"{where} needs all rows in memory, but X is a Dask collection; call .compute() first.")
    tags = EVERYTHING if task is None else replace(EVERYTHING, targets=OF_TASK[task])
    with ThreadRunner() as run:
        if is_table(X):
            view = _table_view(X, y, weight, where, tags, run)
        else:
            if y is None:
                raise InputError(f"{where} needs a target, but y is None; pass class labels or numbers, one per row.")
            # The reading layer names the class of what reads.
            reader = type(where, (BaseEstimator,), {})()
            called = getattr(y, "name", None)
            y, notes = target_numbers(y, task)
            X, y, weight, here = with_target(X, y, weight)
            with named(names):
                view = read_memory(reader, X, y, weight, tags, categorical, run)
            view = replace(view, counted=of_all(here, view.counted), facts=with_notes(view.facts, notes, here, called))
    return _data(view)


def examined(data: Data, keep: Any, drop: Any) -> tuple[Data, list[dict[str, Any]]]:
    """Look at the columns before any method does; return the data without those that are left out, and the findings."""
    found = examine(replace(data.view, names=data.names), keep, drop)
    left = None if len(found.left) == data.n_features else found.left
    return replace(data, left=left), found.to_list()


def _table_view(table: Any, y: Any, weight: Any, where: str, tags: MethodTags, run: Runner) -> View:
    if y is not None:
        raise InputError(f"{where} got y beside a table, which brings its own target; pass one of the two.")
    if weight is not None:
        raise InputError(
            f"{where} got sample_weight beside a table; name the weight column when opening it, open_table(..., "
            "weight=...)."
        )
    view = read_table(where, table if table.in_memory else table.load(), tags, run)
    if table.weight is not None:
        view = replace(view, facts={**view.facts, "weight_name": table.weight})
    if view.n_rows < 2:
        raise InputError(f"{where} got {view.n_rows} rows in {table.path}, but needs at least two; check the file.")
    return view


def _data(view: View) -> Data:
    values = view.whole().X.data if view.kind == "sparse" else view.whole().X
    n_missing = int(np.isnan(values).sum()) if values.dtype.kind == "f" else 0
    facts = {
        "n_rows": view.n_rows,
        "n_features": view.n_features,
        "n_nominal": int(view.nominal.sum()),
        "n_missing": n_missing,
        **view.facts,
    }
    names = view.names if view.names is not None else tuple(f"x{j}" for j in range(view.n_features))
    return Data(replace(view, run=ThreadRunner(1)), names, n_missing > 0, facts)


def refused(name: str, tags: MethodTags, data: Data) -> Exception | None:
    """Return the error that says why a method cannot take the data, None if it can."""
    try:
        suited(name, tags, data.view)
    except FewerError as error:
        return error
    return None


def design(data: Data, train: np.ndarray, test: np.ndarray, columns: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return training and test rows of some features as any estimator can take them, see `FoldColumns`."""
    return FoldColumns(data, train, test).of(columns)

"""The data of a comparison, read and checked once, and its folds as the methods and the estimators see them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import scipy.sparse
from sklearn.base import BaseEstimator

from fewer.api import _resolve
from fewer.core.base.errors import InputError, InputTypeError, ParameterError
from fewer.core.base.tags import MethodTags
from fewer.core.runners.base import Runner
from fewer.core.runners.threads import ThreadRunner
from fewer.core.views.blocks import DenseBlock, SparseBlock
from fewer.core.views.partitions import is_dask
from fewer.core.views.reading import read_memory, refuse_nominal
from fewer.core.views.sources import is_table, read_table
from fewer.core.views.targets import declared_task, read_target
from fewer.core.views.view import View

TASKS = ("classification", "regression")
# Takes whatever some method can take; what a single method cannot take is said when it is asked.
EVERYTHING = MethodTags(
    kind="ranking",
    task="any",
    views=("codes",),
    handles_sparse=True,
    handles_nan=True,
    handles_nominal=True,
    reads_classes=True,
)


@dataclass(frozen=True, eq=False)
class Data:
    """A table in memory with its target.

    ``X`` holds numbers (nominal columns: level numbers, NaN where missing), dense or as CSC; ``y`` the target as
    given (labels or numbers).
    """

    X: Any
    y: np.ndarray
    task: str
    names: tuple[str, ...]
    nominal: np.ndarray
    labels: Mapping[int, np.ndarray]
    missing: bool
    facts: dict[str, Any]

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return int(self.X.shape[0])

    @property
    def n_features(self) -> int:
        """Number of columns."""
        return int(self.X.shape[1])

    @property
    def sparse(self) -> bool:
        """Whether X is a sparse matrix."""
        return scipy.sparse.issparse(self.X)

    @property
    def n_classes(self) -> int:
        """Number of classes; 0 with a numeric target."""
        return len(np.unique(self.y)) if self.task == "classification" else 0


def read(X: Any, y: Any, where: str = "compare", task: str | None = None, categorical: Any = None) -> Data:
    """Read and check a table and its target.

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
    """
    if task is not None and task not in TASKS:
        raise ParameterError(f"{where} got task={task!r}, but knows 'classification' and 'regression'; pass one.")
    X, y = _resolve(X, y)
    if is_dask(X):
        raise InputTypeError(f"{where} needs all rows in memory, but X is a Dask collection; call .compute() first.")
    tags = EVERYTHING if task is None else replace(EVERYTHING, task=task, reads_classes=False)
    with ThreadRunner() as run:
        if is_table(X):
            view = _table_view(X, y, where, tags, run)
            labels = view.whole().y if view.classes is None else view.classes[view.whole().y]
        else:
            if y is None:
                raise InputError(f"{where} needs a target, but y is None; pass class labels or numbers, one per row.")
            # The reading layer names the class of what reads.
            reader = type(where, (BaseEstimator,), {})()
            view = read_memory(reader, X, y, None, tags, categorical, run)
            labels = view.whole().y if view.classes is None else view.classes[view.whole().y]
    return _data(view, np.asarray(labels))


def _table_view(table: Any, y: Any, where: str, tags: MethodTags, run: Runner) -> View:
    if y is not None:
        raise InputError(f"{where} got y beside a table, which brings its own target; pass one of the two.")
    if getattr(table, "weight", None) is not None:
        raise InputError(f"{where} takes no weights, but the table has the weight column {table.weight!r}; drop it.")
    view = read_table(where, table if table.in_memory else table.load(), tags, run)
    if view.n_rows < 2:
        raise InputError(f"{where} got {view.n_rows} rows in {table.path}, but needs at least two; check the file.")
    return view


def _data(view: View, y: np.ndarray) -> Data:
    block = view.whole()
    X = block.X
    values = X.data if view.kind == "sparse" else X
    n_missing = int(np.isnan(values).sum()) if values.dtype.kind == "f" else 0
    task = "regression" if view.classes is None else "classification"
    facts = {
        "n_rows": view.n_rows,
        "n_features": view.n_features,
        "n_nominal": int(view.nominal.sum()),
        "n_missing": n_missing,
        **view.facts,
    }
    names = view.names if view.names is not None else tuple(f"x{j}" for j in range(view.n_features))
    return Data(X, y, task, names, view.nominal, dict(view.labels), n_missing > 0, facts)


@dataclass(frozen=True, eq=False)
class Rows:
    """Some rows of the data, and the views that methods have of them.

    Methods that read the target alike share one view, so that what one has summed up the next one finds there.
    """

    data: Data
    rows: np.ndarray | None
    run: Runner
    _views: dict[Any, View] = field(default_factory=dict)
    _parts: dict[str, Any] = field(default_factory=dict)

    def view(self, name: str, tags: MethodTags) -> View:
        """Return the rows as a method with these tags reads them, or say why it cannot."""
        data = self.data
        refusal = refused(name, tags, data)
        if refusal is not None:
            raise refusal
        # Some rows may have few of the labels, or the labels may look like numbers: all are read as the whole was.
        with declared_task(data.task):
            target, classes = read_target(name, self.y, tags)
        # Methods on moments find missing values by themselves.
        may_miss = data.missing and not (tags.streams and "dense" in tags.views)
        key = ("none" if target is None else "classes" if classes is not None else "numbers", may_miss)
        if key not in self._views:
            X, labels = self._numbers()
            block = SparseBlock(X, target) if data.sparse else DenseBlock(X, target)
            self._views[key] = View(
                run=self.run,
                blocks=[block],
                kind=block.kind,
                n_rows=block.n_rows,
                n_features=data.n_features,
                nominal=data.nominal,
                classes=classes,
                labels=labels,
                names=data.names,
                may_miss=may_miss,
            )
        return self._views[key]

    @property
    def y(self) -> np.ndarray:
        """The target of the rows."""
        return self.data.y if self.rows is None else self.data.y[self.rows]

    def frame(self) -> Any:
        """Return the rows as a user would give them: a data frame, if columns have kinds or names to tell."""
        data, (X, labels) = self.data, self._numbers()
        if data.sparse or (not data.nominal.any() and data.names == tuple(f"x{j}" for j in range(data.n_features))):
            return X
        try:
            import pandas
        except ImportError:
            return X
        columns: dict[str, Any] = {}
        for j, name in enumerate(data.names):
            codes = X[:, j]
            if data.nominal[j]:
                known = np.where(np.isnan(codes), -1, codes).astype(np.int64)
                columns[name] = pandas.Categorical.from_codes(known, categories=pandas.Index(labels[j]))
            else:
                columns[name] = codes
        return pandas.DataFrame(columns)

    def _numbers(self) -> tuple[Any, Mapping[int, np.ndarray]]:
        """Return the rows, nominal columns with the levels that occur in them only, as a fit to them would see."""
        if "X" not in self._parts:
            data = self.data
            X = data.X if self.rows is None else data.X[self.rows]
            labels = dict(data.labels)
            if self.rows is not None:
                for j in labels:
                    X[:, j], labels[j] = _levels(X[:, j], labels[j])
            if data.sparse:
                X.sort_indices()
            self._parts["X"], self._parts["labels"] = X, labels
        return self._parts["X"], self._parts["labels"]


def _levels(column: np.ndarray, labels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the column numbered by the levels that occur in it, and their labels."""
    here = ~np.isnan(column)
    present = np.unique(column[here]).astype(np.int64)
    out = np.full(len(column), np.nan)
    out[here] = np.searchsorted(present, column[here])
    return out, np.asarray(labels)[present]


def refused(name: str, tags: MethodTags, data: Data) -> Exception | None:
    """Return the error that says why a method cannot take the data, None if it can."""
    try:
        if data.nominal.any():
            refuse_nominal(name, tags, _Named(data.names), data.nominal)
        if data.sparse and not tags.handles_sparse:
            raise InputTypeError(f"{name} takes dense data, but X is sparse; use a method that handles sparse data.")
        if data.missing and not tags.handles_nan:
            raise InputError(
                f"{name} takes no missing values, but X holds NaN; fill them in, drop those columns, or use a method "
                "that handles missing values, such as InformationGain."
            )
        if tags.task == "classification" and data.task != "classification":
            raise InputError(
                f"{name} needs classes, but y holds numbers; cut y into intervals first, or use a method for "
                "regression, such as Pearson or VarianceReduction."
            )
        with declared_task(data.task):
            read_target(name, data.y, tags)
    except (InputError, InputTypeError) as error:
        return error
    return None


@dataclass(frozen=True)
class _Named:
    columns: tuple[str, ...]


def design(data: Data, train: np.ndarray, test: np.ndarray, columns: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return training and test rows of some features as any estimator can take them.

    Nominal features become one column per level, missing numbers the median; levels and medians are those of the
    training rows.
    """
    known, new = (_taken(data, rows, columns) for rows in (train, test))
    nominal = data.nominal[columns]
    if not nominal.any() and not data.missing:
        return known, new
    parts: tuple[list[np.ndarray], list[np.ndarray]] = ([], [])
    for j in range(len(columns)):
        present = known[~np.isnan(known[:, j]), j]
        middle = float(np.median(present)) if len(present) and not nominal[j] else 0.0
        levels = np.unique(present) if nominal[j] else None
        for part, X in zip(parts, (known, new)):
            filled = np.where(np.isnan(X[:, [j]]), middle, X[:, [j]]) if levels is None else X[:, [j]] == levels
            part.append(filled.astype(float))
    return np.hstack(parts[0]), np.hstack(parts[1])


def _taken(data: Data, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
    if data.sparse:
        return np.asarray(data.X[:, columns][rows].toarray(), dtype=float)
    return np.asarray(data.X[np.ix_(rows, columns)], dtype=float)

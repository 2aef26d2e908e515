"""Data that are not in memory: streamed tables and Dask collections."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse

from fewer.core.base.errors import InputError
from fewer.core.base.tags import MethodTags
from fewer.core.runners.base import Runner
from fewer.core.runners.cluster import DaskRunner
from fewer.core.views.blocks import DenseBlock, SparseBlock
from fewer.core.views.frames import encode_labels, is_frame, nominal_columns
from fewer.core.views.reading import check_classes, refuse_nominal, target_facts
from fewer.core.views.view import View


def is_table(X: Any) -> bool:
    """Return whether X is a table that gives its rows in batches."""
    return hasattr(X, "batches") and hasattr(X, "nominal")


def is_dask(X: Any) -> bool:
    """Return whether X is a Dask array or data frame."""
    return type(X).__module__.split(".")[0] in ("dask", "dask_expr") and hasattr(X, "to_delayed")


@dataclass(frozen=True, eq=False)
class TableBlocks:
    """The batches of a table as row blocks, re-iterable."""

    table: Any
    task: str
    target_values: np.ndarray | None = None

    @property
    def n_rows(self) -> int:
        """Rows in all batches together."""
        return int(self.table.n_rows)

    def __iter__(self) -> Iterator[DenseBlock | SparseBlock]:
        for batch in self.table.batches():
            y = None if self.task == "none" else batch.y
            if y is not None and self.target_values is not None:
                y = self.target_values[y]
            if scipy.sparse.issparse(batch.X):
                X = scipy.sparse.csc_array(batch.X)
                X.eliminate_zeros()
                yield SparseBlock(X, y, batch.weight)
            else:
                yield DenseBlock(np.ascontiguousarray(batch.X), y, batch.weight)


def read_table(name: str, table: Any, tags: MethodTags, run: Runner) -> View:
    """Return a view of a table whose batches are read anew for every summary."""
    nominal = np.asarray(table.nominal, bool)
    if nominal.any():
        refuse_nominal(name, tags, _Named(table.names), nominal)
    if table.kind == "sparse" and not tags.handles_sparse:
        raise InputError(f"{name} takes dense data, but {table.path} is sparse; use a method that handles sparse data.")
    if tags.needs_target and table.target is None:
        raise InputError(f"{name} needs a target, but the table was opened without one; pass target='column name'.")
    classes, values = _table_target(name, table, tags)
    missing = int(getattr(table, "missing", 0) or 0)
    if missing and not tags.handles_nan:
        raise InputError(
            f"{name} takes no missing values, but the table holds {missing} NaN cells; fill them in, drop those "
            "columns, or use a method that handles missing values, such as InformationGain."
        )
    if table.weight is not None and not tags.handles_weights:
        raise InputError(f"{name} takes no weights, but the table has the weight column {table.weight!r}; drop it.")
    rows = TableBlocks(table, tags.task, values)
    blocks: Any = list(rows) if run.in_memory else rows
    facts: dict[str, Any] = {"source": str(table.path), "target_name": table.target, "n_missing": missing}
    if run.in_memory:
        facts.update(target_facts(blocks[0].y, classes, blocks[0].weight))
    return View(
        run=run,
        blocks=blocks,
        kind=table.kind,
        n_rows=int(table.n_rows),
        n_features=len(table.names),
        nominal=nominal,
        classes=classes,
        labels=dict(table.labels),
        names=tuple(table.names),
        facts=facts,
        may_miss=missing > 0,
    )


@dataclass(frozen=True)
class _Named:
    columns: tuple[str, ...]


def _table_target(name: str, table: Any, tags: MethodTags) -> tuple[np.ndarray | None, np.ndarray | None]:
    """Return the classes, and for numeric methods the number that stands for each class."""
    if not tags.needs_target:
        return None, None
    if tags.task == "classification":
        if table.classes is None:
            raise InputError(
                f"{name} needs classes, but the target {table.target!r} is numeric; open the table with "
                "task='classification' or use a method for regression, such as Pearson."
            )
        check_classes(name, np.asarray(table.classes), tags)
        return np.asarray(table.classes), None
    if table.classes is None:
        return None, None
    try:
        return None, np.asarray(table.classes).astype(np.float64)
    except ValueError:
        if len(table.classes) == 2:
            return None, np.array([0.0, 1.0])
    raise InputError(
        f"{name} needs a numeric target or two classes, but {table.target!r} holds {len(table.classes)} text labels; "
        "use a method for classes, such as FTest or InformationGain."
    )


@dataclass(frozen=True)
class PartFacts:
    """What one partition of a Dask collection knows about itself."""

    n_rows: int
    missing: int
    labels: dict[int, np.ndarray]
    targets: np.ndarray | None


def read_dask(estimator: Any, X: Any, y: Any, tags: MethodTags, categorical: Any, run: DaskRunner) -> View:
    """Return a view of a Dask array or data frame, which is never gathered."""
    import dask

    name = type(estimator).__name__
    if tags.needs_target and y is None:
        raise InputError(f"{name} requires y to be passed, but the target y is None; pass a Dask array or series.")
    names = tuple(str(c) for c in X.columns) if is_frame(X) else None
    nominal = np.zeros(X.shape[1], bool)
    if is_frame(X):
        nominal = nominal_columns(X._meta, categorical, name)
        if nominal.any():
            refuse_nominal(name, tags, X, nominal)
    parts, targets = _partitions(name, X, y if tags.needs_target else None)
    look = dask.delayed(part_facts, pure=False)
    wants_classes = tags.task == "classification"
    pairs = [look(p, t, nominal, wants_classes) for p, t in zip(parts, targets)]
    found = list(dask.compute(*pairs, scheduler=run.client))
    labels = {int(j): np.unique(np.concatenate([f.labels[j] for f in found])) for j in np.flatnonzero(nominal)}
    classes = None
    if wants_classes:
        classes = np.unique(np.concatenate([f.targets for f in found]))
        check_classes(name, classes, tags)
    missing = sum(f.missing for f in found)
    if missing and not tags.handles_nan:
        raise InputError(f"{name} takes no missing values, but X holds {missing} NaN cells; fill in or drop them.")
    make = dask.delayed(part_block, pure=False)
    blocks = [make(p, t, nominal, labels, classes) for p, t in zip(parts, targets)]
    blocks = list(dask.persist(*blocks, scheduler=run.client))
    estimator.n_features_in_ = X.shape[1]
    if names is not None:
        estimator.feature_names_in_ = np.asarray(names, dtype=object)
    return View(
        run=run,
        blocks=blocks,
        kind="dense",
        n_rows=sum(f.n_rows for f in found),
        n_features=X.shape[1],
        nominal=nominal,
        classes=classes,
        labels=labels,
        names=names,
        facts={"n_missing": missing, "target_name": getattr(y, "name", None) if is_frame(X) else None},
        may_miss=missing > 0,
    )


def _partitions(name: str, X: Any, y: Any) -> tuple[list[Any], list[Any]]:
    targets: list[Any]
    if is_frame(X):
        parts = X.to_delayed()
        targets = [None] * len(parts) if y is None else list(y.to_delayed())
    else:
        X = X.rechunk({1: -1})
        parts = X.to_delayed().ravel().tolist()
        if y is None:
            targets = [None] * len(parts)
        elif is_dask(y):
            targets = y.rechunk({0: X.chunks[0]}).to_delayed().ravel().tolist()
        else:
            targets = np.split(np.asarray(y), np.cumsum(X.chunks[0])[:-1])
    if len(parts) != len(targets):
        raise InputError(
            f"{name} got X in {len(parts)} partitions and y in {len(targets)}; both must be cut at the same rows: "
            "repartition y like X."
        )
    return list(parts), list(targets)


def part_facts(part: Any, target: Any, nominal: np.ndarray, wants_classes: bool) -> PartFacts:
    """Look at one partition."""
    X, labels = _part_numbers(part, nominal, None)
    targets = None if target is None else np.unique(np.asarray(target)) if wants_classes else None
    return PartFacts(len(X), int(np.isnan(X).sum()), labels, targets)


def part_block(
    part: Any, target: Any, nominal: np.ndarray, labels: dict[int, np.ndarray], classes: np.ndarray | None
) -> DenseBlock:
    """Make a row block of one partition, with the level and class numbers of all partitions."""
    X, _ = _part_numbers(part, nominal, labels)
    if target is None:
        return DenseBlock(X)
    y = np.asarray(target)
    numbers = np.searchsorted(classes, y).astype(np.int64) if classes is not None else y.astype(np.float64)
    return DenseBlock(X, np.ascontiguousarray(numbers))


def _part_numbers(
    part: Any, nominal: np.ndarray, labels: dict[int, np.ndarray] | None
) -> tuple[np.ndarray, dict[int, np.ndarray]]:
    if not is_frame(part):
        return np.ascontiguousarray(part, dtype=np.float64), {}
    out = np.empty(part.shape, np.float64)
    found: dict[int, np.ndarray] = {}
    for j, column in enumerate(part.columns):
        values = part[column]
        if not nominal[j]:
            out[:, j] = values.to_numpy(dtype=np.float64, na_value=np.nan)
            continue
        numbers, here = encode_labels(np.array(values.astype(object).tolist(), dtype=object), column)
        if labels is not None:
            # Level numbers of this partition become those of all partitions.
            renumber = np.append(np.searchsorted(labels[j], here).astype(np.float64), np.nan)
            numbers = renumber[np.where(np.isnan(numbers), len(here), numbers).astype(np.int64)]
        out[:, j], found[j] = numbers, here
    return out, found

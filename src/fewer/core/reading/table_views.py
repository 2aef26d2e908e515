"""Tables that give their rows in batches, as views."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy.sparse

from fewer.core.reading.asked import are_examined
from fewer.core.reading.frames import warn_of_identifiers
from fewer.core.reading.io.encoder import refuse_change
from fewer.core.reading.memory import refuse_nominal
from fewer.core.reading.targets import (
    NO_LABEL,
    Target,
    check_classes,
    partly_labelled,
    read_as,
    read_target,
    target_facts,
    text_labels,
    warn_of_numbers,
)
from fewer.core.reading.whole_numbers import WORDS, rounded, too_large
from fewer.core.records.errors import InputError
from fewer.core.records.tags import MethodTags
from fewer.core.runners.cluster import DaskRunner
from fewer.core.runners.runner import Runner
from fewer.core.summaries.block_sizes import BlockSizes
from fewer.core.summaries.extent import ColumnExtent
from fewer.core.views.blocks import DenseBlock, SparseBlock
from fewer.core.views.sparse_input import tidy
from fewer.core.views.view import View
from fewer.core.views.weights import WeightGrid


def is_table(X: Any) -> bool:
    """Return whether X is a table that gives its rows in batches; reads nothing."""
    # Attributes of the class: those of an instance are learned from the rows, and a frame may have such a column.
    return hasattr(type(X), "batches") and hasattr(type(X), "nominal")


@dataclass(frozen=True, eq=False)
class TableBlocks:
    """The batches of a table as row blocks, re-iterable."""

    table: Any
    task: str
    target_values: np.ndarray | None = None
    weights: WeightGrid | None = None

    @property
    def n_rows(self) -> int:
        """Rows in all batches together."""
        return int(self.table.n_rows)

    @property
    def identity(self) -> Any:
        """What these rows are, for work that is kept; the files themselves stand in its record."""
        return ("table", repr(getattr(self.table, "_roles", None)), self.task, self.target_values, self.weights)

    def pieces(self) -> list[TableBlocks] | None:
        """Return the same for parts of the rows that workers can read; None if the file has none."""
        found = self.table.parts_of_file() if hasattr(self.table, "parts_of_file") else None
        return None if found is None else [replace(self, table=piece) for piece in found]

    def __call__(self) -> DenseBlock | SparseBlock:
        """Read the only batch."""
        (block,) = self
        return block

    def __iter__(self) -> Iterator[DenseBlock | SparseBlock]:
        for batch in self.table.pieces() if hasattr(self.table, "pieces") else self.table.batches():
            y = None if self.task == "none" else batch.y
            if y is not None and self.target_values is not None:
                y = self.target_values[y]
            weight = batch.weight if self.weights is None else self.weights.put(batch.weight)
            if scipy.sparse.issparse(batch.X):
                yield SparseBlock(tidy(scipy.sparse.csc_array(batch.X)), y, weight)
            else:
                yield DenseBlock(np.ascontiguousarray(batch.X), y, weight)


def read_table(name: str, table: Any, tags: MethodTags, run: Runner) -> View:
    """Return a view of a table whose batches are read again for every summary."""
    nominal = np.asarray(table.nominal, bool)
    if tags.needs_target and hasattr(table, "joint_target"):
        # What takes several columns as its target asks `read_joint`; here they are refused.
        read_target(name, table.joint_target(), tags)
    missing = _suited(name, table, tags, nominal)
    classes, values = _table_target(name, table, tags)
    partly = classes is not None and "partly labelled" in tags.targets and run.in_memory
    weights = None if table.weight is None else table.weights
    rows = TableBlocks(table, tags.task, values, weights)
    blocks: Any = list(rows) if run.in_memory else on_cluster(rows, run) if isinstance(run, DaskRunner) else rows
    target = Target("", None if not run.in_memory else blocks[0].y, classes)
    if classes is not None and partly:
        target = partly_labelled(blocks[0].y, classes)
        check_classes(name, np.asarray(target.classes), tags, table.target, beside=NO_LABEL)
        blocks = [replace(blocks[0], y=target.values)]
    facts = {"source": str(table.path), "target_name": table.target, "n_missing": missing, **_facts(name, table, tags)}
    if run.in_memory:
        facts.update(target_facts(target, blocks[0].weight))
    if tags.reads_classes:
        reason = getattr(table, "target_reason", None)
        facts.update(read_as(classes is not None, reason))
        warn_of_numbers(name, reason)
    some_left_out = "n_zero_weight" in facts or "n_without_target" in facts
    # The opening pass has found the ranges already; rows of weight 0 are not among the batches.
    known = {} if table.extent is None else {ColumnExtent(of_all): table.extent for of_all in (False, True)}
    return View(
        run=run,
        blocks=blocks,
        kind=table.kind,
        n_rows=int(table.n_rows),
        n_features=len(table.names),
        nominal=nominal,
        classes=target.classes,
        labels=dict(table.labels),
        names=tuple(table.names),
        facts=facts,
        may_miss=missing > 0,
        counted=table.counted if some_left_out and run.in_memory else None,
        weights=weights,
        labelled=target.labelled,
        target_kind=target.kind,
        _memo=known,
    )


def on_cluster(rows: TableBlocks, run: DaskRunner) -> list[Any]:
    """Return the row blocks of a file on the workers, which read it themselves if it can be read in parts."""
    pieces = rows.pieces()
    if pieces is None:
        return run.sent_each(rows)
    blocks = run.made(list(pieces))
    sizes = run.fold(BlockSizes(), blocks).tolist()
    if sum(sizes) != rows.n_rows:
        refuse_change(str(rows.table.path))
    return [block for block, size in zip(blocks, sizes) if size]


def read_joint(estimator: Any, table: Any, tags: MethodTags, run: Runner) -> View:
    """Return a view of a table whose target is several columns, and let the estimator know its columns."""
    name = type(estimator).__name__
    target = Target()
    if tags.needs_target:
        target = read_target(name, table.joint_target(), tags)
        given = table.joint_names if target.kind.startswith("several") else None
        target = replace(target, names=given)
    plain = copy(table)
    plain.target = None
    data = read_table(name, plain, replace(tags, targets=("none",)), run)
    estimator.n_features_in_ = data.n_features
    estimator.feature_names_in_ = np.asarray(data.names, dtype=object)
    if target.values is None:
        return data
    facts = {**data.facts, "target_name": table.target, **target_facts(target, data.whole().weight, tags)}
    known: dict[str, Any] = {
        "target_kind": target.kind,
        "target_names": target.names,
        "classes": target.classes,
        "facts": facts,
    }
    return replace(data.with_target(target.values), **known)


def _suited(name: str, table: Any, tags: MethodTags, nominal: np.ndarray) -> int:
    """Raise if the method cannot take the table; return how many values are missing."""
    if nominal.any():
        refuse_nominal(name, tags, table.names, nominal)
    if table.kind == "sparse" and not tags.handles_sparse:
        raise InputError(f"{name} takes dense data, but {table.path} is sparse; use a method that handles sparse data.")
    if tags.needs_target and table.target is None:
        raise InputError(f"{name} needs a target, but the table was opened without one; pass target='column name'.")
    missing = int(getattr(table, "missing", 0) or 0)
    if missing and not tags.handles_nan:
        raise InputError(
            f"{name} takes no missing values, but the table holds {missing} NaN cells; fill them in, drop those "
            "columns, or use a method that handles missing values, such as InformationGain."
        )
    if table.weight is not None and not tags.handles_weights:
        raise InputError(f"{name} takes no weights, but the table has the weight column {table.weight!r}; drop it.")
    return missing


def _facts(name: str, table: Any, tags: MethodTags) -> dict[str, Any]:
    """Return what the report says of the columns and rows of a table; raise on numbers that floats cannot hold."""
    large = getattr(table, "large", ())
    if not are_examined(tags):
        warn_of_identifiers(table.labels, int(table.n_rows), table.names)
        if large:
            raise InputError(too_large(f"{name} got the column {table.names[large[0]]!r} of {table.path} with"))
    found = {
        "large": {str(j): WORDS for j in large},
        "dates_left": dict(getattr(table, "dates_left", None) or {}),
        "dates": dict(getattr(table, "dates_kept", None) or {}),
        "n_zero_weight": int(getattr(table, "left_out", 0)),
        "n_without_target": int(getattr(table, "without_target", 0)),
        "notes": list(getattr(table, "notes", ())),
    }
    return {fact: known for fact, known in found.items() if known}


def _table_target(name: str, table: Any, tags: MethodTags) -> tuple[np.ndarray | None, np.ndarray | None]:
    """Return the classes, and for numeric methods the number that stands for each class."""
    if not tags.needs_target:
        return None, None
    if tags.task == "classification" or (tags.reads_classes and table.classes is not None):
        if table.classes is None:
            raise InputError(
                f"{name} needs classes, but the target {table.target!r} is numeric; open the table with "
                "task='classification' or use a method for regression, such as Pearson."
            )
        check_classes(name, np.asarray(table.classes), tags, table.target)
        return np.asarray(table.classes), None
    if table.classes is None:
        return None, None
    if rounded(np.asarray(table.classes)):
        raise InputError(too_large(f"{name} got the target {table.target!r} with"))
    try:
        return None, np.asarray(table.classes).astype(np.float64)
    except ValueError:
        if len(table.classes) == 2:
            return None, np.array([0.0, 1.0])
    raise InputError(
        f"{name} needs a numeric target or two classes, but {table.target!r} holds {text_labels(table.classes)}; "
        "use a method for classes, such as FTest or InformationGain."
    )

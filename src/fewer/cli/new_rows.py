"""Rows of known class to learn from, and rows to classify."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from fewer.cli.input import Columns, needs_target
from fewer.cli.other_contracts import rows_for
from fewer.core.records.errors import InputError, ParameterError

NewFile = Annotated[
    Path | None,
    typer.Option("--new", metavar="FILE", readable=False, help="Table with the rows to classify, same columns."),
]
RowNumbers = Annotated[
    str | None,
    typer.Option(
        "--rows", metavar="NUMBERS", help="Rows of the file to classify by all others, as in 3,17; 0 is first."
    ),
]


@dataclass(frozen=True, eq=False)
class RowSplit:
    """Rows of known class, their numbers in the file, other rows and their names, and their classes where known."""

    known: Any
    learned: np.ndarray
    queries: np.ndarray
    names: list[str]
    truth: list[Any] | None


def split_rows(made: Any, data: Columns, new: Path | None, rows: str | None) -> RowSplit:
    """Return what to learn from and what to classify: a new file, chosen rows, or those without a target.

    Parameters
    ----------
    made : classifier
        The method, not fitted.
    data : Columns
        The file with the target.
    new : Path, optional
        File of new rows.
    rows : str, optional
        Numbers of rows of the file.
    """
    if new is not None and rows is not None:
        raise ParameterError(
            f"Both --new {new} and --rows {rows} were given, but either says what to classify; give one."
        )
    refuse_texts(made)
    opened = data.open()
    if opened.target is None:
        raise ParameterError(needs_target(type(made).__name__, opened))
    numbers = None if rows is None else _numbers(rows)
    table, labels = rows_for(_AllRows(made), data)
    X, known = _matrix(table), np.array([label is not None for label in labels or []])
    if numbers is not None:
        if numbers and max(numbers) >= len(X):
            raise ParameterError(
                f"--rows names row {max(numbers)}, but {data.file} has {len(X):,} rows from 0 on; leave it out."
            )
        asked = np.array(numbers, np.int64)
    else:
        asked = np.flatnonzero(~known)
    if new is None and not len(asked):
        raise ParameterError(
            f"There is nothing to classify: all {len(X):,} rows of {data.file} have a target; add --new FILE, or "
            "--rows 3,17 for rows to be classified by all others."
        )
    learn = known.copy()
    learn[asked] = False
    from fewer.core.reading.table import ArrayTable

    y = np.array([str(label) for label, own in zip(labels or [], learn) if own])
    seen = ArrayTable(
        X[learn], y, names=list(table.names), nominal=table.nominal, labels=dict(table.labels), task="classification"
    ).load()
    if new is not None:
        queries, truth = _of_file(new, data, table)
        return RowSplit(seen, np.flatnonzero(learn), queries, [f"row {i}" for i in range(len(queries))], truth)
    truth = [labels[i] for i in asked] if known[asked].all() else None  # type: ignore[index]
    return RowSplit(seen, np.flatnonzero(learn), X[asked], [f"row {i}" for i in asked], truth)


def refuse_texts(made: Any) -> None:
    """Raise if a classifier takes texts or sequences, which are no table."""
    what = "sequences" if "sequences" in made.method_tags.views else "texts"
    if not made.reads_tables:
        name = type(made).__name__
        raise ParameterError(
            f"{name} takes {what}, but 'fewer classify' reads tables of numbers and levels; use fewer.{name} in "
            "Python, or a classifier of tables, such as ADAMENN."
        )


class _AllRows:
    """A method as `rows_for` sees it: one that also takes rows without a target."""

    def __init__(self, made: Any) -> None:
        self.categorical_features = getattr(made, "categorical_features", None)
        self.method_tags = replace(made.method_tags, targets=(*made.method_tags.targets, "none"))


def _numbers(text: str) -> list[int]:
    try:
        found = [int(part) for part in text.split(",") if part.strip()]
    except ValueError:
        found = []
    if not found or min(found) < 0 or len(set(found)) < len(found):
        raise ParameterError(
            f"--rows got {text!r}, but takes different numbers of rows from 0 on; write for example 3,17."
        )
    return found


def _matrix(table: Any) -> np.ndarray:
    if table.kind == "sparse":
        raise InputError(
            f"{table.path} is sparse, but rows are classified one by one in dense tables; write a dense one."
        )
    return np.vstack([batch.X for batch in table.batches()])


def _of_file(new: Path, data: Columns, like: Any) -> tuple[np.ndarray, list[Any] | None]:
    """Return the rows of a new file, columns as those of the file with the target, and its target if it has one."""
    from fewer.core.reading.table import open_table
    from fewer.core.reading.table_labels import table_labels

    reading = {**data.reading, "join": None, "on": None}
    nominal = [name for j, name in enumerate(like.names) if like.nominal[j]]
    there = open_table(new, None, **reading)
    absent = [name for name in like.names if name not in there.names]
    if absent:
        raise InputError(
            f"{new} lacks {len(absent)} of {len(like.names)} columns of {data.file}, such as {absent[0]!r}; add them."
        )
    truth = None
    if data.target in there.names:
        labelled = open_table(new, data.target, task="classification", **reading).load()
        truth = table_labels(labelled, all_rows=True)
        truth = None if any(label is None for label in truth) else truth
    others = [name for name in there.names if name not in like.names]
    there = open_table(new, None, drop=others, categorical_features=nominal or None, **reading).load()
    X = _matrix(there)[:, [list(there.names).index(name) for name in like.names]]
    return _levels(X, there, like, new), truth


def _levels(X: np.ndarray, there: Any, like: Any, new: Path) -> np.ndarray:
    """Return the rows with level numbers as the other table has them."""
    X = np.array(X, dtype=np.float64)
    for j, name in enumerate(like.names):
        at = list(there.names).index(name)
        if not like.nominal[j] and there.nominal[at]:
            raise InputError(f"Column {name!r} holds words in {new}, but numbers where was learned; correct them.")
        if like.nominal[j]:
            place = {str(label): number for number, label in enumerate(like.labels[j])}
            levels = [str(label) for label in there.labels[at]]
            unknown = [label for label in levels if label not in place]
            if unknown:
                raise InputError(
                    f"Column {name!r} of {new} holds {unknown[0]!r}, which no known row has; correct or drop it."
                )
            known = ~np.isnan(X[:, j])
            X[known, j] = np.array([place[label] for label in levels])[X[known, j].astype(np.int64)]
    return X

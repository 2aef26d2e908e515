"""Tables: files and arrays that give their rows in batches."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from fewer.core.reading.io.batch import Batch
from fewer.core.reading.io.matrices import array_source
from fewer.core.reading.io.opening import Dialect, PathOrPaths, open_tables
from fewer.core.reading.io.roles import choose_roles
from fewer.core.reading.io.source import Source
from fewer.core.reading.joint_targets import joint_columns, joint_table
from fewer.core.reading.table_rows import Table
from fewer.core.records.errors import InputError, ParameterError
from fewer.core.runners.memory import Memory

__all__ = ["ArrayTable", "Batch", "Table", "open_table"]


def open_table(
    path: PathOrPaths,
    target: str | Sequence[str] | None = None,
    *,
    event: str | None = None,
    time: str | None = None,
    weight: str | None = None,
    columns: Iterable[str] | None = None,
    drop: Iterable[str] = (),
    categorical_features: Any = None,
    batch_rows: int | None = None,
    task: str | None = None,
    cache_bytes: int | None = None,
    memory: str | int | None = None,
    resume: str | os.PathLike[str] | None = None,
    sep: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
    transpose: bool = False,
    join: PathOrPaths | None = None,
    on: str | None = None,
) -> Table:
    """Open a file as a table of features, target and weights.

    Text and dictionary columns are nominal, numbers and booleans (0 and 1) numeric. Missing are empty cells
    of any column, null and NaN, and in columns of numbers also the words NA, N/A, NaN, null, None and ?. A
    column without any value is numeric. Rows without a target are left out and counted. Texts that are numbers written
    for people ($1,234.50, 1.234,5, 45 %, (12)) become numbers, and `Table.notes` says so.

    Parameters
    ----------
    path : str, path, or list of these
        The name of a data set that scikit-learn ships (iris, wine, breast_cancer, digits, diabetes); or a file with
        the extension .csv, .tsv, .txt (these also compressed), .parquet, .feather, .arrow, .ipc,
        .arff, .svm, .svmlight, .libsvm or .npz; a folder of Parquet, Feather or Arrow files, in which folders called
        ``name=value`` are a column; a pattern such as ``part*.parquet``; a list of files with the same columns; or
        ``"duckdb:FILE?query=SELECT ..."`` or ``"duckdb:FILE?table=NAME"``, which ask a database of DuckDB.
    target : str or list of str, default=None
        Name of the target column, or names of several, which are read at once. svmlight and npz files bring their own
        target, named ``y``.
    event, time : str, default=None
        In place of a target: columns that say whether an event was seen, 0 or 1, and when, or until when it was not.
    weight : str, default=None
        Name of a column with a weight per row. Rows of weight 0 are left out, as if they were not in the file.
    columns : list of str, default=None
        Names of the features to use, in this order; all of them by default.
    drop : list of str, default=()
        Names of columns to leave out.
    categorical_features : list of str, list of int or mask, default=None
        Features that are nominal although they hold numbers.
    batch_rows : int, default=None
        Rows per batch; as many as make about 32 MiB by default.
    task : {"classification", "regression"}, default=None
        What the target is for. By default text, booleans, and whole numbers with at most 20 different values
        are classes, and other numbers are not.
    cache_bytes : int, default=None
        Methods that choose features one by one from a streamed table keep its levels, one byte per value (two beyond
        256 levels), and read the file no more: in memory up to this many bytes, else in a temporary file. By default
        2**30, or what ``memory`` leaves for them.
    memory : str or int, default=None
        What the whole process may take, such as "2GB", "500MB", "1.5GiB" or a number of bytes. Batches, tables of
        quantiles and levels in memory are made to fit; what needs more is refused in one sentence.
    resume : str or path, default=None
        A folder, made if there is none, in which a streamed table keeps its codes and every pass that took more than a
        second: if the process is killed, the same call goes on from there, with the same result.
    sep : str, default=None
        What separates the cells of delimited text: one letter, or the words tab and space; found out by default.
    decimal : {".", ","}, default=None
        The mark before a fraction. By default the point, and the comma in columns that show it, as in 1,5 or 1.234,5;
        1,234 alone is one thousand.
    encoding : str, default=None
        The encoding of text. By default that of a mark at the beginning (UTF-8, UTF-16), else UTF-8, and Latin-1
        (cp1252) for text that is not UTF-8.
    transpose : bool, default=False
        Whether every row is a feature, named in the first column, and every other column a sample. The table is then
        held in memory.
    join : str, path, or list of these, default=None
        A second table, with one row per sample, whose columns stand beside those of the first; the target may be there.
    on : str, default=None
        The column that names the samples in both tables, or "name=other name"; the only one that both have by default.
        Of a transposed table the samples are named by its columns.

    Returns
    -------
    table : Table
        Nothing but the names is read until it is needed.

    Examples
    --------
    >>> table = open_table("iris.csv", target="species")  # doctest: +SKIP
    >>> for batch in table:  # doctest: +SKIP
    ...     batch.X, batch.y
    """
    budget = Memory.of(memory).with_codes(cache_bytes)
    source = open_tables(path, Dialect(sep, decimal, encoding), transpose, join, on)
    joint = joint_columns(target, event, time, source.where)
    if joint is not None:
        if resume is not None:
            raise ParameterError(
                f"resume={str(resume)!r} keeps passes over {source.where} that is read in batches, but a target of "
                "several columns is read at once; leave it out."
            )
        more: dict[str, Any] = {"categorical_features": categorical_features, "batch_rows": batch_rows}
        return joint_table(source, joint, weight=weight, columns=columns, drop=drop, budget=budget, **more)
    target = target if target is None or isinstance(target, str) else next(iter(target))
    if target is not None and not transpose:
        _suggest_transposed(source, target)
    roles = choose_roles(
        source.features,
        source.extra,
        source.where,
        target=source.default_target if target is None else target,
        weight=weight,
        columns=columns,
        drop=drop,
        categorical_features=categorical_features,
        task=task,
    )
    return Table(source, roles, batch_rows, budget, resume)


def _suggest_transposed(source: Source, target: str) -> None:
    """Raise if the target is no column, but the name of a row."""
    from fewer.core.reading.io.transposed import has_features_in_rows, names_in_rows

    if target not in (*source.features, *source.extra) and target in names_in_rows(source):
        raise InputError(
            f"target={target!r} is not a column of {source.where}, but stands in its first column, so its rows are "
            "the features; add transpose=True."
        )
    if target not in (*source.features, *source.extra) and has_features_in_rows(source):
        raise InputError(
            f"target={target!r} is not a column of {source.where}, whose rows look like features and whose columns "
            "like samples; add transpose=True, and join= with the table that holds the target of every sample."
        )


class ArrayTable(Table):
    """Arrays in memory with the interface of a table.

    Parameters
    ----------
    X : array or sparse matrix of shape (n_rows, n_features)
        Numbers.
    y : array of shape (n_rows,), default=None
        Target: class labels or numbers, or class numbers where ``classes`` are given.
    weight : array of shape (n_rows,), default=None
        Weight of each row. Rows of weight 0 are left out.
    names : list of str, default=None
        Names of the features; ``x0``, ``x1``, ... by default.
    nominal : mask or list of int, default=None
        Which features are nominal.
    labels : dict of int to array, default=None
        Level names of nominal features that hold level numbers.
    classes : array, default=None
        Class names where ``y`` holds class numbers.
    batch_rows : int, default=None
        Rows per batch; as many as make about 32 MiB by default.
    task : {"classification", "regression"}, default=None
        What the target is for; found as in `open_table` by default.
    """

    def __init__(
        self,
        X: Any,
        y: Any = None,
        weight: Any = None,
        names: Sequence[str] | None = None,
        nominal: Any = None,
        labels: Mapping[int, Any] | None = None,
        classes: Any = None,
        batch_rows: int | None = None,
        task: str | None = None,
    ) -> None:
        source, target, weight_name = array_source(X, y, weight, names, labels, classes)
        roles = choose_roles(
            source.features,
            source.extra,
            source.where,
            target=target,
            weight=weight_name,
            columns=None,
            drop=(),
            categorical_features=nominal,
            task=task,
        )
        super().__init__(source, roles, batch_rows)

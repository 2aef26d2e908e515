"""The columns of a view as a data frame of the types that they were given in, for estimators that look at these."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from fewer.core.records.errors import MissingExtraError
from fewer.core.records.target_kinds import told_apart
from fewer.core.views.view import View


@dataclass(frozen=True, eq=False)
class ColumnTypes:
    """How the columns of a data frame of pandas were typed, by name.

    Attributes
    ----------
    types : mapping of str to dtype
        Types of the columns; those that are not here are read as numbers, or as categories of their labels.
    values : mapping of str to mapping
        Of nominal columns the value that each label stands for.
    copies : mapping of str to str
        Columns that are copies of others, such as shadows, and the names of those.
    """

    types: Mapping[str, Any] = field(default_factory=dict)
    values: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    copies: Mapping[str, str] = field(default_factory=dict)


def with_copies(view: View, copied: View) -> View:
    """Return a view with shuffled copies of some of its columns behind it, which have names of their own."""
    both = view.with_columns(copied)
    if view.names is None or copied.names is None:
        return both
    own, known = view.names, view.column_types or ColumnTypes()
    names = told_apart([*own, *(f"copy of {name}" for name in copied.names)])
    added = dict(zip(names[len(own) :], copied.names))
    types = ColumnTypes(known.types, known.values, {**known.copies, **added})
    return both.with_names(names, types)


def frame_of(view: View) -> Any:
    """Return the rows of a view as a data frame of pandas, each column in the type it was given in.

    Text is text and a categorical has all its categories again; where the types are not known, as of a file, nominal
    columns are categoricals of their labels.
    """
    try:
        import pandas
    except ImportError as error:
        raise MissingExtraError(
            "An estimator that asks for names or types of columns sees a data frame, but pandas is not installed; run "
            "'pip install pandas', or give an estimator that takes arrays."
        ) from error
    names, X = view.names or tuple(f"x{j}" for j in range(view.n_features)), view.whole().X
    if view.kind == "sparse":
        return pandas.DataFrame.sparse.from_spmatrix(X, columns=list(names))
    known = view.column_types or ColumnTypes()
    columns = {}
    for j, name in enumerate(names):
        source = known.copies.get(name, name)
        dtype, values = known.types.get(source), known.values.get(source)
        if view.nominal[j]:
            columns[name] = _nominal(X[:, j], view.labels.get(j), dtype, values)
        else:
            columns[name] = _number(X[:, j], dtype)
    return pandas.DataFrame(columns)


def _nominal(column: np.ndarray, labels: Any, dtype: Any, values: Mapping[str, Any] | None) -> Any:
    import pandas

    numbers = np.where(np.isnan(column), -1, column).astype(np.int64)
    labels = np.arange(numbers.max(initial=-1) + 1) if labels is None else labels
    if dtype is None or values is None:
        return pandas.Categorical.from_codes(numbers, categories=list(labels))
    given = np.empty(len(labels) + 1, dtype=object)
    given[:-1] = [values.get(label, label) for label in np.asarray(labels).tolist()]
    given[-1] = np.nan
    return pandas.Series(given[numbers], dtype=dtype)


def _number(column: np.ndarray, dtype: Any) -> Any:
    import pandas

    series = pandas.Series(column)
    if dtype is None or dtype == series.dtype:
        return series
    try:
        return series.astype(dtype)
    except (TypeError, ValueError):
        # Text that was read as numbers, and whole numbers of which some are missing, stay floats.
        return series

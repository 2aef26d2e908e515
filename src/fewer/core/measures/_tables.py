"""Contingency tables as the measures want them: many at once, with their margins."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from fewer.core.records.errors import InputError
from fewer.core.summaries.results import Counts

Tables: TypeAlias = Counts | ArrayLike


def as_counts(tables: Tables) -> Counts:
    """Return contingency tables as `Counts`.

    Parameters
    ----------
    tables : Counts or array-like
        `Counts` are returned as they are. A 2-D array-like is one table, levels by classes; a 3-D one is a
        stack of such tables, one per feature.

    Returns
    -------
    Counts
        Whole numbers stay whole; everything else becomes float64.

    Examples
    --------
    >>> as_counts([[3, 1], [1, 3]]).n_features
    1
    """
    if isinstance(tables, Counts):
        return tables
    array = _numbers(tables)
    if array.ndim not in (2, 3) or 0 in array.shape[-2:]:
        raise InputError(
            f"as_counts got an array of shape {array.shape}, but a table has shape (levels, classes), a "
            "stack (features, levels, classes), with at least one level and one class; reshape the input."
        )
    if not (np.isfinite(array).all() and (array >= 0).all()):
        raise InputError(
            "as_counts got a table with negative, infinite or missing entries, but counts and weights are "
            "finite and not negative; repair the table."
        )
    n_tables = len(array) if array.ndim == 3 else 1
    return Counts(array.reshape(-1, array.shape[-1]), np.arange(n_tables + 1) * array.shape[-2])


def _numbers(tables: ArrayLike) -> np.ndarray:
    """Return an array of int64 or float64."""
    try:
        array = np.asarray(tables)
        return array.astype(np.int64 if array.dtype.kind in "biu" else np.float64)
    except (ValueError, TypeError) as error:
        raise InputError(
            f"as_counts got a {type(tables).__name__} that is not a rectangular array of numbers, but tables "
            "are numeric and those of a stack have equal shapes; pass Counts for unequal numbers of levels."
        ) from error


def of_tables(measure: Callable[..., Any]) -> Callable[..., Any]:
    """Let a measure of `Counts` take whatever `as_counts` takes; one 2-D table gives plain numbers."""

    @wraps(measure)
    def on_tables(counts: Tables, *more: Any) -> Any:
        values = measure(as_counts(counts), *more)
        if isinstance(counts, Counts) or np.ndim(counts) != 2:
            return values
        return tuple(value.item() for value in values) if isinstance(values, tuple) else values.item()

    return on_tables


@dataclass(frozen=True)
class Margins:
    """Tables with their margins, all float64.

    ``cells`` (n_rows, n_classes) and ``rows`` (n_rows,) stand beside the stacked levels, ``columns``
    (n_features, n_classes) and ``total`` (n_features,) beside the features.
    """

    counts: Counts
    cells: np.ndarray
    rows: np.ndarray
    columns: np.ndarray
    total: np.ndarray

    @classmethod
    def of(cls, counts: Counts) -> Margins:
        """Sum the tables over rows and columns."""
        cells = counts.table.astype(np.float64)
        columns = counts.per_feature(cells)
        # Totals from the columns: the fraction of an only level or class is then exactly 1, also with weights.
        return cls(counts, cells, cells.sum(axis=1), columns, columns.sum(axis=1))

    def beside_levels(self, values: np.ndarray) -> np.ndarray:
        """Repeat values of the features for each of their levels."""
        return np.repeat(values, np.diff(self.counts.offsets), axis=0)

    @property
    def levels(self) -> np.ndarray:
        """Number of levels that occur, per feature."""
        return self.counts.per_feature((self.rows > 0).astype(np.int64))

    @property
    def classes(self) -> np.ndarray:
        """Number of classes that occur, per feature."""
        return (self.columns > 0).sum(axis=1)

    @property
    def dof(self) -> np.ndarray:
        """Degrees of freedom (levels - 1)(classes - 1) of what occurs, per feature."""
        return np.maximum(self.levels - 1, 0) * np.maximum(self.classes - 1, 0)

    @property
    def row_shares(self) -> np.ndarray:
        """p(level), beside the levels."""
        return ratio(self.rows, self.beside_levels(self.total))

    @property
    def column_shares(self) -> np.ndarray:
        """p(class), beside the features."""
        return ratio(self.columns, self.total[:, None])

    @property
    def given_level(self) -> np.ndarray:
        """p(class | level), beside the levels."""
        return ratio(self.cells, self.rows[:, None])

    def average(self, values: np.ndarray) -> np.ndarray:
        """Average values that stand beside the levels over the rows of the data."""
        return self.counts.per_feature(self.row_shares * values)


def ratio(numerator: ArrayLike, denominator: ArrayLike, otherwise: float = 0.0) -> np.ndarray:
    """Divide where the denominator is positive; elsewhere return ``otherwise``."""
    numerator, denominator = np.broadcast_arrays(
        np.asarray(numerator, dtype=np.float64), np.asarray(denominator, dtype=np.float64)
    )
    out = np.full(numerator.shape, otherwise)
    return np.divide(numerator, denominator, out=out, where=denominator > 0)

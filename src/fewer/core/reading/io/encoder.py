"""Level numbers of the values of one column, by what was learned of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from fewer.core.reading.io.batch import Batch
from fewer.core.reading.io.text_columns import Column
from fewer.core.reading.whole_numbers import rounded
from fewer.core.records.errors import FileError
from fewer.core.records.target_kinds import UNLABELLED


class Encoder:
    """Turns the values of a nominal column or of the classes into level numbers."""

    def __init__(self, labels: np.ndarray, where: str) -> None:
        self.where = where
        self.text = labels.dtype == object
        if self.text:
            self._number = {label: float(i) for i, label in enumerate(labels.tolist())}
        else:
            self._values = labels if rounded(labels) else labels.astype(np.float64)

    def __call__(self, column: Column) -> np.ndarray:
        """Return level numbers as float64, NaN where the value is missing."""
        if self.text is not (column.levels is not None):
            refuse_change(self.where)
        return self._from_text(column) if self.text else self._from_numbers(column)

    def _from_text(self, column: Column) -> np.ndarray:
        numbers = [self._number.get(level, -1.0) for level in column.levels or ()]
        # The place -1 of a missing value reads the last entry.
        found = np.array([*numbers, np.nan])[column.values]
        if np.any(found < 0):
            refuse_change(self.where)
        return found

    def _from_numbers(self, column: Column) -> np.ndarray:
        values, missing = column.values, np.isnan(column.values)
        if self._values.dtype.kind in "iu":
            given = np.where(missing, 0.0, values) if column.exact is None else column.exact
            values = given.astype(self._values.dtype)
        places = np.minimum(np.searchsorted(self._values, values), max(len(self._values) - 1, 0))
        known = missing if len(self._values) == 0 else missing | (self._values[places] == values)
        if not known.all():
            refuse_change(self.where)
        return np.where(missing, np.nan, places.astype(np.float64))


def numbered(column: Column, classes: Encoder, partly: bool = False) -> np.ndarray:
    """Return the class numbers of a chunk of the target as int64; -1 for missing ones if there may be such."""
    numbers = classes(column)
    if partly:
        numbers = np.where(column.missing, UNLABELLED, numbers)
    if np.isnan(numbers).any():
        refuse_change(classes.where)
    return numbers.astype(np.int64)


def same_rows(batches: Iterable[Batch], n_rows: int, where: str) -> Iterator[Batch]:
    """Refuse a file that has more or fewer rows than when it was first read: arrays were made for those."""
    rows = 0
    for batch in batches:
        rows += batch.n_rows
        if rows > n_rows:
            refuse_change(where)
        yield batch
    if rows < n_rows:
        refuse_change(where)


def refuse_change(where: str) -> None:
    """Raise the error for a file that is not the one that was read first."""
    raise FileError(
        f"{where} holds other rows or values now than when it was first read, but a table must not change "
        "while it is in use; open it again."
    )

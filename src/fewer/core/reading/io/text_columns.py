"""One column at a time: what its chunks hold, what is learned of it, how it becomes numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fewer.core.reading.number_texts import MISSING_WORDS, NumberTexts
from fewer.core.reading.targets import are_classes, too_many
from fewer.core.reading.whole_numbers import exact_of, too_large
from fewer.core.records.errors import InputError
from fewer.core.records.numerals import without_negative_zero
from fewer.core.records.target_kinds import is_missing
from fewer.core.views.weights import WeightTally

MAX_LEVELS = 65_535  # what a uint16 code can number
DATES = "dates or times"

__all__ = ["MISSING_WORDS", "Column", "ColumnFacts", "TargetFacts", "WeightFacts", "column_of", "refuse_infinite"]


@dataclass(frozen=True, eq=False)
class Column:
    """One column of one chunk: numbers, NaN if missing; or with ``levels`` places in them, -1 if missing.

    Numbers are float64, or whole numbers of up to 32 bits, of which none is missing.
    Whole numbers that floats change are in ``exact`` as they are, anything where missing. ``decimal`` is the mark
    before the fraction of numbers that were written as text. ``moments`` are the levels of a column of dates as
    datetime64, and NaT behind them, where the file has them as such.
    """

    values: np.ndarray
    levels: Sequence[str] | None = None
    boolean: bool = False
    exact: np.ndarray | None = None
    decimal: str = ""
    moments: np.ndarray | None = None

    @property
    def missing(self) -> np.ndarray:
        """Which values are missing, a mask."""
        if self.levels is not None:
            return self.values < 0
        return np.zeros(len(self.values), bool) if is_small(self.values) else np.isnan(self.values)

    def as_numbers(self, texts: NumberTexts) -> Column:
        """Return the numbers that the texts are, or the same column where they are none."""
        if self.levels is None or texts.failed:
            return self
        numbers = texts.read(self.levels, _occurring(self.values, len(self.levels)).tolist())
        # The place -1 of a missing value reads the last entry.
        return self if numbers is None else Column(numbers[self.values], decimal=texts.decimal)

    def at(self, rows: np.ndarray) -> Column:
        """Return some of the rows."""
        exact = None if self.exact is None else self.exact[rows]
        return replace(self, values=self.values[rows], exact=exact)


def _occurring(places: np.ndarray, n_levels: int) -> np.ndarray:
    """Return which places occur, in order; -1 of a missing value is none."""
    if n_levels > len(places):
        used = np.unique(places)
        return used[used >= 0]
    # Counted from -1 on.
    return np.flatnonzero(np.bincount(places + 1, minlength=1)[1:])


def column_of(values: np.ndarray, name: str, where: str) -> Column:
    """Make a column of a one-dimensional array of numbers, booleans or text."""
    kind = values.dtype.kind
    if kind in "fiub":
        return Column(values.astype(np.float64), boolean=kind == "b", exact=exact_of(values))
    if kind == "O":
        values = np.array(["" if is_missing(value) else str(value) for value in values.tolist()])
        kind = "U"
    if kind == "U":
        levels, places = np.unique(values.astype(str), return_inverse=True)
        return Column(np.where(levels == "", -1, np.arange(len(levels)))[places], levels.tolist())
    raise InputError(
        f"The column {name!r} of {where} has the type {values.dtype}, but only numbers, booleans and text "
        "can be used; convert it."
    )


class ColumnFacts:
    """What one pass over a column teaches: missing values, range, levels, whether it is text."""

    def __init__(self, name: str, where: str, nominal: bool = False) -> None:
        self.name, self.where, self.nominal = name, where, nominal
        self.missing = 0
        self.levels: set[Any] = set()
        self.text: bool | None = None
        self.decimal = ""
        self.boolean = False
        self.mixed = False
        self.infinite = False
        self.rounded = False
        self.low, self.high = np.inf, -np.inf

    def add(self, column: Column) -> None:
        """Learn from the next chunk; text after numbers makes the column ``mixed``, to be read once more."""
        text = column.levels is not None
        self.mixed |= self.text is not None and (self.text, self.decimal) != (text, column.decimal)
        self.text, self.decimal = text, column.decimal
        if self.mixed:
            return
        self.boolean |= column.boolean
        if column.levels is not None:
            self._add_text(column.values, column.levels)
        else:
            self._add_numbers(column.values, column.exact)
        if len(self.levels) > MAX_LEVELS:
            self._too_many()

    def _add_text(self, places: np.ndarray, levels: Sequence[str]) -> None:
        self.missing += int(np.count_nonzero(places < 0))
        self.levels.update(levels[i] for i in _occurring(places, len(levels)).tolist())

    def _add_numbers(self, values: np.ndarray, exact: np.ndarray | None) -> None:
        self.rounded |= exact is not None
        if is_small(values):
            if len(values):
                self.low, self.high = min(self.low, float(values.min())), max(self.high, float(values.max()))
                self._add_present(values)
            return
        # A finite sum proves that nothing is missing or infinite, and costs one pass instead of two.
        with np.errstate(invalid="ignore", over="ignore"):
            clean = bool(np.isfinite(values.sum()))
        if not clean:
            self.missing += int(np.count_nonzero(np.isnan(values)))
            self.infinite |= bool(np.isinf(values).any())
            present = np.isfinite(values)
            values, exact = values[present], None if exact is None else exact[present]
        self.low, self.high = min(self.low, values.min(initial=np.inf)), max(self.high, values.max(initial=-np.inf))
        self._add_present(values if exact is None else exact)

    def _add_present(self, values: np.ndarray) -> None:
        if self.nominal:
            self.levels.update(_different(values))

    def take(self, low: float, high: float) -> None:
        """Learn what a file says of a column of numbers without missing values that need not be read."""
        self.text, self.low, self.high = False, low, high

    def _too_many(self) -> None:
        raise InputError(
            f"The nominal column {self.name!r} of {self.where} has more than {MAX_LEVELS:,} levels, the most "
            f"that are allowed; if it is an identifier or free text, leave it out with drop=[{self.name!r}]."
        )

    @property
    def changed(self) -> bool:
        """Whether it holds whole numbers, not mere levels, that floats change."""
        return self.rounded and not self.text and not (self.nominal and all(v == int(v) for v in self.levels))

    def check(self, examined: bool = False) -> None:
        """Refuse infinite values, once it is certain that the column holds numbers; and large ones, if not examined."""
        if self.infinite and not self.text:
            refuse_infinite(self.name, self.where)
        if self.changed and not examined:
            self._refuse_rounded()

    def _refuse_rounded(self) -> None:
        raise InputError(too_large(f"The column {self.name!r} of {self.where} holds"))

    @property
    def is_nominal(self) -> bool:
        """Whether the column has levels; one without any value counts as numeric."""
        return (self.nominal or bool(self.text)) and len(self.levels) > 0

    @property
    def extent(self) -> tuple[float, float, int]:
        """The smallest and the largest number, or level number, and how many values are missing."""
        return (0.0, len(self.levels) - 1.0, self.missing) if self.is_nominal else (self.low, self.high, self.missing)

    def labels(self) -> np.ndarray:
        """Return the levels in order: text as objects, booleans, whole numbers as int64, else float64."""
        return label_array(self.levels, self.boolean)


def is_small(values: np.ndarray) -> bool:
    """Return whether numbers are whole ones of so few bits that each is a float, and none is missing."""
    return values.dtype.kind in "iu" and values.dtype.itemsize < 8


def _different(values: np.ndarray) -> list[Any]:
    """Return the different values; only whole numbers that floats may change stay such."""
    different = np.unique(values)
    return (different.astype(np.float64) if is_small(different) else different).tolist()


def refuse_infinite(name: str, where: str) -> None:
    """Raise the error for a column with infinite values."""
    raise InputError(
        f"The column {name!r} of {where} holds infinite values, but only finite numbers or missing values "
        "can be used; replace them or leave the column out with drop=."
    )


def label_array(levels: set[Any], boolean: bool) -> np.ndarray:
    """Sort levels into an array of the narrowest of object, bool, int64 and float64."""
    ordered = sorted(levels)
    if ordered and isinstance(ordered[0], str):
        labels = np.empty(len(ordered), dtype=object)
        labels[:] = ordered
        return labels
    if any(isinstance(level, int) for level in ordered):
        # Whole numbers that floats would change; what stands beside them is whole, too.
        return np.array([int(level) for level in ordered])
    numbers = without_negative_zero(np.array(ordered, dtype=np.float64))
    if boolean:
        return numbers.astype(bool)
    whole = np.all(numbers == np.trunc(numbers)) and np.all(np.abs(numbers) < 2.0**53)
    return numbers.astype(np.int64) if whole else numbers


class TargetFacts(ColumnFacts):
    """What one pass over the target teaches, and the task that follows from it."""

    def __init__(self, name: str, where: str, named: bool = False) -> None:
        super().__init__(name, where, nominal=True)
        self.named = named  # whether the file itself says that the values are names
        self.whole = True
        self.many = False
        self.reason: str | None = None

    def _add_present(self, values: np.ndarray) -> None:
        self.whole = self.whole and (values.dtype.kind in "iu" or bool(np.all(values == np.trunc(values))))
        if (self.whole or self.named) and not self.many:
            self.levels.update(_different(values))
            self.many = len(self.levels) > MAX_LEVELS
        if self.many or not (self.whole or self.named):
            self.levels.clear()

    def _too_many(self) -> None:
        raise InputError(
            f"The target {self.name!r} of {self.where} has more than {MAX_LEVELS:,} different texts, the most that "
            "are allowed; if it is an identifier, choose another target."
        )

    def settle(self, task: str | None, n_rows: int) -> tuple[str, np.ndarray | None]:
        """Return the task and, for classification, the class labels in order."""
        if not n_rows:
            raise InputError(
                f"The target {self.name!r} of {self.where} is missing in all {self.missing:,} rows that count, and "
                "rows without it are left out, but at least one is needed; fill it in or name another target."
            )
        if task is None:
            classes = are_classes(bool(self.text) or self.named, self.whole and not self.many, len(self.levels))
            task = "classification" if classes else "regression"
            if self.whole and not classes:
                self.reason = too_many(f"more than {MAX_LEVELS:,}" if self.many else f"{len(self.levels):,}")
        if task == "regression":
            if self.rounded:
                self._refuse_rounded()
            if self.text:
                raise InputError(
                    f"The target {self.name!r} of {self.where} holds text, but regression needs numbers; use "
                    "task='classification' or another target."
                )
            return task, None
        if self.many or not (self.whole or self.named):
            what = "numbers that are not whole" if not self.many else f"more than {MAX_LEVELS:,} different values"
            raise InputError(
                f"The target {self.name!r} of {self.where} holds {what}, but classes must be text or whole "
                f"numbers, at most {MAX_LEVELS:,} of them; use task='regression' or another target."
            )
        return task, self.labels()


class WeightFacts(ColumnFacts):
    """Checks that weights are numbers, present and not negative, counts rows of weight 0 and tallies the others."""

    def __init__(self, name: str, where: str) -> None:
        super().__init__(name, where)
        self.zeros, self.tally = 0, WeightTally()

    def add(self, column: Column) -> None:
        """Check the next chunk."""
        super().add(column)
        self.zeros += int(np.count_nonzero(column.values == 0))
        if self.text or self.missing or np.any(column.values < 0):
            what = "text" if self.text else "missing values" if self.missing else "negative values"
            raise InputError(
                f"The weight column {self.name!r} of {self.where} holds {what}, but every row needs a number "
                "of at least 0; correct it or leave weight= out."
            )
        self.tally.add(np.asarray(column.values, dtype=np.float64))

"""Lines that features had to reach, and numbers printed so that one sees on which side they lie."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fewer.core.records.numerals import numeral

AT_LEAST, MORE_THAN, AT_MOST = "at least", "more than", "at most"


@dataclass(frozen=True, eq=False)
class Need:
    """What was measured of every feature, and what it had to reach.

    Attributes
    ----------
    quantity : str
        What was measured, such as "information about the target".
    values : ndarray of shape (n_features,)
        The measured numbers; NaN where nothing was measured.
    line : float or ndarray of shape (n_features,)
        What was needed; NaN where nothing was.
    unit : str
        The unit of both, such as "nats".
    how : {"at least", "more than", "at most"}
        On which side of the line a feature had to be.
    why : str
        What follows the line in a sentence, such as "to be significant at 5 %".
    """

    quantity: str
    values: np.ndarray
    line: float | np.ndarray
    unit: str = ""
    how: str = AT_LEAST
    why: str = ""

    @property
    def failed(self) -> np.ndarray:
        """Mask of the features on the wrong side; what was not measured did not fail."""
        return fails(self.values, self.line, self.how)

    def line_of(self, j: int) -> float:
        """Return what feature ``j`` had to reach."""
        return float(np.broadcast_to(self.line, np.shape(self.values))[j])

    def spread(self, numbers: np.ndarray, n_features: int) -> Need:
        """Return the same of more features: feature ``j`` becomes feature ``numbers[j]``, others were not measured."""
        values, line = np.full(n_features, np.nan), np.full(n_features, np.nan)
        values[numbers], line[numbers] = self.values, self.line
        return replace(self, values=values, line=line)

    def copied(self, copies: Mapping[int, int]) -> Need:
        """Return the same, with what was measured of one feature told of its copies, too."""
        values, line = np.array(self.values), np.array(np.broadcast_to(self.line, np.shape(self.values)))
        for j, first in copies.items():
            values[j], line[j] = values[first], line[first]
        return replace(self, values=values, line=line)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values that `from_dict` reads."""
        numbers = {"values": np.asarray(self.values, dtype=float), "line": np.asarray(self.line, dtype=float)}
        words = {"quantity": self.quantity, "unit": self.unit, "how": self.how, "why": self.why}
        return {**words, **{name: value.tolist() for name, value in numbers.items()}}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Need:
        """Make a need of what `to_dict` returned."""
        return cls(**{**data, "values": floats(data["values"]), "line": floats(data["line"])})


def fails(values: Any, line: Any, how: str | np.ndarray) -> np.ndarray:
    """Return where values lie on the wrong side of a line."""
    values, line = np.asarray(values, dtype=float), np.asarray(line, dtype=float)
    with np.errstate(invalid="ignore"):
        out = np.where(np.equal(how, AT_MOST), values > line, values < line)
        return out | (np.equal(how, MORE_THAN) & (values == line))


def floats(values: Any) -> Any:
    """Return numbers of JSON as float or array, null as NaN."""
    if isinstance(values, list):
        return np.asarray([np.nan if v is None else v for v in values], dtype=float)
    return float("nan") if values is None else float(values)


def apart(
    measured: float, needed: float, digits: int = 6, shown: Callable[[float], str] | None = None
) -> tuple[str, str]:
    """Return two numbers as text with so many digits that different numbers look different.

    Parameters
    ----------
    measured, needed : float
        The numbers.
    digits : int, default=6
        Digits that are tried first.
    shown : callable, optional
        Writes a number in the usual way of the place where it is printed; taken if the two look different.
    """
    usual = shown or (lambda value: numeral(value, f".{digits}g"))
    texts = usual(measured), usual(needed)
    while measured != needed and texts[0] == texts[1] and digits < 17:
        digits += 1
        texts = numeral(measured, f".{digits}g"), numeral(needed, f".{digits}g")
    return texts

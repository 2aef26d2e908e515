"""Which values a column can take: levels by name, or bins of numbers between stated edges."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from fewer.core.records.errors import InputError

# Values of a domain that a message names.
SHOWN = 8


@dataclass(frozen=True)
class Domain:
    """The values that a column can take, as levels 0, 1, ...

    Attributes
    ----------
    levels : tuple
        Values, each a level; empty where there are edges.
    edges : tuple of float
        A number is on level k if k of the edges are at most as large.
    """

    levels: tuple[Any, ...] = ()
    edges: tuple[float, ...] = ()

    def __len__(self) -> int:
        return len(self.edges) + 1 if self.edges else len(self.levels)

    @property
    def texts(self) -> list[str]:
        """What every level is called."""
        if not self.edges:
            return [level if isinstance(level, str) else exact_text(level) for level in self.levels]
        marks = [exact_text(edge) for edge in self.edges]
        between = [f"{low} to below {high}" for low, high in zip(marks, marks[1:])]
        return [f"below {marks[0]}", *between, f"{marks[-1]} or more"]

    def level(self, value: Any) -> int | None:
        """Return the level of a value, given as itself or as text; None if it is outside the domain."""
        if is_missing(value):
            return None
        number = as_number(value)
        if self.edges:
            return None if number is None else int(np.searchsorted(self.edges, number, side="right"))
        text = str(value).strip()
        texts = self.texts
        if text in texts:
            return texts.index(text)
        numbers = [as_number(level) for level in self.levels]
        return numbers.index(number) if number is not None and numbers.count(number) == 1 else None

    @property
    def words(self) -> str:
        """The domain in words, for messages."""
        if self.edges:
            return f"finite numbers, put into bins at {', '.join(map(exact_text, self.edges))}"
        more = len(self.levels) - SHOWN
        return ", ".join(map(repr, self.texts[:SHOWN])) + (f" and {more} more" if more > 0 else "")

    def to_dict(self) -> dict[str, list[Any]]:
        """Return plain lists."""
        return {"edges": list(self.edges)} if self.edges else {"levels": list(self.levels)}

    @classmethod
    def read(cls, where: str, column: str, given: Any) -> Domain:
        """Make a domain of a list of values, or of ``{"edges": [...]}``; raise if it is neither."""
        if isinstance(given, Domain):
            return given
        if isinstance(given, Mapping) and set(given) == {"edges"}:
            edges = [as_number(edge) for edge in _listed(where, column, given["edges"])]
            if not edges or None in edges or any(b <= a for a, b in zip(edges, edges[1:])):  # type: ignore[operator]
                raise InputError(
                    f"{where} got the edges {given['edges']!r} for {column!r}, but edges are finite numbers that rise; "
                    "give for example [10, 20]."
                )
            return cls(edges=tuple(float(edge) for edge in edges if edge is not None))
        if isinstance(given, Mapping) and set(given) == {"levels"}:
            given = given["levels"]
        levels = _listed(where, column, given)
        found = cls(tuple(plain_value(level) for level in levels))
        if not levels or any(is_missing(level) for level in levels) or len(set(found.texts)) < len(levels):
            raise InputError(
                f"{where} got the domain {list(levels)!r} for {column!r}, but a domain lists values, none of them "
                "missing and each once; give such a list."
            )
        return found


def _listed(where: str, column: str, given: Any) -> list[Any]:
    """Return a list of values; text is no list of letters."""
    if isinstance(given, (str, bytes, Mapping)) or not isinstance(given, (Sequence, np.ndarray, set, frozenset, range)):
        raise InputError(
            f"{where} got the domain {given!r} for {column!r}, but takes a list of values, or {{'edges': [...]}} for "
            "numbers in bins; give one of the two."
        )
    return sorted(given, key=str) if isinstance(given, (set, frozenset)) else list(given)


def plain_value(value: Any) -> Any:
    """Return a value as text or as a number of Python."""
    if isinstance(value, (bool, np.bool_)):
        return str(bool(value))
    if isinstance(value, (int, np.integer)):
        return int(value)
    return float(value) if isinstance(value, (float, np.floating)) else str(value)


def exact_text(number: float) -> str:
    """Return a number with as many digits as tell it from every other."""
    return str(int(number)) if float(number).is_integer() and abs(number) < 1e15 else repr(float(number))


def is_missing(value: Any) -> bool:
    """Return whether a value stands for none: None, NaN, NaT, or text without letters."""
    if value is None or (isinstance(value, str) and not value.strip()):
        return True
    # Only what is not a number differs from itself; pandas.NA cannot say.
    try:
        return bool(value != value)
    except TypeError:
        return True


def as_number(value: Any) -> float | None:
    """Return the finite number that a value is or that a text says, if any."""
    if isinstance(value, (bool, np.bool_)):
        return None
    try:
        number = float(value)
    except (TypeError, ValueError):
        return None
    return number if math.isfinite(number) else None

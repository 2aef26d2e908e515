"""What a made data set is, what the right answer to it is, and small helpers that make columns."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

Rng = np.random.Generator
# What is left out where it is found; all other findings are told, and the column stays.
LEFT_OUT = ("constant", "duplicate", "identifier", "date")
TARGET = "target"


@dataclass(frozen=True)
class Answer:
    """What a careful analyst would answer.

    Attributes
    ----------
    keep : tuple of str
        All of these must be kept.
    some, of : int, tuple of str
        At least so many of these must be kept.
    leave : tuple of str
        None of these may be kept.
    noise : tuple of str
        Columns that tell nothing; at most ``noise_kept`` of them may be kept.
    noise_kept : int
        A tenth of the noise, but at least one.
    findings : mapping of str to str
        What is found of single columns, and nothing besides.
    twins : mapping of str to str
        Copies, and the column that each must be said to be redundant to.
    nothing : bool
        Whether nothing may be kept.
    words : tuple of str
        Patterns, each of which must be found in what the result says of itself; letters large or small.
    """

    keep: tuple[str, ...] = ()
    some: int = 0
    of: tuple[str, ...] = ()
    leave: tuple[str, ...] = ()
    noise: tuple[str, ...] = ()
    findings: Mapping[str, str] = field(default_factory=dict)
    twins: Mapping[str, str] = field(default_factory=dict)
    nothing: bool = False
    words: tuple[str, ...] = ()

    @property
    def noise_kept(self) -> int:
        return max(1, min(len(self.noise) // 10, 10))

    @property
    def signals(self) -> tuple[str, ...]:
        return (*self.keep, *self.of)


@dataclass(frozen=True)
class Data:
    """Columns and a target named `TARGET` with their true values, as an analyst would have them in the end.

    ``rows`` is what is said of rows besides (``groups``, ``sample_weight``); ``cv`` the splits of a comparison;
    ``write`` makes files of it in a folder and returns what is passed to the library as X.
    """

    frame: pd.DataFrame
    rows: Mapping[str, Any] = field(default_factory=dict)
    cv: Any = 5
    write: Callable[[Path], Any] | None = None

    @property
    def features(self) -> list[str]:
        return [str(name) for name in self.frame.columns if name != TARGET]


@dataclass(frozen=True)
class Case:
    """A made data set and the right answer; ``honest`` is the answer without the columns that give the target away."""

    make: Callable[[Rng], Data]
    answer: Answer
    honest: Answer | None = None
    runners: tuple[str, ...] = ("memory",)
    seed: int = 0

    @property
    def name(self) -> str:
        return self.make.__name__

    def data(self) -> Data:
        return self.make(np.random.default_rng(self.seed))


def standard(values: Any) -> np.ndarray:
    values = np.asarray(values, dtype=float)
    return (values - values.mean()) / values.std()


def score(rng: Rng, *columns: Any, error: float = 0.3) -> np.ndarray:
    """Return a sum to which all columns add alike, so that none can be spared, and a small error."""
    total = sum(standard(column) for column in columns)
    return total + error * rng.normal(size=len(total))


def halves(values: np.ndarray, names: tuple[Any, Any] = ("no", "yes")) -> np.ndarray:
    """Return two classes of about equal size."""
    return np.where(values > np.median(values), names[1], names[0])


def noise(rng: Rng, rows: int, columns: int = 8, prefix: str = "n") -> dict[str, np.ndarray]:
    """Return columns that have nothing to do with anything: measurements and, every third, small whole numbers."""
    return {f"{prefix}{j}": rng.integers(0, 10, rows) if j % 3 == 2 else rng.normal(size=rows) for j in range(columns)}


def names_of(prefix: str, count: int, start: int = 0) -> tuple[str, ...]:
    return tuple(f"{prefix}{j}" for j in range(start, start + count))


NOISE = names_of("n", 8)

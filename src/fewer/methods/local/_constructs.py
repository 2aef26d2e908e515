"""Features made of others, and the beam search for those that weigh most."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

import numpy as np

from fewer.core.neighbours.relief_pairs import ReliefPairs
from fewer.core.records.errors import InputError
from fewer.core.records.rounding import steady

# Operators of truth values and of numbers, and how they are written.
LOGICAL = {"and": " and ", "or": " or "}
NUMERIC = {"sum": " + ", "product": " * "}
WRITTEN = {**LOGICAL, **NUMERIC}


@dataclass(frozen=True, order=True)
class Part:
    """A number (``level`` None), or the test whether a feature has a level or one of its two values."""

    feature: int
    level: float | None = None

    def values(self, X: np.ndarray) -> np.ndarray:
        """Return the column: numbers, or 1 and 0, NaN where the feature is missing."""
        column = X[:, self.feature]
        if self.level is None:
            return column
        return np.where(np.isnan(column), np.nan, (column == self.level).astype(np.float64))

    def name(self, names: Sequence[str], labels: dict[int, np.ndarray]) -> str:
        """Return the name of a feature, or what is asked of it."""
        name = str(names[self.feature])
        if any(sign in name for sign in WRITTEN.values()):
            # Else a column "a * b" times c would have the name of a times b times c.
            name = f"({name})"
        if self.level is None:
            return name
        if self.feature in labels:
            return f"{name}={labels[self.feature][int(self.level)]}"
        return f"{name}={self.level:g}" if float(f"{self.level:g}") == self.level else f"{name}={self.level!r}"


@dataclass(frozen=True)
class Construct:
    """Parts, in the order of their features, joined by one operator."""

    operator: str
    parts: tuple[Part, ...]

    def values(self, X: np.ndarray) -> np.ndarray:
        """Return the column; a missing part leaves a result that does not depend on it, and NaN otherwise."""
        columns = np.stack([part.values(X) for part in self.parts])
        missing = np.isnan(columns).any(axis=0)
        if self.operator in LOGICAL:
            # One false part settles a conjunction, one true part a disjunction.
            settling = 0.0 if self.operator == "and" else 1.0
            settled = (columns == settling).any(axis=0)
            return np.where(settled, settling, np.where(missing, np.nan, 1.0 - settling))
        with np.errstate(over="ignore", invalid="ignore"):
            return columns.sum(axis=0) if self.operator == "sum" else columns.prod(axis=0)

    def name(self, names: Sequence[str], labels: dict[int, np.ndarray]) -> str:
        """Return how it is written."""
        return WRITTEN[self.operator].join(part.name(names, labels) for part in self.parts)

    def with_part(self, part: Part) -> Construct | None:
        """Return the construct with one more part, or None where that makes no sense."""
        if part in self.parts or (self.operator != "or" and part.feature in {p.feature for p in self.parts}):
            return None
        return Construct(self.operator, tuple(sorted((*self.parts, part), key=_place)))


def _place(part: Part) -> tuple[int, float]:
    return part.feature, -np.inf if part.level is None else part.level


def parts_of(X: np.ndarray, nominal: np.ndarray, seeds: Iterable[int]) -> tuple[list[Part], list[Part]]:
    """Return the tests and the numbers that features offer; a number of two values offers both."""
    tests, numbers = [], []
    for j in seeds:
        column = X[:, j]
        values = np.unique(column[~np.isnan(column)])
        if nominal[j] or len(values) == 2:
            tests += [Part(j, float(v)) for v in values]
        if not nominal[j] and len(values) > 1:
            numbers.append(Part(j))
    return tests, numbers


def as_operators(given: Any) -> list[str]:
    """Return the operators, each once."""
    known = [given] if isinstance(given, str) else list(given)
    if not known or not set(known) <= set(WRITTEN):
        raise InputError(
            f"ReliefConstructs got operators={given!r}, but takes some of {', '.join(WRITTEN)}; give, for example, "
            "('and', 'product')."
        )
    return [operator for operator in WRITTEN if operator in known]


class ConstructSearch:
    """Evaluates constructs on fixed pairs of near rows and keeps one of those that say the same.

    Parameters
    ----------
    X : ndarray of shape (n_rows, n_features)
        Numbers and level numbers, NaN where missing.
    pairs : ReliefPairs
        Near rows, by the distance of the given features.
    """

    def __init__(self, X: np.ndarray, pairs: ReliefPairs) -> None:
        self.X = X
        self.pairs = pairs
        self.seen: set[bytes] = set()

    def weigh(self, column: np.ndarray, logical: bool) -> float:
        """Return the weight of a column."""
        return self.pairs.of_levels(column) if logical else self.pairs.of_numbers(column)

    def know(self, column: np.ndarray) -> bool:
        """Return whether a column says something new, and remember it."""
        key = _key(column)
        if key is None or key in self.seen:
            return False
        self.seen.add(key)
        return True

    def run(
        self, operator: str, parts: Sequence[Part], beam_width: int, max_size: int
    ) -> list[tuple[float, Construct]]:
        """Return what a beam search finds: weights and constructs of two parts or more."""
        logical, found = operator in LOGICAL, []
        weights = [self.weigh(part.values(self.X), logical) for part in parts]
        beam = [Construct(operator, (parts[i],)) for i in _best(weights, beam_width)]
        for _ in range(1, max_size):
            grown: dict[Construct, float] = {}
            for construct in beam:
                for part in parts:
                    new = construct.with_part(part)
                    if new is None or new in grown:
                        continue
                    column = new.values(self.X)
                    if self.know(column):
                        grown[new] = self.weigh(column, logical)
            beam = [list(grown)[i] for i in _best(list(grown.values()), beam_width)]
            found += [(grown[construct], construct) for construct in beam]
        return found


def _best(weights: Sequence[float], most: int) -> Any:
    """Return the places of the largest weights, best first, of equal ones the first."""
    return np.argsort(-steady(np.array(weights, dtype=np.float64)), kind="stable")[:most].tolist()


def _key(column: np.ndarray) -> bytes | None:
    """Return what columns share that differ by origin, unit or, with two values, by their names; None for constants."""
    known = ~np.isnan(column)
    if not known.any() or not np.isfinite(column[known]).all():
        return None
    low, high = column[known].min(), column[known].max()
    if low == high:
        return None
    half = 0.5 * high - 0.5 * low
    scaled = np.round((0.5 * column - 0.5 * low) / half, 12)
    if np.isin(scaled[known], (0.0, 1.0)).all() and scaled[known][0] == 1.0:
        scaled = 1.0 - scaled
    return blake2b(scaled.tobytes(), digest_size=16).digest()

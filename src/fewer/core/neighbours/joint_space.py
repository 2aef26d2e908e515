"""Rows whose features are measured in several ways: levels and few-valued numbers by bits, the rest as numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fewer.core.neighbours.spaces import Space


@dataclass(frozen=True, eq=False)
class SpacePart:
    """Some of the features as a space of their own.

    Attributes
    ----------
    space : Space
        The rows, seen through these features.
    owner : ndarray of int
        The feature that each feature of ``space`` belongs to; several may belong to one.
    factor : float
        What a difference counts.
    """

    space: Space
    owner: np.ndarray
    factor: float = 1.0


@dataclass(frozen=True, eq=False)
class JointSpace(Space):
    """Rows with the sum of the distances of their parts."""

    parts: tuple[SpacePart, ...]
    n_own: int

    @property
    def error(self) -> float:  # type: ignore[override]
        """How far the distances of a tile may be off."""
        return sum(part.factor * part.space.error for part in self.parts)

    @property
    def grid(self) -> float:  # type: ignore[override]
        """Distances are multiples of 1 / grid."""
        return min(part.space.grid for part in self.parts)

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return self.parts[0].space.n_rows

    @property
    def n_features(self) -> int:
        """Number of features."""
        return self.n_own

    def take(self, rows: np.ndarray) -> JointSpace:
        """Return chosen rows as queries."""
        return replace(self, parts=tuple(replace(part, space=part.space.take(rows)) for part in self.parts))

    def tile(self, queries: JointSpace, start: int, stop: int, first: int, last: int) -> np.ndarray:
        """Return the distances of a tile of pairs."""
        found = self._distances(queries, lambda space, other: space.tile(other, start, stop, first, last))
        # What may be off is not rounded, so that rounding cannot add to it.
        return found if self.error > 0.0 else self.on_grid(found)

    def exact(self, queries: JointSpace, rows: np.ndarray, others: np.ndarray) -> np.ndarray:
        """Return the distance of every pair."""
        return self.on_grid(self._distances(queries, lambda space, other: space.exact(other, rows, others)))

    def add_pairs(
        self, queries: JointSpace, rows: np.ndarray, starts: np.ndarray, others: np.ndarray, weights: np.ndarray
    ) -> np.ndarray:
        """Return the weighted sums of differences of chosen pairs."""
        sums = np.zeros(self.n_own)
        for part, other in zip(self.parts, queries.parts):
            self.give(sums, part, part.space.add_pairs(other.space, rows, starts, others, weights))
        return sums

    def add_tile(self, queries: JointSpace, start: int, stop: int, first: int, weights: np.ndarray) -> np.ndarray:
        """Return the weighted sums of differences of a tile."""
        sums = np.zeros(self.n_own)
        for part, other in zip(self.parts, queries.parts):
            self.give(sums, part, part.space.add_tile(other.space, start, stop, first, weights))
        return sums

    def mean_distance(self) -> float | None:
        """Return the mean distance of all pairs of rows, if all parts know theirs."""
        means = [part.space.mean_distance() for part in self.parts]
        return sum(p.factor * m for p, m in zip(self.parts, means) if m is not None) if None not in means else None

    def give(self, sums: np.ndarray, part: SpacePart, found: np.ndarray) -> None:
        """Add the sums of the features of a part to those of the features that they belong to."""
        sums += np.bincount(part.owner, part.factor * found, minlength=self.n_own)

    def _distances(self, queries: JointSpace, measure: Callable[[Any, Any], np.ndarray]) -> np.ndarray:
        pairs = zip(self.parts, queries.parts)
        return np.asarray(sum(part.factor * measure(part.space, other.space) for part, other in pairs))

"""Rows between which distances come in tiles: all that a search for the nearest needs to know."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np


class TiledRows(ABC):
    """Rows with a distance.

    Distances come in tiles and may be off by at most ``error``; `exact` gives those of single pairs. Where ``error``
    is 0, tiles are exact.
    """

    error: float

    @property
    @abstractmethod
    def n_rows(self) -> int:
        """Number of rows."""

    @property
    @abstractmethod
    def n_features(self) -> int:
        """Number of features."""

    @abstractmethod
    def take(self, rows: np.ndarray) -> TiledRows:
        """Return chosen rows as queries."""

    @abstractmethod
    def tile(self, queries: Any, start: int, stop: int, first: int, last: int) -> np.ndarray:
        """Return the distances of the rows ``start:stop`` of ``queries`` from the own rows ``first:last``, float64."""

    @abstractmethod
    def exact(self, queries: Any, rows: np.ndarray, others: np.ndarray) -> np.ndarray:
        """Return the distance of every pair of a row of ``queries`` and an own row."""

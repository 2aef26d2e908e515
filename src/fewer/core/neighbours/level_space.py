"""The space of rows whose features are levels, or have two values: a difference is 0 or 1, and bits hold it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from fewer.core.kernels import bits, level_planes
from fewer.core.neighbours.spaces import GRID, Space

# Beyond so many levels a feature has too many planes.
MOST_LEVELS = 16


@dataclass(frozen=True, eq=False)
class LevelSpace(Space):
    """Rows of levels, which differ by the number of features in which they have different ones.

    Attributes
    ----------
    columns : ndarray of uint8 of shape (n_features, n_rows)
        Level numbers, feature by feature; those with more places of binary numbers stand first.
    planes : ndarray of uint64 of shape (n_rows, n_words)
        The same numbers as bits, row by row, see `level_planes.pack_rows`.
    ends : ndarray of int
        Where the words of each place begin.
    levels : ndarray of int of shape (n_features,)
        Number of levels of every feature.
    order : ndarray of int of shape (n_features,)
        The feature that stands at each place.
    """

    columns: np.ndarray
    planes: np.ndarray
    ends: np.ndarray
    levels: np.ndarray
    order: np.ndarray
    error: float = 0.0
    grid: float = GRID

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return int(self.columns.shape[1])

    @property
    def n_features(self) -> int:
        """Number of features."""
        return len(self.levels)

    @cached_property
    def rows(self) -> np.ndarray:
        """Level numbers row by row, for single pairs."""
        return np.ascontiguousarray(self.columns.T)

    def take(self, rows: np.ndarray) -> LevelSpace:
        """Return chosen rows as queries."""
        return replace(self, columns=np.ascontiguousarray(self.columns[:, rows]), planes=self.planes[rows])

    def tile(self, queries: LevelSpace, start: int, stop: int, first: int, last: int) -> np.ndarray:
        """Return the distances of a tile of pairs."""
        out = np.empty((stop - start, last - first))
        level_planes.differing_tile(queries.planes[start:stop], self.planes[first:last], self.ends, out)
        return out

    def exact(self, queries: LevelSpace, rows: np.ndarray, others: np.ndarray) -> np.ndarray:
        """Return the distance of every pair, which tiles give exactly, too."""
        tiles = (self.tile(queries, i, i + 1, j, j + 1)[0, 0] for i, j in zip(rows.tolist(), others.tolist()))
        return np.fromiter(tiles, float, len(rows))

    def add_pairs(
        self, queries: LevelSpace, rows: np.ndarray, starts: np.ndarray, others: np.ndarray, weights: np.ndarray
    ) -> np.ndarray:
        """Return the weighted sums of differences of chosen pairs."""
        sums = np.zeros(self.n_features)
        level_planes.add_differing_pairs(queries.rows, self.rows, rows, starts, others, weights, sums)
        return self.in_order(sums)

    def add_tile(self, queries: LevelSpace, start: int, stop: int, first: int, weights: np.ndarray) -> np.ndarray:
        """Return the weighted sums of differences of a tile."""
        at, others = np.nonzero(weights)
        starts = np.searchsorted(at, np.arange(stop - start + 1))
        return self.add_pairs(queries, np.arange(start, stop), starts, others + first, weights[at, others])

    def mean_distance(self) -> float:
        """Return the mean distance of all pairs of rows, from how often each level comes."""
        n = self.n_rows
        alike = sum(float((np.bincount(column).astype(np.float64) ** 2).sum()) for column in self.columns)
        return (self.n_features * float(n) ** 2 - alike) / (n * (n - 1.0))

    def agreements(self, places: RowPlaces, marked: list[Any], first: int, last: int) -> np.ndarray:
        """Return what marked rows of equal levels count, of the features at ``first`` to ``last``.

        What is marked has ``start``, the first of the rows that ask, their ``masks``, and ``values`` of every class.
        """
        starts = np.concatenate([[0], np.cumsum(self.levels[first:last])])
        # No row has this level, which no plane holds.
        upright = np.full((last - first, places.n_bits), MOST_LEVELS, np.uint8)
        upright[:, places.of_row] = self.columns[first:last]
        planes = np.zeros((starts[-1], places.n_bits // 64), np.uint64)
        bits.pack_planes(upright, starts, 0, last - first, planes)
        columns, sums = self.columns[first:last], np.zeros(last - first)
        for side in marked:
            level_planes.add_agreements(columns, side.start, planes, starts, side.masks, side.values, places.ends, sums)
        return sums

    def in_order(self, sums: np.ndarray) -> np.ndarray:
        """Return numbers of features in the order in which the features were given."""
        out = np.empty_like(sums)
        out[self.order] = sums
        return out


@dataclass(frozen=True, eq=False)
class RowPlaces:
    """Rows in the order of their classes, each class beginning a word of bits.

    Attributes
    ----------
    of_row : ndarray of int of shape (n_rows,)
        The bit of every row.
    ends : ndarray of int of shape (n_classes + 1,)
        The words of every class.
    """

    of_row: np.ndarray
    ends: np.ndarray

    @property
    def n_bits(self) -> int:
        """Number of bits of a plane."""
        return int(self.ends[-1]) * 64

    @classmethod
    def by_class(cls, y: np.ndarray, n_classes: int) -> RowPlaces:
        """Return the places of rows with class numbers."""
        sizes = np.bincount(y, minlength=n_classes)
        ends = np.concatenate([[0], np.cumsum(-(-sizes // 64))])
        before = np.concatenate([[0], np.cumsum(sizes)])[:-1]
        of_row, order = np.empty(len(y), np.int64), np.argsort(y, kind="stable")
        of_row[order] = np.arange(len(y)) - before[y[order]] + 64 * ends[y[order]]
        return cls(of_row, ends)


def level_space(columns: np.ndarray, levels: np.ndarray) -> LevelSpace:
    """Return rows of levels as a space.

    Parameters
    ----------
    columns : ndarray of uint8 of shape (n_features, n_rows)
        Level numbers from 0.
    levels : ndarray of int of shape (n_features,)
        Number of levels of every feature, at most `MOST_LEVELS`.
    """
    places = np.maximum(np.ceil(np.log2(np.maximum(levels, 2))), 1).astype(np.int64)
    order = np.argsort(-places, kind="stable")
    # A copy of all columns is spared where they stand in order.
    columns = columns if (np.diff(order) > 0).all() else columns[order]
    places = places[order]
    widths = [-(-int((places > b).sum()) // 64) for b in range(int(places.max(initial=1)))]
    ends = np.concatenate([[0], np.cumsum(widths)]).astype(np.int64)
    planes = np.zeros((columns.shape[1], ends[-1]), np.uint64)
    level_planes.pack_rows(columns, ends, planes)
    return LevelSpace(columns, planes, ends, np.asarray(levels, np.int64)[order], order)

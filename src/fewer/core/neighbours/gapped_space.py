"""The space of rows of levels of which some are missing: bits hold the levels, and a list holds what is missing."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fewer.core.kernels import bits, gapped_planes
from fewer.core.neighbours.level_space import LevelSpace, RowPlaces, level_space
from fewer.core.neighbours.spaces import GRID, Space

# The code of a missing value, before classes are told apart.
GAP = 255
# Codes of levels, one of missing values for every class, and that of no row fit into a byte, and levels with a missing
# one into as many planes as are packed at once.
MOST_GAPPED_LEVELS, MOST_CLASSES = 15, 200
FEATURES_AT_ONCE = 4096


@dataclass(frozen=True, eq=False)
class GappedSpace(Space):
    """Rows of levels, where a missing one differs by the mean over the known ones of the class of its row.

    Attributes
    ----------
    levels : LevelSpace
        The rows; a missing value is level 0 in its planes, and ``known`` + class in its columns.
    label : ndarray of int of shape (n_rows,)
        The class of every row.
    ends, gaps : ndarray of int
        The features that row i misses, at their places in ``levels``: ``gaps[ends[i]:ends[i + 1]]``.
    known : int
        Codes below are levels.
    means : ndarray of shape (n_features, n_classes, known + n_classes)
        Mean difference of every code from the known levels of a class.
    """

    levels: LevelSpace
    label: np.ndarray
    ends: np.ndarray
    gaps: np.ndarray
    known: int
    means: np.ndarray
    error: float = 0.0
    grid: float = GRID

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return self.levels.n_rows

    @property
    def n_features(self) -> int:
        """Number of features."""
        return self.levels.n_features

    def take(self, rows: np.ndarray) -> GappedSpace:
        """Return chosen rows as queries."""
        sizes = np.diff(self.ends)[rows]
        ends = np.concatenate([[0], np.cumsum(sizes)])
        # The place of every entry in the list of its row, and where that begins.
        gaps = self.gaps[np.arange(ends[-1]) + np.repeat(self.ends[:-1][rows] - ends[:-1], sizes)]
        return replace(self, levels=self.levels.take(rows), label=self.label[rows], ends=ends, gaps=gaps)

    def tile(self, queries: GappedSpace, start: int, stop: int, first: int, last: int) -> np.ndarray:
        """Return the distances of a tile of pairs."""
        out = self.levels.tile(queries.levels, start, stop, first, last)
        back, rules = np.zeros((last - first, stop - start)), (self.known, self.means)
        mine, theirs = (self.ends, self.gaps, self.label), (queries.ends, queries.gaps, queries.label)
        gapped_planes.add_gaps(*theirs, start, stop, self.levels.columns, first, last, *rules, True, out)
        gapped_planes.add_gaps(*mine, first, last, queries.levels.columns, start, stop, *rules, False, back)
        out += back.T
        return out

    def exact(self, queries: GappedSpace, rows: np.ndarray, others: np.ndarray) -> np.ndarray:
        """Return the distance of every pair, which tiles give exactly, too."""
        tiles = (self.tile(queries, i, i + 1, j, j + 1)[0, 0] for i, j in zip(rows.tolist(), others.tolist()))
        return np.fromiter(tiles, float, len(rows))

    def add_pairs(
        self, queries: GappedSpace, rows: np.ndarray, starts: np.ndarray, others: np.ndarray, weights: np.ndarray
    ) -> np.ndarray:
        """Return the weighted sums of differences of chosen pairs."""
        sums = np.zeros(self.n_features)
        left = queries.levels.rows, queries.label, queries.ends, queries.gaps
        right = self.levels.rows, self.label, self.ends, self.gaps
        rules = self.known, self.means
        gapped_planes.add_gap_pairs(*left, *right, *rules, rows, starts, others, weights, sums)
        return self.levels.add_pairs(queries.levels, rows, starts, others, weights) + self.levels.in_order(sums)

    def add_tile(self, queries: GappedSpace, start: int, stop: int, first: int, weights: np.ndarray) -> np.ndarray:
        """Return the weighted sums of differences of a tile."""
        at, others = np.nonzero(weights)
        starts = np.searchsorted(at, np.arange(stop - start + 1))
        return self.add_pairs(queries, np.arange(start, stop), starts, others + first, weights[at, others])

    def agreements(self, places: RowPlaces, marked: list[Any], first: int, last: int) -> np.ndarray:
        """Return what marked rows count, times one less their difference, of the features at ``first`` to ``last``."""
        codes, levels = self.levels.columns[first:last], self.levels.levels[first:last]
        starts = np.concatenate([[0], np.cumsum(levels + 1)])
        upright = np.full((last - first, places.n_bits), GAP, np.uint8)
        upright[:, places.of_row] = np.where(codes < self.known, codes, levels[:, None].astype(np.uint8))
        planes = np.zeros((starts[-1], places.n_bits // 64), np.uint64)
        bits.pack_planes(upright, starts, 0, last - first, planes)
        sums, rules = np.zeros(last - first), (self.known, self.means[first:last])
        for side in marked:
            gapped_planes.add_likeness(
                codes, side.start, levels, planes, starts, *rules, side.masks, side.values, places.ends, sums
            )
        return sums

    def in_order(self, sums: np.ndarray) -> np.ndarray:
        """Return numbers of features in the order in which the features were given."""
        return self.levels.in_order(sums)


def gapped_space(columns: np.ndarray, levels: np.ndarray, label: np.ndarray, squared: bool) -> GappedSpace:
    """Return rows of levels as a space.

    Parameters
    ----------
    columns : ndarray of uint8 of shape (n_features, n_rows)
        Level numbers from 0, `GAP` where the value is missing; every feature has a known one.
    levels : ndarray of int of shape (n_features,)
        Number of levels of every feature, at most `MOST_GAPPED_LEVELS`.
    label : ndarray of int of shape (n_rows,)
        Class numbers, fewer than `MOST_CLASSES`; zeros for one class.
    squared : bool
        Whether differences are squared; 0 and 1 are their own squares, mean differences are not.
    """
    missing = columns == GAP
    space = level_space(np.where(missing, np.uint8(0), columns), levels)
    known, label = int(np.max(levels)), np.ascontiguousarray(label, np.int64)
    codes = np.where(missing, (known + label).astype(np.uint8), columns)[space.order]
    row, gaps = np.nonzero(missing[space.order].T)
    ends = np.searchsorted(row, np.arange(columns.shape[1] + 1))
    n_classes = int(label.max(initial=0)) + 1
    means = np.empty((len(levels), n_classes, known + n_classes))
    for first in range(0, len(levels), FEATURES_AT_ONCE):
        some = slice(first, first + FEATURES_AT_ONCE)
        means[some] = _mean_differences(codes[some], label, n_classes, known)
    # Where a level is absent from a feature its entry is 1 and is never read.
    return GappedSpace(
        replace(space, columns=codes), label, ends, gaps.astype(np.int64), known, means**2 if squared else means
    )


def _mean_differences(codes: np.ndarray, label: np.ndarray, n_classes: int, known: int) -> np.ndarray:
    """Return how much codes differ on average from the known levels of every class, of all rows if it has none."""
    counts = np.zeros((len(codes), n_classes, known), np.int64)
    gapped_planes.count_levels(codes, label, counts)
    counts = np.where(counts.sum(axis=2, keepdims=True) > 0, counts, counts.sum(axis=1, keepdims=True))
    sizes = counts.sum(axis=2, keepdims=True)
    differing = (sizes - counts) / sizes
    pairs = sizes * sizes[:, None, :, 0]
    return np.concatenate([differing, (pairs - counts @ counts.transpose(0, 2, 1)) / pairs], axis=2)

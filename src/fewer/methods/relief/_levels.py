"""Columns as ordered levels, and rows of levels as places whose distances are exact."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fewer.core.discretize.named import EqualFrequency
from fewer.core.records.numerals import numerals
from fewer.core.views.view import View

# Divisible by 1 to 22, so that steps of up to 23 levels are exact, and fine enough for any number of levels.
WHOLE = 232_792_560 * 4096
COLUMNS_PER_TASK = 16


@dataclass(frozen=True, eq=False)
class Levels:
    """Every feature as ordered levels.

    Attributes
    ----------
    numbers : ndarray of int16, shape (n_rows, n_features)
        Level numbers from 0, -1 where the value is missing.
    offsets : ndarray of int64, shape (n_features + 1,)
        The levels of feature j have the numbers ``offsets[j]`` to ``offsets[j + 1]`` in lists of all levels.
    labels : list of str
        What each level stands for.
    rows : ndarray of int64
        Number of rows of each level.
    """

    numbers: np.ndarray
    offsets: np.ndarray
    labels: list[str]
    rows: np.ndarray

    @property
    def n_levels(self) -> np.ndarray:
        """Levels per feature, 0 where all values are missing."""
        return np.diff(self.offsets)

    @property
    def any_missing(self) -> bool:
        """Whether any value is missing."""
        return int(self.rows.sum()) < self.numbers.size

    def places(self) -> np.ndarray:
        """Return the levels on scales of equal length, as whole numbers: |i - j| / (levels - 1) times a constant."""
        units = np.where(self.n_levels > 1, np.round(WHOLE / np.maximum(self.n_levels - 1, 1)), 0).astype(np.int64)
        # Small numbers make fast distances; the means that stand for missing values need a fine scale.
        if not self.any_missing:
            units //= max(1, int(np.gcd.reduce(units)))
        small = int(np.max(units * self.n_levels, initial=0)) < 2**31
        places = self.numbers * units.astype(np.int32 if small else np.int64)
        places[self.numbers < 0] = -1
        return places

    def expected(self, places: np.ndarray) -> np.ndarray:
        """Return for every value its mean distance from the values of its feature, for a missing one that of two."""
        out = np.zeros(places.shape, np.int64)
        for j in np.flatnonzero((self.numbers < 0).any(axis=0)):
            counts = self.rows[self.offsets[j] : self.offsets[j + 1]]
            if not len(counts):
                continue
            unit = int(places[:, j].max()) // max(1, len(counts) - 1)
            steps = np.arange(len(counts))
            mean = unit * (np.abs(steps[:, None] - steps) @ counts) / counts.sum()
            by_level = np.append(mean, mean @ counts / counts.sum())
            # The number of a missing value, -1, picks the last entry.
            out[:, j] = np.round(by_level)[self.numbers[:, j]].astype(np.int64)
        return out


def ordered_levels(data: View, bins: int) -> Levels:
    """Return each value as a level of its own where a column has at most ``bins``, else levels of equal frequency."""
    X, d = data.whole().X, data.n_features
    cuts = EqualFrequency(bins).cuts(data)
    codes, _ = cuts.encode(X, run=data.run)
    numbers = np.where(codes < cuts.n_levels, codes.astype(np.int16), np.int16(-1))

    def work(start: int, stop: int) -> list[list[str]]:
        return [_labels(X[:, j], numbers[:, j], cuts.of(j)) for j in range(start, stop)]

    labels = [one for part in data.run.scan(work, d, COLUMNS_PER_TASK) for one in part]
    offsets = np.concatenate([[0], np.cumsum([len(one) for one in labels])]).astype(np.int64)
    rows = [np.bincount(numbers[:, j][numbers[:, j] >= 0], minlength=len(labels[j])) for j in range(d)]
    return Levels(numbers, offsets, [label for one in labels for label in one], np.concatenate(rows).astype(np.int64))


def _labels(column: np.ndarray, numbers: np.ndarray, edges: np.ndarray) -> list[str]:
    """Return what the levels of a column stand for: a value each, or intervals; nothing if all are missing."""
    present = numbers >= 0
    if not present.any():
        return []
    values = column[present].astype(np.float64)
    # An edge is the largest value of its level, so a level of one value holds nothing else.
    largest = np.append(edges, values.max())
    if np.array_equal(values, largest[numbers[present]]):
        return numerals(largest)
    words = numerals(edges, 4)
    inner = [f"({a}, {b}]" for a, b in zip(words[:-1], words[1:])]
    return [f"≤ {words[0]}", *inner, f"> {words[-1]}"]

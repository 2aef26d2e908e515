"""What one pass over the rows tells of every column, on any runner."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fewer.core.kernels import column_facts
from fewer.core.records.sized import Sized
from fewer.core.summaries.summary import Summary

WORD = 2**64
# What there is one of for every column.
PER_COLUMN = ("ranges", "steps", "sums", "prints", "low", "high")


@dataclass(frozen=True, eq=False)
class Looks(Sized):
    """What was seen of the columns of some rows; every array has one row per feature.

    Attributes
    ----------
    ranges : ndarray of shape (n_features, 4)
        Smallest, largest, first and last value, missing ones aside.
    steps : ndarray of int of shape (n_features, 4)
        How many values are missing, how many are not whole, and in how many rows the value is larger and smaller
        than in the row before.
    sums : ndarray of shape (n_features, 3)
        Sums of x, of x^2 and of row number times x, where x is measured from the first value.
    prints : ndarray of uint64 of shape (n_features, 2)
        Fingerprints: columns with the same values in the same rows have the same.
    low, high : ndarray of shape (n_features, n_classes)
        The range in every class.
    sizes : tuple of ndarray
        For each row block in order, how many rows each class has; all rows are one class where there are none. Rows
        of no known class are counted last.
    numbers : bool
        Whether the target is a number.
    """

    ranges: np.ndarray
    steps: np.ndarray
    sums: np.ndarray
    prints: np.ndarray
    low: np.ndarray
    high: np.ndarray
    sizes: tuple[np.ndarray, ...]
    numbers: bool = False

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return int(sum(size.sum() for size in self.sizes))

    @property
    def missing(self) -> np.ndarray:
        """How many values of every column are missing."""
        return self.steps[:, 0]

    @property
    def constant(self) -> np.ndarray:
        """Which columns have one value in all rows, or none at all."""
        low, high = self.ranges[:, 0], self.ranges[:, 1]
        return (self.missing == self.n_rows) | ((low == high) & (self.missing == 0))

    @property
    def whole(self) -> np.ndarray:
        """Which columns hold whole numbers only."""
        return (self.steps[:, 1] == 0) & (self.missing < self.n_rows)

    @property
    def with_rows(self) -> np.ndarray:
        """Correlation of every column with the row number; 0 where values are missing."""
        n = float(self.n_rows)
        x, xx, ix = self.sums.T
        mean = (n - 1) / 2
        # Squares of huge numbers overflow; whole numbers that are told apart have none.
        with np.errstate(over="ignore", invalid="ignore"):
            spread = np.sqrt(np.maximum(xx - x * x / n, 0.0) * (n * (n * n - 1) / 12))
        usable = (self.missing == 0) & (spread > 0) & np.isfinite(spread)
        return np.where(usable, (ix - mean * x) / np.where(usable, spread, 1.0), 0.0)


@dataclass(frozen=True)
class ColumnLook(Summary[Looks]):
    """One look at every column of dense or sparse rows."""

    n_classes: int = 0
    words = "looking at the columns"

    def bytes_per_feature(self, block: Any) -> int:
        """Bound the tile by the copy of its columns, so that it stays near the processor."""
        return 64 * int(block.n_rows)

    def tile(self, block: Any, start: int, stop: int) -> Looks:
        """Look at the columns ``start`` to ``stop``."""
        d, n, k = stop - start, block.n_rows, self.n_classes
        y = np.asarray(block.y, np.int64) if k else np.empty(0, np.int64)
        sizes = np.bincount(np.where(y < 0, k, y), minlength=k + 1) if k else np.array([n])
        # Records of event and time are no numbers.
        numbers = not k and block.y is not None and block.y.ndim == 1 and block.y.dtype.names is None
        ranges = np.tile([np.inf, -np.inf, np.nan, np.nan], (d, 1))
        steps, sums, prints = np.zeros((d, 4), np.int64), np.zeros((d, 3)), np.zeros((d, 2), np.uint64)
        low, high = np.full((d, k), np.inf), np.full((d, k), -np.inf)
        if block.kind == "sparse":
            X = block.X
            data = X.data.astype(np.float64)
            column_facts.look_sparse(
                X.indptr, X.indices, data, data.view(np.uint64), start, stop, y, sizes, _powers(n), ranges, steps,
                sums, prints, low, high,
            )  # fmt: skip
        else:
            # Adding 0 makes one of the two zeros of floating point.
            columns = np.array(block.X[:, start:stop].T, dtype=np.float64, order="C") + 0.0
            column_facts.look_dense(
                columns, columns.view(np.uint64), y, ranges, steps, sums, prints, low, high
            )  # fmt: skip
        return Looks(ranges, steps, sums, prints, low, high, (sizes,), numbers)

    def join(self, parts: list[Looks]) -> Looks:
        """Put the columns side by side."""
        joined: dict[str, Any] = {name: np.concatenate([getattr(part, name) for part in parts]) for name in PER_COLUMN}
        return replace(parts[0], **joined)

    def merge(self, first: Looks, second: Looks) -> Looks:
        """Put the rows of the second after those of the first."""
        one, other = first.ranges, second.ranges
        with np.errstate(invalid="ignore"):
            # Comparisons with NaN, of a block without values, are false.
            turn = np.column_stack([other[:, 2] > one[:, 3], other[:, 2] < one[:, 3]])
        steps = first.steps + second.steps
        steps[:, 2:] += turn
        empty = np.isnan(one[:, 2])
        ends = np.column_stack(
            [np.where(empty, other[:, 2], one[:, 2]), np.where(np.isnan(other[:, 3]), one[:, 3], other[:, 3])]
        )
        extent = np.column_stack([np.minimum(one[:, 0], other[:, 0]), np.maximum(one[:, 1], other[:, 1])])
        rows = second.n_rows
        bases = np.array([pow(base, rows, WORD) for base in column_facts.BASES], np.uint64)
        return Looks(
            np.column_stack([extent, ends]),
            steps,
            _shifted(first, second),
            first.prints * bases + second.prints,
            np.minimum(first.low, second.low),
            np.maximum(first.high, second.high),
            first.sizes + second.sizes,
            first.numbers,
        )


def _shifted(first: Looks, second: Looks) -> np.ndarray:
    """Return the sums of both, measured from the first value of the first, with row numbers that go on."""
    rows, more = float(first.n_rows), float(second.n_rows)
    x, xx, ix = second.sums.T
    numbers = more * (more - 1) / 2
    # Only columns without missing values are asked for their sums; those of others, and of huge values, may be NaN.
    with np.errstate(over="ignore", invalid="ignore"):
        move = second.ranges[:, 2] - first.ranges[:, 2]
        moved_x, moved_ix = x + more * move, ix + numbers * move
        return first.sums + np.column_stack([moved_x, xx + move * (2 * x + more * move), moved_ix + rows * moved_x])


def _powers(n: int) -> np.ndarray:
    """Return the powers 0 to n - 1 of both bases, modulo 2^64."""
    out = np.ones((2, max(n, 1)), np.uint64)
    for k, base in enumerate(column_facts.BASES):
        out[k, 1:] = np.uint64(base)
        np.multiply.accumulate(out[k], out=out[k])
    return out

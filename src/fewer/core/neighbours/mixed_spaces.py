"""The space of rows with nominal columns, ramps or missing values."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from fewer.core.kernels import mixed
from fewer.core.neighbours.spaces import GRID, LANES, ROWS_AT_ONCE, Space

# A ramp without width would need an infinite slope.
LEAST_WIDTH = 1e-9


@dataclass(frozen=True, eq=False)
class MixedColumns:
    """Some of the features: their numbers, their values by rows, and where their ramps begin and how steep they are."""

    which: np.ndarray
    values: np.ndarray
    low: np.ndarray
    slope: np.ndarray


@dataclass(frozen=True, eq=False)
class MixedSpace(Space):
    """Rows whose features are numbers, numbers on a ramp or levels, and may be missing.

    Attributes
    ----------
    complete, incomplete : MixedColumns
        The features without and with missing values.
    label : ndarray of int of shape (n_rows,)
        The class of each row, whose values a missing one is thought to take.
    expected : ndarray of shape (n_classes, n_rows, n_incomplete)
        Mean difference of a row's value from the known values of a class.
    both : ndarray of shape (n_classes, n_classes, n_incomplete)
        Mean difference of the known values of two classes.
    squared : True or None
        Whether differences, also mean ones, are squared before they are added; None for no.
    """

    complete: MixedColumns
    incomplete: MixedColumns
    label: np.ndarray
    expected: np.ndarray
    both: np.ndarray
    squared: bool | None = None
    error: float = 0.0
    grid: float = GRID

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.label)

    @property
    def n_features(self) -> int:
        """Number of features."""
        return len(self.complete.which) + len(self.incomplete.which)

    def take(self, rows: np.ndarray) -> MixedSpace:
        """Return chosen rows as queries."""
        return replace(
            self,
            complete=replace(self.complete, values=self.complete.values[rows]),
            incomplete=replace(self.incomplete, values=self.incomplete.values[rows]),
            label=self.label[rows],
            expected=np.ascontiguousarray(self.expected[:, rows]),
        )

    def tile(self, queries: MixedSpace, start: int, stop: int, first: int, last: int) -> np.ndarray:
        """Return the distances of a tile of pairs."""
        out = np.zeros((stop - start, last - first))
        own, part = self.complete, self.incomplete
        mixed.add_ramp_tile(
            queries.complete.values[start:stop], own.values[first:last], own.low, own.slope, self.squared, out
        )
        if len(part.which):
            mixed.add_missing_tile(
                queries.incomplete.values, part.values, start, first, queries.label, self.label, queries.expected,
                self.expected, self.both, part.low, part.slope, self.squared, out,
            )  # fmt: skip
        return self.on_grid(out)

    def exact(self, queries: MixedSpace, rows: np.ndarray, others: np.ndarray) -> np.ndarray:
        """Return the distance of every pair, which tiles give exactly, too."""
        tiles = (self.tile(queries, i, i + 1, j, j + 1)[0, 0] for i, j in zip(rows.tolist(), others.tolist()))
        return np.fromiter(tiles, float, len(rows))

    def add_pairs(
        self, queries: MixedSpace, rows: np.ndarray, starts: np.ndarray, others: np.ndarray, weights: np.ndarray
    ) -> np.ndarray:
        """Return the weighted sums of differences of chosen pairs."""
        out = np.zeros(self.n_features)
        own, part = self.complete, self.incomplete
        sums = np.zeros(own.values.shape[1])
        mixed.add_ramp_pairs(
            queries.complete.values, own.values, own.low, own.slope, self.squared, rows, starts, others, weights, sums
        )
        out[own.which] = sums[: len(own.which)]
        if len(part.which):
            sums = np.zeros(len(part.which))
            mixed.add_missing_pairs(
                queries.incomplete.values, part.values, queries.label, self.label, queries.expected, self.expected,
                self.both, part.low, part.slope, self.squared, rows, starts, others, weights, sums,
            )  # fmt: skip
            out[part.which] = sums
        return out

    def add_tile(self, queries: MixedSpace, start: int, stop: int, first: int, weights: np.ndarray) -> np.ndarray:
        """Return the weighted sums of differences of a tile."""
        at, others = np.nonzero(weights)
        starts = np.searchsorted(at, np.arange(stop - start + 1))
        return self.add_pairs(queries, np.arange(start, stop), starts, others + first, weights[at, others])


def mixed_space(
    X: np.ndarray,
    low: np.ndarray,
    factor: np.ndarray,
    nominal: np.ndarray,
    label: np.ndarray,
    ramp: tuple[float, float] | None = None,
    *,
    squared: bool = False,
) -> MixedSpace:
    """Return rows as a space.

    Parameters
    ----------
    X : ndarray of shape (n_rows, n_features)
        Numbers, level numbers in nominal columns, NaN where a value is missing.
    low, factor : ndarray of shape (n_features,)
        ``(X - low) * factor`` lies in [0, 1]; levels are taken as they are.
    nominal : ndarray of bool of shape (n_features,)
        Which columns hold level numbers.
    label : ndarray of int of shape (n_rows,)
        Class of each row; a missing value is thought to take the known values of its class, or those of all rows if
        the class has none. Zeros for one class.
    ramp : tuple of two floats, optional
        Up to the first fraction of the range two numbers are equal, beyond the second they are different (eq. 9.4).
    squared : bool, default=False
        Whether differences are squared before they are added; the mean difference of a missing value is, too.
    """
    begin, width = (0.0, 1.0) if ramp is None else (ramp[0], max(ramp[1] - ramp[0], LEAST_WIDTH))
    scale = np.where(nominal, 0.0, low), np.where(nominal, 1.0, factor)
    ramps = np.where(nominal, 0.0, begin), np.where(nominal, 1.0, width)
    missing = np.isnan(X.sum(axis=0, dtype=np.float64))
    which, rest = np.flatnonzero(~missing), np.flatnonzero(missing)
    # Counts of differing levels are exact in float32.
    whole = _columns(X, which, scale, ramps, np.float32 if nominal[which].all() else np.float64, LANES)
    part = _columns(X, rest, scale, ramps, np.float64, 1)
    label = np.ascontiguousarray(label, np.int64)
    n_classes = int(label.max(initial=0)) + 1
    expected = np.zeros((n_classes, len(X), len(rest)))
    both = np.zeros((n_classes, n_classes, len(rest)))
    for k in range(len(rest)):
        column = np.ascontiguousarray(part.values[:, k])
        known = ~np.isnan(column)
        if not known.any():
            continue
        of_class = [known & (label == c) for c in range(n_classes)]
        of_class = [rows if rows.any() else known for rows in of_class]
        for c, rows in enumerate(of_class):
            means = mean_differences(np.sort(column[rows]), column, part.low[k], 1.0 / part.slope[k])
            expected[c, :, k] = means
            both[:, c, k] = [means[others].mean() for others in of_class]
    return MixedSpace(whole, part, label, expected, both, True if squared else None)


def _columns(
    X: np.ndarray,
    which: np.ndarray,
    scale: tuple[np.ndarray, np.ndarray],
    ramps: tuple[np.ndarray, np.ndarray],
    dtype: type,
    lanes: int,
) -> MixedColumns:
    """Gather features, filled up with columns without differences to whole vectors."""
    n, size = len(which), -(-len(which) // lanes) * lanes
    values: np.ndarray = np.zeros((len(X), size), dtype)
    low: np.ndarray = np.zeros(size, dtype)
    slope: np.ndarray = np.ones(size, dtype)
    for top in range(0, len(X), ROWS_AT_ONCE):
        rows = slice(top, top + ROWS_AT_ONCE)
        values[rows, :n] = (X[rows][:, which] - scale[0][which]) * scale[1][which]
    low[:n], slope[:n] = ramps[0][which], 1.0 / ramps[1][which]
    return MixedColumns(which, values, low, slope)


def mean_differences(known: np.ndarray, values: np.ndarray, low: float, width: float) -> np.ndarray:
    """Return the mean difference of each value from sorted known ones.

    The difference is ((t - low)+ - (t - low - width)+) / width of t = |u - v|, and (|u - v| - s)+ is
    (v - s - u)+ + (u - v - s)+, whose means come from sums of the smaller and of the larger known values.
    """
    n, below = len(known), np.concatenate([[0.0], np.cumsum(known)])

    def beyond(distance: float) -> np.ndarray:
        under, over = values - distance, values + distance
        n_under, n_over = np.searchsorted(known, under), np.searchsorted(known, over)
        smaller = under * n_under - below[n_under]
        return (smaller + (below[n] - below[n_over]) - over * (n - n_over)) / n

    return (beyond(low) - beyond(low + width)) / width

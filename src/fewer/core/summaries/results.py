"""What the summaries return: plain arrays with a name each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fewer.core.records.sized import Sized


@dataclass(frozen=True)
class Counts(Sized):
    """Contingency tables of many features against one column variable, stacked.

    Rows ``offsets[j]`` to ``offsets[j + 1]`` of ``table`` are the levels of feature j, columns are the levels of the
    other variable (the classes, as a rule). Features may have any number of levels; none has zero.
    Whole numbers (int64) without sample weights, float64 with them.
    """

    table: np.ndarray
    offsets: np.ndarray

    @property
    def n_features(self) -> int:
        """Number of features."""
        return len(self.offsets) - 1

    @property
    def n_columns(self) -> int:
        """Number of levels of the other variable."""
        return int(self.table.shape[1])

    def of(self, j: int) -> np.ndarray:
        """The table of one feature, levels by columns."""
        return self.table[self.offsets[j] : self.offsets[j + 1]]

    def per_feature(self, values: np.ndarray) -> np.ndarray:
        """Sum values that stand beside the rows of ``table`` over the levels of each feature."""
        return np.add.reduceat(values, self.offsets[:-1], axis=0)

    @property
    def occurring(self) -> np.ndarray:
        """How many levels of every feature have rows; one that is kept free for missing values may have none."""
        return self.per_feature((self.table.sum(axis=1) > 0).astype(np.int64))

    @property
    def column_totals(self) -> np.ndarray:
        """Counts of the other variable per feature, (n_features, n_columns)."""
        return self.per_feature(self.table)


@dataclass(frozen=True)
class Moments(Sized):
    """Rows (or their weight), means and sums of squared deviations per feature and class.

    ``weight`` has shape (n_classes,), ``mean`` and ``m2`` have shape (n_features, n_classes). ``m2`` is the sum of
    squared deviations from the mean of the class. Without classes there is one class. Means are measured from the
    ``origin`` of each feature, one of its values, so that those of 1e9 + x differ as those of x do; from 0 if None.
    """

    weight: np.ndarray
    mean: np.ndarray
    m2: np.ndarray
    origin: np.ndarray | None = None


@dataclass(frozen=True)
class LevelMoments(Sized):
    """Weight, mean and sum of squared deviations of a numeric target at every level of every feature, stacked.

    Means, and the range of the target, are measured from the ``origin``, one of its values, see `Moments`.
    """

    weight: np.ndarray
    mean: np.ndarray
    m2: np.ndarray
    offsets: np.ndarray
    origin: float = 0.0
    low: float = float("nan")
    high: float = float("nan")


@dataclass(frozen=True)
class TargetProducts(Sized):
    """Centred sums of products of every feature with a numeric target.

    ``weight`` is the number of rows or their weight; ``m2_x`` and ``c_xy`` have shape (n_features,). Means, and the
    range of the target, are measured from the origins, from 0 if there is none, see `Moments`.
    """

    weight: float
    mean_x: np.ndarray
    mean_y: float
    m2_x: np.ndarray
    m2_y: float
    c_xy: np.ndarray
    origin_x: np.ndarray | None = None
    origin_y: float = 0.0
    low_y: float = float("nan")
    high_y: float = float("nan")


@dataclass(frozen=True)
class Products(Sized):
    """Centred sums of products of features: ``c[i, j]`` = sum over rows of (x_i - mean_i)(x_j - mean_j)."""

    weight: float
    mean: np.ndarray
    c: np.ndarray


class KnownOfColumns(Sized):
    """What is known of each column whatever the others are, so that it stays known where some are taken."""

    def of_columns(self, subset: np.ndarray) -> KnownOfColumns:
        """Return what is known of some columns, in the given order."""
        raise NotImplementedError


@dataclass(frozen=True)
class Extent(KnownOfColumns):
    """Smallest and largest value per feature (missing values aside), and how many values are missing."""

    low: np.ndarray
    high: np.ndarray
    missing: np.ndarray
    n_rows: float

    def of_columns(self, subset: np.ndarray) -> Extent:
        """Return the ranges of some columns."""
        return Extent(self.low[subset], self.high[subset], self.missing[subset], self.n_rows)


@dataclass(frozen=True)
class Edges(KnownOfColumns):
    """Edges of equal frequency per feature, and its largest value; see `frequency_edges`."""

    edges: np.ndarray
    high: np.ndarray

    def of_columns(self, subset: np.ndarray) -> Edges:
        """Return the edges of some columns."""
        return Edges(self.edges[subset], self.high[subset])


@dataclass(frozen=True)
class EdgesOfTarget(KnownOfColumns):
    """Edges of equal frequency of a target of numbers, those that differ."""

    edges: np.ndarray

    def of_columns(self, subset: np.ndarray) -> EdgesOfTarget:
        """Return the same: the target does not depend on columns."""
        return self


@dataclass(frozen=True)
class JointCounts(Sized):
    """Distinct combinations of levels of several columns, sorted, and how often each occurs in each class.

    ``cells`` has shape (n_cells, n_chosen_columns), ``table`` has shape (n_cells, n_classes).
    """

    cells: np.ndarray
    table: np.ndarray

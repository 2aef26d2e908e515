"""The rows between which distances are measured, and sums over all pairs of them in tiles of rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from fewer.core.kernels import pair_entropy as kernels
from fewer.core.records.errors import InputError
from fewer.core.views.view import View

# Pairs of one tile, about: enough that threads are busy, few enough that all have work.
PAIRS_AT_ONCE = 2**18
ADDED, REMOVED, PEARSON = range(3)
NO_PLACE = np.array([-1], np.int64)


@dataclass(frozen=True, eq=False)
class DistanceRows:
    """Rows as the entropy of distances reads them.

    Attributes
    ----------
    X : ndarray of shape (n_rows, n_features)
        For the Euclidean distance fractions of the range and level numbers; for Pearson's the numbers as given.
    nominal : ndarray of shape (1, n_features)
        1 where a column holds level numbers, which differ by 0 or 1; else 0.
    constant : ndarray of bool of shape (n_features,)
        Which columns have one value in all rows.
    metric : {"euclidean", "pearson"}
        The distance.
    """

    X: np.ndarray
    nominal: np.ndarray
    constant: np.ndarray
    metric: str

    @classmethod
    def of(cls, view: View, metric: str) -> DistanceRows:
        """Read the rows of a view."""
        X = np.array(view.whole().X, dtype=np.float64, order="C")
        low, high = X.min(axis=0), X.max(axis=0)
        with np.errstate(over="ignore"):
            width = high - low
        if not np.isfinite(width).all():
            name = view.name_of(int(np.flatnonzero(~np.isfinite(width))[0]))
            raise InputError(
                f"The range of column {name} is so large that it overflows, but distances are measured in fractions of "
                "the range; rescale the column."
            )
        constant = width == 0
        if metric == "euclidean":
            numbers = ~(view.nominal | constant)
            X[:, numbers] = (X[:, numbers] - low[numbers]) / width[numbers]
        else:
            # Correlations are the same, and differences within a row do not overflow.
            X *= 0.5
        return cls(X, view.nominal.astype(np.float64)[None, :], constant, metric)

    @property
    def n_pairs(self) -> int:
        """Number of pairs of rows."""
        return len(self.X) * (len(self.X) - 1) // 2

    def added(self, members: np.ndarray, candidates: np.ndarray) -> tuple[Any, ...]:
        """Return what kernels are told of subsets with one more feature."""
        if self.metric == "pearson":
            raise NotImplementedError("Pearson's distance is measured of whole subsets.")
        return ADDED, self.X, self.X, self.nominal, members, candidates

    def removed(self, members: np.ndarray, places: np.ndarray) -> tuple[Any, ...]:
        """Return what kernels are told of subsets with one feature less, by its place, ascending; -1 for none."""
        if self.metric == "euclidean":
            return REMOVED, self.X, self.X, self.nominal, members, places
        unit = unit_rows(self.X[:, members])
        fewer = len(members) / max(len(members) - 1.0, 1.0)
        return PEARSON, self.X, unit, 1.0 - fewer * unit**2, members, places

    def points(self, members: np.ndarray) -> np.ndarray:
        """Return the rows on some features as points whose squared Euclidean distance is that of the metric."""
        if self.metric == "pearson":
            return unit_rows(self.X[:, members])
        parts = []
        for j in members.tolist():
            column = self.X[:, j]
            if self.nominal[0, j]:
                parts.append((column[:, None] == np.unique(column)) * np.sqrt(0.5))
            else:
                parts.append(column[:, None])
        return np.hstack(parts)


def unit_rows(X: np.ndarray) -> np.ndarray:
    """Return rows less their mean, of length 1; constant rows are 0."""
    # From the first value, so that rows far from 0 keep their digits and constant ones are 0 exactly.
    rows = X - X[:, :1]
    largest = np.abs(rows).max(axis=1, keepdims=True)
    varies = largest > 0
    rows = rows / np.where(varies, largest, 1.0)
    rows -= rows.mean(axis=1, keepdims=True)
    length = np.sqrt((rows**2).sum(axis=1, keepdims=True))
    return np.ascontiguousarray(np.where(varies, rows / np.where(varies, length, 1.0), 0.0))


@dataclass(frozen=True, eq=False)
class DistanceSums:
    """Sums over all pairs of rows, for several subsets at once."""

    view: View
    how: tuple[Any, ...]

    @property
    def n_subsets(self) -> int:
        """How many subsets are measured."""
        return len(self.how[-1])

    def tiles(self, kernel: Callable[..., None], *known: Any, make: Callable[[], tuple[np.ndarray, ...]]) -> list[Any]:
        """Return what a kernel adds up over tiles of rows, in their order."""
        n = len(self.how[1])

        def work(start: int, stop: int) -> tuple[np.ndarray, ...]:
            out = make()
            kernel(*self.how, start, stop, *known, *out)
            return out

        return self.view.run.scan(work, max(n - 1, 1), max(1, PAIRS_AT_ONCE // n))

    def extents(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the sum and the largest of the distances."""
        k = self.n_subsets
        parts = self.tiles(kernels.extents, make=lambda: (np.zeros(k), np.zeros(k)))
        return np.sum([p[0] for p in parts], axis=0), np.max([p[1] for p in parts], axis=0)

    def histograms(self, largest: np.ndarray, n_bins: int) -> np.ndarray:
        """Return how many distances are in each of so many parts of their range, (n_subsets, n_bins)."""
        make = lambda: (np.zeros((self.n_subsets, n_bins), np.int64),)  # noqa: E731
        return np.sum([p[0] for p in self.tiles(kernels.histograms, largest, make=make)], axis=0)

    def similarity(self, alpha: np.ndarray) -> np.ndarray:
        """Return the entropy of the similarities exp(-alpha D)."""
        make = lambda: (np.zeros(self.n_subsets),)  # noqa: E731
        return np.sum([p[0] for p in self.tiles(kernels.similarity_entropies, alpha, make=make)], axis=0)

    def peak(self, largest: np.ndarray, mu: np.ndarray, beta: float) -> np.ndarray:
        """Return the entropy of 2002, which has its peak at mu."""
        make = lambda: (np.zeros(self.n_subsets),)  # noqa: E731
        return np.sum([p[0] for p in self.tiles(kernels.peak_entropies, largest, mu, beta, make=make)], axis=0)

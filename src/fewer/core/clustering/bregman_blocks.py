"""Alternating co-clustering of a matrix whose blocks are stood for by means (Banerjee et al. 2007).

For every Bregman divergence the numbers of a row in one group of columns are as far from m as they are from their own
mean, and that mean from m: sum_j d(z_ij, m) = sum_j d(z_ij, a_ih) + n_h d(a_ih, m). So a step needs the means a alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse

from fewer.core.clustering.by_label import best_label, columns_added, dense, fill_empty, rows_added, spans
from fewer.core.clustering.divergences import DIVERGENCES
from fewer.core.records.rounding import TOLERANCE

# What means of numbers up to 1 are wrong by, at most.
OFF = 16 * np.finfo(float).eps


@dataclass(frozen=True, eq=False)
class MeanBlocks:
    """Groups of rows and groups of columns, the loss at the start and after every step, and re-seeded groups."""

    rows: np.ndarray
    columns: np.ndarray
    history: tuple[float, ...]
    reseeded: tuple[int, ...]

    @property
    def loss(self) -> float:
        """The loss at the end."""
        return self.history[-1]


@dataclass(frozen=True, eq=False)
class BlockMeans:
    """Rows seen from groups of columns: their means there, compared by a divergence.

    Attributes
    ----------
    Z : ndarray or CSR array
        The numbers.
    divergence : str
        Of `DIVERGENCES`.
    marginals : tuple of ndarray, optional
        Means of rows and of columns that are taken off, and the mean of all; for the squared divergence only.
    """

    Z: Any
    divergence: str
    marginals: tuple[np.ndarray, np.ndarray, float] | None = None

    def turned(self) -> BlockMeans:
        """Return the same with rows and columns exchanged."""
        back = None if self.marginals is None else (self.marginals[1], self.marginals[0], self.marginals[2])
        Z = self.Z.T.tocsr() if scipy.sparse.issparse(self.Z) else np.ascontiguousarray(self.Z.T)
        return BlockMeans(Z, self.divergence, back)

    def means(self, others: np.ndarray, n_groups: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the means of every row in every group of columns, and how many columns each has."""
        counts = np.bincount(others, minlength=n_groups).astype(np.float64)
        out = columns_added(self.Z, others, n_groups) / np.maximum(counts, 1.0)
        if self.marginals is not None:
            rows, columns, whole = self.marginals
            groups = np.bincount(others, columns, minlength=n_groups) / np.maximum(counts, 1.0)
            out = (out - rows[:, None]) - np.where(counts > 0, groups - whole, 0.0)
        return out, counts

    def costs(self, seen: tuple[np.ndarray, np.ndarray], labels: np.ndarray, k: int) -> Any:
        """Return a function that says how far some rows are from all groups of rows."""
        live = np.flatnonzero(seen[1])
        means, counts = seen[0][:, live], seen[1][live]
        return measure(self.divergence, means, counts, group_means(means, labels, k), np.bincount(labels, minlength=k))

    def within(self, others: np.ndarray, means: np.ndarray) -> float:
        """Return how far numbers are from the means of their rows in their groups of columns."""
        between = DIVERGENCES[self.divergence].between
        if not scipy.sparse.issparse(self.Z):
            Z = self.Z
            if self.marginals is not None:
                rows, columns, whole = self.marginals
                Z = (Z - rows[:, None]) - (columns - whole)
            return float(sum(between(Z[part], means[part][:, others]).sum() for part in spans(*Z.shape)))
        rows = np.repeat(np.arange(self.Z.shape[0]), np.diff(self.Z.indptr))
        counts = np.bincount(others, minlength=means.shape[1])
        if self.marginals is None:
            told = means
        else:
            told = columns_added(self.Z, others, means.shape[1]) / np.maximum(counts, 1)
        near = between(self.Z.data, told[rows, others[self.Z.indices]]).sum()
        absent = counts - columns_added(_ones(self.Z), others, means.shape[1])
        zero = between(np.zeros(1), told) if DIVERGENCES[self.divergence].domain != "positive" else np.zeros_like(told)
        total = float(near + (absent * zero).sum())
        return total if self.marginals is None else total + self._columns_off(others, counts)

    def _columns_off(self, others: np.ndarray, counts: np.ndarray) -> float:
        """Return what taking off the means of columns changes in squares about the means of rows and groups."""
        assert self.marginals is not None
        columns = self.marginals[1]
        off = columns - (np.bincount(others, columns, minlength=len(counts)) / np.maximum(counts, 1))[others]
        # Over all rows, what the numbers have in common with the offsets is n times the offsets.
        return -float(self.Z.shape[0] * (off**2).sum())

    def loss(self, labels: np.ndarray, others: np.ndarray, shape: tuple[int, int]) -> float:
        """Return how far all numbers are from what stands for them."""
        seen = self.means(others, shape[1])
        live = np.flatnonzero(seen[1])
        means, counts = seen[0][:, live], seen[1][live]
        centres, between = group_means(means, labels, shape[0]), DIVERGENCES[self.divergence].between
        parts = spans(*means.shape)
        outside = sum(float((between(means[part], centres[labels[part]]) @ counts).sum()) for part in parts)
        return self.within(others, seen[0]) + outside


@dataclass(frozen=True, eq=False)
class Residues:
    """Rows less their means in every group of columns: what the residue scheme compares (Cho et al. 2004).

    The residue z_ij - z_iJ - z_Ij + z_IJ is what a row deviates by from its group, both less their means in J.
    """

    Z: Any

    def turned(self) -> Residues:
        """Return the same with rows and columns exchanged."""
        return Residues(self.Z.T.tocsr() if scipy.sparse.issparse(self.Z) else np.ascontiguousarray(self.Z.T))

    def means(self, others: np.ndarray, n_groups: int) -> tuple[Any, np.ndarray]:
        """Return the rows, dense ones less their means in every group of columns, and the groups."""
        if scipy.sparse.issparse(self.Z):
            return self.Z, others
        counts = np.maximum(np.bincount(others, minlength=n_groups), 1)
        return self.Z - (columns_added(self.Z, others, n_groups) / counts)[:, others], others

    def costs(self, seen: tuple[Any, np.ndarray], labels: np.ndarray, k: int) -> Any:
        """Return a function that says how far some rows are from all groups of rows."""
        rows, others = seen
        return measure_residues(rows, others, self.centres(rows, others, labels, k), np.bincount(labels, minlength=k))

    def centres(self, rows: Any, others: np.ndarray, labels: np.ndarray, k: int) -> np.ndarray:
        """Return the means of groups of rows, less their means in every group of columns."""
        centres = group_means(rows, labels, k)
        counts = np.bincount(others)
        means = columns_added(centres, others, len(counts)) / np.maximum(counts, 1)
        return centres - means[:, others]

    def loss(self, labels: np.ndarray, others: np.ndarray, shape: tuple[int, int]) -> float:
        """Return the sum of squared residues."""
        rows, _ = self.means(others, shape[1])
        centres = self.centres(rows, others, labels, shape[0])
        if not scipy.sparse.issparse(rows):
            return float(sum(((rows[p] - centres[labels[p]]) ** 2).sum() for p in spans(*rows.shape)))
        counts = np.maximum(np.bincount(others, minlength=shape[1]), 1)
        own = float((rows.data**2).sum() - (columns_added(rows, others, shape[1]) ** 2 / counts).sum())
        sizes = np.bincount(labels, minlength=shape[0])
        return max(own - float((sizes * (centres**2).sum(axis=1)).sum()), 0.0)


def measure(divergence: str, means: np.ndarray, counts: np.ndarray, centres: np.ndarray, sizes: np.ndarray) -> Any:
    """Return a function that says how far some rows are from all groups, infinitely from empty ones, and rounding."""
    between = DIVERGENCES[divergence].between

    def some(part: slice) -> tuple[np.ndarray, np.ndarray]:
        apart = np.full((len(means[part]), len(centres)), np.inf)
        for g in np.flatnonzero(sizes):
            apart[:, g] = between(means[part], centres[g][None]) @ counts
        return apart, rounding_of(apart.min(axis=1), counts.sum())

    return some


def rounding_of(apart: np.ndarray, n_columns: float) -> np.ndarray:
    """Return what distances of rows from means are wrong by, where numbers are at most 1.

    Near 0 all divergences are about squares of differences x, and a mean that is wrong by e makes 2 x e + e^2 of them.
    """
    with np.errstate(invalid="ignore"):
        return TOLERANCE * apart + 2.0 * OFF * np.sqrt(n_columns * apart) + n_columns * OFF**2


def measure_residues(rows: Any, others: np.ndarray, centres: np.ndarray, sizes: np.ndarray) -> Any:
    """Return a function as `measure` does, of rows less their means in every group of columns; sparse ones as given."""
    lengths, turned = (centres**2).sum(axis=1), np.ascontiguousarray(centres.T)
    counts = np.maximum(np.bincount(others), 1)

    def some(part: slice) -> tuple[np.ndarray, np.ndarray]:
        block = rows[part]
        raw = np.asarray((block * block).sum(axis=1)).ravel()
        # Sparse rows are not centred; the centres are, so that products with them are the same.
        sparse = scipy.sparse.issparse(block)
        own = raw - (columns_added(block, others, len(counts)) ** 2 / counts).sum(axis=1) if sparse else raw
        apart = np.maximum(own, 0.0)[:, None] + lengths - 2.0 * np.asarray(block @ turned)
        apart[:, sizes == 0] = np.inf
        return np.maximum(apart, 0.0), TOLERANCE * (raw + lengths.max())

    return some


def group_means(rows: Any, labels: np.ndarray, k: int) -> np.ndarray:
    """Return the means of the rows of every group, 0 for empty ones."""
    sizes = np.maximum(np.bincount(labels, minlength=k), 1)
    return dense(rows_added(rows, labels, k)) / sizes[:, None]


def bregman_blocks(
    data: Any, start: tuple[np.ndarray, np.ndarray], shape: tuple[int, int], max_iter: int, tol: float
) -> MeanBlocks:
    """Move rows, then columns, to the group that stands for them best, until the loss falls no more; it never rises.

    Parameters
    ----------
    data : BlockMeans or Residues
        The numbers, and how they are compared.
    start : tuple of two arrays of int
        Groups of rows and of columns to begin with.
    shape : tuple of two ints
        Number of groups of rows and of columns.
    max_iter : int
        Most iterations, each a step of the rows and one of the columns.
    tol : float
        The end, when an iteration saves a smaller fraction of the loss.
    """
    (rows, columns), turned = (np.array(labels, np.int64) for labels in start), data.turned()
    history, reseeded = [data.loss(rows, columns, shape)], [0]
    for _ in range(max_iter):
        before = rows, columns
        rows, new = _step(data, rows, columns, shape)
        history, reseeded = [*history, data.loss(rows, columns, shape)], [*reseeded, new]
        columns, new = _step(turned, columns, rows, shape[::-1])
        history, reseeded = [*history, data.loss(rows, columns, shape)], [*reseeded, new]
        same = bool((before[0] == rows).all() and (before[1] == columns).all())
        quiet = history[-3] - history[-1] <= tol * history[-3]
        if (same or quiet) and not any(reseeded[-2:]):
            break
    return MeanBlocks(rows, columns, tuple(history), tuple(reseeded))


def _step(data: Any, labels: np.ndarray, others: np.ndarray, shape: tuple[int, int]) -> tuple[np.ndarray, int]:
    """Return the nearest group of every row given groups of columns, and how many empty groups got a row."""
    k = shape[0]
    seen = data.means(others, shape[1])
    costs = data.costs(seen, labels, k)
    new, misfit, least = np.empty_like(labels), np.empty(len(labels)), np.empty(len(labels))
    for part in spans(len(labels), k + shape[1]):
        apart, rounding = costs(part)
        new[part] = best_label(-apart, labels[part], rounding)
        misfit[part], least[part] = apart.min(axis=1), 1e3 * rounding
    return new, fill_empty(new, misfit, least, k)


def _ones(Z: Any) -> Any:
    return scipy.sparse.csr_array((np.ones_like(Z.data), Z.indices, Z.indptr), shape=Z.shape)

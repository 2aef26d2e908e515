"""Candidates as columns of numbers for linear models, and the sums of their products per fold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from fewer.core.kernels.fold_models import fill_design, present_moments
from fewer.core.records.sized import Sized
from fewer.core.summaries.moments import combine, row_weights
from fewer.core.summaries.results import Counts
from fewer.core.summaries.summary import Summary

# Rows that are worked on at a time; indicator columns of one nominal feature, and of all of them together.
ROWS, MOST_LEVELS, MOST_INDICATORS = 2048, 10, 400


@dataclass(frozen=True, eq=False)
class Design:
    """How candidates become columns of mean 0 and variance 1.

    A number is one column, in which a missing value is the mean. A nominal feature is one indicator per level but the
    last, the most frequent levels first. Which columns there are depends on no target.

    Attributes
    ----------
    source : ndarray of int
        The candidate of every column.
    level : ndarray of int
        The level that it marks; -1 for a number.
    scale, mean, width : ndarray
        What a number is multiplied by first; mean and standard deviation after that.
    """

    source: np.ndarray
    level: np.ndarray
    scale: np.ndarray
    mean: np.ndarray
    width: np.ndarray

    @classmethod
    def of(cls, nominal: np.ndarray, scale: np.ndarray, spread: tuple[np.ndarray, ...], counts: Counts) -> Design:
        """Return the columns of candidates, of which weight, mean and deviations and the counts of levels are known."""
        most = max(1, min(MOST_LEVELS, MOST_INDICATORS // max(1, int(nominal.sum()))))
        columns: list[tuple[float, ...]] = []
        for u in range(len(nominal)):
            if not nominal[u]:
                weight, mean, m2 = (float(values[u]) for values in spread)
                columns.append((u, -1, float(scale[u]), mean, np.sqrt(m2 / (weight or 1.0)) or 1.0))
                continue
            of_level = counts.of(u).sum(axis=1)
            n = float(of_level.sum()) or 1.0
            occurring = int((of_level > 0).sum())
            for level in np.argsort(-of_level, kind="stable")[: min(most, max(1, occurring - 1))].tolist():
                share = float(of_level[level]) / n
                columns.append((u, level, 1.0, share, float(np.sqrt(share * (1.0 - share))) or 1.0))
        table = np.array(columns)
        return cls(table[:, 0].astype(np.int64), table[:, 1].astype(np.int64), *table[:, 2:].T.copy())

    def pieces(self, block: Any) -> Iterator[tuple[slice, np.ndarray]]:
        """Yield the columns of some rows of a block at a time, and which rows they are."""
        for rows, here in dense_pieces(block):
            out = np.empty((len(here), len(self.source)))
            fill_design(here, self.source, self.level, self.scale, self.mean, self.width, out)
            yield rows, out


def dense_pieces(block: Any) -> Iterator[tuple[slice, np.ndarray]]:
    """Yield some rows of a block at a time, dense, and which rows they are."""
    X = block.X.tocsr() if block.kind == "sparse" else block.X
    for top in range(0, block.n_rows, ROWS):
        rows = slice(top, min(top + ROWS, block.n_rows))
        yield rows, X[rows].toarray() if block.kind == "sparse" else X[rows]


@dataclass(frozen=True, eq=False)
class Spread(Summary[tuple[np.ndarray, np.ndarray, np.ndarray]]):
    """Weight, mean and sum of squared deviations of every feature times a power of two, missing values left out."""

    scale: np.ndarray

    remembered = False
    words = "means and variances of the candidates"

    def width(self, block: Any) -> int:
        """Say that the work is not cut by features."""
        return 1

    def tile(self, block: Any, start: int, stop: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Summarise one row block."""
        weight, found = row_weights(block), None
        for rows, here in dense_pieces(block):
            total, mean, m2 = (np.zeros(block.n_features) for _ in range(3))
            present_moments(here, weight[rows], self.scale, total, mean, m2)
            found = (total, mean, m2) if found is None else combine(found, (total, mean, m2))
        return found or tuple(np.zeros((3, block.n_features)))  # type: ignore[return-value]

    def join(self, parts: list[Any]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the only tile."""
        return parts[0]

    def merge(self, first: Any, second: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Combine two row blocks."""
        return combine(first, second)


def by_part(part: np.ndarray, n_parts: int) -> np.ndarray:
    """Return which rows are of each class, (n_parts, n_rows), as numbers to multiply with."""
    return (part == np.arange(n_parts)[:, None]).astype(np.float64)


@dataclass(frozen=True, eq=False)
class FoldProducts(Sized):
    """Sums over the rows of each fold, or over the folds that one learns from.

    Attributes
    ----------
    products : ndarray of shape (n_folds, n_columns, n_columns)
        Of all pairs of columns.
    sums : ndarray of shape (n_folds, n_parts, n_columns)
        Of the columns by class.
    with_target : ndarray of shape (n_folds, n_columns)
        Of the columns times a numeric target.
    target : ndarray of shape (n_folds, n_parts, 3)
        Weight of the rows, of a numeric target and of its squares.
    """

    products: np.ndarray
    sums: np.ndarray
    with_target: np.ndarray
    target: np.ndarray


@dataclass(frozen=True, eq=False)
class ProductsPerFold(Summary[FoldProducts]):
    """Sums of the columns of a design, of their products, and of those with a numeric target, per fold."""

    design: Design
    n_folds: int
    n_parts: int

    remembered = False
    words = "products of the candidates"

    def width(self, block: Any) -> int:
        """Say that the work is not cut by features."""
        return 1

    def tile(self, block: Any, start: int, stop: int) -> FoldProducts:
        """Add up one row block."""
        weight, d = row_weights(block), len(self.design.source)
        products, sums = np.zeros((self.n_folds, d, d)), np.zeros((self.n_folds, self.n_parts, d))
        with_target, target = np.zeros((self.n_folds, d)), np.zeros((self.n_folds, self.n_parts, 3))
        for rows, Z in self.design.pieces(block):
            fold, part, value, w = *(block.y[name][rows] for name in ("fold", "part", "value")), weight[rows]
            for f in range(self.n_folds):
                here = fold == f
                A = Z[here]
                weighted = A * w[here, None]
                products[f] += weighted.T @ A
                own = by_part(part[here], self.n_parts)
                sums[f] += own @ weighted
                target[f] += own @ (w[here, None] * value[here, None] ** np.arange(3))
                with_target[f] += value[here] @ weighted
        return FoldProducts(products, sums, with_target, target)

    def join(self, parts: list[FoldProducts]) -> FoldProducts:
        """Return the only tile."""
        return parts[0]

    def merge(self, first: FoldProducts, second: FoldProducts) -> FoldProducts:
        """Add two row blocks: the columns have mean 0, so that nothing cancels."""
        names = ("products", "sums", "with_target", "target")
        return FoldProducts(*(getattr(first, name) + getattr(second, name) for name in names))

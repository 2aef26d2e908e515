"""How often one feature comes before another inside the rows of each class: whole numbers, so they add up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fewer.core.kernels import row_orders as kernels
from fewer.core.records.errors import RequirementError
from fewer.core.records.sized import Sized
from fewer.core.summaries.summary import Summary

# The largest table of counts that is made; the elimination needs about twice as much for a moment.
MOST_BYTES = 2**30


@dataclass(frozen=True, eq=False)
class PairOrders(Sized):
    """Counts of strict comparisons per class.

    Attributes
    ----------
    before : ndarray of shape (n_classes, n_columns, n_columns)
        ``before[c, i, j]`` rows of class c have the i-th column below the j-th, both known. A row in which the two are
        equal, or one of them is unknown, counts in neither ``before[c, i, j]`` nor ``before[c, j, i]``. Unsigned
        integers as narrow as the class sizes allow.
    rows : ndarray of int64, shape (n_classes,)
        Rows per class.
    """

    before: np.ndarray
    rows: np.ndarray

    def balance(self, c: int) -> np.ndarray:
        """Return before[c] less its transpose, as narrow signed integers."""
        dtype = narrowest(2 * int(self.rows[c]), signed=True)
        counts = self.before[c]
        out = np.empty(counts.shape, dtype)
        kernels.balance(counts, out)
        return out


@dataclass(frozen=True)
class OrderCounts(Summary[PairOrders]):
    """Count the rows of each class in which one column comes before another.

    Parameters
    ----------
    n_classes : int
        Number of classes.
    columns : tuple of int, optional
        The features that are compared; None for all.
    """

    n_classes: int
    columns: tuple[int, ...] | None = None
    remembered = False

    def width(self, block: Any) -> int:
        """Return the number of columns."""
        return block.n_features if self.columns is None else len(self.columns)

    def bytes_per_feature(self, block: Any) -> int:
        """One row of every table."""
        return self.n_classes * self.width(block) * narrowest(block.n_rows)().itemsize

    def tile(self, block: Any, start: int, stop: int) -> PairOrders:
        """Count rows ``start`` to ``stop`` of the tables."""
        rows = np.bincount(block.y, minlength=self.n_classes)
        dtype = narrowest(int(rows.max()))
        check_fits(self.width(block), self.n_classes, np.dtype(dtype).itemsize)
        before = np.zeros((self.n_classes, stop - start, self.width(block)), dtype)
        columns = np.arange(block.n_features) if self.columns is None else np.asarray(self.columns, dtype=np.int64)
        kernels.count_before(block.codes, block.y, columns, start, stop, before)
        return PairOrders(before, rows)

    def join(self, parts: list[PairOrders]) -> PairOrders:
        """Stack rows of the tables."""
        if len(parts) == 1:
            return parts[0]
        first = parts[0].before
        whole = np.empty((len(first), sum(p.before.shape[1] for p in parts), first.shape[2]), first.dtype)
        top = 0
        for part in parts:
            whole[:, top : top + part.before.shape[1]] = part.before
            top += part.before.shape[1]
        return PairOrders(whole, parts[0].rows)

    def merge(self, first: PairOrders, second: PairOrders) -> PairOrders:
        """Add the counts of two row blocks, in wider integers if need be."""
        rows = first.rows + second.rows
        dtype = narrowest(int(rows.max()))
        check_fits(first.before.shape[1], self.n_classes, np.dtype(dtype).itemsize)
        return PairOrders(np.add(first.before, second.before, dtype=dtype), rows)


def narrowest(largest: int, *, signed: bool = False) -> Any:
    """Return the narrowest integer type that holds 0 to ``largest``, or also its negative."""
    kinds = (np.int8, np.int16, np.int32) if signed else (np.uint8, np.uint16, np.uint32)
    return next(kind for kind in kinds if largest <= np.iinfo(kind).max)


def check_fits(n_features: int, n_classes: int, itemsize: int) -> None:
    """Raise if the counts of all pairs of features would need too much memory."""
    needed = n_classes * itemsize * n_features**2
    if needed > MOST_BYTES:
        fits = int((MOST_BYTES / (n_classes * itemsize)) ** 0.5)
        raise RequirementError(
            f"Counting the order of all pairs of {n_features} features in {n_classes} classes needs "
            f"{needed / 2**30:.1f} GiB, but at most {MOST_BYTES / 2**30:.0f} GiB is used, which is enough for {fits} "
            "features; keep the best of them by a ranking such as KruskalWallis first."
        )

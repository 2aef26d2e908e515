"""Dealt rows, what is summed up of all features by folds and classes, and the tests that follow from it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from fewer.core.discretize.codes import codes_view
from fewer.core.folds.bayes import CountsPerFold
from fewer.core.folds.deal import Dealt, deal
from fewer.core.folds.effective import factor_and_share
from fewer.core.folds.relevance import Relevance, relevance
from fewer.core.summaries.extent import ColumnExtent
from fewer.core.summaries.results import Counts
from fewer.core.views.row_copies import RowCopies, row_copies
from fewer.core.views.view import View

# What is said of rows that are read in blocks, where copies may be far apart.
NOT_LOOKED = "Rows are not all in memory, and were not looked through for exact copies of others."


@dataclass(frozen=True, eq=False)
class Sums:
    """Dealt rows, and what was summed up of all features."""

    dealt: Dealt
    scale: np.ndarray
    missing: np.ndarray
    codes: View
    counts: Counts
    factor: float
    share: float
    copies: RowCopies | None = None

    @property
    def notes(self) -> tuple[str, ...]:
        """What is to be said of the rows."""
        if self.copies is not None:
            return (self.copies.words,)
        return () if self.dealt.view.run.in_memory or self.dealt.view.groups is not None else (NOT_LOOKED,)

    def counts_without(self, fold: int | None) -> Counts:
        """Return the counts of all folds but one."""
        cube = self.counts.table.reshape(len(self.counts.table), self.dealt.n_folds, self.dealt.n_parts)
        others = [f for f in range(self.dealt.n_folds) if f != fold]
        return Counts(cube[:, others].sum(axis=1), self.counts.offsets)

    def relevance(self, fold: int | None) -> Relevance:
        """Test the features without one fold."""
        numeric, exact = ~self.dealt.view.nominal, fold is None
        counts = self.counts_without(fold)
        if self.share < 1.0:
            counts = Counts(counts.table * self.share, counts.offsets)
        return relevance(counts, numeric, self.missing, self.dealt.numbers, exact)


def sums_of(data: View, discretizer: object) -> Sums:
    """Deal the rows and sum up all features; rows that are copies of others are a group if no groups are given."""
    copies = row_copies(data) if data.groups is None else None
    if copies is not None:
        data = replace(data, groups=copies.groups)
    dealt = deal(data)
    # As codes ask for it: which columns have missing values, and so one more level.
    extent = dealt.view.fold(ColumnExtent(all_rows=True))
    # Powers of two change no digit, and keep squares within range.
    largest = np.maximum(np.abs(extent.low), np.abs(extent.high))
    scale = np.ldexp(1.0, -np.frexp(np.where(np.isfinite(largest), largest, 1.0))[1])
    codes = codes_view(dealt.view, discretizer)
    counts = codes.fold(CountsPerFold(dealt.n_folds * dealt.n_parts, dealt.n_parts))
    factor, share = factor_and_share(data, dealt)
    if factor != 1.0:
        counts = Counts(counts.table * factor, counts.offsets)
    return Sums(dealt, scale, (extent.missing > 0) & ~data.nominal, codes, counts, factor, share, copies)

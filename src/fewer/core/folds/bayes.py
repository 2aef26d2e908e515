"""Naive Bayes on the levels of the first features of an order, for classes and for bins of a numeric target."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from fewer.core.kernels.fold_models import bayes_errors, bayes_hits
from fewer.core.summaries.counts import TargetCounts, count_against
from fewer.core.summaries.moments import row_weights
from fewer.core.summaries.results import Counts
from fewer.core.summaries.summary import Summary

NEAR, ROWS = 1e-9, 65536


@dataclass(frozen=True)
class CountsPerFold(TargetCounts):
    """Counts of every feature against folds times classes: column ``fold * n_parts + part``."""

    n_parts: int = 0

    def tile(self, block: Any, start: int, stop: int) -> Counts:
        """Count features ``start`` to ``stop``."""
        return count_against(block, *self.other(block), start, stop, self.uses())

    def other(self, block: Any) -> tuple[np.ndarray, int]:
        """Return folds times classes."""
        return block.y["fold"] * self.n_parts + block.y["part"], self.n_classes


@dataclass(frozen=True, eq=False)
class BayesModels:
    """One model per fold: logarithms of probabilities, each level counted once more than it occurs.

    Attributes
    ----------
    log_table : ndarray of shape (n_folds, n_all_levels, n_parts)
        Of the levels given the class.
    log_prior : ndarray of shape (n_folds, n_parts)
        Of the classes.
    starts : ndarray of shape (n_candidates,)
        Where the levels of each candidate begin.
    orders : ndarray of shape (n_folds, longest)
        The candidates, best first, by fold.
    sizes : ndarray of int
        How many of them are looked at.
    centres : ndarray of shape (n_folds, n_parts)
        Means of a numeric target in its bins.
    """

    log_table: np.ndarray
    log_prior: np.ndarray
    starts: np.ndarray
    orders: np.ndarray
    sizes: np.ndarray
    centres: np.ndarray

    @classmethod
    def of(
        cls, learned: np.ndarray, counts: Counts, prior: np.ndarray, orders: np.ndarray, sizes: Any, centres: Any
    ) -> BayesModels:
        """Learn from what the other folds count, (n_folds, n_all_levels, n_parts); ``counts`` are those of all rows."""
        offsets = counts.offsets
        # Levels that do not occur, such as one kept free for missing values, are none.
        totals = np.add.reduceat(learned, offsets[:-1], axis=1) + counts.occurring[:, None]
        log_table = np.log(learned + 1.0) - np.log(np.repeat(totals, np.diff(offsets), axis=1))
        with np.errstate(divide="ignore"):
            log_prior = np.log(prior)
        return cls(log_table, log_prior, offsets[:-1], orders, np.asarray(sizes, np.int64), np.asarray(centres))


@dataclass(frozen=True, eq=False)
class BayesScores(Summary[np.ndarray]):
    """What naive Bayes tells of the rows of the fold that it has not seen, as `LinearScores`."""

    models: BayesModels
    numbers: bool

    remembered = False
    words = "testing naive Bayes"

    def width(self, block: Any) -> int:
        """Say that the work is not cut by features."""
        return 1

    def tile(self, block: Any, start: int, stop: int) -> np.ndarray:
        """Test the rows of one block."""
        m, weight, y = self.models, row_weights(block), block.y
        n_folds, n_parts = m.log_prior.shape
        out = np.zeros((n_folds, len(m.sizes), 1 if self.numbers else n_parts))
        for rows, codes in _pieces(block):
            fold, w = np.ascontiguousarray(y["fold"][rows]), weight[rows]
            model = (m.log_table, m.starts, m.orders, m.sizes, m.log_prior)
            if self.numbers:
                bayes_errors(codes, fold, np.ascontiguousarray(y["value"][rows]), w, *model, m.centres, out)
            else:
                bayes_hits(codes, fold, np.ascontiguousarray(y["part"][rows]), w, *model, NEAR, out)
        return out

    def join(self, parts: list[np.ndarray]) -> np.ndarray:
        """Return the only tile."""
        return parts[0]

    def merge(self, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        """Add two row blocks."""
        return first + second


def _pieces(block: Any) -> Iterator[tuple[slice, np.ndarray]]:
    """Yield the codes of some rows at a time."""
    if block.kind == "codes":
        yield slice(0, block.n_rows), block.rows
        return
    rows = block.X.tocsr()
    for top in range(0, block.n_rows, ROWS):
        here = rows[top : top + ROWS].tocoo()
        codes = np.tile(block.zero_code, (here.shape[0], 1)).astype(np.uint16)
        # A stored code may be 0.
        codes[here.row, here.col] = here.data
        yield slice(top, top + here.shape[0]), codes

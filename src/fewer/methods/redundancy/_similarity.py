"""How much features resemble each other, in whole numbers, row by row of a matrix that is never held."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from fewer.core.kernels.conditional import table_terms
from fewer.core.measures.count_logs import CountLogs
from fewer.core.runners.runner import Runner
from fewer.core.summaries.counts import PairCounts
from fewer.core.summaries.results import Counts

# Correlations are compared in steps of this size: round-off must not choose between copies of one feature.
CORRELATION_STEP = 2.0**-30
# Standardised rows held at once; smaller data are standardised once and kept.
CHUNK_BYTES = 64 * 2**20


class AbsoluteCorrelation:
    """|Pearson correlation| of the columns of a dense matrix; 0 with a constant column.

    Parameters
    ----------
    X : ndarray of shape (n_rows, n_features)
        Finite numbers.

    Attributes
    ----------
    mean, length : ndarray of shape (n_features,)
        Mean of every column, and length of the column after the mean was taken off.
    varies : ndarray of bool, shape (n_features,)
        Which columns have more than one value.
    """

    def __init__(self, X: np.ndarray) -> None:
        self.X = X
        self._at_once = max(1, CHUNK_BYTES // (8 * X.shape[1]))
        with np.errstate(over="ignore", invalid="ignore"):
            self.mean = X.mean(axis=0, dtype=np.float64)
            squares = sum((chunk**2).sum(axis=0) for chunk in self._chunks(np.ones(X.shape[1])))
        self.length = np.sqrt(squares)
        # The mean of a constant may miss it by a last digit, which must not count as variation.
        self.varies = X.max(axis=0) > X.min(axis=0)
        self._inverse = np.divide(1.0, self.length, out=np.zeros(X.shape[1]), where=self.varies & (self.length > 0))
        self._kept = list(self._chunks(self._inverse)) if len(X) <= self._at_once else None

    def _chunks(self, factor: np.ndarray) -> Iterator[np.ndarray]:
        for top in range(0, len(self.X), self._at_once):
            yield (self.X[top : top + self._at_once] - self.mean) * factor

    def rows(self, features: np.ndarray) -> np.ndarray:
        """Return the similarity of some features with every feature, (len(features), n_features), int64."""
        product = np.zeros((len(features), self.X.shape[1]))
        for chunk in self._chunks(self._inverse) if self._kept is None else self._kept:
            product += (chunk[:, features] / CORRELATION_STEP).T @ chunk
        np.abs(product, out=product)
        return np.rint(product, out=product).astype(np.int64)


class SharedInformation:
    """Mutual information of the columns of a block of codes, in the units of `CountLogs`.

    Parameters
    ----------
    block : CodesBlock
        All rows.
    logs : CountLogs
        Terms of counts up to the number of rows.
    run : Runner
        Its threads share the features.
    """

    def __init__(self, block: Any, logs: CountLogs, run: Runner) -> None:
        self.block, self.logs, self.run = block, logs, run
        alone = [np.bincount(column) for column in block.columns]
        self.single = np.array([logs.terms[counts].sum() for counts in alone])

    def rows(self, features: np.ndarray) -> np.ndarray:
        """Return the similarity of some features with every feature, (len(features), n_features), int64."""

        def work(start: int, stop: int) -> list[np.ndarray]:
            return [self._with_all(int(j)) for j in features[start:stop]]

        parts = self.run.scan(work, len(features), 4)
        return np.array([row for part in parts for row in part])

    def _with_all(self, j: int) -> np.ndarray:
        summary = PairCounts(j)
        pairs = [self._pair_terms(summary.tile(self.block, *span)) for span in summary.ranges(self.block, 1)]
        return np.concatenate(pairs) - self.single - self.single[j] + self.logs.terms[self.block.n_rows]

    def _pair_terms(self, counts: Counts) -> np.ndarray:
        out = np.empty(counts.n_features, np.int64)
        table_terms(counts.table, counts.offsets, self.logs.terms, out)
        return out

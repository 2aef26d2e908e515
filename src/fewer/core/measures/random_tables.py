"""Statistics of random tables with given margins, and what they say of an observed one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.special import gammaincc

from fewer.core.kernels.exact_tables import INFORMATION, PEARSON
from fewer.core.kernels.random_tables import shuffled_counts, sums_of_tables

# Rows, also per cell, up to which rows are shuffled; beyond, the cells are drawn one after another, whatever number of
# rows they have.
MOST_SHUFFLED, MOST_PER_CELL = 4_000, 30
# Memory of shuffles that are made at once.
BYTES_AT_ONCE = 2**22


class Shuffles:
    """Shuffled rows of given classes, the same ones in every run, for several columns at once.

    Parameters
    ----------
    classes : ndarray of int64
        Rows of every class.
    """

    def __init__(self, classes: np.ndarray) -> None:
        self.classes, self.n_rows = classes, int(classes.sum())

    def statistics(self, kind: int, several: Sequence[np.ndarray], start: int, stop: int) -> list[np.ndarray]:
        """Return the statistics of the random tables with numbers from start to stop.

        ``several`` has the rows of every level, for each of some columns.
        """
        found = [np.empty(stop - start) for _ in several]
        terms = {i: self._terms(kind, levels) for i, levels in enumerate(several) if self.shuffles_for(levels)}
        for i, out in enumerate(found):
            if i not in terms:
                out[:] = self._by_cells(kind, several[i], start, stop)
        step = max(1, BYTES_AT_ONCE // (4 * (self.n_rows + 1) * len(self.classes)))
        for first in range(start, stop if terms else start, step):
            part = slice(first - start, first - start + step)
            shuffled = self._shuffled(first, min(first + step, stop))
            for i, (weight, power, _) in terms.items():
                sums_of_tables(shuffled, np.cumsum(several[i]), weight, power, found[i][part])
        return [out - terms[i][2] if i in terms else out for i, out in enumerate(found)]

    def shuffles_for(self, levels: np.ndarray) -> bool:
        """Return whether shuffling the rows is quicker than drawing the cells."""
        return self.n_rows <= max(MOST_SHUFFLED, MOST_PER_CELL * len(levels) * len(self.classes))

    def _terms(self, kind: int, levels: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
        """Return weights of cells, what cells of 0, 1, ... rows add, and what is known from the margins."""
        expected = np.outer(levels, self.classes) / self.n_rows
        counts = np.arange(max(levels.max(), self.classes.max()) + 1, dtype=np.float64)
        if kind == INFORMATION:
            rest = float((expected * np.log(expected)).sum())
            return np.ones(expected.shape), counts * np.log(np.maximum(counts, 1.0)), rest
        weight = 1.0 / (expected if kind == PEARSON else np.broadcast_to(levels[:, None], expected.shape))
        return weight, counts**2, float((expected**2 * weight).sum())

    def _shuffled(self, start: int, stop: int) -> np.ndarray:
        labels = np.repeat(np.arange(len(self.classes)), self.classes)
        out = np.empty((stop - start, self.n_rows + 1, len(self.classes)), np.int32)
        random = np.random.default_rng((0, start)).integers(0, 2**32, (stop - start, self.n_rows), dtype=np.uint32)
        shuffled_counts(labels, random, out)
        return out

    def _by_cells(self, kind: int, levels: np.ndarray, start: int, stop: int) -> np.ndarray:
        n_draws = stop - start
        rng, value = np.random.default_rng((0, start)), np.zeros(n_draws)
        left = np.tile(levels, (n_draws, 1))
        for c, size in enumerate(self.classes.tolist()):
            wanted, below = np.full(n_draws, size), left.sum(axis=1)
            for i, total in enumerate(levels.tolist()):
                below = below - left[:, i]
                if c == len(self.classes) - 1:
                    k = left[:, i].copy()
                else:
                    k = wanted if i == len(levels) - 1 else rng.hypergeometric(left[:, i], below, wanted)
                wanted, left[:, i] = wanted - k, left[:, i] - k
                expected = total * size / self.n_rows
                if kind == INFORMATION:
                    value += k * np.log(np.where(k > 0, k, 1) / expected) * (k > 0)
                else:
                    value += (k - expected) ** 2 / (expected if kind == PEARSON else total)
        return value


def gamma_tail(draws: np.ndarray, observed: np.ndarray) -> np.ndarray:
    """Return the tail beyond what was drawn, by the gamma distribution of the same mean and variance."""
    mean, variance = float(draws.mean()), float(draws.var(ddof=1))
    if not mean > 0.0 or not variance > 0.0:
        return np.ones(len(observed))
    return gammaincc(mean * mean / variance, observed * mean / variance)

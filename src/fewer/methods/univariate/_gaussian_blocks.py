"""Gaussian kernels of columns beside the kernel of a target, one block of rows after another."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np

from fewer.core.kernels import gaussian_pairs as kernels
from fewer.core.views.unit_columns import scan_columns, unit_columns
from fewer.core.views.view import View

# Blocks have at most so many rows: kernels of all their pairs are held at once.
BLOCK_ROWS = 2_000
# Fewer rows have too few orders for a distribution without steps.
FEWEST_ROWS = 6


def width_of(column: np.ndarray, deviation: float) -> float:
    """Return 1 / (sigma sqrt 2), sigma the median distance of two rows, or else the deviation; 0 of a constant."""
    if not deviation > 0.0:
        return 0.0
    return 1.0 / (np.sqrt(2.0) * (kernels.median_difference(np.sort(column)) or deviation))


class TargetKernel:
    """The centred kernel of the target in one block of rows: Gaussian of numbers, equality of classes."""

    def __init__(self, y: np.ndarray, width: float | None) -> None:
        """Take class numbers, or numbers and the width of their kernel."""
        n = self.n = len(y)
        if width is None:
            self.raw = (y[:, None] == y).astype(np.float64)
        else:
            self.raw = np.ones((n, n))
            kernels.fill_gaussian(y, width, self.raw, np.empty(n))
            self.raw = np.triu(self.raw) + np.triu(self.raw, 1).T
        means = self.raw.mean(axis=1)
        self.centred = self.raw - means - means[:, None] + means.mean()
        self.sums = sums_of_centred(np.diag(self.centred), float((self.centred**2).sum()))

    def hsic(self, upper: np.ndarray) -> float:
        """Return tr(K H L H) / n² of a kernel whose part above the diagonal is given."""
        total = 2.0 * kernels.centred_products(upper, self.centred) + float(np.trace(self.centred))
        return max(0.0, total / self.n**2)

    def null(self, upper: np.ndarray, sums: np.ndarray) -> tuple[float, float]:
        """Return mean and variance of HSIC over all permutations (Kazi-Aoual and others 1995); 0 of few rows."""
        n = self.n
        if n < FEWEST_ROWS:
            return 0.0, 0.0
        means = (sums + 1.0) / n
        mean = float(means.mean())
        diagonal = 1.0 - 2.0 * means + mean
        # The sum over i < j is half of that over all pairs.
        squares = 2.0 * kernels.centred_squares(upper, means, mean) + float(diagonal @ diagonal)
        traces, both, alone = (np.array(pair) for pair in zip(self.sums, sums_of_centred(diagonal, squares)))
        # What pairs of rows vary, and what single rows do.
        pairs = ((n - 1) * both - traces**2).prod() * 2.0 / ((n - 1.0) ** 2 * (n + 1) * (n - 2))
        rows = (n * (n + 1) * alone - (n - 1) * (traces**2 + 2.0 * both)).prod()
        variance = pairs + rows / ((n + 1.0) * n * (n - 1) * (n - 2) * (n - 3))
        return float(traces.prod()) / ((n - 1.0) * n**2), float(variance) / float(n) ** 4


def sums_of_centred(diagonal: np.ndarray, squares: float) -> tuple[float, float, float]:
    """Return trace, sum of squares and sum of squares of the diagonal of a centred kernel."""
    return float(diagonal.sum()), squares, float(diagonal @ diagonal)


class GaussianBlocks:
    """HSIC of all columns of a view, as the mean over blocks to which rows are dealt in turn."""

    def __init__(self, view: View) -> None:
        block = view.whole()
        self.X, self.run, self.n = block.X, view.run, view.n_rows
        self.n_blocks = -(-self.n // BLOCK_ROWS)
        self.y, self.width = np.asarray(block.y), None
        if not view.n_classes:
            column, deviation = unit_columns(self.y[:, None])
            self.y, self.width = column[0], width_of(column[0], float(deviation[0]))
        self.widths = scan_columns(self.X, self.run, width_of)
        self._local = threading.local()

    def sums(self, with_null: bool) -> np.ndarray:
        """Return HSIC of every column, and mean and variance under independence if they are asked for."""
        out = np.zeros((self.X.shape[1], 3))
        for start in range(self.n_blocks):
            target = TargetKernel(self.y[start :: self.n_blocks], self.width)
            out += self._of_block(target, start, with_null) / np.array([self.n_blocks] * 2 + [self.n_blocks**2])
        return out

    def upper(self, column: np.ndarray, width: float) -> tuple[np.ndarray, np.ndarray]:
        """Return the kernel of a column, above the diagonal, and its sums over other rows; this thread's own room."""
        n = len(column)
        if getattr(self._local, "room", np.empty((0, 0))).shape[0] != n:
            self._local.room = np.empty((n, n))
        sums = np.empty(n)
        kernels.fill_gaussian(column, width, self._local.room, sums)
        return self._local.room, sums

    def _of_block(self, target: TargetKernel, start: int, with_null: bool) -> np.ndarray:
        def work(low: int, high: int) -> list[Any]:
            # In the unit of the whole column, in which the widths are.
            columns, _ = unit_columns(self.X[:, low:high])
            return [one(column[start :: self.n_blocks], j) for j, column in enumerate(columns, low)]

        def one(column: np.ndarray, j: int) -> tuple[float, float, float]:
            if not self.widths[j] > 0.0:
                return 0.0, 0.0, 0.0
            upper, sums = self.upper(column, self.widths[j])
            return (target.hsic(upper), *(target.null(upper, sums) if with_null else (0.0, 0.0)))

        return np.array([one for part in self.run.scan(work, self.X.shape[1], 8) for one in part])

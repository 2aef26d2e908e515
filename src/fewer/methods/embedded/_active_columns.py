"""The active columns of a path, and the line on which it goes on while they stay."""

from __future__ import annotations

import numpy as np
import scipy.linalg

from fewer.core.kernels.lars_en import factor_append, factor_delete, factor_solve

# A pivot below this fraction of the largest is round-off.
NOTHING = 1e-12


class ActiveColumns:
    """The active columns and a factor of their matrix of products, which follows when one joins or leaves.

    The matrix has one row per active feature. Where that is dearer, equations of one row per row of data take its place
    (Woodbury), so that a step costs no more than a look at all columns.

    Attributes
    ----------
    features, signs : ndarray
        The active features in the order in which they joined, and the signs of their correlations.
    """

    def __init__(self, rows: np.ndarray, l2: float) -> None:
        self.all, self.l2, self.n = rows, l2, 0
        self.features, self.signs = np.zeros(0, np.int64), np.zeros(0)
        self.columns = np.zeros((8, rows.shape[1]))
        self.factor = np.zeros((8, 8))
        # With equations by rows: their matrix, and the sum of the columns with their signs.
        self.between: np.ndarray | None = None
        self.total = np.zeros(rows.shape[1])

    def add(self, j: int, sign: float) -> bool:
        """Let a column join; False if the others span it."""
        column = self.all[j]
        if self.between is None:
            if self.n == len(self.columns):
                self.columns = np.concatenate([self.columns, np.zeros_like(self.columns)])
                self.factor = np.pad(self.factor, ((0, self.n), (0, self.n)))
            left = factor_append(self.factor, self.n, self.columns[: self.n] @ column, 1.0 + self.l2)
            if left <= NOTHING * (1.0 + self.l2):
                return False
            self.columns[self.n] = column
        else:
            self.between += np.outer(column, column)
            self.total += sign * column
        self.features, self.signs = np.append(self.features, j), np.append(self.signs, sign)
        self.n += 1
        n_rows = len(column)
        if self.between is None and self.l2 > 0 and self.n > n_rows and self.n**2 > n_rows**3 / 3:
            active = self.columns[: self.n]
            self.between = active.T @ active + self.l2 * np.eye(n_rows)
            self.total = self.signs @ active
        return True

    def remove(self, place: int) -> None:
        """Let a column leave."""
        if self.between is None:
            factor_delete(self.factor, self.n, place)
            self.columns[place : self.n - 1] = self.columns[place + 1 : self.n]
        else:
            column = self.all[self.features[place]]
            self.between -= np.outer(column, column)
            self.total -= self.signs[place] * column
        self.features, self.signs = np.delete(self.features, place), np.delete(self.signs, place)
        self.n -= 1

    def slopes(self, some: np.ndarray | slice = slice(None)) -> tuple[np.ndarray, np.ndarray]:
        """Return the slopes of the coefficients, and how fast correlations of all columns or of some fall.

        Those of the active ones fall by their signs: that is what the slopes solve.
        """
        if self.between is None:
            slopes = factor_solve(self.factor, self.n, self.signs)
            return (1.0 + self.l2) * slopes, self.all[some] @ (slopes @ self.columns[: self.n])
        # What the slopes fit in the rows is also the solution of the equations by rows.
        fit = scipy.linalg.cho_solve(scipy.linalg.cho_factor(self.between), self.total)
        falls = self.all[some] @ fit
        at = falls[self.features] if isinstance(some, slice) else self.all[self.features] @ fit
        return (1.0 + self.l2) * (self.signs - at) / self.l2, falls

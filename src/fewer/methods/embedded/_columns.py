"""Columns of mean 0 and length 1, and the way back to those that were given."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fewer.core.views.spread import check_target


@dataclass(frozen=True, eq=False)
class UnitColumns:
    """Centred columns of length 1 (eq. 20.2), one after another, and a centred target.

    Attributes
    ----------
    rows : ndarray of shape (n_features, n_rows)
        The columns; constant ones are 0.
    target : ndarray of shape (n_rows,)
        The target less its mean.
    first, shift : ndarray of shape (n_features,)
        What was taken off the columns, one after the other: their first value, and the mean of what is left.
    lengths : ndarray of shape (n_features,)
        What they were divided by, 0 for constant ones.
    mean : float
        The mean of the target.
    """

    rows: np.ndarray
    target: np.ndarray
    first: np.ndarray
    shift: np.ndarray
    lengths: np.ndarray
    mean: float

    @classmethod
    def of(cls, X: np.ndarray, y: np.ndarray) -> UnitColumns:
        """Centre and scale the columns of data."""
        rows = np.array(np.asarray(X).T, dtype=np.float64, order="C")
        first = rows[:, :1].copy()
        varies = (rows != first).any(axis=1)
        # Differences from the first value keep their digits if the column lies far from 0.
        rows -= first
        shift = rows.mean(axis=1)
        rows -= shift[:, None]
        rows[~varies] = 0.0
        largest = np.abs(rows).max(axis=1, initial=0.0)
        rows /= np.where(largest > 0, largest, 1.0)[:, None]
        short = np.sqrt(np.einsum("ij,ij->i", rows, rows))
        rows /= np.where(short > 0, short, 1.0)[:, None]
        target = np.asarray(y, dtype=np.float64)
        check_target(target)
        mean = float(target[0] + (target - target[0]).mean())
        return cls(rows, target - mean, first[:, 0], shift, largest * short, mean)

    @property
    def constant(self) -> np.ndarray:
        """Which columns are constant."""
        return self.lengths == 0

    def given(self, beta: np.ndarray) -> tuple[np.ndarray, np.ndarray | float]:
        """Return coefficients of the columns as they were given, and the intercept; beta may have several rows."""
        scale = np.where(self.lengths > 0, self.lengths, 1.0)
        coefficients = beta / scale
        return coefficients, self.mean - coefficients @ (self.first + self.shift)

    def predicted(self, X: np.ndarray, beta: np.ndarray, columns: np.ndarray | None = None) -> np.ndarray:
        """Return what coefficients, of all columns or of some, say of other rows; beta may have several rows."""
        some = slice(None) if columns is None else columns
        lengths = self.lengths[some]
        # Again differences from the first value, for columns that lie far from 0.
        scaled = (X[:, some] - self.first[some] - self.shift[some]) / np.where(lengths > 0, lengths, 1.0)
        return self.mean + scaled @ beta.T

"""Least angle regression of several targets on the same columns, dense or sparse."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.linalg
import scipy.sparse

# A column with less than this fraction of its squared length outside the span of the active ones is spanned by them.
SPANNED = 1e-10
# Correlations below this fraction of the first are round-off.
NOTHING = 1e-12


class CentredUnitColumns:
    """Columns less their mean, divided by their length; a sparse matrix stays as it is.

    Parameters
    ----------
    X : ndarray or sparse matrix of shape (n_rows, n_features)
        Columns in comparable units.
    """

    def __init__(self, X: Any) -> None:
        self.sparse = scipy.sparse.issparse(X)
        self.X = scipy.sparse.csc_array(X, dtype=np.float64) if self.sparse else X
        n, d = X.shape
        if self.sparse:
            self.mean = np.asarray(self.X.sum(axis=0)).ravel() / n
            column = np.repeat(np.arange(d), np.diff(self.X.indptr))
            squares = np.bincount(column, (self.X.data - self.mean[column]) ** 2, d)
            squares += self.mean**2 * (n - np.diff(self.X.indptr))
        else:
            self.mean = X.mean(axis=0)
            squares = np.einsum("ij,ij->j", X - self.mean, X - self.mean)
        self.length = np.sqrt(squares)
        self.varies = self.length > NOTHING * np.sqrt(n) * np.abs(self.mean)
        self._products: dict[int, np.ndarray] = {}

    def against(self, y: np.ndarray) -> np.ndarray:
        """Return the products of all columns with a vector of mean 0; 0 for constant columns."""
        along = self.X.T @ y - self.mean * y.sum()
        return np.divide(along, self.length, out=np.zeros(len(along)), where=self.varies)

    def products(self, j: int) -> np.ndarray:
        """Return the products of all columns with one of them."""
        if j not in self._products:
            column = (self.X[:, [j]].toarray() if self.sparse else self.X[:, [j]]).ravel() - self.mean[j]
            self._products[j] = self.against(column / self.length[j])
        return self._products[j]


def least_angles(columns: CentredUnitColumns, y: np.ndarray, n_nonzero: int) -> np.ndarray:
    """Return the coefficients of least angle regression with at most so many columns.

    Of equal correlations the lower column joins first; columns that the active ones span stay out.

    Parameters
    ----------
    columns : CentredUnitColumns
        Columns of mean 0 and length 1.
    y : ndarray of shape (n_rows,)
        Target of mean 0.
    n_nonzero : int
        Columns that join before the path ends; the coefficients are those where the next one would join.
    """
    left = columns.against(y)
    free, top = columns.varies.copy(), float(np.abs(left).max(initial=0.0))
    beta, active = np.zeros(len(left)), list[int]()
    gram = np.zeros((len(left), 0))
    while len(active) < n_nonzero:
        size = np.where(free, np.abs(left), -1.0)
        largest = float(size.max(initial=-1.0))
        if largest <= NOTHING * max(top, 1e-300):
            break
        j = int(np.argmax(size >= largest * (1.0 - 1e-12)))
        free[j] = False
        joined = np.column_stack([gram, columns.products(j)])
        inside = joined[[*active, j]]
        factor = _factor(inside)
        if factor is None:
            continue
        active, gram = [*active, j], joined
        signs = np.sign(left[active])
        w = scipy.linalg.cho_solve((factor, True), signs)
        w /= np.sqrt(float(signs @ w))
        slope, along = float(np.abs(gram[active] @ w).mean()), gram @ w
        step = largest / slope
        others = np.flatnonzero(free)
        with np.errstate(divide="ignore", invalid="ignore"):
            steps = np.concatenate(
                [(largest - left[others]) / (slope - along[others]), (largest + left[others]) / (slope + along[others])]
            )
        ahead = steps[steps > NOTHING * largest]
        step = min(step, float(ahead.min(initial=np.inf)))
        beta[active] += step * w
        left = left - step * along
    return beta


def _factor(gram: np.ndarray) -> np.ndarray | None:
    """Return the lower Cholesky factor of products of columns, None if they span each other."""
    try:
        factor = np.linalg.cholesky(gram)
    except np.linalg.LinAlgError:
        return None
    return factor if factor[-1, -1] ** 2 > SPANNED else None

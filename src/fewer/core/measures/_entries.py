"""Entries of square matrices, dense or sparse, in one way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse


def like(pattern: Any, values: np.ndarray) -> Any:
    """Return a CSR matrix of other values at the same places."""
    return scipy.sparse.csr_array((values, pattern.indices, pattern.indptr), shape=pattern.shape)


def entries(matrix: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray, Callable[[np.ndarray], Any]]:
    """Return row numbers, column numbers and values of a matrix, and what makes a matrix of other values.

    The numbers of a dense matrix are a column and a row, which broadcast.
    """
    if scipy.sparse.issparse(matrix):
        matrix = scipy.sparse.csr_array(matrix)
        return *stored(matrix), lambda values: like(matrix, values)
    n = matrix.shape[0]
    return np.arange(n)[:, None], np.arange(n)[None, :], np.asarray(matrix, dtype=np.float64), lambda values: values


def stored(matrix: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return row numbers, column numbers and values of what is not zero."""
    matrix = scipy.sparse.csr_array(matrix)
    rows = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
    return rows, matrix.indices, matrix.data.astype(np.float64)

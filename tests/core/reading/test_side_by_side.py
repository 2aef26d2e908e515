"""Columns become rows the same way, few or many of them."""

from __future__ import annotations

import numpy as np
import pytest

from fewer.core.reading.io.batch import CACHED_CELLS, MANY_COLUMNS, TURNED_CELLS, side_by_side


@pytest.mark.parametrize(
    ("n_rows", "n_columns"),
    [
        (0, 3),
        (1, 1),
        (5, MANY_COLUMNS - 1),
        (7, MANY_COLUMNS),
        (CACHED_CELLS // 3 + 2, 3),
        (TURNED_CELLS // MANY_COLUMNS + 3, MANY_COLUMNS + 1),
    ],
)
def test_rows_hold_every_column_at_its_place(rng, n_rows, n_columns):
    columns = [rng.integers(0, 100, n_rows).astype([float, np.float32, np.int8, bool][j % 4]) for j in range(n_columns)]
    X = side_by_side(columns)
    assert X.dtype == np.float64
    assert X.flags.c_contiguous
    np.testing.assert_array_equal(X, np.column_stack(columns))
